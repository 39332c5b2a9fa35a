#include "engine/importable.h"

/* Leads all edges to functions to the function `number`. */
static enum ndp_status redirect_edges(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_node *node,
                                      uint32_t number) {
    struct ndp_edge *edges = ndp_arena_copy(arena, node->edges, node->edge_count * sizeof *edges);
    if (edges == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < node->edge_count; i++)
        if (graph->nodes[edges[i].to].kind == NDP_NODE_FUNCTION) edges[i].to = number;
    node->edges = edges;
    return NDP_OK;
}

/* The number of the function that is kept: the root or the first. The count of nodes if every function is importable.
 */
static uint32_t find_kept(const struct ndp_graph *graph) {
    uint32_t first = graph->count;
    bool has_local = false;
    for (uint32_t i = graph->count; i-- > 0;) {
        if (graph->nodes[i].kind != NDP_NODE_FUNCTION) continue;
        has_local = has_local || !graph->nodes[i].is_importable;
        first = i;
    }
    if (!has_local) return graph->count;
    return graph->nodes[graph->root].kind == NDP_NODE_FUNCTION ? graph->root : first;
}

enum ndp_status ndp_importable_graph(struct ndp_arena *arena, const struct ndp_graph *graph,
                                     const struct ndp_graph **out) {
    const uint32_t kept = find_kept(graph);
    *out = NULL;
    if (kept == graph->count) return NDP_OK;
    struct ndp_node *nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
    struct ndp_graph *plain = NDP_ARENA_NEW(arena, struct ndp_graph);
    if (nodes == NULL || plain == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (nodes[i].kind == NDP_NODE_FUNCTION) {
            nodes[i] = (struct ndp_node){.kind = NDP_NODE_NONE};
        } else {
            NDP_TRY(redirect_edges(arena, graph, &nodes[i], kept));
        }
    }
    nodes[kept] = (struct ndp_node){.kind = NDP_NODE_FUNCTION, .code = NDP_CODE_CONST, .is_importable = true};
    nodes[kept].name = ndp_bytes_view(ndp_graph_words_code(NDP_CODE_CONST));
    *plain = (struct ndp_graph){.root = graph->root, .count = graph->count, .nodes = nodes};
    const enum ndp_status status = ndp_graph_check(arena, plain, NULL);
    if (status == NDP_OK) *out = plain;
    return status == NDP_NOMEM ? NDP_NOMEM : NDP_OK;
}
