#include "target/live_graph.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "target/probe_call.h"

enum ndp_status ndp_live_graph_build(struct ndp_arena *arena, const struct ndp_graph *recipe, struct ndp_graph *out,
                                     struct ndp_error *error) {
    struct ndp_graph expected;
    NDP_TRY(ndp_graph_expect(arena, recipe, ndp_byteorder_host_is_little(), &expected, error));
    struct ndp_node *nodes = ndp_arena_copy(arena, recipe->nodes, recipe->count * sizeof *nodes);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < recipe->count; i++) {
        if (ndp_graph_node_model(&expected.nodes[i]) == NULL) continue;
        nodes[i].has_model = true;
        nodes[i].model = expected.nodes[i].model;
        if (nodes[i].kind != NDP_NODE_VIEW) continue;
        nodes[i].kind = NDP_NODE_ARRAY;
        nodes[i].edges = NULL;
        nodes[i].edge_count = 0;
    }
    *out = (struct ndp_graph){recipe->root, recipe->count, nodes};
    return NDP_OK;
}

static const char *check_array(const struct ndp_array *array) {
    uint64_t count_elems, size_bytes;
    int64_t low_bytes, high_bytes;
    if (array->dtype == NULL || array->layout.ndim > NDP_MAX_NDIM)
        return "an array without a dtype, or with too many dimensions";
    if (!ndp_checked_extents_fit(array->layout.shape, array->layout.ndim, array->dtype->itemsize_bytes, &count_elems,
                                 &size_bytes) ||
        ndp_layout_extent(&array->layout, array->dtype->itemsize_bytes, &low_bytes, &high_bytes) != NDP_OK)
        return "an array larger than memory";
    if (low_bytes == high_bytes) return NULL;
    return low_bytes < 0 || (uint64_t)high_bytes > array->buffer_bytes || array->buffer == NULL
               ? "an array outside its memory"
               : NULL;
}

const char *ndp_live_graph_check(const struct ndp_graph *graph) {
    if (graph->count == 0 || graph->count > NDP_MAX_NODES || graph->root >= graph->count || graph->nodes == NULL)
        return "no nodes, or too many";
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->kind >= NDP_NODE_COUNT || node->kind == NDP_NODE_VIEW) return "a node of unknown kind";
        if (node->edge_count > NDP_MAX_EDGES) return "a node with too many edges";
        for (uint32_t k = 0; k < node->edge_count; k++) {
            const uint32_t to = node->edges[k].to;
            if (to >= graph->count && (to != NDP_GRAPH_UNSET || node->edges[k].role != NDP_EDGE_ATTRIBUTE))
                return "an edge to a missing node";
        }
        const char *why = node->kind == NDP_NODE_ARRAY ? check_array(&node->model) : NULL;
        if (why != NULL) return why;
    }
    return NULL;
}

static void record_memory(const struct ndp_graph *graph, uint32_t number, struct ndp_node *observed) {
    const struct ndp_array *array = &graph->nodes[number].model;
    uint32_t group = 0;
    while (graph->nodes[group].kind != NDP_NODE_ARRAY || !ndp_array_shares_memory(&graph->nodes[group].model, array))
        group++;
    observed->has_memory = true;
    observed->memory_group = group;
    observed->memory_offset_bytes = array->layout.offset_bytes;
}

/* Reports an attribute that was never set: using the object raises AttributeError. */
static enum ndp_status record_trouble(struct ndp_arena *arena, struct ndp_node *observed) {
    struct ndp_edge *edges = ndp_arena_copy(arena, observed->edges, observed->edge_count * sizeof *edges);
    uint32_t count = 0;
    if (edges == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < observed->edge_count; i++) {
        edges[count] = observed->edges[i];
        if (edges[count].to != NDP_GRAPH_UNSET) {
            count++;
        } else {
            observed->trouble = ndp_bytes_view("AttributeError: an attribute was never set");
        }
    }
    observed->edges = edges;
    observed->edge_count = count;
    return NDP_OK;
}

/* An instance is a record here: it keeps those keywords of its call that the recipe names. */
static enum ndp_status record_kept(struct ndp_arena *arena, struct ndp_node *observed) {
    struct ndp_edge *edges = ndp_arena_copy(arena, observed->edges, observed->edge_count * sizeof *edges);
    uint32_t count = 0;
    if (edges == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < observed->edge_count; i++) {
        for (uint32_t k = 0; k < observed->keep_count; k++) {
            if (edges[i].role != NDP_EDGE_KEYWORD || !ndp_bytes_is_equal(edges[i].name, observed->keep[k])) continue;
            edges[count] = edges[i];
            edges[count++].role = NDP_EDGE_KEPT;
            break;
        }
    }
    observed->edges = edges;
    observed->edge_count = count;
    observed->has_contents = true;
    return NDP_OK;
}

enum ndp_status ndp_live_graph_observe(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_graph *out) {
    struct ndp_node *nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (nodes[i].kind == NDP_NODE_FUNCTION || nodes[i].kind == NDP_NODE_FROMPYFUNC ||
            nodes[i].kind == NDP_NODE_GLOBALS)
            NDP_TRY(ndp_graph_report_edges(arena, graph, &nodes[i]));
        if (nodes[i].kind == NDP_NODE_INSTANCE) NDP_TRY(record_kept(arena, &nodes[i]));
        if (nodes[i].kind != NDP_NODE_ARRAY) continue;
        NDP_TRY(ndp_array_observe(arena, &graph->nodes[i].model, &nodes[i].observation));
        nodes[i].has_observation = true;
        nodes[i].has_model = false;
        record_memory(graph, i, &nodes[i]);
        NDP_TRY(record_trouble(arena, &nodes[i]));
    }
    *out = (struct ndp_graph){graph->root, graph->count, nodes};
    return ndp_probe_calls(arena, graph, nodes);
}

enum ndp_status ndp_live_graph_call(struct ndp_arena *arena, struct ndp_graph *graph) {
    struct ndp_node *nodes = ndp_arena_copy(arena, graph->nodes, graph->count * sizeof *nodes);
    if (nodes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < graph->count; i++)
        if (ndp_graph_words_is_callable(nodes[i].kind)) nodes[i].calls++;
    graph->nodes = nodes;
    return NDP_OK;
}
