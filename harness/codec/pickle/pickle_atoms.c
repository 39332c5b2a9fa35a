/* pickle_atoms.c: handlers of opcodes with one number, text or byte string as argument. */
#include <string.h>

#include "base/byteorder.h"
#include "base/portion.h"
#include "base/text.h"
#include "codec/data_memory.h"
#include "codec/pickle/pickle_machine.h"
#include "codec/pickle/pickle_number.h"

/* Larger payloads of a stream get their own memory without passing through the window. */
enum { SMALL_BYTES = NDP_PORTION_BYTES(1 << 14) };

/* Takes the next bytes and makes them outlive the window. */
static enum ndp_status take_permanent(struct ndp_pickle_machine *m, uint64_t size_bytes, struct ndp_bytes *out) {
    struct ndp_blob blob;
    if (m->source->read == NULL || size_bytes <= SMALL_BYTES) {
        *out = (struct ndp_bytes){ndp_pickle_machine_take(m, size_bytes), size_bytes};
        if (out->data == NULL) return m->failed;
        if (m->source->read == NULL) return NDP_OK;
        out->data = ndp_arena_copy(m->objects->arena, out->data, size_bytes);
        return out->data != NULL ? NDP_OK : ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for an argument");
    }
    NDP_TRY(ndp_pickle_machine_check_size(m, size_bytes));
    const enum ndp_status status = ndp_source_blob(m->source, size_bytes, &blob);
    if (status != NDP_OK) return ndp_pickle_machine_fail(m, status, "pickle ends inside this argument");
    m->result.operations += size_bytes;
    *out = blob.bytes;
    return ndp_objects_keep(m->objects, &blob);
}

/* Reads the length of the operand, then that many bytes. */
static enum ndp_status take_counted(struct ndp_pickle_machine *m, struct ndp_bytes *out) {
    uint64_t length = 0;
    if (!ndp_pickle_machine_take_number(m, m->operand.size_bytes, &length)) return m->failed;
    if (m->operand.is_signed && length > INT32_MAX) return ndp_pickle_machine_fail(m, NDP_INVALID, "negative length");
    return take_permanent(m, length, out);
}

/* Moves text into the arena, because dtypes that borrow it outlive the objects. */
static enum ndp_status move_text_to_arena(struct ndp_pickle_machine *m, struct ndp_bytes *text) {
    uint8_t *owned = ndp_objects_release(m->objects, text->data);
    if (owned == NULL) return NDP_OK;
    text->data = ndp_arena_copy(m->objects->arena, owned, text->size_bytes);
    ndp_data_free(owned);
    return text->data != NULL ? NDP_OK : ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for text");
}

enum ndp_status ndp_pickle_machine_bytes(struct ndp_pickle_machine *m) {
    const enum ndp_object_kind kind = m->operand.kind;
    struct ndp_bytes bytes;
    NDP_TRY(take_counted(m, &bytes));
    if (kind == NDP_OBJECT_TEXT) NDP_TRY(move_text_to_arena(m, &bytes));
    if (kind == NDP_OBJECT_TEXT && !ndp_text_is_valid(bytes))
        return ndp_pickle_machine_fail(m, NDP_INVALID, "text is not valid UTF-8");
    return ndp_pickle_machine_push(m, ndp_object_bytes(m->objects, kind, bytes));
}

enum ndp_status ndp_pickle_machine_binint(struct ndp_pickle_machine *m) {
    uint64_t value = 0;
    if (!ndp_pickle_machine_take_number(m, m->operand.size_bytes, &value)) return m->failed;
    return ndp_pickle_machine_push(m,
                                   ndp_object_int(m->objects, m->operand.is_signed ? (int32_t)value : (int64_t)value));
}

enum ndp_status ndp_pickle_machine_binlong(struct ndp_pickle_machine *m) {
    struct ndp_bytes bytes;
    NDP_TRY(take_counted(m, &bytes));
    return ndp_pickle_machine_push(m, ndp_object_long(m->objects, bytes));
}

enum ndp_status ndp_pickle_machine_binfloat(struct ndp_pickle_machine *m) {
    uint8_t little[8];
    double real = 0;
    const uint8_t *bytes = ndp_pickle_machine_take(m, 8);
    if (bytes == NULL) return m->failed;
    ndp_byteorder_copy_reversed(little, bytes, 8);
    const uint64_t bits = ndp_load_u64le(little);
    memcpy(&real, &bits, sizeof(real));
    return ndp_pickle_machine_push(m, ndp_object_float(m->objects, real));
}

static enum ndp_status number_status(struct ndp_pickle_machine *m, enum ndp_status status) {
    switch ((int)status) {
    case NDP_OK:
        return NDP_OK;
    case NDP_UNSUPPORTED:
        return ndp_pickle_machine_fail(m, status, "number has a form that no pickler writes");
    case NDP_LIMIT:
        return ndp_pickle_machine_fail(m, status, "number has too many digits");
    case NDP_NOMEM:
        return ndp_pickle_machine_fail(m, status, "out of memory for a number");
    default:
        return ndp_pickle_machine_fail(m, status, "not a number");
    }
}

static enum ndp_status push_decimal(struct ndp_pickle_machine *m, struct ndp_bytes line) {
    struct ndp_object *object = NULL;
    NDP_TRY(number_status(m, ndp_pickle_number_read_int(m->objects, line, &object)));
    return ndp_pickle_machine_push(m, object);
}

/* "00" and "01" are False and True of protocols 0 and 1. */
enum ndp_status ndp_pickle_machine_int(struct ndp_pickle_machine *m) {
    struct ndp_bytes line;
    NDP_TRY(ndp_pickle_machine_take_line(m, &line));
    if (line.size_bytes == 2 && line.data[0] == '0' && (line.data[1] == '0' || line.data[1] == '1'))
        return ndp_pickle_machine_push(m, ndp_object_bool(m->objects, line.data[1] == '1'));
    return push_decimal(m, line);
}

enum ndp_status ndp_pickle_machine_long(struct ndp_pickle_machine *m) {
    struct ndp_bytes line;
    NDP_TRY(ndp_pickle_machine_take_line(m, &line));
    if (line.size_bytes > 0 && line.data[line.size_bytes - 1] == 'L') line.size_bytes--;
    return push_decimal(m, line);
}

enum ndp_status ndp_pickle_machine_float(struct ndp_pickle_machine *m) {
    struct ndp_bytes line;
    double real = 0;
    NDP_TRY(ndp_pickle_machine_take_line(m, &line));
    NDP_TRY(number_status(m, ndp_pickle_number_read_float(line, &real)));
    return ndp_pickle_machine_push(m, ndp_object_float(m->objects, real));
}

static enum ndp_status take_hex(struct ndp_cursor *cursor, uint32_t count, uint32_t *out) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t c = 0;
        if (ndp_cursor_u8(cursor, &c) != NDP_OK || ndp_hex_value(c) < 0) return NDP_INVALID;
        value = value << 4 | (uint32_t)ndp_hex_value(c);
    }
    *out = value;
    return NDP_OK;
}

/* Reads one character of the codec raw-unicode-escape: a latin-1 byte, or \u and \U after an odd number of backslashes.
 */
static enum ndp_status next_raw(struct ndp_cursor *cursor, bool *is_escaping, uint32_t *code_point) {
    uint8_t c = 0;
    NDP_TRY(ndp_cursor_u8(cursor, &c));
    *code_point = c;
    const bool is_backslash = c == '\\';
    const uint64_t left = ndp_cursor_left(cursor);
    const uint8_t next = left > 0 ? cursor->data[cursor->at_bytes] : 0;
    if (is_backslash && !*is_escaping && (next == 'u' || next == 'U')) {
        cursor->at_bytes++;
        NDP_TRY(take_hex(cursor, next == 'u' ? 4 : 8, code_point));
        return *code_point > 0x10ffff ? NDP_INVALID : NDP_OK;
    }
    *is_escaping = is_backslash && !*is_escaping;
    return NDP_OK;
}

static enum ndp_status decode_raw(struct ndp_bytes line, struct ndp_buffer *text) {
    struct ndp_cursor cursor = ndp_cursor_view(line);
    bool is_escaping = false;
    while (ndp_cursor_left(&cursor) > 0) {
        uint32_t code_point = 0;
        NDP_TRY(next_raw(&cursor, &is_escaping, &code_point));
        NDP_TRY(ndp_text_add(text, code_point));
    }
    return NDP_OK;
}

/* Whether a line equals its decoded form: ASCII without an escape. */
static bool is_plain(struct ndp_bytes line) {
    for (uint64_t i = 0; i < line.size_bytes; i++)
        if (line.data[i] == '\\' || line.data[i] >= 0x80) return false;
    return true;
}

/* Borrows a plain line from memory, or copies it out of the window of a stream. */
static enum ndp_status push_plain(struct ndp_pickle_machine *m, struct ndp_bytes line, enum ndp_object_kind kind) {
    if (m->source->read != NULL) line.data = ndp_arena_copy(m->objects->arena, line.data, line.size_bytes);
    if (line.data == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for text");
    m->result.operations += line.size_bytes;
    return ndp_pickle_machine_push(m, ndp_object_bytes(m->objects, kind, line));
}

/* Decodes a line into a buffer. */
typedef enum ndp_status decode_line(struct ndp_bytes line, struct ndp_buffer *out);

static enum ndp_status push_decoded(struct ndp_pickle_machine *m, struct ndp_bytes line, decode_line *decode,
                                    enum ndp_object_kind kind) {
    struct ndp_buffer text;
    ndp_buffer_init(&text, UINT64_MAX);
    enum ndp_status status = decode(line, &text);
    const uint8_t *kept = status == NDP_OK ? ndp_arena_copy(m->objects->arena, text.data, text.size_bytes) : NULL;
    const struct ndp_bytes bytes = {kept, text.size_bytes};
    ndp_buffer_clear(&text);
    if (status != NDP_OK)
        return ndp_pickle_machine_fail(m, status == NDP_NOMEM || status == NDP_UNSUPPORTED ? status : NDP_INVALID,
                                       "text cannot be decoded");
    if (kept == NULL) return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for text");
    m->result.operations += bytes.size_bytes;
    return ndp_pickle_machine_push(m, ndp_object_bytes(m->objects, kind, bytes));
}

enum ndp_status ndp_pickle_machine_unicode(struct ndp_pickle_machine *m) {
    struct ndp_bytes line;
    NDP_TRY(ndp_pickle_machine_take_line(m, &line));
    if (is_plain(line)) return push_plain(m, line, NDP_OBJECT_TEXT);
    return push_decoded(m, line, decode_raw, NDP_OBJECT_TEXT);
}

/* Reads one byte of a Python 2 string literal. */
static enum ndp_status next_escaped(struct ndp_cursor *cursor, uint8_t *out) {
    static const char letters[] = "abfnrtv\\'\"";
    static const char meanings[] = "\a\b\f\n\r\t\v\\'\"";
    uint8_t c = 0;
    uint32_t value = 0;
    NDP_TRY(ndp_cursor_u8(cursor, &c));
    *out = c;
    if (c != '\\') return NDP_OK;
    NDP_TRY(ndp_cursor_u8(cursor, &c));
    const char *letter = c == 0 ? NULL : strchr(letters, c);
    if (letter != NULL) {
        *out = (uint8_t)meanings[letter - letters];
        return NDP_OK;
    }
    if (c == 'x') {
        NDP_TRY(take_hex(cursor, 2, &value));
    } else {
        /* CPython warns and keeps the backslash; no pickler writes that. */
        if (c < '0' || c > '7') return NDP_UNSUPPORTED;
        value = (uint32_t)c - '0';
        for (uint32_t i = 0; i < 2 && ndp_cursor_left(cursor) > 0; i++) {
            const uint8_t digit = cursor->data[cursor->at_bytes];
            if (digit < '0' || digit > '7') break;
            value = value * 8 + digit - '0';
            cursor->at_bytes++;
        }
    }
    *out = (uint8_t)value;
    return NDP_OK;
}

/* Whether the line is a repr() in single or double quotes. */
static bool is_quoted(struct ndp_bytes line) {
    return line.size_bytes >= 2 && line.data[0] == line.data[line.size_bytes - 1] &&
           (line.data[0] == '\'' || line.data[0] == '"');
}

static enum ndp_status decode_escapes(struct ndp_bytes inside, struct ndp_buffer *text) {
    struct ndp_cursor cursor = ndp_cursor_view(inside);
    while (ndp_cursor_left(&cursor) > 0) {
        uint8_t byte = 0;
        NDP_TRY(next_escaped(&cursor, &byte));
        NDP_TRY(ndp_buffer_add(text, &byte, 1));
    }
    return NDP_OK;
}

enum ndp_status ndp_pickle_machine_string(struct ndp_pickle_machine *m) {
    struct ndp_bytes line;
    NDP_TRY(ndp_pickle_machine_take_line(m, &line));
    if (!is_quoted(line)) return ndp_pickle_machine_fail(m, NDP_INVALID, "text cannot be decoded");
    const struct ndp_bytes inside = {line.data + 1, line.size_bytes - 2};
    return is_plain(inside) ? push_plain(m, inside, NDP_OBJECT_STRING)
                            : push_decoded(m, inside, decode_escapes, NDP_OBJECT_STRING);
}

enum ndp_status ndp_pickle_machine_take_name(struct ndp_pickle_machine *m, struct ndp_object **out) {
    struct ndp_bytes line;
    NDP_TRY(ndp_pickle_machine_take_line(m, &line));
    if (!ndp_text_is_valid(line)) return ndp_pickle_machine_fail(m, NDP_INVALID, "name is not valid UTF-8");
    *out = ndp_pickle_interned_find(&m->names, line);
    if (*out != NULL) return NDP_OK;
    if (m->source->read != NULL) line.data = ndp_arena_copy(m->objects->arena, line.data, line.size_bytes);
    struct ndp_object *name = line.data == NULL ? NULL : ndp_object_bytes(m->objects, NDP_OBJECT_TEXT, line);
    if (name == NULL || !ndp_pickle_interned_add(&m->names, m->objects->arena, name))
        return ndp_pickle_machine_fail(m, NDP_NOMEM, "out of memory for a name");
    *out = name;
    return NDP_OK;
}
