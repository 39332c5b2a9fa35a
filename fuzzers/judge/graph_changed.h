/* graph_changed.h: whether a graph that is changed in one place is told as another one, there. A comparison that says
 * "the same" too readily is seen by nothing that only makes round trips. */
#ifndef NDP_FUZZ_GRAPH_CHANGED_H
#define NDP_FUZZ_GRAPH_CHANGED_H

#include "model/graph.h"
#include "model/graph_compare.h"

/* Holds that a graph is what it is itself and what it is in other numbers; and that one change which follows from
 * `pick` is told both ways, with what it is, where it is and what stands there, and nothing else: a scalar, a kind, an
 * edge that is gone, is another, has another name or another place, an object that became two, what an array, a
 * function, an object array or a vectorized function says of itself. Gives how many changes were judged. `graph` is an
 * expectation. The arena is for all of it; nothing is held where it is full. */
uint32_t fuzz_check_graph_changed(struct ndp_arena *arena, const struct ndp_graph *graph, uint64_t pick);

/* Whether no object of `got` stands in two pairs: as what it is or as the copy of something, however many edges lead
 * to it. Objects without identity may stand in any number. */
bool fuzz_is_paired_once(const struct ndp_graph_match *match, const struct ndp_graph *got);

#endif
