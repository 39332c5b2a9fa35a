/* dissect_npy.h: prints the parts of an NPY file, each with its offset, as far as the file can be read. Source: NEP 1;
 * numpy/lib/_format_impl.py. */
#ifndef NDP_DISSECT_NPY_H
#define NDP_DISSECT_NPY_H

#include "cmd/dissect_text.h"

/* Prints magic, version, header length, header text, descr with its fields, fortran_order, shape, and the size of the
 * data that the header promises and the file has; then the error of the reader, if it refuses the file. `bytes` is the
 * beginning of a file of `total_bytes`. Elements that are objects are listed as a pickle. Memory comes from `arena`.
 * Errors: NOMEM. */
enum ndp_status ndp_dissect_npy(FILE *out, uint32_t indent, struct ndp_arena *arena, struct ndp_bytes bytes,
                                uint64_t total_bytes) NDP_MUST_USE;

#endif
