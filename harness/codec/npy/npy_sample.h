/* npy_sample.h: test helpers: the arrays of npy_vectors.h in memory. */
#ifndef NDP_NPY_SAMPLE_H
#define NDP_NPY_SAMPLE_H

#include "base/bytes.h"
#include "base/suite.h"
#include "codec/npy/npy_vectors.h"
#include "codec/strided.h"
#include "describe/dtype_json.h"

/* The array of a vector, in its own arena. */
struct sample {
    struct ndp_arena arena;
    struct ndp_layout layout;
    struct ndp_elements elements;
    uint64_t size_bytes;
};

/* Returns the dtype of a JSON text, in the arena. */
static inline const struct ndp_dtype *sample_dtype(struct ndp_arena *arena, const char *text) {
    const struct ndp_dtype *dtype = NULL;
    assert_int_equal(ndp_dtype_parse(arena, ndp_bytes_view(text), &ndp_describe_default_limits, &dtype, NULL), NDP_OK);
    return dtype;
}

static inline void sample_make(struct sample *sample, const struct npy_vector *vector) {
    struct ndp_bytes hex = {NULL, 0};
    ndp_arena_init(&sample->arena, 1 << 26);
    const struct ndp_dtype *dtype = sample_dtype(&sample->arena, vector->dtype);
    assert_int_equal(ndp_layout_contiguous(&sample->layout, vector->shape, vector->ndim, dtype->itemsize_bytes,
                                           vector->is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C, 0),
                     NDP_OK);
    sample->size_bytes = ndp_layout_count(&sample->layout) * dtype->itemsize_bytes;
    uint8_t *data = ndp_arena_alloc(&sample->arena, sample->size_bytes);
    assert_non_null(data);
    for (uint64_t i = 0; i < sample->size_bytes; i++) data[i] = (uint8_t)(7 * i + 3);
    if (vector->hex != NULL) {
        assert_int_equal(ndp_hex_read(&sample->arena, vector->hex, &hex, NULL), NDP_OK);
        assert_int_equal(hex.size_bytes, sample->size_bytes);
        if (hex.size_bytes > 0) memcpy(data, hex.data, hex.size_bytes);
    }
    sample->elements = (struct ndp_elements){dtype, &sample->layout, data};
}

static inline void sample_clear(struct sample *sample) {
    ndp_arena_clear(&sample->arena);
}

/* Declares and makes the array of a vector, which the end of its block clears. */
#define SAMPLE(name, vector)                                                                                           \
    __attribute__((cleanup(sample_clear))) struct sample name;                                                         \
    sample_make(&name, vector)

#endif
