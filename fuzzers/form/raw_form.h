/* raw_form.h: the array that a file of the target memmap denotes. Every file denotes one: its size and its first two
 * bytes determine dtype, shape, order and offset. */
#ifndef NDP_FUZZ_RAW_FORM_H
#define NDP_FUZZ_RAW_FORM_H

#include "model/value.h"

struct fuzz_raw_form {
    struct ndp_array_value value; /* points into the two members below, so the struct must not be copied */
    struct ndp_dtype dtype;
    int64_t shape[2];
    uint64_t offset_bytes;
};

/* Fills *out from a file (borrowed). */
void fuzz_raw_form_of(struct ndp_bytes file, struct fuzz_raw_form *out);

#endif
