#include "describe/graph_json.h"

#include <string.h>

#include "base/byteorder.h"
#include "describe/json_write.h"
#include "model/graph/import_path.h"

enum { MAX_TEXT_BYTES = 1 << 16 };

/* State shared by the readers of one node. */
struct node_reader {
    struct ndp_json_reader *json;
    uint32_t node_count;
    struct ndp_graph_members members;
    struct ndp_node *node;
    struct ndp_edge edges[NDP_MAX_EDGES];
    uint32_t edge_count;
};

static bool is_observation(const struct node_reader *r) {
    return r->members.observed != NULL;
}

static enum ndp_status add_edge(struct node_reader *r, enum ndp_edge_role role, const char *name, const cJSON *item) {
    struct ndp_edge edge = {.role = role};
    if (r->edge_count == NDP_MAX_EDGES) return ndp_json_blame(r->json, item, NDP_LIMIT, "over %d edges", NDP_MAX_EDGES);
    NDP_TRY(ndp_json_at(r->json, item, ndp_json_u32(item, UINT16_MAX, &edge.to, r->json->error)));
    if (edge.to >= r->node_count) return ndp_json_blame(r->json, item, NDP_INVALID, "node %u does not exist", edge.to);
    if (name != NULL) {
        const uint64_t size_bytes = strlen(name);
        const uint8_t *copy = ndp_arena_copy(r->json->arena, name, size_bytes);
        if (copy == NULL) return ndp_json_blame(r->json, item, NDP_NOMEM, "no memory for a name");
        edge.name = (struct ndp_bytes){copy, size_bytes};
    }
    r->edges[r->edge_count++] = edge;
    return NDP_OK;
}

/* Reads a list of nodes; NULL is an empty list. */
static enum ndp_status read_list(struct node_reader *r, enum ndp_edge_role role, const cJSON *list) {
    if (list == NULL) return NDP_OK;
    if (!cJSON_IsArray(list)) return ndp_json_blame(r->json, list, NDP_INVALID, "expected a list of nodes");
    for (const cJSON *item = list->child; item != NULL; item = item->next) NDP_TRY(add_edge(r, role, NULL, item));
    return NDP_OK;
}

static enum ndp_status read_named(struct node_reader *r, enum ndp_edge_role role, const cJSON *object) {
    if (object == NULL) return NDP_OK;
    if (!cJSON_IsObject(object))
        return ndp_json_blame(r->json, object, NDP_INVALID, "expected an object of nodes by name");
    for (const cJSON *item = object->child; item != NULL; item = item->next) {
        for (const cJSON *before = object->child; before != item; before = before->next) {
            if (!ndp_bytes_word_is(before->string, item->string)) continue;
            return ndp_json_blame(r->json, item, NDP_INVALID, "duplicate name");
        }
        NDP_TRY(add_edge(r, role, item->string, item));
    }
    return NDP_OK;
}

static enum ndp_status read_required_edge(struct node_reader *r, enum ndp_edge_role role, const cJSON *object,
                                          const cJSON *item) {
    if (item == NULL) return ndp_json_blame(r->json, object, NDP_INVALID, "missing \"%s\"", ndp_graph_words_edge(role));
    return add_edge(r, role, NULL, item);
}

static enum ndp_status read_dict(struct node_reader *r, const cJSON *list) {
    if (!cJSON_IsArray(list)) return ndp_json_blame(r->json, list, NDP_INVALID, "expected a list of pairs");
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2)
            return ndp_json_blame(r->json, item, NDP_INVALID, "expected a pair of key and value");
        NDP_TRY(add_edge(r, NDP_EDGE_KEY, NULL, item->child));
        NDP_TRY(add_edge(r, NDP_EDGE_VALUE, NULL, item->child->next));
    }
    return NDP_OK;
}

static enum ndp_status read_hex(struct node_reader *r, const cJSON *item, struct ndp_bytes *out) {
    if (!cJSON_IsString(item)) return ndp_json_blame(r->json, item, NDP_INVALID, "expected hexadecimal digits");
    return ndp_json_at(r->json, item, ndp_hex_read(r->json->arena, item->valuestring, out, r->json->error));
}

static enum ndp_status read_text(struct node_reader *r, const cJSON *item, struct ndp_bytes *out) {
    NDP_TRY(ndp_json_at(r->json, item, ndp_json_text(r->json->arena, item, out, r->json->error)));
    if (out->size_bytes <= MAX_TEXT_BYTES) return NDP_OK;
    return ndp_json_blame(r->json, item, NDP_LIMIT, "the text exceeds %d bytes", MAX_TEXT_BYTES);
}

static enum ndp_status read_flag(struct node_reader *r, const cJSON *item, bool *out) {
    if (item == NULL) return NDP_OK;
    return ndp_json_at(r->json, item, ndp_json_bool(item, out, r->json->error));
}

/* Reads canonical decimal digits with an optional minus sign. */
static enum ndp_status read_int(struct node_reader *r, const cJSON *item, struct ndp_bytes *out) {
    NDP_TRY(read_text(r, item, out));
    uint64_t first = out->size_bytes > 0 && out->data[0] == '-';
    bool is_right = out->size_bytes > first && (out->data[first] != '0' || out->size_bytes == 1);
    for (uint64_t i = first; is_right && i < out->size_bytes; i++) is_right = ndp_bytes_is_digit(out->data[i]);
    return is_right ? NDP_OK : ndp_json_blame(r->json, item, NDP_INVALID, "expected decimal digits");
}

static enum ndp_status read_float(struct node_reader *r, const cJSON *item, struct ndp_bytes *out) {
    NDP_TRY(read_hex(r, item, out));
    if (out->size_bytes == 8) return NDP_OK;
    return ndp_json_blame(r->json, item, NDP_INVALID, "expected the eight bytes of a float");
}

static enum ndp_status read_view(struct node_reader *r, const cJSON *object) {
    static const char *const keys[] = {"of", "views"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(r->json, object, keys, NDP_ARRAY_LEN(keys), member));
    NDP_TRY(read_required_edge(r, NDP_EDGE_OF, object, member[0]));
    if (member[1] == NULL) return NDP_OK;
    return ndp_value_views_read_json(r->json, member[1], &r->node->array);
}

/* {"string": {"na_object": EDGE, "coerce": false}} */
static enum ndp_status read_string_dtype(struct node_reader *r, const cJSON *object) {
    static const char *const dtype_keys[] = {"string"}, *const keys[] = {"na_object", "coerce"};
    const cJSON *dtype = NULL, *member[NDP_ARRAY_LEN(keys)];
    bool coerces = true;
    NDP_TRY(ndp_json_members(r->json, object, dtype_keys, NDP_ARRAY_LEN(dtype_keys), &dtype));
    if (dtype == NULL) return ndp_json_blame(r->json, object, NDP_INVALID, "missing \"string\"");
    NDP_TRY(ndp_json_members(r->json, dtype, keys, NDP_ARRAY_LEN(keys), member));
    NDP_TRY(read_flag(r, member[1], &coerces));
    r->node->is_string = true;
    r->node->is_strict = !coerces;
    return member[0] == NULL ? NDP_OK : add_edge(r, NDP_EDGE_NA, NULL, member[0]);
}

static enum ndp_status read_objects(struct node_reader *r, const cJSON *object) {
    static const char *const keys[] = {"shape", "items", "order", "dtype"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    enum ndp_memory_order order = NDP_MEMORY_C;
    NDP_TRY(ndp_json_members(r->json, object, keys, NDP_ARRAY_LEN(keys), member));
    if (member[0] == NULL) return ndp_json_blame(r->json, object, NDP_INVALID, "missing \"shape\"");
    NDP_TRY(ndp_json_extents(r->json, member[0], 0, NDP_MAX_NDIM, &r->node->shape, &r->node->ndim));
    if (member[2] != NULL) NDP_TRY(ndp_value_memory_order_read_json(r->json, member[2], &order));
    r->node->is_fortran = order == NDP_MEMORY_F;
    NDP_TRY(read_list(r, NDP_EDGE_ITEM, member[1]));
    return member[3] == NULL ? NDP_OK : read_string_dtype(r, member[3]);
}

static enum ndp_status read_code(struct node_reader *r, const cJSON *object, const cJSON *item, enum ndp_code *out) {
    for (uint32_t i = 0; cJSON_IsString(item) && i < NDP_CODE_COUNT; i++) {
        if (!ndp_bytes_word_is(item->valuestring, ndp_graph_words_code((enum ndp_code)i))) continue;
        *out = (enum ndp_code)i;
        return NDP_OK;
    }
    return ndp_json_blame(r->json, item != NULL ? item : object, NDP_INVALID, "expected the name of a code");
}

static enum ndp_status read_function(struct node_reader *r, const cJSON *object) {
    static const char *const keys[] = {"code",       "name",       "cells",   "defaults",
                                       "kwdefaults", "attributes", "globals", "importable"};
    enum { CODE, NAME, CELLS, DEFAULTS, KWDEFAULTS, ATTRIBUTES, GLOBALS, IMPORTABLE };
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(r->json, object, keys, NDP_ARRAY_LEN(keys), member));
    NDP_TRY(read_code(r, object, member[CODE], &r->node->code));
    if (member[NAME] == NULL) return ndp_json_blame(r->json, object, NDP_INVALID, "missing \"name\"");
    NDP_TRY(read_text(r, member[NAME], &r->node->name));
    NDP_TRY(read_list(r, NDP_EDGE_CELL, member[CELLS]));
    NDP_TRY(read_list(r, NDP_EDGE_DEFAULT, member[DEFAULTS]));
    NDP_TRY(read_named(r, NDP_EDGE_KWDEFAULT, member[KWDEFAULTS]));
    NDP_TRY(read_named(r, NDP_EDGE_ATTRIBUTE, member[ATTRIBUTES]));
    if (member[GLOBALS] != NULL) NDP_TRY(add_edge(r, NDP_EDGE_GLOBALS, NULL, member[GLOBALS]));
    return read_flag(r, member[IMPORTABLE], &r->node->is_importable);
}

static enum ndp_status read_method(struct node_reader *r, const cJSON *object) {
    static const char *const keys[] = {"function", "self"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(r->json, object, keys, NDP_ARRAY_LEN(keys), member));
    NDP_TRY(read_required_edge(r, NDP_EDGE_FUNCTION, object, member[0]));
    return read_required_edge(r, NDP_EDGE_SELF, object, member[1]);
}

static enum ndp_status read_partial(struct node_reader *r, const cJSON *object) {
    static const char *const keys[] = {"function", "args", "keywords"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(r->json, object, keys, NDP_ARRAY_LEN(keys), member));
    NDP_TRY(read_required_edge(r, NDP_EDGE_FUNCTION, object, member[0]));
    NDP_TRY(read_list(r, NDP_EDGE_ARGUMENT, member[1]));
    return read_named(r, NDP_EDGE_KEYWORD, member[2]);
}

static bool is_there(const cJSON *item) {
    return item != NULL && !cJSON_IsNull(item);
}

static enum ndp_status read_excluded(struct node_reader *r, const cJSON *list) {
    struct ndp_node *node = r->node;
    if (!cJSON_IsArray(list))
        return ndp_json_blame(r->json, list, NDP_INVALID, "expected a list of argument positions");
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (node->excluded_count == NDP_MAX_EXCLUDED) return ndp_json_blame(r->json, item, NDP_LIMIT, "too many");
        uint32_t *place = &node->excluded[node->excluded_count++];
        NDP_TRY(ndp_json_at(r->json, item, ndp_json_u32(item, UINT16_MAX, place, r->json->error)));
    }
    return NDP_OK;
}

static enum ndp_status read_calls(struct node_reader *r, const cJSON *item) {
    if (item == NULL) return NDP_OK;
    return ndp_json_at(r->json, item, ndp_json_u32(item, NDP_MAX_CALLS, &r->node->calls, r->json->error));
}

static enum ndp_status read_vectorize(struct node_reader *r, const cJSON *object) {
    static const char *const keys[] = {"function", "otypes", "excluded", "signature", "calls"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    struct ndp_node *node = r->node;
    NDP_TRY(ndp_json_members(r->json, object, keys, NDP_ARRAY_LEN(keys), member));
    NDP_TRY(read_required_edge(r, NDP_EDGE_FUNCTION, object, member[0]));
    node->has_otypes = is_there(member[1]);
    if (node->has_otypes) NDP_TRY(read_text(r, member[1], &node->otypes));
    if (is_there(member[2])) NDP_TRY(read_excluded(r, member[2]));
    node->has_signature = is_there(member[3]);
    if (node->has_signature) NDP_TRY(read_text(r, member[3], &node->signature));
    return read_calls(r, member[4]);
}

static enum ndp_status read_import(struct node_reader *r, const cJSON *object, const cJSON *item) {
    if (item == NULL) return ndp_json_blame(r->json, object, NDP_INVALID, "missing \"import\"");
    NDP_TRY(read_text(r, item, &r->node->import));
    if (is_observation(r) || ndp_import_path_is_valid(r->node->import)) return NDP_OK;
    return ndp_json_blame(r->json, item, NDP_INVALID, "expected an import path, \"package.module:Name\"");
}

static enum ndp_status read_kept(struct node_reader *r, const cJSON *list) {
    struct ndp_bytes names[NDP_MAX_KEPT];
    uint32_t count = 0;
    if (list == NULL) return NDP_OK;
    if (!cJSON_IsArray(list)) return ndp_json_blame(r->json, list, NDP_INVALID, "expected a list of names");
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (count == NDP_MAX_KEPT) return ndp_json_blame(r->json, item, NDP_LIMIT, "over %d names", NDP_MAX_KEPT);
        NDP_TRY(read_text(r, item, &names[count]));
        if (!ndp_import_path_is_kept_name(names[count++]))
            return ndp_json_blame(r->json, item, NDP_INVALID,
                                  "expected an attribute, \"name\", or a method, \"name()\"");
    }
    r->node->keep = ndp_arena_copy(r->json->arena, names, count * sizeof *names);
    r->node->keep_count = count;
    return r->node->keep != NULL ? NDP_OK : ndp_json_blame(r->json, list, NDP_NOMEM, "no memory for names");
}

/* A recipe contains a call and the names of what must survive, an observation the class and what survived. */
static enum ndp_status read_instance(struct node_reader *r, const cJSON *object) {
    static const char *const keys[] = {"import", "keep", "args", "keywords"};
    const cJSON *member[NDP_ARRAY_LEN(keys)] = {NULL};
    NDP_TRY(ndp_json_members(r->json, object, keys, is_observation(r) ? 2 : NDP_ARRAY_LEN(keys), member));
    NDP_TRY(read_import(r, object, member[0]));
    r->node->has_contents = is_observation(r);
    if (is_observation(r)) return read_named(r, NDP_EDGE_KEPT, member[1]);
    NDP_TRY(read_list(r, NDP_EDGE_ARGUMENT, member[2]));
    NDP_TRY(read_named(r, NDP_EDGE_KEYWORD, member[3]));
    return read_kept(r, member[1]);
}

/* A recipe contains the function and its arity, an observation only the name. */
static enum ndp_status read_frompyfunc(struct node_reader *r, const cJSON *object) {
    if (is_observation(r)) {
        static const char *const observed_keys[] = {"name"};
        const cJSON *name;
        NDP_TRY(ndp_json_members(r->json, object, observed_keys, 1, &name));
        if (name == NULL) return ndp_json_blame(r->json, object, NDP_INVALID, "missing \"name\"");
        return read_text(r, name, &r->node->name);
    }
    static const char *const keys[] = {"function", "calls"};
    const cJSON *member[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(r->json, object, keys, NDP_ARRAY_LEN(keys), member));
    NDP_TRY(read_required_edge(r, NDP_EDGE_FUNCTION, object, member[0]));
    return read_calls(r, member[1]);
}

static enum ndp_status read_results(struct node_reader *r, const cJSON *list) {
    struct ndp_node *node = r->node;
    if (list == NULL) return NDP_OK;
    if (!cJSON_IsArray(list) || !ndp_graph_words_is_callable(node->kind) || !is_observation(r))
        return ndp_json_blame(r->json, list, NDP_INVALID, "results need \"function\" or \"vectorize\"");
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (node->result_count == NDP_MAX_RESULTS) return ndp_json_blame(r->json, item, NDP_LIMIT, "too many results");
        NDP_TRY(read_text(r, item, &node->results[node->result_count++]));
    }
    return NDP_OK;
}

static enum ndp_status read_memory(struct node_reader *r, const cJSON *item) {
    const int64_t *memory;
    uint32_t count;
    NDP_TRY(ndp_json_extents(r->json, item, INT64_MIN, 2, &memory, &count));
    /* half the range, so that distances fit as well */
    const int64_t furthest = INT64_MAX / 2;
    if (count != 2 || memory[0] < 0 || memory[0] > UINT32_MAX || memory[1] < -furthest || memory[1] > furthest)
        return ndp_json_blame(r->json, item, NDP_INVALID, "expected [memory, offset]");
    r->node->has_memory = true;
    r->node->memory_group = (uint32_t)memory[0];
    r->node->memory_offset_bytes = memory[1];
    return NDP_OK;
}

static enum ndp_status read_whole(struct node_reader *r, const cJSON *item) {
    if (cJSON_IsTrue(item)) return NDP_OK;
    NDP_TRY(read_text(r, item, &r->node->trouble));
    if (r->node->trouble.size_bytes > 0) return NDP_OK;
    return ndp_json_blame(r->json, item, NDP_INVALID, "expected true or the text of an error");
}

static enum ndp_status read_data(struct node_reader *r, const cJSON *object, const cJSON *data) {
    if (r->members.data == NULL) return NDP_OK;
    if (data == NULL) return ndp_json_blame(r->json, object, NDP_INVALID, "missing \"data\"");
    return r->members.data(r->members.context, data, r->node);
}

/* Reads the members of an array node, except the array of an observation. */
static enum ndp_status read_array_node(struct node_reader *r, const cJSON *object) {
    static const char *const keys[] = {"array", "attributes", "mask", "fill_value", "hard_mask", "data"};
    static const char *const observed_keys[] = {"array", "attributes", "mask",   "fill_value", "hard_mask",
                                                "class", "whole",      "memory", "sent"};
    enum { ARRAY, ATTRIBUTES, MASK, FILL_VALUE, HARD_MASK, DATA, CLASS = DATA, WHOLE, MEMORY, SENT };
    const cJSON *member[NDP_ARRAY_LEN(observed_keys)] = {NULL};
    struct ndp_node *node = r->node;
    const uint32_t recipe_keys = r->members.data != NULL ? DATA + 1 : DATA;
    NDP_TRY(is_observation(r) ? ndp_json_members(r->json, object, observed_keys, NDP_ARRAY_LEN(observed_keys), member)
                              : ndp_json_members(r->json, object, keys, recipe_keys, member));
    NDP_TRY(read_named(r, NDP_EDGE_ATTRIBUTE, member[ATTRIBUTES]));
    if (is_there(member[MASK])) NDP_TRY(add_edge(r, NDP_EDGE_MASK, NULL, member[MASK]));
    if (is_there(member[FILL_VALUE])) NDP_TRY(read_hex(r, member[FILL_VALUE], &node->fill_value));
    NDP_TRY(read_flag(r, member[HARD_MASK], &node->has_hard_mask));
    if (!is_observation(r)) {
        NDP_TRY(ndp_value_array_read_json(r->json, member[ARRAY], &node->array));
        return read_data(r, object, member[DATA]);
    }
    if (member[WHOLE] == NULL) return ndp_json_blame(r->json, object, NDP_INVALID, "missing \"whole\"");
    NDP_TRY(read_whole(r, member[WHOLE]));
    if (member[MEMORY] != NULL) NDP_TRY(read_memory(r, member[MEMORY]));
    NDP_TRY(read_flag(r, member[SENT], &node->is_sent));
    NDP_TRY(r->members.observed(r->members.context, member[ARRAY], node));
    if (member[CLASS] == NULL) return NDP_OK;
    return read_text(r, member[CLASS], &node->observation.class_name);
}

/* Reads the value of the key that names the kind. */
static enum ndp_status read_kind(struct node_reader *r, const cJSON *item) {
    struct ndp_node *node = r->node;
    switch (node->kind) {
    case NDP_NODE_NONE:
        return cJSON_IsTrue(item) ? NDP_OK : ndp_json_blame(r->json, item, NDP_INVALID, "expected true");
    case NDP_NODE_BOOL:
        return read_flag(r, item, &node->truth);
    case NDP_NODE_INT:
        return read_int(r, item, &node->text);
    case NDP_NODE_FLOAT:
        return read_float(r, item, &node->text);
    case NDP_NODE_TEXT:
    case NDP_NODE_OTHER:
        return read_text(r, item, &node->text);
    case NDP_NODE_BYTES:
        return read_hex(r, item, &node->text);
    case NDP_NODE_TUPLE:
    case NDP_NODE_LIST:
        return read_list(r, NDP_EDGE_ITEM, item);
    case NDP_NODE_DICT:
        return read_dict(r, item);
    case NDP_NODE_VIEW:
        return read_view(r, item);
    case NDP_NODE_OBJECTS:
        return read_objects(r, item);
    case NDP_NODE_FUNCTION:
        return read_function(r, item);
    case NDP_NODE_CELL:
        return cJSON_IsNull(item) ? NDP_OK : add_edge(r, NDP_EDGE_CONTENT, NULL, item);
    case NDP_NODE_GLOBALS:
        return read_named(r, NDP_EDGE_ENTRY, item);
    case NDP_NODE_METHOD:
        return read_method(r, item);
    case NDP_NODE_PARTIAL:
        return read_partial(r, item);
    case NDP_NODE_VECTORIZE:
        return read_vectorize(r, item);
    case NDP_NODE_FROMPYFUNC:
        return read_frompyfunc(r, item);
    case NDP_NODE_INSTANCE:
        return read_instance(r, item);
    case NDP_NODE_ARRAY:
    case NDP_NODE_COUNT:
        break;
    }
    return ndp_json_blame(r->json, item, NDP_INVALID, "unknown kind of node");
}

static bool find_kind(const cJSON *object, enum ndp_node_kind *out) {
    const cJSON *child = cJSON_IsObject(object) ? object->child : NULL;
    for (; child != NULL; child = child->next) {
        for (uint32_t i = 0; i < NDP_NODE_COUNT; i++) {
            if (!ndp_bytes_word_is(child->string, ndp_graph_words_node((enum ndp_node_kind)i))) continue;
            /* An observed array has a member of that name. */
            if (i == NDP_NODE_INSTANCE && cJSON_GetObjectItemCaseSensitive(object, "array") != NULL) continue;
            *out = (enum ndp_node_kind)i;
            return true;
        }
    }
    return false;
}

static enum ndp_status read_node(struct node_reader *r, const cJSON *object) {
    const bool is_observed = is_observation(r);
    if (!find_kind(object, &r->node->kind) || (is_observed && r->node->kind == NDP_NODE_VIEW) ||
        (!is_observed && r->node->kind == NDP_NODE_OTHER)) {
        return ndp_json_blame(r->json, object, NDP_INVALID, "expected a node of a graph");
    }
    r->edge_count = 0;
    if (r->node->kind == NDP_NODE_ARRAY) {
        NDP_TRY(read_array_node(r, object));
    } else {
        const char *keys[] = {ndp_graph_words_node(r->node->kind), "results", "sent"};
        const cJSON *member[NDP_ARRAY_LEN(keys)];
        NDP_TRY(ndp_json_members(r->json, object, keys, is_observed ? NDP_ARRAY_LEN(keys) : 1, member));
        NDP_TRY(read_kind(r, member[0]));
        if (is_observed) NDP_TRY(read_results(r, member[1]));
        if (is_observed) NDP_TRY(read_flag(r, member[2], &r->node->is_sent));
    }
    const struct ndp_edge *edges = ndp_arena_copy(r->json->arena, r->edges, r->edge_count * sizeof *edges);
    if (edges == NULL) return ndp_json_blame(r->json, object, NDP_NOMEM, "no memory for edges");
    r->node->edges = edges;
    r->node->edge_count = r->edge_count;
    return NDP_OK;
}

enum ndp_status ndp_graph_read_json(struct ndp_json_reader *reader, const cJSON *object,
                                    const struct ndp_graph_members *members, struct ndp_graph *out) {
    static const char *const keys[] = {"nodes", "root"};
    const cJSON *member[NDP_ARRAY_LEN(keys)] = {NULL};
    const struct ndp_graph_members none = {0};
    struct ndp_graph graph = {0};
    if (members == NULL) members = &none;
    NDP_TRY(ndp_json_members(reader, object, keys, members->observed != NULL ? 1 : 2, member));
    if (!cJSON_IsArray(member[0])) return ndp_json_blame(reader, object, NDP_INVALID, "a graph needs \"nodes\"");
    int count = cJSON_GetArraySize(member[0]);
    if (count < 1 || count > NDP_MAX_NODES)
        return ndp_json_blame(reader, member[0], NDP_INVALID, "a graph has 1 to %d nodes", NDP_MAX_NODES);
    graph.count = (uint32_t)count;
    if (member[1] != NULL)
        NDP_TRY(ndp_json_at(reader, member[1], ndp_json_u32(member[1], graph.count - 1, &graph.root, reader->error)));
    struct ndp_node *nodes = NDP_ARENA_ITEMS(reader->arena, struct ndp_node, graph.count);
    if (nodes == NULL) return ndp_json_blame(reader, object, NDP_NOMEM, "no memory for nodes");
    struct node_reader r; /* a first pass over the edges only counts them */
    r.json = reader;
    r.node_count = graph.count;
    r.members = *members;
    r.node = nodes;
    r.edge_count = 0;
    for (const cJSON *item = member[0]->child; item != NULL; item = item->next) {
        NDP_TRY(read_node(&r, item));
        r.node++;
    }
    graph.nodes = nodes;
    *out = graph;
    return NDP_OK;
}
