/* pickle_write_atoms.c: writes objects without parts in the form of each protocol. */
#include <string.h>

#include "base/byteorder.h"
#include "base/text.h"
#include "codec/pickle/pickle_names.h"
#include "codec/pickle/pickle_number.h"
#include "codec/pickle/pickle_writer.h"

enum { SHORT_BYTES = 0xff };

enum ndp_status ndp_pickle_writer_fail(const struct ndp_pickle_writer *w, enum ndp_status status, const char *text) {
    return ndp_error_set(w->error, status, NDP_NO_OFFSET, "pickle: %s", text);
}

enum ndp_status ndp_pickle_writer_op(struct ndp_pickle_writer *w, enum ndp_opcode opcode) {
    return ndp_pickle_output_add_byte(&w->output, (uint8_t)opcode);
}

/* The memo place of a text of at most one character; NULL for others. */
static uint32_t *place_of_text(struct ndp_pickle_writer *w, struct ndp_bytes text) {
    if (text.size_bytes == 0) return &w->texts[256];
    const uint8_t first = text.data[0];
    if (text.size_bytes == 1) return &w->texts[first];
    if (text.size_bytes > 2 || (first != 0xc2 && first != 0xc3)) return NULL;
    return &w->texts[(first & 3) << 6 | (text.data[1] & 0x3f)];
}

/* Texts and byte strings of at most one character share a place per value; every other object has its own. */
uint32_t *ndp_pickle_writer_place(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    if (object->kind == NDP_OBJECT_BYTES && object->bytes.size_bytes < 2 && !object->is_readonly)
        return &w->bytes[object->bytes.size_bytes == 0 ? 256 : object->bytes.data[0]];
    uint32_t *place = object->kind == NDP_OBJECT_TEXT ? place_of_text(w, object->bytes) : NULL;
    return place != NULL ? place : &w->memo[object->number];
}

/* Writes an opcode, the decimal digits, L for a long integer, and a newline; the digits are produced backwards. */
static enum ndp_status put_number_line(struct ndp_pickle_writer *w, enum ndp_opcode opcode, int64_t number) {
    uint8_t line[24];
    size_t at = sizeof(line);
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    line[--at] = '\n';
    if (opcode == NDP_OP_LONG) line[--at] = 'L';
    do {
        line[--at] = (uint8_t)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (number < 0) line[--at] = '-';
    line[--at] = (uint8_t)opcode;
    return ndp_pickle_output_add(&w->output, line + at, sizeof(line) - at);
}

/* Writes an opcode with an index: one byte, four bytes, or decimal. */
static enum ndp_status put_index(struct ndp_pickle_writer *w, uint32_t index, enum ndp_opcode text,
                                 enum ndp_opcode small, enum ndp_opcode large) {
    uint8_t bytes[5];
    if (w->protocol == 0) return put_number_line(w, text, index);
    if (index <= 0xff) {
        bytes[0] = (uint8_t)small;
        bytes[1] = (uint8_t)index;
        return ndp_pickle_output_add(&w->output, bytes, 2);
    }
    bytes[0] = (uint8_t)large;
    ndp_store_u32le(bytes + 1, index);
    return ndp_pickle_output_add(&w->output, bytes, 5);
}

enum ndp_status ndp_pickle_writer_get(struct ndp_pickle_writer *w, uint32_t place) {
    return put_index(w, place - 1, NDP_OP_GET, NDP_OP_BINGET, NDP_OP_LONG_BINGET);
}

static enum ndp_status memoize(struct ndp_pickle_writer *w, uint32_t *place) {
    if (w->memo_count == UINT32_MAX) return ndp_pickle_writer_fail(w, NDP_LIMIT, "too many objects for the memo");
    const uint32_t index = w->memo_count++;
    *place = index + 1;
    if (w->protocol >= 4) return ndp_pickle_writer_op(w, NDP_OP_MEMOIZE);
    return put_index(w, index, NDP_OP_PUT, NDP_OP_BINPUT, NDP_OP_LONG_BINPUT);
}

static enum ndp_status memoize_object(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    return memoize(w, ndp_pickle_writer_place(w, object));
}

/* Writes a payload after the opcode with the shortest sufficient length; 0 marks an opcode that does not exist. */
static enum ndp_status put_counted(struct ndp_pickle_writer *w, int tiny, int middle, int large,
                                   struct ndp_bytes payload) {
    uint8_t head[9];
    const uint64_t size = payload.size_bytes;
    if (size <= SHORT_BYTES && tiny != 0) {
        head[0] = (uint8_t)tiny;
        head[1] = (uint8_t)size;
        return ndp_pickle_output_add_payload(&w->output, head, 2, payload);
    }
    if (size <= UINT32_MAX && middle != 0) {
        head[0] = (uint8_t)middle;
        ndp_store_u32le(head + 1, (uint32_t)size);
        return ndp_pickle_output_add_payload(&w->output, head, 5, payload);
    }
    if (large == 0) return ndp_pickle_writer_fail(w, NDP_UNSUPPORTED, "protocol has no opcode for 4 GiB");
    head[0] = (uint8_t)large;
    ndp_store_u64le(head + 1, size);
    return ndp_pickle_output_add_payload(&w->output, head, 9, payload);
}

static enum ndp_status put_line(struct ndp_pickle_writer *w, enum ndp_opcode opcode, const struct ndp_buffer *line,
                                const char *end) {
    NDP_TRY(ndp_pickle_writer_op(w, opcode));
    NDP_TRY(ndp_pickle_output_add(&w->output, line->data, line->size_bytes));
    return ndp_pickle_output_add(&w->output, end, strlen(end));
}

enum ndp_status ndp_pickle_writer_save_bool(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    if (w->protocol >= 2) return ndp_pickle_writer_op(w, object->truth ? NDP_OP_NEWTRUE : NDP_OP_NEWFALSE);
    return ndp_pickle_output_add(&w->output, object->truth ? "I01\n" : "I00\n", 4);
}

static bool is_32_bits(const struct ndp_object *object) {
    return !object->is_big && object->integer >= INT32_MIN && object->integer <= INT32_MAX;
}

static enum ndp_status save_small_int(struct ndp_pickle_writer *w, int64_t value) {
    uint8_t bytes[5] = {NDP_OP_BININT1, (uint8_t)value};
    if (value >= 0 && value <= 0xff) return ndp_pickle_output_add(&w->output, bytes, 2);
    if (value >= 0 && value <= 0xffff) {
        bytes[0] = NDP_OP_BININT2;
        ndp_store_u16le(bytes + 1, (uint16_t)value);
        return ndp_pickle_output_add(&w->output, bytes, 3);
    }
    bytes[0] = NDP_OP_BININT;
    ndp_store_u32le(bytes + 1, (uint32_t)value);
    return ndp_pickle_output_add(&w->output, bytes, 5);
}

static enum ndp_status save_text_int(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    if (!object->is_big) return put_number_line(w, is_32_bits(object) ? NDP_OP_INT : NDP_OP_LONG, object->integer);
    NDP_BUFFER_SCOPED(line, 1 << 16);
    enum ndp_status status = ndp_pickle_number_add_int(&line, object);
    if (status == NDP_LIMIT) (void)ndp_pickle_writer_fail(w, status, "integer has too many digits for this protocol");
    if (status == NDP_OK) status = put_line(w, NDP_OP_LONG, &line, "L\n");
    return status;
}

/* A long integer stays in the current frame regardless of its size. Source: CPython 3.11, Modules/_pickle.c, save_long.
 */
static enum ndp_status put_long(struct ndp_pickle_writer *w, struct ndp_bytes digits) {
    const bool is_short = digits.size_bytes <= SHORT_BYTES;
    uint8_t head[5] = {is_short ? NDP_OP_LONG1 : NDP_OP_LONG4};
    if (digits.size_bytes > INT32_MAX) return ndp_pickle_writer_fail(w, NDP_LIMIT, "integer of 2 GiB");
    ndp_store_u32le(head + 1, (uint32_t)digits.size_bytes);
    NDP_TRY(ndp_pickle_output_add(&w->output, head, is_short ? 2 : 5));
    return ndp_pickle_output_add(&w->output, digits.data, digits.size_bytes);
}

enum ndp_status ndp_pickle_writer_save_int(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    uint8_t bytes[8];
    struct ndp_bytes payload = object->bytes;
    if (w->protocol >= 1 && is_32_bits(object)) return save_small_int(w, object->integer);
    if (w->protocol < 2) return save_text_int(w, object);
    if (!object->is_big) {
        ndp_store_u64le(bytes, (uint64_t)object->integer);
        uint64_t size = 8;
        while (size > 5 && ((bytes[size - 1] == 0 && bytes[size - 2] < 0x80) ||
                            (bytes[size - 1] == 0xff && bytes[size - 2] >= 0x80)))
            size--;
        /* An integer beyond 32 bits needs five bytes, or four including the sign. */
        if (size == 5 && ((bytes[4] == 0 && bytes[3] < 0x80) || (bytes[4] == 0xff && bytes[3] >= 0x80))) size = 4;
        payload = (struct ndp_bytes){bytes, size};
    }
    return put_long(w, payload);
}

enum ndp_status ndp_pickle_writer_save_float(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    uint8_t bytes[9] = {NDP_OP_BINFLOAT};
    uint8_t little[8];
    uint64_t bits = 0;
    memcpy(&bits, &object->real, sizeof(bits));
    if (w->protocol >= 1) {
        ndp_store_u64le(little, bits);
        ndp_byteorder_copy_reversed(bytes + 1, little, 8);
        return ndp_pickle_output_add(&w->output, bytes, 9);
    }
    NDP_BUFFER_SCOPED(line, 64);
    enum ndp_status status = ndp_pickle_number_add_float(&line, object->real);
    if (status == NDP_OK) status = put_line(w, NDP_OP_FLOAT, &line, "\n");
    return status;
}

/* Escapes a character of protocol 0 that would end the line, start an escape or exceed latin-1. */
static enum ndp_status put_escaped(struct ndp_pickle_writer *w, uint32_t code_point) {
    static const char digits[] = "0123456789abcdef";
    uint8_t text[10] = {'\\', code_point > 0xffff ? 'U' : 'u'};
    const bool is_special =
        code_point == '\\' || code_point == 0 || code_point == '\n' || code_point == '\r' || code_point == 0x1a;
    if (code_point <= 0xff && !is_special) return ndp_pickle_output_add_byte(&w->output, (uint8_t)code_point);
    const uint32_t count = code_point > 0xffff ? 8 : 4;
    for (uint32_t i = 0; i < count; i++) text[2 + i] = (uint8_t)digits[code_point >> (4 * (count - 1 - i)) & 15];
    return ndp_pickle_output_add(&w->output, text, count + 2);
}

static enum ndp_status put_text(struct ndp_pickle_writer *w, struct ndp_bytes text) {
    if (w->protocol >= 4) return put_counted(w, NDP_OP_SHORT_BINUNICODE, NDP_OP_BINUNICODE, NDP_OP_BINUNICODE8, text);
    if (w->protocol >= 1) return put_counted(w, 0, NDP_OP_BINUNICODE, 0, text);
    struct ndp_cursor cursor = ndp_cursor_view(text);
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_UNICODE));
    while (ndp_cursor_left(&cursor) > 0) {
        uint32_t code_point = 0;
        if (ndp_text_next(&cursor, &code_point) != NDP_OK)
            return ndp_pickle_writer_fail(w, NDP_INVALID, "text is not valid UTF-8");
        NDP_TRY(put_escaped(w, code_point));
    }
    return ndp_pickle_output_add_byte(&w->output, '\n');
}

/* Lib/pickle.py, save_str, replaces such a text by a new object before it memoizes it. */
static bool is_forgotten(const struct ndp_pickle_writer *w, struct ndp_bytes text) {
    if (!w->form->is_python || w->protocol != 0) return false;
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        const uint8_t c = text.data[i];
        if (c == '\\' || c == 0 || c == '\n' || c == '\r' || c == 0x1a) return true;
    }
    return false;
}

enum ndp_status ndp_pickle_writer_save_text(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    uint32_t unused = 0;
    NDP_TRY(put_text(w, object->bytes));
    return is_forgotten(w, object->bytes) ? memoize(w, &unused) : memoize_object(w, object);
}

/* Writes bytes as the text of the same code points. */
static enum ndp_status put_latin(struct ndp_pickle_writer *w, struct ndp_bytes bytes) {
    if (w->protocol == 0) {
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_UNICODE));
        for (uint64_t i = 0; i < bytes.size_bytes; i++) NDP_TRY(put_escaped(w, bytes.data[i]));
        return ndp_pickle_output_add_byte(&w->output, '\n');
    }
    uint64_t size = bytes.size_bytes;
    uint8_t head[5] = {NDP_OP_BINUNICODE};
    for (uint64_t i = 0; i < bytes.size_bytes; i++) size += bytes.data[i] >> 7;
    if (size > UINT32_MAX) return ndp_pickle_writer_fail(w, NDP_UNSUPPORTED, "protocol has no opcode for 4 GiB");
    ndp_store_u32le(head + 1, (uint32_t)size);
    NDP_TRY(ndp_pickle_output_add(&w->output, head, sizeof(head)));
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        const uint8_t byte = bytes.data[i];
        const uint8_t pair[2] = {(uint8_t)(0xc0 | byte >> 6), (uint8_t)(0x80 | (byte & 0x3f))};
        NDP_TRY(byte < 0x80 ? ndp_pickle_output_add_byte(&w->output, byte)
                            : ndp_pickle_output_add(&w->output, pair, 2));
    }
    return NDP_OK;
}

enum ndp_status ndp_pickle_writer_global(struct ndp_pickle_writer *w, enum ndp_opcode opcode, struct ndp_bytes module,
                                         struct ndp_bytes name) {
    const char *old_module = NULL;
    const char *old_name = NULL;
    if (w->protocol < 3) ndp_pickle_names_to_python_2(module, name, &old_module, &old_name);
    if (w->protocol < 3 && old_module == NULL) {
        const char *other_module = NULL;
        const char *other_name = NULL;
        ndp_pickle_names_to_python_3(module, name, &other_module, &other_name);
        if (other_module != NULL)
            return ndp_pickle_writer_fail(w, NDP_UNSUPPORTED, "name means another object in this protocol");
    }
    if (old_module != NULL) module = ndp_bytes_view(old_module);
    if (old_name != NULL) name = ndp_bytes_view(old_name);
    NDP_TRY(ndp_pickle_writer_op(w, opcode));
    NDP_TRY(ndp_pickle_output_add(&w->output, module.data, module.size_bytes));
    NDP_TRY(ndp_pickle_output_add_byte(&w->output, '\n'));
    NDP_TRY(ndp_pickle_output_add(&w->output, name.data, name.size_bytes));
    return ndp_pickle_output_add_byte(&w->output, '\n');
}

enum ndp_status ndp_pickle_writer_memoize(struct ndp_pickle_writer *w, int opcode, uint32_t *place) {
    if (opcode != 0) NDP_TRY(ndp_pickle_output_add_byte(&w->output, (uint8_t)opcode));
    return memoize(w, place);
}

static const char *const words[NDP_WRITER_NAMES][2] = {
    [NDP_WRITER_ENCODE] = {"_codecs", "encode"},        [NDP_WRITER_BYTES] = {"builtins", "bytes"},
    [NDP_WRITER_BYTEARRAY] = {"builtins", "bytearray"}, [NDP_WRITER_SET] = {"builtins", "set"},
    [NDP_WRITER_FROZENSET] = {"builtins", "frozenset"}, [NDP_WRITER_NEWOBJ] = {"copyreg", "__newobj__"},
    [NDP_WRITER_GETATTR] = {"builtins", "getattr"},     [NDP_WRITER_NEWOBJ_EX] = {"copyreg", "__newobj_ex__"},
};

uint32_t *ndp_pickle_writer_own_place(struct ndp_pickle_writer *w, const struct ndp_object *global) {
    for (uint32_t i = 0; i < NDP_WRITER_NAMES; i++)
        if (ndp_object_is_global(global, words[i][0], words[i][1])) return &w->names[i];
    return NULL;
}

enum ndp_status ndp_pickle_writer_own_global(struct ndp_pickle_writer *w, enum ndp_pickle_writer_own_global name) {
    uint32_t *place = &w->names[name];
    const struct ndp_bytes module = ndp_bytes_view(words[name][0]);
    const struct ndp_bytes word = ndp_bytes_view(words[name][1]);
    uint32_t unused = 0;
    if (*place != 0) return ndp_pickle_writer_get(w, *place);
    if (w->protocol >= 4) {
        NDP_TRY(put_text(w, module));
        NDP_TRY(memoize(w, &unused));
        NDP_TRY(ndp_pickle_output_boundary(&w->output));
        NDP_TRY(put_text(w, word));
        NDP_TRY(memoize(w, &unused));
        return ndp_pickle_writer_memoize(w, NDP_OP_STACK_GLOBAL, place);
    }
    NDP_TRY(ndp_pickle_writer_global(w, NDP_OP_GLOBAL, module, word));
    return memoize(w, place);
}

/* Removes the part before the first dot, and the dot; returns the part. */
static struct ndp_bytes take_part(struct ndp_bytes *name) {
    const uint8_t *dot = memchr(name->data, '.', (size_t)name->size_bytes);
    const struct ndp_bytes part = {name->data, dot == NULL ? name->size_bytes : (uint64_t)(dot - name->data)};
    const uint64_t taken = dot == NULL ? part.size_bytes : part.size_bytes + 1;
    *name = (struct ndp_bytes){name->data + taken, name->size_bytes - taken};
    return part;
}

/* A part of one character is the shared text. */
static enum ndp_status put_part(struct ndp_pickle_writer *w, struct ndp_bytes part) {
    uint32_t unused = 0;
    uint32_t *shared = place_of_text(w, part);
    if (shared != NULL && *shared != 0) return ndp_pickle_writer_get(w, *shared);
    NDP_TRY(put_text(w, part));
    return memoize(w, shared != NULL ? shared : &unused);
}

enum ndp_status ndp_pickle_writer_nested_global(struct ndp_pickle_writer *w, struct ndp_bytes module,
                                                struct ndp_bytes name) {
    uint32_t unused = 0;
    uint64_t dots = 0;
    for (uint64_t i = 0; i < name.size_bytes; i++) dots += name.data[i] == '.';
    /* Each part adds a call with its arguments to the nesting that a reader sees. */
    if (dots > (NDP_PICKLE_DEPTH_MAX - w->depth) / 2)
        return ndp_pickle_writer_fail(w, NDP_LIMIT, "name is nested too deeply");
    for (uint64_t i = 0; i < dots; i++) {
        NDP_TRY(ndp_pickle_writer_own_global(w, NDP_WRITER_GETATTR));
        if (w->protocol < 2) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    }
    NDP_TRY(ndp_pickle_writer_global(w, NDP_OP_GLOBAL, module, take_part(&name)));
    NDP_TRY(memoize(w, &unused));
    for (uint64_t i = 1; i <= dots; i++) {
        NDP_TRY(put_part(w, take_part(&name)));
        NDP_TRY(ndp_pickle_writer_memoize(w, w->protocol < 2 ? NDP_OP_TUPLE : NDP_OP_TUPLE2, &unused));
        NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_REDUCE));
        if (i < dots) NDP_TRY(memoize(w, &unused));
    }
    return NDP_OK;
}

/* Writes the arguments (text, "latin1"); nothing refers to this tuple later. */
static enum ndp_status save_latin_args(struct ndp_pickle_writer *w, struct ndp_bytes bytes) {
    uint32_t fresh = 0;
    uint32_t tuple = 0;
    uint32_t *text = bytes.size_bytes == 1 ? &w->texts[bytes.data[0]] : &fresh;
    if (w->protocol < 2) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    if (*text != 0) {
        NDP_TRY(ndp_pickle_writer_get(w, *text));
    } else {
        NDP_TRY(put_latin(w, bytes));
        NDP_TRY(memoize(w, text));
    }
    if (w->latin1 != 0) {
        NDP_TRY(ndp_pickle_writer_get(w, w->latin1));
    } else {
        NDP_TRY(put_text(w, ndp_bytes_view("latin1")));
        NDP_TRY(memoize(w, &w->latin1));
    }
    return ndp_pickle_writer_memoize(w, w->protocol < 2 ? NDP_OP_TUPLE : NDP_OP_TUPLE2, &tuple);
}

enum ndp_status ndp_pickle_writer_empty_tuple(struct ndp_pickle_writer *w) {
    if (w->protocol >= 1) return ndp_pickle_writer_op(w, NDP_OP_EMPTY_TUPLE);
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    return ndp_pickle_writer_op(w, NDP_OP_TUPLE);
}

/* Protocols below 3 lack bytes and call _codecs.encode. */
static enum ndp_status save_called_bytes(struct ndp_pickle_writer *w, struct ndp_bytes bytes, uint32_t *place) {
    if (bytes.size_bytes == 0) {
        NDP_TRY(ndp_pickle_writer_own_global(w, NDP_WRITER_BYTES));
        NDP_TRY(ndp_pickle_writer_empty_tuple(w));
    } else {
        NDP_TRY(ndp_pickle_writer_own_global(w, NDP_WRITER_ENCODE));
        NDP_TRY(save_latin_args(w, bytes));
    }
    return ndp_pickle_writer_memoize(w, NDP_OP_REDUCE, place);
}

static enum ndp_status save_bytes_at(struct ndp_pickle_writer *w, const struct ndp_object *object, uint32_t *place) {
    if (w->protocol < 3) return save_called_bytes(w, object->bytes, place);
    NDP_TRY(
        put_counted(w, NDP_OP_SHORT_BINBYTES, NDP_OP_BINBYTES, w->protocol >= 4 ? NDP_OP_BINBYTES8 : 0, object->bytes));
    return memoize(w, place);
}

enum ndp_status ndp_pickle_writer_save_bytes(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    return save_bytes_at(w, object, ndp_pickle_writer_place(w, object));
}

/* Protocols below 5 write a byte array as a call with bytes that nothing refers to later: bytes(array) creates new
 * bytes even of one byte. Callable and argument are separate values, between which a frame may end. */
enum ndp_status ndp_pickle_writer_save_bytearray(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    uint32_t bytes_place = 0;
    uint32_t tuple = 0;
    if (w->protocol >= 5) {
        NDP_TRY(put_counted(w, 0, 0, NDP_OP_BYTEARRAY8, object->bytes));
        return memoize_object(w, object);
    }
    NDP_TRY(ndp_pickle_writer_own_global(w, NDP_WRITER_BYTEARRAY));
    NDP_TRY(ndp_pickle_output_boundary(&w->output));
    if (object->bytes.size_bytes == 0) {
        NDP_TRY(ndp_pickle_writer_empty_tuple(w));
        return ndp_pickle_writer_memoize(w, NDP_OP_REDUCE, ndp_pickle_writer_place(w, object));
    }
    const struct ndp_object bytes = {.kind = NDP_OBJECT_BYTES, .bytes = object->bytes};
    if (w->protocol < 2) NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_MARK));
    NDP_TRY(save_bytes_at(w, &bytes, &bytes_place));
    NDP_TRY(ndp_pickle_writer_memoize(w, w->protocol < 2 ? NDP_OP_TUPLE : NDP_OP_TUPLE1, &tuple));
    return ndp_pickle_writer_memoize(w, NDP_OP_REDUCE, ndp_pickle_writer_place(w, object));
}

/* Uses the opcodes of Python 2 strings, which Python 3 lacks. */
enum ndp_status ndp_pickle_writer_save_string(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    static const char digits[] = "0123456789abcdef";
    if (w->protocol >= 1) {
        NDP_TRY(put_counted(w, NDP_OP_SHORT_BINSTRING, NDP_OP_BINSTRING, 0, object->bytes));
        return memoize_object(w, object);
    }
    NDP_TRY(ndp_pickle_output_add(&w->output, "S'", 2));
    for (uint64_t i = 0; i < object->bytes.size_bytes; i++) {
        const uint8_t byte = object->bytes.data[i];
        const uint8_t escape[4] = {'\\', 'x', (uint8_t)digits[byte >> 4], (uint8_t)digits[byte & 15]};
        const bool is_plain = byte >= ' ' && byte < 0x7f && byte != '\\' && byte != '\'';
        NDP_TRY(is_plain ? ndp_pickle_output_add_byte(&w->output, byte) : ndp_pickle_output_add(&w->output, escape, 4));
    }
    NDP_TRY(ndp_pickle_output_add(&w->output, "'\n", 2));
    return memoize_object(w, object);
}

/* Never memoized: each use requests its own buffer. */
enum ndp_status ndp_pickle_writer_save_buffer(struct ndp_pickle_writer *w, const struct ndp_object *object) {
    if (w->protocol < 5) return ndp_pickle_writer_fail(w, NDP_UNSUPPORTED, "out-of-band buffers need protocol 5");
    NDP_TRY(ndp_pickle_writer_op(w, NDP_OP_NEXT_BUFFER));
    return object->is_readonly ? ndp_pickle_writer_op(w, NDP_OP_READONLY_BUFFER) : NDP_OK;
}
