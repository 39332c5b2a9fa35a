#include "codec/npy/py_repr.h"

#include <string.h>

#include "base/text.h"

static enum ndp_status add_hex(struct ndp_buffer *buffer, char letter, uint32_t value, uint32_t digits) {
    static const char hex[] = "0123456789abcdef";
    char text[10] = {'\\', letter};
    for (uint32_t i = 0; i < digits; i++) text[2 + i] = hex[value >> (4 * (digits - 1 - i)) & 15];
    return ndp_buffer_add(buffer, text, 2 + digits);
}

static enum ndp_status add_escaped(struct ndp_buffer *buffer, uint32_t code_point) {
    switch (code_point) {
    case '\t':
        return ndp_buffer_add(buffer, "\\t", 2);
    case '\n':
        return ndp_buffer_add(buffer, "\\n", 2);
    case '\r':
        return ndp_buffer_add(buffer, "\\r", 2);
    default:
        break;
    }
    if (code_point <= 0xff) return add_hex(buffer, 'x', code_point, 2);
    if (code_point <= 0xffff) return add_hex(buffer, 'u', code_point, 4);
    return add_hex(buffer, 'U', code_point, 8);
}

/* Uses double quotes only if that avoids escaping a single quote. */
static char quote_for(struct ndp_bytes text) {
    const bool has_single = text.size_bytes > 0 && memchr(text.data, '\'', (size_t)text.size_bytes) != NULL;
    const bool has_double = text.size_bytes > 0 && memchr(text.data, '"', (size_t)text.size_bytes) != NULL;
    return has_single && !has_double ? '"' : '\'';
}

enum ndp_status ndp_py_repr_text(struct ndp_buffer *buffer, struct ndp_bytes text, uint32_t *highest) {
    const char quote = quote_for(text);
    struct ndp_cursor cursor = ndp_cursor_view(text);
    NDP_TRY(ndp_buffer_add(buffer, &quote, 1));
    while (ndp_cursor_left(&cursor) > 0) {
        uint32_t code_point = 0;
        NDP_TRY(ndp_text_next(&cursor, &code_point) == NDP_OK ? NDP_OK : NDP_INVALID);
        if (code_point == '\\' || code_point == (uint32_t)quote) {
            NDP_TRY(ndp_buffer_add(buffer, "\\", 1));
            NDP_TRY(ndp_text_add(buffer, code_point));
        } else if (!ndp_py_repr_is_printable(code_point)) {
            NDP_TRY(add_escaped(buffer, code_point));
        } else {
            if (code_point > *highest) *highest = code_point;
            NDP_TRY(ndp_text_add(buffer, code_point));
        }
    }
    return ndp_buffer_add(buffer, &quote, 1);
}

enum ndp_status ndp_py_repr_int(struct ndp_buffer *buffer, int64_t number) {
    char text[24];
    size_t at = sizeof(text);
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        text[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (number < 0) text[--at] = '-';
    return ndp_buffer_add(buffer, text + at, sizeof(text) - at);
}

enum ndp_status ndp_py_repr_shape(struct ndp_buffer *buffer, const int64_t *shape, uint32_t ndim) {
    NDP_TRY(ndp_buffer_add(buffer, "(", 1));
    for (uint32_t k = 0; k < ndim; k++) {
        if (k > 0) NDP_TRY(ndp_buffer_add(buffer, ", ", 2));
        NDP_TRY(ndp_py_repr_int(buffer, shape[k]));
    }
    return ndim == 1 ? ndp_buffer_add(buffer, ",)", 2) : ndp_buffer_add(buffer, ")", 1);
}
