/* graph.h: checks whether a graph (model/graph/graph_node.h) can be built, and computes the graph that a faithful
 * target reports. */
#ifndef NDP_GRAPH_H
#define NDP_GRAPH_H

#include "model/graph/array_class.h"
#include "model/graph/graph_compare.h"
#include "model/graph/graph_node.h"

/* Checks that a graph can be built: edges in range, in the required number and to the required kinds, no duplicate keys
 * of a dict, view chains that end in an array, test classes with their attributes, at most the limits above. Errors:
 * INVALID, LIMIT, with "nodes[3]..." in the text; NOMEM. `arena` receives the arrays built for the check. */
enum ndp_status ndp_graph_check(struct ndp_arena *arena, const struct ndp_graph *graph,
                                struct ndp_error *error) NDP_MUST_USE;

/* Computes the graph that a faithful target reports, independent of any library: the same node numbers, arrays and
 * views with their observation and memory. Also fills the data of ARRAY nodes. Errors: as ndp_array_build. */
enum ndp_status ndp_graph_expect(struct ndp_arena *arena, const struct ndp_graph *graph, bool host_is_little_endian,
                                 struct ndp_graph *out, struct ndp_error *error) NDP_MUST_USE;

/* Completes `expected` by what its instances keep, which no model can compute: by the nodes below the instances of
 * `source`, an observation of the same value before it was sent. `pairs` are those of a comparison of both. New nodes
 * follow those of `expected`; their arrays have a model, but no memory. Fills *out, which borrows from both. Errors:
 * NOMEM, LIMIT. */
enum ndp_status ndp_graph_complete(struct ndp_arena *arena, const struct ndp_graph *expected,
                                   const struct ndp_graph *source, const struct ndp_graph_pair *pairs,
                                   uint32_t pair_count, bool host_is_little_endian, struct ndp_graph *out) NDP_MUST_USE;

/* Whether the graph has instances. */
bool ndp_graph_has_instances(const struct ndp_graph *graph);

/* Reduces `node`, a copy of a FUNCTION, GLOBALS or FROMPYFUNC of `graph`, to the edges that a target reports: globals
 * only of code that reads some, no names that begin with "_", and of a ufunc only the name of its function. Errors:
 * NOMEM. */
enum ndp_status ndp_graph_report_edges(struct ndp_arena *arena, const struct ndp_graph *graph,
                                       struct ndp_node *node) NDP_MUST_USE;

/* Fills the subgraph reachable from the root, numbered in depth-first pre-order with edges in their order, like an
 * observation. Edges lead to nodes of `graph`. Texts and models are shared. Errors: NOMEM. */
enum ndp_status ndp_graph_in_order(struct ndp_arena *arena, const struct ndp_graph *graph,
                                   struct ndp_graph *out) NDP_MUST_USE;

#endif
