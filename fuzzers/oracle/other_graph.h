/* other_graph.h: what is promised of the word on a graph: that it is another one, that nobody can build it, and what
 * there is in it. */
#ifndef NDP_FUZZ_OTHER_GRAPH_H
#define NDP_FUZZ_OTHER_GRAPH_H

#include "model/graph.h"

/* Holds for a recipe that can be built (NULL is none), in one pick of several: its features are those of a second
 * count; what is changed in it is told, there; what is spoilt in it is refused. Time is in proportion to what building
 * it takes. */
void fuzz_check_graph(const struct ndp_graph *graph, uint64_t pick);

#endif
