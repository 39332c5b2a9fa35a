#include "model/graph.h"

#include <string.h>

#include "base/checked.h"
#include "model/array_class.h"
#include "model/masked.h"

static enum ndp_status fail(struct ndp_error *error, uint32_t number, const char *what) {
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "nodes[%u]: %s", number, what);
}

/* Which roles a kind has, and how many edges of each at least and at most. */
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
};

static const struct role_rule *find_rule(enum ndp_node_kind kind, enum ndp_edge_role role) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rules); i++) {
        if (rules[i].kind == kind && rules[i].role == role) return &rules[i];
    }
    return NULL;
}

/* Whether an edge of this role may lead to a node of that kind. */
static bool leads_right(enum ndp_edge_role role, enum ndp_node_kind to) {
    switch (role) {
    case NDP_EDGE_MASK:
        return to == NDP_NODE_ARRAY;
    case NDP_EDGE_OF:
        return to == NDP_NODE_ARRAY || to == NDP_NODE_VIEW;
    case NDP_EDGE_CELL:
        return to == NDP_NODE_CELL;
    case NDP_EDGE_GLOBALS:
        return to == NDP_NODE_GLOBALS;
    case NDP_EDGE_FUNCTION:
        return to == NDP_NODE_FUNCTION;
    case NDP_EDGE_SELF: /* CPython, classobject.c, method_new: nothing is no instance */
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
    case NDP_EDGE_COUNT:
        break;
    }
    return to != NDP_NODE_CELL && to != NDP_NODE_GLOBALS;
}

/* A name that every language takes for a variable. */
static bool is_name(struct ndp_bytes name) {
    if (name.size_bytes == 0 || name.size_bytes > 32) return false;
    for (uint64_t i = 0; i < name.size_bytes; i++) {
        uint8_t c = name.data[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return true;
}

static bool has_twin(const struct ndp_node *node, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (node->edges[i].role == node->edges[index].role &&
            ndp_bytes_is_equal(node->edges[i].name, node->edges[index].name))
            return true;
    }
    return false;
}

/* Whether two keys are one to a dict. True is 1 there, False is 0; integers are in their shortest form. */
static bool is_same_key(const struct ndp_node *a, const struct ndp_node *b) {
    const struct ndp_node *truth = a->kind == NDP_NODE_BOOL ? a : b, *number = a->kind == NDP_NODE_BOOL ? b : a;
    if (truth->kind == NDP_NODE_BOOL && number->kind == NDP_NODE_INT)
        return ndp_bytes_is_word(number->text, truth->truth ? "1" : "0");
    if (a->kind != b->kind) return false;
    if (a->kind == NDP_NODE_BOOL) return a->truth == b->truth;
    return a->kind == NDP_NODE_NONE || ndp_bytes_is_equal(a->text, b->text);
}

/* Whether what a key is equal to is one before it. */
static bool has_twin_key(const struct ndp_graph *graph, const struct ndp_node *node, uint32_t index) {
    const struct ndp_node *key = &graph->nodes[node->edges[index].to];
    for (uint32_t i = 0; i < index; i++) {
        if (node->edges[i].role == NDP_EDGE_KEY && is_same_key(&graph->nodes[node->edges[i].to], key)) return true;
    }
    return false;
}

static enum ndp_status check_edges(const struct ndp_graph *graph, uint32_t number, struct ndp_error *error) {
    const struct ndp_node *node = &graph->nodes[number];
    if (node->edge_count > NDP_MAX_EDGES) return fail(error, number, "too many edges");
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->to >= graph->count) return fail(error, number, "an edge to a node that is not there");
        if (find_rule(node->kind, edge->role) == NULL)
            return fail(error, number, "an edge that this kind does not have");
        if (!leads_right(edge->role, graph->nodes[edge->to].kind)) {
            return fail(error, number, "an edge to another kind of node than it needs");
        }
        if (edge->role == NDP_EDGE_KEY && has_twin_key(graph, node, i))
            return fail(error, number, "a key that comes twice");
        if (!ndp_edge_is_named(edge->role)) continue;
        if (!is_name(edge->name) || has_twin(node, i)) return fail(error, number, "no name, or one that comes twice");
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(rules); i++) {
        uint32_t count = ndp_node_edges(node, rules[i].role);
        if (rules[i].kind != node->kind || (count >= rules[i].least && count <= rules[i].most)) continue;
        return fail(error, number, "too few or too many edges of one role");
    }
    if (node->kind == NDP_NODE_DICT && ndp_node_edges(node, NDP_EDGE_KEY) != ndp_node_edges(node, NDP_EDGE_VALUE)) {
        return fail(error, number, "a dict with keys without values");
    }
    return NDP_OK;
}

/* Source: NumPy, ma/core.py, make_mask_descr; MaskedArray.__array_finalize__: what has fields always has a mask. */
static enum ndp_status check_mask(struct ndp_arena *arena, const struct ndp_graph *built, uint32_t number,
                                  struct ndp_error *error) {
    const struct ndp_edge *edge = ndp_node_edge(&built->nodes[number], NDP_EDGE_MASK, 0);
    const struct ndp_array *masked = &built->nodes[number].model;
    const struct ndp_dtype *dtype = NULL;
    if (edge == NULL && masked->dtype->kind == NDP_KIND_STRUCT) return fail(error, number, "fields without a mask");
    if (edge == NULL) return NDP_OK;
    const struct ndp_node *mask = &built->nodes[edge->to];
    const struct ndp_layout *layout = &masked->layout;
    NDP_TRY(ndp_mask_dtype(arena, masked->dtype, &dtype));
    if (ndp_node_model(mask) == NULL || ndp_dtype_compare(mask->model.dtype, dtype, NULL) != 0 ||
        mask->edge_count > 0 || !ndp_bytes_is_word(mask->model.class_name, "ndarray")) {
        return fail(error, number, "a mask is an array of bool, with the fields of what it masks");
    }
    bool is_same = layout->ndim == mask->model.layout.ndim;
    for (uint32_t i = 0; is_same && i < layout->ndim; i++) is_same = layout->shape[i] == mask->model.layout.shape[i];
    return is_same ? NDP_OK : fail(error, number, "a mask of another shape than the array");
}

static enum ndp_status check_masked(struct ndp_arena *arena, const struct ndp_graph *built, uint32_t number,
                                    struct ndp_error *error) {
    const struct ndp_node *node = &built->nodes[number];
    bool has_extras = ndp_node_edges(node, NDP_EDGE_MASK) > 0 || node->fill_value.size_bytes > 0 || node->has_hard_mask;
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    if (!ndp_class_find(node->array.class_name, &class)) return fail(error, number, "no such class");
    if (class != NDP_CLASS_MASKED) return has_extras ? fail(error, number, "a mask on what is no MaskedArray") : NDP_OK;
    if (node->fill_value.size_bytes > 0 && node->fill_value.size_bytes != node->model.dtype->itemsize_bytes) {
        return fail(error, number, "a fill value of another size than one item");
    }
    return check_mask(arena, built, number, error);
}

/* A class with attributes has those that it promises; a proxy's is an array, a unit's a text. */
static enum ndp_status check_attributes(const struct ndp_graph *graph, uint32_t number, struct ndp_error *error) {
    const struct ndp_node *node = &graph->nodes[number];
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    if (!ndp_class_find(node->array.class_name, &class)) return fail(error, number, "no such class");
    /* Source: astropy.units, Quantity.__new__: dtype=numpy.inexact turns integers into floats. */
    const enum ndp_kind kind = node->array.base.dtype->kind;
    if (class == NDP_CLASS_QUANTITY && kind != NDP_KIND_FLOAT && kind != NDP_KIND_COMPLEX && kind != NDP_KIND_BOOL)
        return fail(error, number, "a quantity has floats");
    const struct ndp_bytes promised = ndp_bytes_view(ndp_class_promised(class));
    bool is_there = promised.size_bytes == 0;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->role != NDP_EDGE_ATTRIBUTE) continue;
        bool is_promised = promised.size_bytes > 0 && ndp_bytes_is_equal(edge->name, promised);
        if (!is_promised && !ndp_class_takes_attributes(class))
            return fail(error, number, "a class without such an attribute");
        const enum ndp_node_kind to = graph->nodes[edge->to].kind;
        if (is_promised && class == NDP_CLASS_PROXY && to != NDP_NODE_ARRAY && to != NDP_NODE_VIEW)
            return fail(error, number, "what a proxy wraps is an array");
        if (is_promised && class == NDP_CLASS_QUANTITY && to != NDP_NODE_TEXT)
            return fail(error, number, "a unit is a text");
        bool is_rebuilt = class == NDP_CLASS_REDUCE_ONLY || class == NDP_CLASS_REDUCE_EX;
        if (is_rebuilt && edge->to == number)
            return fail(error, number, "this class cannot be rebuilt from an attribute that is itself");
        is_there = is_there || is_promised;
    }
    return is_there ? NDP_OK : fail(error, number, "a class without the attribute that it promises");
}

/* A module has its own functions only, with nothing that a graph adds: those that have the name of their code, one
 * that is decorated, and the one that the decorator wraps. */
static enum ndp_status check_importable(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    const struct ndp_bytes decorated = ndp_bytes_view("decorated");
    if (node->edge_count > 0) return fail(error, number, "a module's own function has nothing beside it");
    bool is_named = ndp_bytes_is_word(node->name, ndp_code_word(node->code));
    bool is_decorated = ndp_bytes_is_equal(node->name, decorated);
    if (node->code == NDP_CODE_CONST || node->code == NDP_CODE_ADD) is_decorated = false;
    if (node->code == NDP_CODE_CALL) is_named = false;
    bool is_there = node->code == NDP_CODE_CONST || node->code == NDP_CODE_ADD || node->code == NDP_CODE_IDENTITY ||
                    node->code == NDP_CODE_CALL;
    return is_there && (is_named || is_decorated) ? NDP_OK : fail(error, number, "no module has such a function");
}

static enum ndp_status check_function(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    uint32_t cells = ndp_node_edges(node, NDP_EDGE_CELL);
    bool needs_cell = node->code == NDP_CODE_COUNTER || node->code == NDP_CODE_RECURSE ||
                      node->code == NDP_CODE_MUTUAL || node->code == NDP_CODE_CALL;
    if (!is_name(node->name) && !ndp_bytes_is_word(node->name, "<lambda>")) {
        return fail(error, number, "a function needs a name");
    }
    if (node->is_importable) return check_importable(node, number, error);
    if (needs_cell && cells == 0) return fail(error, number, "this code needs a cell");
    if (ndp_code_reads_globals(node->code) && ndp_node_edges(node, NDP_EDGE_GLOBALS) == 0) {
        return fail(error, number, "this code needs globals");
    }
    return NDP_OK;
}

static enum ndp_status check_objects(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    uint64_t count = 0, size_bytes = 0;
    if (!ndp_extents_fit(node->shape, node->ndim, 8, &count, &size_bytes) ||
        count != ndp_node_edges(node, NDP_EDGE_ITEM)) {
        return fail(error, number, "as many items as the shape says are due");
    }
    return NDP_OK;
}

static enum ndp_status check_calls(const struct ndp_node *node, uint32_t number, struct ndp_error *error) {
    if (ndp_node_calls(node) > NDP_MAX_CALLS) return fail(error, number, "too many calls");
    if (node->kind == NDP_NODE_VECTORIZE && node->has_otypes && node->otypes.size_bytes == 0) {
        return fail(error, number, "otypes without a letter");
    }
    return NDP_OK;
}

/* A module has one function of a name, so that two nodes for it would be one object. */
static enum ndp_status check_own_names(const struct ndp_graph *graph, uint32_t number, struct ndp_error *error) {
    const struct ndp_node *node = &graph->nodes[number];
    for (uint32_t i = 0; node->is_importable && i < number; i++) {
        const struct ndp_node *other = &graph->nodes[i];
        if (other->kind != NDP_NODE_FUNCTION || !other->is_importable || other->code != node->code) continue;
        if (ndp_bytes_is_equal(other->name, node->name)) return fail(error, number, "a module's function comes twice");
    }
    return NDP_OK;
}

enum ndp_status ndp_graph_check(struct ndp_arena *arena, const struct ndp_graph *graph, struct ndp_error *error) {
    if (graph->count == 0 || graph->count > NDP_MAX_NODES || graph->root >= graph->count) {
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "a graph of 1 to %d nodes with its root among them",
                             NDP_MAX_NODES);
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->kind == NDP_NODE_OTHER) return fail(error, i, "what has no words cannot be built");
        NDP_TRY(check_edges(graph, i, error));
        if (node->kind == NDP_NODE_FUNCTION) {
            NDP_TRY(check_function(node, i, error));
            NDP_TRY(check_own_names(graph, i, error));
        }
        if (node->kind == NDP_NODE_OBJECTS) NDP_TRY(check_objects(node, i, error));
        NDP_TRY(check_calls(node, i, error));
        if (node->kind != NDP_NODE_ARRAY) continue;
        if (node->array.base.dtype == NULL) return fail(error, i, "the base has no dtype");
        NDP_TRY(ndp_dtype_check(node->array.base.dtype, error));
        NDP_TRY(check_attributes(graph, i, error));
    }
    if (graph->nodes[graph->root].kind == NDP_NODE_CELL || graph->nodes[graph->root].kind == NDP_NODE_GLOBALS) {
        return fail(error, graph->root, "a root that is no object of its own");
    }
    struct ndp_graph built;
    NDP_TRY(ndp_graph_expect(arena, graph, true, &built, error));
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->nodes[i].kind != NDP_NODE_ARRAY) continue;
        NDP_TRY(check_masked(arena, &built, i, error));
    }
    return NDP_OK;
}
