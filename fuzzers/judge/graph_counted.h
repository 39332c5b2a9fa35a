/* graph_counted.h: the features of a graph, counted a second time: what a route does not take for them is told as
 * unsupported, and a wrong count would be silent. */
#ifndef NDP_FUZZ_GRAPH_COUNTED_H
#define NDP_FUZZ_GRAPH_COUNTED_H

#include "model/graph.h"
#include "model/graph_features.h"

/* Gives the features (enum ndp_graph_feature) of a recipe that can be built; of one of its nodes. */
uint64_t fuzz_count_graph(const struct ndp_graph *graph);
uint64_t fuzz_count_node(const struct ndp_graph *graph, uint32_t number);

#endif
