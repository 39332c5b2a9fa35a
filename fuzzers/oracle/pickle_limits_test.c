/* Counts are those of the opcodes that pickletools.dis of CPython 3.11 shows. */
#include "base/suite.h"
#include "oracle/pickle_limits.h"
#include "runtime/hits_fixture.h"

#define PICKLE(text)                                                                                                   \
    { (const uint8_t *)(text), sizeof(text) - 1 }
static const struct {
    struct ndp_bytes pickle;
    struct fuzz_pickle_counts counts;
} rows[] = {
    {PICKLE("N."), {2, 0, 0}},
    {PICKLE("(lp0\nI7\naL8L\nag0\na.]"), {10, 1, 3}},
    {PICKLE("\x80\2]q\1(K\1h\1X\2\0\0\0abe."), {9, 1, 3}},
    {PICKLE("\x80\4\x95\x0a\0\0\0\0\0\0\0\x8c\2ab\x94h\0\x86\x94."), {8, 2, 2}},
    {PICKLE("}(NNNNuNNs0(0(N1NNN\x87q\1q\1r\2\1\0\0."), {24, 2, 9}},
    {PICKLE("\x8f(NK\1\x90(\x8f"
            "0cm\nn\nNo\x86."),
     {13, 0, 5}},
    {PICKLE("(NNim\nn\n(NNdb(N\x91\x85R."), {15, 0, 0}},
};

static void a_pickle_needs_what_is_counted(void **state) {
    const uint64_t before = fuzz_hits();
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct fuzz_pickle_counts counts = {0};
        assert_true(fuzz_count_pickle(rows[i].pickle, &counts));
        if (memcmp(&counts, &rows[i].counts, sizeof counts) != 0)
            fail_msg("row %zu: %d %d %d", i, (int)counts.opcodes, (int)counts.memo_entries, (int)counts.elements);
        for (uint64_t pick = 0; pick < 3 && i + 1 < NDP_ARRAY_LEN(rows); pick++)
            fuzz_check_pickle_limits(rows[i].pickle, pick);
    }
    assert_int_equal(fuzz_hits(), before);
}

static void a_pickle_without_a_count_is_left_out(void **state) {
    static const struct ndp_bytes others[] = {PICKLE(""), PICKLE("N"), PICKLE("t."), PICKLE("Nr\0\0\1\0.")};
    struct fuzz_pickle_counts counts;
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++) assert_false(fuzz_count_pickle(others[i], &counts));
}

NDP_SUITE(pickle_limits_test, cmocka_unit_test(a_pickle_needs_what_is_counted),
          cmocka_unit_test(a_pickle_without_a_count_is_left_out));
