/* same_descriptor.h: whether two descriptors mean the same, member by member. */
#ifndef NDP_FUZZ_SAME_DESCRIPTOR_H
#define NDP_FUZZ_SAME_DESCRIPTOR_H

#include "describe/descriptor.h"

/* Compares the case, its route, its expectation and its value: each view of an array, each size in a dtype, each edge
 * of a graph, each block of a dict. Members that mean nothing in a kind of node or without a map are left out. */
bool fuzz_is_same_descriptor(const struct ndp_descriptor *a, const struct ndp_descriptor *b);

#endif
