/* Expected: numpy.arange(6, dtype="<u2").reshape(2, 3), and where an array of twice the itemsize, x[:, ::-1], has its
 * elements. */
#include "oracle/apart.h"

#include <string.h>

#include "base/suite.h"

static const struct ndp_dtype type = {.kind = NDP_KIND_UINT, .order = NDP_ORDER_LITTLE, .itemsize_bytes = 2};
static const uint8_t in_order[] = {0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0};

static void elements_keep_their_order_and_lie_apart(void **state) {
    (void)state;
    static const struct {
        uint32_t ndim;
        int64_t shape[2], strides_bytes[2]; /* of the array that lies apart */
        int64_t offset_bytes;
    } rows[] = {{2, {2, 3}, {12, -4}, 8}, {1, {6}, {-4}, 20}, {0, {0}, {0}, 0}, {2, {6, 1}, {4, 4}, 0}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_layout layout;
        struct ndp_walk walk;
        uint8_t bytes[sizeof in_order] = {0};
        assert_int_equal(ndp_layout_contiguous(&layout, rows[i].shape, rows[i].ndim, 2, NDP_MEMORY_C, 0), NDP_OK);
        const struct ndp_elements elements = {&type, &layout, in_order};
        const struct ndp_elements *apart = fuzz_lay_apart(&arena, &elements);
        assert_int_equal(apart->layout->offset_bytes, rows[i].offset_bytes);
        for (uint32_t k = 0; k < rows[i].ndim; k++)
            assert_int_equal(apart->layout->strides_bytes[k], rows[i].strides_bytes[k]);
        ndp_walk_init(&walk, apart, NDP_MEMORY_C);
        const uint64_t count = ndp_walk_copy(&walk, bytes, 6);
        assert_int_equal(count, ndp_layout_count(&layout));
        assert_memory_equal(bytes, in_order, 2 * count);
        ndp_arena_clear(&arena);
    }
}

/* No elements, elements without a byte, no memory: the same elements. */
static void what_cannot_lie_apart_stays(void **state) {
    (void)state;
    static const struct ndp_dtype none = {.kind = NDP_KIND_VOID, .order = NDP_ORDER_NONE};
    static const int64_t shapes[] = {0, 3, 3};
    static const uint64_t limits[] = {1 << 20, 1 << 20, 1};
    for (size_t i = 0; i < NDP_ARRAY_LEN(shapes); i++) {
        struct ndp_arena arena = {.limit_bytes = limits[i]};
        struct ndp_layout layout;
        const struct ndp_dtype *dtype = i == 1 ? &none : &type;
        assert_int_equal(ndp_layout_contiguous(&layout, &shapes[i], 1, dtype->itemsize_bytes, NDP_MEMORY_C, 0), NDP_OK);
        const struct ndp_elements elements = {dtype, &layout, in_order};
        assert_ptr_equal(fuzz_lay_apart(&arena, &elements), &elements);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(apart_test, cmocka_unit_test(elements_keep_their_order_and_lie_apart),
          cmocka_unit_test(what_cannot_lie_apart_stays));
