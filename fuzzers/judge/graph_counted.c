#include "judge/graph_counted.h"
#include "model/graph_features.h"

#include <string.h>

static bool is_class(const struct ndp_node *node, const char *const *words) {
    for (; node->kind == NDP_NODE_ARRAY && *words; words++)
        if (ndp_bytes_is_word(node->array.class_name, *words)) return true;
    return false;
}

static uint32_t edges_of(const struct ndp_node *node, enum ndp_edge_role role) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < node->edge_count; k++)
        if (node->edges[k].role == role) count++;
    return count;
}

/* How many edges lead to a node, of one role or of all but that. */
static uint32_t edges_to(const struct ndp_graph *graph, uint32_t number, enum ndp_edge_role role, bool is_other) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        for (uint32_t k = 0; k < graph->nodes[i].edge_count; k++) {
            const struct ndp_edge *edge = &graph->nodes[i].edges[k];
            if (edge->to == number && (edge->role == role) != is_other) count++;
        }
    return count;
}

static uint64_t count_array(const struct ndp_graph *graph, uint32_t number) {
    static const char *const own[] = {"MaskedArray", "reduce_setstate", "reduce_pair", "reduce_only", "reduce_ex",
                                      "proxy",       "Quantity",        "cudf.pandas", NULL};
    static const char *const none[] = {"plain", "finalize_none", "finalize_getattr", "slots", NULL};
    static const char *const masked[] = {"MaskedArray", NULL};
    const struct ndp_node *node = &graph->nodes[number];
    uint64_t features = 0;
    if (node->array.base.has_map) features |= NDP_GRAPH_MAPS;
    if (is_class(node, own)) features |= NDP_GRAPH_OWN_PICKLING;
    if (is_class(node, none)) features |= NDP_GRAPH_NO_PICKLING;
    if (is_class(node, masked)) features |= NDP_GRAPH_MASKED;
    if (edges_of(node, NDP_EDGE_ATTRIBUTE) > 0) features |= NDP_GRAPH_ATTRIBUTES;
    if (edges_to(graph, number, NDP_EDGE_MASK, false) > 0) features |= NDP_GRAPH_MASK;
    return features;
}

static uint64_t count_function(const struct ndp_node *node) {
    const bool is_wrapped = ndp_bytes_is_word(node->name, "decorated") && node->code == NDP_CODE_IDENTITY;
    return NDP_GRAPH_FUNCTIONS | (node->is_importable && !is_wrapped ? 0 : (uint64_t)NDP_GRAPH_LOCAL_FUNCTION) |
           (edges_of(node, NDP_EDGE_CELL) > 0 ? (uint64_t)NDP_GRAPH_CELLS : 0);
}

uint64_t fuzz_count_node(const struct ndp_graph *graph, uint32_t number) {
    static const uint64_t alone[NDP_NODE_COUNT] = {[NDP_NODE_VIEW] = NDP_GRAPH_VIEWS,
                                                   [NDP_NODE_OBJECTS] = NDP_GRAPH_OBJECTS,
                                                   [NDP_NODE_METHOD] = NDP_GRAPH_METHOD,
                                                   [NDP_NODE_VECTORIZE] = NDP_GRAPH_VECTORIZE,
                                                   [NDP_NODE_FROMPYFUNC] = NDP_GRAPH_FROMPYFUNC};
    const struct ndp_node *node = &graph->nodes[number];
    uint64_t features = NDP_GRAPH_VALUE | alone[node->kind];
    if (node->kind == NDP_NODE_ARRAY) features |= count_array(graph, number);
    if (node->kind == NDP_NODE_FUNCTION) features |= count_function(node);
    if (node->kind == NDP_NODE_CELL && edges_of(node, NDP_EDGE_CONTENT) == 0) features |= NDP_GRAPH_EMPTY_CELL;
    return features | (node->calls != 0 ? (uint64_t)NDP_GRAPH_CALLED : 0);
}

/* Whether a walk meets a node that it has not left yet. */
static bool has_circle(const struct ndp_graph *graph) {
    uint32_t stack[NDP_MAX_NODES], next[NDP_MAX_NODES] = {0};
    uint8_t state[NDP_MAX_NODES] = {0}; /* not met, on the way, left */
    for (uint32_t from = 0; from < graph->count; from++) {
        uint32_t depth = 0;
        if (state[from] == 0) state[from] = 1, stack[depth++] = from;
        while (depth > 0) {
            const uint32_t at = stack[depth - 1];
            if (next[at] == graph->nodes[at].edge_count) {
                state[at] = 2, depth--;
                continue;
            }
            const uint32_t to = graph->nodes[at].edges[next[at]++].to;
            if (state[to] == 1) return true;
            if (state[to] == 0) state[to] = 1, stack[depth++] = to;
        }
    }
    return false;
}

uint64_t fuzz_count_graph(const struct ndp_graph *graph) {
    uint64_t features = has_circle(graph) ? NDP_GRAPH_CYCLE : 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        const enum ndp_node_kind kind = graph->nodes[i].kind;
        features |= fuzz_count_node(graph, i);
        if (kind <= NDP_NODE_TUPLE || edges_to(graph, i, NDP_EDGE_OF, true) < 2) continue;
        features |= kind == NDP_NODE_CELL ? NDP_GRAPH_SHARED_CELL : NDP_GRAPH_SHARED;
    }
    return features;
}
