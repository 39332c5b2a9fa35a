/* pickle_write.c: a walk over objects, depth first, as CPython's pickler does: what is in the memo is referred to, the
 * rest is written and put there. Its batches are those of the pickler in C: a list of more than one item is all in
 * batches; a dict whose count is a multiple of 1000 has an empty one at its end. */
#include "codec/pickle/pickle_write.h"

#include <string.h>

#include "codec/pickle/pickle_writer.h"

enum { BATCH = 1000, ROOM_BYTES = 2048 };

static enum ndp_status save(struct ndp_writer *w, const struct ndp_object *object);

static enum ndp_status save_items(struct ndp_writer *w, struct ndp_object *const *items, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) NDP_TRY(save(w, items[i]));
    return NDP_OK;
}

/* A tuple that its own items contain was finished while they were written: what they left is dropped. */
static enum ndp_status save_tuple_again(struct ndp_writer *w, uint64_t count, bool has_mark, uint32_t place) {
    if (has_mark && w->protocol >= 1) {
        NDP_TRY(ndp_writer_op(w, NDP_OP_POP_MARK));
    } else {
        for (uint64_t i = 0; i < count + (has_mark ? 1 : 0); i++) NDP_TRY(ndp_writer_op(w, NDP_OP_POP));
    }
    return ndp_writer_get(w, place);
}

static enum ndp_status save_tuple(struct ndp_writer *w, const struct ndp_object *object) {
    static const enum ndp_opcode short_ops[] = {NDP_OP_TUPLE1, NDP_OP_TUPLE2, NDP_OP_TUPLE3};
    const uint64_t count = object->list.count;
    const bool has_mark = w->protocol < 2 || count > NDP_ARRAY_LEN(short_ops);
    uint32_t *place = ndp_writer_place(w, object);
    if (count == 0) return ndp_writer_empty_tuple(w);
    if (has_mark) NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
    NDP_TRY(save_items(w, object->list.items, count));
    if (*place != 0) return save_tuple_again(w, count, has_mark, *place);
    return ndp_writer_finish(w, has_mark ? NDP_OP_TUPLE : (int)short_ops[count - 1], place);
}

static enum ndp_status put_items(struct ndp_writer *w, const struct ndp_object_list *list) {
    uint64_t at = 0;
    if (w->protocol == 0 || list->count == 1) {
        for (; at < list->count; at++) {
            NDP_TRY(save(w, list->items[at]));
            NDP_TRY(ndp_writer_op(w, NDP_OP_APPEND));
        }
        return NDP_OK;
    }
    while (at < list->count) {
        const uint64_t count = list->count - at < BATCH ? list->count - at : BATCH;
        NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
        NDP_TRY(save_items(w, list->items + at, count));
        NDP_TRY(ndp_writer_op(w, NDP_OP_APPENDS));
        at += count;
    }
    return NDP_OK;
}

static enum ndp_status put_pairs(struct ndp_writer *w, const struct ndp_object_list *list) {
    uint64_t at = 0;
    uint64_t count = BATCH;
    if (w->protocol == 0 || list->count == 2) {
        for (; at < list->count; at += 2) {
            NDP_TRY(save_items(w, list->items + at, 2));
            NDP_TRY(ndp_writer_op(w, NDP_OP_SETITEM));
        }
        return NDP_OK;
    }
    while (list->count > 0 && count == BATCH) {
        count = (list->count - at) / 2 < BATCH ? (list->count - at) / 2 : BATCH;
        NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
        NDP_TRY(save_items(w, list->items + at, count * 2));
        NDP_TRY(ndp_writer_op(w, NDP_OP_SETITEMS));
        at += count * 2;
    }
    return NDP_OK;
}

/* Lists and dicts are in the memo before their items, which may refer to them. */
static enum ndp_status save_container(struct ndp_writer *w, const struct ndp_object *object, enum ndp_opcode empty,
                                      enum ndp_opcode marked) {
    if (w->protocol == 0) NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
    return ndp_writer_finish(w, w->protocol == 0 ? (int)marked : (int)empty, ndp_writer_place(w, object));
}

static enum ndp_status save_list(struct ndp_writer *w, const struct ndp_object *object) {
    NDP_TRY(save_container(w, object, NDP_OP_EMPTY_LIST, NDP_OP_LIST));
    return put_items(w, &object->list);
}

static enum ndp_status save_dict(struct ndp_writer *w, const struct ndp_object *object) {
    NDP_TRY(save_container(w, object, NDP_OP_EMPTY_DICT, NDP_OP_DICT));
    return put_pairs(w, &object->list);
}

/* Below protocol 4 a set is a call with a list of its items. */
static enum ndp_status save_called_set(struct ndp_writer *w, const struct ndp_object *object) {
    uint32_t list = 0;
    uint32_t tuple = 0;
    uint32_t *place = ndp_writer_place(w, object);
    NDP_TRY(ndp_writer_name(w, object->kind == NDP_OBJECT_SET ? NDP_WRITER_SET : NDP_WRITER_FROZENSET));
    if (w->protocol < 2) NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
    if (w->protocol == 0) NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
    NDP_TRY(ndp_writer_finish(w, w->protocol == 0 ? NDP_OP_LIST : NDP_OP_EMPTY_LIST, &list));
    NDP_TRY(put_items(w, &object->list));
    NDP_TRY(ndp_writer_finish(w, w->protocol < 2 ? NDP_OP_TUPLE : NDP_OP_TUPLE1, &tuple));
    NDP_TRY(ndp_writer_op(w, NDP_OP_REDUCE));
    if (*place == 0) return ndp_writer_finish(w, 0, place);
    NDP_TRY(ndp_writer_op(w, NDP_OP_POP));
    return ndp_writer_get(w, *place);
}

static enum ndp_status save_set(struct ndp_writer *w, const struct ndp_object *object) {
    const struct ndp_object_list *list = &object->list;
    uint64_t count = BATCH;
    if (w->protocol < 4) return save_called_set(w, object);
    NDP_TRY(ndp_writer_finish(w, NDP_OP_EMPTY_SET, ndp_writer_place(w, object)));
    for (uint64_t at = 0; list->count > 0 && count == BATCH; at += count) {
        count = list->count - at < BATCH ? list->count - at : BATCH;
        NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
        NDP_TRY(save_items(w, list->items + at, count));
        NDP_TRY(ndp_writer_op(w, NDP_OP_ADDITEMS));
    }
    return NDP_OK;
}

static enum ndp_status save_frozenset(struct ndp_writer *w, const struct ndp_object *object) {
    uint32_t *place = ndp_writer_place(w, object);
    if (w->protocol < 4) return save_called_set(w, object);
    NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
    NDP_TRY(save_items(w, object->list.items, object->list.count));
    if (*place != 0) return save_tuple_again(w, object->list.count, true, *place);
    return ndp_writer_finish(w, NDP_OP_FROZENSET, place);
}

/* Whether a name can stand on a line, as below protocol 4 it must. */
static bool is_line(struct ndp_bytes name) {
    return name.size_bytes == 0 || memchr(name.data, '\n', (size_t)name.size_bytes) == NULL;
}

/* The first dot of a name, or NULL. */
static const uint8_t *dot_in(struct ndp_bytes name) {
    return name.size_bytes == 0 ? NULL : memchr(name.data, '.', (size_t)name.size_bytes);
}

/* Below protocol 4 a name inside a class is an attribute of the class. */
static enum ndp_status put_global(struct ndp_writer *w, const struct ndp_object *object) {
    const struct ndp_bytes module = object->global.module->bytes, name = object->global.name->bytes;
    if (w->protocol >= 4) {
        NDP_TRY(save(w, object->global.module));
        NDP_TRY(save(w, object->global.name));
        return ndp_writer_op(w, NDP_OP_STACK_GLOBAL);
    }
    const uint8_t *dot = dot_in(name);
    const struct ndp_bytes outer = {name.data, dot != NULL ? (uint64_t)(dot - name.data) : name.size_bytes};
    if (!is_line(outer) || !is_line(module))
        return ndp_writer_fail(w, NDP_UNSUPPORTED, "a name of two lines needs protocol 4");
    if (dot != NULL) return ndp_writer_inside(w, module, name);
    return ndp_writer_global(w, NDP_OP_GLOBAL, module, name);
}

/* What the writer calls by itself is the same object as what the pickle itself names. */
static enum ndp_status save_global(struct ndp_writer *w, const struct ndp_object *object) {
    uint32_t *place = ndp_writer_place(w, object);
    uint32_t *own = ndp_writer_own(w, object);
    if (own != NULL && *own != 0) return ndp_writer_get(w, *own);
    NDP_TRY(put_global(w, object));
    NDP_TRY(ndp_writer_finish(w, 0, place));
    if (own != NULL) *own = *place;
    return NDP_OK;
}

/* The arguments of what stands for an opcode, and the call. An object that they contain was finished while they were
 * written, with a tuple of the same, which has the place before its own: that one is both calls', as the tuple that the
 * opcode takes would be. */
static enum ndp_status finish_call(struct ndp_writer *w, uint64_t count, uint32_t place) {
    const bool has_mark = w->protocol < 2;
    uint32_t tuple = 0;
    if (place != 0)
        NDP_TRY(save_tuple_again(w, count, has_mark, place - 1));
    else
        NDP_TRY(ndp_writer_finish(w, has_mark ? NDP_OP_TUPLE : NDP_OP_TUPLE3, &tuple));
    return ndp_writer_op(w, NDP_OP_REDUCE);
}

/* copyreg.__newobj_ex__(class, arguments, keywords), for protocols without the opcode. */
static enum ndp_status save_keywords_call(struct ndp_writer *w, const struct ndp_call *call, const uint32_t *place) {
    NDP_TRY(ndp_writer_name(w, NDP_WRITER_NEWOBJ_EX));
    if (w->protocol < 2) NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
    w->depth++; /* inside the tuple, as whoever reads it finds them */
    NDP_TRY(save(w, call->callable));
    NDP_TRY(save(w, call->args));
    NDP_TRY(save(w, call->kwargs));
    w->depth--;
    return finish_call(w, 3, *place);
}

/* copyreg.__newobj__(class, *arguments), for protocols without the opcode. */
static enum ndp_status save_newobj_call(struct ndp_writer *w, const struct ndp_call *call, const uint32_t *place) {
    NDP_TRY(ndp_writer_name(w, NDP_WRITER_NEWOBJ));
    NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
    w->depth++; /* as above */
    NDP_TRY(save(w, call->callable));
    NDP_TRY(save_items(w, call->args->list.items, call->args->list.count));
    w->depth--;
    return finish_call(w, 1 + call->args->list.count, *place);
}

/* An instance of a class of Python 2. */
static enum ndp_status save_instance(struct ndp_writer *w, const struct ndp_call *call) {
    const struct ndp_object *class = call->callable;
    NDP_TRY(ndp_writer_op(w, NDP_OP_MARK));
    if (w->protocol == 0) {
        if (class->kind != NDP_OBJECT_GLOBAL || !is_line(class->global.module->bytes) ||
            !is_line(class->global.name->bytes) || dot_in(class->global.name->bytes) != NULL)
            return ndp_writer_fail(w, NDP_UNSUPPORTED, "an instance of no global that a line can name");
        NDP_TRY(save_items(w, call->args->list.items, call->args->list.count));
        return ndp_writer_global(w, NDP_OP_INST, class->global.module->bytes, class->global.name->bytes);
    }
    NDP_TRY(save(w, class));
    NDP_TRY(save_items(w, call->args->list.items, call->args->list.count));
    return ndp_writer_op(w, NDP_OP_OBJ);
}

static enum ndp_status save_made(struct ndp_writer *w, const struct ndp_call *call, const uint32_t *place) {
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
    NDP_TRY(save(w, call->callable));
    NDP_TRY(save(w, call->args));
    if (call->how == NDP_CALL_NEWOBJ_EX) NDP_TRY(save(w, call->kwargs));
    if (call->how == NDP_CALL_REDUCE) return ndp_writer_op(w, NDP_OP_REDUCE);
    return ndp_writer_op(w, call->how == NDP_CALL_NEWOBJ ? NDP_OP_NEWOBJ : NDP_OP_NEWOBJ_EX);
}

/* The opcode of protocol 2 is what CPython writes in every protocol. */
static enum ndp_status save_state(struct ndp_writer *w, const struct ndp_object *object) {
    if (object->call->setter == NULL) {
        NDP_TRY(save(w, object->call->state));
        return ndp_writer_op(w, NDP_OP_BUILD);
    }
    NDP_TRY(save(w, object->call->setter));
    NDP_TRY(save(w, object));
    NDP_TRY(save(w, object->call->state));
    NDP_TRY(ndp_writer_op(w, NDP_OP_TUPLE2));
    NDP_TRY(ndp_writer_op(w, NDP_OP_REDUCE));
    return ndp_writer_op(w, NDP_OP_POP);
}

static bool is_changed(const struct ndp_call *call) {
    return call->items.count > 0 || call->pairs.count > 0 || call->state != NULL;
}

/* What is made of itself was whole while it was written: CPython writes what is set in it twice then, which whoever
 * reads it sets twice. Source: CPython 3.11, Lib/pickle.py, _Pickler.save_reduce. */
static enum ndp_status save_call(struct ndp_writer *w, const struct ndp_object *object) {
    const struct ndp_call *call = object->call;
    uint32_t *place = ndp_writer_place(w, object);
    NDP_TRY(save_made(w, call, place));
    if (*place != 0 && is_changed(call))
        return ndp_writer_fail(w, NDP_UNSUPPORTED, "an object that is made of itself, and changed");
    if (*place != 0) {
        NDP_TRY(ndp_writer_op(w, NDP_OP_POP));
        NDP_TRY(ndp_writer_get(w, *place));
    } else {
        NDP_TRY(ndp_writer_finish(w, 0, place));
    }
    NDP_TRY(put_items(w, &call->items));
    NDP_TRY(put_pairs(w, &call->pairs));
    return call->state != NULL ? save_state(w, object) : NDP_OK;
}

/* joblib wraps an array anew wherever it stands. A wrapper that is there already stands in what it is made from. */
static enum ndp_status save_raw(struct ndp_writer *w, const struct ndp_object *object) {
    const struct ndp_raw *raw = object->raw;
    if (*ndp_writer_place(w, raw->wrapper) != 0)
        return ndp_writer_fail(w, NDP_UNSUPPORTED, "an array behind a wrapper that is to be made from itself");
    NDP_TRY(save(w, raw->wrapper));
    NDP_TRY(ndp_output_flush(&w->output));
    if (w->form->raw == NULL) {
        NDP_TRY(w->output.write(w->output.sink, raw->bytes.data, raw->bytes.size_bytes));
        w->output.passed_bytes += raw->bytes.size_bytes;
        return NDP_OK;
    }
    return w->form->raw(w->form->context, raw, &w->output.passed_bytes, w->output.write, w->output.sink);
}

static enum ndp_status save_kind(struct ndp_writer *w, const struct ndp_object *object) {
    switch (object->kind) {
    case NDP_OBJECT_NONE:
        return ndp_writer_op(w, NDP_OP_NONE);
    case NDP_OBJECT_BOOL:
        return ndp_save_bool(w, object);
    case NDP_OBJECT_INT:
        return ndp_save_int(w, object);
    case NDP_OBJECT_FLOAT:
        return ndp_save_float(w, object);
    case NDP_OBJECT_BYTES:
        return ndp_save_bytes(w, object);
    case NDP_OBJECT_BYTEARRAY:
        return ndp_save_bytearray(w, object);
    case NDP_OBJECT_TEXT:
        return ndp_save_text(w, object);
    case NDP_OBJECT_STRING:
        return ndp_save_string(w, object);
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
        return ndp_save_buffer(w, object);
    case NDP_OBJECT_RAW:
        return save_raw(w, object);
    case NDP_OBJECT_COUNT:
        break;
    }
    return ndp_writer_fail(w, NDP_FAULT, "an object of no kind");
}

static bool is_remembered(const struct ndp_object *object) {
    return object->kind != NDP_OBJECT_NONE && object->kind != NDP_OBJECT_BOOL && object->kind != NDP_OBJECT_INT &&
           object->kind != NDP_OBJECT_FLOAT && object->kind != NDP_OBJECT_BUFFER;
}

static enum ndp_status save(struct ndp_writer *w, const struct ndp_object *object) {
    if (object == NULL) return ndp_writer_fail(w, NDP_INVALID, "an object that is half made");
    NDP_TRY(ndp_output_boundary(&w->output));
    if (is_remembered(object)) {
        const uint32_t place = *ndp_writer_place(w, object);
        if (place != 0) return ndp_writer_get(w, place);
    }
    if (w->depth >= NDP_PICKLE_DEPTH_MAX) return ndp_writer_fail(w, NDP_LIMIT, "objects nested too deeply");
    w->depth++;
    const enum ndp_status status = save_kind(w, object);
    w->depth--;
    return status;
}

static enum ndp_status write_all(struct ndp_writer *w, const struct ndp_object *root) {
    if (w->protocol >= 2) {
        NDP_TRY(ndp_writer_op(w, NDP_OP_PROTO));
        NDP_TRY(ndp_output_byte(&w->output, (uint8_t)w->protocol));
    }
    w->output.is_framing = w->protocol >= 4;
    NDP_TRY(save(w, root));
    NDP_TRY(ndp_writer_op(w, NDP_OP_STOP));
    return ndp_output_flush(&w->output);
}

enum ndp_status ndp_pickle_write(struct ndp_objects *objects, const struct ndp_object *root,
                                 const struct ndp_pickle_form *form, ndp_write_bytes *write, void *sink,
                                 struct ndp_error *error) {
    struct ndp_writer w = {.form = form, .protocol = form->protocol, .error = error};
    struct ndp_error detail = {0};
    uint8_t room[ROOM_BYTES];
    if (form->protocol > NDP_PICKLE_PROTOCOL_MAX) return ndp_writer_fail(&w, NDP_UNSUPPORTED, "a protocol over 5");
    w.memo = NDP_ARENA_ITEMS(objects->arena, uint32_t, objects->count);
    if (w.memo == NULL) return ndp_writer_fail(&w, NDP_NOMEM, "no memory for the memo");
    w.error = error == NULL ? NULL : &detail;
    w.output = ndp_output_start(write, sink, room, sizeof(room));
    const enum ndp_status status = write_all(&w, root);
    ndp_output_clear(&w.output);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "%s",
                         detail.text[0] != '\0' ? detail.text : ndp_status_text(status));
}
