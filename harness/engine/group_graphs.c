/* group_graphs.c: graphs that routes take. Named features of graphs belong here: their model, their generator and their
 * measurement; without them, every graph is random. */
#include "engine/group_graphs.h"

#include <string.h>

#include "model/graph/graph_features.h"

const struct ndp_covering_model *ndp_group_graphs_model(const struct ndp_route_group *group) {
    (void)group;
    return NULL;
}

static bool takes_functions(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *const ends[] = {ndp_entry_find(&group->encoder->info, route, NDP_END_ENCODER),
                                            ndp_entry_find(&group->decoder->info, route, NDP_END_DECODER)};
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends); i++)
        if (ends[i] != NULL && ends[i]->lacks_functions) return false;
    return true;
}

bool ndp_group_graphs_are_objects(const struct ndp_route_group *group) {
    return ndp_bytes_word_is(group->format, "npy") || ndp_bytes_word_is(group->format, "npz");
}

/* A graph with functions gives way to the next where an end claims none. */
enum ndp_status ndp_group_graphs_generate(struct ndp_arena *arena, struct ndp_choices *choices,
                                          const struct ndp_route_group *group, const struct ndp_route *route,
                                          const struct ndp_covering_row *row, struct ndp_value *out) {
    enum { MAX_TRIES = 16 };
    const bool is_any = takes_functions(group, route), are_objects = ndp_group_graphs_are_objects(group);
    (void)row;
    for (uint32_t i = 0; i < MAX_TRIES; i++) {
        NDP_TRY(are_objects ? ndp_generate_objects(arena, choices, out) : ndp_generate_graph(arena, choices, out));
        if (is_any || (ndp_graph_features(out->graph) & NDP_GRAPH_FUNCTIONS) == 0) break;
    }
    return NDP_OK;
}

void ndp_group_graphs_features(const struct ndp_graph *graph, struct ndp_covering_row *out) {
    (void)graph;
    memset(out->values, NDP_COVERING_FREE, sizeof out->values);
}
