/* pickle_graph_read.c: reads a graph from the objects of a pickle.
 *
 * Problem: objects may be shared, form cycles and nest to any depth. Method: breadth first. An object gets the number
 * of a node when an edge first reaches it; the nodes are read in this order, which is also the queue. Nodes live in
 * parts that do not move. Cost: linear in objects and edges, except that the keys of a dict (at most NDP_MAX_EDGES / 2)
 * are compared pairwise. Limits: NDP_MAX_NODES, NDP_MAX_EDGES.
 */
#include <string.h>

#include "base/byteorder.h"
#include "base/text.h"
#include "codec/pickle/pickle_graph_reader.h"
#include "codec/pickle/pickle_number.h"

enum { FIRST_ROOM = 4, NAME_BYTES = 64 };

static const struct ndp_bytes no_name = {(const uint8_t *)"", 0};

enum ndp_status ndp_pickle_graph_reader_fail(const struct ndp_pickle_graph_reader *r, enum ndp_status status,
                                             const struct ndp_object *at, const char *text) {
    return ndp_error_set(r->error, status, at == NULL ? NDP_NO_OFFSET : at->offset_bytes, "graph: %s", text);
}

/* The global that a pickle calls or looks up for the object. NULL for a set and the like. */
static const struct ndp_object *global_of(const struct ndp_object *object) {
    while (ndp_object_is(object, NDP_OBJECT_CALL)) object = object->call->callable;
    return ndp_object_is(object, NDP_OBJECT_GLOBAL) ? object : NULL;
}

enum ndp_status ndp_pickle_graph_reader_refuse(const struct ndp_pickle_graph_reader *r,
                                               const struct ndp_object *object) {
    const struct ndp_object *global = global_of(object);
    char module[NAME_BYTES], name[NAME_BYTES];
    if (global == NULL)
        return ndp_error_set(r->error, NDP_UNSUPPORTED, object->offset_bytes, "graph: unsupported object: %s",
                             ndp_object_word(object->kind));
    ndp_text_show(global->global.module->bytes, module, sizeof module);
    ndp_text_show(global->global.name->bytes, name, sizeof name);
    return ndp_error_set(r->error, NDP_UNSUPPORTED, object->offset_bytes, "graph: unsupported object: %s %s.%s",
                         object == global ? "global" : "result of", module, name);
}

/* Doubles the room of an array of `count` items, up to `most`; NULL when out of memory. */
static void *grow_array(struct ndp_arena *arena, const void *items, uint32_t count, size_t item_bytes, uint32_t most,
                        uint32_t *room) {
    const uint32_t more = *room < FIRST_ROOM / 2 ? FIRST_ROOM : 2 * *room;
    const uint32_t enough = more < most ? more : most;
    void *grown = ndp_arena_alloc_items(arena, enough, item_bytes);
    if (grown == NULL) return NULL;
    if (count > 0) memcpy(grown, items, count * item_bytes);
    *room = enough;
    return grown;
}

enum ndp_status ndp_pickle_graph_reader_add_node(struct ndp_pickle_graph_reader *r, uint32_t *out) {
    if (r->count == r->capacity)
        return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, NULL, "more objects than a graph allows nodes");
    struct ndp_node **part = &r->parts[r->count / NDP_GRAPH_PART];
    if (*part == NULL) *part = NDP_ARENA_ITEMS(r->objects->arena, struct ndp_node, NDP_GRAPH_PART);
    if (*part == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, NULL, "out of memory");
    *out = r->count++;
    return NDP_OK;
}

enum ndp_status ndp_pickle_graph_reader_find_node(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                                  uint32_t *out) {
    /* The wrapper of an object array contains a nested pickle of the array itself. */
    if (object->kind == NDP_OBJECT_RAW && object->raw->nested != NULL) object = object->raw->nested;
    uint32_t *number = &r->numbers[object->number];
    if (*number == 0) {
        NDP_TRY(ndp_pickle_graph_reader_add_node(r, number));
        r->origins[*number] = object;
        ++*number;
    }
    *out = *number - 1;
    return NDP_OK;
}

enum ndp_status ndp_pickle_graph_reader_add_edge(struct ndp_pickle_graph_reader *r, enum ndp_edge_role role,
                                                 struct ndp_bytes name, uint32_t to) {
    if (r->edge_count == NDP_MAX_EDGES)
        return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, NULL, "object has more parts than a node allows edges");
    if (r->edge_count == r->edge_room) {
        struct ndp_edge *edges =
            grow_array(r->objects->arena, r->edges, r->edge_count, sizeof *r->edges, NDP_MAX_EDGES, &r->edge_room);
        if (edges == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, NULL, "out of memory");
        r->edges = edges;
    }
    r->edges[r->edge_count++] = (struct ndp_edge){role, name, to};
    return NDP_OK;
}

enum ndp_status ndp_pickle_graph_reader_add_edge_to(struct ndp_pickle_graph_reader *r, enum ndp_edge_role role,
                                                    struct ndp_bytes name, const struct ndp_object *object) {
    uint32_t to = 0;
    NDP_TRY(ndp_pickle_graph_reader_find_node(r, object, &to));
    return ndp_pickle_graph_reader_add_edge(r, role, name, to);
}

/* ---- scalars ---- */

static enum ndp_status read_int(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                struct ndp_node *node) {
    struct ndp_buffer digits;
    ndp_buffer_init(&digits, NDP_INT_DIGITS_MAX + 2);
    enum ndp_status status = ndp_pickle_number_add_int(&digits, object);
    if (status == NDP_OK) {
        const uint8_t *copy = ndp_arena_copy(r->objects->arena, digits.data, digits.size_bytes);
        node->text = (struct ndp_bytes){copy, digits.size_bytes};
        if (copy == NULL) status = NDP_NOMEM;
    }
    ndp_buffer_clear(&digits);
    if (status == NDP_LIMIT) status = NDP_UNSUPPORTED;
    return status == NDP_OK ? NDP_OK : ndp_pickle_graph_reader_fail(r, status, object, "integer has too many digits");
}

static enum ndp_status read_float(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                  struct ndp_node *node) {
    uint64_t bits = 0;
    uint8_t *bytes = ndp_arena_alloc(r->objects->arena, sizeof bits);
    if (bytes == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, object, "out of memory");
    memcpy(&bits, &object->real, sizeof bits);
    for (uint32_t i = 0; i < sizeof bits; i++) bytes[i] = (uint8_t)(bits >> (56 - 8 * i));
    node->text = (struct ndp_bytes){bytes, sizeof bits};
    return NDP_OK;
}

enum ndp_status ndp_pickle_graph_reader_copy_bytes(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                                   struct ndp_bytes *out) {
    const uint8_t *copy = ndp_arena_copy(r->objects->arena, object->bytes.data, object->bytes.size_bytes);
    if (copy == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, object, "out of memory");
    *out = (struct ndp_bytes){copy, object->bytes.size_bytes};
    return NDP_OK;
}

/* Text of Python 2 is read as latin-1, as NumPy requires for its arrays. */
static enum ndp_status read_string(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                   struct ndp_node *node) {
    if (ndp_object_read_text(r->objects->arena, object, &node->text) == NDP_OK) return NDP_OK;
    return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, object, "out of memory");
}

/* ---- containers ---- */

static enum ndp_status read_items(struct ndp_pickle_graph_reader *r, const struct ndp_object *object) {
    for (uint64_t i = 0; i < object->list.count; i++)
        NDP_TRY(ndp_pickle_graph_reader_add_edge_to(r, NDP_EDGE_ITEM, no_name, object->list.items[i]));
    return NDP_OK;
}

static bool is_number(const struct ndp_object *object) {
    return ndp_object_is_int(object) || object->kind == NDP_OBJECT_FLOAT;
}

/* Python compares True, 1 and 1.0 as equal. */
static bool is_same_number(const struct ndp_object *a, const struct ndp_object *b) {
    const double limit = 9223372036854775808.0;
    if (a->kind == NDP_OBJECT_FLOAT && b->kind == NDP_OBJECT_FLOAT) return a->real == b->real;
    if (a->kind != NDP_OBJECT_FLOAT && b->kind != NDP_OBJECT_FLOAT)
        return ndp_object_integer(a) == ndp_object_integer(b);
    const double real = a->kind == NDP_OBJECT_FLOAT ? a->real : b->real;
    const int64_t integer = ndp_object_integer(a->kind == NDP_OBJECT_FLOAT ? b : a);
    return real >= -limit && real < limit && (double)(int64_t)real == real && (int64_t)real == integer;
}

static bool is_text(const struct ndp_object *object) {
    return object->kind == NDP_OBJECT_TEXT || object->kind == NDP_OBJECT_STRING;
}

/* Whether a dict treats two keys as equal: the same object, or equal scalars. */
static bool is_same_key(const struct ndp_object *a, const struct ndp_object *b) {
    if (a == b) return true;
    if (is_number(a) && is_number(b)) return is_same_number(a, b);
    if (is_text(a) && is_text(b)) return ndp_object_is_same_text(a, b);
    if (a->kind != b->kind || (a->kind != NDP_OBJECT_INT && a->kind != NDP_OBJECT_BYTES)) return false;
    return a->is_big == b->is_big && ndp_bytes_is_equal(a->bytes, b->bytes);
}

/* Whether Python refuses the object as a key: mutable containers and arrays, but not NumPy's scalars. */
static bool is_unhashable(const struct ndp_object *object) {
    return object->kind == NDP_OBJECT_LIST || object->kind == NDP_OBJECT_DICT || object->kind == NDP_OBJECT_SET ||
           object->kind == NDP_OBJECT_BYTEARRAY ||
           (ndp_pickle_graph_reader_is_array(object) && !ndp_pickle_array_is_scalar(object));
}

/* Adds all keys, then all values. A duplicate key keeps its first position and its last value. */
static enum ndp_status read_dict(struct ndp_pickle_graph_reader *r, const struct ndp_object *object) {
    const struct ndp_object *keys[NDP_MAX_EDGES / 2];
    const struct ndp_object *values[NDP_MAX_EDGES / 2];
    uint32_t count = 0;
    for (uint64_t i = 0; i + 1 < object->list.count; i += 2) {
        const struct ndp_object *key = object->list.items[i];
        uint32_t place = 0;
        if (is_unhashable(key)) return ndp_pickle_graph_reader_fail(r, NDP_INVALID, key, "key is not hashable");
        while (place < count && !is_same_key(keys[place], key)) place++;
        if (place == NDP_ARRAY_LEN(keys))
            return ndp_pickle_graph_reader_fail(r, NDP_UNSUPPORTED, object, "dict has too many keys");
        if (place == count) keys[count++] = key;
        values[place] = object->list.items[i + 1];
    }
    for (uint32_t i = 0; i < count; i++)
        NDP_TRY(ndp_pickle_graph_reader_add_edge_to(r, NDP_EDGE_KEY, no_name, keys[i]));
    for (uint32_t i = 0; i < count; i++)
        NDP_TRY(ndp_pickle_graph_reader_add_edge_to(r, NDP_EDGE_VALUE, no_name, values[i]));
    return NDP_OK;
}

/* ---- all nodes ---- */

static enum ndp_status read_object(struct ndp_pickle_graph_reader *r, const struct ndp_object *object,
                                   struct ndp_node *node) {
    switch (object->kind) {
    case NDP_OBJECT_NONE:
        node->kind = NDP_NODE_NONE;
        return NDP_OK;
    case NDP_OBJECT_BOOL:
        node->kind = NDP_NODE_BOOL;
        node->truth = object->truth;
        return NDP_OK;
    case NDP_OBJECT_INT:
        node->kind = NDP_NODE_INT;
        return read_int(r, object, node);
    case NDP_OBJECT_FLOAT:
        node->kind = NDP_NODE_FLOAT;
        return read_float(r, object, node);
    case NDP_OBJECT_BYTES:
        node->kind = NDP_NODE_BYTES;
        return ndp_pickle_graph_reader_copy_bytes(r, object, &node->text);
    case NDP_OBJECT_TEXT:
        node->kind = NDP_NODE_TEXT;
        return ndp_pickle_graph_reader_copy_bytes(r, object, &node->text);
    case NDP_OBJECT_STRING:
        node->kind = NDP_NODE_TEXT;
        return read_string(r, object, node);
    case NDP_OBJECT_LIST:
    case NDP_OBJECT_TUPLE:
        node->kind = object->kind == NDP_OBJECT_LIST ? NDP_NODE_LIST : NDP_NODE_TUPLE;
        return read_items(r, object);
    case NDP_OBJECT_DICT:
        node->kind = NDP_NODE_DICT;
        return read_dict(r, object);
    case NDP_OBJECT_CALL:
    case NDP_OBJECT_RAW:
        return ndp_pickle_graph_reader_is_array(object) ? ndp_pickle_graph_reader_array(r, object, node)
                                                        : ndp_pickle_graph_reader_refuse(r, object);
    case NDP_OBJECT_GLOBAL:
    case NDP_OBJECT_BYTEARRAY:
    case NDP_OBJECT_SET:
    case NDP_OBJECT_FROZENSET:
    case NDP_OBJECT_BUFFER:
    case NDP_OBJECT_COUNT:
        break;
    }
    return ndp_pickle_graph_reader_refuse(r, object);
}

static enum ndp_status read_node(struct ndp_pickle_graph_reader *r, uint32_t number) {
    struct ndp_node *node = ndp_pickle_graph_reader_node_at(r, number);
    r->edge_count = 0;
    NDP_TRY(read_object(r, r->origins[number], node));
    node->edges = ndp_arena_copy(r->objects->arena, r->edges, r->edge_count * sizeof *r->edges);
    if (node->edges == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, NULL, "out of memory");
    node->edge_count = r->edge_count;
    return NDP_OK;
}

static enum ndp_status reader_init(struct ndp_pickle_graph_reader *r, struct ndp_objects *objects,
                                   struct ndp_error *error) {
    struct ndp_arena *arena = objects->arena;
    *r = (struct ndp_pickle_graph_reader){
        .objects = objects, .error = error, .arrays = {.dtypes = {.arena = arena, .objects = objects, .error = error}}};
    /* An object needs at most two nodes: its own, and one without an object (a mask or an attribute). */
    r->capacity = objects->count < NDP_MAX_NODES / 2 ? 2 * objects->count : NDP_MAX_NODES;
    r->origins = NDP_ARENA_ITEMS(arena, const struct ndp_object *, r->capacity);
    r->numbers = NDP_ARENA_ITEMS(arena, uint32_t, objects->count);
    r->parts = NDP_ARENA_ITEMS(arena, struct ndp_node *, (r->capacity + NDP_GRAPH_PART - 1) / NDP_GRAPH_PART);
    if (r->origins == NULL || r->numbers == NULL || r->parts == NULL)
        return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, NULL, "out of memory");
    return NDP_OK;
}

/* Copies the nodes into one array. */
static enum ndp_status join_parts(struct ndp_pickle_graph_reader *r, struct ndp_node **out) {
    struct ndp_node *nodes = r->parts[0];
    if (r->count > NDP_GRAPH_PART) nodes = NDP_ARENA_ITEMS(r->objects->arena, struct ndp_node, r->count);
    if (nodes == NULL) return ndp_pickle_graph_reader_fail(r, NDP_NOMEM, NULL, "out of memory");
    for (uint32_t i = 0; i < r->count && nodes != r->parts[0]; i += NDP_GRAPH_PART) {
        const uint32_t left = r->count - i, taken = left < NDP_GRAPH_PART ? left : NDP_GRAPH_PART;
        memcpy(nodes + i, r->parts[i / NDP_GRAPH_PART], taken * sizeof *nodes);
    }
    *out = nodes;
    return NDP_OK;
}

static enum ndp_status read_nodes(struct ndp_pickle_graph_reader *r, const struct ndp_object *root,
                                  struct ndp_graph *out) {
    uint32_t first = 0;
    NDP_TRY(ndp_pickle_graph_reader_find_node(r, root, &first));
    for (uint32_t i = 0; i < r->count; i++)
        if (r->origins[i] != NULL) NDP_TRY(read_node(r, i));
    struct ndp_node *nodes = NULL;
    NDP_TRY(join_parts(r, &nodes));
    *out = (struct ndp_graph){first, r->count, nodes};
    return NDP_OK;
}

enum ndp_status ndp_pickle_graph_read(struct ndp_objects *objects, const struct ndp_object *root, struct ndp_graph *out,
                                      struct ndp_error *error) {
    return ndp_pickle_graph_read_mapped(objects, root, NULL, out, error);
}

enum ndp_status ndp_pickle_graph_read_mapped(struct ndp_objects *objects, const struct ndp_object *root,
                                             const struct ndp_graph_map *map, struct ndp_graph *out,
                                             struct ndp_error *error) {
    struct ndp_pickle_graph_reader reader;
    NDP_TRY(reader_init(&reader, objects, error));
    reader.map = map;
    return read_nodes(&reader, root, out);
}

enum ndp_status ndp_pickle_graph_decode(struct ndp_arena *arena, struct ndp_bytes bytes, struct ndp_graph *out,
                                        struct ndp_error *error) {
    struct ndp_source source = ndp_source_memory(bytes);
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_pickle_read(&objects, &source, NULL, &pickle, error);
    if (status == NDP_OK) status = ndp_pickle_graph_read(&objects, pickle.root, out, error);
    ndp_objects_clear(&objects);
    return status;
}
