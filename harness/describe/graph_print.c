/* graph_print.c: recipes and observations of graphs as canonical JSON: empty members and defaults are omitted. */
#include <string.h>

#include "describe/graph_json.h"
#include "describe/json_write.h"

static cJSON *from_role(const struct ndp_node *node, enum ndp_edge_role role) {
    cJSON *list = cJSON_CreateArray();
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < node->edge_count; i++)
        if (node->edges[i].role == role) is_whole = ndp_json_push(list, ndp_json_from_u64(node->edges[i].to));
    return ndp_json_finish(list, is_whole);
}

/* Takes `item`. Copies the key, because it comes from the arena; it contains no NUL. */
static bool put_copied(cJSON *object, struct ndp_bytes name, cJSON *item) {
    char *key = item == NULL ? NULL : cJSON_malloc((size_t)name.size_bytes + 1);
    if (key != NULL) {
        memcpy(key, name.data, (size_t)name.size_bytes);
        key[name.size_bytes] = '\0';
    }
    const bool is_in = key != NULL && cJSON_AddItemToObject(object, key, item);
    cJSON_free(key);
    if (!is_in) cJSON_Delete(item);
    return is_in;
}

static cJSON *from_names(const struct ndp_node *node, enum ndp_edge_role role) {
    cJSON *object = cJSON_CreateObject();
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < node->edge_count; i++)
        if (node->edges[i].role == role)
            is_whole = put_copied(object, node->edges[i].name, ndp_json_from_u64(node->edges[i].to));
    return ndp_json_finish(object, is_whole);
}

static bool put_role(cJSON *object, const char *key, const struct ndp_node *node, enum ndp_edge_role role) {
    if (ndp_graph_node_count_edges(node, role) == 0) return true;
    return ndp_json_put(object, key,
                        ndp_graph_words_edge_is_named(role) ? from_names(node, role) : from_role(node, role));
}

static cJSON *from_edge(const struct ndp_node *node, enum ndp_edge_role role) {
    const struct ndp_edge *edge = ndp_graph_node_edge(node, role, 0);
    return edge == NULL ? cJSON_CreateNull() : ndp_json_from_u64(edge->to);
}

static cJSON *from_dict(const struct ndp_node *node) {
    cJSON *list = cJSON_CreateArray();
    uint32_t count = ndp_graph_node_count_edges(node, NDP_EDGE_KEY);
    for (uint32_t i = 0; i < count && list != NULL; i++) {
        cJSON *pair = cJSON_CreateArray();
        const struct ndp_edge *key = ndp_graph_node_edge(node, NDP_EDGE_KEY, i);
        const struct ndp_edge *value = ndp_graph_node_edge(node, NDP_EDGE_VALUE, i);
        if (ndp_json_push(list, pair) && ndp_json_push(pair, ndp_json_from_u64(key->to)) && value != NULL &&
            ndp_json_push(pair, ndp_json_from_u64(value->to)))
            continue;
        cJSON_Delete(list);
        return NULL;
    }
    return list;
}

static cJSON *from_function(const struct ndp_node *node) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(object,
                           ndp_json_put(object, "code", cJSON_CreateString(ndp_graph_words_code(node->code))) &&
                               ndp_json_put(object, "name", ndp_json_from_text(node->name)) &&
                               put_role(object, "cells", node, NDP_EDGE_CELL) &&
                               put_role(object, "defaults", node, NDP_EDGE_DEFAULT) &&
                               put_role(object, "kwdefaults", node, NDP_EDGE_KWDEFAULT) &&
                               put_role(object, "attributes", node, NDP_EDGE_ATTRIBUTE) &&
                               (ndp_graph_node_edge(node, NDP_EDGE_GLOBALS, 0) == NULL ||
                                ndp_json_put(object, "globals", from_edge(node, NDP_EDGE_GLOBALS))) &&
                               (!node->is_importable || ndp_json_put(object, "importable", cJSON_CreateTrue())));
}

static cJSON *from_excluded(const struct ndp_node *node) {
    int64_t places[NDP_MAX_EXCLUDED];
    for (uint32_t i = 0; i < node->excluded_count; i++) places[i] = node->excluded[i];
    return ndp_json_from_extents(places, node->excluded_count);
}

static cJSON *from_caller(const struct ndp_node *node) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(
        object, ndp_json_put(object, "function", from_edge(node, NDP_EDGE_FUNCTION)) &&
                    (node->kind != NDP_NODE_METHOD || ndp_json_put(object, "self", from_edge(node, NDP_EDGE_SELF))) &&
                    put_role(object, "args", node, NDP_EDGE_ARGUMENT) &&
                    put_role(object, "keywords", node, NDP_EDGE_KEYWORD) &&
                    (!node->has_otypes || ndp_json_put(object, "otypes", ndp_json_from_text(node->otypes))) &&
                    (node->excluded_count == 0 || ndp_json_put(object, "excluded", from_excluded(node))) &&
                    (!node->has_signature || ndp_json_put(object, "signature", ndp_json_from_text(node->signature))) &&
                    (node->calls == 0 || ndp_json_put(object, "calls", ndp_json_from_u64(node->calls))));
}

static cJSON *from_kept(const struct ndp_node *node) {
    cJSON *list = cJSON_CreateArray();
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < node->keep_count; i++)
        is_whole = ndp_json_push(list, ndp_json_from_text(node->keep[i]));
    return ndp_json_finish(list, is_whole);
}

cJSON *ndp_graph_instance_to_json(const struct ndp_node *node) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(object, ndp_json_put(object, "import", ndp_json_from_text(node->import)) &&
                                       put_role(object, "args", node, NDP_EDGE_ARGUMENT) &&
                                       put_role(object, "keywords", node, NDP_EDGE_KEYWORD) &&
                                       (node->has_contents
                                            ? put_role(object, "keep", node, NDP_EDGE_KEPT)
                                            : node->keep_count == 0 || ndp_json_put(object, "keep", from_kept(node))));
}

static cJSON *from_string_dtype(const struct ndp_node *node) {
    cJSON *object = cJSON_CreateObject(), *dtype = cJSON_CreateObject();
    const bool is_whole = ndp_json_put(object, "string", dtype) &&
                          (ndp_graph_node_edge(node, NDP_EDGE_NA, 0) == NULL ||
                           ndp_json_put(dtype, "na_object", from_edge(node, NDP_EDGE_NA))) &&
                          (!node->is_strict || ndp_json_put(dtype, "coerce", cJSON_CreateFalse()));
    return ndp_json_finish(object, is_whole);
}

static cJSON *from_objects(const struct ndp_node *node) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(
        object, ndp_json_put(object, "shape", ndp_json_from_extents(node->shape, node->ndim)) &&
                    ndp_json_put(object, "items", from_role(node, NDP_EDGE_ITEM)) &&
                    (!ndp_graph_node_is_fortran(node) || ndp_json_put(object, "order", cJSON_CreateString("F"))) &&
                    (!node->is_string || ndp_json_put(object, "dtype", from_string_dtype(node))));
}

static cJSON *from_view(const struct ndp_node *node) {
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(object, ndp_json_put(object, "of", from_edge(node, NDP_EDGE_OF)) &&
                                       ndp_value_views_put_json(object, &node->array));
}

static cJSON *from_kind(const struct ndp_node *node, bool with_data) {
    switch (node->kind) {
    case NDP_NODE_NONE:
        return cJSON_CreateTrue();
    case NDP_NODE_BOOL:
        return cJSON_CreateBool(node->truth);
    case NDP_NODE_INT:
    case NDP_NODE_TEXT:
    case NDP_NODE_OTHER:
        return ndp_json_from_text(node->text);
    case NDP_NODE_FLOAT:
    case NDP_NODE_BYTES:
        return ndp_json_from_hex(node->text);
    case NDP_NODE_TUPLE:
    case NDP_NODE_LIST:
        return from_role(node, NDP_EDGE_ITEM);
    case NDP_NODE_DICT:
        return from_dict(node);
    case NDP_NODE_ARRAY:
        return ndp_value_array_to_json(&node->array, with_data);
    case NDP_NODE_VIEW:
        return from_view(node);
    case NDP_NODE_OBJECTS:
        return from_objects(node);
    case NDP_NODE_FUNCTION:
        return from_function(node);
    case NDP_NODE_CELL:
        return from_edge(node, NDP_EDGE_CONTENT);
    case NDP_NODE_GLOBALS:
        return from_names(node, NDP_EDGE_ENTRY);
    case NDP_NODE_METHOD:
    case NDP_NODE_PARTIAL:
    case NDP_NODE_VECTORIZE:
    case NDP_NODE_FROMPYFUNC:
        return from_caller(node);
    case NDP_NODE_INSTANCE:
        return ndp_graph_instance_to_json(node);
    case NDP_NODE_COUNT:
        break;
    }
    return NULL;
}

static bool put_place(cJSON *object, const struct ndp_node *node, uint64_t *binary_bytes) {
    if (binary_bytes == NULL) return true;
    const int64_t place[] = {(int64_t)*binary_bytes, (int64_t)node->data.size_bytes};
    *binary_bytes += node->data.size_bytes;
    return ndp_json_put(object, "data", ndp_json_from_extents(place, 2));
}

/* Puts the members of an array other than its elements, in recipes and observations alike. */
static bool put_extras(cJSON *object, const struct ndp_node *node) {
    return put_role(object, "attributes", node, NDP_EDGE_ATTRIBUTE) &&
           (ndp_graph_node_edge(node, NDP_EDGE_MASK, 0) == NULL ||
            ndp_json_put(object, "mask", from_edge(node, NDP_EDGE_MASK))) &&
           (node->fill_value.size_bytes == 0 ||
            ndp_json_put(object, "fill_value", ndp_json_from_hex(node->fill_value))) &&
           (!node->has_hard_mask || ndp_json_put(object, "hard_mask", cJSON_CreateTrue()));
}

static cJSON *from_node(const struct ndp_node *node, uint64_t *binary_bytes) {
    cJSON *object = cJSON_CreateObject();
    bool is_whole = ndp_json_put(object, ndp_graph_words_node(node->kind), from_kind(node, binary_bytes == NULL));
    if (node->kind != NDP_NODE_ARRAY) return ndp_json_finish(object, is_whole);
    return ndp_json_finish(object, is_whole && put_place(object, node, binary_bytes) && put_extras(object, node));
}

cJSON *ndp_graph_to_json(const struct ndp_graph *graph, uint64_t *binary_bytes) {
    cJSON *object = cJSON_CreateObject();
    bool is_whole = ndp_json_put(object, "root", ndp_json_from_u64(graph->root));
    cJSON *nodes = is_whole ? cJSON_CreateArray() : NULL;
    is_whole = is_whole && ndp_json_put(object, "nodes", nodes);
    for (uint32_t i = 0; is_whole && i < graph->count; i++)
        is_whole = ndp_json_push(nodes, from_node(&graph->nodes[i], binary_bytes));
    return ndp_json_finish(object, is_whole);
}

/* Observations. */

static cJSON *from_seen_array(const struct ndp_node *node, ndp_graph_member_printer *print, void *context) {
    const int64_t memory[] = {node->memory_group, node->memory_offset_bytes};
    const bool is_broken = node->trouble.size_bytes > 0;
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(
        object, ndp_json_put(object, "array", print(context, node)) &&
                    ndp_json_put(object, "class", ndp_json_from_text(node->observation.class_name)) &&
                    put_extras(object, node) &&
                    ndp_json_put(object, "whole", is_broken ? ndp_json_from_text(node->trouble) : cJSON_CreateTrue()) &&
                    (!node->has_memory || ndp_json_put(object, "memory", ndp_json_from_extents(memory, 2))) &&
                    (!node->is_sent || ndp_json_put(object, "sent", cJSON_CreateTrue())));
}

static cJSON *from_results(const struct ndp_node *node) {
    cJSON *list = cJSON_CreateArray();
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < node->result_count; i++)
        is_whole = ndp_json_push(list, ndp_json_from_text(node->results[i]));
    return ndp_json_finish(list, is_whole);
}

/* An observation identifies a ufunc made of a function by name only. */
static cJSON *from_seen_kind(const struct ndp_node *node) {
    if (node->kind != NDP_NODE_FROMPYFUNC) {
        struct ndp_node seen = *node;
        if (ndp_graph_words_is_callable(seen.kind)) seen.calls = 0; /* calls cannot be observed */
        return from_kind(&seen, false);
    }
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(object, ndp_json_put(object, "name", ndp_json_from_text(node->name)));
}

static cJSON *from_seen(const struct ndp_node *node, ndp_graph_member_printer *print, void *context) {
    if (node->kind == NDP_NODE_ARRAY) return from_seen_array(node, print, context);
    cJSON *object = cJSON_CreateObject();
    return ndp_json_finish(object, ndp_json_put(object, ndp_graph_words_node(node->kind), from_seen_kind(node)) &&
                                       (!ndp_graph_words_is_callable(node->kind) || node->result_count == 0 ||
                                        ndp_json_put(object, "results", from_results(node))) &&
                                       (!node->is_sent || ndp_json_put(object, "sent", cJSON_CreateTrue())));
}

cJSON *ndp_graph_observed_to_json(const struct ndp_graph *graph, ndp_graph_member_printer *print, void *context) {
    cJSON *object = cJSON_CreateObject();
    cJSON *nodes = cJSON_CreateArray();
    bool is_whole = ndp_json_put(object, "nodes", nodes);
    for (uint32_t i = 0; is_whole && i < graph->count; i++)
        is_whole = ndp_json_push(nodes, from_seen(&graph->nodes[i], print, context));
    return ndp_json_finish(object, is_whole);
}
