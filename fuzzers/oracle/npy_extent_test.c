#include "oracle/npy_extent.h"

#include <string.h>

#include "base/suite.h"
#include "codec/npy/npy_encode.h"
#include "runtime/hits_fixture.h"

static uint64_t hits_of(struct ndp_bytes file, const struct ndp_dtype *dtype, uint64_t pick) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    fuzz_npy_extent(&arena, file, dtype, pick);
    be_loud(loud);
    ndp_arena_clear(&arena);
    return fuzz_hits() - before;
}

/* Expected: numpy.dtype([("a", dtype, 2147483647)]) and (0, 2147483647) are taken by NumPy 2.4 where the bytes of them
 * all fit, and one more by none. What is said to be larger than it is has another limit. */
static void the_largest_is_taken_and_no_larger(void **state) {
    (void)state;
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1, .order = NDP_ORDER_NONE};
    static const struct ndp_dtype short_ = {.kind = NDP_KIND_UINT, .itemsize_bytes = 2, .order = NDP_ORDER_LITTLE};
    static const struct ndp_dtype empty = {.kind = NDP_KIND_STRUCT};
    static const struct ndp_field fields[] = {
        {.name = {(const uint8_t *)"', 'fortran_order': ", 20}, .dtype = &short_}};
    static const struct ndp_dtype named = {
        .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = fields, .field_count = 1};
    static const struct ndp_dtype *const types[] = {&byte, &short_, &empty, &named};
    static const struct ndp_layout layout = {.ndim = 1};
    for (size_t i = 0; i < NDP_ARRAY_LEN(types); i++) {
        const struct ndp_elements elements = {types[i], &layout, NULL};
        struct ndp_buffer file = {.max_bytes = 1 << 10};
        assert_int_equal(ndp_npy_encode_buffer(&elements, 0, &file, NULL), NDP_OK);
        for (uint64_t pick = 0; pick < 3; pick++)
            if (hits_of(ndp_buffer_view(&file), types[i], pick) != 0) fail_msg("type %zu, pick %d", i, (int)pick);
        ndp_buffer_clear(&file);
    }
    assert_int_equal(hits_of(npy_bytes, &short_, 0), 1);
    assert_int_equal(hits_of(npy_bytes, &byte, 0), 0);
}

NDP_SUITE(npy_extent_test, cmocka_unit_test(the_largest_is_taken_and_no_larger));
