/* joblib_sample.h: arrays of the vectors as joblib writes them, for the tests of its reader and writer. Includes
 * cmocka. */
#ifndef NDP_JOBLIB_SAMPLE_H
#define NDP_JOBLIB_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "codec/joblib_write.h"
#include "codec/npy_encode.h"
#include "codec/npy_vectors.h"
#include "describe/dtype_json.h"

/* An array of a vector, in an arena of its own. */
struct sample {
    struct ndp_arena arena;
    struct ndp_layout layout;
    struct ndp_elements elements;
    uint64_t size_bytes;
};

static inline const struct ndp_dtype *dtype_of(struct ndp_arena *arena, const char *text) {
    const struct ndp_dtype *dtype = NULL;
    cJSON *tree = NULL;
    assert_int_equal(ndp_json_parse(ndp_bytes_view(text), &ndp_describe_default_limits, &tree, NULL), NDP_OK);
    assert_int_equal(ndp_dtype_from_json(arena, tree, &ndp_describe_default_limits, &dtype, NULL), NDP_OK);
    cJSON_Delete(tree);
    return dtype;
}

static inline void make(struct sample *sample, const struct npy_vector *vector) {
    struct ndp_bytes hex = {NULL, 0};
    ndp_arena_init(&sample->arena, 1 << 26);
    const struct ndp_dtype *dtype = dtype_of(&sample->arena, vector->dtype);
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
        memcpy(data, hex.data, sample->size_bytes);
    }
    sample->elements = (struct ndp_elements){dtype, &sample->layout, data};
}

static inline struct ndp_joblib_output output_of(uint32_t protocol) {
    return (struct ndp_joblib_output){.form = {.protocol = protocol, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES},
                                      .release = NDP_NUMPY_2_3};
}

static inline void encode(struct sample *sample, const struct ndp_joblib_output *output, struct ndp_buffer *out) {
    ndp_buffer_init(out, 1 << 24);
    assert_int_equal(ndp_joblib_encode(&sample->arena, &sample->elements, output, ndp_write_to_buffer, out, NULL),
                     NDP_OK);
}

#endif
