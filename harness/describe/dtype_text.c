/* dtype_text.c: conversion of a dtype from and to JSON text without a JSON tree.
 *
 * Problem: plugins receive every array with the text of its dtype, and a tree costs an allocation per value.
 *
 * Method: the printer appends text directly. The reader is a recursive descent over exactly the form that the printer
 * writes. For any other text (metadata, quoted numbers, missing or reordered members) and for every error it falls back
 * to the tree, which also produces the error message.
 *
 * Cost: linear in the text, one arena allocation per dtype and text. Limits: recursion is bounded by
 * NDP_MAX_DTYPE_DEPTH.
 */
#include "describe/dtype_json.h"

#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "describe/json_scan.h"
#include "describe/json_write.h"

#define ADD_WORD(buffer, word) ndp_buffer_add((buffer), (word), sizeof(word) - 1)

static enum ndp_status add_leaf(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    NDP_TRY(ADD_WORD(buffer, "\""));
    NDP_TRY(ndp_dtype_add_typestr(buffer, dtype));
    return ADD_WORD(buffer, "\"");
}

static enum ndp_status add_field(struct ndp_buffer *buffer, const struct ndp_field *field) {
    NDP_TRY(ADD_WORD(buffer, "{\"name\":"));
    NDP_TRY(ndp_json_add_text(buffer, field->name));
    if (field->has_title) {
        NDP_TRY(ADD_WORD(buffer, ",\"title\":"));
        NDP_TRY(ndp_json_add_text(buffer, field->title));
    }
    NDP_TRY(ADD_WORD(buffer, ",\"offset\":"));
    NDP_TRY(ndp_json_add_u64(buffer, field->offset_bytes));
    NDP_TRY(ADD_WORD(buffer, ",\"dtype\":"));
    NDP_TRY(ndp_dtype_print(buffer, field->dtype));
    return ADD_WORD(buffer, "}");
}

static enum ndp_status add_struct(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    NDP_TRY(ADD_WORD(buffer, "{\"fields\":["));
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        if (i > 0) NDP_TRY(ADD_WORD(buffer, ","));
        NDP_TRY(add_field(buffer, &dtype->fields[i]));
    }
    NDP_TRY(ADD_WORD(buffer, "],\"itemsize\":"));
    NDP_TRY(ndp_json_add_u64(buffer, dtype->itemsize_bytes));
    return dtype->is_aligned ? ADD_WORD(buffer, ",\"aligned\":true") : NDP_OK;
}

static enum ndp_status add_subarray(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    NDP_TRY(ADD_WORD(buffer, "{\"base\":"));
    NDP_TRY(ndp_dtype_print(buffer, dtype->base));
    NDP_TRY(ADD_WORD(buffer, ",\"shape\":["));
    for (uint32_t i = 0; i < dtype->ndim; i++) {
        if (i > 0) NDP_TRY(ADD_WORD(buffer, ","));
        NDP_TRY(ndp_json_add_i64(buffer, dtype->shape[i]));
    }
    return ADD_WORD(buffer, "]");
}

/* The depth is bounded as in ndp_dtype_to_json. */
enum ndp_status ndp_dtype_print(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    if (dtype->kind == NDP_KIND_STRUCT) {
        NDP_TRY(add_struct(buffer, dtype));
    } else if (dtype->kind == NDP_KIND_SUBARRAY) {
        NDP_TRY(add_subarray(buffer, dtype));
    } else {
        const bool is_registered = dtype->kind == NDP_KIND_REGISTERED;
        if (dtype->metadata.size_bytes == 0 && !is_registered) return add_leaf(buffer, dtype);
        NDP_TRY(ADD_WORD(buffer, "{\"type\":"));
        NDP_TRY(add_leaf(buffer, dtype));
        if (is_registered) {
            NDP_TRY(ADD_WORD(buffer, ",\"registered\":"));
            NDP_TRY(ndp_json_add_text(buffer, dtype->registered));
        }
    }
    if (dtype->metadata.size_bytes > 0) {
        NDP_TRY(ADD_WORD(buffer, ",\"metadata\":"));
        const char *text = (const char *)dtype->metadata.data;
        NDP_TRY(ndp_json_print(buffer, cJSON_ParseWithLength(text, (size_t)dtype->metadata.size_bytes)));
    }
    return ADD_WORD(buffer, "}");
}

/* Reader of texts as ndp_dtype_print writes them. Any other text is UNSUPPORTED here and read as a tree. */
struct plain {
    struct ndp_cursor in;
    struct ndp_arena *arena;
    uint32_t max_depth; /* of nested dtypes */
};

static enum ndp_status read_plain(struct plain *plain, uint32_t depth, const struct ndp_dtype **out);

static bool take_word(struct plain *plain, const char *word, uint64_t size_bytes) {
    struct ndp_cursor *in = &plain->in;
    if (ndp_cursor_left(in) < size_bytes || memcmp(in->data + in->at_bytes, word, (size_t)size_bytes) != 0)
        return false;
    in->at_bytes += size_bytes;
    return true;
}

#define TAKE_WORD(plain, word) take_word((plain), (word), sizeof(word) - 1)

/* Reads the raw string up to the closing quote. The opening quote has been read. */
static bool take_string(struct plain *plain, struct ndp_bytes *out) {
    struct ndp_cursor *in = &plain->in;
    for (uint64_t at = in->at_bytes; at < in->size_bytes; at++) {
        const uint8_t byte = in->data[at];
        if (byte == '"') {
            *out = (struct ndp_bytes){in->data + in->at_bytes, at - in->at_bytes};
            in->at_bytes = at + 1;
            return true;
        }
        if (byte < 0x20) return false;
        if (byte == '\\') at++;
    }
    return false;
}

/* Reads decimal digits that a double represents exactly. */
static bool take_number(struct plain *plain, uint64_t *out) {
    enum { MOST_DIGITS = 15 };
    struct ndp_cursor *in = &plain->in;
    const uint64_t start = in->at_bytes;
    uint64_t value = 0;
    for (; in->at_bytes < in->size_bytes && in->at_bytes - start < MOST_DIGITS; in->at_bytes++) {
        const uint8_t byte = in->data[in->at_bytes];
        if (byte < '0' || byte > '9') break;
        value = value * 10 + (byte - (uint64_t)'0');
    }
    const uint64_t digits = in->at_bytes - start;
    *out = value;
    return digits == 1 || (digits > 1 && in->data[start] != '0');
}

/* The character that a backslash and `byte` stand for, or 0 for an escape of more than two bytes. */
static uint8_t unescape(uint8_t byte) {
    static const char letters[] = "\"\\/bfnrt", stands_for[] = "\"\\/\b\f\n\r\t";
    const char *at = byte != 0 ? strchr(letters, byte) : NULL;
    return at != NULL ? (uint8_t)stands_for[at - letters] : 0;
}

static enum ndp_status take_quoted(struct plain *plain, struct ndp_bytes *out) {
    struct ndp_bytes text;
    if (!take_string(plain, &text)) return NDP_UNSUPPORTED;
    uint8_t *copy = ndp_arena_alloc(plain->arena, text.size_bytes);
    if (copy == NULL) return NDP_NOMEM;
    uint64_t length = 0;
    bool is_ascii = true;
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        uint8_t byte = text.data[i];
        if (byte == '\\') byte = unescape(text.data[++i]);
        if (byte == 0) return NDP_UNSUPPORTED;
        if (byte >= 0x80) is_ascii = false;
        copy[length++] = byte;
    }
    *out = (struct ndp_bytes){copy, length};
    return is_ascii || ndp_text_fits_json(*out) ? NDP_OK : NDP_UNSUPPORTED;
}

static enum ndp_status add_code_points(struct plain *plain, struct ndp_buffer *text) {
    bool is_last = TAKE_WORD(plain, "]}");
    while (!is_last) {
        uint64_t code_point;
        if (text->size_bytes > 0 && !TAKE_WORD(plain, ",")) return NDP_UNSUPPORTED;
        if (!take_number(plain, &code_point) || code_point > 0x10ffff) return NDP_UNSUPPORTED;
        NDP_TRY(ndp_text_add(text, (uint32_t)code_point));
        is_last = TAKE_WORD(plain, "]}");
    }
    return NDP_OK;
}

static enum ndp_status take_code_points(struct plain *plain, struct ndp_bytes *out) {
    struct ndp_buffer text;
    ndp_buffer_init(&text, 4 * plain->in.size_bytes);
    enum ndp_status status = add_code_points(plain, &text);
    if (status == NDP_OK) {
        *out = (struct ndp_bytes){ndp_arena_copy(plain->arena, text.data, text.size_bytes), text.size_bytes};
        if (out->data == NULL) status = NDP_NOMEM;
    }
    ndp_buffer_clear(&text);
    return status;
}

static enum ndp_status take_text(struct plain *plain, struct ndp_bytes *out) {
    if (TAKE_WORD(plain, "\"")) return take_quoted(plain, out);
    return TAKE_WORD(plain, "{\"codepoints\":[") ? take_code_points(plain, out) : NDP_UNSUPPORTED;
}

static enum ndp_status read_field(struct plain *plain, uint32_t depth, struct ndp_field *out) {
    struct ndp_field field = {.has_title = false};
    if (!TAKE_WORD(plain, "{\"name\":")) return NDP_UNSUPPORTED;
    NDP_TRY(take_text(plain, &field.name));
    field.has_title = TAKE_WORD(plain, ",\"title\":");
    if (field.has_title) NDP_TRY(take_text(plain, &field.title));
    if (!TAKE_WORD(plain, ",\"offset\":") || !take_number(plain, &field.offset_bytes)) return NDP_UNSUPPORTED;
    if (!TAKE_WORD(plain, ",\"dtype\":")) return NDP_UNSUPPORTED;
    NDP_TRY(read_plain(plain, depth + 1, &field.dtype));
    if (!TAKE_WORD(plain, "}") || field.offset_bytes > NDP_MAX_ITEMSIZE_BYTES ||
        field.dtype->itemsize_bytes > NDP_MAX_ITEMSIZE_BYTES - field.offset_bytes)
        return NDP_UNSUPPORTED;
    *out = field;
    return NDP_OK;
}

/* Doubles the capacity for fields. */
static enum ndp_status grow_fields(struct plain *plain, struct ndp_field **fields, uint64_t count, uint64_t *room) {
    const uint64_t more = *room == 0 ? 4 : 2 * *room;
    struct ndp_field *grown = NDP_ARENA_ITEMS(plain->arena, struct ndp_field, more);
    if (grown == NULL) return NDP_NOMEM;
    if (count > 0) memcpy(grown, *fields, (size_t)count * sizeof *grown);
    *fields = grown;
    *room = more;
    return NDP_OK;
}

static enum ndp_status read_struct(struct plain *plain, uint32_t depth, struct ndp_dtype *out) {
    struct ndp_field *fields = NULL;
    uint64_t count = 0, room = 0;
    bool is_last = TAKE_WORD(plain, "]");
    while (!is_last) {
        if (count == NDP_MAX_FIELDS || (count > 0 && !TAKE_WORD(plain, ","))) return NDP_UNSUPPORTED;
        if (count == room) NDP_TRY(grow_fields(plain, &fields, count, &room));
        NDP_TRY(read_field(plain, depth, &fields[count++]));
        is_last = TAKE_WORD(plain, "]");
    }
    out->kind = NDP_KIND_STRUCT;
    out->fields = fields;
    out->field_count = count;
    if (!TAKE_WORD(plain, ",\"itemsize\":") || !take_number(plain, &out->itemsize_bytes)) return NDP_UNSUPPORTED;
    out->is_aligned = TAKE_WORD(plain, ",\"aligned\":true");
    return TAKE_WORD(plain, "}") ? NDP_OK : NDP_UNSUPPORTED;
}

static enum ndp_status read_subarray(struct plain *plain, uint32_t depth, struct ndp_dtype *out) {
    int64_t shape[NDP_MAX_NDIM];
    uint64_t extent, count_elems;
    out->kind = NDP_KIND_SUBARRAY;
    NDP_TRY(read_plain(plain, depth + 1, &out->base));
    if (!TAKE_WORD(plain, ",\"shape\":[")) return NDP_UNSUPPORTED;
    bool is_last = TAKE_WORD(plain, "]");
    while (!is_last) {
        if (out->ndim == NDP_MAX_NDIM || (out->ndim > 0 && !TAKE_WORD(plain, ","))) return NDP_UNSUPPORTED;
        if (!take_number(plain, &extent)) return NDP_UNSUPPORTED;
        shape[out->ndim++] = (int64_t)extent;
        is_last = TAKE_WORD(plain, "]");
    }
    out->shape = ndp_arena_copy(plain->arena, shape, out->ndim * sizeof shape[0]);
    if (out->shape == NULL) return NDP_NOMEM;
    if (!ndp_checked_subarray_fits(shape, out->ndim, out->base->itemsize_bytes, &count_elems, &out->itemsize_bytes))
        return NDP_UNSUPPORTED;
    return TAKE_WORD(plain, "}") ? NDP_OK : NDP_UNSUPPORTED;
}

static enum ndp_status read_plain(struct plain *plain, uint32_t depth, const struct ndp_dtype **out) {
    struct ndp_bytes typestr;
    if (depth >= plain->max_depth) return NDP_UNSUPPORTED;
    struct ndp_dtype *dtype = NDP_ARENA_NEW(plain->arena, struct ndp_dtype);
    if (dtype == NULL) return NDP_NOMEM;
    if (TAKE_WORD(plain, "\"")) {
        if (!take_string(plain, &typestr) || ndp_dtype_read_typestr(typestr, dtype, NULL) != NDP_OK)
            return NDP_UNSUPPORTED;
    } else if (TAKE_WORD(plain, "{\"fields\":[")) {
        NDP_TRY(read_struct(plain, depth, dtype));
    } else if (TAKE_WORD(plain, "{\"base\":")) {
        NDP_TRY(read_subarray(plain, depth, dtype));
    } else {
        return NDP_UNSUPPORTED;
    }
    *out = dtype;
    return NDP_OK;
}

/* Reads the whole text without a tree, unless the limits on a tree could apply. */
static enum ndp_status parse_plain(struct ndp_arena *arena, struct ndp_bytes text,
                                   const struct ndp_describe_limits *limits, const struct ndp_dtype **out) {
    enum { TREE_LEVELS = 3 }; /* tree levels from a dtype to a nested dtype */
    struct plain plain = {.in = ndp_cursor_view(text), .arena = arena, .max_depth = limits->depth / TREE_LEVELS};
    const struct ndp_dtype *dtype;
    const uint64_t max_values = limits->values > 0 ? limits->values : NDP_JSON_MAX_VALUES;
    if (plain.max_depth > NDP_MAX_DTYPE_DEPTH) plain.max_depth = NDP_MAX_DTYPE_DEPTH;
    if (text.size_bytes > limits->text_bytes || text.size_bytes > max_values) return NDP_UNSUPPORTED;
    NDP_TRY(read_plain(&plain, 0, &dtype));
    if (ndp_cursor_left(&plain.in) > 0) return NDP_UNSUPPORTED;
    const enum ndp_status status = ndp_dtype_check(dtype, NULL);
    if (status != NDP_OK) return status == NDP_NOMEM ? status : NDP_UNSUPPORTED;
    *out = dtype;
    return NDP_OK;
}

enum ndp_status ndp_dtype_parse(struct ndp_arena *arena, struct ndp_bytes text,
                                const struct ndp_describe_limits *limits, const struct ndp_dtype **out,
                                struct ndp_error *error) {
    enum ndp_status status = parse_plain(arena, text, limits, out);
    if (status == NDP_OK) return NDP_OK;
    if (status == NDP_NOMEM) return ndp_error_set(error, status, NDP_NO_OFFSET, "no memory for a dtype");
    cJSON *tree;
    NDP_TRY(ndp_json_parse(text, limits, &tree, error));
    status = ndp_dtype_from_json(arena, tree, limits, out, error);
    cJSON_Delete(tree);
    return status;
}
