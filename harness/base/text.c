#include "base/text.h"

#include <string.h>

/* Properties of a lead byte: length, its payload bits, and the smallest code point that needs this length (a smaller
 * one is an overlong form). Source: RFC 3629, section 3. */
struct lead {
    uint32_t length_bytes;
    uint32_t bits;
    uint32_t smallest;
};

static struct lead lead_of(uint8_t byte) {
    if (byte < 0x80) return (struct lead){1, byte, 0};
    if (byte >= 0xc2 && byte <= 0xdf) return (struct lead){2, byte & 0x1fu, 0x80};
    if (byte >= 0xe0 && byte <= 0xef) return (struct lead){3, byte & 0x0fu, 0x800};
    if (byte >= 0xf0 && byte <= 0xf4) return (struct lead){4, byte & 0x07u, 0x10000};
    return (struct lead){0, 0, 0};
}

enum ndp_status ndp_text_next(struct ndp_cursor *cursor, uint32_t *code_point) {
    const uint64_t left_bytes = ndp_cursor_left(cursor);
    if (left_bytes == 0) return NDP_TRUNCATED;
    const uint8_t *at = cursor->data + cursor->at_bytes;
    if (at[0] < 0x80) {
        cursor->at_bytes++;
        *code_point = at[0];
        return NDP_OK;
    }
    const struct lead lead = lead_of(at[0]);
    if (lead.length_bytes == 0) return NDP_INVALID;
    uint32_t value = lead.bits;
    for (uint32_t i = 1; i < lead.length_bytes; i++) {
        if (i >= left_bytes) return NDP_TRUNCATED;
        if ((at[i] & 0xc0) != 0x80) return NDP_INVALID;
        value = value << 6 | (at[i] & 0x3fu);
        /* The second byte decides both, so that a truncated overlong form is invalid, not truncated. */
        const uint32_t shift = 6 * (lead.length_bytes - 1 - i);
        if (i == 1 && (value << shift | ((1u << shift) - 1)) < lead.smallest) return NDP_INVALID;
        if (i == 1 && value << shift > 0x10ffff) return NDP_INVALID;
    }
    cursor->at_bytes += lead.length_bytes;
    *code_point = value;
    return NDP_OK;
}

enum ndp_status ndp_text_add(struct ndp_buffer *buffer, uint32_t code_point) {
    uint8_t bytes[4];
    const uint8_t low = (uint8_t)(0x80 | (code_point & 0x3f));
    if (code_point < 0x80) {
        bytes[0] = (uint8_t)code_point;
        return ndp_buffer_add(buffer, bytes, 1);
    }
    if (code_point < 0x800) {
        bytes[0] = (uint8_t)(0xc0 | code_point >> 6);
        bytes[1] = low;
        return ndp_buffer_add(buffer, bytes, 2);
    }
    if (code_point < 0x10000) {
        bytes[0] = (uint8_t)(0xe0 | code_point >> 12);
        bytes[1] = (uint8_t)(0x80 | (code_point >> 6 & 0x3f));
        bytes[2] = low;
        return ndp_buffer_add(buffer, bytes, 3);
    }
    if (code_point > 0x10ffff) return NDP_INVALID;
    bytes[0] = (uint8_t)(0xf0 | code_point >> 18);
    bytes[1] = (uint8_t)(0x80 | (code_point >> 12 & 0x3f));
    bytes[2] = (uint8_t)(0x80 | (code_point >> 6 & 0x3f));
    bytes[3] = low;
    return ndp_buffer_add(buffer, bytes, 4);
}

/* The top bits of eight characters, all zero in ASCII. */
static uint64_t top_bits(const uint8_t *characters) {
    uint64_t eight;
    memcpy(&eight, characters, sizeof eight);
    return eight & UINT64_C(0x8080808080808080);
}

bool ndp_text_is_valid(struct ndp_bytes text) {
    struct ndp_cursor cursor = ndp_cursor_view(text);
    uint32_t code_point;
    while (ndp_cursor_left(&cursor) > 0) {
        if (ndp_cursor_left(&cursor) >= 8 && top_bits(text.data + cursor.at_bytes) == 0) {
            cursor.at_bytes += 8;
        } else if (text.data[cursor.at_bytes] < 0x80) {
            cursor.at_bytes++;
        } else if (ndp_text_next(&cursor, &code_point) != NDP_OK) {
            return false;
        }
    }
    return true;
}

bool ndp_text_has_surrogate(struct ndp_bytes text) {
    for (uint64_t i = 1; i < text.size_bytes; i++)
        if (text.data[i - 1] == 0xed && text.data[i] >= 0xa0) return true;
    return false;
}

bool ndp_text_fits_json(struct ndp_bytes text) {
    struct ndp_cursor cursor = ndp_cursor_view(text);
    uint32_t code_point;
    for (;;) {
        while (cursor.at_bytes < text.size_bytes && text.data[cursor.at_bytes] - 1u < 0x7fu) cursor.at_bytes++;
        if (ndp_cursor_left(&cursor) == 0) return true;
        if (ndp_text_next(&cursor, &code_point) != NDP_OK) return false;
        if (code_point == 0 || (code_point >= 0xd800 && code_point <= 0xdfff)) return false;
    }
}

void ndp_text_show(struct ndp_bytes bytes, char *out, size_t out_bytes) {
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        const uint8_t byte = bytes.data[i];
        const bool is_seen = byte >= ' ' && byte < 0x7f;
        if (out_bytes - at <= (is_seen ? 1 : 4)) break;
        if (!is_seen) {
            out[at++] = '\\';
            out[at++] = 'x';
            out[at++] = digits[byte >> 4];
        }
        out[at++] = is_seen ? (char)byte : digits[byte & 15];
    }
    out[at] = '\0';
}

void ndp_text_cut(const char *text, char *out, size_t out_bytes) {
    size_t length = 0;
    for (; length + 1 < out_bytes && text[length] != '\0'; length++) out[length] = text[length];
    out[length] = '\0';
}
