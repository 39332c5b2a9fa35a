/* draw.h: a value drawn for a person: dtype, layout in memory, elements, and what each route promises. */
#ifndef NDP_DRAW_H
#define NDP_DRAW_H

#include <stdio.h>

#include "engine/routes.h"

/* Prints the array: type, shape, strides, flags, features, and its first elements with their places and bytes. */
void ndp_draw_array(FILE *out, const struct ndp_array *array, const struct ndp_observation *observation);

/* Prints the promises of every field that `route` changes, with the source of each. */
void ndp_draw_promises(FILE *out, const struct ndp_bench *bench, const struct ndp_route *route, uint64_t features);

/* Prints bytes as rows of sixteen with offsets, at most `max_rows`. */
void ndp_draw_bytes(FILE *out, struct ndp_bytes bytes, uint32_t max_rows);

/* One line for each node of a graph: what it is and where it leads. */
void ndp_draw_graph(FILE *out, const struct ndp_graph *graph);

#endif
