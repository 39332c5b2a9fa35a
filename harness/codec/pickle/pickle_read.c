/* pickle_read.c: the machine: a stack with marks, a memo, frames, and a handler for each opcode. */
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

enum ndp_status ndp_machine_fail(struct ndp_machine *m, enum ndp_status status, const char *text) {
    return ndp_error_set(m->error, status, m->at_bytes, "%s", text);
}

static enum ndp_status source_failed(struct ndp_machine *m, enum ndp_status status) {
    if (status == NDP_TRUNCATED) return ndp_machine_fail(m, status, "the pickle ends inside or before this opcode");
    return ndp_machine_fail(m, status, ndp_status_text(status));
}

static enum ndp_status check_frame(struct ndp_machine *m, uint64_t end_bytes) {
    if (m->frame_end_bytes == 0 || end_bytes <= m->frame_end_bytes) return NDP_OK;
    return ndp_machine_fail(m, NDP_INVALID, "an argument goes past the end of its frame");
}

enum ndp_status ndp_machine_check(struct ndp_machine *m, uint64_t size_bytes) {
    uint64_t end = 0;
    if (!ndp_add_u64_fits(ndp_source_offset(m->source), size_bytes, &end))
        return ndp_machine_fail(m, NDP_TRUNCATED, "an argument of nearly 2^64 bytes");
    return check_frame(m, end);
}

const uint8_t *ndp_machine_fetch(struct ndp_machine *m, uint64_t size_bytes) {
    struct ndp_bytes bytes;
    m->failed = ndp_machine_check(m, size_bytes);
    if (m->failed != NDP_OK) return NULL;
    const enum ndp_status status = ndp_source_take(m->source, size_bytes, &bytes);
    if (status != NDP_OK) m->failed = source_failed(m, status);
    if (status != NDP_OK) return NULL;
    m->result.operations += size_bytes;
    return bytes.data;
}

enum ndp_status ndp_machine_line(struct ndp_machine *m, struct ndp_bytes *out) {
    const enum ndp_status status = ndp_source_line(m->source, out);
    if (status != NDP_OK) return source_failed(m, status);
    m->result.operations += out->size_bytes;
    return check_frame(m, ndp_source_offset(m->source));
}

enum ndp_status ndp_machine_push(struct ndp_machine *m, struct ndp_object *object) {
    struct ndp_object_list *stack = &m->stack;
    if (object != NULL && stack->count < stack->capacity)
        stack->items[stack->count++] = object;
    else if (object == NULL || !ndp_object_append(m->objects, stack, object))
        return ndp_machine_fail(m, NDP_NOMEM, "no memory for an object");
    if (object->offset_bytes == NDP_NO_OFFSET) object->offset_bytes = m->at_bytes;
    return NDP_OK;
}

static enum ndp_status need(struct ndp_machine *m, uint64_t count) {
    if (m->stack.count - m->floor >= count) return NDP_OK;
    return ndp_machine_fail(m, NDP_INVALID, m->mark_count > 0 ? "too few values above the mark" : "too few values");
}

static struct ndp_object *pop(struct ndp_machine *m) {
    return m->stack.items[--m->stack.count];
}

static struct ndp_object *top(struct ndp_machine *m) {
    return m->stack.items[m->stack.count - 1];
}

static enum ndp_status op_mark(struct ndp_machine *m) {
    if (m->mark_count == m->mark_capacity) {
        const uint64_t capacity = m->mark_capacity == 0 ? 16 : m->mark_capacity * 2;
        uint64_t *marks = NDP_ARENA_ITEMS(m->objects->arena, uint64_t, capacity);
        if (marks == NULL) return ndp_machine_fail(m, NDP_NOMEM, "no memory for a mark");
        if (m->mark_count > 0) memcpy(marks, m->marks, (size_t)m->mark_count * sizeof(uint64_t));
        m->marks = marks;
        m->mark_capacity = capacity;
    }
    m->marks[m->mark_count++] = m->stack.count;
    m->floor = m->stack.count;
    return NDP_OK;
}

static void drop_mark(struct ndp_machine *m) {
    m->mark_count--;
    m->floor = m->mark_count > 0 ? m->marks[m->mark_count - 1] : 0;
}

/* Takes the mark away; `*items` are the values that stood above it, until the next push. */
static enum ndp_status pop_mark(struct ndp_machine *m, struct ndp_object ***items, uint64_t *count) {
    if (m->mark_count == 0) return ndp_machine_fail(m, NDP_INVALID, "no mark");
    *count = m->stack.count - m->floor;
    *items = m->stack.items + m->floor;
    m->stack.count = m->floor;
    drop_mark(m);
    m->result.operations += *count;
    return NDP_OK;
}

static enum ndp_status op_stop(struct ndp_machine *m) {
    NDP_TRY(need(m, 1));
    if (m->mark_count > 0) return ndp_machine_fail(m, NDP_INVALID, "a mark is left open");
    if (m->stack.count > 1) return ndp_machine_fail(m, NDP_INVALID, "values are left on the stack");
    if (m->frame_end_bytes > ndp_source_offset(m->source))
        return ndp_machine_fail(m, NDP_INVALID, "the frame goes on behind the end");
    if (m->result.buffer_count < m->options.buffer_count)
        return ndp_machine_fail(m, NDP_INVALID, "more out-of-band buffers than the pickle asks for");
    m->result.root = pop(m);
    m->is_stopped = true;
    return NDP_OK;
}

/* A function that is given (object, state) and whose result is dropped sets that object's state: how a pickler writes
 * the sixth part of __reduce__. */
static void note_setter(const struct ndp_object *dropped, struct ndp_object *object) {
    if (!ndp_object_is(dropped, NDP_OBJECT_CALL) || !ndp_object_is(object, NDP_OBJECT_CALL)) return;
    const struct ndp_object *args = dropped->call->args;
    struct ndp_call *call = object->call;
    if (dropped->call->how != NDP_CALL_REDUCE || args->list.count != 2 || args->list.items[0] != object) return;
    if (call->state != NULL) return;
    call->state = args->list.items[1];
    call->setter = dropped->call->callable;
}

/* A call that changes another object and whose result is dropped: nothing is executed, so its effect would be lost. */
static bool changes_another(const struct ndp_object *dropped) {
    if (!ndp_object_is(dropped, NDP_OBJECT_CALL) || dropped->call->how != NDP_CALL_REDUCE) return false;
    return ndp_object_is_global(dropped->call->callable, "builtins", "setattr") ||
           ndp_object_is_global(dropped->call->callable, "builtins", "dict.update");
}

static enum ndp_status op_pop(struct ndp_machine *m) {
    if (m->stack.count == m->floor && m->mark_count > 0) {
        drop_mark(m);
        return NDP_OK;
    }
    NDP_TRY(need(m, 1));
    struct ndp_object *dropped = pop(m);
    if (m->stack.count <= m->floor) return NDP_OK;
    if (changes_another(dropped))
        return ndp_machine_fail(m, NDP_UNSUPPORTED, "setattr or dict.update of another object");
    note_setter(dropped, top(m));
    return NDP_OK;
}

static enum ndp_status op_pop_mark(struct ndp_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    return pop_mark(m, &items, &count);
}

static enum ndp_status op_dup(struct ndp_machine *m) {
    NDP_TRY(need(m, 1));
    return ndp_machine_push(m, top(m));
}

static enum ndp_status op_none(struct ndp_machine *m) {
    return ndp_machine_push(m, ndp_object_none(m->objects));
}

static enum ndp_status op_newtrue(struct ndp_machine *m) {
    return ndp_machine_push(m, ndp_object_bool(m->objects, true));
}

static enum ndp_status op_newfalse(struct ndp_machine *m) {
    return ndp_machine_push(m, ndp_object_bool(m->objects, false));
}

static enum ndp_status count_elements(struct ndp_machine *m, uint64_t count) {
    m->elements += count;
    return m->elements <= m->options.elements_max ? NDP_OK : ndp_machine_fail(m, NDP_LIMIT, "too many elements");
}

static enum ndp_status add_all(struct ndp_machine *m, struct ndp_object_list *list, struct ndp_object **items,
                               uint64_t count) {
    NDP_TRY(count_elements(m, count));
    for (uint64_t i = 0; i < count; i++) {
        if (!ndp_object_append(m->objects, list, items[i]))
            return ndp_machine_fail(m, NDP_NOMEM, "no memory for an item");
    }
    m->result.operations += count;
    return NDP_OK;
}

static enum ndp_status push_tuple(struct ndp_machine *m, struct ndp_object **items, uint64_t count) {
    NDP_TRY(count_elements(m, count));
    m->result.operations += count;
    return ndp_machine_push(m, ndp_object_tuple(m->objects, count, items));
}

static enum ndp_status push_last(struct ndp_machine *m, uint64_t count) {
    NDP_TRY(need(m, count));
    m->stack.count -= count;
    return push_tuple(m, m->stack.items + m->stack.count, count);
}

static enum ndp_status op_empty_tuple(struct ndp_machine *m) {
    return push_tuple(m, NULL, 0);
}

static enum ndp_status op_tuple1(struct ndp_machine *m) {
    return push_last(m, 1);
}

static enum ndp_status op_tuple2(struct ndp_machine *m) {
    return push_last(m, 2);
}

static enum ndp_status op_tuple3(struct ndp_machine *m) {
    return push_last(m, 3);
}

static enum ndp_status op_tuple(struct ndp_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    return push_tuple(m, items, count);
}

/* The container gets memory of its own before the push reuses that of the items. */
static enum ndp_status push_marked(struct ndp_machine *m, enum ndp_object_kind kind) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    struct ndp_object *object = ndp_object_new(m->objects, kind);
    if (object == NULL) return ndp_machine_fail(m, NDP_NOMEM, "no memory for a container");
    NDP_TRY(pop_mark(m, &items, &count));
    NDP_TRY(add_all(m, &object->list, items, count));
    return ndp_machine_push(m, object);
}

static bool is_hashable(const struct ndp_object *key) {
    return key->kind != NDP_OBJECT_LIST && key->kind != NDP_OBJECT_DICT && key->kind != NDP_OBJECT_SET &&
           key->kind != NDP_OBJECT_BYTEARRAY;
}

enum ndp_status ndp_machine_check_keys(struct ndp_machine *m, struct ndp_object *const *items, uint64_t count,
                                       uint64_t step) {
    if (count % step != 0) return ndp_machine_fail(m, NDP_INVALID, "a key without a value");
    for (uint64_t i = 0; i < count; i += step) {
        if (!is_hashable(items[i])) return ndp_machine_fail(m, NDP_INVALID, "a key that has no hash");
    }
    return NDP_OK;
}

static enum ndp_status op_list(struct ndp_machine *m) {
    return push_marked(m, NDP_OBJECT_LIST);
}

static enum ndp_status op_dict(struct ndp_machine *m) {
    if (m->mark_count > 0) NDP_TRY(ndp_machine_check_keys(m, m->stack.items + m->floor, m->stack.count - m->floor, 2));
    return push_marked(m, NDP_OBJECT_DICT);
}

static enum ndp_status op_frozenset(struct ndp_machine *m) {
    if (m->mark_count > 0) NDP_TRY(ndp_machine_check_keys(m, m->stack.items + m->floor, m->stack.count - m->floor, 1));
    return push_marked(m, NDP_OBJECT_FROZENSET);
}

static enum ndp_status op_empty_list(struct ndp_machine *m) {
    return ndp_machine_push(m, ndp_object_new(m->objects, NDP_OBJECT_LIST));
}

static enum ndp_status op_empty_dict(struct ndp_machine *m) {
    return ndp_machine_push(m, ndp_object_new(m->objects, NDP_OBJECT_DICT));
}

static enum ndp_status op_empty_set(struct ndp_machine *m) {
    return ndp_machine_push(m, ndp_object_new(m->objects, NDP_OBJECT_SET));
}

static enum ndp_status append_to_top(struct ndp_machine *m, struct ndp_object **items, uint64_t count) {
    struct ndp_object *target = top(m);
    if (target->kind == NDP_OBJECT_LIST) return add_all(m, &target->list, items, count);
    if (target->kind == NDP_OBJECT_CALL) return add_all(m, &target->call->items, items, count);
    return ndp_machine_fail(m, NDP_INVALID, "appending to what is no list");
}

static enum ndp_status op_append(struct ndp_machine *m) {
    NDP_TRY(need(m, 2));
    m->stack.count--;
    return append_to_top(m, m->stack.items + m->stack.count, 1);
}

static enum ndp_status op_appends(struct ndp_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    NDP_TRY(need(m, 1));
    return append_to_top(m, items, count);
}

static enum ndp_status set_in_top(struct ndp_machine *m, struct ndp_object **items, uint64_t count) {
    struct ndp_object *target = top(m);
    NDP_TRY(ndp_machine_check_keys(m, items, count, 2));
    if (target->kind == NDP_OBJECT_DICT) return add_all(m, &target->list, items, count);
    if (target->kind == NDP_OBJECT_CALL) return add_all(m, &target->call->pairs, items, count);
    return ndp_machine_fail(m, NDP_INVALID, "setting a key of what is no dict");
}

static enum ndp_status op_setitem(struct ndp_machine *m) {
    NDP_TRY(need(m, 3));
    m->stack.count -= 2;
    return set_in_top(m, m->stack.items + m->stack.count, 2);
}

static enum ndp_status op_setitems(struct ndp_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    NDP_TRY(need(m, 1));
    return set_in_top(m, items, count);
}

static enum ndp_status op_additems(struct ndp_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    NDP_TRY(need(m, 1));
    if (top(m)->kind != NDP_OBJECT_SET) return ndp_machine_fail(m, NDP_INVALID, "adding to what is no set");
    NDP_TRY(ndp_machine_check_keys(m, items, count, 1));
    return add_all(m, &top(m)->list, items, count);
}

static enum ndp_status put(struct ndp_machine *m, uint64_t index) {
    NDP_TRY(need(m, 1));
    if (index > UINT32_MAX) return ndp_machine_fail(m, NDP_LIMIT, "an index of the memo over 2^32 - 1");
    if (!ndp_memo_put(&m->memo, m->objects->arena, (uint32_t)index, top(m)))
        return ndp_machine_fail(m, NDP_NOMEM, "no memory for the memo");
    if (m->memo.entries > m->options.memo_entries_max) return ndp_machine_fail(m, NDP_LIMIT, "the memo is full");
    return NDP_OK;
}

static enum ndp_status get(struct ndp_machine *m, uint64_t index) {
    struct ndp_object *object = index > UINT32_MAX ? NULL : ndp_memo_get(&m->memo, (uint32_t)index);
    if (object == NULL) return ndp_machine_fail(m, NDP_INVALID, "nothing at that index of the memo");
    return ndp_machine_push(m, object);
}

static enum ndp_status line_index(struct ndp_machine *m, uint64_t *index) {
    struct ndp_bytes line;
    NDP_TRY(ndp_machine_line(m, &line));
    const enum ndp_status status = ndp_index_read(line, index);
    return status == NDP_OK ? NDP_OK : ndp_machine_fail(m, status, "not an index of the memo in decimal");
}

static enum ndp_status op_put(struct ndp_machine *m) {
    uint64_t index = 0;
    NDP_TRY(line_index(m, &index));
    return put(m, index);
}

static enum ndp_status op_get(struct ndp_machine *m) {
    uint64_t index = 0;
    NDP_TRY(line_index(m, &index));
    return get(m, index);
}

static enum ndp_status op_binput(struct ndp_machine *m) {
    uint64_t index = 0;
    if (!ndp_machine_number(m, 1, &index)) return m->failed;
    return put(m, index);
}

static enum ndp_status op_long_binput(struct ndp_machine *m) {
    uint64_t index = 0;
    if (!ndp_machine_number(m, 4, &index)) return m->failed;
    return put(m, index);
}

static enum ndp_status op_binget(struct ndp_machine *m) {
    uint64_t index = 0;
    if (!ndp_machine_number(m, 1, &index)) return m->failed;
    return get(m, index);
}

static enum ndp_status op_long_binget(struct ndp_machine *m) {
    uint64_t index = 0;
    if (!ndp_machine_number(m, 4, &index)) return m->failed;
    return get(m, index);
}

static enum ndp_status op_memoize(struct ndp_machine *m) {
    return put(m, m->memo.entries);
}

static enum ndp_status op_proto(struct ndp_machine *m) {
    uint64_t protocol = 0;
    if (!ndp_machine_number(m, 1, &protocol)) return m->failed;
    if (protocol > NDP_PICKLE_PROTOCOL_MAX) return ndp_machine_fail(m, NDP_UNSUPPORTED, "a protocol over 5");
    m->result.protocol = (uint32_t)protocol;
    return NDP_OK;
}

static enum ndp_status op_frame(struct ndp_machine *m) {
    uint64_t size = 0;
    uint64_t end = 0;
    if (!ndp_machine_number(m, 8, &size)) return m->failed;
    if (m->frame_end_bytes > ndp_source_offset(m->source))
        return ndp_machine_fail(m, NDP_INVALID, "a frame inside a frame");
    if (!ndp_add_u64_fits(ndp_source_offset(m->source), size, &end))
        return ndp_machine_fail(m, NDP_TRUNCATED, "a frame of nearly 2^64 bytes");
    m->frame_end_bytes = end;
    return NDP_OK;
}

static enum ndp_status op_persid(struct ndp_machine *m) {
    struct ndp_bytes id;
    char shown[ID_BYTES];
    NDP_TRY(ndp_machine_line(m, &id));
    ndp_text_show(id, shown, sizeof shown);
    return ndp_error_set(m->error, NDP_UNSUPPORTED, m->at_bytes, "persistent id '%s'", shown);
}

static enum ndp_status op_binpersid(struct ndp_machine *m) {
    NDP_TRY(need(m, 1));
    return ndp_error_set(m->error, NDP_UNSUPPORTED, m->at_bytes, "persistent id of type %s",
                         ndp_object_word(top(m)->kind));
}

static enum ndp_status extension(struct ndp_machine *m, uint32_t size_bytes) {
    uint64_t code = 0;
    if (!ndp_machine_number(m, size_bytes, &code)) return m->failed;
    return ndp_error_set(m->error, NDP_UNSUPPORTED, m->at_bytes, "extension code %llu", (unsigned long long)code);
}

static enum ndp_status op_ext1(struct ndp_machine *m) {
    return extension(m, 1);
}

static enum ndp_status op_ext2(struct ndp_machine *m) {
    return extension(m, 2);
}

static enum ndp_status op_ext4(struct ndp_machine *m) {
    return extension(m, 4);
}

/* Nothing that can be imported has a part without a name. */
static enum ndp_status check_name(struct ndp_machine *m, const struct ndp_object *module,
                                  const struct ndp_object *name) {
    uint8_t last = '.';
    bool is_whole = module->bytes.size_bytes > 0;
    for (uint64_t i = 0; i < name->bytes.size_bytes; i++) {
        const uint8_t byte = name->bytes.data[i];
        if (byte == '.' && last == '.') is_whole = false;
        last = byte;
    }
    if (is_whole && last != '.') return NDP_OK;
    return ndp_machine_fail(m, NDP_INVALID, "a global without a module, a name or a part of a name");
}

static enum ndp_status op_global(struct ndp_machine *m) {
    struct ndp_object *module = NULL;
    struct ndp_object *name = NULL;
    struct ndp_object *global = NULL;
    NDP_TRY(ndp_machine_name(m, &module));
    NDP_TRY(ndp_machine_name(m, &name));
    NDP_TRY(check_name(m, module, name));
    NDP_TRY(ndp_machine_global(m, module, name, &global));
    return ndp_machine_push(m, global);
}

/* A text of Python 2 is a name, too. */
static enum ndp_status take_name(struct ndp_machine *m, struct ndp_object **name) {
    struct ndp_bytes text;
    if ((*name)->kind != NDP_OBJECT_STRING) return NDP_OK;
    if (ndp_object_read_text(m->objects->arena, *name, &text) != NDP_OK)
        return ndp_machine_fail(m, NDP_NOMEM, "no memory for a name");
    m->result.operations += text.size_bytes;
    *name = ndp_object_bytes(m->objects, NDP_OBJECT_TEXT, text);
    return *name != NULL ? NDP_OK : ndp_machine_fail(m, NDP_NOMEM, "no memory for a name");
}

static enum ndp_status op_stack_global(struct ndp_machine *m) {
    struct ndp_object *global = NULL;
    NDP_TRY(need(m, 2));
    struct ndp_object *name = pop(m);
    struct ndp_object *module = pop(m);
    NDP_TRY(take_name(m, &name));
    NDP_TRY(take_name(m, &module));
    if (name->kind != NDP_OBJECT_TEXT || module->kind != NDP_OBJECT_TEXT)
        return ndp_machine_fail(m, NDP_INVALID, "a global whose module and name are not both text");
    NDP_TRY(check_name(m, module, name));
    NDP_TRY(ndp_machine_global(m, module, name, &global));
    return ndp_machine_push(m, global);
}

static enum ndp_status check_callable(struct ndp_machine *m, const struct ndp_object *callable,
                                      const struct ndp_object *args) {
    if (callable->kind != NDP_OBJECT_GLOBAL && callable->kind != NDP_OBJECT_CALL)
        return ndp_machine_fail(m, NDP_INVALID, "calling what is neither a global nor the result of a call");
    return args->kind == NDP_OBJECT_TUPLE ? NDP_OK : ndp_machine_fail(m, NDP_INVALID, "arguments that are no tuple");
}

static enum ndp_status op_reduce(struct ndp_machine *m) {
    struct ndp_object *object = NULL;
    NDP_TRY(need(m, 2));
    struct ndp_object *args = pop(m);
    struct ndp_object *callable = pop(m);
    NDP_TRY(check_callable(m, callable, args));
    NDP_TRY(ndp_machine_call(m, callable, args, &object));
    return ndp_machine_push(m, object);
}

static enum ndp_status op_newobj(struct ndp_machine *m) {
    NDP_TRY(need(m, 2));
    struct ndp_object *args = pop(m);
    struct ndp_object *callable = pop(m);
    NDP_TRY(check_callable(m, callable, args));
    return ndp_machine_push(m, ndp_object_call(m->objects, NDP_CALL_NEWOBJ, callable, args));
}

static enum ndp_status op_newobj_ex(struct ndp_machine *m) {
    NDP_TRY(need(m, 3));
    struct ndp_object *kwargs = pop(m);
    struct ndp_object *args = pop(m);
    struct ndp_object *callable = pop(m);
    NDP_TRY(check_callable(m, callable, args));
    if (kwargs->kind != NDP_OBJECT_DICT) return ndp_machine_fail(m, NDP_INVALID, "keyword arguments that are no dict");
    /* CPython 3.4 has the opcode for everything; without keywords it is what NEWOBJ is. */
    const enum ndp_call_how how = kwargs->list.count == 0 ? NDP_CALL_NEWOBJ : NDP_CALL_NEWOBJ_EX;
    struct ndp_object *object = ndp_object_call(m->objects, how, callable, args);
    if (object != NULL && how == NDP_CALL_NEWOBJ_EX) object->call->kwargs = kwargs;
    return ndp_machine_push(m, object);
}

static enum ndp_status push_instance(struct ndp_machine *m, struct ndp_object *callable, struct ndp_object **items,
                                     uint64_t count) {
    struct ndp_object *args = ndp_object_tuple(m->objects, count, items);
    if (args == NULL) return ndp_machine_fail(m, NDP_NOMEM, "no memory for arguments");
    NDP_TRY(check_callable(m, callable, args));
    NDP_TRY(count_elements(m, count));
    return ndp_machine_push(m, ndp_object_call(m->objects, NDP_CALL_INSTANCE, callable, args));
}

static enum ndp_status op_inst(struct ndp_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(op_global(m));
    struct ndp_object *callable = pop(m);
    NDP_TRY(pop_mark(m, &items, &count));
    return push_instance(m, callable, items, count);
}

static enum ndp_status op_obj(struct ndp_machine *m) {
    struct ndp_object **items = NULL;
    uint64_t count = 0;
    NDP_TRY(pop_mark(m, &items, &count));
    if (count == 0) return ndp_machine_fail(m, NDP_INVALID, "no class above the mark");
    return push_instance(m, items[0], items + 1, count - 1);
}

static enum ndp_status run_hook(struct ndp_machine *m) {
    const uint64_t before = ndp_source_offset(m->source);
    struct ndp_object *object = top(m);
    NDP_TRY(m->options.after_build(m->options.context, m->objects, m->source, &object, m->error));
    const uint64_t after = ndp_source_offset(m->source);
    if (after > before && m->frame_end_bytes > before)
        return ndp_machine_fail(m, NDP_INVALID, "raw bytes inside a frame");
    m->stack.items[m->stack.count - 1] = object;
    m->result.operations += after - before;
    return NDP_OK;
}

static enum ndp_status op_build(struct ndp_machine *m) {
    NDP_TRY(need(m, 2));
    struct ndp_object *state = pop(m);
    struct ndp_object *object = top(m);
    if (object->kind != NDP_OBJECT_CALL)
        return ndp_error_set(m->error, NDP_INVALID, m->at_bytes, "state for a %s", ndp_object_word(object->kind));
    if (object->call->state != NULL) return ndp_machine_fail(m, NDP_UNSUPPORTED, "a second state for one object");
    object->call->state = state;
    return m->options.after_build == NULL ? NDP_OK : run_hook(m);
}

static enum ndp_status op_next_buffer(struct ndp_machine *m) {
    if (m->result.buffer_count >= m->options.buffer_count)
        return ndp_machine_fail(m, NDP_INVALID, "more out-of-band buffers asked for than there are");
    struct ndp_object *object = ndp_object_new(m->objects, NDP_OBJECT_BUFFER);
    if (object != NULL) object->index = m->result.buffer_count++;
    return ndp_machine_push(m, object);
}

/* The buffer and its read-only form are two objects, of which the memo may know either. */
static enum ndp_status op_readonly_buffer(struct ndp_machine *m) {
    NDP_TRY(need(m, 1));
    const struct ndp_object *buffer = pop(m);
    if (buffer->kind != NDP_OBJECT_BUFFER) return ndp_machine_fail(m, NDP_INVALID, "read-only is for buffers");
    struct ndp_object *object = ndp_object_new(m->objects, NDP_OBJECT_BUFFER);
    if (object != NULL) {
        object->index = buffer->index;
        object->is_readonly = true;
    }
    return ndp_machine_push(m, object);
}

static ndp_opcode_handler *const handlers[256] = {
    [NDP_OP_MARK] = op_mark,
    [NDP_OP_STOP] = op_stop,
    [NDP_OP_POP] = op_pop,
    [NDP_OP_DUP] = op_dup,
    [NDP_OP_FLOAT] = ndp_op_float,
    [NDP_OP_INT] = ndp_op_int,
    [NDP_OP_LONG] = ndp_op_long,
    [NDP_OP_NONE] = op_none,
    [NDP_OP_PERSID] = op_persid,
    [NDP_OP_REDUCE] = op_reduce,
    [NDP_OP_STRING] = ndp_op_string,
    [NDP_OP_UNICODE] = ndp_op_unicode,
    [NDP_OP_APPEND] = op_append,
    [NDP_OP_BUILD] = op_build,
    [NDP_OP_GLOBAL] = op_global,
    [NDP_OP_DICT] = op_dict,
    [NDP_OP_GET] = op_get,
    [NDP_OP_INST] = op_inst,
    [NDP_OP_LIST] = op_list,
    [NDP_OP_PUT] = op_put,
    [NDP_OP_SETITEM] = op_setitem,
    [NDP_OP_TUPLE] = op_tuple,
    [NDP_OP_EMPTY_TUPLE] = op_empty_tuple,
    [NDP_OP_POP_MARK] = op_pop_mark,
    [NDP_OP_BINFLOAT] = ndp_op_binfloat,
    [NDP_OP_BININT] = ndp_op_binint,
    [NDP_OP_BININT1] = ndp_op_binint1,
    [NDP_OP_BININT2] = ndp_op_binint2,
    [NDP_OP_BINPERSID] = op_binpersid,
    [NDP_OP_BINSTRING] = ndp_op_binstring,
    [NDP_OP_SHORT_BINSTRING] = ndp_op_short_binstring,
    [NDP_OP_BINUNICODE] = ndp_op_binunicode,
    [NDP_OP_EMPTY_LIST] = op_empty_list,
    [NDP_OP_APPENDS] = op_appends,
    [NDP_OP_BINGET] = op_binget,
    [NDP_OP_LONG_BINGET] = op_long_binget,
    [NDP_OP_OBJ] = op_obj,
    [NDP_OP_BINPUT] = op_binput,
    [NDP_OP_LONG_BINPUT] = op_long_binput,
    [NDP_OP_SETITEMS] = op_setitems,
    [NDP_OP_EMPTY_DICT] = op_empty_dict,
    [NDP_OP_PROTO] = op_proto,
    [NDP_OP_NEWOBJ] = op_newobj,
    [NDP_OP_EXT1] = op_ext1,
    [NDP_OP_EXT2] = op_ext2,
    [NDP_OP_EXT4] = op_ext4,
    [NDP_OP_TUPLE1] = op_tuple1,
    [NDP_OP_TUPLE2] = op_tuple2,
    [NDP_OP_TUPLE3] = op_tuple3,
    [NDP_OP_NEWTRUE] = op_newtrue,
    [NDP_OP_NEWFALSE] = op_newfalse,
    [NDP_OP_LONG1] = ndp_op_long1,
    [NDP_OP_LONG4] = ndp_op_long4,
    [NDP_OP_BINBYTES] = ndp_op_binbytes,
    [NDP_OP_SHORT_BINBYTES] = ndp_op_short_binbytes,
    [NDP_OP_SHORT_BINUNICODE] = ndp_op_short_binunicode,
    [NDP_OP_BINUNICODE8] = ndp_op_binunicode8,
    [NDP_OP_BINBYTES8] = ndp_op_binbytes8,
    [NDP_OP_EMPTY_SET] = op_empty_set,
    [NDP_OP_ADDITEMS] = op_additems,
    [NDP_OP_FROZENSET] = op_frozenset,
    [NDP_OP_NEWOBJ_EX] = op_newobj_ex,
    [NDP_OP_STACK_GLOBAL] = op_stack_global,
    [NDP_OP_MEMOIZE] = op_memoize,
    [NDP_OP_FRAME] = op_frame,
    [NDP_OP_BYTEARRAY8] = ndp_op_bytearray8,
    [NDP_OP_NEXT_BUFFER] = op_next_buffer,
    [NDP_OP_READONLY_BUFFER] = op_readonly_buffer,
};

static enum ndp_status step(struct ndp_machine *m) {
    m->at_bytes = ndp_source_offset(m->source);
    if (m->at_bytes >= m->frame_end_bytes) m->frame_end_bytes = 0;
    const uint8_t *opcode = ndp_machine_take(m, 1);
    if (opcode == NULL) return m->failed;
    if (++m->result.opcodes > m->options.opcodes_max) return ndp_machine_fail(m, NDP_LIMIT, "too many opcodes");
    ndp_opcode_handler *handler = handlers[*opcode];
    if (handler != NULL) return handler(m);
    return ndp_error_set(m->error, NDP_INVALID, m->at_bytes, "no opcode is 0x%02x", *opcode);
}

enum ndp_status ndp_pickle_read(struct ndp_objects *objects, struct ndp_source *source,
                                const struct ndp_pickle_options *options, struct ndp_pickle *out,
                                struct ndp_error *error) {
    struct ndp_machine m = {.objects = objects, .source = source, .error = error};
    const uint64_t start = ndp_source_offset(source);
    if (options != NULL) m.options = *options;
    if (m.options.opcodes_max == 0) m.options.opcodes_max = UINT64_C(1) << 32;
    if (m.options.memo_entries_max == 0) m.options.memo_entries_max = UINT64_C(1) << 26;
    if (m.options.elements_max == 0) m.options.elements_max = UINT64_C(1) << 28;
    m.stack = (struct ndp_object_list){m.first_stack, 0, NDP_FIRST_STACK};
    while (!m.is_stopped) NDP_TRY(step(&m));
    m.result.consumed_bytes = ndp_source_offset(source) - start;
    *out = m.result;
    return NDP_OK;
}
