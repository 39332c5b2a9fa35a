/* held_graph.h: a live graph in a slot of the step interpreter: made from a recipe, checked when a plugin gives it, and
 * told as an observation. */
#ifndef NDP_HELD_GRAPH_H
#define NDP_HELD_GRAPH_H

#include "target/plugin_graph.h"

/* Makes the live graph of `recipe` (borrowed; its arrays have their data) in `arena`. Errors: as ndp_graph_expect. */
enum ndp_status ndp_held_graph_build(struct ndp_arena *arena, const struct ndp_graph *recipe, struct ndp_graph *out,
                                     struct ndp_error *error) NDP_MUST_USE;

/* Gives NULL, or why no graph can be like this: a plugin is somebody's code under test. */
const char *ndp_held_graph_check(const struct ndp_graph *graph) NDP_MUST_USE;

/* Fills *out with what is observed: arrays by their elements and the place of their memory, what can be called by the
 * results of probe calls. Errors: NOMEM, LIMIT. */
enum ndp_status ndp_held_graph_observe(struct ndp_arena *arena, const struct ndp_graph *graph,
                                       struct ndp_graph *out) NDP_MUST_USE;

/* Calls everything that can be called, once: each node counts it. Errors: NOMEM. */
enum ndp_status ndp_held_graph_call(struct ndp_arena *arena, struct ndp_graph *graph) NDP_MUST_USE;

#endif
