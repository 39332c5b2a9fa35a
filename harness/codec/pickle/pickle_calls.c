/* pickle_calls.c: replaces calls that lower protocols need for bytes, byte arrays, sets and nested names by their
 * values, and names of Python 2 by those of Python 3. Source: CPython 3.13: pickle.py, save_bytes, save_bytearray,
 * save_set, save_frozenset, save_global; Objects/methodobject.c, meth_reduce; Lib/_compat_pickle.py. */
#include <string.h>

#include "codec/pickle/pickle_machine.h"
#include "codec/pickle/pickle_names.h"

/* Limit of a nested name: each link of a chain copies all names before it, so that longer chains stay calls. */
enum { INSIDE_BYTES_MAX = 256 };

static bool is_latin(const struct ndp_object *codec) {
    return ndp_object_is_text(codec, "latin1") || ndp_object_is_text(codec, "latin-1");
}

static enum ndp_status make_bytes(struct ndp_pickle_machine *m, enum ndp_object_kind kind, struct ndp_bytes bytes,
                                  struct ndp_object **out) {
    struct ndp_object *object = ndp_object_bytes(m->objects, kind, bytes);
    if (object == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for bytes");
    *out = object;
    return NDP_OK;
}

/* Accepts (text, "latin1"), no arguments, and (bytes,) for byte arrays. Leaves *out NULL for other forms. */
static enum ndp_status call_bytes(struct ndp_pickle_machine *m, enum ndp_object_kind kind,
                                  const struct ndp_object_list *args, struct ndp_object **out) {
    struct ndp_bytes bytes = {(const uint8_t *)"", 0};
    if (args->count == 0) return make_bytes(m, kind, bytes, out);
    const struct ndp_object *first = args->items[0];
    if (args->count == 1 && kind == NDP_OBJECT_BYTEARRAY && first->kind == NDP_OBJECT_BYTES)
        return make_bytes(m, kind, first->bytes, out);
    if (args->count != 2 || first->kind != NDP_OBJECT_TEXT || !is_latin(args->items[1])) return NDP_OK;
    const enum ndp_status status = ndp_object_read_bytes(m->objects->arena, first, &bytes);
    if (status != NDP_OK) return ndp_pickle_machine_fail(m, status, "text of bytes is not latin-1");
    m->result.operations += first->bytes.size_bytes;
    return make_bytes(m, kind, bytes, out);
}

static enum ndp_status call_set(struct ndp_pickle_machine *m, enum ndp_object_kind kind,
                                const struct ndp_object_list *args, struct ndp_object **out) {
    if (args->count != 1 || args->items[0]->kind != NDP_OBJECT_LIST) return NDP_OK;
    struct ndp_object *object = ndp_object_new(m->objects, kind);
    if (object == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a set");
    const struct ndp_object_list *from = &args->items[0]->list;
    NDP_TRY(ndp_pickle_machine_check_keys(m, from->items, from->count, 1));
    for (uint64_t i = 0; i < from->count; i++) {
        if (!ndp_object_append(m->objects, &object->list, from->items[i]))
            return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a set");
    }
    m->result.operations += from->count;
    m->elements += from->count;
    if (m->elements > m->options.elements_max) return ndp_pickle_machine_fail(m, NDP_LIMIT, "too many elements");
    *out = object;
    return NDP_OK;
}

/* Whether protocol 4 would write the name as one part of a dotted name: it has no dot, and no character whose meaning
 * depends on the encoding that Python 2 text gets. */
static bool is_part(const struct ndp_object *name) {
    if (name->kind != NDP_OBJECT_TEXT && name->kind != NDP_OBJECT_STRING) return false;
    for (uint64_t i = 0; i < name->bytes.size_bytes; i++) {
        if (name->bytes.data[i] == '.' || (name->kind == NDP_OBJECT_STRING && name->bytes.data[i] >= 0x80))
            return false;
    }
    return name->bytes.size_bytes > 0 && name->bytes.size_bytes < INSIDE_BYTES_MAX;
}

/* Protocols below 4 write a member of a class as getattr(class, name); all protocols write a method of a builtin class
 * so. */
static bool is_inside(const struct ndp_object *callable, const struct ndp_object_list *args) {
    return ndp_object_is_global(callable, "builtins", "getattr") && args->count == 2 &&
           args->items[0]->kind == NDP_OBJECT_GLOBAL && is_part(args->items[1]) &&
           args->items[0]->global.name->bytes.size_bytes < INSIDE_BYTES_MAX - args->items[1]->bytes.size_bytes;
}

/* Makes the GLOBAL outer.part. */
static enum ndp_status name_inside(struct ndp_pickle_machine *m, const struct ndp_object *outer,
                                   const struct ndp_object *part, struct ndp_object **out) {
    const struct ndp_bytes before = outer->global.name->bytes, after = part->bytes;
    const uint64_t size_bytes = before.size_bytes + 1 + after.size_bytes;
    uint8_t *text = ndp_arena_alloc(m->objects->arena, size_bytes);
    if (text == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a name");
    memcpy(text, before.data, (size_t)before.size_bytes);
    text[before.size_bytes] = '.';
    memcpy(text + before.size_bytes + 1, after.data, (size_t)after.size_bytes);
    m->result.operations += size_bytes;
    struct ndp_object *name = ndp_object_bytes(m->objects, NDP_OBJECT_TEXT, (struct ndp_bytes){text, size_bytes});
    *out = name == NULL ? NULL : ndp_object_global(m->objects, outer->global.module, name);
    return *out == NULL ? ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a name") : NDP_OK;
}

enum ndp_status ndp_pickle_machine_call(struct ndp_pickle_machine *m, struct ndp_object *callable,
                                        struct ndp_object *args, struct ndp_object **out) {
    struct ndp_object *object = NULL;
    const struct ndp_object_list *list = &args->list;
    if (ndp_object_is_global(callable, "_codecs", "encode")) {
        if (list->count > 0) NDP_TRY(call_bytes(m, NDP_OBJECT_BYTES, list, &object));
        if (object == NULL)
            return ndp_pickle_machine_fail(m, NDP_UNSUPPORTED, "_codecs.encode expects (text, 'latin1')");
    } else if (ndp_object_is_global(callable, "builtins", "bytes")) {
        if (list->count == 0) NDP_TRY(call_bytes(m, NDP_OBJECT_BYTES, list, &object));
    } else if (ndp_object_is_global(callable, "builtins", "bytearray")) {
        NDP_TRY(call_bytes(m, NDP_OBJECT_BYTEARRAY, list, &object));
    } else if (ndp_object_is_global(callable, "builtins", "set")) {
        NDP_TRY(call_set(m, NDP_OBJECT_SET, list, &object));
    } else if (ndp_object_is_global(callable, "builtins", "frozenset")) {
        NDP_TRY(call_set(m, NDP_OBJECT_FROZENSET, list, &object));
    } else if (is_inside(callable, list)) {
        NDP_TRY(name_inside(m, list->items[0], list->items[1], &object));
    }
    if (object == NULL) object = ndp_object_call(m->objects, NDP_CALL_REDUCE, callable, args);
    if (object == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a call");
    *out = object;
    return NDP_OK;
}

enum ndp_status ndp_pickle_machine_global(struct ndp_pickle_machine *m, struct ndp_object *module,
                                          struct ndp_object *name, struct ndp_object **out) {
    if (m->result.protocol < 3) {
        const char *modern_module = NULL;
        const char *modern_name = NULL;
        ndp_pickle_names_to_python_3(module->bytes, name->bytes, &modern_module, &modern_name);
        if (modern_module != NULL) module = ndp_object_text(m->objects, modern_module);
        if (modern_name != NULL) name = ndp_object_text(m->objects, modern_name);
    }
    struct ndp_object *global = module == NULL || name == NULL ? NULL : ndp_object_global(m->objects, module, name);
    if (global == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a name");
    *out = global;
    return NDP_OK;
}
