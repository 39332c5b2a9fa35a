/* graph_plan_features.c: measures the features of a graph.
 *
 * A depth-first walk from the root, in the order of edges, finds the main array and the main function: the first of
 * their kind. Its path gives the position. Everything else is in the nodes themselves. Costs nodes times edges.
 */
#include <string.h>

#include "base/checked.h"
#include "generate/graph_plan_values.h"

struct walk {
    const struct ndp_graph *graph;
    uint32_t root;                             /* what an array of a single object contains, else the root */
    uint32_t order[NDP_MAX_NODES], count;      /* nodes in the order of the first visit */
    uint32_t parent[NDP_MAX_NODES];            /* by node; of the root: itself */
    const struct ndp_edge *via[NDP_MAX_NODES]; /* by node: the edge from the parent; NULL: not reached, or the root */
};

static const struct ndp_node *at(const struct walk *walk, uint32_t number) {
    return &walk->graph->nodes[number];
}

static void visit(struct walk *walk, uint32_t number, uint32_t parent, const struct ndp_edge *via) {
    walk->parent[number] = parent;
    walk->via[number] = via;
    walk->order[walk->count++] = number;
}

static void walk_from(struct walk *walk, uint32_t root) {
    uint32_t stack[NDP_MAX_NODES], next[NDP_MAX_NODES] = {0}, depth = 1;
    bool is_seen[NDP_MAX_NODES] = {false};
    stack[0] = root;
    is_seen[root] = true;
    visit(walk, root, root, NULL);
    while (depth > 0) {
        const uint32_t number = stack[depth - 1];
        if (next[number] == at(walk, number)->edge_count) {
            depth--;
            continue;
        }
        const struct ndp_edge *edge = &at(walk, number)->edges[next[number]++];
        if (is_seen[edge->to]) continue;
        is_seen[edge->to] = true;
        visit(walk, edge->to, number, edge);
        stack[depth++] = edge->to;
    }
}

/* Returns the first node of the kind, or NDP_GRAPH_UNSET. */
static uint32_t find_first(const struct walk *walk, enum ndp_node_kind kind) {
    for (uint32_t i = 0; i < walk->count; i++)
        if (at(walk, walk->order[i])->kind == kind) return walk->order[i];
    return NDP_GRAPH_UNSET;
}

static bool is_role(const struct walk *walk, uint32_t number, enum ndp_edge_role role) {
    return walk->via[number] != NULL && walk->via[number]->role == role;
}

/* ---- the root and its items ---- */

static uint32_t count_items(const struct ndp_node *node) {
    return ndp_graph_node_count_edges(node, NDP_EDGE_ITEM) + ndp_graph_node_count_edges(node, NDP_EDGE_VALUE);
}

static const struct ndp_edge *first_item(const struct ndp_node *node) {
    const struct ndp_edge *item = ndp_graph_node_edge(node, NDP_EDGE_ITEM, 0);
    return item != NULL ? item : ndp_graph_node_edge(node, NDP_EDGE_VALUE, 0);
}

/* The container in a list of one container that is not empty, or NULL. */
static const struct ndp_node *nested_in(const struct walk *walk) {
    const struct ndp_node *root = at(walk, walk->root);
    if (root->kind != NDP_NODE_LIST || root->edge_count != 1 || root->edges[0].to == walk->root) return NULL;
    const struct ndp_node *inner = at(walk, root->edges[0].to);
    return (inner->kind == NDP_NODE_DICT || inner->kind == NDP_NODE_TUPLE) && inner->edge_count > 0 ? inner : NULL;
}

static uint8_t root_of(const struct walk *walk) {
    const struct ndp_node *root = at(walk, walk->root);
    const bool is_wide = count_items(root) >= NDP_PLAN_WIDE;
    if (root->kind == NDP_NODE_ARRAY || root->kind == NDP_NODE_VIEW) return NDP_ROOT_ARRAY;
    if (ndp_graph_words_is_callable(root->kind)) return NDP_ROOT_FUNCTION;
    if (root->kind == NDP_NODE_OBJECTS && root->is_string) return NDP_ROOT_STRINGS;
    if (root->kind == NDP_NODE_OBJECTS) return ndp_graph_node_is_fortran(root) ? NDP_ROOT_OBJECTS_F : NDP_ROOT_OBJECTS;
    if (nested_in(walk) != NULL) return NDP_ROOT_NESTED;
    if (root->kind == NDP_NODE_LIST) return is_wide ? NDP_ROOT_WIDE : NDP_ROOT_LIST;
    if (root->kind == NDP_NODE_TUPLE) return is_wide ? NDP_ROOT_WIDE : NDP_ROOT_TUPLE;
    if (root->kind == NDP_NODE_DICT) return is_wide ? NDP_ROOT_WIDE : NDP_ROOT_DICT;
    return NDP_COVERING_FREE;
}

static uint8_t text_of(struct ndp_bytes text) {
    for (uint64_t i = 0; i < text.size_bytes; i++)
        if (text.data[i] >= 0x80) return NDP_SCALAR_UNICODE;
    return NDP_SCALAR_TEXT;
}

static uint8_t scalar_of(const struct walk *walk) {
    enum { LONG_DIGITS = 10 };
    const struct ndp_node *inner = nested_in(walk);
    const struct ndp_edge *first = first_item(inner != NULL ? inner : at(walk, walk->root));
    if (first == NULL || root_of(walk) == NDP_ROOT_STRINGS) return NDP_SCALAR_NONE;
    const struct ndp_node *node = at(walk, first->to);
    const bool is_empty = node->edge_count == 0;
    if (node->kind == NDP_NODE_INT) return node->text.size_bytes < LONG_DIGITS ? NDP_SCALAR_INT : NDP_SCALAR_LONG;
    if (node->kind == NDP_NODE_FLOAT) return NDP_SCALAR_FLOAT;
    if (node->kind == NDP_NODE_TEXT) return text_of(node->text);
    if (node->kind == NDP_NODE_BYTES) return NDP_SCALAR_BYTES;
    if (node->kind == NDP_NODE_BOOL) return NDP_SCALAR_BOOL;
    if (node->kind == NDP_NODE_NONE) return NDP_SCALAR_CONSTANT;
    if (node->kind == NDP_NODE_OBJECTS && node->is_string) return NDP_SCALAR_STRINGS;
    if (node->kind == NDP_NODE_LIST && is_empty) return NDP_SCALAR_LIST;
    if (node->kind == NDP_NODE_TUPLE && is_empty) return NDP_SCALAR_TUPLE;
    return node->kind == NDP_NODE_DICT && is_empty ? NDP_SCALAR_DICT : NDP_SCALAR_NONE;
}

/* ---- the array ---- */

static uint8_t position_of(const struct walk *walk, uint32_t main) {
    while (is_role(walk, main, NDP_EDGE_OF)) main = walk->parent[main];
    if (walk->via[main] == NULL) return NDP_POSITION_ITEM;
    const uint32_t parent = walk->parent[main];
    const bool is_described =
        is_role(walk, parent, NDP_EDGE_ATTRIBUTE) && ndp_bytes_is_word(walk->via[parent]->name, "__annotations__");
    switch (walk->via[main]->role) {
    case NDP_EDGE_CONTENT:
        return NDP_POSITION_CELL;
    case NDP_EDGE_DEFAULT:
        return NDP_POSITION_DEFAULT;
    case NDP_EDGE_KWDEFAULT:
        return NDP_POSITION_KWDEFAULT;
    case NDP_EDGE_ENTRY:
        return NDP_POSITION_GLOBAL;
    case NDP_EDGE_ATTRIBUTE:
        return NDP_POSITION_ATTRIBUTE;
    case NDP_EDGE_ARGUMENT:
    case NDP_EDGE_KEYWORD:
        return NDP_POSITION_ARGUMENT;
    case NDP_EDGE_SELF:
        return NDP_POSITION_SELF;
    case NDP_EDGE_NA:
    case NDP_EDGE_VALUE:
        return is_described ? NDP_POSITION_ANNOTATION : NDP_POSITION_ITEM;
    case NDP_EDGE_ITEM:
    case NDP_EDGE_KEY:
    case NDP_EDGE_OF:
    case NDP_EDGE_FUNCTION:
    case NDP_EDGE_CELL:
    case NDP_EDGE_MASK:
    case NDP_EDGE_GLOBALS:
    case NDP_EDGE_KEPT:
    case NDP_EDGE_COUNT:
        break;
    }
    return NDP_POSITION_ITEM;
}

static uint8_t class_of(const struct ndp_array_value *value) {
    enum ndp_array_class class;
    if (!ndp_class_find(value->class_name, &class)) return NDP_COVERING_FREE;
    if (class == NDP_CLASS_MEMMAP) return NDP_PLANNED_NDARRAY;
    for (uint8_t i = 1; i < NDP_PLANNED_COUNT; i++)
        if (strcmp(ndp_plan_class_word(i), ndp_class_word(class)) == 0) return i;
    return NDP_COVERING_FREE;
}

static uint8_t record_of(const struct ndp_dtype *dtype) {
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const enum ndp_kind kind = dtype->fields[i].dtype->kind;
        if (kind == NDP_KIND_STRUCT || kind == NDP_KIND_SUBARRAY) return NDP_ELEMENT_DEEP;
    }
    return NDP_ELEMENT_RECORD;
}

static uint8_t element_of(const struct ndp_dtype *dtype) {
    const bool is_big = dtype->order == NDP_ORDER_BIG;
    switch (dtype->kind) {
    case NDP_KIND_BOOL:
        return NDP_ELEMENT_BOOL;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
        return dtype->itemsize_bytes == 1 ? NDP_ELEMENT_BYTE : is_big ? NDP_ELEMENT_INT_BIG : NDP_ELEMENT_INT;
    case NDP_KIND_FLOAT:
        if (dtype->itemsize_bytes == 2) return NDP_ELEMENT_HALF;
        if (dtype->itemsize_bytes == 16) return NDP_ELEMENT_LONGDOUBLE;
        return is_big ? NDP_ELEMENT_FLOAT_BIG : NDP_ELEMENT_FLOAT;
    case NDP_KIND_COMPLEX:
        return is_big ? NDP_ELEMENT_COMPLEX_BIG : NDP_ELEMENT_COMPLEX;
    case NDP_KIND_BYTES:
        return NDP_ELEMENT_BYTES;
    case NDP_KIND_TEXT:
        return NDP_ELEMENT_TEXT;
    case NDP_KIND_VOID:
        return NDP_ELEMENT_VOID;
    case NDP_KIND_DATETIME:
        return NDP_ELEMENT_DATETIME;
    case NDP_KIND_TIMEDELTA:
        return NDP_ELEMENT_TIMEDELTA;
    case NDP_KIND_STRUCT:
        return record_of(dtype);
    case NDP_KIND_OBJECT:
    case NDP_KIND_REGISTERED:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        break;
    }
    return NDP_COVERING_FREE;
}

static uint8_t slice_of(const struct ndp_view *view) {
    uint8_t layout = NDP_PLAN_LAYOUT_PART;
    for (uint32_t i = 0; i < view->ndim; i++) {
        if (view->slices[i].step < 0) layout = NDP_PLAN_LAYOUT_REVERSED;
        if (view->slices[i].step > 1) layout = NDP_PLAN_LAYOUT_STRIDED;
    }
    return layout;
}

static uint8_t layout_of(const struct ndp_array_value *value) {
    const uint32_t ndim = value->base.ndim;
    const bool is_fortran = value->base.order == NDP_MEMORY_F;
    if (value->view_count > 1) return NDP_COVERING_FREE;
    if (value->view_count == 1) {
        const enum ndp_view_op op = value->views[0].op;
        if (op == NDP_VIEW_SLICE) return slice_of(&value->views[0]);
        if (op == NDP_VIEW_TRANSPOSE) return NDP_PLAN_LAYOUT_PERMUTED;
        return op == NDP_VIEW_BROADCAST ? NDP_PLAN_LAYOUT_REPEATED : NDP_COVERING_FREE;
    }
    if (ndim < 2) return ndim == 0 ? NDP_PLAN_LAYOUT_SCALAR : NDP_PLAN_LAYOUT_LINE;
    if (ndim > 3) return is_fortran ? NDP_PLAN_LAYOUT_F_DEEP : NDP_PLAN_LAYOUT_C_DEEP;
    return is_fortran ? NDP_PLAN_LAYOUT_F : NDP_PLAN_LAYOUT_C;
}

/* The extent of an axis of the result. */
static uint64_t extent_of(const struct ndp_array_value *value, uint32_t axis) {
    if (value->view_count == 0 || value->views[0].op == NDP_VIEW_TRANSPOSE) return (uint64_t)value->base.shape[axis];
    if (value->views[0].op == NDP_VIEW_SLICE) return (uint64_t)value->views[0].slices[axis].count;
    return (uint64_t)value->views[0].shape[axis];
}

static uint8_t size_of(const struct ndp_array_value *value) {
    if (layout_of(value) == NDP_COVERING_FREE) return NDP_COVERING_FREE;
    const uint32_t ndim = value->view_count == 0 ? value->base.ndim : value->views[0].ndim;
    uint64_t count = 1;
    for (uint32_t i = 0; i < ndim; i++)
        if (!ndp_checked_mul_u64(count, extent_of(value, i), &count)) return NDP_COVERING_FREE;
    const uint64_t itemsize_bytes = value->base.dtype->itemsize_bytes;
    if (count == 0) return NDP_SIZE_EMPTY;
    if (count > NDP_PLAN_PIPE_BYTES / (itemsize_bytes + !itemsize_bytes)) return NDP_SIZE_HUGE;
    if (count * itemsize_bytes > NDP_PLAN_INLINE_BYTES) return NDP_SIZE_LARGE;
    return count == 1 && ndim > 0 ? NDP_SIZE_ONE : NDP_SIZE_SMALL;
}

static uint8_t memory_of(const struct ndp_array_value *value) {
    const struct ndp_base *base = &value->base;
    if (base->has_map) return base->map_offset_bytes > 0 ? NDP_PLAN_MEMORY_MAP_PART : NDP_PLAN_MEMORY_MAP;
    if (base->misalign_bytes > 0) return NDP_PLAN_MEMORY_MISALIGNED;
    if (base->is_readonly) return NDP_PLAN_MEMORY_READONLY;
    return value->is_readonly ? NDP_PLAN_MEMORY_FLAG : NDP_PLAN_MEMORY_OWN;
}

static bool is_full(const struct ndp_data *data) {
    bool is = data->bytes.size_bytes > 0;
    for (uint64_t i = 0; i < data->bytes.size_bytes; i++) is = is && data->bytes.data[i] == 1;
    return is;
}

/* How many edges of `role` lead to a node, without those of node `but`; NDP_EDGE_COUNT: of every role that is a
 * reference of the built object. */
static uint32_t count_into(const struct walk *walk, uint32_t to, enum ndp_edge_role role, uint32_t but) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < walk->count; i++) {
        const struct ndp_node *node = at(walk, walk->order[i]);
        for (uint32_t k = 0; k < node->edge_count && walk->order[i] != but; k++) {
            const enum ndp_edge_role found = node->edges[k].role;
            const bool is_reference = found != NDP_EDGE_OF && found != NDP_EDGE_MASK;
            count += node->edges[k].to == to && (role == NDP_EDGE_COUNT ? is_reference : found == role);
        }
    }
    return count;
}

static uint8_t mask_of(const struct walk *walk, const struct ndp_node *node) {
    const struct ndp_edge *edge = ndp_graph_node_edge(node, NDP_EDGE_MASK, 0);
    if (edge == NULL) return NDP_EXTRA_NO_MASK;
    const struct ndp_base *mask = &at(walk, edge->to)->array.base;
    if (count_into(walk, edge->to, NDP_EDGE_MASK, NDP_GRAPH_UNSET) > 1) return NDP_EXTRA_SHARED_MASK;
    if (node->has_hard_mask) return NDP_EXTRA_HARD_MASK;
    if (node->fill_value.size_bytes > 0) return NDP_EXTRA_FILL_VALUE;
    if (is_full(&mask->data)) return NDP_EXTRA_FULL_MASK;
    return mask->order == NDP_MEMORY_F && mask->ndim > 1 ? NDP_EXTRA_F_MASK : NDP_EXTRA_NONE;
}

static uint8_t extra_of(const struct walk *walk, uint32_t main) {
    const struct ndp_node *node = at(walk, main);
    if (class_of(&node->array) == NDP_PLANNED_MASKED) return mask_of(walk, node);
    const struct ndp_edge *edge = ndp_graph_node_edge(node, NDP_EDGE_ATTRIBUTE, 0);
    if (edge == NULL) return NDP_EXTRA_NONE;
    if (ndp_graph_node_count_edges(node, NDP_EDGE_ATTRIBUTE) > 1) return NDP_EXTRA_SEVERAL;
    const enum ndp_node_kind kind = at(walk, edge->to)->kind;
    if (kind == NDP_NODE_INT || kind == NDP_NODE_FLOAT) return NDP_EXTRA_NUMBER;
    if (kind == NDP_NODE_TEXT) return NDP_EXTRA_TEXT;
    if (kind == NDP_NODE_BYTES) return NDP_EXTRA_BYTES;
    if (kind == NDP_NODE_NONE || kind == NDP_NODE_BOOL) return NDP_EXTRA_CONSTANT;
    if (kind == NDP_NODE_VIEW) return NDP_EXTRA_VIEW;
    if (kind == NDP_NODE_ARRAY) return edge->to == main ? NDP_EXTRA_ITSELF : NDP_EXTRA_ARRAY;
    return kind == NDP_NODE_DICT ? NDP_EXTRA_DICT : NDP_COVERING_FREE;
}

/* ---- sharing ---- */

static bool has_cycle(const struct walk *walk) {
    const uint32_t wrapper = walk->root == walk->graph->root ? NDP_GRAPH_UNSET : walk->graph->root;
    return count_into(walk, walk->root, NDP_EDGE_ITEM, wrapper) + count_into(walk, walk->root, NDP_EDGE_VALUE, wrapper);
}

/* Whether the array is a part of another: its mask, or in an attribute. */
static bool is_within_array(const struct walk *walk, uint32_t number) {
    while (walk->via[number] != NULL && !is_role(walk, number, NDP_EDGE_OF)) {
        number = walk->parent[number];
        if (at(walk, number)->kind == NDP_NODE_ARRAY) return true;
    }
    return false;
}

static bool is_alike(const struct ndp_array_value *a, const struct ndp_array_value *b) {
    return ndp_dtype_compare(a->base.dtype, b->base.dtype, NULL) == 0 && a->base.ndim == b->base.ndim &&
           (a->base.ndim == 0 || memcmp(a->base.shape, b->base.shape, a->base.ndim * sizeof *a->base.shape) == 0) &&
           a->view_count == b->view_count && a->base.data.pattern == b->base.data.pattern &&
           a->base.data.seed == b->base.data.seed && ndp_bytes_is_equal(a->base.data.bytes, b->base.data.bytes) &&
           ndp_bytes_is_equal(a->class_name, b->class_name);
}

static uint8_t sharing_of(const struct walk *walk, uint32_t main) {
    uint8_t view = NDP_SHARING_NONE;
    if (has_cycle(walk)) return NDP_SHARING_CYCLE;
    for (uint32_t i = 0; main != NDP_GRAPH_UNSET && i < walk->count; i++) {
        const uint32_t number = walk->order[i];
        const struct ndp_node *node = at(walk, number);
        if (node->kind == NDP_NODE_ARRAY && number != main && !is_within_array(walk, number))
            return is_alike(&node->array, &at(walk, main)->array) ? NDP_SHARING_ALIKE : NDP_SHARING_OTHER;
        if (node->kind == NDP_NODE_VIEW && walk->parent[number] != main)
            view = node->array.view_count > 0 ? NDP_SHARING_PART : NDP_SHARING_VIEW;
    }
    if (main == NDP_GRAPH_UNSET) return NDP_SHARING_NONE;
    const uint32_t count = count_into(walk, main, NDP_EDGE_COUNT, main);
    if (view != NDP_SHARING_NONE) return count == 0 && walk->root != main ? NDP_SHARING_VIEWS : view;
    return count > 1 ? NDP_SHARING_TWICE : NDP_SHARING_NONE;
}

/* ---- the function ---- */

static uint8_t function_of(const struct ndp_node *node) {
    static const uint8_t functions[NDP_CODE_COUNT] = {
        [NDP_CODE_CONST] = NDP_PLAN_FUNCTION_CONST,       [NDP_CODE_ADD] = NDP_PLAN_FUNCTION_ADD,
        [NDP_CODE_COUNTER] = NDP_PLAN_FUNCTION_COUNTER,   [NDP_CODE_RECURSE] = NDP_PLAN_FUNCTION_RECURSE,
        [NDP_CODE_MUTUAL] = NDP_PLAN_FUNCTION_MUTUAL,     [NDP_CODE_LATE] = NDP_PLAN_FUNCTION_LATE,
        [NDP_CODE_CALL] = NDP_PLAN_FUNCTION_CALL,         [NDP_CODE_NESTED] = NDP_PLAN_FUNCTION_INNER,
        [NDP_CODE_IDENTITY] = NDP_PLAN_FUNCTION_IDENTITY, [NDP_CODE_DEEP] = NDP_PLAN_FUNCTION_DEEP,
    };
    if (!node->is_importable) return functions[node->code];
    const bool is_hidden = node->code == NDP_CODE_IDENTITY && ndp_bytes_is_word(node->name, "decorated");
    return is_hidden ? NDP_PLAN_FUNCTION_DECORATED : NDP_PLAN_FUNCTION_MODULE;
}

static uint8_t closure_of(const struct walk *walk, uint32_t function) {
    static const uint8_t by_count[] = {NDP_CLOSURE_NONE, NDP_CLOSURE_ONE, NDP_CLOSURE_TWO, NDP_CLOSURE_MANY};
    const struct ndp_node *node = at(walk, function);
    const uint32_t count = ndp_graph_node_count_edges(node, NDP_EDGE_CELL);
    uint8_t closure = by_count[count < 3 ? count : 3];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cell = ndp_graph_node_edge(node, NDP_EDGE_CELL, i)->to;
        if (count_into(walk, cell, NDP_EDGE_CELL, function) > 0) return NDP_CLOSURE_SHARED;
        if (at(walk, cell)->edge_count == 0) closure = NDP_CLOSURE_EMPTY;
    }
    return closure;
}

static uint8_t signature_of(const struct walk *walk, uint32_t function) {
    static const struct {
        const char *name;
        uint8_t signature;
    } described[] = {{"__doc__", NDP_SIGNATURE_DOC},
                     {"__qualname__", NDP_SIGNATURE_QUALNAME},
                     {"__module__", NDP_SIGNATURE_MODULE},
                     {"__annotations__", NDP_SIGNATURE_ANNOTATIONS}};
    const struct ndp_node *node = at(walk, function);
    const uint32_t places = ndp_graph_node_count_edges(node, NDP_EDGE_DEFAULT);
    const uint32_t named = ndp_graph_node_count_edges(node, NDP_EDGE_KWDEFAULT);
    if (places + named > 1) return NDP_SIGNATURE_DEFAULTS;
    if (places + named == 1) return places == 1 ? NDP_SIGNATURE_DEFAULT : NDP_SIGNATURE_KWDEFAULT;
    const struct ndp_edge *edge = NULL;
    for (uint32_t i = 0; (edge = ndp_graph_node_edge(node, NDP_EDGE_ATTRIBUTE, i)) != NULL; i++) {
        if (ndp_bytes_is_word(edge->name, "__wrapped__")) continue;
        for (size_t k = 0; k < NDP_ARRAY_LEN(described); k++)
            if (ndp_bytes_is_word(edge->name, described[k].name)) return described[k].signature;
        return edge->to == function ? NDP_SIGNATURE_OWN : NDP_SIGNATURE_ATTRIBUTE;
    }
    return NDP_SIGNATURE_PLAIN;
}

static uint8_t vectorize_of(const struct ndp_node *node) {
    if (node->calls > 0) return NDP_CALLER_CALLED;
    if (node->excluded_count > 0) return NDP_CALLER_EXCLUDED;
    if (node->has_signature) return NDP_CALLER_VECTOR_SIGNATURE;
    return node->has_otypes ? NDP_CALLER_OTYPES : NDP_CALLER_VECTORIZE;
}

static uint8_t caller_of(const struct walk *walk, uint32_t function) {
    if (!is_role(walk, function, NDP_EDGE_FUNCTION)) return NDP_CALLER_NONE;
    const struct ndp_node *node = at(walk, walk->parent[function]);
    if (node->kind == NDP_NODE_VECTORIZE) return vectorize_of(node);
    if (node->kind == NDP_NODE_FROMPYFUNC) return NDP_CALLER_FROMPYFUNC;
    if (node->kind == NDP_NODE_METHOD) return NDP_CALLER_METHOD;
    const bool has_places = ndp_graph_node_edge(node, NDP_EDGE_ARGUMENT, 0) != NULL;
    const bool has_named = ndp_graph_node_edge(node, NDP_EDGE_KEYWORD, 0) != NULL;
    if (!has_named) return NDP_CALLER_PARTIAL;
    return has_places ? NDP_CALLER_BOTH : NDP_CALLER_KEYWORDS;
}

/* Returns the only object of an array of one object; else the root. */
static uint32_t unwrap(const struct ndp_graph *graph) {
    const struct ndp_node *root = &graph->nodes[graph->root];
    if (root->kind != NDP_NODE_OBJECTS || root->is_string || root->ndim > 1 || root->edge_count != 1)
        return graph->root;
    return root->edges[0].to;
}

void ndp_graph_plan_features(const struct ndp_graph *graph, struct ndp_covering_row *out) {
    struct walk walk = {.graph = graph, .root = unwrap(graph)};
    walk_from(&walk, graph->root);
    const uint32_t main = find_first(&walk, NDP_NODE_ARRAY), function = find_first(&walk, NDP_NODE_FUNCTION);
    memset(out->values, NDP_COVERING_FREE, sizeof out->values);
    memset(out->values, 0, NDP_PLAN_COUNT);
    uint8_t *values = out->values;
    values[NDP_PLAN_ROOT] = root_of(&walk);
    values[NDP_PLAN_SCALAR] = scalar_of(&walk);
    values[NDP_PLAN_SHARING] = sharing_of(&walk, main);
    if (main != NDP_GRAPH_UNSET) {
        const struct ndp_array_value *value = &at(&walk, main)->array;
        values[NDP_PLAN_CLASS] = class_of(value);
        values[NDP_PLAN_POSITION] = position_of(&walk, main);
        values[NDP_PLAN_ELEMENT] = element_of(value->base.dtype);
        values[NDP_PLAN_LAYOUT] = layout_of(value);
        values[NDP_PLAN_SIZE] = size_of(value);
        values[NDP_PLAN_MEMORY] = memory_of(value);
        values[NDP_PLAN_EXTRA] = extra_of(&walk, main);
    }
    if (function == NDP_GRAPH_UNSET) return;
    values[NDP_PLAN_FUNCTION] = function_of(at(&walk, function));
    values[NDP_PLAN_CALLER] = caller_of(&walk, function);
    values[NDP_PLAN_SIGNATURE] = signature_of(&walk, function);
    values[NDP_PLAN_CLOSURE] = closure_of(&walk, function);
}
