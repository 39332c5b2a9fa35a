/* Leaves of all kinds say the numbers that they are filled with. */
#include "judge/leaf_again.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_say_their_numbers),
                                       cmocka_unit_test(what_has_no_leaf_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
