/* graph_stream.c: writer and reader of graph streams.
 *
 * Problem: the control format must preserve everything that can be observed, so no member may be missing on one side.
 * Method: one traversal serves both directions: each pass_ function writes a member, or fills it when the stream is
 * read. Memories are stored once and numbered; arrays refer to them, which preserves aliasing. Cost: linear in nodes,
 * edges and bytes, except that each array searches the memories. Limits: NDP_MAX_NODES, NDP_MAX_EDGES; counts are
 * bounded by the remaining bytes before anything is allocated.
 */
#include "codec/graph/graph_stream.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "describe/dtype_json.h"
#include "describe/json_write.h"

enum { ARRAY_WRITEABLE = 1, ARRAY_OWNS_DATA = 2, ARRAY_FILLED = 4, ARRAY_FILLED_F = 8, ARRAY_FLAGS = 15 };

static const char magic[4] = {'N', 'D', 'G', '1'};

struct stream {
    struct ndp_buffer *to;                         /* writing; NULL when reading */
    struct ndp_cursor from;                        /* reading */
    struct ndp_arena *arena;                       /* reading */
    const struct ndp_array *owners[NDP_MAX_NODES]; /* writing: the first array in each memory */
    struct ndp_bytes memories[NDP_MAX_NODES];
    uint8_t *copies[NDP_MAX_NODES]; /* reading: copies of the memories */
    uint32_t memory_count;
    uint32_t node_count;
};

static enum ndp_status pass_u32(struct stream *s, uint32_t *value) {
    uint8_t bytes[4];
    if (s->to == NULL) return ndp_cursor_u32le(&s->from, value);
    ndp_store_u32le(bytes, *value);
    return ndp_buffer_add(s->to, bytes, sizeof bytes);
}

/* A number of at most `most`. */
static enum ndp_status pass_number(struct stream *s, uint32_t *value, uint32_t most) {
    NDP_TRY(pass_u32(s, value));
    return *value <= most ? NDP_OK : NDP_INVALID;
}

static enum ndp_status pass_bool(struct stream *s, bool *value) {
    uint32_t number = *value;
    NDP_TRY(pass_number(s, &number, 1));
    *value = number != 0;
    return NDP_OK;
}

static enum ndp_status pass_i64(struct stream *s, int64_t *value) {
    uint8_t bytes[8];
    uint64_t bits = 0;
    if (s->to == NULL) {
        NDP_TRY(ndp_cursor_u64le(&s->from, &bits));
        *value = (int64_t)bits;
        return NDP_OK;
    }
    ndp_store_u64le(bytes, (uint64_t)*value);
    return ndp_buffer_add(s->to, bytes, sizeof bytes);
}

static enum ndp_status pass_bytes(struct stream *s, struct ndp_bytes *value) {
    if (value->size_bytes > UINT32_MAX) return NDP_LIMIT;
    uint32_t size_bytes = (uint32_t)value->size_bytes;
    NDP_TRY(pass_u32(s, &size_bytes));
    if (s->to == NULL) return ndp_cursor_take(&s->from, size_bytes, value);
    return ndp_buffer_add(s->to, value->data, size_bytes);
}

/* Allocates items of a node; their count cannot exceed the remaining bytes. */
static enum ndp_status alloc_items(struct stream *s, uint32_t count, uint64_t item_bytes, void **items) {
    if (count > ndp_cursor_left(&s->from)) return NDP_TRUNCATED;
    *items = ndp_arena_alloc_items(s->arena, count, item_bytes);
    return *items != NULL ? NDP_OK : NDP_NOMEM;
}

static enum ndp_status pass_extents(struct stream *s, uint32_t *ndim, const int64_t **shape) {
    int64_t extents[NDP_MAX_NDIM] = {0};
    NDP_TRY(pass_number(s, ndim, NDP_MAX_NDIM));
    if (*ndim > 0 && s->to != NULL) memcpy(extents, *shape, *ndim * sizeof *extents);
    for (uint32_t i = 0; i < *ndim; i++) NDP_TRY(pass_i64(s, &extents[i]));
    if (s->to != NULL) return NDP_OK;
    *shape = ndp_arena_copy(s->arena, extents, *ndim * sizeof *extents);
    return *shape != NULL ? NDP_OK : NDP_NOMEM;
}

static enum ndp_status pass_edge(struct stream *s, struct ndp_edge *edge) {
    uint32_t role = edge->role;
    NDP_TRY(pass_number(s, &role, NDP_EDGE_COUNT - 1));
    edge->role = (enum ndp_edge_role)role;
    NDP_TRY(pass_bytes(s, &edge->name));
    if (edge->role != NDP_EDGE_ATTRIBUTE) return pass_number(s, &edge->to, s->node_count - 1);
    NDP_TRY(pass_u32(s, &edge->to));
    return edge->to < s->node_count || edge->to == NDP_GRAPH_UNSET ? NDP_OK : NDP_INVALID;
}

static enum ndp_status pass_edges(struct stream *s, struct ndp_node *node) {
    NDP_TRY(pass_number(s, &node->edge_count, NDP_MAX_EDGES));
    void *items = NULL;
    if (s->to == NULL) NDP_TRY(alloc_items(s, node->edge_count, sizeof(struct ndp_edge), &items));
    struct ndp_edge *edges = items;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        struct ndp_edge edge = {.to = 0};
        if (s->to != NULL) edge = node->edges[i];
        NDP_TRY(pass_edge(s, &edge));
        if (edges != NULL) edges[i] = edge;
    }
    if (edges != NULL) node->edges = edges;
    return NDP_OK;
}

static enum ndp_status pass_excluded(struct stream *s, struct ndp_node *node) {
    NDP_TRY(pass_number(s, &node->excluded_count, NDP_MAX_EXCLUDED));
    for (uint32_t i = 0; i < node->excluded_count; i++) NDP_TRY(pass_u32(s, &node->excluded[i]));
    return NDP_OK;
}

static enum ndp_status pass_dtype(struct stream *s, const struct ndp_dtype **dtype) {
    struct ndp_buffer text;
    struct ndp_bytes bytes = {NULL, 0};
    if (s->to != NULL) {
        ndp_buffer_init(&text, UINT32_MAX);
        enum ndp_status status = ndp_dtype_print(&text, *dtype);
        bytes = ndp_buffer_view(&text);
        if (status == NDP_OK) status = pass_bytes(s, &bytes);
        ndp_buffer_clear(&text);
        return status;
    }
    cJSON *tree;
    NDP_TRY(pass_bytes(s, &bytes));
    NDP_TRY(ndp_json_parse(bytes, &ndp_describe_default_limits, &tree, NULL));
    const enum ndp_status status = ndp_dtype_from_json(s->arena, tree, &ndp_describe_default_limits, dtype, NULL);
    cJSON_Delete(tree);
    NDP_TRY(status);
    return ndp_dtype_resolve(s->arena, *dtype, ndp_byteorder_host_is_little(), dtype);
}

/* Whether every element lies inside the memory. */
static bool is_inside(const struct ndp_array *array) {
    uint64_t count_elems, size_bytes;
    int64_t low_bytes, high_bytes;
    if (!ndp_checked_extents_fit(array->layout.shape, array->layout.ndim, array->dtype->itemsize_bytes, &count_elems,
                                 &size_bytes))
        return false;
    if (ndp_layout_extent(&array->layout, array->dtype->itemsize_bytes, &low_bytes, &high_bytes) != NDP_OK)
        return false;
    return low_bytes == high_bytes || (low_bytes >= 0 && (uint64_t)high_bytes <= array->buffer_bytes);
}

static uint32_t memory_of(const struct stream *s, const struct ndp_array *array) {
    uint32_t number = 0;
    /* Memories without bytes may begin at the same address. */
    while (number < s->memory_count && (s->owners[number]->buffer_bytes != array->buffer_bytes ||
                                        !ndp_array_shares_memory(s->owners[number], array)))
        number++;
    return number;
}

static enum ndp_status pass_array(struct stream *s, struct ndp_array *array) {
    uint32_t memory = s->to != NULL ? memory_of(s, array) : 0;
    uint32_t flags = (array->is_writeable ? ARRAY_WRITEABLE : 0u) | (array->owns_data ? ARRAY_OWNS_DATA : 0u);
    if (array->is_filled) flags |= ARRAY_FILLED | (array->filled_order == NDP_MEMORY_F ? ARRAY_FILLED_F : 0u);
    NDP_TRY(pass_u32(s, &memory));
    if (memory >= s->memory_count) return NDP_INVALID;
    NDP_TRY(pass_dtype(s, &array->dtype));
    NDP_TRY(pass_bytes(s, &array->class_name));
    NDP_TRY(pass_number(s, &flags, ARRAY_FLAGS));
    NDP_TRY(pass_number(s, &array->misalign_bytes, 15));
    NDP_TRY(pass_i64(s, &array->layout.offset_bytes));
    NDP_TRY(pass_number(s, &array->layout.ndim, NDP_MAX_NDIM));
    for (uint32_t i = 0; i < array->layout.ndim; i++) {
        NDP_TRY(pass_i64(s, &array->layout.shape[i]));
        NDP_TRY(pass_i64(s, &array->layout.strides_bytes[i]));
    }
    if (s->to != NULL) return NDP_OK;
    if ((flags & ARRAY_FILLED_F) != 0 && (flags & ARRAY_FILLED) == 0) return NDP_INVALID;
    array->is_writeable = (flags & ARRAY_WRITEABLE) != 0;
    array->owns_data = (flags & ARRAY_OWNS_DATA) != 0;
    array->is_filled = (flags & ARRAY_FILLED) != 0;
    array->filled_order = (flags & ARRAY_FILLED_F) != 0 ? NDP_MEMORY_F : NDP_MEMORY_C;
    array->host_is_little_endian = ndp_byteorder_host_is_little();
    array->buffer = s->copies[memory];
    array->buffer_bytes = s->memories[memory].size_bytes;
    return is_inside(array) ? NDP_OK : NDP_INVALID;
}

static enum ndp_status pass_function(struct stream *s, struct ndp_node *node) {
    uint32_t code = node->code;
    NDP_TRY(pass_number(s, &code, NDP_CODE_COUNT - 1));
    node->code = (enum ndp_code)code;
    NDP_TRY(pass_bool(s, &node->is_importable));
    return pass_bytes(s, &node->name);
}

static enum ndp_status pass_vectorize(struct stream *s, struct ndp_node *node) {
    NDP_TRY(pass_bool(s, &node->has_otypes));
    NDP_TRY(pass_bytes(s, &node->otypes));
    NDP_TRY(pass_bool(s, &node->has_signature));
    NDP_TRY(pass_bytes(s, &node->signature));
    return pass_excluded(s, node);
}

static enum ndp_status pass_instance(struct stream *s, struct ndp_node *node) {
    void *items = NULL;
    NDP_TRY(pass_bytes(s, &node->import));
    NDP_TRY(pass_number(s, &node->keep_count, NDP_MAX_KEPT));
    if (s->to == NULL) NDP_TRY(alloc_items(s, node->keep_count, sizeof(struct ndp_bytes), &items));
    struct ndp_bytes *names = items;
    for (uint32_t i = 0; i < node->keep_count; i++) {
        struct ndp_bytes name = s->to != NULL ? node->keep[i] : (struct ndp_bytes){NULL, 0};
        NDP_TRY(pass_bytes(s, &name));
        if (names != NULL) names[i] = name;
    }
    if (names != NULL) node->keep = names;
    return NDP_OK;
}

/* One number, bit by bit: Fortran order, strings, strings that are not coerced. */
static enum ndp_status pass_objects_flags(struct stream *s, struct ndp_node *node) {
    enum { FORTRAN = 1, STRING = 2, STRICT = 4 };
    uint32_t flags =
        (node->is_fortran ? FORTRAN : 0U) | (node->is_string ? STRING : 0U) | (node->is_strict ? STRICT : 0U);
    NDP_TRY(pass_number(s, &flags, FORTRAN | STRING | STRICT));
    node->is_fortran = (flags & FORTRAN) != 0;
    node->is_string = (flags & STRING) != 0;
    node->is_strict = (flags & STRICT) != 0;
    return NDP_OK;
}

static enum ndp_status pass_kind_members(struct stream *s, struct ndp_node *node) {
    if (ndp_graph_words_is_callable(node->kind)) NDP_TRY(pass_number(s, &node->calls, UINT32_MAX));
    switch (node->kind) {
    case NDP_NODE_BOOL:
        return pass_bool(s, &node->truth);
    case NDP_NODE_INT:
    case NDP_NODE_FLOAT:
    case NDP_NODE_TEXT:
    case NDP_NODE_BYTES:
    case NDP_NODE_OTHER:
        return pass_bytes(s, &node->text);
    case NDP_NODE_OBJECTS:
        NDP_TRY(pass_objects_flags(s, node));
        return pass_extents(s, &node->ndim, &node->shape);
    case NDP_NODE_FUNCTION:
        return pass_function(s, node);
    case NDP_NODE_FROMPYFUNC:
        return pass_bytes(s, &node->name);
    case NDP_NODE_VECTORIZE:
        return pass_vectorize(s, node);
    case NDP_NODE_INSTANCE:
        return pass_instance(s, node);
    case NDP_NODE_ARRAY:
        node->has_model = true;
        NDP_TRY(pass_bool(s, &node->has_hard_mask));
        NDP_TRY(pass_bytes(s, &node->fill_value));
        return pass_array(s, &node->model);
    case NDP_NODE_NONE:
    case NDP_NODE_TUPLE:
    case NDP_NODE_LIST:
    case NDP_NODE_DICT:
    case NDP_NODE_VIEW:
    case NDP_NODE_CELL:
    case NDP_NODE_GLOBALS:
    case NDP_NODE_METHOD:
    case NDP_NODE_PARTIAL:
    case NDP_NODE_COUNT:
        break;
    }
    return NDP_OK;
}

static enum ndp_status pass_node(struct stream *s, struct ndp_node *node) {
    uint32_t kind = node->kind;
    NDP_TRY(pass_number(s, &kind, NDP_NODE_COUNT - 1));
    node->kind = (enum ndp_node_kind)kind;
    NDP_TRY(pass_kind_members(s, node));
    return pass_edges(s, node);
}

/* Collects the memories that the arrays of a graph point to. */
static void find_memories(struct stream *s, const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_array *array = &graph->nodes[i].model;
        if (graph->nodes[i].kind != NDP_NODE_ARRAY || memory_of(s, array) < s->memory_count) continue;
        s->owners[s->memory_count] = array;
        s->memories[s->memory_count++] = (struct ndp_bytes){array->buffer, array->buffer_bytes};
    }
}

/* Even an empty memory gets a unique address, because the address identifies the memory. */
static enum ndp_status copy_memory(struct stream *s, uint32_t number) {
    const struct ndp_bytes from = s->memories[number];
    uint8_t *copy = ndp_arena_alloc(s->arena, from.size_bytes > 0 ? from.size_bytes : 1);
    if (copy == NULL) return NDP_NOMEM;
    if (from.size_bytes > 0) memcpy(copy, from.data, (size_t)from.size_bytes);
    s->copies[number] = copy;
    return NDP_OK;
}

static enum ndp_status pass_memories(struct stream *s) {
    for (uint32_t i = 0; i < s->memory_count; i++) {
        NDP_TRY(pass_bytes(s, &s->memories[i]));
        if (s->to != NULL) continue;
        NDP_TRY(copy_memory(s, i));
    }
    return NDP_OK;
}

static enum ndp_status pass_head(struct stream *s, struct ndp_graph *graph) {
    NDP_TRY(pass_number(s, &graph->count, NDP_MAX_NODES));
    if (graph->count == 0) return NDP_INVALID;
    NDP_TRY(pass_number(s, &graph->root, graph->count - 1));
    NDP_TRY(pass_number(s, &s->memory_count, NDP_MAX_NODES));
    s->node_count = graph->count;
    return pass_memories(s);
}

enum ndp_status ndp_graph_stream_add(struct ndp_buffer *buffer, const struct ndp_graph *graph) {
    struct stream s = {.to = buffer};
    struct ndp_graph head = *graph;
    if (graph->count > NDP_MAX_NODES) return NDP_LIMIT;
    find_memories(&s, graph);
    NDP_TRY(ndp_buffer_add(buffer, magic, sizeof magic));
    NDP_TRY(pass_head(&s, &head));
    for (uint32_t i = 0; i < graph->count; i++) {
        struct ndp_node node = graph->nodes[i];
        NDP_TRY(pass_node(&s, &node));
    }
    return NDP_OK;
}

static enum ndp_status read_all(struct stream *s, struct ndp_graph *graph) {
    struct ndp_bytes start;
    NDP_TRY(ndp_cursor_take(&s->from, sizeof magic, &start));
    if (memcmp(start.data, magic, sizeof magic) != 0) return NDP_INVALID;
    NDP_TRY(pass_head(s, graph));
    void *items = NULL;
    NDP_TRY(alloc_items(s, graph->count, sizeof(struct ndp_node), &items));
    struct ndp_node *nodes = items;
    for (uint32_t i = 0; i < graph->count; i++) NDP_TRY(pass_node(s, &nodes[i]));
    graph->nodes = nodes;
    return ndp_cursor_left(&s->from) == 0 ? NDP_OK : NDP_INVALID;
}

enum ndp_status ndp_graph_stream_read(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_graph *out,
                                      struct ndp_error *error) {
    struct stream s = {.from = ndp_cursor_view(bytes), .arena = arena};
    struct ndp_graph graph = {0};
    const enum ndp_status status = read_all(&s, &graph);
    if (status != NDP_OK) return ndp_error_set(error, status, s.from.at_bytes, "invalid graph");
    *out = graph;
    return NDP_OK;
}
