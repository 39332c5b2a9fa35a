/* npy_again.h: what came out of an NPY file, encoded again. */
#ifndef NDP_FUZZ_NPY_AGAIN_H
#define NDP_FUZZ_NPY_AGAIN_H

#include "codec/npy/npy_decode.h"

/* Appends the array as a file to `out`, which is empty, and files what differs when that is read, strictly or not: the
 * array, what the file says to another reader, and how NumPy spells it, which has no array in Fortran order that is in
 * C order, too. */
void fuzz_npy_again(struct ndp_arena *arena, const struct ndp_npy_array *array, struct ndp_buffer *out);

#endif
