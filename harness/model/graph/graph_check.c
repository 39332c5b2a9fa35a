#include "model/graph/graph.h"

#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "model/graph/array_class.h"
#include "model/graph/import_path.h"
#include "model/masked.h"

static enum ndp_status graph_check_fail(struct ndp_error *error, uint32_t number, const char *what) {
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "nodes[%u]: %s", number, what);
}

/* The roles of a kind, with the least and greatest number of edges of each. */
struct role_rule {
    enum ndp_node_kind kind;
    enum ndp_edge_role role;
    uint32_t least;
    uint32_t most;
};

static const struct role_rule rules[] = {
    {NDP_NODE_TUPLE, NDP_EDGE_ITEM, 0, NDP_MAX_EDGES},
    {NDP_NODE_LIST, NDP_EDGE_ITEM, 0, NDP_MAX_EDGES},
    {NDP_NODE_DICT, NDP_EDGE_KEY, 0, NDP_MAX_EDGES},
    {NDP_NODE_DICT, NDP_EDGE_VALUE, 0, NDP_MAX_EDGES},
    {NDP_NODE_ARRAY, NDP_EDGE_ATTRIBUTE, 0, NDP_MAX_EDGES},
    {NDP_NODE_ARRAY, NDP_EDGE_MASK, 0, 1},
    {NDP_NODE_VIEW, NDP_EDGE_OF, 1, 1},
    {NDP_NODE_OBJECTS, NDP_EDGE_ITEM, 0, NDP_MAX_EDGES},
    {NDP_NODE_OBJECTS, NDP_EDGE_NA, 0, 1},
    {NDP_NODE_CELL, NDP_EDGE_CONTENT, 0, 1},
    {NDP_NODE_GLOBALS, NDP_EDGE_ENTRY, 0, NDP_MAX_EDGES},
    {NDP_NODE_METHOD, NDP_EDGE_FUNCTION, 1, 1},
    {NDP_NODE_METHOD, NDP_EDGE_SELF, 1, 1},
    {NDP_NODE_PARTIAL, NDP_EDGE_FUNCTION, 1, 1},
    {NDP_NODE_PARTIAL, NDP_EDGE_ARGUMENT, 0, NDP_MAX_EDGES},
    {NDP_NODE_PARTIAL, NDP_EDGE_KEYWORD, 0, NDP_MAX_EDGES},
    {NDP_NODE_VECTORIZE, NDP_EDGE_FUNCTION, 1, 1},
    {NDP_NODE_FROMPYFUNC, NDP_EDGE_FUNCTION, 1, 1},
    {NDP_NODE_FUNCTION, NDP_EDGE_CELL, 0, NDP_MAX_EDGES},
    {NDP_NODE_FUNCTION, NDP_EDGE_DEFAULT, 0, NDP_MAX_EDGES},
    {NDP_NODE_FUNCTION, NDP_EDGE_KWDEFAULT, 0, NDP_MAX_EDGES},
    {NDP_NODE_FUNCTION, NDP_EDGE_ATTRIBUTE, 0, NDP_MAX_EDGES},
    {NDP_NODE_FUNCTION, NDP_EDGE_GLOBALS, 0, 1},
    {NDP_NODE_INSTANCE, NDP_EDGE_ARGUMENT, 0, NDP_MAX_EDGES},
    {NDP_NODE_INSTANCE, NDP_EDGE_KEYWORD, 0, NDP_MAX_EDGES},
};

static const struct role_rule *find_rule(enum ndp_node_kind kind, enum ndp_edge_role role) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rules); i++)
        if (rules[i].kind == kind && rules[i].role == role) return &rules[i];
    return NULL;
}

/* Whether an edge of this role may lead to a node of that kind. */
static bool edge_target_fits(enum ndp_edge_role role, enum ndp_node_kind to) {
    switch (role) {
    case NDP_EDGE_MASK:
        return to == NDP_NODE_ARRAY;
    case NDP_EDGE_OF:
        return to == NDP_NODE_ARRAY || to == NDP_NODE_VIEW;
    case NDP_EDGE_CELL:
        return to == NDP_NODE_CELL;
    case NDP_EDGE_GLOBALS:
        return to == NDP_NODE_GLOBALS;
    case NDP_EDGE_NA:
        return to == NDP_NODE_NONE || to == NDP_NODE_FLOAT || to == NDP_NODE_TEXT;
    case NDP_EDGE_FUNCTION:
        return to == NDP_NODE_FUNCTION;
    case NDP_EDGE_SELF: /* CPython, classobject.c, method_new: None is not an instance */
        return to != NDP_NODE_NONE && to != NDP_NODE_CELL && to != NDP_NODE_GLOBALS;
    case NDP_EDGE_KEY:
        return to == NDP_NODE_INT || to == NDP_NODE_TEXT || to == NDP_NODE_BYTES || to == NDP_NODE_BOOL ||
               to == NDP_NODE_NONE;
    case NDP_EDGE_ITEM:
    case NDP_EDGE_VALUE:
    case NDP_EDGE_CONTENT:
    case NDP_EDGE_ARGUMENT:
    case NDP_EDGE_KEYWORD:
    case NDP_EDGE_DEFAULT:
    case NDP_EDGE_KWDEFAULT:
    case NDP_EDGE_ATTRIBUTE:
    case NDP_EDGE_ENTRY:
    case NDP_EDGE_KEPT:
    case NDP_EDGE_COUNT:
        break;
    }
    return to != NDP_NODE_CELL && to != NDP_NODE_GLOBALS;
}

/* Whether every language accepts the text as a variable name. */
static bool is_name(struct ndp_bytes name) {
    if (name.size_bytes == 0 || name.size_bytes > 32) return false;
    for (uint64_t i = 0; i < name.size_bytes; i++) {
        uint8_t c = name.data[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return true;
}

static bool has_duplicate_name(const struct ndp_node *node, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (node->edges[i].role == node->edges[index].role &&
            ndp_bytes_is_equal(node->edges[i].name, node->edges[index].name))
            return true;
    }
    return false;
}

/* Whether a dict treats two keys as equal. True equals 1, False equals 0; integers are in their shortest form. */
static bool is_same_key(const struct ndp_node *a, const struct ndp_node *b) {
    const struct ndp_node *truth = a->kind == NDP_NODE_BOOL ? a : b, *number = a->kind == NDP_NODE_BOOL ? b : a;
    if (truth->kind == NDP_NODE_BOOL && number->kind == NDP_NODE_INT)
        return ndp_bytes_is_word(number->text, truth->truth ? "1" : "0");
    if (a->kind != b->kind) return false;
    if (a->kind == NDP_NODE_BOOL) return a->truth == b->truth;
    return a->kind == NDP_NODE_NONE || ndp_bytes_is_equal(a->text, b->text);
}

/* Whether an earlier key equals this one. */
static bool has_duplicate_key(const struct ndp_graph *graph, const struct ndp_node *node, uint32_t index) {
    const struct ndp_node *key = &graph->nodes[node->edges[index].to];
    for (uint32_t i = 0; i < index; i++)
        if (node->edges[i].role == NDP_EDGE_KEY && is_same_key(&graph->nodes[node->edges[i].to], key)) return true;
    return false;
}

/* A scalar has no views, in its recipe or as nodes. */
static enum ndp_status check_scalar(const struct ndp_graph *graph, uint32_t number, struct ndp_error *error) {
    const struct ndp_node *node = &graph->nodes[number];
    const struct ndp_edge *of = ndp_graph_node_edge(node, NDP_EDGE_OF, 0);
    if (ndp_graph_node_is_scalar(node) && node->array.view_count > 0)
        return graph_check_fail(error, number, "a scalar has no views");
    if (of != NULL && ndp_graph_node_is_scalar(&graph->nodes[of->to]))
        return graph_check_fail(error, number, "view of a scalar");
    return NDP_OK;
}

static enum ndp_status check_edges(const struct ndp_graph *graph, uint32_t number, struct ndp_error *error) {
    const struct ndp_node *node = &graph->nodes[number];
    if (node->edge_count > NDP_MAX_EDGES) return graph_check_fail(error, number, "too many edges");
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->to >= graph->count) return graph_check_fail(error, number, "edge to a node out of range");
        if (find_rule(node->kind, edge->role) == NULL)
            return graph_check_fail(error, number, "unexpected edge for this kind");
        if (!edge_target_fits(edge->role, graph->nodes[edge->to].kind))
            return graph_check_fail(error, number, "edge to a node of the wrong kind");
        if (edge->role == NDP_EDGE_KEY && has_duplicate_key(graph, node, i))
            return graph_check_fail(error, number, "duplicate key");
        if (!ndp_graph_words_edge_is_named(edge->role)) continue;
        if (!is_name(edge->name) || has_duplicate_name(node, i))
            return graph_check_fail(error, number, "missing or duplicate name");
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(rules); i++) {
        uint32_t count = ndp_graph_node_count_edges(node, rules[i].role);
        if (rules[i].kind != node->kind || (count >= rules[i].least && count <= rules[i].most)) continue;
        return graph_check_fail(error, number, "wrong number of edges of one role");
    }
    if (node->kind == NDP_NODE_DICT &&
        ndp_graph_node_count_edges(node, NDP_EDGE_KEY) != ndp_graph_node_count_edges(node, NDP_EDGE_VALUE))
        return graph_check_fail(error, number, "number of keys differs from number of values");
    return NDP_OK;
}

/* Source: NumPy, ma/core.py, make_mask_descr; MaskedArray.__array_finalize__: a structured array always has a mask. */
static enum ndp_status check_mask(struct ndp_arena *arena, const struct ndp_graph *built, uint32_t number,
                                  struct ndp_error *error) {
    const struct ndp_edge *edge = ndp_graph_node_edge(&built->nodes[number], NDP_EDGE_MASK, 0);
    const struct ndp_array *masked = &built->nodes[number].model;
    const struct ndp_dtype *dtype = NULL;
    if (edge == NULL && masked->dtype->kind == NDP_KIND_STRUCT)
        return graph_check_fail(error, number, "structured array without a mask");
    if (edge == NULL) return NDP_OK;
    const struct ndp_node *mask = &built->nodes[edge->to];
    const struct ndp_layout *layout = &masked->layout;
    NDP_TRY(ndp_masked_dtype(arena, masked->dtype, &dtype));
    if (ndp_graph_node_model(mask) == NULL || ndp_dtype_compare(mask->model.dtype, dtype, NULL) != 0 ||
        mask->edge_count > 0 || !ndp_bytes_is_word(mask->model.class_name, "ndarray")) {
        return graph_check_fail(error, number, "mask is not bool with the fields of its array");
    }
    bool is_same = layout->ndim == mask->model.layout.ndim;
    for (uint32_t i = 0; is_same && i < layout->ndim; i++) is_same = layout->shape[i] == mask->model.layout.shape[i];
    return is_same ? NDP_OK : graph_check_fail(error, number, "shape of the mask differs from the array");
}

static enum ndp_status check_masked(struct ndp_arena *arena, const struct ndp_graph *built, uint32_t number,
                                    struct ndp_error *error) {
    const struct ndp_node *node = &built->nodes[number];
    bool has_extras =
        ndp_graph_node_count_edges(node, NDP_EDGE_MASK) > 0 || node->fill_value.size_bytes > 0 || node->has_hard_mask;
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    if (!ndp_class_find(node->array.class_name, &class) && !ndp_class_is_path(node->array.class_name))
        return graph_check_fail(error, number, "unknown class");
    if (class != NDP_CLASS_MASKED)
        return has_extras ? graph_check_fail(error, number, "mask of a class other than MaskedArray") : NDP_OK;
    if (node->fill_value.size_bytes > 0 && node->fill_value.size_bytes != node->model.dtype->itemsize_bytes)
        return graph_check_fail(error, number, "size of the fill value differs from the dtype");
    return check_mask(arena, built, number, error);
}

/* A class with attributes has its promised ones; a proxy wraps an array, a unit is a text. */
static enum ndp_status check_attributes(const struct ndp_graph *graph, uint32_t number, struct ndp_error *error) {
    const struct ndp_node *node = &graph->nodes[number];
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    if (ndp_class_is_path(node->array.class_name)) return NDP_OK;
    if (!ndp_class_find(node->array.class_name, &class)) return graph_check_fail(error, number, "unknown class");
    /* Source: astropy.units, Quantity.__new__: dtype=numpy.inexact turns integers into floats. */
    const enum ndp_kind kind = node->array.base.dtype->kind;
    if (class == NDP_CLASS_QUANTITY && kind != NDP_KIND_FLOAT && kind != NDP_KIND_COMPLEX && kind != NDP_KIND_BOOL)
        return graph_check_fail(error, number, "elements of a quantity are not floats");
    const struct ndp_bytes promised = ndp_bytes_view(ndp_class_promised(class));
    bool is_there = promised.size_bytes == 0;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->role != NDP_EDGE_ATTRIBUTE) continue;
        bool is_promised = promised.size_bytes > 0 && ndp_bytes_is_equal(edge->name, promised);
        if (!is_promised && !ndp_class_takes_attributes(class))
            return graph_check_fail(error, number, "class does not have this attribute");
        const enum ndp_node_kind to = graph->nodes[edge->to].kind;
        const bool is_array =
            to == NDP_NODE_VIEW || (to == NDP_NODE_ARRAY && !ndp_graph_node_is_scalar(&graph->nodes[edge->to]));
        if (is_promised && class == NDP_CLASS_PROXY && !is_array)
            return graph_check_fail(error, number, "target of a proxy is not an array");
        if (is_promised && class == NDP_CLASS_QUANTITY && to != NDP_NODE_TEXT)
            return graph_check_fail(error, number, "unit is not text");
        bool is_rebuilt = class == NDP_CLASS_REDUCE_ONLY || class == NDP_CLASS_REDUCE_EX;
        if (is_rebuilt && edge->to == number)
            return graph_check_fail(error, number, "attribute of a rebuilt class is the object itself");
        is_there = is_there || is_promised;
    }
    return is_there ? NDP_OK : graph_check_fail(error, number, "promised attribute of the class is missing");
}

/* A module contains only plain functions: under the name of their code, a decorated one, and the one that the decorator
 * wraps. */
static enum ndp_status check_importable(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    const struct ndp_bytes decorated = ndp_bytes_view("decorated");
    if (node->edge_count > 0) return graph_check_fail(error, number, "function of a module has extra edges");
    bool is_named = ndp_bytes_is_word(node->name, ndp_graph_words_code(node->code));
    bool is_decorated = ndp_bytes_is_equal(node->name, decorated);
    if (node->code == NDP_CODE_CONST || node->code == NDP_CODE_ADD) is_decorated = false;
    if (node->code == NDP_CODE_CALL) is_named = false;
    bool is_there = node->code == NDP_CODE_CONST || node->code == NDP_CODE_ADD || node->code == NDP_CODE_IDENTITY ||
                    node->code == NDP_CODE_CALL;
    return is_there && (is_named || is_decorated) ? NDP_OK
                                                  : graph_check_fail(error, number, "no module has this function");
}

static enum ndp_status check_function(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    uint32_t cells = ndp_graph_node_count_edges(node, NDP_EDGE_CELL);
    bool needs_cell = node->code == NDP_CODE_COUNTER || node->code == NDP_CODE_RECURSE ||
                      node->code == NDP_CODE_MUTUAL || node->code == NDP_CODE_CALL;
    if (!is_name(node->name) && !ndp_bytes_is_word(node->name, "<lambda>"))
        return graph_check_fail(error, number, "name of a function is invalid");
    if (node->is_importable) return check_importable(node, number, error);
    if (needs_cell && cells == 0) return graph_check_fail(error, number, "code needs a cell");
    if (ndp_graph_words_code_reads_globals(node->code) && ndp_graph_node_count_edges(node, NDP_EDGE_GLOBALS) == 0)
        return graph_check_fail(error, number, "code needs globals");
    return NDP_OK;
}

static bool is_nan(struct ndp_bytes bits) {
    return (bits.data[0] & 0x7f) == 0x7f && bits.data[1] > 0xf0;
}

/* Source: NumPy, stringdtype/dtype.c: strings are UTF-8; None, a NaN or a text stands for missing items, and an item
 * that equals this text is missing. */
static enum ndp_status check_strings(const struct ndp_graph *graph, uint32_t number, struct ndp_error *error) {
    const struct ndp_node *node = &graph->nodes[number];
    const struct ndp_edge *missing = ndp_graph_node_edge(node, NDP_EDGE_NA, 0);
    if (!node->is_string)
        return missing == NULL && !node->is_strict ? NDP_OK
                                                   : graph_check_fail(error, number, "objects have no na_object");
    if (missing != NULL && graph->nodes[missing->to].kind == NDP_NODE_FLOAT && !is_nan(graph->nodes[missing->to].text))
        return graph_check_fail(error, number, "na_object is neither None, a NaN nor a text");
    const struct ndp_bytes *word =
        missing != NULL && graph->nodes[missing->to].kind == NDP_NODE_TEXT ? &graph->nodes[missing->to].text : NULL;
    if (word != NULL && ndp_text_has_surrogate(*word))
        return graph_check_fail(error, number, "na_object is no text in UTF-8");
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_node *item = &graph->nodes[node->edges[i].to];
        if (missing != NULL && node->edges[i].to == missing->to) continue;
        if (item->kind != NDP_NODE_TEXT || ndp_text_has_surrogate(item->text))
            return graph_check_fail(error, number, "item of an array of strings is no text in UTF-8");
        if (word != NULL && ndp_bytes_is_equal(item->text, *word))
            return graph_check_fail(error, number, "item equals na_object and is another node");
    }
    return NDP_OK;
}

static enum ndp_status check_objects(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    uint64_t count = 0, size_bytes = 0;
    if (!ndp_checked_extents_fit(node->shape, node->ndim, 8, &count, &size_bytes) ||
        count != ndp_graph_node_count_edges(node, NDP_EDGE_ITEM)) {
        return graph_check_fail(error, number, "number of items differs from the shape");
    }
    return NDP_OK;
}

static enum ndp_status check_instance(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    if (!ndp_import_path_is_valid(node->import)) return graph_check_fail(error, number, "not an import path");
    if (node->keep_count > NDP_MAX_KEPT) return graph_check_fail(error, number, "keeps too many things");
    for (uint32_t i = 0; i < node->keep_count; i++) {
        if (!ndp_import_path_is_kept_name(node->keep[i]))
            return graph_check_fail(error, number, "not a name of what an instance keeps");
        for (uint32_t k = 0; k < i; k++)
            if (ndp_bytes_is_equal(node->keep[k], node->keep[i]))
                return graph_check_fail(error, number, "duplicate name of what an instance keeps");
    }
    return NDP_OK;
}

static enum ndp_status check_calls(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    if (ndp_graph_node_calls(node) > NDP_MAX_CALLS) return graph_check_fail(error, number, "too many calls");
    if (node->kind == NDP_NODE_VECTORIZE && node->has_otypes && node->otypes.size_bytes == 0)
        return graph_check_fail(error, number, "otypes are empty");
    return NDP_OK;
}

/* A module has one function per name, so that two nodes for it would be one object. */
static enum ndp_status check_own_names(const struct ndp_graph *graph, uint32_t number, struct ndp_error *error) {
    const struct ndp_node *node = &graph->nodes[number];
    for (uint32_t i = 0; node->is_importable && i < number; i++) {
        const struct ndp_node *other = &graph->nodes[i];
        if (other->kind != NDP_NODE_FUNCTION || !other->is_importable || other->code != node->code) continue;
        if (ndp_bytes_is_equal(other->name, node->name))
            return graph_check_fail(error, number, "duplicate function of a module");
    }
    return NDP_OK;
}

enum ndp_status ndp_graph_check(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_error *error) {
    if (graph->count == 0 || graph->count > NDP_MAX_NODES || graph->root >= graph->count) {
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "expected 1 to %d nodes and a root among them",
                             NDP_MAX_NODES);
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->kind == NDP_NODE_OTHER) return graph_check_fail(error, i, "object of kind OTHER cannot be built");
        NDP_TRY(check_edges(graph, i, error));
        if (node->kind == NDP_NODE_FUNCTION) {
            NDP_TRY(check_function(node, i, error));
            NDP_TRY(check_own_names(graph, i, error));
        }
        if (node->kind == NDP_NODE_OBJECTS) {
            NDP_TRY(check_objects(node, i, error));
            NDP_TRY(check_strings(graph, i, error));
        }
        if (node->kind == NDP_NODE_INSTANCE) NDP_TRY(check_instance(node, i, error));
        NDP_TRY(check_calls(node, i, error));
        NDP_TRY(check_scalar(graph, i, error));
        if (node->kind != NDP_NODE_ARRAY) continue;
        if (node->array.base.dtype == NULL) return graph_check_fail(error, i, "base has no dtype");
        NDP_TRY(ndp_dtype_check(node->array.base.dtype, error));
        NDP_TRY(check_attributes(graph, i, error));
    }
    if (graph->nodes[graph->root].kind == NDP_NODE_CELL || graph->nodes[graph->root].kind == NDP_NODE_GLOBALS)
        return graph_check_fail(error, graph->root, "root is not an object");
    struct ndp_graph built;
    NDP_TRY(ndp_graph_expect(arena, graph, true, &built, error));
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->nodes[i].kind != NDP_NODE_ARRAY) continue;
        NDP_TRY(check_masked(arena, &built, i, error));
    }
    return NDP_OK;
}
