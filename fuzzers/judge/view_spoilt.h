/* view_spoilt.h: whether views that do not apply are refused, and those that do are not. */
#ifndef NDP_FUZZ_VIEW_SPOILT_H
#define NDP_FUZZ_VIEW_SPOILT_H

#include "model/array.h"

/* Holds of views of the value's base, one of each kind that just applies and one that just does not, in sizes that
 * follow from `pick`, that the first is made and the other is refused. Large bases and objects are left out. The arena
 * is for what is built. Gives whether it was judged. */
bool fuzz_check_view_limits(struct ndp_arena *arena, const struct ndp_array_value *value, uint64_t pick);

#endif
