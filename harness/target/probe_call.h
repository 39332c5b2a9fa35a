/* probe_call.h: what the functions of a live graph give when they are called, by their code templates
 * (NDP_CODE_LIST in model/graph.h; harness/testees/README.md, "Graphs"). */
#ifndef NDP_PROBE_CALL_H
#define NDP_PROBE_CALL_H

#include "target/plugin_graph.h"

/* Calls every node of `graph` that can be called, twice, one node after the other, and files the texts of results in
 * the node of the same number of `told`. A cell that a call changes is changed for the calls behind it, and put back in
 * the end. Numbers are counted modulo 2^64, an array is the sum of its bytes, each times its place. Errors: NOMEM. */
enum ndp_status ndp_probe_calls(struct ndp_arena *arena, const struct ndp_graph *graph,
                                struct ndp_node *told) NDP_MUST_USE;

#endif
