#include "model/graph/graph_node.h"

bool ndp_graph_node_is_fortran(const struct ndp_node *node) {
    uint32_t long_axes = 0;
    for (uint32_t k = 0; k < node->ndim; k++) {
        if (node->shape[k] == 0) return false;
        if (node->shape[k] > 1) long_axes++;
    }
    return node->is_fortran && long_axes > 1;
}

const struct ndp_edge *ndp_graph_node_edge(const struct ndp_node *node, enum ndp_edge_role role, uint32_t ordinal) {
    for (uint32_t i = 0; i < node->edge_count; i++)
        if (node->edges[i].role == role && ordinal-- == 0) return &node->edges[i];
    return NULL;
}

uint32_t ndp_graph_node_count_edges(const struct ndp_node *node, enum ndp_edge_role role) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->edge_count; i++) count += node->edges[i].role == role;
    return count;
}

uint32_t ndp_graph_node_calls(const struct ndp_node *node) {
    return ndp_graph_words_is_callable(node->kind) ? node->calls : 0;
}

const struct ndp_array *ndp_graph_node_model(const struct ndp_node *node) {
    const bool is_array = node->kind == NDP_NODE_ARRAY || node->kind == NDP_NODE_VIEW;
    return is_array && node->has_model ? &node->model : NULL;
}

bool ndp_graph_node_is_scalar(const struct ndp_node *node) {
    if (node->kind != NDP_NODE_ARRAY) return false;
    return ndp_bytes_is_word(node->array.class_name, "scalar") ||
           ndp_bytes_is_word(node->observation.class_name, "scalar") ||
           ndp_bytes_is_word(node->model.class_name, "scalar");
}

/* Nodes of a kind that has an identity, without scalars. */
bool ndp_graph_node_has_identity(const struct ndp_node *node) {
    return ndp_graph_words_has_identity(node->kind) && !ndp_graph_node_is_scalar(node);
}
