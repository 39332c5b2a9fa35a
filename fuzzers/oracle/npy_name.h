/* npy_name.h: arrays of a type whose header is as long as its length can say. */
#ifndef NDP_FUZZ_NPY_NAME_H
#define NDP_FUZZ_NPY_NAME_H

#include "codec/npy/npy_decode.h"

enum { FUZZ_NPY_NAMES = 8 };

/* Files what differs when the array, as the only field of a structure, does not encode to a file that says so and gives
 * it again. The field's name is so long that the header ends around the 65536 bytes that its length in version 1.0 ends
 * with, where `way` says; a way past FUZZ_NPY_NAMES is none, for the work takes long. Source: NumPy 2.4,
 * lib/_format_impl.py, _wrap_header. */
void fuzz_npy_name(struct ndp_arena *arena, const struct ndp_npy_array *array, uint64_t way);

#endif
