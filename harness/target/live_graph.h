/* live_graph.h: a live graph in a slot of the step interpreter: builds it from a recipe, checks one that a plugin
 * decoded, and observes it. */
#ifndef NDP_LIVE_GRAPH_H
#define NDP_LIVE_GRAPH_H

#include "target/plugin_graph.h"

/* Builds the live graph of `recipe` (borrowed, with the data of its arrays) in `arena`. Errors: as ndp_graph_expect. */
enum ndp_status ndp_live_graph_build(struct ndp_arena *arena, const struct ndp_graph *recipe, struct ndp_graph *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* Returns NULL, or the reason why the graph is invalid. The plugin is code under test, so nothing in it is trusted. */
const char *ndp_live_graph_check(const struct ndp_graph *graph) NDP_MUST_USE;

/* Fills *out with the observation: elements and memory of arrays, results of probe calls of callables. Errors: NOMEM,
 * LIMIT. */
enum ndp_status ndp_live_graph_observe(struct ndp_arena *arena, const struct ndp_graph *graph,
                                       struct ndp_graph *out) NDP_MUST_USE;

/* Calls every callable once, which increments its call count. Errors: NOMEM. */
enum ndp_status ndp_live_graph_call(struct ndp_arena *arena, struct ndp_graph *graph) NDP_MUST_USE;

#endif
