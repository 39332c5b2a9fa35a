/* npy_paths.h: NPY bytes through the reference by paths that the operation table does not have: a stream in chunks, a
 * stream and a sink that fail, limits that are just met, an allocation that fails, and other spellings of the header.
 */
#ifndef NDP_FUZZ_NPY_PATHS_H
#define NDP_FUZZ_NPY_PATHS_H

#include "codec/npy/npy_decode.h"

/* Runs the paths that are due for this input (borrowed) and files each result that differs from decoding from memory.
 */
void fuzz_check_npy_paths(struct ndp_bytes bytes);

/* Files a difference between two results of one input: the status, and for OK the header and the bytes. Clears `b`. */
void fuzz_check_same_npy(const char *path, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                         struct ndp_npy_array *b);

/* The limits that the header (borrowed, of a file that the reference accepted) just meets. */
struct ndp_npy_options fuzz_npy_needs(struct ndp_bytes file, const struct ndp_npy_header *header);

#endif
