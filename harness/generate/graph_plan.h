/* graph_plan.h: the named features of graphs, generation of a graph that has wished ones, and their measurement.
 *
 * A graph has one main array at one position, one main function with its caller, and a root that contains both. Each
 * parameter of the model describes one of them; value 0 is always the simplest: no array, no function, an empty list.
 */
#ifndef NDP_GRAPH_PLAN_H
#define NDP_GRAPH_PLAN_H

#include "generate/covering.h"
#include "generate/generate.h"
#include "model/graph/graph_node.h"

/* Returns a static model. `for_objects_only`: of graphs whose root is an array of objects; the parameter "root" then
 * describes that array, or the only object in it. `without_functions`: of graphs without functions. */
const struct ndp_covering_model *ndp_graph_plan_model(bool for_objects_only, bool without_functions);

/* Fills out->value with a graph that has the features of the row; features that the row leaves free are random, so a
 * row that is all free gives any graph. One choice for each free parameter, in the order of the model, precedes the
 * choices of details; zeros give an empty list. Errors: NOMEM; INVALID if no graph has these features. */
enum ndp_status ndp_generate_graph_by_plan(struct ndp_arena *arena, struct ndp_choices *choices,
                                           const struct ndp_covering_row *row, bool for_objects_only,
                                           struct ndp_value *out) NDP_MUST_USE;

/* Removes the function from the row, and every feature that needs one. */
void ndp_graph_plan_without_functions(struct ndp_covering_row *row);

/* Fills *out with the features of any graph that passes ndp_graph_check: of the array and the function that a
 * depth-first walk from the root meets first. Does not depend on how the graph was made. */
void ndp_graph_plan_features(const struct ndp_graph *graph, struct ndp_covering_row *out);

#endif
