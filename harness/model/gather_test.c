#include "base/rng.h"
#include "base/suite.h"
#include "model/array.h"
#include "model/dtype_samples.h"

enum { BUFFER_BYTES = 4096, ROUNDS = 3000 };

/* Copies element by element, by the definition of an address. */
static void gather_slowly(const struct ndp_array *array, enum ndp_memory_order order, uint8_t *to) {
    const struct ndp_layout *layout = &array->layout;
    const uint64_t count = ndp_layout_count(layout);
    for (uint64_t number = 0; number < count; number++) {
        uint64_t left = number;
        int64_t index[NDP_MAX_NDIM];
        for (uint32_t i = 0; i < layout->ndim; i++) {
            const uint32_t axis = order == NDP_MEMORY_F ? i : layout->ndim - 1 - i;
            index[axis] = (int64_t)(left % (uint64_t)layout->shape[axis]);
            left /= (uint64_t)layout->shape[axis];
        }
        memcpy(to + number * array->dtype->itemsize_bytes, array->buffer + ndp_layout_at(layout, index),
               array->dtype->itemsize_bytes);
    }
}

/* A random layout with all elements inside the buffer. */
static void draw_layout(struct ndp_rng *rng, const struct ndp_dtype *dtype, struct ndp_layout *layout) {
    const int64_t itemsize_bytes = (int64_t)dtype->itemsize_bytes;
    const int64_t steps[] = {1, 2, -1, 0, 3};
    memset(layout, 0, sizeof *layout);
    layout->ndim = (uint32_t)(ndp_rng_next(rng) % 5);
    layout->offset_bytes = BUFFER_BYTES / 2;
    int64_t stride_bytes = itemsize_bytes;
    for (uint32_t i = layout->ndim; i-- > 0;) {
        layout->shape[i] = (int64_t)(ndp_rng_next(rng) % 4 + (ndp_rng_next(rng) % 8 != 0));
        layout->strides_bytes[i] = stride_bytes * steps[ndp_rng_next(rng) % 8 < 5 ? 0 : ndp_rng_next(rng) % 5];
        if (layout->shape[i] > 0 && layout->strides_bytes[i] == stride_bytes) stride_bytes *= layout->shape[i];
    }
    for (uint32_t i = layout->ndim; i-- > 1 && ndp_rng_next(rng) % 2;) {
        const uint32_t k = (uint32_t)(ndp_rng_next(rng) % (i + 1));
        const int64_t extent = layout->shape[i], stride = layout->strides_bytes[i];
        layout->shape[i] = layout->shape[k];
        layout->strides_bytes[i] = layout->strides_bytes[k];
        layout->shape[k] = extent;
        layout->strides_bytes[k] = stride;
    }
}

static void every_layout_is_gathered_by_its_addresses(void **state) {
    static const struct ndp_dtype *const dtypes[] = {&sample_u1,  &sample_i2, &sample_f4, &sample_f8,
                                                     &sample_c16, &sample_S3, &sample_V0, &sample_pack};
    static uint8_t buffer[BUFFER_BYTES], fast[65536], slow[65536];
    uint64_t compared = 0;
    struct ndp_rng rng;
    ndp_rng_init(&rng, 1);
    for (size_t i = 0; i < sizeof buffer; i++) buffer[i] = (uint8_t)(ndp_rng_next(&rng));
    for (int round = 0; round < ROUNDS; round++) {
        struct ndp_array array = {.dtype = dtypes[round % 8], .buffer = buffer, .buffer_bytes = sizeof buffer};
        int64_t low_bytes, high_bytes;
        draw_layout(&rng, array.dtype, &array.layout);
        const uint64_t size_bytes = ndp_layout_count(&array.layout) * array.dtype->itemsize_bytes;
        assert_int_equal(ndp_layout_extent(&array.layout, array.dtype->itemsize_bytes, &low_bytes, &high_bytes),
                         NDP_OK);
        if (low_bytes < 0 || high_bytes > BUFFER_BYTES) continue;
        const enum ndp_memory_order order = round / 8 % 2 ? NDP_MEMORY_F : NDP_MEMORY_C;
        fast[size_bytes] = 0x5a;
        ndp_array_gather(&array, order, fast);
        gather_slowly(&array, order, slow);
        if (memcmp(fast, slow, size_bytes) != 0) fail_msg("round %d", round);
        assert_int_equal(fast[size_bytes], 0x5a);
        compared++;
    }
    assert_true(compared > ROUNDS / 2);
}

NDP_SUITE(gather_test, NDP_TEST(every_layout_is_gathered_by_its_addresses));
