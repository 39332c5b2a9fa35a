/* npy_file.h: the ways into a file of NPY. They are system calls and little else, so that an input has one of them. */
#ifndef NDP_FUZZ_NPY_FILE_H
#define NDP_FUZZ_NPY_FILE_H

#include "codec/npy/npy_decode.h"

enum { FUZZ_NPY_FILE_WAYS = 48 };

/* Files what differs when the bytes as a file, in a way below those, do not give what they gave before: `want`, and the
 * array `first` where that is NDP_OK. The file is read or mapped in any mode, by its path or open. */
void fuzz_npy_file(struct ndp_arena *arena, struct ndp_bytes bytes, uint32_t way, enum ndp_status want,
                   const struct ndp_npy_array *first);

#endif
