/* probe_call.h: computes the results of calling the functions of a live graph, from their code templates (NDP_CODE_LIST
 * in model/graph/graph.h; harness/testees/README.md, "Graphs"). */
#ifndef NDP_PROBE_CALL_H
#define NDP_PROBE_CALL_H

#include "target/plugin_graph.h"

/* Calls every callable node of `graph` twice, in the order of the nodes, and writes the result texts to the same nodes
 * of `observed`. Changes of cells persist for later calls and are undone at the end. Numbers wrap modulo 2^64. An array
 * counts as the sum of its bytes, each multiplied by its position. Errors: NOMEM. */
enum ndp_status ndp_probe_calls(struct ndp_arena *arena, const struct ndp_graph *graph,
                                struct ndp_node *observed) NDP_MUST_USE;

#endif
