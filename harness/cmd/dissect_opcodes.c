/* dissect_opcodes.c: the opcodes of a pickle.
 *
 * Problem: show a pickle up to the place where it breaks, and name the globals that it imports, also when opcodes
 * assemble the names. Method: a table gives the argument of each opcode and its effect on the stack; the stack and the
 * memo contain the texts and placeholders for everything else. Nothing is checked beyond what the next opcode needs.
 * Cost: linear in the pickle. Limits: MAX_OPCODES. References: Lib/pickletools.py of CPython 3.13.
 */
#include "cmd/dissect_opcodes.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "cmd/dissect_text.h"
#include "codec/pickle/pickle_opcodes.h"

enum { MAX_OPCODES = 500000, MAX_TEXT_SHOWN = 48, TO_MARK = 255 };

/* The form of an argument: a little-endian number, a line, or bytes after a little-endian length. */
enum form { NOTHING, UNSIGNED, SIGNED, REAL, LINE, LINES, BYTES, TEXT, LONG };

/* The effect on the stack beyond `pops` and one push. */
enum push { PUSH_NOTHING, PUSH_OTHER, PUSH_TEXT, PUSH_MARK, PUSH_COPY, PUSH_MEMO, PUSH_GLOBAL, TO_MEMO };

struct opcode {
    const char *name;
    enum form form;
    uint8_t size_bytes; /* of the number or the length */
    uint8_t pops;       /* values; TO_MARK: everything down to the topmost mark */
    enum push push;
};

#define ROW(name, form, size, pops, push) [NDP_OP_##name] = {#name, form, size, pops, push}
static const struct opcode opcodes[256] = NDP_ROWS(
    ROW(MARK, NOTHING, 0, 0, PUSH_MARK), ROW(STOP, NOTHING, 0, 1, PUSH_NOTHING), ROW(POP, NOTHING, 0, 1, PUSH_NOTHING),
    ROW(DUP, NOTHING, 0, 0, PUSH_COPY), ROW(FLOAT, LINE, 0, 0, PUSH_OTHER), ROW(INT, LINE, 0, 0, PUSH_OTHER),
    ROW(LONG, LINE, 0, 0, PUSH_OTHER), ROW(NONE, NOTHING, 0, 0, PUSH_OTHER), ROW(PERSID, LINE, 0, 0, PUSH_OTHER),
    ROW(REDUCE, NOTHING, 0, 2, PUSH_OTHER), ROW(STRING, LINE, 0, 0, PUSH_TEXT), ROW(UNICODE, LINE, 0, 0, PUSH_TEXT),
    ROW(APPEND, NOTHING, 0, 1, PUSH_NOTHING), ROW(BUILD, NOTHING, 0, 1, PUSH_NOTHING),
    ROW(GLOBAL, LINES, 0, 0, PUSH_GLOBAL), ROW(DICT, NOTHING, 0, TO_MARK, PUSH_OTHER), ROW(GET, LINE, 0, 0, PUSH_MEMO),
    ROW(INST, LINES, 0, TO_MARK, PUSH_GLOBAL), ROW(LIST, NOTHING, 0, TO_MARK, PUSH_OTHER),
    ROW(PUT, LINE, 0, 0, TO_MEMO), ROW(SETITEM, NOTHING, 0, 2, PUSH_NOTHING),
    ROW(TUPLE, NOTHING, 0, TO_MARK, PUSH_OTHER), ROW(EMPTY_TUPLE, NOTHING, 0, 0, PUSH_OTHER),
    ROW(POP_MARK, NOTHING, 0, TO_MARK, PUSH_NOTHING), ROW(BINFLOAT, REAL, 8, 0, PUSH_OTHER),
    ROW(BININT, SIGNED, 4, 0, PUSH_OTHER), ROW(BININT1, UNSIGNED, 1, 0, PUSH_OTHER),
    ROW(BININT2, UNSIGNED, 2, 0, PUSH_OTHER), ROW(BINPERSID, NOTHING, 0, 1, PUSH_OTHER),
    ROW(BINSTRING, TEXT, 4, 0, PUSH_TEXT), ROW(SHORT_BINSTRING, TEXT, 1, 0, PUSH_TEXT),
    ROW(BINUNICODE, TEXT, 4, 0, PUSH_TEXT), ROW(EMPTY_LIST, NOTHING, 0, 0, PUSH_OTHER),
    ROW(APPENDS, NOTHING, 0, TO_MARK, PUSH_NOTHING), ROW(BINGET, UNSIGNED, 1, 0, PUSH_MEMO),
    ROW(LONG_BINGET, UNSIGNED, 4, 0, PUSH_MEMO), ROW(OBJ, NOTHING, 0, TO_MARK, PUSH_OTHER),
    ROW(BINPUT, UNSIGNED, 1, 0, TO_MEMO), ROW(LONG_BINPUT, UNSIGNED, 4, 0, TO_MEMO),
    ROW(SETITEMS, NOTHING, 0, TO_MARK, PUSH_NOTHING), ROW(EMPTY_DICT, NOTHING, 0, 0, PUSH_OTHER),
    ROW(PROTO, UNSIGNED, 1, 0, PUSH_NOTHING), ROW(NEWOBJ, NOTHING, 0, 2, PUSH_OTHER),
    ROW(EXT1, UNSIGNED, 1, 0, PUSH_OTHER), ROW(EXT2, UNSIGNED, 2, 0, PUSH_OTHER), ROW(EXT4, SIGNED, 4, 0, PUSH_OTHER),
    ROW(TUPLE1, NOTHING, 0, 1, PUSH_OTHER), ROW(TUPLE2, NOTHING, 0, 2, PUSH_OTHER),
    ROW(TUPLE3, NOTHING, 0, 3, PUSH_OTHER), ROW(NEWTRUE, NOTHING, 0, 0, PUSH_OTHER),
    ROW(NEWFALSE, NOTHING, 0, 0, PUSH_OTHER), ROW(LONG1, LONG, 1, 0, PUSH_OTHER), ROW(LONG4, LONG, 4, 0, PUSH_OTHER),
    ROW(BINBYTES, BYTES, 4, 0, PUSH_OTHER), ROW(SHORT_BINBYTES, BYTES, 1, 0, PUSH_OTHER),
    ROW(SHORT_BINUNICODE, TEXT, 1, 0, PUSH_TEXT), ROW(BINUNICODE8, TEXT, 8, 0, PUSH_TEXT),
    ROW(BINBYTES8, BYTES, 8, 0, PUSH_OTHER), ROW(EMPTY_SET, NOTHING, 0, 0, PUSH_OTHER),
    ROW(ADDITEMS, NOTHING, 0, TO_MARK, PUSH_NOTHING), ROW(FROZENSET, NOTHING, 0, TO_MARK, PUSH_OTHER),
    ROW(NEWOBJ_EX, NOTHING, 0, 3, PUSH_OTHER), ROW(STACK_GLOBAL, NOTHING, 0, 2, PUSH_GLOBAL),
    ROW(MEMOIZE, NOTHING, 0, 0, TO_MEMO), ROW(FRAME, UNSIGNED, 8, 0, PUSH_NOTHING),
    ROW(BYTEARRAY8, BYTES, 8, 0, PUSH_OTHER), ROW(NEXT_BUFFER, NOTHING, 0, 0, PUSH_OTHER),
    ROW(READONLY_BUFFER, NOTHING, 0, 1, PUSH_OTHER));
#undef ROW

/* The argument of an opcode, as read. */
struct argument {
    uint64_t number;
    struct ndp_bytes text;   /* LINE, BYTES, TEXT, LONG; the first of LINES; also the eight bytes of REAL */
    struct ndp_bytes second; /* LINES */
};

/* ---- reading ---- */

static enum ndp_status take_number(struct ndp_cursor *cursor, uint8_t size_bytes, uint64_t *out) {
    struct ndp_bytes bytes;
    uint64_t value = 0;
    NDP_TRY(ndp_cursor_take(cursor, size_bytes, &bytes));
    for (uint8_t i = size_bytes; i > 0; i--) value = value << 8 | bytes.data[i - 1];
    *out = value;
    return NDP_OK;
}

static enum ndp_status take_line(struct ndp_cursor *cursor, struct ndp_bytes *out) {
    const uint8_t *start = cursor->data + cursor->at_bytes;
    const uint64_t left = ndp_cursor_left(cursor);
    const uint8_t *end = left > 0 ? memchr(start, '\n', (size_t)left) : NULL;
    if (end == NULL) return NDP_TRUNCATED;
    *out = (struct ndp_bytes){start, (uint64_t)(end - start)};
    cursor->at_bytes += out->size_bytes + 1;
    return NDP_OK;
}

static enum ndp_status take_argument(struct ndp_cursor *cursor, const struct opcode *opcode, struct argument *out) {
    switch (opcode->form) {
    case NOTHING:
        return NDP_OK;
    case UNSIGNED:
    case SIGNED:
        return take_number(cursor, opcode->size_bytes, &out->number);
    case REAL:
        return ndp_cursor_take(cursor, opcode->size_bytes, &out->text);
    case LINE:
        return take_line(cursor, &out->text);
    case LINES:
        NDP_TRY(take_line(cursor, &out->text));
        return take_line(cursor, &out->second);
    case BYTES:
    case TEXT:
    case LONG:
        NDP_TRY(take_number(cursor, opcode->size_bytes, &out->number));
        return ndp_cursor_take(cursor, out->number, &out->text);
    }
    return NDP_FAULT;
}

/* Fills the index of a line of decimal digits; an index that the memo cannot have otherwise. */
static uint64_t index_of(const struct opcode *opcode, const struct argument *argument) {
    uint64_t index = 0;
    if (opcode->form != LINE) return argument->number;
    if (argument->text.size_bytes == 0 || argument->text.size_bytes > 10) return UINT64_MAX;
    for (uint64_t i = 0; i < argument->text.size_bytes; i++) {
        if (!ndp_bytes_is_digit(argument->text.data[i])) return UINT64_MAX;
        index = index * 10 + argument->text.data[i] - '0';
    }
    return index;
}

/* ---- the stack ---- */

static struct ndp_object *top_of(const struct ndp_opcode_list *list) {
    return list->stack.count > 0 ? list->stack.items[list->stack.count - 1] : NULL;
}

static void pop(struct ndp_opcode_list *list, uint8_t pops) {
    struct ndp_object_list *stack = &list->stack;
    if (pops == TO_MARK) {
        while (stack->count > 0 && stack->items[--stack->count] != NULL) continue;
    } else {
        stack->count -= pops < stack->count ? pops : stack->count;
    }
}

/* STRING is a literal in quotes. */
static struct ndp_bytes text_of(const struct argument *argument, bool is_quoted) {
    struct ndp_bytes text = argument->text;
    if (is_quoted && text.size_bytes >= 2) text = (struct ndp_bytes){text.data + 1, text.size_bytes - 2};
    return text;
}

static enum ndp_status push_object(struct ndp_opcode_list *list, struct ndp_object *object) {
    return ndp_object_append(list->objects, &list->stack, object) ? NDP_OK : NDP_NOMEM;
}

static enum ndp_status push_text(struct ndp_opcode_list *list, struct ndp_bytes text) {
    struct ndp_object *object = ndp_object_bytes(list->objects, NDP_OBJECT_TEXT, text);
    return object == NULL ? NDP_NOMEM : push_object(list, object);
}

static enum ndp_status push_other(struct ndp_opcode_list *list) {
    struct ndp_object *none = ndp_object_none(list->objects);
    return none == NULL ? NDP_NOMEM : push_object(list, none);
}

/* Records a global. Its module and name are the two lines of the argument, or the two values on the stack. */
static struct ndp_opcode_global find_global(const struct ndp_opcode_list *list, const struct opcode *opcode,
                                            const struct argument *argument, uint64_t at_bytes) {
    struct ndp_opcode_global global = {.offset_bytes = at_bytes};
    const struct ndp_object_list *stack = &list->stack;
    if (opcode->form == LINES) {
        global.module = argument->text;
        global.name = argument->second;
    } else if (stack->count >= 2 && ndp_object_is(stack->items[stack->count - 1], NDP_OBJECT_TEXT) &&
               ndp_object_is(stack->items[stack->count - 2], NDP_OBJECT_TEXT)) {
        global.module = stack->items[stack->count - 2]->bytes;
        global.name = stack->items[stack->count - 1]->bytes;
    }
    return global;
}

static void add_global(struct ndp_opcode_list *list, const struct ndp_opcode_global *global) {
    for (uint64_t i = 0; i < list->global_count && i < NDP_OPCODE_GLOBALS; i++)
        if (ndp_bytes_is_equal(list->globals[i].module, global->module) &&
            ndp_bytes_is_equal(list->globals[i].name, global->name))
            return;
    if (list->global_count < NDP_OPCODE_GLOBALS) list->globals[list->global_count] = *global;
    list->global_count++;
}

static enum ndp_status apply_push(struct ndp_opcode_list *list, const struct opcode *opcode,
                                  const struct argument *argument, uint64_t index) {
    struct ndp_object *object = NULL;
    switch (opcode->push) {
    case PUSH_NOTHING:
        return NDP_OK;
    case PUSH_TEXT:
        return push_text(list, text_of(argument, opcode == &opcodes[NDP_OP_STRING]));
    case PUSH_MARK:
        return push_object(list, NULL);
    case PUSH_COPY:
        object = top_of(list);
        break;
    case PUSH_MEMO:
        object = index <= UINT32_MAX ? ndp_pickle_memo_get(&list->memo, (uint32_t)index) : NULL;
        break;
    case TO_MEMO:
        if (index > UINT32_MAX || top_of(list) == NULL) return NDP_OK;
        return ndp_pickle_memo_put(&list->memo, list->objects->arena, (uint32_t)index, top_of(list)) ? NDP_OK
                                                                                                     : NDP_NOMEM;
    case PUSH_OTHER:
    case PUSH_GLOBAL:
        break;
    }
    return object == NULL ? push_other(list) : push_object(list, object);
}

/* ---- printing ---- */

/* Prints an integer of up to eight bytes in decimal, a longer one as its bytes. */
static void draw_long(FILE *out, struct ndp_bytes bytes) {
    uint64_t value = bytes.size_bytes > 0 && (bytes.data[bytes.size_bytes - 1] & 0x80) != 0 ? UINT64_MAX : 0;
    if (bytes.size_bytes > 8) {
        fprintf(out, "%" PRIu64 " bytes, little-endian: ", bytes.size_bytes);
        ndp_dissect_text(out, bytes, MAX_TEXT_SHOWN);
        return;
    }
    for (uint64_t i = bytes.size_bytes; i > 0; i--) value = value << 8 | bytes.data[i - 1];
    fprintf(out, "%" PRId64, (int64_t)value);
}

static void draw_quoted(FILE *out, struct ndp_bytes text) {
    fputc('\'', out);
    ndp_dissect_text(out, text, MAX_TEXT_SHOWN);
    fputc('\'', out);
}

static void draw_global(FILE *out, const struct ndp_opcode_global *global) {
    if (global->module.data == NULL) {
        fputs("a name that no text on the stack gives", out);
        return;
    }
    ndp_dissect_text(out, global->module, MAX_TEXT_SHOWN);
    fputc(' ', out);
    ndp_dissect_text(out, global->name, MAX_TEXT_SHOWN);
}

/* BINFLOAT is big-endian. */
static double load_real(struct ndp_bytes bytes) {
    double real;
    uint64_t bits = 0;
    for (uint64_t i = 0; i < sizeof bits; i++) bits = bits << 8 | bytes.data[i];
    memcpy(&real, &bits, sizeof real);
    return real;
}

static void draw_argument(FILE *out, const struct opcode *opcode, const struct argument *argument) {
    switch (opcode->form) {
    case NOTHING:
    case LINES:
        return;
    case UNSIGNED:
        fprintf(out, "%" PRIu64, argument->number);
        return;
    case SIGNED:
        fprintf(out, "%" PRId32, (int32_t)(uint32_t)argument->number);
        return;
    case REAL:
        fprintf(out, "%.17g", load_real(argument->text));
        return;
    case LINE:
        ndp_dissect_text(out, argument->text, MAX_TEXT_SHOWN);
        return;
    case BYTES:
    case TEXT:
        draw_quoted(out, argument->text);
        return;
    case LONG:
        draw_long(out, argument->text);
        return;
    }
}

/* Prints the line of an opcode before its effect on the stack. */
static void draw_line(const struct ndp_opcode_list *list, const struct opcode *opcode, const struct argument *argument,
                      uint64_t at_bytes, uint64_t index) {
    FILE *out = list->out;
    const bool has_argument = opcode->form != NOTHING || opcode->push == TO_MEMO || opcode->push == PUSH_GLOBAL;
    fprintf(out, "%*s%8" PRIu64 "  %-*s", (int)list->indent, "", at_bytes, has_argument ? 17 : 0, opcode->name);
    if (opcode->push == TO_MEMO || opcode->push == PUSH_MEMO) {
        if (index <= UINT32_MAX) fprintf(out, "memo %" PRIu64, index);
        if (index > UINT32_MAX) draw_argument(out, opcode, argument);
    } else {
        draw_argument(out, opcode, argument);
    }
    if (opcode->push == PUSH_MEMO && index <= UINT32_MAX) {
        const struct ndp_object *object = ndp_pickle_memo_get(&list->memo, (uint32_t)index);
        if (object == NULL) fputs(", which is not set", out);
        if (ndp_object_is(object, NDP_OBJECT_TEXT)) fputc(' ', out);
        if (ndp_object_is(object, NDP_OBJECT_TEXT)) draw_quoted(out, object->bytes);
    }
    if (opcode->push == PUSH_GLOBAL) {
        const struct ndp_opcode_global global = find_global(list, opcode, argument, at_bytes);
        draw_global(out, &global);
    }
    if (opcode == &opcodes[NDP_OP_FRAME]) fprintf(out, ", to byte %" PRIu64, list->frame_end_bytes);
    fputc('\n', out);
}

/* ---- the list ---- */

static void note_argument(struct ndp_opcode_list *list, uint8_t byte, const struct argument *argument) {
    if (byte == NDP_OP_PROTO) list->protocol = (int32_t)argument->number;
    if (byte == NDP_OP_NEXT_BUFFER) list->buffer_count++;
    if (byte == NDP_OP_STOP) list->is_stopped = true;
    if (byte != NDP_OP_FRAME) return;
    list->frame_count++;
    if (!ndp_checked_add_u64(list->at_bytes, argument->number, &list->frame_end_bytes))
        list->frame_end_bytes = UINT64_MAX;
}

static enum ndp_status list_opcode(struct ndp_opcode_list *list) {
    struct ndp_cursor cursor = {list->bytes.data, list->bytes.size_bytes, list->at_bytes};
    const uint64_t at = list->at_bytes;
    const uint8_t byte = list->bytes.data[at];
    const struct opcode *opcode = &opcodes[byte];
    struct argument argument = {0};
    cursor.at_bytes++;
    if (opcode->name == NULL) {
        (void)ndp_error_set(&list->error, NDP_INVALID, at, "unknown opcode 0x%02x", byte);
        return NDP_OK;
    }
    const enum ndp_status status = take_argument(&cursor, opcode, &argument);
    if (status != NDP_OK) {
        (void)ndp_error_set(&list->error, status, at, "%s has no complete argument", opcode->name);
        return NDP_OK;
    }
    const uint64_t index = byte == NDP_OP_MEMOIZE ? list->memo.entries : index_of(opcode, &argument);
    list->at_bytes = cursor.at_bytes;
    list->opcode_count++;
    note_argument(list, byte, &argument);
    if (*list->lines_left > 0) {
        --*list->lines_left;
        draw_line(list, opcode, &argument, at, index);
    } else {
        list->hidden_count++;
    }
    if (opcode->push == PUSH_GLOBAL) {
        const struct ndp_opcode_global global = find_global(list, opcode, &argument, at);
        add_global(list, &global);
    }
    pop(list, opcode->pops);
    return apply_push(list, opcode, &argument, index);
}

enum ndp_status ndp_opcode_list_run(struct ndp_opcode_list *list, uint64_t end_bytes) {
    const uint64_t end = end_bytes < list->bytes.size_bytes ? end_bytes : list->bytes.size_bytes;
    while (!list->is_stopped && !list->is_cut && list->error.status == NDP_OK && list->at_bytes < end) {
        NDP_TRY(list_opcode(list));
        list->is_cut = list->opcode_count == MAX_OPCODES;
    }
    if (end == list->bytes.size_bytes && list->at_bytes == end && !list->is_stopped && list->error.status == NDP_OK)
        (void)ndp_error_set(&list->error, NDP_TRUNCATED, end, "the pickle ends before STOP");
    return NDP_OK;
}
