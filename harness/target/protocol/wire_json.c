#include "target/protocol/wire_json.h"

#include "base/checked.h"
#include "base/text.h"

#include <string.h>

const char *const ndp_wire_claims_words[NDP_WIRE_CLAIMS] = {
    [NDP_BACKING_NONE] = "none", [NDP_BACKING_CASE] = "case", [NDP_BACKING_OTHER] = "other"};

const struct ndp_describe_limits ndp_wire_json_limits = {
    .text_bytes = UINT64_C(1) << 28,
    .value_bytes = UINT64_C(1) << 40,
    .depth = 320, /* a dtype of maximum depth takes four levels for each of its own, at most 64 */
};

/* The largest integer that every JSON reader represents exactly. */
#define LARGEST_NUMBER ((UINT64_C(1) << 53) - 1)

enum ndp_status ndp_wire_json_text(struct ndp_json_reader *reader, const cJSON *item, char *out, size_t out_bytes) {
    if (!cJSON_IsString(item)) return ndp_json_blame(reader, item, NDP_INVALID, "expected a string");
    const size_t size_bytes = strlen(item->valuestring);
    if (size_bytes >= out_bytes)
        return ndp_json_blame(reader, item, NDP_INVALID, "the string of %zu bytes is longer than the maximum of %zu",
                              size_bytes, out_bytes - 1);
    for (size_t i = 0; i < size_bytes; i++) {
        if ((unsigned char)item->valuestring[i] < ' ')
            return ndp_json_blame(reader, item, NDP_INVALID, "a control character in a string");
    }
    memcpy(out, item->valuestring, size_bytes + 1);
    return NDP_OK;
}

enum ndp_status ndp_wire_json_cut_text(struct ndp_json_reader *reader, const cJSON *item, char *out, size_t out_bytes) {
    if (!cJSON_IsString(item)) return ndp_json_blame(reader, item, NDP_INVALID, "expected a string");
    size_t size_bytes = strlen(item->valuestring);
    if (size_bytes >= out_bytes) {
        size_bytes = out_bytes - 1;
        while (size_bytes > 0 && ((unsigned char)item->valuestring[size_bytes] & 0xc0) == 0x80) size_bytes--;
    }
    for (size_t i = 0; i < size_bytes; i++) {
        const char c = item->valuestring[i];
        out[i] = (unsigned char)c < ' ' ? '?' : c;
    }
    out[size_bytes] = '\0';
    return NDP_OK;
}

enum ndp_status ndp_wire_json_word(struct ndp_json_reader *reader, const cJSON *item, const char *const *words,
                                   uint32_t count, uint32_t *out) {
    if (!cJSON_IsString(item)) return ndp_json_blame(reader, item, NDP_INVALID, "expected a string");
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(item->valuestring, words[i]) != 0) continue;
        *out = i;
        return NDP_OK;
    }
    return ndp_json_blame(reader, item, NDP_INVALID, "unknown word \"%.40s\"", item->valuestring);
}

enum ndp_status ndp_wire_json_piece(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes binary,
                                    struct ndp_bytes *out) {
    const cJSON *offset = cJSON_IsArray(item) ? item->child : NULL;
    const cJSON *length = offset ? offset->next : NULL;
    if (!length || length->next) return ndp_json_blame(reader, item, NDP_INVALID, "expected [offset, length]");
    uint64_t offset_bytes, size_bytes, end_bytes;
    NDP_TRY(ndp_json_at(reader, offset, ndp_json_u64(offset, &offset_bytes, reader->error)));
    NDP_TRY(ndp_json_at(reader, length, ndp_json_u64(length, &size_bytes, reader->error)));
    if (!ndp_checked_add_u64(offset_bytes, size_bytes, &end_bytes) || end_bytes > binary.size_bytes)
        return ndp_json_blame(
            reader, item, NDP_INVALID, "%llu bytes at offset %llu are not in a binary part of %llu bytes",
            (unsigned long long)size_bytes, (unsigned long long)offset_bytes, (unsigned long long)binary.size_bytes);
    *out = (struct ndp_bytes){binary.data + offset_bytes, size_bytes};
    return NDP_OK;
}

enum ndp_status ndp_wire_json_pieces(struct ndp_json_reader *reader, const cJSON *array, struct ndp_bytes binary,
                                     uint32_t max, struct ndp_bytes *out, uint32_t *count) {
    if (!cJSON_IsArray(array)) return ndp_json_blame(reader, array, NDP_INVALID, "expected a list");
    uint32_t found = 0;
    for (const cJSON *item = array->child; item; item = item->next) {
        if (found == max) return ndp_json_blame(reader, item, NDP_LIMIT, "more than %u entries", max);
        NDP_TRY(ndp_wire_json_piece(reader, item, binary, &out[found]));
        found++;
    }
    *count = found;
    return NDP_OK;
}

enum ndp_status ndp_wire_json_required(struct ndp_json_reader *reader, const cJSON *object, const cJSON *member,
                                       const char *key) {
    if (member) return NDP_OK;
    return ndp_json_blame(reader, object, NDP_INVALID, "missing member \"%s\"", key);
}

enum ndp_status ndp_wire_json_add(struct ndp_buffer *out, const char *text) {
    return ndp_buffer_add(out, text, strlen(text));
}

enum ndp_status ndp_wire_json_add_string(struct ndp_buffer *out, const char *text) {
    static const char digits[] = "0123456789abcdef";
    struct ndp_cursor cursor = ndp_cursor_view(ndp_bytes_view(text));
    NDP_TRY(ndp_wire_json_add(out, "\""));
    while (ndp_cursor_left(&cursor) > 0) {
        const uint64_t at = cursor.at_bytes;
        const uint8_t byte = cursor.data[at];
        uint32_t code_point;
        if (byte == '"' || byte == '\\') {
            const char escaped[2] = {'\\', (char)byte};
            cursor.at_bytes++;
            NDP_TRY(ndp_buffer_add(out, escaped, sizeof escaped));
        } else if (byte < ' ') {
            const char escaped[6] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
            cursor.at_bytes++;
            NDP_TRY(ndp_buffer_add(out, escaped, sizeof escaped));
        } else if (ndp_text_next(&cursor, &code_point) != NDP_OK || (code_point >= 0xd800 && code_point <= 0xdfff)) {
            cursor.at_bytes = at + 1;
            NDP_TRY(ndp_wire_json_add(out, "?"));
        } else {
            NDP_TRY(ndp_buffer_add(out, cursor.data + at, cursor.at_bytes - at));
        }
    }
    return ndp_wire_json_add(out, "\"");
}

enum ndp_status ndp_wire_json_add_u64(struct ndp_buffer *out, uint64_t number) {
    char text[24]; /* twenty digits and two quotes, filled from the end */
    size_t at = sizeof text;
    const bool is_quoted = number > LARGEST_NUMBER;
    if (is_quoted) text[--at] = '"';
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    if (is_quoted) text[--at] = '"';
    return ndp_buffer_add(out, text + at, sizeof text - at);
}

enum ndp_status ndp_wire_json_add_i64(struct ndp_buffer *out, int64_t number) {
    if (number >= 0) return ndp_wire_json_add_u64(out, (uint64_t)number);
    const uint64_t magnitude = ~(uint64_t)number + 1;
    if (magnitude > LARGEST_NUMBER) return ndp_buffer_printf(out, "\"-%llu\"", (unsigned long long)magnitude);
    NDP_TRY(ndp_wire_json_add(out, "-"));
    return ndp_wire_json_add_u64(out, magnitude);
}

enum ndp_status ndp_wire_json_add_extents(struct ndp_buffer *out, const int64_t *items, uint32_t count) {
    NDP_TRY(ndp_wire_json_add(out, "["));
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) NDP_TRY(ndp_wire_json_add(out, ","));
        NDP_TRY(ndp_wire_json_add_i64(out, items[i]));
    }
    return ndp_wire_json_add(out, "]");
}

enum ndp_status ndp_wire_json_add_piece(struct ndp_buffer *out, struct ndp_bytes piece, uint64_t *binary_bytes) {
    uint64_t end_bytes;
    if (!ndp_checked_add_u64(*binary_bytes, piece.size_bytes, &end_bytes)) return NDP_LIMIT;
    NDP_TRY(ndp_wire_json_add(out, "["));
    NDP_TRY(ndp_wire_json_add_u64(out, *binary_bytes));
    NDP_TRY(ndp_wire_json_add(out, ","));
    NDP_TRY(ndp_wire_json_add_u64(out, piece.size_bytes));
    NDP_TRY(ndp_wire_json_add(out, "]"));
    *binary_bytes = end_bytes;
    return NDP_OK;
}
