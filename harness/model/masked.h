/* masked.h: the mask dtype of a masked array, which has a packed bool per leaf, and its fill value. Source: NumPy,
 * ma/core.py: make_mask_descr (1.19 to 2.4). */
#ifndef NDP_MASKED_H
#define NDP_MASKED_H

#include "base/arena.h"
#include "model/dtype.h"

/* Fills *out with the mask dtype for `dtype`, in `arena`; names are borrowed. Errors: LIMIT, NOMEM. */
enum ndp_status ndp_masked_dtype(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                 const struct ndp_dtype **out) NDP_MUST_USE;

/* Converts one item of `dtype` between its byte order and the order in which graphs store fill values (each leaf
 * little-endian). The conversion is its own inverse. Errors: UNSUPPORTED when a byte belongs to two leaves of which one
 * is big-endian, since it has no unique position then (NumPy's own conversion is not reversible either); NOMEM. */
enum ndp_status ndp_masked_swap_fill_value(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                           uint8_t *item) NDP_MUST_USE;

#endif
