/* npy_extent.h: sub-arrays that are as large as a type may be. */
#ifndef NDP_FUZZ_NPY_EXTENT_H
#define NDP_FUZZ_NPY_EXTENT_H

#include "codec/npy/npy_decode.h"

/* Files what differs when a type with the file's as its field, a sub-array of so many that a C int just holds their
 * bytes, or an axis beside an empty one, is refused in a file without elements, is another one, or is taken with one
 * more. The file is as our own encoder writes one of this type. Source: NumPy 2.4, multiarray/descriptor.c,
 * _convert_from_tuple. */
void fuzz_npy_extent(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_dtype *dtype, uint64_t pick);

#endif
