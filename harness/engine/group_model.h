/* group_model.h: the features of the cases of a group of routes. Private to this folder.
 *
 * A row has the features of an array (generate/array_plan.h), then those of a graph, then those of route, settings and
 * property. A case has an array or a graph, and leaves the features of the other free.
 */
#ifndef NDP_GROUP_MODEL_H
#define NDP_GROUP_MODEL_H

#include "engine/routes.h"
#include "generate/array_plan.h"

/* The parameters after those of arrays and graphs. Those without a meaning in the group have no values. */
enum ndp_group_parameter {
    NDP_GROUP_ENCODE,  /* entry point */
    NDP_GROUP_DECODE,  /* entry point */
    NDP_GROUP_VARIANT, /* protocol and buffers */
    NDP_GROUP_SETTING, /* offset of raw data, or compression level */
    NDP_GROUP_JUDGE,   /* the property that needs more steps than the others */
    NDP_GROUP_FAULT,   /* of decode cases */
    NDP_GROUP_BOUND,   /* of transports: max_nbytes, compared with the size of the value */
    NDP_GROUP_MODE,    /* of transports: mmap_mode */
    NDP_GROUP_HISTORY, /* none, or events before and around the calls */
    NDP_GROUP_PARAMETERS
};

/* A choice of settings of a transport; the parameters of the model `units`. */
enum ndp_unit_parameter { NDP_UNIT_ROUTE, NDP_UNIT_BOUND, NDP_UNIT_MODE, NDP_UNIT_PARAMETERS };

struct ndp_group_model;

/* Borrows the group. `properties` judge its cases; bases have at most about `value_bytes` bytes. Errors: NOMEM. */
enum ndp_status ndp_group_model_new(const struct ndp_route_group *group, struct ndp_property_set properties,
                                    uint64_t value_bytes, struct ndp_group_model **out) NDP_MUST_USE;
void ndp_group_model_free(struct ndp_group_model *model);

/* Whether some route of the group takes such values. */
bool ndp_group_model_takes(const struct ndp_group_model *model, enum ndp_value_kind kind);

/* All features. */
const struct ndp_covering_model *ndp_group_model_features(const struct ndp_group_model *model);

/* The features that a case with a value of this kind can choose without a history, those with one, and those that a
 * unit of a transport can choose. */
const struct ndp_covering_model *ndp_group_model_choices(const struct ndp_group_model *model, enum ndp_value_kind kind);
const struct ndp_covering_model *ndp_group_model_history_choices(const struct ndp_group_model *model,
                                                                 enum ndp_value_kind kind);
const struct ndp_covering_model *ndp_group_model_units(const struct ndp_group_model *model);

/* Whether some route of the group that takes such values has a history. */
bool ndp_group_model_has_history(const struct ndp_group_model *model, enum ndp_value_kind kind);

/* The history of the row, or a random one of the route; NONE if the route has none. */
enum ndp_history ndp_group_model_history(const struct ndp_group_model *model, struct ndp_choices *choices,
                                         const struct ndp_covering_row *row, const struct ndp_route *route);

/* The part of a row that describes a graph, as a row of ndp_group_graphs_model. */
struct ndp_covering_row ndp_group_model_graph_row(const struct ndp_group_model *model,
                                                  const struct ndp_covering_row *row);

/* Chooses encoder and property anew, such that an array of the size in the row takes little time. A slow encoder gets
 * an array of 1 MiB instead. */
void ndp_group_model_choose_for_size(const struct ndp_group_model *model, struct ndp_choices *choices,
                                     struct ndp_covering_row *row);

const struct ndp_array_plan *ndp_group_model_arrays(const struct ndp_group_model *model);

/* The route of a row, with its settings, for a value of this kind; free features are random. Not for transports. */
struct ndp_route ndp_group_model_route(const struct ndp_group_model *model, struct ndp_choices *choices,
                                       const struct ndp_covering_row *row, enum ndp_value_kind kind);

/* The route of a row of `units`. */
struct ndp_route ndp_group_model_unit_route(const struct ndp_group_model *model, struct ndp_choices *choices,
                                            const struct ndp_covering_row *row);

/* The fault of the row, or a random one. */
const struct ndp_fault_row *ndp_group_model_fault(const struct ndp_group_model *model, struct ndp_choices *choices,
                                                  const struct ndp_covering_row *row);

/* The properties that judge a case: those that cost little, and one other, which is set in *row if it is free. */
struct ndp_property_set ndp_group_model_judges(const struct ndp_group_model *model, struct ndp_choices *choices,
                                               const struct ndp_descriptor *descriptor, struct ndp_covering_row *row);

/* Fills *out with the features of a descriptor. Its property is that of the row `judged`; NULL: unknown. Errors:
 * NOMEM. */
enum ndp_status ndp_group_model_measure(const struct ndp_group_model *model, const struct ndp_descriptor *descriptor,
                                        const struct ndp_covering_row *judged,
                                        struct ndp_covering_row *out) NDP_MUST_USE;

#endif
