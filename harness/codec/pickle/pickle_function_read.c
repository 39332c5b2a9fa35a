/* pickle_function_read.c: functions, what they are made of and what calls them, as nodes: functions that a module has
 * by their names, others as cloudpickle and dill write them. */
#include "codec/pickle/pickle_code.h"
#include "codec/pickle/pickle_function.h"
#include "codec/pickle/pickle_graph_reader.h"

#include <string.h>

static const struct ndp_bytes no_name = {(const uint8_t *)"", 0};

/* ---- what is what ---- */

enum thing { NOTHING, NAMED, GLOBALS, FUNCTION, CELL, METHOD, PARTIAL, VECTORIZE };

static bool is_vectorize(const struct ndp_object *class) {
    return ndp_object_is_global(class, "numpy", "vectorize") ||
           ndp_object_is_global(class, "numpy.lib.function_base", "vectorize");
}

/* A new object of the class: what protocol 2 has an opcode for, and lower ones a function. What more it is made with
 * says nothing: the class has no __new__ of its own, and object's leaves it to __init__. */
static bool is_new_vectorize(const struct ndp_call *call) {
    const struct ndp_object_list *args = &call->args->list;
    if (call->how == NDP_CALL_NEWOBJ) return is_vectorize(call->callable);
    return call->how != NDP_CALL_NEWOBJ_EX &&
           ((ndp_object_is_global(call->callable, "copyreg", "_reconstructor") && args->count == 3) ||
            (ndp_object_is_global(call->callable, "copyreg", "__newobj__") && args->count > 0)) &&
           is_vectorize(args->items[0]);
}

/* dill 0.3.4: _create_ftype(type, function, arguments, keywords). */
static bool is_dill_partial(const struct ndp_call *call) {
    const struct ndp_object_list *args = &call->args->list;
    return ndp_function_is_called(call, NDP_FUNCTION_DILL, "_create_ftype") && args->count == 4 &&
           (ndp_code_is_type(args->items[0], "PartialType") ||
            ndp_object_is_global(args->items[0], "functools", "partial"));
}

/* A cell has no state; dill empties one that was made with a mark. */
static bool is_emptied(const struct ndp_call *call) {
    return ndp_object_is_builtin(call->setter, "delattr") && ndp_object_is_text(call->state, "cell_contents");
}

/* What has a state that the class does not take, or is given items, is none of them. */
static enum thing thing_of_call(const struct ndp_object *object) {
    const struct ndp_call *call = object->call;
    const bool has_no_state = call->state == NULL;
    if (ndp_function_form_of(object) != NDP_FUNCTION_OTHER) return FUNCTION;
    if (call->items.count + call->pairs.count > 0) return NOTHING;
    if (ndp_function_is_cell(object)) return has_no_state || is_emptied(call) ? CELL : NOTHING;
    if (call->setter != NULL) return NOTHING;
    if (ndp_code_is_type(call->callable, "MethodType")) return has_no_state ? METHOD : NOTHING;
    if (is_dill_partial(call)) return has_no_state ? PARTIAL : NOTHING;
    if (ndp_object_is_global(call->callable, "functools", "partial") || ndp_code_is_type(call->callable, "PartialType"))
        return PARTIAL;
    return is_new_vectorize(call) ? VECTORIZE : NOTHING;
}

static enum thing thing_of(const struct ndp_graph_reader *r, const struct ndp_object *object) {
    if (object->kind == NDP_OBJECT_GLOBAL) return ndp_function_find(object) != NULL ? NAMED : NOTHING;
    if (object->kind == NDP_OBJECT_DICT) return r->notes.are_globals[object->number] ? GLOBALS : NOTHING;
    return object->kind == NDP_OBJECT_CALL ? thing_of_call(object) : NOTHING;
}

bool ndp_pickle_is_function(const struct ndp_graph_reader *r, const struct ndp_object *object) {
    return thing_of(r, object) != NOTHING;
}

/* ---- parts ---- */

/* An edge for each item of a tuple; None is an empty one. */
static enum ndp_status follow_items(struct ndp_graph_reader *r, enum ndp_edge_role role,
                                    const struct ndp_object *tuple) {
    if (tuple == NULL || tuple->kind == NDP_OBJECT_NONE) return NDP_OK;
    if (tuple->kind != NDP_OBJECT_TUPLE) return ndp_graph_reader_fail(r, NDP_INVALID, tuple, "a tuple is due here");
    for (uint64_t i = 0; i < tuple->list.count; i++)
        NDP_TRY(ndp_graph_reader_follow(r, role, no_name, tuple->list.items[i]));
    return NDP_OK;
}

/* What dicts of names hold once each has been put into those before it. */
struct entries {
    uint32_t count;
    struct ndp_bytes names[NDP_MAX_EDGES];
    const struct ndp_object *values[NDP_MAX_EDGES];
};

/* Adds those names of a dict that `filter` takes (NULL takes all): of one that comes again the last value counts, in
 * the first place. None is an empty dict. */
static enum ndp_status gather(struct ndp_graph_reader *r, const struct ndp_object *dict,
                              bool (*filter)(struct ndp_bytes name), struct entries *entries) {
    if (dict == NULL || dict->kind == NDP_OBJECT_NONE) return NDP_OK;
    if (dict->kind != NDP_OBJECT_DICT) return ndp_graph_reader_fail(r, NDP_INVALID, dict, "a dict is due here");
    for (uint64_t i = 0; i + 1 < dict->list.count; i += 2) {
        struct ndp_bytes name;
        uint32_t place = 0;
        const enum ndp_status status = ndp_object_read_text(r->objects->arena, dict->list.items[i], &name);
        if (status != NDP_OK) return ndp_graph_reader_fail(r, status, dict, "a name that is no text");
        if (filter != NULL && !filter(name)) continue;
        while (place < entries->count && !ndp_bytes_is_equal(entries->names[place], name)) place++;
        if (place == NDP_ARRAY_LEN(entries->names))
            return ndp_graph_reader_beyond(r, NDP_LIMIT, dict, "more names than a node has edges");
        if (place == entries->count) entries->names[entries->count++] = name;
        entries->values[place] = dict->list.items[i + 1];
    }
    return NDP_OK;
}

/* An edge for each of them. */
static enum ndp_status follow_entries(struct ndp_graph_reader *r, enum ndp_edge_role role,
                                      const struct entries *entries) {
    for (uint32_t i = 0; i < entries->count; i++)
        NDP_TRY(ndp_graph_reader_follow(r, role, entries->names[i], entries->values[i]));
    return NDP_OK;
}

/* An edge for each name of a dict; None is an empty one. */
static enum ndp_status follow_names(struct ndp_graph_reader *r, enum ndp_edge_role role,
                                    const struct ndp_object *dict) {
    struct entries entries;
    entries.count = 0;
    NDP_TRY(gather(r, dict, NULL, &entries));
    return follow_entries(r, role, &entries);
}

/* ---- functions ---- */

/* Where the parts of a function are, in either form. */
struct parts {
    const struct ndp_object *code, *globals, *name, *defaults, *kwdefaults, *closure, *attributes, *slots;
};

static struct parts parts_of(const struct ndp_object *function) {
    const struct ndp_object_list *args = &function->call->args->list;
    struct parts parts = {.code = args->items[0], .globals = args->items[1], .closure = args->items[4]};
    (void)ndp_function_state(function, &parts.attributes, &parts.slots);
    if (ndp_function_form_of(function) == NDP_FUNCTION_DILL) {
        parts.name = args->items[2];
        parts.defaults = args->items[3];
        if (args->count > 5) parts.attributes = args->items[5];
        if (args->count > 6) parts.kwdefaults = args->items[6];
    } else {
        parts.name = ndp_object_lookup(parts.slots, "__name__");
    }
    /* The state is set after the call: what it says stands. */
    const struct ndp_object *defaults = ndp_object_lookup(parts.slots, "__defaults__");
    const struct ndp_object *kwdefaults = ndp_object_lookup(parts.slots, "__kwdefaults__");
    if (defaults != NULL) parts.defaults = defaults;
    if (kwdefaults != NULL) parts.kwdefaults = kwdefaults;
    return parts;
}

/* Whether what a function has beside says nothing: no text, no annotations, the module and the qualified name of the
 * functions that are made from templates. */
static bool says_nothing(const struct ndp_object *value, const struct ndp_object *name) {
    const uint64_t inside_bytes = strlen(ndp_function_inside);
    if (value == NULL || value->kind == NDP_OBJECT_NONE) return true;
    if (value->kind == NDP_OBJECT_DICT) return value->list.count == 0;
    if (value->kind != NDP_OBJECT_TEXT) return false;
    if (ndp_object_is_text(value, ndp_function_dynamic_module)) return true;
    return value->bytes.size_bytes == inside_bytes + name->bytes.size_bytes &&
           memcmp(value->bytes.data, ndp_function_inside, inside_bytes) == 0 &&
           memcmp(value->bytes.data + inside_bytes, name->bytes.data, (size_t)name->bytes.size_bytes) == 0;
}

/* The name that globals have when a function is made with them: dill makes them with the function's module, and sets
 * all that they held once the function is there. NULL when there is none. */
static const struct ndp_object *first_name_of(const struct ndp_object *globals) {
    for (uint64_t i = 0; i + 1 < globals->list.count; i += 2) {
        if (ndp_object_is_text(globals->list.items[i], "__name__")) return globals->list.items[i + 1];
    }
    return NULL;
}

/* What a function has beside are attributes under their own names; those of a module's own functions are as they are.
 * A qualified name that is left out is the name to dill, and to CPython where code is of no template. */
static enum ndp_status follow_own(struct ndp_graph_reader *r, const struct parts *parts, bool is_name_enough) {
    const struct ndp_object *module = ndp_object_lookup(parts->slots, "__module__");
    if (module == NULL) module = first_name_of(parts->globals);
    if (ndp_object_is_text(module, ndp_function_module)) return NDP_OK;
    for (uint32_t i = 0; i < NDP_FUNCTION_OWN; i++) {
        const char *word = ndp_function_own[i];
        const struct ndp_object *value = ndp_object_lookup(parts->slots, word);
        const struct ndp_object *hidden = ndp_object_lookup(parts->attributes, word);
        if (hidden != NULL)
            return ndp_graph_reader_beyond(r, NDP_UNSUPPORTED, hidden, "an attribute that the function's own hides");
        if (value != NULL && value->kind != NDP_OBJECT_TEXT && strcmp(word, "__qualname__") == 0)
            return ndp_graph_reader_fail(r, NDP_INVALID, value, "a qualified name that is no text");
        if (value == NULL && is_name_enough && strcmp(word, "__qualname__") == 0) value = parts->name;
        if (value == NULL && strcmp(word, "__module__") == 0) value = module;
        if (!says_nothing(value, parts->name))
            NDP_TRY(ndp_graph_reader_follow(r, NDP_EDGE_ATTRIBUTE, ndp_bytes_view(word), value));
    }
    return NDP_OK;
}

static enum ndp_status read_function(struct ndp_graph_reader *r, const struct ndp_object *object,
                                     struct ndp_node *node) {
    const struct parts parts = parts_of(object);
    struct ndp_taken_code taken;
    node->kind = NDP_NODE_FUNCTION;
    if (!ndp_object_is(parts.name, NDP_OBJECT_TEXT))
        return ndp_graph_reader_fail(r, NDP_INVALID, object, "a function without a name");
    /* dill's way to say the names of a module that can be imported. */
    if (!ndp_object_is(parts.globals, NDP_OBJECT_DICT))
        return ndp_graph_reader_beyond(r, NDP_UNSUPPORTED, object, "a function whose globals are those of a module");
    const enum ndp_status status = ndp_code_take(r->objects, object, parts.code, parts.slots, &taken, r->error);
    r->is_beyond = status == NDP_LIMIT;
    NDP_TRY(status);
    node->is_opaque = taken.is_opaque;
    node->code = taken.code;
    node->body = taken.body;
    NDP_TRY(ndp_graph_reader_bytes(r, parts.name, &node->name));
    NDP_TRY(follow_items(r, NDP_EDGE_CELL, parts.closure));
    NDP_TRY(follow_items(r, NDP_EDGE_DEFAULT, parts.defaults));
    NDP_TRY(follow_names(r, NDP_EDGE_KWDEFAULT, parts.kwdefaults));
    NDP_TRY(follow_own(r, &parts, node->is_opaque || ndp_function_form_of(object) == NDP_FUNCTION_DILL));
    NDP_TRY(follow_names(r, NDP_EDGE_ATTRIBUTE, parts.attributes));
    return ndp_graph_reader_follow(r, NDP_EDGE_GLOBALS, no_name, parts.globals);
}

static enum ndp_status read_named(const struct ndp_object *object, struct ndp_node *node) {
    const struct ndp_named_function *named = ndp_function_find(object);
    node->kind = NDP_NODE_FUNCTION;
    node->is_importable = true;
    node->code = named->code;
    node->name = ndp_bytes_view(named->name);
    return NDP_OK;
}

/* Names that begin otherwise are the module's own. */
static bool is_public(struct ndp_bytes name) {
    return name.size_bytes > 0 && (name.size_bytes < 2 || name.data[0] != '_' || name.data[1] != '_');
}

/* The dict that functions are made with, and what is put into it once they are there. */
static enum ndp_status read_globals(struct ndp_graph_reader *r, const struct ndp_object *object,
                                    struct ndp_node *node) {
    struct entries entries;
    entries.count = 0;
    node->kind = NDP_NODE_GLOBALS;
    NDP_TRY(gather(r, object, is_public, &entries));
    for (const struct ndp_globals_note *note = r->notes.more; note != NULL; note = note->next) {
        if (note->globals == object) NDP_TRY(gather(r, note->more, is_public, &entries));
    }
    return follow_entries(r, NDP_EDGE_ENTRY, &entries);
}

/* What the cell is filled with later, else what it was made with. dill makes an empty one with a mark, which it then
 * deletes. */
static enum ndp_status read_cell(struct ndp_graph_reader *r, const struct ndp_object *object, struct ndp_node *node) {
    const struct ndp_object *content = r->notes.contents[object->number];
    const struct ndp_object_list *args = &object->call->args->list;
    const bool is_empty = ndp_function_is_name(object->call->callable, NDP_FUNCTION_CLOUDPICKLE, "_make_empty_cell");
    node->kind = NDP_NODE_CELL;
    if (args->count > (is_empty ? 0 : 1))
        return ndp_graph_reader_fail(r, NDP_INVALID, object, "a cell holds one value");
    if (content == NULL && !is_emptied(object->call) && args->count == 1) content = args->items[0];
    return content == NULL ? NDP_OK : ndp_graph_reader_follow(r, NDP_EDGE_CONTENT, no_name, content);
}

/* ---- what calls them ---- */

static enum ndp_status read_method(struct ndp_graph_reader *r, const struct ndp_object *object, struct ndp_node *node) {
    const struct ndp_object_list *args = &object->call->args->list;
    node->kind = NDP_NODE_METHOD;
    if (args->count != 2) return ndp_graph_reader_fail(r, NDP_INVALID, object, "a method takes two arguments");
    NDP_TRY(ndp_graph_reader_follow(r, NDP_EDGE_FUNCTION, no_name, args->items[0]));
    return ndp_graph_reader_follow(r, NDP_EDGE_SELF, no_name, args->items[1]);
}

/* partial(function) with the state (function, arguments, keywords, attributes). */
static enum ndp_status read_partial(struct ndp_graph_reader *r, const struct ndp_object *object,
                                    struct ndp_node *node) {
    const struct ndp_object *state = object->call->state;
    node->kind = NDP_NODE_PARTIAL;
    if (is_dill_partial(object->call)) {
        struct ndp_object *const *parts = object->call->args->list.items;
        NDP_TRY(ndp_graph_reader_follow(r, NDP_EDGE_FUNCTION, no_name, parts[1]));
        NDP_TRY(follow_items(r, NDP_EDGE_ARGUMENT, parts[2]));
        return follow_names(r, NDP_EDGE_KEYWORD, parts[3]);
    }
    if (!ndp_object_is(state, NDP_OBJECT_TUPLE) || state->list.count != 4)
        return ndp_graph_reader_fail(r, NDP_INVALID, object, "a partial's state has four parts");
    const struct ndp_object *attributes = state->list.items[3];
    if (ndp_object_is(attributes, NDP_OBJECT_DICT) && attributes->list.count > 0)
        return ndp_graph_reader_beyond(r, NDP_UNSUPPORTED, object, "a partial with attributes");
    NDP_TRY(ndp_graph_reader_follow(r, NDP_EDGE_FUNCTION, no_name, state->list.items[0]));
    NDP_TRY(follow_items(r, NDP_EDGE_ARGUMENT, state->list.items[1]));
    return follow_names(r, NDP_EDGE_KEYWORD, state->list.items[2]);
}

/* Places of arguments, from the lowest, each once as in a set. */
static enum ndp_status read_places(struct ndp_graph_reader *r, const struct ndp_object *places, struct ndp_node *node) {
    for (uint64_t i = 0; i < places->list.count; i++) {
        const struct ndp_object *place = places->list.items[i];
        if (place->kind != NDP_OBJECT_INT || place->is_big || place->integer < 0 || place->integer > UINT16_MAX)
            return ndp_graph_reader_beyond(r, NDP_UNSUPPORTED, place, "arguments are excluded by places alone");
        uint32_t at = node->excluded_count;
        while (at > 0 && node->excluded[at - 1] > place->integer) at--;
        if (at > 0 && node->excluded[at - 1] == place->integer) continue;
        if (node->excluded_count == NDP_MAX_EXCLUDED)
            return ndp_graph_reader_beyond(r, NDP_UNSUPPORTED, place, "arguments are excluded by few places alone");
        memmove(node->excluded + at + 1, node->excluded + at, (node->excluded_count - at) * sizeof *node->excluded);
        node->excluded[at] = (uint32_t)place->integer;
        node->excluded_count++;
    }
    return NDP_OK;
}

static enum ndp_status read_excluded(struct ndp_graph_reader *r, const struct ndp_object *set, struct ndp_node *node) {
    if (ndp_object_is(set, NDP_OBJECT_SET)) return read_places(r, set, node);
    return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, set, "what is excluded is no set");
}

/* Whether it is a list of an empty tuple for each "()" of one side of a signature. */
static bool is_core(const struct ndp_object *list, struct ndp_bytes side) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < side.size_bytes; i++) count += side.data[i] == '(';
    if (!ndp_object_is(list, NDP_OBJECT_LIST) || list->list.count != count) return false;
    for (uint64_t i = 0; i < count; i++) {
        const struct ndp_object *item = list->list.items[i];
        if (item->kind != NDP_OBJECT_TUPLE || item->list.count != 0) return false;
    }
    return true;
}

/* What NumPy works out of a signature when it makes a vectorize, and goes by when it is called. */
static bool are_dimensions(const struct ndp_object *object, const struct ndp_node *node) {
    const struct ndp_bytes all = node->signature;
    uint64_t arrow = 0;
    if (!node->has_signature) return ndp_object_is(object, NDP_OBJECT_NONE);
    while (arrow < all.size_bytes && all.data[arrow] != '-') arrow++;
    return ndp_object_is(object, NDP_OBJECT_TUPLE) && object->list.count == 2 &&
           is_core(object->list.items[0], (struct ndp_bytes){all.data, arrow}) &&
           is_core(object->list.items[1], (struct ndp_bytes){all.data + arrow, all.size_bytes - arrow});
}

/* A text or None; false where it is neither. */
static bool is_word(const struct ndp_object *object, bool *is_text) {
    *is_text = ndp_object_is(object, NDP_OBJECT_TEXT);
    return *is_text || ndp_object_is(object, NDP_OBJECT_NONE);
}

static enum ndp_status read_vectorize(struct ndp_graph_reader *r, const struct ndp_object *object,
                                      struct ndp_node *node) {
    const struct ndp_object *state = object->call->state;
    node->kind = NDP_NODE_VECTORIZE;
    if (!ndp_object_is(state, NDP_OBJECT_DICT) || ndp_object_lookup(state, "pyfunc") == NULL)
        return ndp_graph_reader_fail(r, NDP_INVALID, object, "a vectorize without its function");
    const struct ndp_object *otypes = ndp_object_lookup(state, "otypes");
    const struct ndp_object *signature = ndp_object_lookup(state, "signature");
    const struct ndp_object *cache = ndp_object_lookup(state, "cache");
    /* What it was called with before; old releases of NumPy begin with None. */
    const struct ndp_object *ufunc = ndp_object_lookup(state, "_ufunc");
    if (!is_word(otypes, &node->has_otypes) || !is_word(signature, &node->has_signature) ||
        (!ndp_object_is(ufunc, NDP_OBJECT_DICT) && !ndp_object_is(ufunc, NDP_OBJECT_NONE)) ||
        ndp_object_lookup(state, "excluded") == NULL)
        return ndp_graph_reader_beyond(r, NDP_UNSUPPORTED, object, "a vectorize without what it is called with");
    if (node->has_otypes) NDP_TRY(ndp_graph_reader_bytes(r, otypes, &node->otypes));
    if (node->has_signature) NDP_TRY(ndp_graph_reader_bytes(r, signature, &node->signature));
    if (!ndp_object_is(cache, NDP_OBJECT_BOOL) || cache->truth || !ndp_function_is_scalar(node->signature) ||
        !are_dimensions(ndp_object_lookup(state, "_in_and_out_core_dims"), node))
        return ndp_graph_reader_beyond(r, NDP_UNSUPPORTED, object, "a vectorize with a cache or core dimensions");
    NDP_TRY(read_excluded(r, ndp_object_lookup(state, "excluded"), node));
    return ndp_graph_reader_follow(r, NDP_EDGE_FUNCTION, no_name, ndp_object_lookup(state, "pyfunc"));
}

enum ndp_status ndp_pickle_function_read(struct ndp_graph_reader *r, const struct ndp_object *object,
                                         struct ndp_node *node) {
    switch (thing_of(r, object)) {
    case NAMED:
        return read_named(object, node);
    case GLOBALS:
        return read_globals(r, object, node);
    case FUNCTION:
        return read_function(r, object, node);
    case CELL:
        return read_cell(r, object, node);
    case METHOD:
        return read_method(r, object, node);
    case PARTIAL:
        return read_partial(r, object, node);
    case VECTORIZE:
        return read_vectorize(r, object, node);
    case NOTHING:
        break;
    }
    return ndp_graph_reader_fail(r, NDP_UNSUPPORTED, object, "nothing that can be called");
}
