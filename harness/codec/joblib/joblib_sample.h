/* joblib_sample.h: test helpers that encode the arrays of the vectors as joblib does. Includes cmocka. */
#ifndef NDP_JOBLIB_SAMPLE_H
#define NDP_JOBLIB_SAMPLE_H

#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_encode.h"
#include "codec/npy/npy_sample.h"

static inline struct ndp_joblib_output output_of(uint32_t protocol) {
    return (struct ndp_joblib_output){.form = {.protocol = protocol, .alignment_bytes = NDP_JOBLIB_ALIGNMENT_BYTES},
                                      .release = NDP_NUMPY_2_3};
}

static inline void encode(struct sample *sample, const struct ndp_joblib_output *output, struct ndp_buffer *out) {
    ndp_buffer_init(out, 1 << 24);
    assert_int_equal(ndp_joblib_write_array(&sample->arena, &sample->elements, output, ndp_write_to_buffer, out, NULL),
                     NDP_OK);
}

#endif
