/* pickle_function_make.c: what can be called, as pickle, cloudpickle and dill write it. A function that a module has
 * goes by its name; another needs its body, and one of the two libraries.
 *
 * Parts that may lead back to the function come after it is made: with cloudpickle in its state, with dill by setattr.
 */
#include <string.h>

#include "codec/pickle/pickle_code.h"
#include "codec/pickle/pickle_function.h"
#include "codec/pickle/pickle_graph_maker.h"

static enum ndp_status no_memory(const struct ndp_graph_maker *m, uint32_t number) {
    return ndp_graph_maker_fail(m, NDP_NOMEM, number, "no memory");
}

static struct ndp_object *none(const struct ndp_graph_maker *m) {
    return ndp_object_none(m->pickle->objects);
}

/* A tuple of items that come later. */
static struct ndp_object *make_places(const struct ndp_graph_maker *m, uint32_t count) {
    struct ndp_object *items[NDP_MAX_EDGES] = {NULL};
    return ndp_object_tuple(m->pickle->objects, count, items);
}

static struct ndp_object *make_call(const struct ndp_graph_maker *m, struct ndp_object *callable,
                                    struct ndp_object *args) {
    if (callable == NULL || args == NULL) return NULL;
    return ndp_object_call(m->pickle->objects, NDP_CALL_REDUCE, callable, args);
}

/* False when there is no memory for the pair, or was none for one of its parts. */
static bool put(const struct ndp_graph_maker *m, struct ndp_object *dict, struct ndp_object *key,
                struct ndp_object *value) {
    return dict != NULL && key != NULL && value != NULL && ndp_object_append(m->pickle->objects, &dict->list, key) &&
           ndp_object_append(m->pickle->objects, &dict->list, value);
}

static bool put_word(const struct ndp_graph_maker *m, struct ndp_object *dict, const char *key,
                     struct ndp_object *value) {
    return put(m, dict, ndp_object_text(m->pickle->objects, key), value);
}

/* The objects that edges of a role lead to, by their names: a dict. NULL without memory. */
static struct ndp_object *make_named(const struct ndp_graph_maker *m, const struct ndp_node *node,
                                     enum ndp_edge_role role) {
    struct ndp_object *dict = ndp_object_new(m->pickle->objects, NDP_OBJECT_DICT);
    for (uint32_t i = 0; dict != NULL && i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->role != role || (role == NDP_EDGE_ATTRIBUTE && ndp_function_description(edge->name) != NULL))
            continue;
        if (!put(m, dict, ndp_graph_maker_text(m, edge->name), ndp_graph_maker_object(m, edge->to))) return NULL;
    }
    return dict;
}

/* The same in order: a tuple. */
static struct ndp_object *make_ordered(const struct ndp_graph_maker *m, const struct ndp_node *node,
                                       enum ndp_edge_role role) {
    struct ndp_object *items[NDP_MAX_EDGES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (node->edges[i].role != role) continue;
        items[count] = ndp_graph_maker_object(m, node->edges[i].to);
        if (items[count++] == NULL) return NULL;
    }
    return ndp_object_tuple(m->pickle->objects, count, items);
}

static struct ndp_object *library_name(const struct ndp_graph_maker *m, const char *name) {
    return ndp_code_library_name(m->pickle->objects, m->library, name);
}

/* ---- cells and globals ---- */

static enum ndp_status make_cell(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    const bool is_empty = ndp_node_edge(&m->graph->nodes[number], NDP_EDGE_CONTENT, 0) == NULL;
    const bool is_dill = m->library == NDP_FUNCTION_DILL;
    const char *name = is_dill ? "_create_cell" : is_empty ? "_make_empty_cell" : "_make_cell";
    struct ndp_object *nothing = none(m);
    struct ndp_object *args = is_dill ? ndp_object_tuple(m->pickle->objects, 1, &nothing) : make_places(m, !is_empty);
    *out = nothing == NULL ? NULL : make_call(m, library_name(m, name), args);
    if (*out == NULL) return no_memory(m, number);
    if (!is_dill || !is_empty) return NDP_OK;
    (*out)->call->setter = ndp_graph_maker_global(m, "builtins", "delattr");
    (*out)->call->state = ndp_object_text(m->pickle->objects, "cell_contents");
    return (*out)->call->setter != NULL && (*out)->call->state != NULL ? NDP_OK : no_memory(m, number);
}

static bool is_closed_over(const struct ndp_graph *graph, uint32_t cell) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        for (uint32_t k = 0; node->kind == NDP_NODE_FUNCTION && k < node->edge_count; k++)
            if (node->edges[k].role == NDP_EDGE_CELL && node->edges[k].to == cell) return true;
    }
    return false;
}

/* With dill those that have a cell fill it, once they are there. */
static void fill_cell(struct ndp_graph_maker *m, uint32_t number) {
    const struct ndp_edge *content = ndp_node_edge(&m->graph->nodes[number], NDP_EDGE_CONTENT, 0);
    if (content == NULL || m->objects[number]->call->args->list.count == 0) return;
    if (m->library == NDP_FUNCTION_DILL && is_closed_over(m->graph, number)) return;
    m->objects[number]->call->args->list.items[0] = ndp_graph_maker_object(m, content->to);
}

/* A dict with the module's name, the same for all functions of one GLOBALS node. */
static struct ndp_object *make_globals(struct ndp_graph_maker *m, struct ndp_object *module) {
    struct ndp_object *dict = ndp_object_new(m->pickle->objects, NDP_OBJECT_DICT);
    if (module == NULL) module = ndp_object_text(m->pickle->objects, ndp_function_dynamic_module);
    return put_word(m, dict, "__name__", module) ? dict : NULL;
}

static struct ndp_object *globals_of(struct ndp_graph_maker *m, const struct ndp_node *node,
                                     struct ndp_object *module) {
    const struct ndp_edge *edge = ndp_node_edge(node, NDP_EDGE_GLOBALS, 0);
    if (edge == NULL) return make_globals(m, module);
    if (m->objects[edge->to] == NULL) m->objects[edge->to] = make_globals(m, module);
    return m->objects[edge->to];
}

/* ---- functions ---- */

/* A cell that is empty until the states of its functions fill it: what cloudpickle itself makes anew for every one of
 * them, here is one for all, so that they go on sharing it. */
static enum ndp_status make_owned_cell(struct ndp_graph_maker *m, uint32_t number) {
    const struct ndp_object *made = m->objects[number];
    if (made != NULL && made->call->args->list.count == 0) return NDP_OK;
    m->objects[number] = make_call(m, library_name(m, "_make_empty_cell"), make_places(m, 0));
    return m->objects[number] != NULL ? NDP_OK : no_memory(m, number);
}

/* A tuple of what the cells are to hold, each in a cell of its own. NULL without memory. */
static struct ndp_object *make_contents(const struct ndp_graph_maker *m, const struct ndp_node *node) {
    struct ndp_object *items[NDP_MAX_EDGES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (node->edges[i].role != NDP_EDGE_CELL) continue;
        const struct ndp_edge *content = ndp_node_edge(&m->graph->nodes[node->edges[i].to], NDP_EDGE_CONTENT, 0);
        struct ndp_object *held = content == NULL ? NULL : ndp_graph_maker_object(m, content->to);
        if (content != NULL && held == NULL) return NULL;
        struct ndp_object *args = held == NULL ? make_places(m, 0) : ndp_object_tuple(m->pickle->objects, 1, &held);
        items[count] = make_call(m, library_name(m, held == NULL ? "_make_empty_cell" : "_make_cell"), args);
        if (items[count++] == NULL) return NULL;
    }
    return ndp_object_tuple(m->pickle->objects, count, items);
}

/* The cells that the function is made with. */
static enum ndp_status make_closure(struct ndp_graph_maker *m, const struct ndp_node *node, uint32_t number,
                                    struct ndp_object **out) {
    struct ndp_object *items[NDP_MAX_EDGES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const uint32_t to = node->edges[i].to;
        if (node->edges[i].role != NDP_EDGE_CELL) continue;
        if (m->graph->nodes[to].kind != NDP_NODE_CELL)
            return ndp_graph_maker_fail(m, NDP_UNSUPPORTED, number, "a function closed over what is no cell");
        if (m->library == NDP_FUNCTION_DILL) {
            if (m->objects[to] == NULL) NDP_TRY(make_cell(m, to, &m->objects[to]));
            items[count] = m->objects[to];
        } else {
            NDP_TRY(make_owned_cell(m, to));
            items[count] = m->objects[to];
        }
        if (items[count++] == NULL) return no_memory(m, number);
    }
    *out = count == 0 ? none(m) : ndp_object_tuple(m->pickle->objects, count, items);
    return *out != NULL ? NDP_OK : no_memory(m, number);
}

/* Gives the text that is the function's module, as an attribute has it, or else its body; NULL when neither does. */
static enum ndp_status find_module(const struct ndp_graph_maker *m, uint32_t number, const struct ndp_object *slots,
                                   struct ndp_object **out) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_object *kept = ndp_object_lookup(slots, "__module__");
    *out = ndp_object_is(kept, NDP_OBJECT_TEXT) ? kept : NULL;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->role != NDP_EDGE_ATTRIBUTE || m->graph->nodes[edge->to].kind != NDP_NODE_TEXT ||
            !ndp_bytes_is_word(edge->name, "__module__"))
            continue;
        *out = ndp_graph_maker_text(m, m->graph->nodes[edge->to].text);
        return *out != NULL ? NDP_OK : no_memory(m, number);
    }
    return NDP_OK;
}

static enum ndp_status make_function(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    const struct ndp_node *node = &m->graph->nodes[number];
    const bool is_dill = m->library == NDP_FUNCTION_DILL;
    const struct ndp_object *slots = NULL;
    struct ndp_object *args[5] = {NULL}, *module = NULL;
    NDP_TRY(ndp_code_make(m->pickle->objects, node->body, m->library, &args[0], &slots, m->pickle->error));
    NDP_TRY(find_module(m, number, slots, &module));
    args[1] = globals_of(m, node, module);
    args[2] = is_dill ? ndp_graph_maker_text(m, node->name) : none(m);
    args[3] = none(m);
    NDP_TRY(make_closure(m, node, number, &args[4]));
    for (size_t i = 0; i < NDP_ARRAY_LEN(args); i++) {
        if (args[i] == NULL) return no_memory(m, number);
    }
    /* The type by its name is what every release of cloudpickle takes. */
    struct ndp_object *callable =
        is_dill ? library_name(m, "_create_function") : ndp_code_type(m->pickle->objects, m->library, "LambdaType");
    *out = make_call(m, callable, ndp_object_tuple(m->pickle->objects, NDP_ARRAY_LEN(args), args));
    return *out != NULL ? NDP_OK : no_memory(m, number);
}

/* What the function has beside under that name: as an attribute has it, or else as its body does. */
static bool put_kept(const struct ndp_graph_maker *m, const struct ndp_node *node, struct ndp_object *dict,
                     const struct ndp_object *slots, const char *name) {
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->role == NDP_EDGE_ATTRIBUTE && ndp_bytes_is_word(edge->name, name))
            return put_word(m, dict, name, ndp_graph_maker_object(m, edge->to));
    }
    struct ndp_object *value = ndp_object_lookup(slots, name);
    return value == NULL || put_word(m, dict, name, value);
}

static bool has_kept(const struct ndp_node *node, const struct ndp_object *slots, const char *name) {
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct ndp_edge *edge = &node->edges[i];
        if (edge->role == NDP_EDGE_ATTRIBUTE && ndp_bytes_is_word(edge->name, name)) return true;
    }
    return ndp_object_lookup(slots, name) != NULL;
}

/* The qualified name. To dill one that is not there is the name: what says nothing has to be said. */
static bool put_qualname(const struct ndp_graph_maker *m, const struct ndp_node *node, struct ndp_object *dict,
                         const struct ndp_object *slots) {
    const struct ndp_bytes inside = ndp_bytes_view(ndp_function_inside), name = node->name;
    if (m->library != NDP_FUNCTION_DILL || node->is_opaque || has_kept(node, slots, "__qualname__"))
        return put_kept(m, node, dict, slots, "__qualname__");
    uint8_t *text = ndp_arena_alloc(m->pickle->objects->arena, inside.size_bytes + name.size_bytes);
    if (text == NULL) return false;
    memcpy(text, inside.data, (size_t)inside.size_bytes);
    if (name.size_bytes > 0) memcpy(text + inside.size_bytes, name.data, (size_t)name.size_bytes);
    const struct ndp_bytes qualname = {text, inside.size_bytes + name.size_bytes};
    return put_word(m, dict, "__qualname__", ndp_graph_maker_text(m, qualname));
}

/* The module. One that is not said would be that of the globals, which are other functions' as well. */
static bool put_module(const struct ndp_graph_maker *m, const struct ndp_node *node, struct ndp_object *dict,
                       const struct ndp_object *slots) {
    if (has_kept(node, slots, "__module__")) return put_kept(m, node, dict, slots, "__module__");
    return put_word(m, dict, "__module__", ndp_object_text(m->pickle->objects, ndp_function_dynamic_module));
}

/* Everything that the function's state sets beside attributes; None where there is none of it. */
static bool put_slots(const struct ndp_graph_maker *m, const struct ndp_node *node, const struct ndp_object *kept,
                      struct ndp_object *dict) {
    const bool has_defaults = ndp_node_edges(node, NDP_EDGE_DEFAULT) > 0;
    const bool has_keywords = ndp_node_edges(node, NDP_EDGE_KWDEFAULT) > 0;
    return put_word(m, dict, "__name__", ndp_graph_maker_text(m, node->name)) && put_qualname(m, node, dict, kept) &&
           put_kept(m, node, dict, kept, "__annotations__") &&
           put_word(m, dict, "__kwdefaults__", has_keywords ? make_named(m, node, NDP_EDGE_KWDEFAULT) : none(m)) &&
           put_word(m, dict, "__defaults__", has_defaults ? make_ordered(m, node, NDP_EDGE_DEFAULT) : none(m)) &&
           put_module(m, node, dict, kept) && put_kept(m, node, dict, kept, "__doc__");
}

static struct ndp_object *make_entries(const struct ndp_graph_maker *m, const struct ndp_node *node) {
    const struct ndp_edge *globals = ndp_node_edge(node, NDP_EDGE_GLOBALS, 0);
    return globals == NULL ? ndp_object_new(m->pickle->objects, NDP_OBJECT_DICT)
                           : make_named(m, &m->graph->nodes[globals->to], NDP_EDGE_ENTRY);
}

/* What cloudpickle's own function for states takes beside. */
static bool put_cloudpickle(const struct ndp_graph_maker *m, const struct ndp_node *node, const struct ndp_object *kept,
                            struct ndp_object *dict) {
    const bool has_cells = ndp_node_edges(node, NDP_EDGE_CELL) > 0;
    struct ndp_object *modules = ndp_object_lookup(kept, "_cloudpickle_submodules");
    if (modules == NULL) modules = ndp_object_new(m->pickle->objects, NDP_OBJECT_LIST);
    return put_word(m, dict, "__closure__", has_cells ? make_contents(m, node) : none(m)) &&
           put_word(m, dict, "_cloudpickle_submodules", modules) &&
           put_word(m, dict, "__globals__", make_entries(m, node));
}

/* A call that is made once the function is there. */
static enum ndp_status call_after(struct ndp_graph_maker *m, uint32_t number, struct ndp_object *callable,
                                  uint32_t count, struct ndp_object *const *args) {
    for (uint32_t i = 0; i < count; i++) {
        if (args[i] == NULL) return no_memory(m, number);
    }
    struct ndp_object *call = make_call(m, callable, ndp_object_tuple(m->pickle->objects, count, args));
    if (call == NULL || !ndp_object_append(m->pickle->objects, &m->objects[number]->call->after, call))
        return no_memory(m, number);
    return NDP_OK;
}

/* Cells are filled by every function that has them, globals too: filled twice is filled. */
static enum ndp_status fill_later(struct ndp_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (node->edges[i].role != NDP_EDGE_CELL) continue;
        const struct ndp_edge *content = ndp_node_edge(&m->graph->nodes[node->edges[i].to], NDP_EDGE_CONTENT, 0);
        if (content == NULL) continue;
        struct ndp_object *const args[] = {m->objects[node->edges[i].to],
                                           ndp_object_text(m->pickle->objects, "cell_contents"),
                                           ndp_graph_maker_object(m, content->to)};
        NDP_TRY(call_after(m, number, ndp_graph_maker_global(m, "builtins", "setattr"), 3, args));
    }
    struct ndp_object *entries = make_entries(m, node);
    if (entries == NULL) return no_memory(m, number);
    if (entries->list.count == 0) return NDP_OK;
    struct ndp_object *const args[] = {m->objects[number]->call->args->list.items[1], entries};
    return call_after(m, number, ndp_graph_maker_global(m, "builtins", "dict.update"), 2, args);
}

static enum ndp_status fill_function(struct ndp_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_call *call = m->objects[number]->call;
    struct ndp_object *code = NULL, *state[2] = {NULL};
    const struct ndp_object *kept = NULL;
    NDP_TRY(ndp_code_make(m->pickle->objects, node->body, m->library, &code, &kept, m->pickle->error));
    state[0] = make_named(m, node, NDP_EDGE_ATTRIBUTE);
    state[1] = ndp_object_new(m->pickle->objects, NDP_OBJECT_DICT);
    if (state[0] == NULL || state[1] == NULL || !put_slots(m, node, kept, state[1])) return no_memory(m, number);
    if (m->library == NDP_FUNCTION_CLOUDPICKLE) {
        if (!put_cloudpickle(m, node, kept, state[1])) return no_memory(m, number);
        call->setter = ndp_graph_maker_global(m, "cloudpickle.cloudpickle_fast", "_function_setstate");
        if (call->setter == NULL) return no_memory(m, number);
    }
    call->state = ndp_object_tuple(m->pickle->objects, 2, state);
    if (call->state == NULL) return no_memory(m, number);
    return m->library == NDP_FUNCTION_DILL ? fill_later(m, number) : NDP_OK;
}

/* ---- what calls them ---- */

static struct ndp_object *edge_object(const struct ndp_graph_maker *m, uint32_t number, enum ndp_edge_role role) {
    const struct ndp_edge *edge = ndp_node_edge(&m->graph->nodes[number], role, 0);
    return edge == NULL ? NULL : ndp_graph_maker_object(m, edge->to);
}

static enum ndp_status make_method(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    if (m->library == NDP_FUNCTION_OTHER)
        return ndp_graph_maker_fail(m, NDP_UNSUPPORTED, number, "a method of an object that has none of the name");
    *out = make_call(m, ndp_code_type(m->pickle->objects, m->library, "MethodType"), make_places(m, 2));
    return *out != NULL ? NDP_OK : no_memory(m, number);
}

static void fill_method(struct ndp_graph_maker *m, uint32_t number) {
    struct ndp_object **items = m->objects[number]->call->args->list.items;
    items[0] = edge_object(m, number, NDP_EDGE_FUNCTION);
    items[1] = edge_object(m, number, NDP_EDGE_SELF);
}

static enum ndp_status make_partial(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    *out = make_call(m, ndp_graph_maker_global(m, "functools", "partial"), make_places(m, 1));
    return *out != NULL ? NDP_OK : no_memory(m, number);
}

static enum ndp_status fill_partial(struct ndp_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_object *function = edge_object(m, number, NDP_EDGE_FUNCTION);
    struct ndp_object *const state[] = {function, make_ordered(m, node, NDP_EDGE_ARGUMENT),
                                        make_named(m, node, NDP_EDGE_KEYWORD), none(m)};
    m->objects[number]->call->args->list.items[0] = function;
    if (state[1] == NULL || state[2] == NULL || state[3] == NULL) return no_memory(m, number);
    m->objects[number]->call->state = ndp_object_tuple(m->pickle->objects, NDP_ARRAY_LEN(state), state);
    return m->objects[number]->call->state != NULL ? NDP_OK : no_memory(m, number);
}

/* A new object of the class: NEWOBJ, or what protocols 0 and 1 have in its place. */
static enum ndp_status make_vectorize(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    struct ndp_object *class = ndp_graph_maker_global(m, "numpy", "vectorize");
    struct ndp_object *args[] = {class, ndp_graph_maker_global(m, "builtins", "object"), none(m)};
    struct ndp_object *tuple =
        m->protocol >= 2 ? make_places(m, 0) : ndp_object_tuple(m->pickle->objects, NDP_ARRAY_LEN(args), args);
    if (class == NULL || args[1] == NULL || args[2] == NULL || tuple == NULL) return no_memory(m, number);
    *out = m->protocol >= 2 ? ndp_object_call(m->pickle->objects, NDP_CALL_NEWOBJ, class, tuple)
                            : make_call(m, ndp_graph_maker_global(m, "copyreg", "_reconstructor"), tuple);
    return *out != NULL ? NDP_OK : no_memory(m, number);
}

static struct ndp_object *make_excluded(const struct ndp_graph_maker *m, const struct ndp_node *node) {
    struct ndp_object *set = ndp_object_new(m->pickle->objects, NDP_OBJECT_SET);
    for (uint32_t i = 0; set != NULL && i < node->excluded_count; i++) {
        struct ndp_object *place = ndp_object_int(m->pickle->objects, node->excluded[i]);
        if (place == NULL || !ndp_object_append(m->pickle->objects, &set->list, place)) return NULL;
    }
    return set;
}

/* A list of one empty tuple for each "()" of one side of a signature. */
static struct ndp_object *make_core(const struct ndp_graph_maker *m, struct ndp_bytes side) {
    struct ndp_object *list = ndp_object_new(m->pickle->objects, NDP_OBJECT_LIST);
    for (uint64_t i = 0; list != NULL && i < side.size_bytes; i++) {
        if (side.data[i] == '(' && !ndp_object_append(m->pickle->objects, &list->list, make_places(m, 0))) return NULL;
    }
    return list;
}

/* ([(), ...], [(), ...]) of a signature without core dimensions, None without one, NULL without memory. */
static struct ndp_object *make_dimensions(const struct ndp_graph_maker *m, const struct ndp_node *node) {
    const struct ndp_bytes all = node->signature;
    uint64_t arrow = 0;
    if (!node->has_signature) return none(m);
    while (arrow < all.size_bytes && all.data[arrow] != '-') arrow++;
    struct ndp_object *const sides[] = {make_core(m, (struct ndp_bytes){all.data, arrow}),
                                        make_core(m, (struct ndp_bytes){all.data + arrow, all.size_bytes - arrow})};
    return sides[0] == NULL || sides[1] == NULL ? NULL : ndp_object_tuple(m->pickle->objects, 2, sides);
}

static enum ndp_status fill_vectorize(struct ndp_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    struct ndp_object *dict = ndp_object_new(m->pickle->objects, NDP_OBJECT_DICT);
    if (!ndp_function_is_scalar(node->signature))
        return ndp_graph_maker_fail(m, NDP_UNSUPPORTED, number, "a signature with core dimensions");
    const bool is_whole =
        put_word(m, dict, "pyfunc", edge_object(m, number, NDP_EDGE_FUNCTION)) &&
        put_word(m, dict, "cache", ndp_object_bool(m->pickle->objects, false)) &&
        put_word(m, dict, "signature", node->has_signature ? ndp_graph_maker_text(m, node->signature) : none(m)) &&
        put_word(m, dict, "_ufunc", ndp_object_new(m->pickle->objects, NDP_OBJECT_DICT)) &&
        put_word(m, dict, "_doc", none(m)) && put_word(m, dict, "__doc__", none(m)) &&
        put_word(m, dict, "otypes", node->has_otypes ? ndp_graph_maker_text(m, node->otypes) : none(m)) &&
        put_word(m, dict, "excluded", make_excluded(m, node)) &&
        put_word(m, dict, "_in_and_out_core_dims", make_dimensions(m, node));
    m->objects[number]->call->state = dict;
    return is_whole ? NDP_OK : no_memory(m, number);
}

/* ---- all of them ---- */

static enum ndp_status make_named_function(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    const struct ndp_node *node = &m->graph->nodes[number];
    const struct ndp_named_function *named = ndp_function_named(node->name, node->code);
    if (named == NULL)
        return ndp_graph_maker_fail(m, NDP_UNSUPPORTED, number, "a function that its module does not have");
    *out = ndp_graph_maker_global(m, ndp_function_module, named->name);
    return *out != NULL ? NDP_OK : no_memory(m, number);
}

enum ndp_status ndp_pickle_function_make(struct ndp_graph_maker *m, uint32_t number, struct ndp_object **out) {
    const struct ndp_node *node = &m->graph->nodes[number];
    if (*out != NULL) return NDP_OK; /* a cell or globals that a function needed before */
    if (node->kind == NDP_NODE_FUNCTION && node->is_importable) return make_named_function(m, number, out);
    if (node->kind == NDP_NODE_METHOD) return make_method(m, number, out);
    if (node->kind == NDP_NODE_PARTIAL) return make_partial(m, number, out);
    if (node->kind == NDP_NODE_VECTORIZE) return make_vectorize(m, number, out);
    if (m->library == NDP_FUNCTION_OTHER || node->kind == NDP_NODE_FROMPYFUNC)
        return ndp_graph_maker_fail(m, NDP_UNSUPPORTED, number, "a function that no module has under its name");
    if (node->kind == NDP_NODE_CELL) return make_cell(m, number, out);
    if (node->kind == NDP_NODE_GLOBALS) {
        *out = make_globals(m, NULL);
        return *out != NULL ? NDP_OK : no_memory(m, number);
    }
    if (node->body.size_bytes == 0)
        return ndp_graph_maker_fail(m, NDP_UNSUPPORTED, number, "a function whose code only its interpreter has");
    return make_function(m, number, out);
}

enum ndp_status ndp_pickle_function_fill(struct ndp_graph_maker *m, uint32_t number) {
    const struct ndp_node *node = &m->graph->nodes[number];
    if (node->kind == NDP_NODE_FUNCTION && !node->is_importable) return fill_function(m, number);
    if (node->kind == NDP_NODE_CELL) fill_cell(m, number);
    if (node->kind == NDP_NODE_METHOD) fill_method(m, number);
    if (node->kind == NDP_NODE_PARTIAL) return fill_partial(m, number);
    return node->kind == NDP_NODE_VECTORIZE ? fill_vectorize(m, number) : NDP_OK;
}
