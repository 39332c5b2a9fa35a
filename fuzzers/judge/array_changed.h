/* array_changed.h: whether an array that is changed in one place is told as another one, there. */
#ifndef NDP_FUZZ_ARRAY_CHANGED_H
#define NDP_FUZZ_ARRAY_CHANGED_H

#include "model/observation.h"

/* Holds that what was seen of an array is the same as itself, and that one change which follows from `pick` is told by
 * the comparison that it concerns, at its place, and only there: a bit of an element (none of what nobody promises), an
 * extent, a stride, a flag, the class, what is said of the file behind it. Gives whether it was judged: large arrays,
 * and those without an element type, are not. */
bool fuzz_check_array_changed(const struct ndp_observation *seen, uint64_t pick);

#endif
