#include "base/suite.h"
#include "report/report_coverage.h"

static const struct ndp_coverage_counts possible = {0, 8, 0, 16};

/* Adds group "g" with 8 bits of pairs and 16 of triples. */
static void set(struct ndp_report_coverage *coverage, uint8_t pairs, uint8_t low, uint8_t high,
                struct ndp_coverage_counts counts) {
    const uint8_t bits[] = {pairs, low, high};
    const struct ndp_bytes some = {bits, sizeof bits};
    assert_int_equal(ndp_report_coverage_set(coverage, "g", &counts, some, 8), NDP_OK);
}

static void groups_keep_their_order(void **state) {
    struct ndp_report_coverage coverage = {.groups = NULL};
    const struct ndp_bytes none = {NULL, 0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 200; i++) {
            char name[16];
            snprintf(name, sizeof name, "g%d", i);
            const struct ndp_coverage_counts counts = {.pairs = (uint64_t)(round * i)};
            assert_int_equal(ndp_report_coverage_set(&coverage, name, &counts, none, 0), NDP_OK);
        }
    }
    assert_int_equal(coverage.count, 200);
    assert_string_equal(coverage.groups[77].name, "g77");
    assert_int_equal(coverage.groups[77].counts.pairs, 77);
    ndp_report_coverage_clear(&coverage);
}

static void bits_are_united(void **state) {
    struct ndp_report_coverage a = {.groups = NULL}, b = {.groups = NULL};
    set(&a, 0x03, 0x01, 0x80, (struct ndp_coverage_counts){2, 8, 2, 16});
    set(&b, 0x06, 0x01, 0x40, (struct ndp_coverage_counts){2, 8, 2, 16});
    assert_int_equal(ndp_report_coverage_unite(&a, &b), NDP_OK);
    assert_int_equal(a.groups[0].counts.pairs, 3);
    assert_int_equal(a.groups[0].counts.triples, 3);
    assert_int_equal(a.groups[0].counts.possible_pairs, 8);
    assert_int_equal(a.groups[0].bits[2], 0xc0);
    ndp_report_coverage_clear(&a);
    ndp_report_coverage_clear(&b);
}

/* A group of which one run covered nothing needs no bits of it. */
static void bits_must_fit(void **state) {
    struct ndp_report_coverage a = {.groups = NULL}, b = {.groups = NULL}, empty = {.groups = NULL};
    const struct ndp_bytes none = {NULL, 0};
    assert_int_equal(ndp_report_coverage_set(&empty, "g", &possible, none, 0), NDP_OK);
    set(&a, 0x03, 0, 0, (struct ndp_coverage_counts){2, 8, 0, 16});
    set(&b, 0x06, 0, 0, (struct ndp_coverage_counts){2, 8, 0, 16});
    assert_int_equal(ndp_report_coverage_unite(&a, &empty), NDP_OK);
    assert_int_equal(a.groups[0].counts.pairs, 2);
    assert_int_equal(ndp_report_coverage_unite(&empty, &a), NDP_OK);
    assert_int_equal(empty.groups[0].counts.pairs, 2);
    b.groups[0].pair_bits = 9;
    assert_int_equal(ndp_report_coverage_unite(&a, &b), NDP_INVALID);
    b.groups[0].pair_bits = 8;
    b.groups[0].bits_bytes = 2;
    assert_int_equal(ndp_report_coverage_unite(&a, &b), NDP_INVALID);
    free(b.groups[0].bits);
    b.groups[0].bits = NULL;
    assert_int_equal(ndp_report_coverage_unite(&a, &b), NDP_INVALID);
    ndp_report_coverage_clear(&a);
    ndp_report_coverage_clear(&b);
    ndp_report_coverage_clear(&empty);
}

static void the_lowest_share_counts(void **state) {
    struct ndp_report_coverage coverage = {.groups = NULL};
    const struct ndp_report_group *group;
    const struct ndp_bytes none = {NULL, 0};
    const struct ndp_coverage_counts full = {7, 7, 199, 200}, part = {2, 3, 5, 5}, nothing = {0, 0, 0, 0};
    assert_int_equal(ndp_report_coverage_share(&coverage, false, &group), 0);
    assert_null(group);
    assert_int_equal(ndp_report_coverage_set(&coverage, "nothing", &nothing, none, 0), NDP_OK);
    assert_int_equal(ndp_report_coverage_share(&coverage, false, &group), 100);
    assert_int_equal(ndp_report_coverage_set(&coverage, "full", &full, none, 0), NDP_OK);
    assert_int_equal(ndp_report_coverage_set(&coverage, "part", &part, none, 0), NDP_OK);
    assert_int_equal(ndp_report_coverage_share(&coverage, false, &group), 66);
    assert_string_equal(group->name, "part");
    assert_int_equal(ndp_report_coverage_share(&coverage, true, &group), 99);
    assert_string_equal(group->name, "full");
    ndp_report_coverage_clear(&coverage);
}

static void bits_survive_their_text(void **state) {
    static uint8_t bits[100000];
    for (size_t i = 0; i < sizeof bits; i += 97) bits[i] = (uint8_t)i;
    const struct ndp_report_group group = {.bits = bits, .bits_bytes = sizeof bits};
    struct ndp_bytes read = {NULL, 0};
    NDP_ARENA_SCOPED(arena, 1 << 20);
    NDP_BUFFER_SCOPED(digits, 1 << 20);
    assert_int_equal(ndp_report_coverage_pack(&group, &digits), NDP_OK);
    assert_true(digits.size_bytes < sizeof bits / 4);
    assert_int_equal(ndp_buffer_add(&digits, "", 1), NDP_OK);
    const char *text = (const char *)digits.data;
    assert_int_equal(ndp_report_coverage_unpack(&arena, text, sizeof bits, &read), NDP_OK);
    assert_int_equal(read.size_bytes, sizeof bits);
    assert_memory_equal(read.data, bits, sizeof bits);
    assert_int_equal(ndp_report_coverage_unpack(&arena, text, sizeof bits - 1, &read), NDP_INVALID);
    assert_int_equal(ndp_report_coverage_unpack(&arena, text, sizeof bits + 1, &read), NDP_INVALID);
    assert_int_equal(ndp_report_coverage_unpack(&arena, "7", 1, &read), NDP_INVALID);
    assert_int_equal(ndp_report_coverage_unpack(&arena, "00", 1, &read), NDP_INVALID);
    assert_int_equal(ndp_report_coverage_unpack(&arena, text, NDP_MAX_COVERAGE_BYTES + 1, &read), NDP_LIMIT);
}

NDP_SUITE(report_coverage_test, NDP_TEST(groups_keep_their_order), NDP_TEST(bits_are_united), NDP_TEST(bits_must_fit),
          NDP_TEST(the_lowest_share_counts), NDP_TEST(bits_survive_their_text));
