/* graph_complete.c: completes an expected graph by what its instances keep.
 *
 * Problem: what an object of a user's class contains is known only to its class, which the model does not have. Method:
 * the target that builds the object observes it before it is sent. The parts of that observation which lie below an
 * instance become part of the expectation, so that every property judges them as it judges all others. Cost: linear in
 * nodes and edges. Limits: a value that its class builds wrongly is not noticed; NDP_MAX_NODES.
 */
#include "model/graph/graph.h"

struct completion {
    struct ndp_arena *arena;
    const struct ndp_graph *source;
    struct ndp_node *nodes;            /* of the result */
    uint32_t count;                    /* of nodes */
    uint32_t of[NDP_MAX_NODES];        /* by node of the source: its node of the result, or NDP_GRAPH_UNSET */
    uint32_t source_of[NDP_MAX_NODES]; /* by node of the result: the node of the source whose edges it gets, or UNSET */
    bool is_little;
};

bool ndp_graph_has_instances(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].kind == NDP_NODE_INSTANCE) return true;
    return false;
}

/* Gives an observed array the model of an array with these elements. If no model can describe it, it has none, and only
 * its place in the graph is compared. */
static void set_model(struct completion *c, struct ndp_node *node) {
    enum { LONGDOUBLE_BYTES = 16 };
    node->array.class_name = node->observation.class_name;
    node->has_memory = false;
    node->has_model =
        node->trouble.size_bytes == 0 && ndp_array_from_observation(c->arena, &node->observation, c->is_little,
                                                                    LONGDOUBLE_BYTES, &node->model) == NDP_OK;
    if (node->has_model) node->model.class_name = node->observation.class_name;
}

static enum ndp_status add_node(struct completion *c, uint32_t number) {
    if (c->of[number] != NDP_GRAPH_UNSET) return NDP_OK;
    if (c->count == NDP_MAX_NODES) return NDP_LIMIT;
    struct ndp_node *node = &c->nodes[c->count];
    *node = c->source->nodes[number];
    if (node->kind == NDP_NODE_ARRAY && node->has_observation) set_model(c, node);
    c->source_of[c->count] = number;
    c->of[number] = c->count++;
    return NDP_OK;
}

/* Adds the targets of the node's edges in the source, and its edges. */
static enum ndp_status add_edges(struct completion *c, uint32_t number) {
    const struct ndp_node *from = &c->source->nodes[c->source_of[number]];
    struct ndp_edge *edges = ndp_arena_copy(c->arena, from->edges, from->edge_count * sizeof *edges);
    if (edges == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < from->edge_count; i++) {
        NDP_TRY(add_node(c, edges[i].to));
        edges[i].to = c->of[edges[i].to];
    }
    c->nodes[number].edges = edges;
    c->nodes[number].edge_count = from->edge_count;
    return NDP_OK;
}

enum ndp_status ndp_graph_complete(struct ndp_arena *arena, const struct ndp_graph *expected,
                                   const struct ndp_graph *source, const struct ndp_graph_pair *pairs,
                                   uint32_t pair_count, bool host_is_little_endian, struct ndp_graph *out) {
    struct completion c = {
        .arena = arena, .source = source, .count = expected->count, .is_little = host_is_little_endian};
    c.nodes = NDP_ARENA_ITEMS(arena, struct ndp_node, NDP_MAX_NODES);
    if (c.nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < NDP_MAX_NODES; i++) c.of[i] = c.source_of[i] = NDP_GRAPH_UNSET;
    for (uint32_t i = 0; i < expected->count; i++) c.nodes[i] = expected->nodes[i];
    for (uint32_t i = 0; i < pair_count; i++) {
        const struct ndp_node *from = &source->nodes[pairs[i].got];
        c.of[pairs[i].got] = pairs[i].expected;
        if (from->kind != NDP_NODE_INSTANCE) continue;
        c.nodes[pairs[i].expected].import = from->import;
        c.nodes[pairs[i].expected].has_contents = true;
        c.source_of[pairs[i].expected] = pairs[i].got;
    }
    for (uint32_t i = 0; i < c.count; i++)
        if (c.source_of[i] != NDP_GRAPH_UNSET) NDP_TRY(add_edges(&c, i));
    *out = (struct ndp_graph){expected->root, c.count, c.nodes};
    return NDP_OK;
}
