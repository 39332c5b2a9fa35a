/* show_bytes.h: bytes to decode for `ndproof show`: their parts, what the reference reads, and what each route that
 * decodes them promises. */
#ifndef NDP_SHOW_BYTES_H
#define NDP_SHOW_BYTES_H

#include <stdio.h>

#include "engine/routes.h"

/* Fills *out with the input of a decode case: its bytes, its corpus file, or the encoding of its value, changed by its
 * fault. *out is empty if there is none, as for a value that the reference cannot encode. Memory comes from `arena`.
 * Errors: as ndp_batch_run_one. */
enum ndp_status ndp_show_bytes_find(struct ndp_arena *arena, const struct ndp_bench *bench,
                                    const struct ndp_descriptor *descriptor, struct ndp_bytes *out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* Prints `bytes`, the input of the decode case `descriptor` (both borrowed). Only the reference reads them. Memory
 * comes from `arena`. Errors: NOMEM, those of the reference target. */
enum ndp_status ndp_show_bytes(FILE *out, struct ndp_arena *arena, const struct ndp_bench *bench,
                               const struct ndp_descriptor *descriptor, struct ndp_bytes bytes,
                               struct ndp_error *error) NDP_MUST_USE;

#endif
