/* pickle_write.c: the pickle writer.
 *
 * Problem: produce the exact bytes of CPython's C pickler, which depend on identity, recursion, batches and frames.
 *
 * Method: walk the objects depth first, write and memoize each on first sight and refer to the memo later. Lists and
 * dicts are memoized before their items; a tuple or call that contains itself is detected after its items, whose values
 * are then popped. Batches follow the C pickler: a list of more than one item consists of batches only; a dict whose
 * count is a multiple of 1000 ends with an empty batch. pickle_output.c inserts frames.
 *
 * Cost: linear in objects and bytes. Limits: recursion up to NDP_PICKLE_DEPTH_MAX. References: CPython 3.8 to 3.13,
 * Modules/_pickle.c.
 */
#include "codec/pickle/pickle_write.h"

#include <string.h>

#include "codec/pickle/pickle_writer.h"

enum { BATCH = 1000, ROOM_BYTES = 2048 };

static enum ndp_status save_object(struct ndp_pickle_writer *w, const struct ndp_object *object);

static enum ndp_status save_items(struct ndp_pickle_writer *w, struct ndp_object *const *items, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) NDP_TRY(save_object(w, items[i]));
    return NDP_OK;
}

/* A tuple that its own items contain was memoized while they were written: pop the items and refer to it. */
static enum ndp_status save_tuple_again(struct ndp_pickle_writer *w, uint64_t count, bool has_mark, uint32_t place) {
    if (has_mark && w->protocol >= 1) {
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_POP_MARK));
    } else {
        for (uint64_t i = 0; i < count + (has_mark ? 1 : 0); i++) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_POP));
    }
    return ndp_pickle_writer_get(w, place);
}

static enum ndp_status save_tuple(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    static const enum ndp_opcode short_ops[] = {NDP_OP_TUPLE1, NDP_OP_TUPLE2, NDP_OP_TUPLE3};
    const uint64_t count = object->list.count;
    const bool has_mark = w->protocol < 2 || count > NDP_ARRAY_LEN(short_ops);
    uint32_t *place = ndp_pickle_writer_place(w, object);
    if (count == 0) return ndp_pickle_writer_empty_tuple(w);
    if (has_mark) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    NDP_TRY(save_items(w, object->list.items, count));
    if (*place != 0) return save_tuple_again(w, count, has_mark, *place);
    return ndp_pickle_writer_memoize(w, has_mark ? NDP_OP_TUPLE : (int)short_ops[count - 1], place);
}

static enum ndp_status put_items(struct ndp_pickle_writer *w, const struct ndp_object_list *list) {
    uint64_t at = 0;
    if (w->protocol == 0 || list->count == 1) {
        for (; at < list->count; at++) {
            NDP_TRY(save_object(w, list->items[at]));
            NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_APPEND));
        }
        return NDP_OK;
    }
    while (at < list->count) {
        const uint64_t count = list->count - at < BATCH ? list->count - at : BATCH;
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
        NDP_TRY(save_items(w, list->items + at, count));
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_APPENDS));
        at += count;
    }
    return NDP_OK;
}

static enum ndp_status put_pairs(struct ndp_pickle_writer *w, const struct ndp_object_list *list) {
    uint64_t at = 0;
    uint64_t count = BATCH;
    if (w->protocol == 0 || list->count == 2) {
        for (; at < list->count; at += 2) {
            NDP_TRY(save_items(w, list->items + at, 2));
            NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_SETITEM));
        }
        return NDP_OK;
    }
    while (list->count > 0 && count == BATCH) {
        count = (list->count - at) / 2 < BATCH ? (list->count - at) / 2 : BATCH;
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
        NDP_TRY(save_items(w, list->items + at, count * 2));
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_SETITEMS));
        at += count * 2;
    }
    return NDP_OK;
}

/* Lists and dicts are memoized before their items, which may refer to them. */
static enum ndp_status save_container(struct ndp_pickle_writer *w, const struct ndp_object *object,
                                      enum ndp_opcode empty, enum ndp_opcode marked) {
    if (w->protocol == 0) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    return ndp_pickle_writer_memoize(w, w->protocol == 0 ? (int)marked : (int)empty,
                                     ndp_pickle_writer_place(w, object));
}

static enum ndp_status save_list(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    NDP_TRY(save_container(w, object, NDP_OP_EMPTY_LIST, NDP_OP_LIST));
    return put_items(w, &object->list);
}

static enum ndp_status save_dict(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    NDP_TRY(save_container(w, object, NDP_OP_EMPTY_DICT, NDP_OP_DICT));
    return put_pairs(w, &object->list);
}

/* Protocols below 4 write a set as a call with a list of its items. */
static enum ndp_status save_called_set(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    uint32_t list = 0;
    uint32_t tuple = 0;
    uint32_t *place = ndp_pickle_writer_place(w, object);
    NDP_TRY(ndp_pickle_writer_own_global(w, object->kind == NDP_OBJECT_SET ? NDP_WRITER_SET : NDP_WRITER_FROZENSET));
    if (w->protocol < 2) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    if (w->protocol == 0) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    NDP_TRY(ndp_pickle_writer_memoize(w, w->protocol == 0 ? NDP_OP_LIST : NDP_OP_EMPTY_LIST, &list));
    NDP_TRY(put_items(w, &object->list));
    NDP_TRY(ndp_pickle_writer_memoize(w, w->protocol < 2 ? NDP_OP_TUPLE : NDP_OP_TUPLE1, &tuple));
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_REDUCE));
    if (*place == 0) return ndp_pickle_writer_memoize(w, 0, place);
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_POP));
    return ndp_pickle_writer_get(w, *place);
}

static enum ndp_status save_set(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    const struct ndp_object_list *list = &object->list;
    uint64_t count = BATCH;
    if (w->protocol < 4) return save_called_set(w, object);
    NDP_TRY(ndp_pickle_writer_memoize(w, NDP_OP_EMPTY_SET, ndp_pickle_writer_place(w, object)));
    for (uint64_t at = 0; list->count > 0 && count == BATCH; at += count) {
        count = list->count - at < BATCH ? list->count - at : BATCH;
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
        NDP_TRY(save_items(w, list->items + at, count));
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_ADDITEMS));
    }
    return NDP_OK;
}

static enum ndp_status save_frozenset(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    uint32_t *place = ndp_pickle_writer_place(w, object);
    if (w->protocol < 4) return save_called_set(w, object);
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    NDP_TRY(save_items(w, object->list.items, object->list.count));
    if (*place != 0) return save_tuple_again(w, object->list.count, true, *place);
    return ndp_pickle_writer_memoize(w, NDP_OP_FROZENSET, place);
}

/* Whether a name fits on one line, as protocols below 4 require. */
static bool is_line(struct ndp_bytes name) {
    return name.size_bytes == 0 || memchr(name.data, '\n', (size_t)name.size_bytes) == NULL;
}

/* The first dot of a name, or NULL. */
static const uint8_t *dot_in(struct ndp_bytes name) {
    return name.size_bytes == 0 ? NULL : memchr(name.data, '.', (size_t)name.size_bytes);
}

/* Protocols below 4 write a member of a class as an attribute of the class. */
static enum ndp_status put_global(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    const struct ndp_bytes module = object->global.module->bytes, name = object->global.name->bytes;
    if (w->protocol >= 4) {
        NDP_TRY(save_object(w, object->global.module));
        NDP_TRY(save_object(w, object->global.name));
        return ndp_pickle_writer_op(w, NDP_OP_STACK_GLOBAL);
    }
    const uint8_t *dot = dot_in(name);
    const struct ndp_bytes outer = {name.data, dot != NULL ? (uint64_t)(dot - name.data) : name.size_bytes};
    if (!is_line(outer) || !is_line(module))
        return ndp_pickle_writer_fail(w, NDP_UNSUPPORTED, "name with a newline needs protocol 4");
    if (dot != NULL) return ndp_pickle_writer_nested_global(w, module, name);
    return ndp_pickle_writer_global(w, NDP_OP_GLOBAL, module, name);
}

/* A name that the writer itself calls is one object with the same name in the pickle. */
static enum ndp_status save_global(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    uint32_t *place = ndp_pickle_writer_place(w, object);
    uint32_t *own = ndp_pickle_writer_own_place(w, object);
    if (own != NULL && *own != 0) return ndp_pickle_writer_get(w, *own);
    NDP_TRY(put_global(w, object));
    NDP_TRY(ndp_pickle_writer_memoize(w, 0, place));
    if (own != NULL) *own = *place;
    return NDP_OK;
}

/* Writes the arguments of a call that replaces an opcode, and the call. If the arguments contain the object itself, it
 * was memoized with its tuple of arguments, one index before: both calls share that tuple, like the tuple of the
 * opcode. */
static enum ndp_status finish_call(struct ndp_pickle_writer *w, uint64_t count, uint32_t place) {
    const bool has_mark = w->protocol < 2;
    uint32_t tuple = 0;
    if (place != 0)
        NDP_TRY(save_tuple_again(w, count, has_mark, place - 1));
    else
        NDP_TRY(ndp_pickle_writer_memoize(w, has_mark ? NDP_OP_TUPLE : NDP_OP_TUPLE3, &tuple));
    return ndp_pickle_writer_op(w, NDP_OP_REDUCE);
}

/* Writes copyreg.__newobj_ex__(class, arguments, keywords) for protocols without the opcode. */
static enum ndp_status save_keywords_call(struct ndp_pickle_writer *w, const struct ndp_call *call,
                                          const uint32_t *place) {
    NDP_TRY(ndp_pickle_writer_own_global(w, NDP_WRITER_NEWOBJ_EX));
    if (w->protocol < 2) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    w->depth++; /* a reader finds them nested in the tuple */
    NDP_TRY(save_object(w, call->callable));
    NDP_TRY(save_object(w, call->args));
    NDP_TRY(save_object(w, call->kwargs));
    w->depth--;
    return finish_call(w, 3, *place);
}

/* Writes copyreg.__newobj__(class, *arguments) for protocols without the opcode. */
static enum ndp_status save_newobj_call(struct ndp_pickle_writer *w, const struct ndp_call *call,
                                        const uint32_t *place) {
    NDP_TRY(ndp_pickle_writer_own_global(w, NDP_WRITER_NEWOBJ));
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    w->depth++; /* as above */
    NDP_TRY(save_object(w, call->callable));
    NDP_TRY(save_items(w, call->args->list.items, call->args->list.count));
    w->depth--;
    return finish_call(w, 1 + call->args->list.count, *place);
}

/* Writes an instance of an old-style class. */
static enum ndp_status save_instance(struct ndp_pickle_writer *w, const struct ndp_call *call) {
    const struct ndp_object *class = call->callable;
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    if (w->protocol == 0) {
        if (class->kind != NDP_OBJECT_GLOBAL || !is_line(class->global.module->bytes) ||
            !is_line(class->global.name->bytes) || dot_in(class->global.name->bytes) != NULL)
            return ndp_pickle_writer_fail(w, NDP_UNSUPPORTED,
                                          "class of an instance is not a global that fits on a line");
        NDP_TRY(save_items(w, call->args->list.items, call->args->list.count));
        return ndp_pickle_writer_global(w, NDP_OP_INST, class->global.module->bytes, class->global.name->bytes);
    }
    NDP_TRY(save_object(w, class));
    NDP_TRY(save_items(w, call->args->list.items, call->args->list.count));
    return ndp_pickle_writer_op(w, NDP_OP_OBJ);
}

static enum ndp_status save_reduce_value(struct ndp_pickle_writer *w, const struct ndp_call *call,
                                         const uint32_t *place) {
    switch (call->how) {
    case NDP_CALL_REDUCE:
        break;
    case NDP_CALL_NEWOBJ:
        if (w->protocol < 2) return save_newobj_call(w, call, place);
        break;
    case NDP_CALL_NEWOBJ_EX:
        if (w->protocol < 4) return save_keywords_call(w, call, place);
        break;
    case NDP_CALL_INSTANCE:
        return save_instance(w, call);
    }
    NDP_TRY(save_object(w, call->callable));
    NDP_TRY(save_object(w, call->args));
    if (call->how == NDP_CALL_NEWOBJ_EX) NDP_TRY(save_object(w, call->kwargs));
    if (call->how == NDP_CALL_REDUCE) return ndp_pickle_writer_op(w, NDP_OP_REDUCE);
    return ndp_pickle_writer_op(w, call->how == NDP_CALL_NEWOBJ ? NDP_OP_NEWOBJ : NDP_OP_NEWOBJ_EX);
}

/* CPython writes TUPLE2 of protocol 2 in every protocol. */
static enum ndp_status save_state(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    if (object->call->setter == NULL) {
        NDP_TRY(save_object(w, object->call->state));
        return ndp_pickle_writer_op(w, NDP_OP_BUILD);
    }
    NDP_TRY(save_object(w, object->call->setter));
    NDP_TRY(save_object(w, object));
    NDP_TRY(save_object(w, object->call->state));
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_TUPLE2));
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_REDUCE));
    return ndp_pickle_writer_op(w, NDP_OP_POP);
}

static bool is_changed(const struct ndp_call *call) {
    return call->items.count > 0 || call->pairs.count > 0 || call->state != NULL;
}

/* A call whose arguments contain its own result was complete while they were written. CPython then writes the changes
 * twice, and a reader applies them twice; such an object is refused. Source: CPython 3.11, Lib/pickle.py,
 * _Pickler.save_reduce. */
static enum ndp_status save_call(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    const struct ndp_call *call = object->call;
    uint32_t *place = ndp_pickle_writer_place(w, object);
    NDP_TRY(save_reduce_value(w, call, place));
    if (*place != 0 && is_changed(call))
        return ndp_pickle_writer_fail(w, NDP_UNSUPPORTED, "changed object is an argument of itself");
    if (*place != 0) {
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_POP));
        NDP_TRY(ndp_pickle_writer_get(w, *place));
    } else {
        NDP_TRY(ndp_pickle_writer_memoize(w, 0, place));
    }
    NDP_TRY(put_items(w, &call->items));
    NDP_TRY(put_pairs(w, &call->pairs));
    return call->state != NULL ? save_state(w, object) : NDP_OK;
}

/* joblib creates a new wrapper for each reference to an array. A memoized wrapper is therefore an argument of itself.
 */
static enum ndp_status save_raw(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    const struct ndp_raw *raw = object->raw;
    if (*ndp_pickle_writer_place(w, raw->wrapper) != 0)
        return ndp_pickle_writer_fail(w, NDP_UNSUPPORTED, "wrapper is an argument of itself");
    NDP_TRY(save_object(w, raw->wrapper));
    NDP_TRY(ndp_pickle_output_flush(&w->output));
    if (w->form->raw == NULL) {
        NDP_TRY(w->output.write(w->output.sink, raw->bytes.data, raw->bytes.size_bytes));
        w->output.passed_bytes += raw->bytes.size_bytes;
        return NDP_OK;
    }
    return w->form->raw(w->form->context, raw, &w->output.passed_bytes, w->output.write, w->output.sink);
}

static enum ndp_status save_kind(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    switch (object->kind) {
    case NDP_OBJECT_NONE:
        return ndp_pickle_writer_op(w, NDP_OP_NONE);
    case NDP_OBJECT_BOOL:
        return ndp_pickle_writer_save_bool(w, object);
    case NDP_OBJECT_INT:
        return ndp_pickle_writer_save_int(w, object);
    case NDP_OBJECT_FLOAT:
        return ndp_pickle_writer_save_float(w, object);
    case NDP_OBJECT_BYTES:
        return ndp_pickle_writer_save_bytes(w, object);
    case NDP_OBJECT_BYTEARRAY:
        return ndp_pickle_writer_save_bytearray(w, object);
    case NDP_OBJECT_TEXT:
        return ndp_pickle_writer_save_text(w, object);
    case NDP_OBJECT_STRING:
        return ndp_pickle_writer_save_string(w, object);
    case NDP_OBJECT_LIST:
        return save_list(w, object);
    case NDP_OBJECT_TUPLE:
        return save_tuple(w, object);
    case NDP_OBJECT_DICT:
        return save_dict(w, object);
    case NDP_OBJECT_SET:
        return save_set(w, object);
    case NDP_OBJECT_FROZENSET:
        return save_frozenset(w, object);
    case NDP_OBJECT_GLOBAL:
        return save_global(w, object);
    case NDP_OBJECT_CALL:
        return save_call(w, object);
    case NDP_OBJECT_BUFFER:
        return ndp_pickle_writer_save_buffer(w, object);
    case NDP_OBJECT_RAW:
        return save_raw(w, object);
    case NDP_OBJECT_COUNT:
        break;
    }
    return ndp_pickle_writer_fail(w, NDP_FAULT, "unknown kind of object");
}

static bool is_remembered(const struct ndp_object *object) {
    return object->kind != NDP_OBJECT_NONE && object->kind != NDP_OBJECT_BOOL && object->kind != NDP_OBJECT_INT &&
           object->kind != NDP_OBJECT_FLOAT && object->kind != NDP_OBJECT_BUFFER;
}

static enum ndp_status save_object(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    if (object == NULL) return ndp_pickle_writer_fail(w, NDP_INVALID, "incomplete object");
    NDP_TRY(ndp_pickle_output_boundary(&w->output));
    if (is_remembered(object)) {
        const uint32_t place = *ndp_pickle_writer_place(w, object);
        if (place != 0) return ndp_pickle_writer_get(w, place);
    }
    if (w->depth >= NDP_PICKLE_DEPTH_MAX) return ndp_pickle_writer_fail(w, NDP_LIMIT, "objects are nested too deeply");
    w->depth++;
    const enum ndp_status status = save_kind(w, object);
    w->depth--;
    return status;
}

static enum ndp_status write_all(struct ndp_pickle_writer *w, const struct ndp_object *root) {
    if (w->protocol >= 2) {
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_PROTO));
        NDP_TRY(ndp_pickle_output_add_byte(&w->output, (uint8_t)w->protocol));
    }
    w->output.is_framing = w->protocol >= 4;
    NDP_TRY(save_object(w, root));
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_STOP));
    return ndp_pickle_output_flush(&w->output);
}

enum ndp_status ndp_pickle_write(struct ndp_objects *objects, const struct ndp_object *root,
                                 const struct ndp_pickle_form *form, ndp_write_bytes *write, void *sink,
                                 struct ndp_error *error) {
    struct ndp_pickle_writer w = {.form = form, .protocol = form->protocol, .error = error};
    struct ndp_error detail = {0};
    uint8_t room[ROOM_BYTES];
    if (form->protocol > NDP_PICKLE_PROTOCOL_MAX)
        return ndp_pickle_writer_fail(&w, NDP_UNSUPPORTED, "protocol exceeds 5");
    w.memo = NDP_ARENA_ITEMS(objects->arena, uint32_t, objects->count);
    if (w.memo == NULL) return ndp_pickle_writer_fail(&w, NDP_NOMEM, "out of memory for the memo");
    w.error = error == NULL ? NULL : &detail;
    w.output = ndp_pickle_output_start(write, sink, room, sizeof(room));
    const enum ndp_status status = write_all(&w, root);
    ndp_pickle_output_clear(&w.output);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "%s",
                         detail.text[0] != '\0' ? detail.text : ndp_status_text(status));
}
