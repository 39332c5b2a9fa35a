/* masked.h: the dtype of the mask of a masked array, a truth value for each leaf, packed; and its fill value.
 * Source: NumPy, ma/core.py: make_mask_descr (1.19 to 2.4). */
#ifndef NDP_MASKED_H
#define NDP_MASKED_H

#include "base/arena.h"
#include "model/dtype.h"

/* Gives the dtype of the mask of an array of `dtype`: in `arena`, names borrowed. Errors: LIMIT, NOMEM. */
enum ndp_status ndp_mask_dtype(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                               const struct ndp_dtype **out) NDP_MUST_USE;

/* Turns one item of `dtype` from its byte order to the one in which graphs keep fill values, each leaf with its low
 * byte first; or back. A byte of two leaves, of which one has its high byte first, has no one place there: with fields
 * that lie over each other so, NumPy's own way there and back gives another item. Errors: UNSUPPORTED, NOMEM. */
enum ndp_status ndp_fill_value_turn(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint8_t *item) NDP_MUST_USE;

#endif
