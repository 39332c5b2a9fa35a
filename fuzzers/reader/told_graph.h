/* told_graph.h: whether a graph is what another reader sees in a pickle. */
#ifndef NDP_FUZZ_TOLD_GRAPH_H
#define NDP_FUZZ_TOLD_GRAPH_H

#include "base/arena.h"
#include "model/graph.h"

/* Whether the graph has, from its root on, the containers, numbers, texts, bytes and arrays that the pickle (up to its
 * STOP) builds, and what is met twice there as one node. Of a key that a dict is given twice the last value counts, in
 * the first place. True of what is in other objects, and where nobody can say. Source: Python 3.11's dict. */
bool fuzz_graph_is_told(struct ndp_arena *arena, struct ndp_bytes pickle, const struct ndp_graph *graph);

#endif
