/* draw.h: prints a value for a person: dtype, memory layout, elements, and the promises of each route. */
#ifndef NDP_DRAW_H
#define NDP_DRAW_H

#include <stdio.h>

#include "engine/routes.h"
#include "model/dict.h"

/* Prints dtype, shape, strides, flags, features, and the first elements with their offsets and bytes. */
void ndp_draw_array(FILE *out, const struct ndp_array *array, const struct ndp_observation *observation);

/* Prints the promise of every field that `route` may change, with its source; nothing for unknown targets. A route
 * without encoder reads bytes. */
void ndp_draw_promise_rows(FILE *out, const struct ndp_bench *bench, const struct ndp_route *route, uint64_t features);

/* The same after a line with the route. */
void ndp_draw_promises(FILE *out, const struct ndp_bench *bench, const struct ndp_route *route, uint64_t features);

/* Prints bytes as rows of sixteen with offsets, at most `max_rows`. */
void ndp_draw_bytes(FILE *out, struct ndp_bytes bytes, uint32_t max_rows);

/* Prints a line for each node of a graph: its kind and its edges. Prints a limited number of nodes and edges. */
void ndp_draw_graph(FILE *out, const struct ndp_graph *graph);

/* Prints the types of a dict, and a line for each thread with its operations. */
void ndp_draw_dict(FILE *out, const struct ndp_dict_value *dict);

/* Prints the value of `descriptor` (borrowed) without routes: an array with its layout and first elements, the nodes of
 * a graph, the operations of a dict, or the first bytes to decode. The output is bounded. Memory comes from `arena`.
 * Errors: as ndp_array_build. */
enum ndp_status ndp_draw_descriptor(FILE *out, struct ndp_arena *arena, const struct ndp_descriptor *descriptor,
                                    struct ndp_error *error) NDP_MUST_USE;

#endif
