/* Leaves of all kinds say the numbers that they are filled with. */
#include "judge/leaf_again.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 9 * 64 };

#define LEAF(word, size, in)                                                                                           \
    { .kind = NDP_KIND_##word, .itemsize_bytes = (size), .order = NDP_ORDER_##in }

static void leaves_say_their_numbers(void **state) {
    (void)state;
    static const struct ndp_dtype leaves[] = {
        LEAF(BOOL, 1, NONE),     LEAF(INT, 1, NONE),     LEAF(INT, 2, BIG),         LEAF(UINT, 4, LITTLE),
        LEAF(UINT, 8, BIG),      LEAF(FLOAT, 2, LITTLE), LEAF(FLOAT, 4, BIG),       LEAF(FLOAT, 8, LITTLE),
        LEAF(FLOAT, 16, BIG),    LEAF(COMPLEX, 8, BIG),  LEAF(COMPLEX, 32, LITTLE), LEAF(DATETIME, 8, BIG),
        LEAF(OBJECT, 8, NONE),   LEAF(BYTES, 3, NONE),   LEAF(BYTES, 30, NONE),     LEAF(TEXT, 8, BIG),
        LEAF(TEXT, 120, LITTLE), LEAF(VOID, 5, NONE),
    };
    static const int64_t shape[] = {2};
    for (size_t i = 0; i < NDP_ARRAY_LEN(leaves); i++) {
        const struct ndp_dtype items = {.kind = NDP_KIND_SUBARRAY,
                                        .itemsize_bytes = 2 * leaves[i].itemsize_bytes,
                                        .base = &leaves[i],
                                        .ndim = 1,
                                        .shape = shape};
        const struct ndp_field field = {.dtype = &items};
        const struct ndp_dtype dtype = {
            .kind = NDP_KIND_STRUCT, .itemsize_bytes = items.itemsize_bytes, .fields = &field, .field_count = 1};
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS; pick++) {
            assert_true(fuzz_check_leaf(&leaves[i], pick));
            assert_true(fuzz_check_leaf(&dtype, pick));
            if (fuzz_hits() != before) fail_msg("leaf %zu, pick %u", i, (unsigned)pick);
        }
    }
}

static void what_has_no_leaf_is_left_out(void **state) {
    (void)state;
    static const struct ndp_dtype none = {.kind = NDP_KIND_STRUCT}, empty = LEAF(BYTES, 0, NONE);
    static const struct ndp_dtype large = LEAF(VOID, 1 << 20, NONE);
    assert_false(fuzz_check_leaf(NULL, 0));
    assert_false(fuzz_check_leaf(&none, 0));
    assert_false(fuzz_check_leaf(&empty, 0));
    assert_false(fuzz_check_leaf(&large, 0));
}

/* Numbers as numpy.finfo(...) of NumPy 2.4 and struct.pack of Python 3.11 have them, low byte first. */
static void boundary_values_are_known(void **state) {
    (void)state;
    static const struct {
        uint64_t size, number;
        uint8_t bytes[16];
        bool is_so;
    } rows[] = {
        {2, 0, {0, 0}, true},
        {2, 1, {0, 0x80}, true},
        {2, 1, {0, 0}, false},
        {2, 2, {0, 0x3c}, true},
        {2, 17, {0, 0x3c}, true},
        {2, 2, {1, 0x3c}, false},
        {2, 13, {0xff, 0x7b}, true},
        {2, 13, {0xfe, 0x7b}, false},
        {4, 3, {0, 0, 0x80, 0x7f}, true},
        {4, 3, {0, 0, 0x80, 0xff}, false},
        {4, 3, {1, 0, 0x80, 0x7f}, false},
        {4, 8, {1, 0, 0x80, 0x7f}, true},
        {4, 10, {1}, true},
        {4, 10, {2}, false},
        {4, 12, {0, 0, 0x80, 0}, true},
        {8, 5, {0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, true},
        {8, 6, {0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, false},
        {8, 6, {1, 0, 0, 0, 0, 0, 0xf8, 0x7f}, true},
        {8, 14, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xef, 0xff}, true},
        {16, 2, {0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f}, true},
        {16, 3, {0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x7f}, true},
        {16, 3, {0, 0, 0, 0, 0, 0, 0, 0x80, 0xfe, 0x7f}, false},
        {16, 9, {0, 0, 0, 0, 0, 0, 0, 0x80}, true},
        {16, 9, {0, 0, 0, 0, 0, 0, 0, 0x40}, false},
        {16, 11, {0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x7f}, true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        if (fuzz_is_boundary(rows[i].bytes, rows[i].size, rows[i].number) != rows[i].is_so) fail_msg("row %zu", i);
}

NDP_SUITE(leaf_again_test, cmocka_unit_test(leaves_say_their_numbers), cmocka_unit_test(what_has_no_leaf_is_left_out),
          cmocka_unit_test(boundary_values_are_known));
