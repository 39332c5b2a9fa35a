/* view_again.h: where the elements of views lie, calculated a second time: by the index, backwards through the views,
 * without strides. */
#ifndef NDP_FUZZ_VIEW_AGAIN_H
#define NDP_FUZZ_VIEW_AGAIN_H

#include "model/array.h"

/* Builds the value (borrowed), which can be built, over bytes that follow from their places, and holds that its shape,
 * and some elements that follow from `pick`, are those of the base that the views lead to. Gives whether it was
 * judged: values that are large, have no views, hold objects, or say what is not defined of copies are not. The arena
 * is for what is built. */
bool fuzz_check_views(struct ndp_arena *arena, const struct ndp_array_value *value, uint64_t pick);

#endif
