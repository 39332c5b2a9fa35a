#include "model/graph/graph.h"

#include "base/checked.h"

/* The node whose memory a node uses: follows its chain up to the last view that had to copy. */
static uint32_t memory_of(const struct ndp_graph *graph, const struct ndp_node *built, uint32_t number) {
    const uint32_t copy_count = built[number].model.copy_count;
    while (graph->nodes[number].kind == NDP_NODE_VIEW) {
        const uint32_t of = ndp_graph_node_edge(&graph->nodes[number], NDP_EDGE_OF, 0)->to;
        if (built[of].model.copy_count != copy_count) break;
        number = of;
    }
    return number;
}

/* Builds an array, or the missing part of a chain of views: each view of the array built before. */
static enum ndp_status build_chain(struct ndp_arena *arena, const struct ndp_graph *graph, uint32_t number,
                                   bool is_little, struct ndp_node *built, struct ndp_error *error) {
    uint32_t chain[NDP_MAX_NODES];
    uint32_t length = 0;
    const uint32_t asked = number;
    while (ndp_graph_node_model(&built[number]) == NULL && graph->nodes[number].kind == NDP_NODE_VIEW &&
           length < NDP_MAX_NODES) {
        const struct ndp_edge *of = ndp_graph_node_edge(&graph->nodes[number], NDP_EDGE_OF, 0);
        if (of == NULL || of->to >= graph->count) break;
        chain[length++] = number;
        number = of->to;
    }
    if (ndp_graph_node_model(&built[number]) == NULL) {
        if (graph->nodes[number].kind != NDP_NODE_ARRAY)
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "nodes[%u]: view does not end in an array", asked);
        NDP_TRY(ndp_array_build(arena, &graph->nodes[number].array, is_little, &built[number].model, error));
        built[number].has_model = true;
    }
    while (length-- > 0) {
        const struct ndp_array *of = &built[number].model;
        number = chain[length];
        NDP_TRY(ndp_array_build_view(arena, of, &graph->nodes[number].array, &built[number].model, error));
        built[number].has_model = true;
    }
    return NDP_OK;
}

static enum ndp_status expect_array(struct ndp_arena *arena, struct ndp_node *node) {
    NDP_TRY(ndp_array_observe(arena, &node->model, &node->observation));
    node->has_observation = true;
    node->has_memory = !ndp_graph_node_is_scalar(node);
    node->memory_offset_bytes = node->model.layout.offset_bytes;
    node->kind = NDP_NODE_ARRAY;
    return NDP_OK;
}

static enum ndp_status fill_data(struct ndp_arena *arena, bool is_little, struct ndp_node *node,
                                 struct ndp_error *error) {
    const struct ndp_base *base = &node->array.base;
    const struct ndp_dtype *dtype;
    uint64_t count_elems, size_bytes;
    NDP_TRY(ndp_dtype_resolve(arena, base->dtype, is_little, &dtype));
    if (!ndp_checked_extents_fit(base->shape, base->ndim, dtype->itemsize_bytes, &count_elems, &size_bytes))
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "size of a built value overflows");
    uint8_t *bytes = ndp_arena_alloc(arena, size_bytes);
    if (bytes == NULL) return NDP_NOMEM;
    NDP_TRY(ndp_array_fill_data(&base->data, dtype, count_elems, bytes, size_bytes, error));
    node->data = (struct ndp_bytes){bytes, size_bytes};
    return NDP_OK;
}

enum ndp_status ndp_graph_report_edges(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_node *node) {
    struct ndp_edge *edges = ndp_arena_copy(arena, node->edges, node->edge_count * sizeof *edges);
    uint32_t count = 0;
    if (edges == NULL) return NDP_NOMEM;
    if (node->kind == NDP_NODE_FROMPYFUNC) {
        const struct ndp_edge *of = ndp_graph_node_edge(node, NDP_EDGE_FUNCTION, 0);
        if (of != NULL && of->to < graph->count && graph->nodes[of->to].kind == NDP_NODE_FUNCTION)
            node->name = graph->nodes[of->to].name;
    }
    for (uint32_t i = 0; node->kind != NDP_NODE_FROMPYFUNC && i < node->edge_count; i++) {
        if (edges[i].role == NDP_EDGE_GLOBALS && !ndp_graph_words_code_reads_globals(node->code)) continue;
        if (edges[i].role == NDP_EDGE_ENTRY && edges[i].name.size_bytes > 0 && edges[i].name.data[0] == '_') continue;
        edges[count++] = edges[i];
    }
    node->edges = edges;
    node->edge_count = count;
    return NDP_OK;
}

enum ndp_status ndp_graph_expect(struct ndp_arena *arena, const struct ndp_graph *graph, bool host_is_little_endian,
                                 struct ndp_graph *out, struct ndp_error *error) {
    struct ndp_node *nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < graph->count; i++)
        if (ndp_graph_node_model(&nodes[i]) != NULL) nodes[i].has_model = false;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (nodes[i].kind == NDP_NODE_FUNCTION || nodes[i].kind == NDP_NODE_FROMPYFUNC ||
            nodes[i].kind == NDP_NODE_GLOBALS) {
            NDP_TRY(ndp_graph_report_edges(arena, graph, &nodes[i]));
        }
        if (nodes[i].kind == NDP_NODE_INSTANCE) nodes[i].edge_count = 0; /* only the class knows what it keeps */
        if (graph->nodes[i].kind != NDP_NODE_ARRAY && graph->nodes[i].kind != NDP_NODE_VIEW) continue;
        NDP_TRY(build_chain(arena, graph, i, host_is_little_endian, nodes, error));
        NDP_TRY(expect_array(arena, &nodes[i]));
        if (graph->nodes[i].kind == NDP_NODE_VIEW) {
            nodes[i].edges = NULL;
            nodes[i].edge_count = 0;
            continue;
        }
        NDP_TRY(fill_data(arena, host_is_little_endian, &nodes[i], error));
    }
    for (uint32_t i = 0; i < graph->count; i++)
        if (nodes[i].kind == NDP_NODE_ARRAY && nodes[i].has_memory) nodes[i].memory_group = memory_of(graph, nodes, i);
    *out = (struct ndp_graph){graph->root, graph->count, nodes};
    return NDP_OK;
}
