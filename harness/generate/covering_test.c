#include "generate/covering.h"

#include <string.h>

#include "base/suite.h"
#include "generate/pair_coverage.h"

enum { PARAMETERS = 6, SEED = 7 };

/* Value 0 of parameter 0 cannot occur with odd values of parameter 1; values 1 of parameters 2, 3 and 4 not together.
 * Value 3 of parameter 5 needs value 2 of parameter 0 or of parameter 1. */
static bool permits(const void *context, const struct ndp_covering_row *row) {
    const uint8_t *values = row->values;
    (void)context;
    if (values[0] == 0 && values[1] != NDP_COVERING_FREE && values[1] % 2 == 1) return false;
    if (values[2] == 1 && values[3] == 1 && values[4] == 1) return false;
    if (values[5] != 3 || values[0] == NDP_COVERING_FREE || values[1] == NDP_COVERING_FREE) return true;
    return values[0] == 2 || values[1] == 2;
}

static void fill_model(struct ndp_covering_model *model) {
    static const uint32_t counts[PARAMETERS] = {5, 4, 3, 3, 2, 4};
    *model = (struct ndp_covering_model){.count = PARAMETERS, .rule = permits};
    for (uint32_t p = 0; p < PARAMETERS; p++) model->parameters[p].count = counts[p];
}

static bool is_free(const struct ndp_covering_row *row) {
    for (uint32_t p = 0; p < NDP_COVERING_MAX_PARAMETERS; p++)
        if (row->values[p] != NDP_COVERING_FREE) return false;
    return true;
}

/* Adds the rows until `number`, or until a free one; returns the number of rows. */
static uint64_t add_rows(struct ndp_covering *covering, struct ndp_coverage *coverage, uint64_t number,
                         bool until_pairs) {
    struct ndp_coverage_counts counts = {0};
    for (uint64_t i = 0; i < number; i++) {
        struct ndp_covering_row row;
        assert_int_equal(ndp_covering_row(covering, i, &row), NDP_OK);
        if (is_free(&row)) return i;
        assert_true(permits(NULL, &row));
        for (uint32_t p = 0; p < PARAMETERS; p++) assert_true(row.values[p] != NDP_COVERING_FREE);
        ndp_coverage_add(coverage, &row);
        ndp_coverage_count(coverage, &counts);
        if (until_pairs && counts.pairs == counts.possible_pairs) return i + 1;
    }
    return number;
}

static void rows_cover_pairs_then_triples_then_nothing(void **state) {
    struct ndp_covering_model model;
    struct ndp_covering *covering = NULL;
    struct ndp_coverage *coverage = NULL;
    struct ndp_coverage_counts counts;
    fill_model(&model);
    assert_int_equal(ndp_covering_new(&model, SEED, &covering), NDP_OK);
    assert_int_equal(ndp_coverage_new(&model, &coverage), NDP_OK);
    const uint64_t for_pairs = add_rows(covering, coverage, 1000, true);
    ndp_coverage_count(coverage, &counts);
    /* The product of the two largest parameters is a bound from below. */
    assert_in_range(for_pairs, 20, 30);
    assert_int_equal(counts.pairs, counts.possible_pairs);
    assert_true(counts.triples < counts.possible_triples);
    const uint64_t all = add_rows(covering, coverage, 1000, false);
    ndp_coverage_count(coverage, &counts);
    assert_in_range(all, 80, 200);
    assert_int_equal(counts.triples, counts.possible_triples);
    ndp_coverage_free(coverage);
    ndp_covering_free(covering);
}

static void rows_depend_on_seed_and_number_alone(void **state) {
    struct ndp_covering_model model;
    struct ndp_covering *a = NULL, *b = NULL, *other = NULL;
    struct ndp_covering_row row, same, different;
    uint32_t differences = 0;
    fill_model(&model);
    assert_int_equal(ndp_covering_new(&model, SEED, &a), NDP_OK);
    assert_int_equal(ndp_covering_new(&model, SEED, &b), NDP_OK);
    assert_int_equal(ndp_covering_new(&model, SEED + 1, &other), NDP_OK);
    assert_int_equal(ndp_covering_row(b, 60, &same), NDP_OK);
    for (uint64_t i = 0; i < 100; i++) {
        assert_int_equal(ndp_covering_row(a, i, &row), NDP_OK);
        assert_int_equal(ndp_covering_row(b, i, &same), NDP_OK);
        assert_int_equal(ndp_covering_row(other, i, &different), NDP_OK);
        assert_memory_equal(&row, &same, sizeof row);
        differences += memcmp(&row, &different, sizeof row) != 0;
    }
    assert_true(differences > 90);
    ndp_covering_free(a);
    ndp_covering_free(b);
    ndp_covering_free(other);
}

static void a_costly_value_occurs_only_where_it_covers(void **state) {
    struct ndp_covering_model model = {.count = 3};
    struct ndp_covering *covering = NULL;
    uint32_t costly = 0, rows = 0;
    for (uint32_t p = 0; p < 3; p++) model.parameters[p].count = p == 0 ? 3 : 10;
    model.parameters[0].costly_from = 2;
    assert_int_equal(ndp_covering_new(&model, SEED, &covering), NDP_OK);
    for (; rows < 100; rows++) {
        struct ndp_covering_row row;
        assert_int_equal(ndp_covering_row(covering, rows, &row), NDP_OK);
        costly += row.values[0] == 2;
    }
    assert_in_range(costly, 10, 25);
    ndp_covering_free(covering);
}

static void parameters_without_values_stay_free(void **state) {
    struct ndp_covering_model model;
    struct ndp_covering *covering = NULL;
    struct ndp_covering_row row;
    fill_model(&model);
    model.parameters[3].count = 0;
    assert_int_equal(ndp_covering_new(&model, SEED, &covering), NDP_OK);
    for (uint64_t i = 0; i < 70; i++) {
        assert_int_equal(ndp_covering_row(covering, i, &row), NDP_OK);
        assert_int_equal(row.values[3], NDP_COVERING_FREE);
    }
    assert_true(row.values[2] != NDP_COVERING_FREE && row.values[4] != NDP_COVERING_FREE);
    ndp_covering_free(covering);
}

static bool permits_one_family(const void *context, const struct ndp_covering_row *row) {
    const bool is_first = row->values[0] != NDP_COVERING_FREE || row->values[3] != NDP_COVERING_FREE;
    (void)context;
    return !is_first || row->values[1] == NDP_COVERING_FREE;
}

static void a_row_has_one_family(void **state) {
    const struct ndp_covering_model model = {
        .parameters = {{.count = 2, .family = 1}, {.count = 3, .family = 2}, {.count = 2}, {.count = 2, .family = 1}},
        .count = 4,
        .rule = permits_one_family};
    struct ndp_covering *covering = NULL;
    struct ndp_coverage *coverage = NULL;
    struct ndp_coverage_counts counts;
    struct ndp_covering_row row;
    assert_int_equal(ndp_covering_new(&model, SEED, &covering), NDP_OK);
    assert_int_equal(ndp_coverage_new(&model, &coverage), NDP_OK);
    for (uint64_t i = 0; i < 40; i++) {
        assert_int_equal(ndp_covering_row(covering, i, &row), NDP_OK);
        if (is_free(&row)) break;
        assert_true((row.values[0] == NDP_COVERING_FREE) != (row.values[1] == NDP_COVERING_FREE));
        assert_int_equal(row.values[0] == NDP_COVERING_FREE, row.values[3] == NDP_COVERING_FREE);
        assert_true(row.values[2] != NDP_COVERING_FREE);
        ndp_coverage_add(coverage, &row);
    }
    ndp_coverage_count(coverage, &counts);
    assert_int_equal(counts.possible_pairs, 3 * 4 + 6);
    assert_int_equal(counts.pairs, 3 * 4 + 6);
    assert_int_equal(counts.possible_triples, 8);
    assert_int_equal(counts.triples, 8);
    ndp_coverage_free(coverage);
    ndp_covering_free(covering);
}

static void an_empty_model_has_free_rows(void **state) {
    const struct ndp_covering_model model = {.count = 0};
    struct ndp_covering *covering = NULL;
    struct ndp_covering_row row;
    assert_int_equal(ndp_covering_new(&model, SEED, &covering), NDP_OK);
    assert_int_equal(ndp_covering_row(covering, 3, &row), NDP_OK);
    assert_true(is_free(&row));
    ndp_covering_free(covering);
}

NDP_SUITE(covering_test, NDP_TEST(rows_cover_pairs_then_triples_then_nothing),
          NDP_TEST(rows_depend_on_seed_and_number_alone), NDP_TEST(a_costly_value_occurs_only_where_it_covers),
          NDP_TEST(parameters_without_values_stay_free), NDP_TEST(a_row_has_one_family),
          NDP_TEST(an_empty_model_has_free_rows));
