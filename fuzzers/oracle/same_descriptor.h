/* same_descriptor.h: whether two descriptors say the same, member by member. */
#ifndef NDP_FUZZ_SAME_DESCRIPTOR_H
#define NDP_FUZZ_SAME_DESCRIPTOR_H

#include "describe/descriptor.h"

/* Of two descriptors that were read or drawn: the case, its route, what is expected, and the value, down to each view
 * of an array, each size in a type, each edge of a graph and each block of a dict. Words that are kept for a map, types
 * of results or a signature that is not there say nothing. */
bool fuzz_is_same_descriptor(const struct ndp_descriptor *a, const struct ndp_descriptor *b);

#endif
