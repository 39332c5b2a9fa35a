#include "generate/pair_coverage.h"

#include <string.h>

#include "base/suite.h"

/* Three parameters of two values; 1 of the first excludes 1 of the second. */
static bool permits(const void *context, const struct ndp_covering_row *row) {
    (void)context;
    return row->values[0] != 1 || row->values[1] != 1;
}

static const struct ndp_covering_model model = {
    .parameters = {{.count = 2}, {.count = 2}, {.count = 2}}, .count = 3, .rule = permits};

static struct ndp_covering_row row_of(uint8_t a, uint8_t b, uint8_t c) {
    struct ndp_covering_row row;
    memset(row.values, NDP_COVERING_FREE, sizeof row.values);
    row.values[0] = a;
    row.values[1] = b;
    row.values[2] = c;
    return row;
}

static void check_counts(const struct ndp_coverage *coverage, uint64_t pairs, uint64_t triples) {
    struct ndp_coverage_counts counts;
    ndp_coverage_count(coverage, &counts);
    assert_int_equal(counts.pairs, pairs);
    assert_int_equal(counts.triples, triples);
    assert_int_equal(counts.possible_pairs, 3 * 4 - 1);
    assert_int_equal(counts.possible_triples, 8 - 2);
}

static void possible_combinations_count_once(void **state) {
    struct ndp_coverage *coverage = NULL;
    assert_int_equal(ndp_coverage_new(&model, &coverage), NDP_OK);
    check_counts(coverage, 0, 0);
    const struct ndp_covering_row rows[] = {row_of(0, 0, 0), row_of(0, 0, 1), row_of(0, NDP_COVERING_FREE, 1),
                                            row_of(1, 1, 0)};
    ndp_coverage_add(coverage, &rows[0]);
    check_counts(coverage, 3, 1);
    ndp_coverage_add(coverage, &rows[0]);
    check_counts(coverage, 3, 1);
    ndp_coverage_add(coverage, &rows[1]);
    check_counts(coverage, 5, 2);
    ndp_coverage_add(coverage, &rows[2]);
    check_counts(coverage, 5, 2);
    /* The rule excludes one pair of this row. */
    ndp_coverage_add(coverage, &rows[3]);
    check_counts(coverage, 7, 2);
    ndp_coverage_free(coverage);
}

/* A merged report counts the bits, without the model. */
static void impossible_combinations_have_no_bits(void **state) {
    struct ndp_coverage *coverage = NULL;
    const struct ndp_covering_row row = row_of(1, 1, 0);
    uint32_t count = 0;
    assert_int_equal(ndp_coverage_new(&model, &coverage), NDP_OK);
    ndp_coverage_add(coverage, &row);
    const struct ndp_bytes bits = ndp_coverage_bits(coverage);
    for (uint64_t i = 0; i < bits.size_bytes; i++) count += (uint32_t)__builtin_popcount(bits.data[i]);
    assert_int_equal(count, 2);
    ndp_coverage_free(coverage);
}

NDP_SUITE(pair_coverage_test, NDP_TEST(possible_combinations_count_once),
          NDP_TEST(impossible_combinations_have_no_bits));
