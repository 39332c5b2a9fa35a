/* same_descriptor.h: whether two descriptors say the same, member by member. */
#ifndef NDP_FUZZ_SAME_DESCRIPTOR_H
#define NDP_FUZZ_SAME_DESCRIPTOR_H

#include "describe/descriptor.h"

/* Of two descriptors that were read: the case, its route, what is expected, and of arrays everything down to each view.
 * Graphs and dicts are the same when both are some. */
bool fuzz_is_same_descriptor(const struct ndp_descriptor *a, const struct ndp_descriptor *b);

#endif
