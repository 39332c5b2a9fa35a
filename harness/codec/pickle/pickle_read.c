/* pickle_read.c: the pickle machine.
 *
 * Problem: a pickle is a program for a stack machine whose calls import and execute code; frames, memo indices, marks
 * and lengths are untrusted.
 *
 * Method: a stack with marks, a memo (pickle_memo.h), frames, and a table with one handler per opcode. Calls are not
 * executed but recorded as CALL objects; values that are only needed for side effects (setters) are attached to their
 * object, and other side effects are refused.
 *
 * Cost: each opcode takes time linear in its argument and in the items that it moves, so that the total is linear in
 * the input. Limits: opcodes, memo entries and elements of struct ndp_pickle_options; nothing recurses. References:
 * Lib/pickletools.py, Modules/_pickle.c of CPython.
 */
#include "codec/pickle/pickle_read.h"

#include <stdio.h>
#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/text.h"
#include "codec/pickle/pickle_machine.h"
#include "codec/pickle/pickle_number.h"
#include "codec/pickle/pickle_opcodes.h"

enum { ID_BYTES = 64 };

enum ndp_status ndp_pickle_machine_fail(struct ndp_pickle_machine *m, enum ndp_status status, const char *text) {
    return ndp_error_set(m->error, status, m->at_bytes, "%s", text);
}

static enum ndp_status source_failed(struct ndp_pickle_machine *m, enum ndp_status status) {
    if (status == NDP_TRUNCATED) return ndp_pickle_machine_fail(m, status, "pickle ends inside or before this opcode");
    return ndp_pickle_machine_fail(m, status, ndp_status_text(status));
}

static enum ndp_status check_frame(struct ndp_pickle_machine *m, uint64_t end_bytes) {
    if (m->frame_end_bytes == 0 || end_bytes <= m->frame_end_bytes) return NDP_OK;
    return ndp_pickle_machine_fail(m, NDP_INVALID, "argument crosses the end of its frame");
}

enum ndp_status ndp_pickle_machine_check_size(struct ndp_pickle_machine *m, uint64_t size_bytes) {
    uint64_t end = 0;
    if (!ndp_checked_add_u64(ndp_source_offset(m->source), size_bytes, &end))
        return ndp_pickle_machine_fail(m, NDP_TRUNCATED, "argument of nearly 2^64 bytes");
    return check_frame(m, end);
}

const uint8_t *ndp_pickle_machine_fetch(struct ndp_pickle_machine *m, uint64_t size_bytes) {
    struct ndp_bytes bytes;
    m->failed = ndp_pickle_machine_check_size(m, size_bytes);
    if (m->failed != NDP_OK) return NULL;
    const enum ndp_status status = ndp_source_take(m->source, size_bytes, &bytes);
    if (status != NDP_OK) m->failed = source_failed(m, status);
    if (status != NDP_OK) return NULL;
    m->result.operations += size_bytes;
    return bytes.data;
}

enum ndp_status ndp_pickle_machine_take_line(struct ndp_pickle_machine *m, struct ndp_bytes *out) {
    const enum ndp_status status = ndp_source_line(m->source, out);
    if (status != NDP_OK) return source_failed(m, status);
    m->result.operations += out->size_bytes;
    return check_frame(m, ndp_source_offset(m->source));
}

enum ndp_status ndp_pickle_machine_push(struct ndp_pickle_machine *m, struct ndp_object *object) {
    struct ndp_object_list *stack = &m->stack;
    if (object != NULL && stack->count < stack->capacity)
        stack->items[stack->count++] = object;
    else if (object == NULL || !ndp_object_append(m->objects, stack, object))
        return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for an object");
    if (object->offset_bytes == NDP_NO_OFFSET) object->offset_bytes = m->at_bytes;
    return NDP_OK;
}

static enum ndp_status check_height(struct ndp_pickle_machine *m, uint64_t count) {
    if (m->stack.count - m->floor >= count) return NDP_OK;
    return ndp_pickle_machine_fail(m, NDP_INVALID,
                                   m->mark_count > 0 ? "too few values above the mark" : "too few values");
}

static struct ndp_object *pop_value(struct ndp_pickle_machine *m) {
    return m->stack.items[--m->stack.count];
}

static struct ndp_object *top_value(struct ndp_pickle_machine *m) {
    return m->stack.items[m->stack.count - 1];
}

static enum ndp_status op_mark(struct ndp_pickle_machine *m) {
    if (m->mark_count == m->mark_capacity) {
        const uint64_t capacity = m->mark_capacity == 0 ? 16 : m->mark_capacity * 2;
        uint64_t *marks = NDP_ARENA_ITEMS(m->objects->arena, uint64_t, capacity);
        if (marks == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a mark");
        if (m->mark_count > 0) memcpy(marks, m->marks, (size_t)m->mark_count * sizeof(uint64_t));
        m->marks = marks;
        m->mark_capacity = capacity;
    }
    m->marks[m->mark_count++] = m->stack.count;
    m->floor = m->stack.count;
    return NDP_OK;
}

static void drop_mark(struct ndp_pickle_machine *m) {
    m->mark_count--;
    m->floor = m->mark_count > 0 ? m->marks[m->mark_count - 1] : 0;
}

/* Removes the mark; `*items` are the values above it, valid until the next push. */
static enum ndp_status pop_mark(struct ndp_pickle_machine *m, struct ndp_object ***items, uint64_t *count) {
    if (m->mark_count == 0) return ndp_pickle_machine_fail(m, NDP_INVALID, "mark is missing");
    *count = m->stack.count - m->floor;
    *items = m->stack.items + m->floor;
    m->stack.count = m->floor;
    drop_mark(m);
    m->result.operations += *count;
    return NDP_OK;
}

static enum ndp_status op_stop(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 1));
    if (m->mark_count > 0) return ndp_pickle_machine_fail(m, NDP_INVALID, "mark is left open");
    if (m->stack.count > 1) return ndp_pickle_machine_fail(m, NDP_INVALID, "values are left on the stack");
    if (m->frame_end_bytes > ndp_source_offset(m->source))
        return ndp_pickle_machine_fail(m, NDP_INVALID, "frame continues after STOP");
    if (m->result.buffer_count < m->options.buffer_count)
        return ndp_pickle_machine_fail(m, NDP_INVALID, "unused out-of-band buffers");
    m->result.root = pop_value(m);
    m->is_stopped = true;
    return NDP_OK;
}

/* A call of (object, state) with a dropped result sets the object's state: the sixth item of __reduce__. */
static void note_setter(const struct ndp_object *dropped, struct ndp_object *object) {
    if (!ndp_object_is(dropped, NDP_OBJECT_CALL) || !ndp_object_is(object, NDP_OBJECT_CALL)) return;
    const struct ndp_object *args = dropped->call->args;
    struct ndp_call *call = object->call;
    if (dropped->call->how != NDP_CALL_REDUCE || args->list.count != 2 || args->list.items[0] != object) return;
    if (call->state != NULL) return;
    call->state = args->list.items[1];
    call->setter = dropped->call->callable;
}

/* Whether a call with a dropped result changes another object. Nothing is executed, so its effect would be lost. */
static bool changes_another(const struct ndp_object *dropped) {
    if (!ndp_object_is(dropped, NDP_OBJECT_CALL) || dropped->call->how != NDP_CALL_REDUCE) return false;
    return ndp_object_is_global(dropped->call->callable, "builtins", "setattr") ||
           ndp_object_is_global(dropped->call->callable, "builtins", "dict.update");
}

static enum ndp_status op_pop(struct ndp_pickle_machine *m) {
    if (m->stack.count == m->floor && m->mark_count > 0) {
        drop_mark(m);
        return NDP_OK;
    }
    NDP_TRY(check_height(m, 1));
    struct ndp_object *dropped = pop_value(m);
    if (m->stack.count <= m->floor) return NDP_OK;
    if (changes_another(dropped))
        return ndp_pickle_machine_fail(m, NDP_UNSUPPORTED, "setattr or dict.update of another object");
    note_setter(dropped, top_value(m));
    return NDP_OK;
}

static enum ndp_status op_pop_mark(struct ndp_pickle_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    return pop_mark(m, &items, &count);
}

static enum ndp_status op_dup(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 1));
    return ndp_pickle_machine_push(m, top_value(m));
}

static enum ndp_status op_newbool(struct ndp_pickle_machine *m) {
    return ndp_pickle_machine_push(m, ndp_object_bool(m->objects, m->operand.is_true));
}

static enum ndp_status op_none(struct ndp_pickle_machine *m) {
    return ndp_pickle_machine_push(m, ndp_object_none(m->objects));
}

static enum ndp_status count_elements(struct ndp_pickle_machine *m, uint64_t count) {
    m->elements += count;
    return m->elements <= m->options.elements_max ? NDP_OK : ndp_pickle_machine_fail(m, NDP_LIMIT, "too many elements");
}

static enum ndp_status add_all(struct ndp_pickle_machine *m, struct ndp_object_list *list, struct ndp_object **items,
                               uint64_t count) {
    NDP_TRY(count_elements(m, count));
    for (uint64_t i = 0; i < count; i++) {
        if (!ndp_object_append(m->objects, list, items[i]))
            return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for an item");
    }
    m->result.operations += count;
    return NDP_OK;
}

static enum ndp_status push_tuple(struct ndp_pickle_machine *m, struct ndp_object **items, uint64_t count) {
    NDP_TRY(count_elements(m, count));
    m->result.operations += count;
    return ndp_pickle_machine_push(m, ndp_object_tuple(m->objects, count, items));
}

static enum ndp_status op_short_tuple(struct ndp_pickle_machine *m) {
    const uint64_t count = m->operand.size_bytes;
    NDP_TRY(check_height(m, count));
    m->stack.count -= count;
    return push_tuple(m, m->stack.items + m->stack.count, count);
}

static enum ndp_status op_empty_tuple(struct ndp_pickle_machine *m) {
    return push_tuple(m, NULL, 0);
}

static enum ndp_status op_tuple(struct ndp_pickle_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    return push_tuple(m, items, count);
}

/* The container copies the items before the push reuses their memory. */
static enum ndp_status op_marked_container(struct ndp_pickle_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    struct ndp_object *object = ndp_object_new(m->objects, m->operand.kind);
    if (object == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a container");
    NDP_TRY(pop_mark(m, &items, &count));
    NDP_TRY(add_all(m, &object->list, items, count));
    return ndp_pickle_machine_push(m, object);
}

static bool is_hashable(const struct ndp_object *key) {
    return key->kind != NDP_OBJECT_LIST && key->kind != NDP_OBJECT_DICT && key->kind != NDP_OBJECT_SET &&
           key->kind != NDP_OBJECT_BYTEARRAY;
}

enum ndp_status ndp_pickle_machine_check_keys(struct ndp_pickle_machine *m, struct ndp_object *const *items,
                                              uint64_t count, uint64_t run_opcode) {
    if (count % run_opcode != 0) return ndp_pickle_machine_fail(m, NDP_INVALID, "key without a value");
    for (uint64_t i = 0; i < count; i += run_opcode)
        if (!is_hashable(items[i])) return ndp_pickle_machine_fail(m, NDP_INVALID, "key is not hashable");
    return NDP_OK;
}

static enum ndp_status op_marked_keys(struct ndp_pickle_machine *m) {
    const uint64_t step = m->operand.kind == NDP_OBJECT_DICT ? 2 : 1;
    if (m->mark_count > 0)
        NDP_TRY(ndp_pickle_machine_check_keys(m, m->stack.items + m->floor, m->stack.count - m->floor, step));
    return op_marked_container(m);
}

static enum ndp_status op_empty_container(struct ndp_pickle_machine *m) {
    return ndp_pickle_machine_push(m, ndp_object_new(m->objects, m->operand.kind));
}

static enum ndp_status append_to_top(struct ndp_pickle_machine *m, struct ndp_object **items, uint64_t count) {
    struct ndp_object *target = top_value(m);
    if (target->kind == NDP_OBJECT_LIST) return add_all(m, &target->list, items, count);
    if (target->kind == NDP_OBJECT_CALL) return add_all(m, &target->call->items, items, count);
    return ndp_pickle_machine_fail(m, NDP_INVALID, "append to an object that is not a list");
}

static enum ndp_status op_append(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 2));
    m->stack.count--;
    return append_to_top(m, m->stack.items + m->stack.count, 1);
}

static enum ndp_status op_appends(struct ndp_pickle_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    NDP_TRY(check_height(m, 1));
    return append_to_top(m, items, count);
}

static enum ndp_status set_in_top(struct ndp_pickle_machine *m, struct ndp_object **items, uint64_t count) {
    struct ndp_object *target = top_value(m);
    NDP_TRY(ndp_pickle_machine_check_keys(m, items, count, 2));
    if (target->kind == NDP_OBJECT_DICT) return add_all(m, &target->list, items, count);
    if (target->kind == NDP_OBJECT_CALL) return add_all(m, &target->call->pairs, items, count);
    return ndp_pickle_machine_fail(m, NDP_INVALID, "key set in an object that is not a dict");
}

static enum ndp_status op_setitem(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 3));
    m->stack.count -= 2;
    return set_in_top(m, m->stack.items + m->stack.count, 2);
}

static enum ndp_status op_setitems(struct ndp_pickle_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    NDP_TRY(check_height(m, 1));
    return set_in_top(m, items, count);
}

static enum ndp_status op_additems(struct ndp_pickle_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    NDP_TRY(check_height(m, 1));
    if (top_value(m)->kind != NDP_OBJECT_SET)
        return ndp_pickle_machine_fail(m, NDP_INVALID, "add to an object that is not a set");
    NDP_TRY(ndp_pickle_machine_check_keys(m, items, count, 1));
    return add_all(m, &top_value(m)->list, items, count);
}

static enum ndp_status memo_put(struct ndp_pickle_machine *m, uint64_t index) {
    NDP_TRY(check_height(m, 1));
    if (index > UINT32_MAX) return ndp_pickle_machine_fail(m, NDP_LIMIT, "memo index exceeds 2^32 - 1");
    if (!ndp_pickle_memo_put(&m->memo, m->objects->arena, (uint32_t)index, top_value(m)))
        return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for the memo");
    if (m->memo.entries > m->options.memo_entries_max)
        return ndp_pickle_machine_fail(m, NDP_LIMIT, "too many entries in the memo");
    return NDP_OK;
}

static enum ndp_status memo_get(struct ndp_pickle_machine *m, uint64_t index) {
    struct ndp_object *object = index > UINT32_MAX ? NULL : ndp_pickle_memo_get(&m->memo, (uint32_t)index);
    if (object == NULL) return ndp_pickle_machine_fail(m, NDP_INVALID, "no memo entry at this index");
    return ndp_pickle_machine_push(m, object);
}

static enum ndp_status read_line_index(struct ndp_pickle_machine *m, uint64_t *index) {
    struct ndp_bytes line;
    NDP_TRY(ndp_pickle_machine_take_line(m, &line));
    const enum ndp_status status = ndp_pickle_number_read_index(line, index);
    return status == NDP_OK ? NDP_OK : ndp_pickle_machine_fail(m, status, "memo index is not decimal");
}

static enum ndp_status op_put(struct ndp_pickle_machine *m) {
    uint64_t index = 0;
    NDP_TRY(read_line_index(m, &index));
    return memo_put(m, index);
}

static enum ndp_status op_get(struct ndp_pickle_machine *m) {
    uint64_t index = 0;
    NDP_TRY(read_line_index(m, &index));
    return memo_get(m, index);
}

static enum ndp_status op_binput(struct ndp_pickle_machine *m) {
    uint64_t index = 0;
    if (!ndp_pickle_machine_take_number(m, m->operand.size_bytes, &index)) return m->failed;
    return memo_put(m, index);
}

static enum ndp_status op_binget(struct ndp_pickle_machine *m) {
    uint64_t index = 0;
    if (!ndp_pickle_machine_take_number(m, m->operand.size_bytes, &index)) return m->failed;
    return memo_get(m, index);
}

static enum ndp_status op_memoize(struct ndp_pickle_machine *m) {
    return memo_put(m, m->memo.entries);
}

static enum ndp_status op_proto(struct ndp_pickle_machine *m) {
    uint64_t protocol = 0;
    if (!ndp_pickle_machine_take_number(m, 1, &protocol)) return m->failed;
    if (protocol > NDP_PICKLE_PROTOCOL_MAX) return ndp_pickle_machine_fail(m, NDP_UNSUPPORTED, "protocol exceeds 5");
    m->result.protocol = (uint32_t)protocol;
    return NDP_OK;
}

static enum ndp_status op_frame(struct ndp_pickle_machine *m) {
    uint64_t size = 0;
    uint64_t end = 0;
    if (!ndp_pickle_machine_take_number(m, 8, &size)) return m->failed;
    if (m->frame_end_bytes > ndp_source_offset(m->source))
        return ndp_pickle_machine_fail(m, NDP_INVALID, "frame inside a frame");
    if (!ndp_checked_add_u64(ndp_source_offset(m->source), size, &end))
        return ndp_pickle_machine_fail(m, NDP_TRUNCATED, "frame of nearly 2^64 bytes");
    m->frame_end_bytes = end;
    return NDP_OK;
}

static enum ndp_status op_persid(struct ndp_pickle_machine *m) {
    struct ndp_bytes id;
    char shown[ID_BYTES];
    NDP_TRY(ndp_pickle_machine_take_line(m, &id));
    ndp_text_show(id, shown, sizeof shown);
    return ndp_error_set(m->error, NDP_UNSUPPORTED, m->at_bytes, "persistent id '%s'", shown);
}

static enum ndp_status op_binpersid(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 1));
    return ndp_error_set(m->error, NDP_UNSUPPORTED, m->at_bytes, "persistent id of type %s",
                         ndp_object_word(top_value(m)->kind));
}

static enum ndp_status op_extension(struct ndp_pickle_machine *m) {
    uint64_t code = 0;
    if (!ndp_pickle_machine_take_number(m, m->operand.size_bytes, &code)) return m->failed;
    return ndp_error_set(m->error, NDP_UNSUPPORTED, m->at_bytes, "extension code %llu", (unsigned long long)code);
}

/* An importable name has no empty part. */
static enum ndp_status check_name(struct ndp_pickle_machine *m, const struct ndp_object *module,
                                  const struct ndp_object *name) {
    uint8_t last = '.';
    bool is_whole = module->bytes.size_bytes > 0;
    for (uint64_t i = 0; i < name->bytes.size_bytes; i++) {
        const uint8_t byte = name->bytes.data[i];
        if (byte == '.' && last == '.') is_whole = false;
        last = byte;
    }
    if (is_whole && last != '.') return NDP_OK;
    return ndp_pickle_machine_fail(m, NDP_INVALID, "module, name or part of a name of a global is empty");
}

static enum ndp_status op_global(struct ndp_pickle_machine *m) {
    struct ndp_object *module = NULL;
    struct ndp_object *name = NULL;
    struct ndp_object *global = NULL;
    NDP_TRY(ndp_pickle_machine_take_name(m, &module));
    NDP_TRY(ndp_pickle_machine_take_name(m, &name));
    NDP_TRY(check_name(m, module, name));
    NDP_TRY(ndp_pickle_machine_global(m, module, name, &global));
    return ndp_pickle_machine_push(m, global);
}

/* Converts text of Python 2 to a name. */
static enum ndp_status convert_name(struct ndp_pickle_machine *m, struct ndp_object **name) {
    struct ndp_bytes text;
    if ((*name)->kind != NDP_OBJECT_STRING) return NDP_OK;
    if (ndp_object_read_text(m->objects->arena, *name, &text) != NDP_OK)
        return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a name");
    m->result.operations += text.size_bytes;
    *name = ndp_object_bytes(m->objects, NDP_OBJECT_TEXT, text);
    return *name != NULL ? NDP_OK : ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a name");
}

static enum ndp_status op_stack_global(struct ndp_pickle_machine *m) {
    struct ndp_object *global = NULL;
    NDP_TRY(check_height(m, 2));
    struct ndp_object *name = pop_value(m);
    struct ndp_object *module = pop_value(m);
    NDP_TRY(convert_name(m, &name));
    NDP_TRY(convert_name(m, &module));
    if (name->kind != NDP_OBJECT_TEXT || module->kind != NDP_OBJECT_TEXT)
        return ndp_pickle_machine_fail(m, NDP_INVALID, "module or name of a global is not text");
    NDP_TRY(check_name(m, module, name));
    NDP_TRY(ndp_pickle_machine_global(m, module, name, &global));
    return ndp_pickle_machine_push(m, global);
}

static enum ndp_status check_callable(struct ndp_pickle_machine *m, const struct ndp_object *callable,
                                      const struct ndp_object *args) {
    if (callable->kind != NDP_OBJECT_GLOBAL && callable->kind != NDP_OBJECT_CALL)
        return ndp_pickle_machine_fail(m, NDP_INVALID, "callable is neither a global nor a call");
    return args->kind == NDP_OBJECT_TUPLE ? NDP_OK
                                          : ndp_pickle_machine_fail(m, NDP_INVALID, "arguments are not a tuple");
}

static enum ndp_status op_reduce(struct ndp_pickle_machine *m) {
    struct ndp_object *object = NULL;
    NDP_TRY(check_height(m, 2));
    struct ndp_object *args = pop_value(m);
    struct ndp_object *callable = pop_value(m);
    NDP_TRY(check_callable(m, callable, args));
    NDP_TRY(ndp_pickle_machine_call(m, callable, args, &object));
    return ndp_pickle_machine_push(m, object);
}

static enum ndp_status op_newobj(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 2));
    struct ndp_object *args = pop_value(m);
    struct ndp_object *callable = pop_value(m);
    NDP_TRY(check_callable(m, callable, args));
    return ndp_pickle_machine_push(m, ndp_object_call(m->objects, NDP_CALL_NEWOBJ, callable, args));
}

static enum ndp_status op_newobj_ex(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 3));
    struct ndp_object *kwargs = pop_value(m);
    struct ndp_object *args = pop_value(m);
    struct ndp_object *callable = pop_value(m);
    NDP_TRY(check_callable(m, callable, args));
    if (kwargs->kind != NDP_OBJECT_DICT)
        return ndp_pickle_machine_fail(m, NDP_INVALID, "keyword arguments are not a dict");
    /* CPython 3.4 always writes NEWOBJ_EX; without keywords it equals NEWOBJ. */
    const enum ndp_call_how how = kwargs->list.count == 0 ? NDP_CALL_NEWOBJ : NDP_CALL_NEWOBJ_EX;
    struct ndp_object *object = ndp_object_call(m->objects, how, callable, args);
    if (object != NULL && how == NDP_CALL_NEWOBJ_EX) object->call->kwargs = kwargs;
    return ndp_pickle_machine_push(m, object);
}

static enum ndp_status push_instance(struct ndp_pickle_machine *m, struct ndp_object *callable,
                                     struct ndp_object **items, uint64_t count) {
    struct ndp_object *args = ndp_object_tuple(m->objects, count, items);
    if (args == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for arguments");
    NDP_TRY(check_callable(m, callable, args));
    NDP_TRY(count_elements(m, count));
    return ndp_pickle_machine_push(m, ndp_object_call(m->objects, NDP_CALL_INSTANCE, callable, args));
}

static enum ndp_status op_inst(struct ndp_pickle_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(op_global(m));
    struct ndp_object *callable = pop_value(m);
    NDP_TRY(pop_mark(m, &items, &count));
    return push_instance(m, callable, items, count);
}

static enum ndp_status op_obj(struct ndp_pickle_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    if (count == 0) return ndp_pickle_machine_fail(m, NDP_INVALID, "class is missing above the mark");
    return push_instance(m, items[0], items + 1, count - 1);
}

static enum ndp_status run_hook(struct ndp_pickle_machine *m) {
    const uint64_t before = ndp_source_offset(m->source);
    struct ndp_object *object = top_value(m);
    NDP_TRY(m->options.after_build(m->options.context, m->objects, m->source, &object, m->error));
    const uint64_t after = ndp_source_offset(m->source);
    if (after > before && m->frame_end_bytes > before)
        return ndp_pickle_machine_fail(m, NDP_INVALID, "raw bytes inside a frame");
    m->stack.items[m->stack.count - 1] = object;
    m->result.operations += after - before;
    return NDP_OK;
}

static enum ndp_status op_build(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 2));
    struct ndp_object *state = pop_value(m);
    struct ndp_object *object = top_value(m);
    if (object->kind != NDP_OBJECT_CALL)
        return ndp_error_set(m->error, NDP_INVALID, m->at_bytes, "state of a %s", ndp_object_word(object->kind));
    if (object->call->state != NULL) return ndp_pickle_machine_fail(m, NDP_UNSUPPORTED, "second state of one object");
    object->call->state = state;
    return m->options.after_build == NULL ? NDP_OK : run_hook(m);
}

static enum ndp_status op_next_buffer(struct ndp_pickle_machine *m) {
    if (m->result.buffer_count >= m->options.buffer_count)
        return ndp_pickle_machine_fail(m, NDP_INVALID, "too few out-of-band buffers");
    struct ndp_object *object = ndp_object_new(m->objects, NDP_OBJECT_BUFFER);
    if (object != NULL) object->index = m->result.buffer_count++;
    return ndp_pickle_machine_push(m, object);
}

/* The buffer and its read-only form are separate objects; the memo may refer to either. */
static enum ndp_status op_readonly_buffer(struct ndp_pickle_machine *m) {
    NDP_TRY(check_height(m, 1));
    const struct ndp_object *buffer = pop_value(m);
    if (buffer->kind != NDP_OBJECT_BUFFER)
        return ndp_pickle_machine_fail(m, NDP_INVALID, "READONLY_BUFFER of an object that is not a buffer");
    struct ndp_object *object = ndp_object_new(m->objects, NDP_OBJECT_BUFFER);
    if (object != NULL) {
        object->index = buffer->index;
        object->is_readonly = true;
    }
    return ndp_pickle_machine_push(m, object);
}

static const struct {
    ndp_pickle_machine_handler *run;
    struct ndp_pickle_operand operand;
} operations[256] = {
    [NDP_OP_MARK] = {.run = op_mark},
    [NDP_OP_STOP] = {.run = op_stop},
    [NDP_OP_POP] = {.run = op_pop},
    [NDP_OP_DUP] = {.run = op_dup},
    [NDP_OP_FLOAT] = {.run = ndp_pickle_machine_float},
    [NDP_OP_INT] = {.run = ndp_pickle_machine_int},
    [NDP_OP_LONG] = {.run = ndp_pickle_machine_long},
    [NDP_OP_NONE] = {.run = op_none},
    [NDP_OP_PERSID] = {.run = op_persid},
    [NDP_OP_REDUCE] = {.run = op_reduce},
    [NDP_OP_STRING] = {.run = ndp_pickle_machine_string},
    [NDP_OP_UNICODE] = {.run = ndp_pickle_machine_unicode},
    [NDP_OP_APPEND] = {.run = op_append},
    [NDP_OP_BUILD] = {.run = op_build},
    [NDP_OP_GLOBAL] = {.run = op_global},
    [NDP_OP_DICT] = {op_marked_keys, {.kind = NDP_OBJECT_DICT}},
    [NDP_OP_GET] = {.run = op_get},
    [NDP_OP_INST] = {.run = op_inst},
    [NDP_OP_LIST] = {op_marked_container, {.kind = NDP_OBJECT_LIST}},
    [NDP_OP_PUT] = {.run = op_put},
    [NDP_OP_SETITEM] = {.run = op_setitem},
    [NDP_OP_TUPLE] = {.run = op_tuple},
    [NDP_OP_EMPTY_TUPLE] = {.run = op_empty_tuple},
    [NDP_OP_POP_MARK] = {.run = op_pop_mark},
    [NDP_OP_BINFLOAT] = {.run = ndp_pickle_machine_binfloat},
    [NDP_OP_BININT] = {ndp_pickle_machine_binint, {.size_bytes = 4, .is_signed = true}},
    [NDP_OP_BININT1] = {ndp_pickle_machine_binint, {.size_bytes = 1}},
    [NDP_OP_BININT2] = {ndp_pickle_machine_binint, {.size_bytes = 2}},
    [NDP_OP_BINPERSID] = {.run = op_binpersid},
    [NDP_OP_BINSTRING] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_STRING, .size_bytes = 4, .is_signed = true}},
    [NDP_OP_SHORT_BINSTRING] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_STRING, .size_bytes = 1}},
    [NDP_OP_BINUNICODE] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_TEXT, .size_bytes = 4}},
    [NDP_OP_EMPTY_LIST] = {op_empty_container, {.kind = NDP_OBJECT_LIST}},
    [NDP_OP_APPENDS] = {.run = op_appends},
    [NDP_OP_BINGET] = {op_binget, {.size_bytes = 1}},
    [NDP_OP_LONG_BINGET] = {op_binget, {.size_bytes = 4}},
    [NDP_OP_OBJ] = {.run = op_obj},
    [NDP_OP_BINPUT] = {op_binput, {.size_bytes = 1}},
    [NDP_OP_LONG_BINPUT] = {op_binput, {.size_bytes = 4}},
    [NDP_OP_SETITEMS] = {.run = op_setitems},
    [NDP_OP_EMPTY_DICT] = {op_empty_container, {.kind = NDP_OBJECT_DICT}},
    [NDP_OP_PROTO] = {.run = op_proto},
    [NDP_OP_NEWOBJ] = {.run = op_newobj},
    [NDP_OP_EXT1] = {op_extension, {.size_bytes = 1}},
    [NDP_OP_EXT2] = {op_extension, {.size_bytes = 2}},
    [NDP_OP_EXT4] = {op_extension, {.size_bytes = 4}},
    [NDP_OP_TUPLE1] = {op_short_tuple, {.size_bytes = 1}},
    [NDP_OP_TUPLE2] = {op_short_tuple, {.size_bytes = 2}},
    [NDP_OP_TUPLE3] = {op_short_tuple, {.size_bytes = 3}},
    [NDP_OP_NEWTRUE] = {op_newbool, {.is_true = true}},
    [NDP_OP_NEWFALSE] = {.run = op_newbool},
    [NDP_OP_LONG1] = {ndp_pickle_machine_binlong, {.size_bytes = 1}},
    [NDP_OP_LONG4] = {ndp_pickle_machine_binlong, {.size_bytes = 4, .is_signed = true}},
    [NDP_OP_BINBYTES] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_BYTES, .size_bytes = 4}},
    [NDP_OP_SHORT_BINBYTES] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_BYTES, .size_bytes = 1}},
    [NDP_OP_SHORT_BINUNICODE] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_TEXT, .size_bytes = 1}},
    [NDP_OP_BINUNICODE8] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_TEXT, .size_bytes = 8}},
    [NDP_OP_BINBYTES8] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_BYTES, .size_bytes = 8}},
    [NDP_OP_EMPTY_SET] = {op_empty_container, {.kind = NDP_OBJECT_SET}},
    [NDP_OP_ADDITEMS] = {.run = op_additems},
    [NDP_OP_FROZENSET] = {op_marked_keys, {.kind = NDP_OBJECT_FROZENSET}},
    [NDP_OP_NEWOBJ_EX] = {.run = op_newobj_ex},
    [NDP_OP_STACK_GLOBAL] = {.run = op_stack_global},
    [NDP_OP_MEMOIZE] = {.run = op_memoize},
    [NDP_OP_FRAME] = {.run = op_frame},
    [NDP_OP_BYTEARRAY8] = {ndp_pickle_machine_bytes, {.kind = NDP_OBJECT_BYTEARRAY, .size_bytes = 8}},
    [NDP_OP_NEXT_BUFFER] = {.run = op_next_buffer},
    [NDP_OP_READONLY_BUFFER] = {.run = op_readonly_buffer},
};

static enum ndp_status run_opcode(struct ndp_pickle_machine *m) {
    m->at_bytes = ndp_source_offset(m->source);
    if (m->at_bytes >= m->frame_end_bytes) m->frame_end_bytes = 0;
    const uint8_t *opcode = ndp_pickle_machine_take(m, 1);
    if (opcode == NULL) return m->failed;
    if (++m->result.opcodes > m->options.opcodes_max) return ndp_pickle_machine_fail(m, NDP_LIMIT, "too many opcodes");
    m->operand = operations[*opcode].operand;
    if (operations[*opcode].run != NULL) return operations[*opcode].run(m);
    return ndp_error_set(m->error, NDP_INVALID, m->at_bytes, "unknown opcode 0x%02x", *opcode);
}

enum ndp_status ndp_pickle_read(struct ndp_objects *objects, struct ndp_source *source,
                                const struct ndp_pickle_options *options, struct ndp_pickle *out,
                                struct ndp_error *error) {
    struct ndp_pickle_machine m = {.objects = objects, .source = source, .error = error};
    const uint64_t start = ndp_source_offset(source);
    if (options != NULL) m.options = *options;
    if (m.options.opcodes_max == 0) m.options.opcodes_max = UINT64_C(1) << 32;
    if (m.options.memo_entries_max == 0) m.options.memo_entries_max = UINT64_C(1) << 26;
    if (m.options.elements_max == 0) m.options.elements_max = UINT64_C(1) << 28;
    m.stack = (struct ndp_object_list){m.first_stack, 0, NDP_FIRST_STACK};
    while (!m.is_stopped) NDP_TRY(run_opcode(&m));
    m.result.consumed_bytes = ndp_source_offset(source) - start;
    *out = m.result;
    return NDP_OK;
}
