/* show_bytes.h: bytes to decode for `ndproof show`: their parts, what the reference reads, and what each route that
 * decodes them promises. */
#ifndef NDP_SHOW_BYTES_H
#define NDP_SHOW_BYTES_H

#include <stdio.h>

#include "engine/routes.h"

/* Prints `bytes`, the input of the decode case `descriptor` (both borrowed). Only the reference reads them. Memory
 * comes from `arena`. Errors: NOMEM, those of the reference target. */
enum ndp_status ndp_show_bytes(FILE *out, struct ndp_arena *arena, const struct ndp_bench *bench,
                               const struct ndp_descriptor *descriptor, struct ndp_bytes bytes,
                               struct ndp_error *error) NDP_MUST_USE;

#endif
