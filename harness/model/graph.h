/* graph.h: whole graphs (model/graph_node.h): whether one can be built, and the graph that a faithful target reports.
 */
#ifndef NDP_GRAPH_H
#define NDP_GRAPH_H

#include "model/array_class.h"
#include "model/graph_node.h"

/* Whether a graph is one that can be built: edges inside, of the right number and to the right kinds, no two equal keys
 * of a dict, a view chain that ends in an array, class patterns with what they need, at most the limits above. Errors:
 * INVALID, LIMIT, with "nodes[3]..." in the text; NOMEM. `arena` holds the arrays tried. */
enum ndp_status ndp_graph_check(struct ndp_arena *arena, const struct ndp_graph *graph,
                                struct ndp_error *error) NDP_MUST_USE;

/* Gives what a faithful target must say that it holds, without any library: the same numbers of nodes, arrays and
 * views with their observation and memory. Fills data of ARRAY nodes, too. Errors: as ndp_array_build. */
enum ndp_status ndp_graph_expect(struct ndp_arena *arena, const struct ndp_graph *graph, bool host_is_little_endian,
                                 struct ndp_graph *out, struct ndp_error *error) NDP_MUST_USE;

/* Leaves `node`, a copy of a FUNCTION, GLOBALS or FROMPYFUNC of `graph`, the edges that a target tells of: globals only
 * of code that reads some, no names that begin with "_", and of a ufunc nothing but the name of its function. Errors:
 * NOMEM. */
enum ndp_status ndp_node_tell_edges(struct ndp_arena *arena, const struct ndp_graph *graph,
                                    struct ndp_node *node) NDP_MUST_USE;

/* Gives what the root leads to, numbered in depth-first pre-order from it, edges in their order: the numbers that an
 * observation has. Edges lead to nodes of `graph`. Texts and models are shared. Errors: NOMEM. */
enum ndp_status ndp_graph_in_order(struct ndp_arena *arena, const struct ndp_graph *graph,
                                   struct ndp_graph *out) NDP_MUST_USE;

#endif
