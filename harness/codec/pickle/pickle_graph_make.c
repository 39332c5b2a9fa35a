/* pickle_graph_make.c: makes the objects of a graph.
 *
 * Problem: nodes may form cycles and refer to later nodes. Method: create one object per node, then fill all of them in
 * node order; a tuple is created with empty items. Cost: linear in nodes and edges; nothing recurses. Limits: scalars,
 * containers and arrays only.
 */
#include <string.h>

#include "base/byteorder.h"
#include "codec/data_memory.h"
#include "codec/pickle/pickle_graph_maker.h"
#include "codec/pickle/pickle_number.h"

enum ndp_status ndp_pickle_graph_maker_fail(const struct ndp_pickle_graph_maker *m, enum ndp_status status,
                                            uint32_t node, const char *text) {
    return ndp_error_set(m->pickle->error, status, NDP_NO_OFFSET, "nodes[%u]: %s", node, text);
}

struct ndp_object *ndp_pickle_graph_maker_object(const struct ndp_pickle_graph_maker *m, uint32_t node) {
    struct ndp_object *object = m->objects[node];
    return ndp_object_is(object, NDP_OBJECT_RAW) ? ndp_pickle_graph_maker_rewrap(m, object) : object;
}

struct ndp_object *ndp_pickle_graph_maker_text(const struct ndp_pickle_graph_maker *m, struct ndp_bytes text) {
    return ndp_object_bytes(m->pickle->objects, NDP_OBJECT_TEXT, text);
}

struct ndp_object *ndp_pickle_graph_maker_global(const struct ndp_pickle_graph_maker *m, const char *module,
                                                 const char *name) {
    return ndp_pickle_maker_global(m->pickle, module, name);
}

/* ---- scalars ---- */

static enum ndp_status make_int(struct ndp_pickle_graph_maker *m, uint32_t node, struct ndp_object **out) {
    const enum ndp_status status = ndp_pickle_number_read_int(m->pickle->objects, m->graph->nodes[node].text, out);
    return status == NDP_OK ? NDP_OK : ndp_pickle_graph_maker_fail(m, status, node, "invalid integer");
}

static struct ndp_object *make_float(struct ndp_pickle_graph_maker *m, struct ndp_bytes bytes) {
    double real = 0;
    uint64_t bits = 0;
    for (uint64_t i = 0; i < bytes.size_bytes; i++) bits = bits << 8 | bytes.data[i];
    memcpy(&real, &bits, sizeof real);
    return ndp_object_float(m->pickle->objects, real);
}

/* ---- containers ---- */

/* A tuple with NULL items, to be filled. The empty tuple is a singleton. */
static struct ndp_object *make_tuple(struct ndp_pickle_graph_maker *m, const struct ndp_node *node) {
    struct ndp_object *items[NDP_MAX_EDGES] = {NULL};
    return ndp_object_tuple(m->pickle->objects, node->edge_count, items);
}

static enum ndp_status append_node(struct ndp_pickle_graph_maker *m, uint32_t number, struct ndp_object_list *list,
                                   uint32_t to) {
    struct ndp_object *object = ndp_pickle_graph_maker_object(m, to);
    if (object != NULL && ndp_object_append(m->pickle->objects, list, object)) return NDP_OK;
    return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
}

static enum ndp_status fill_items(struct ndp_pickle_graph_maker *m, uint32_t number, struct ndp_object_list *list) {
    const struct ndp_node *node = &m->graph->nodes[number];
    for (uint32_t i = 0; i < node->edge_count; i++) NDP_TRY(append_node(m, number, list, node->edges[i].to));
    return NDP_OK;
}

static enum ndp_status fill_tuple(struct ndp_pickle_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_object **items = m->objects[number]->list.items;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        items[i] = ndp_pickle_graph_maker_object(m, node->edges[i].to);
        if (items[i] == NULL) return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    }
    return NDP_OK;
}

static enum ndp_status fill_dict(struct ndp_pickle_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_object_list *list = &m->objects[number]->list;
    const uint32_t count = ndp_graph_node_count_edges(node, NDP_EDGE_KEY);
    for (uint32_t i = 0; i < count; i++) {
        const struct ndp_edge *value = ndp_graph_node_edge(node, NDP_EDGE_VALUE, i);
        if (value == NULL) return ndp_pickle_graph_maker_fail(m, NDP_INVALID, number, "key without a value");
        NDP_TRY(append_node(m, number, list, ndp_graph_node_edge(node, NDP_EDGE_KEY, i)->to));
        NDP_TRY(append_node(m, number, list, value->to));
    }
    return NDP_OK;
}

/* Replaces the value of a name in the dict, or appends the pair. */
static bool put_attribute(struct ndp_pickle_graph_maker *m, struct ndp_object *dict, struct ndp_object *name,
                          struct ndp_object *value) {
    struct ndp_object **items = dict->list.items;
    bool is_there = false;
    for (uint64_t i = 0; i + 1 < dict->list.count; i += 2) {
        const bool is_text = items[i]->kind == NDP_OBJECT_TEXT || items[i]->kind == NDP_OBJECT_STRING;
        if (!is_text || !ndp_object_is_same_text(items[i], name)) continue;
        items[i + 1] = value;
        is_there = true;
    }
    return is_there || (ndp_object_append(m->pickle->objects, &dict->list, name) &&
                        ndp_object_append(m->pickle->objects, &dict->list, value));
}

static enum ndp_status fill_attributes(struct ndp_pickle_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_object *dict = m->attributes[number];
    for (uint32_t i = 0; dict != NULL && i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->role != NDP_EDGE_ATTRIBUTE || edge->to == NDP_GRAPH_UNSET) continue;
        struct ndp_object *name = ndp_pickle_maker_name(m->pickle, edge->name);
        struct ndp_object *value = ndp_pickle_graph_maker_object(m, edge->to);
        if (name == NULL || value == NULL || !put_attribute(m, dict, name, value))
            return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
    }
    return NDP_OK;
}

/* ---- all nodes ---- */

static enum ndp_status make_node(struct ndp_pickle_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_objects *objects = m->pickle->objects;
    struct ndp_object **out = &m->objects[number];
    switch (node->kind) {
    case NDP_NODE_NONE:
        *out = ndp_object_none(objects);
        break;
    case NDP_NODE_BOOL:
        *out = ndp_object_bool(objects, node->truth);
        break;
    case NDP_NODE_INT:
        return make_int(m, number, out);
    case NDP_NODE_FLOAT:
        if (node->text.size_bytes != 8)
            return ndp_pickle_graph_maker_fail(m, NDP_INVALID, number, "double does not have 8 bytes");
        *out = make_float(m, node->text);
        break;
    case NDP_NODE_TEXT:
        *out = ndp_pickle_graph_maker_text(m, node->text);
        break;
    case NDP_NODE_BYTES:
        *out = ndp_object_bytes(objects, NDP_OBJECT_BYTES, node->text);
        break;
    case NDP_NODE_TUPLE:
        *out = make_tuple(m, node);
        break;
    case NDP_NODE_LIST:
        *out = ndp_object_new(objects, NDP_OBJECT_LIST);
        break;
    case NDP_NODE_DICT:
        *out = ndp_object_new(objects, NDP_OBJECT_DICT);
        break;
    case NDP_NODE_ARRAY:
        return ndp_pickle_graph_maker_array(m, number, out);
    case NDP_NODE_OBJECTS:
        return m->joblib != NULL ? ndp_pickle_graph_maker_wrapped_objects(m, number, out)
                                 : ndp_pickle_graph_maker_objects(m, number, out);
    case NDP_NODE_FUNCTION:
    case NDP_NODE_CELL:
    case NDP_NODE_GLOBALS:
    case NDP_NODE_METHOD:
    case NDP_NODE_PARTIAL:
    case NDP_NODE_VECTORIZE:
    case NDP_NODE_FROMPYFUNC:
    case NDP_NODE_INSTANCE:
    case NDP_NODE_OTHER:
    case NDP_NODE_VIEW:
    case NDP_NODE_COUNT:
        return ndp_error_set(m->pickle->error, NDP_UNSUPPORTED, NDP_NO_OFFSET,
                             "nodes[%u]: the pickle encoder does not support a %s", number,
                             ndp_graph_words_node(node->kind));
    }
    return *out != NULL ? NDP_OK : ndp_pickle_graph_maker_fail(m, NDP_NOMEM, number, "out of memory");
}

/* The list of items at the end of an object array's state. */
static struct ndp_object_list *items_of(const struct ndp_object *array) {
    return &array->call->state->list.items[4]->list;
}

static enum ndp_status fill_node(struct ndp_pickle_graph_maker *m, uint32_t number) {
    const enum ndp_node_kind kind = m->graph->nodes[number].kind;
    if (m->objects[number]->kind == NDP_OBJECT_RAW) return NDP_OK;
    if (kind == NDP_NODE_LIST) return fill_items(m, number, &m->objects[number]->list);
    if (kind == NDP_NODE_OBJECTS) return fill_items(m, number, items_of(m->objects[number]));
    if (kind == NDP_NODE_TUPLE) return fill_tuple(m, number);
    if (kind == NDP_NODE_DICT) return fill_dict(m, number);
    return kind == NDP_NODE_ARRAY ? fill_attributes(m, number) : NDP_OK;
}

/* A mask is pickled as part of its array; the separate object of its node is unused unless another edge refers to it.
 */
enum ndp_status ndp_pickle_graph_maker_make_all(struct ndp_pickle_graph_maker *m) {
    struct ndp_arena *arena = m->pickle->objects->arena;
    const uint32_t count = m->graph->count;
    m->objects = NDP_ARENA_ITEMS(arena, struct ndp_object *, count);
    m->attributes = NDP_ARENA_ITEMS(arena, struct ndp_object *, count);
    if (m->objects == NULL || m->attributes == NULL)
        return ndp_pickle_graph_maker_fail(m, NDP_NOMEM, m->graph->root, "out of memory");
    memset(m->objects, 0, count * sizeof(struct ndp_object *));
    memset(m->attributes, 0, count * sizeof(struct ndp_object *));
    for (uint32_t i = 0; i < count; i++) NDP_TRY(make_node(m, i));
    for (uint32_t i = 0; i < count; i++) NDP_TRY(fill_node(m, i));
    return NDP_OK;
}

enum ndp_status ndp_pickle_graph_make(struct ndp_pickle_maker *maker, const struct ndp_graph *graph,
                                      const struct ndp_graph_form *form, struct ndp_object **out) {
    struct ndp_pickle_graph_maker m = {.pickle = maker, .graph = graph, .protocol = form->protocol};
    NDP_TRY(ndp_pickle_graph_maker_make_all(&m));
    *out = m.objects[graph->root];
    return NDP_OK;
}

enum ndp_status ndp_pickle_graph_encode(struct ndp_arena *arena, const struct ndp_graph *graph,
                                        const struct ndp_graph_form *form, ndp_write_bytes *write, void *sink,
                                        struct ndp_error *error) {
    struct ndp_objects objects;
    struct ndp_object *root = NULL;
    ndp_objects_init(&objects, arena);
    struct ndp_pickle_maker maker = {.objects = &objects, .release = form->release, .error = error};
    const struct ndp_pickle_form pickle = {.protocol = form->protocol};
    enum ndp_status status = ndp_pickle_graph_make(&maker, graph, form, &root);
    if (status == NDP_OK) status = ndp_pickle_write(&objects, root, &pickle, write, sink, error);
    ndp_objects_clear(&objects);
    return status;
}
