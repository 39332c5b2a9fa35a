#include "planted/graph_defect.h"

#include <stdlib.h>
#include <string.h>

const struct ndp_plugin_entry ndp_graph_defect_no_entries[] = {{NULL, NULL, false, false}};

static enum ndp_plugin_result change_graph(struct ndp_graph_defect *defect, struct ndp_graph *graph,
                                           ndp_graph_defect_change *change) {
    memcpy(defect->nodes, graph->nodes, graph->count * sizeof *graph->nodes);
    defect->root = graph->root;
    defect->count = graph->count;
    change(defect);
    const struct ndp_node *nodes = ndp_arena_copy(defect->arena, defect->nodes, defect->count * sizeof *nodes);
    if (nodes == NULL) return NDP_PLUGIN_REFUSED;
    *graph = (struct ndp_graph){defect->root, defect->count, nodes};
    return NDP_PLUGIN_DONE;
}

enum ndp_plugin_result ndp_graph_defect_decode(const struct ndp_plugin_entry *entry, const void *bytes,
                                               size_t size_bytes, struct ndp_arena *arena, struct ndp_graph *out,
                                               struct ndp_plugin_refusal *refusal, ndp_graph_defect_change *change) {
    enum ndp_plugin_result result = ndp_reference_graph.decode(entry, bytes, size_bytes, arena, out, refusal);
    if (result != NDP_PLUGIN_DONE) return result;
    struct ndp_graph_defect *defect = calloc(1, sizeof *defect);
    if (defect == NULL) return NDP_PLUGIN_REFUSED;
    defect->arena = arena;
    result = change_graph(defect, out, change);
    free(defect);
    return result;
}

static struct ndp_edge *own_edges(struct ndp_graph_defect *defect, uint32_t node) {
    struct ndp_node *changed = &defect->nodes[node];
    struct ndp_edge *edges = ndp_arena_copy(defect->arena, changed->edges, changed->edge_count * sizeof *edges);
    if (edges != NULL) changed->edges = edges;
    return edges;
}

void ndp_graph_defect_drop_edge(struct ndp_graph_defect *defect, uint32_t node, uint32_t index) {
    struct ndp_edge *edges = own_edges(defect, node);
    if (edges == NULL) return;
    defect->nodes[node].edge_count--;
    for (uint32_t i = index; i < defect->nodes[node].edge_count; i++) edges[i] = edges[i + 1];
}

void ndp_graph_defect_redirect_edge(struct ndp_graph_defect *defect, uint32_t node, uint32_t index, uint32_t to) {
    struct ndp_edge *edges = own_edges(defect, node);
    if (edges != NULL) edges[index].to = to;
}

void ndp_graph_defect_drop_description(struct ndp_graph_defect *defect, const char *name) {
    for (uint32_t i = 0; i < defect->count; i++) {
        const struct ndp_node *node = &defect->nodes[i];
        for (uint32_t k = node->edge_count; k-- > 0 && node->kind == NDP_NODE_FUNCTION;) {
            if (node->edges[k].role != NDP_EDGE_ATTRIBUTE) continue;
            if (ndp_bytes_is_equal(node->edges[k].name, ndp_bytes_view(name))) ndp_graph_defect_drop_edge(defect, i, k);
        }
    }
}

uint32_t ndp_graph_defect_duplicate_node(struct ndp_graph_defect *defect, uint32_t node) {
    if (defect->count == NDP_MAX_NODES) return node;
    defect->nodes[defect->count] = defect->nodes[node];
    return defect->count++;
}

void ndp_graph_defect_own_memory(struct ndp_graph_defect *defect, uint32_t node) {
    struct ndp_array *array = &defect->nodes[node].model;
    uint8_t *copy = ndp_arena_copy(defect->arena, array->buffer, array->buffer_bytes);
    if (copy != NULL) array->buffer = copy;
}

void ndp_graph_defect_reorder(struct ndp_graph_defect *defect, uint32_t node) {
    struct ndp_array *array = &defect->nodes[node].model;
    const uint64_t itemsize = array->dtype->itemsize_bytes;
    struct ndp_layout layout;
    if (!ndp_layout_is_f_contiguous(&array->layout, itemsize) || ndp_layout_is_c_contiguous(&array->layout, itemsize))
        return;
    if (ndp_layout_contiguous(&layout, array->layout.shape, array->layout.ndim, itemsize, NDP_MEMORY_C,
                              array->layout.offset_bytes) == NDP_OK)
        array->layout = layout;
}

bool ndp_graph_defect_is_repeated(const struct ndp_graph_defect *defect, uint32_t node, uint32_t index) {
    const uint32_t to = defect->nodes[node].edges[index].to;
    for (uint32_t i = 0; i <= node; i++) {
        const uint32_t end = i == node ? index : defect->nodes[i].edge_count;
        for (uint32_t k = 0; k < end; k++)
            if (defect->nodes[i].edges[k].to == to) return true;
    }
    return false;
}

void ndp_graph_defect_split_shared(struct ndp_graph_defect *defect, enum ndp_node_kind kind) {
    const uint32_t count = defect->count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < defect->nodes[i].edge_count; k++) {
            const uint32_t to = defect->nodes[i].edges[k].to;
            if (to == NDP_GRAPH_UNSET || defect->nodes[to].kind != kind || !ndp_graph_defect_is_repeated(defect, i, k))
                continue;
            const uint32_t other = ndp_graph_defect_duplicate_node(defect, to);
            if (kind == NDP_NODE_ARRAY) ndp_graph_defect_own_memory(defect, other);
            ndp_graph_defect_redirect_edge(defect, i, k, other);
        }
    }
}
