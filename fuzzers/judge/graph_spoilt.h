/* graph_spoilt.h: whether a graph that nobody can build is refused. */
#ifndef NDP_FUZZ_GRAPH_SPOILT_H
#define NDP_FUZZ_GRAPH_SPOILT_H

#include "model/graph.h"

/* Holds that a graph that can be built, spoilt at a node in a way that follows from `pick`, is refused, and that the
 * error names the node; what only looks spoilt is taken. Gives how often it was tried. `graph` is a recipe; the arena
 * is for all of it. */
uint32_t fuzz_check_graph_spoilt(struct ndp_arena *arena, const struct ndp_graph *graph, uint64_t pick);

#endif
