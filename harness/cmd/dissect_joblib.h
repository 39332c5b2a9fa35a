/* dissect_joblib.h: prints a joblib dump: its compression, its opcodes, and the wrappers of arrays with the place of
 * their bytes. Nothing is executed. Source: joblib 0.10 to 1.5, numpy_pickle.py. */
#ifndef NDP_DISSECT_JOBLIB_H
#define NDP_DISSECT_JOBLIB_H

#include <stdio.h>

#include "base/bytes.h"

/* Prints the dump. Offsets count in the decompressed bytes. Memory comes from `arena`. Errors: NOMEM. */
enum ndp_status ndp_dissect_joblib(FILE *out, uint32_t indent, struct ndp_arena *arena,
                                   struct ndp_bytes bytes) NDP_MUST_USE;

#endif
