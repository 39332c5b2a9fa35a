/* place.h: the place and the form that a file of the target memmap is mapped by. Any file is a good one: both follow
 * from its size and its first two bytes. */
#ifndef NDP_FUZZ_PLACE_H
#define NDP_FUZZ_PLACE_H

#include "codec/raw/raw.h"

struct fuzz_place {
    struct ndp_raw_form form; /* points into the two below: not to be copied */
    struct ndp_dtype dtype;
    int64_t shape[2];
};

/* Fills *out from a file (borrowed). */
void fuzz_place_of(struct ndp_bytes file, struct fuzz_place *out);

#endif
