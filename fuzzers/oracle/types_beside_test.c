/* Types that the writer keeps apart are found apart, and the oracle has something to say of most of them. */
#include "oracle/types_beside.h"

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 2 * 216 };

static void types_stay_what_they_are(void **state) {
    (void)state;
    static const struct ndp_dtype types[] = {
        {.kind = NDP_KIND_INT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 4},
        {.kind = NDP_KIND_INT,
         .order = NDP_ORDER_LITTLE,
         .itemsize_bytes = 4,
         .metadata = {(const uint8_t *)"{\"a\":1}", 7}},
        {.kind = NDP_KIND_COMPLEX, .order = NDP_ORDER_BIG, .itemsize_bytes = 32},
        {.kind = NDP_KIND_BOOL, .itemsize_bytes = 1},
        {.kind = NDP_KIND_BYTES, .itemsize_bytes = 0},
        {.kind = NDP_KIND_TIMEDELTA, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 8, .unit_multiple = 1},
        {.kind = NDP_KIND_DATETIME,
         .order = NDP_ORDER_LITTLE,
         .itemsize_bytes = 8,
         .unit = NDP_UNIT_SECOND,
         .unit_multiple = INT32_MAX},
    };
    uint32_t judged = 0;
    for (size_t i = 0; i < NDP_ARRAY_LEN(types); i++) {
        for (uint64_t pick = 0; pick < PICKS; pick++) {
            struct ndp_arena arena = {.limit_bytes = 1 << 22};
            const uint64_t before = fuzz_hits();
            judged += fuzz_check_types_beside(&arena, &types[i], pick);
            if (fuzz_hits() != before) fail_msg("type %zu, pick %u", i, (unsigned)pick);
            ndp_arena_clear(&arena);
        }
    }
    assert_true(judged > NDP_ARRAY_LEN(types) * PICKS / 4);
}

static void objects_are_left_out(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 16};
    const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    for (uint64_t pick = 0; pick < 16; pick++) assert_false(fuzz_check_types_beside(&arena, &object, pick));
    ndp_arena_clear(&arena);
}

NDP_SUITE(types_beside_test, cmocka_unit_test(types_stay_what_they_are), cmocka_unit_test(objects_are_left_out));
