/* group_graphs.h: the graphs of the cases of a group of routes, and their named features. Private to this folder. */
#ifndef NDP_GROUP_GRAPHS_H
#define NDP_GROUP_GRAPHS_H

#include "engine/routes.h"
#include "generate/covering.h"
#include "generate/generate.h"

/* The features of graphs that the routes of the group take; NULL: graphs have no named features. Static. */
const struct ndp_covering_model *ndp_group_graphs_model(const struct ndp_route_group *group);

/* Whether the only graphs of the group are object arrays: in an NPY file, or in an archive of them. */
bool ndp_group_graphs_are_objects(const struct ndp_route_group *group);

/* Fills *out with a graph that the route takes and that has the features of the row, of the model above. Errors:
 * NOMEM. */
enum ndp_status ndp_group_graphs_generate(struct ndp_arena *arena, struct ndp_choices *choices,
                                          const struct ndp_route_group *group, const struct ndp_route *route,
                                          const struct ndp_covering_row *row, struct ndp_value *out) NDP_MUST_USE;

/* Fills *out with the features of a graph. */
void ndp_group_graphs_features(const struct ndp_graph *graph, struct ndp_covering_row *out);

#endif
