/* group_graphs.c: graphs that routes take, by the named features of graphs (generate/graph_plan.h). */
#include "engine/group_graphs.h"

#include "generate/graph_plan.h"

static bool takes_functions(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *const ends[] = {ndp_entry_find(&group->encoder->info, route, NDP_END_ENCODER),
                                            ndp_entry_find(&group->decoder->info, route, NDP_END_DECODER)};
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends); i++)
        if (ends[i] != NULL && (!ends[i]->takes_graphs || ends[i]->lacks_functions)) return false;
    return true;
}

enum { INSTANCE_ONE_IN = 8, OBJECTS_ONE_IN = 4 };

static bool takes_instances(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *encoder = ndp_entry_find(&group->encoder->info, route, NDP_END_ENCODER);
    const struct ndp_entry *decoder = ndp_entry_find(&group->decoder->info, route, NDP_END_DECODER);
    return encoder != NULL && decoder != NULL && encoder->takes_instances && decoder->takes_instances;
}

/* The module whose instances are all that the route takes, or "". */
static const char *module_of(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *encoder = ndp_entry_find(&group->encoder->info, route, NDP_END_ENCODER);
    return encoder != NULL ? encoder->instances_of : "";
}

static bool has_library(const void *context, const char *library) {
    const struct ndp_route_group *group = context;
    return ndp_target_library_version(&group->encoder->info, library) != NULL &&
           ndp_target_library_version(&group->decoder->info, library) != NULL;
}

bool ndp_group_graphs_are_objects(const struct ndp_route_group *group) {
    return ndp_bytes_word_is(group->format, "npy") || ndp_bytes_word_is(group->format, "npz");
}

/* Whether no route of the group takes functions. */
static bool lacks_functions(const struct ndp_route_group *group) {
    for (uint32_t i = 0; i < group->count; i++)
        if (takes_functions(group, &group->routes[i])) return false;
    return true;
}

const struct ndp_covering_model *ndp_group_graphs_model(const struct ndp_route_group *group) {
    return ndp_graph_plan_model(ndp_group_graphs_are_objects(group), lacks_functions(group));
}

enum ndp_status ndp_group_graphs_generate(struct ndp_arena *arena, struct ndp_choices *choices,
                                          const struct ndp_route_group *group, const struct ndp_route *route,
                                          const struct ndp_covering_row *row, struct ndp_value *out) {
    struct ndp_covering_row wanted = *row;
    const bool is_unnamed = ndp_bytes_word_is(route->encode, "positional");
    /* Most graphs of an archive are its members; NPY has the arrays of objects, too. */
    if (ndp_bytes_word_is(route->format, "npz") && (is_unnamed || !ndp_choose_rarely(choices, OBJECTS_ONE_IN)))
        return ndp_generate_members(arena, choices, is_unnamed, out);
    const struct ndp_generate_instances instances = {.has_library = has_library,
                                                     .context = group,
                                                     .module = module_of(group, route),
                                                     .for_objects_only = ndp_group_graphs_are_objects(group)};
    if (takes_instances(group, route) && (instances.module[0] != '\0' || ndp_choose_rarely(choices, INSTANCE_ONE_IN)))
        return ndp_generate_instance(arena, choices, &instances, out);
    if (!takes_functions(group, route)) ndp_graph_plan_without_functions(&wanted);
    return ndp_generate_graph_by_plan(arena, choices, &wanted, ndp_group_graphs_are_objects(group), out);
}

void ndp_group_graphs_features(const struct ndp_graph *graph, struct ndp_covering_row *out) {
    ndp_graph_plan_features(graph, out);
}
