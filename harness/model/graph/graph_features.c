#include "model/graph/graph_features.h"
#include "base/text.h"
#include "base/words.h"
#include "model/graph/array_class.h"
#include "model/graph/graph.h"
#include "model/graph/import_path.h"

#include <string.h>

const char *ndp_graph_features_word(uint32_t bit) {
    static const char *const words[NDP_GRAPH_FEATURE_COUNT] = {NDP_GRAPH_FEATURE_LIST(NDP_WORD_ITEM)};
    return bit < NDP_GRAPH_FEATURE_COUNT ? words[bit] : "";
}

static uint64_t array_features(const struct ndp_node *node) {
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    uint64_t features = node->array.base.has_map ? NDP_GRAPH_MAPS : 0;
    if (!ndp_class_find(node->array.class_name, &class)) return features;
    if (ndp_class_defines_pickling(class)) features |= NDP_GRAPH_OWN_PICKLING;
    if (ndp_class_takes_attributes(class) && !ndp_class_defines_pickling(class)) features |= NDP_GRAPH_NO_PICKLING;
    if (ndp_class_hides_pickling(class) && ndp_class_stands_for(class) != NDP_CLASS_COUNT)
        features |= NDP_GRAPH_STAND_IN;
    if (class == NDP_CLASS_MASKED) features |= NDP_GRAPH_MASKED;
    if (class == NDP_CLASS_SLOTS) features |= NDP_GRAPH_SLOTS;
    if (class == NDP_CLASS_SCALAR) features |= NDP_GRAPH_SCALARS;
    if (ndp_graph_node_count_edges(node, NDP_EDGE_ATTRIBUTE) > 0) features |= NDP_GRAPH_ATTRIBUTES;
    return features;
}

static uint32_t function_features(const struct ndp_node *node) {
    uint32_t features = NDP_GRAPH_FUNCTIONS;
    /* The decorated function took the name of the wrapped one. */
    bool is_hidden = node->code == NDP_CODE_IDENTITY && ndp_bytes_is_word(node->name, "decorated");
    if (!node->is_importable || is_hidden) features |= NDP_GRAPH_LOCAL_FUNCTION;
    if (ndp_graph_node_count_edges(node, NDP_EDGE_CELL) > 0) features |= NDP_GRAPH_CELLS;
    return features;
}

static bool is_mask(const struct ndp_graph *graph, uint32_t number) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_edge *mask = ndp_graph_node_edge(&graph->nodes[i], NDP_EDGE_MASK, 0);
        if (mask != NULL && mask->to == number) return true;
    }
    return false;
}

static bool is_plain(struct ndp_bytes class_name) {
    return class_name.size_bytes == 0 || ndp_bytes_is_word(class_name, "ndarray");
}

/* Whether the items of a list have one type, for a compiler that infers it: numbers or texts of one kind, or arrays of
 * one dtype and number of dimensions which all are contiguous in one order. */
static bool is_alike(const struct ndp_graph *graph, const struct ndp_node *list) {
    const struct ndp_node *first = list->edge_count > 0 ? &graph->nodes[list->edges[0].to] : NULL;
    bool is_c = true, is_fortran = true;
    if (first == NULL || list->kind != NDP_NODE_LIST) return false;
    for (uint32_t i = 0; i < list->edge_count; i++) {
        const struct ndp_node *item = &graph->nodes[list->edges[i].to];
        if (item->kind != first->kind || item->edge_count > 0) return false;
        if (item->kind == NDP_NODE_INT || item->kind == NDP_NODE_FLOAT || item->kind == NDP_NODE_TEXT) continue;
        const struct ndp_array_value *one = &item->array;
        if (item->kind != NDP_NODE_ARRAY || one->view_count > 0 || !is_plain(one->class_name) || one->base.has_map ||
            one->base.ndim != first->array.base.ndim || one->base.is_readonly ||
            ndp_dtype_compare(one->base.dtype, first->array.base.dtype, NULL) != 0)
            return false;
        uint32_t long_axes = 0;
        for (uint32_t k = 0; k < one->base.ndim; k++) long_axes += one->base.shape[k] > 1;
        if (long_axes > 1 && one->base.order == NDP_MEMORY_F) is_c = false;
        if (long_axes > 1 && one->base.order == NDP_MEMORY_C) is_fortran = false;
    }
    return is_c || is_fortran;
}

static uint32_t instance_features(const struct ndp_graph *graph, const struct ndp_node *node) {
    uint32_t features = NDP_GRAPH_INSTANCE;
    const struct ndp_edge *items = ndp_graph_node_edge(node, NDP_EDGE_ARGUMENT, 0);
    const bool is_list = ndp_bytes_is_word(node->import, "numba.typed:List") ||
                         ndp_bytes_is_word(node->import, "numba.typed.typedlist:List");
    if (ndp_bytes_is_word(ndp_import_path_package(node->import), "numba")) features |= NDP_GRAPH_TYPED;
    if (is_list && items != NULL && is_alike(graph, &graph->nodes[items->to])) features |= NDP_GRAPH_ALIKE;
    return features;
}

static bool is_member(const struct ndp_node *node) {
    const struct ndp_bytes class = node->array.class_name;
    if (node->kind != NDP_NODE_ARRAY && node->kind != NDP_NODE_VIEW) return false;
    if (ndp_graph_node_count_edges(node, NDP_EDGE_ATTRIBUTE) > 0) return false;
    return class.size_bytes == 0 || ndp_bytes_is_word(class, "ndarray") || ndp_bytes_is_word(class, "memmap");
}

static bool has_members(const struct ndp_graph *graph) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    for (uint32_t i = 0; i < root->edge_count; i++) {
        const struct ndp_node *to = &graph->nodes[root->edges[i].to];
        if (root->edges[i].role == NDP_EDGE_KEY ? to->kind != NDP_NODE_TEXT : !is_member(to)) return false;
    }
    return root->kind == NDP_NODE_DICT;
}

/* Whether a member has the name of a parameter of numpy.savez, which takes members as keywords. */
static bool has_call_names(const struct ndp_graph *graph) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    for (uint32_t i = 0; i < root->edge_count; i++) {
        const struct ndp_bytes name = graph->nodes[root->edges[i].to].text;
        if (root->edges[i].role != NDP_EDGE_KEY) continue;
        if (ndp_bytes_is_word(name, "file") || ndp_bytes_is_word(name, "allow_pickle")) return true;
    }
    return false;
}

bool ndp_graph_is_scalars(const struct ndp_graph *graph) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    for (uint32_t i = 0; i < root->edge_count; i++)
        if (graph->nodes[root->edges[i].to].kind > NDP_NODE_BYTES) return false;
    return root->kind == NDP_NODE_LIST;
}

/* Whether an integer has more digits, or the same number and larger ones, than the limits of 64 bits with sign. */
static bool is_long(struct ndp_bytes text) {
    const bool is_negative = text.size_bytes > 0 && text.data[0] == '-';
    const struct ndp_bytes limit = ndp_bytes_view(is_negative ? "-9223372036854775808" : "9223372036854775807");
    if (text.size_bytes != limit.size_bytes) return text.size_bytes > limit.size_bytes;
    return memcmp(text.data, limit.data, limit.size_bytes) > 0;
}

static uint64_t scalar_features(const struct ndp_node *node) {
    const struct ndp_bytes text = node->text;
    if (node->kind == NDP_NODE_INT) return is_long(text) ? NDP_GRAPH_LONG_INT : 0;
    if (node->kind != NDP_NODE_TEXT && node->kind != NDP_NODE_BYTES) return 0;
    const bool is_cut = text.size_bytes > 0 && text.data[text.size_bytes - 1] == 0;
    return (is_cut ? NDP_GRAPH_NUL_END : 0) |
           (node->kind == NDP_NODE_TEXT && ndp_text_has_surrogate(text) ? NDP_GRAPH_SURROGATE : 0);
}

uint64_t ndp_graph_features_of_node(const struct ndp_graph *graph, uint32_t number) {
    const struct ndp_node *node = &graph->nodes[number];
    uint64_t features = NDP_GRAPH_VALUE | scalar_features(node);
    if (has_members(graph)) features |= NDP_GRAPH_MEMBERS | (has_call_names(graph) ? NDP_GRAPH_CALL_NAMES : 0);
    if (node->kind == NDP_NODE_ARRAY) {
        features |= array_features(node);
        if (is_mask(graph, number)) features |= NDP_GRAPH_MASK;
    }
    if (node->kind == NDP_NODE_VIEW) features |= NDP_GRAPH_VIEWS;
    if (node->kind == NDP_NODE_INSTANCE) features |= instance_features(graph, node);
    if (node->kind == NDP_NODE_OBJECTS) features |= NDP_GRAPH_OBJECTS;
    if (node->kind == NDP_NODE_OBJECTS && node->is_string) features |= NDP_GRAPH_STRINGS;
    if (node->kind == NDP_NODE_FUNCTION) features |= function_features(node);
    if (node->kind == NDP_NODE_CELL && node->edge_count == 0) features |= NDP_GRAPH_EMPTY_CELL;
    if (node->kind == NDP_NODE_METHOD) features |= NDP_GRAPH_METHOD;
    if (node->kind == NDP_NODE_VECTORIZE) features |= NDP_GRAPH_VECTORIZE;
    if (node->kind == NDP_NODE_FROMPYFUNC) features |= NDP_GRAPH_FROMPYFUNC;
    if (ndp_graph_node_calls(node) > 0) features |= NDP_GRAPH_CALLED;
    return features;
}

/* Whether a node can reach itself: repeatedly removes nodes without edges into the rest until none remains to remove.
 * Costs nodes times edges. */
static bool has_cycle(const struct ndp_graph *graph) {
    bool is_gone[NDP_MAX_NODES] = {false};
    uint32_t left = graph->count;
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (uint32_t i = 0; i < graph->count; i++) {
            bool leads_on = false;
            for (uint32_t k = 0; !is_gone[i] && k < graph->nodes[i].edge_count; k++)
                if (!is_gone[graph->nodes[i].edges[k].to]) leads_on = true;
            if (is_gone[i] || leads_on) continue;
            is_gone[i] = has_changed = true;
            left--;
        }
    }
    return left > 0;
}

uint64_t ndp_graph_features(const struct ndp_graph *graph) {
    uint64_t features = NDP_GRAPH_VALUE;
    uint32_t seen[NDP_MAX_NODES] = {0};
    for (uint32_t i = 0; i < graph->count; i++) {
        features |= ndp_graph_features_of_node(graph, i);
        for (uint32_t k = 0; k < graph->nodes[i].edge_count; k++) {
            const struct ndp_edge *edge = &graph->nodes[i].edges[k];
            if (edge->role != NDP_EDGE_OF && ndp_graph_node_has_identity(&graph->nodes[edge->to])) seen[edge->to]++;
        }
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        if (seen[i] < 2) continue;
        features |=
            graph->nodes[i].kind == NDP_NODE_CELL ? (uint32_t)NDP_GRAPH_SHARED_CELL : (uint32_t)NDP_GRAPH_SHARED;
    }
    if (has_cycle(graph)) features |= NDP_GRAPH_CYCLE;
    return features;
}
