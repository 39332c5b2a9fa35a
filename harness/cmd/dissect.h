/* dissect.h: prints the parts of a native file by its format: NPY, NPZ, pickle or joblib; other bytes as rows. Nothing
 * is executed. */
#ifndef NDP_DISSECT_H
#define NDP_DISSECT_H

#include <stdio.h>

#include "base/bytes.h"

/* Prints `bytes` (borrowed) as `format`, with offsets, and errors with their place; a broken file as far as it can be
 * read. The output is bounded. Memory comes from `arena`. Errors: NOMEM. */
enum ndp_status ndp_dissect(FILE *out, struct ndp_arena *arena, const char *format,
                            struct ndp_bytes bytes) NDP_MUST_USE;

#endif
