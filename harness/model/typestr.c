#include "base/checked.h"
#include "model/dtype.h"

#include <string.h>

/* The kinds of the kind characters. */
static bool kind_of_code(uint8_t code, enum ndp_kind *kind) {
    switch (code) {
#define CASE_KIND(name, letter, text)                                                                                  \
    case letter:                                                                                                       \
        *kind = NDP_KIND_##name;                                                                                       \
        return NDP_KIND_##name < NDP_KIND_STRUCT;
        NDP_KIND_LIST(CASE_KIND)
    default:
        return false;
    }
}

static char code_of_kind(enum ndp_kind kind) {
    switch (kind) {
#define CASE_CODE(name, letter, text)                                                                                  \
    case NDP_KIND_##name:                                                                                              \
        return letter;
        NDP_KIND_LIST(CASE_CODE)
    case NDP_KIND_COUNT:
        break;
    }
    return '?';
}

static const char *text_of_unit(enum ndp_unit unit) {
    switch (unit) {
#define CASE_UNIT(name, text)                                                                                          \
    case NDP_UNIT_##name:                                                                                              \
        return text;
        NDP_UNIT_LIST(CASE_UNIT)
    case NDP_UNIT_COUNT:
        break;
    }
    return "";
}

static bool is_digit(const struct ndp_cursor *in) {
    return in->at_bytes < in->size_bytes && in->data[in->at_bytes] >= '0' && in->data[in->at_bytes] <= '9';
}

/* Reads a decimal number without leading zeros. Errors: INVALID, LIMIT above `largest`; the place is in->at_bytes. */
static enum ndp_status read_number(struct ndp_cursor *in, uint64_t largest, uint64_t *out) {
    uint64_t value = 0;
    if (!is_digit(in)) return NDP_INVALID;
    const bool is_zero = in->data[in->at_bytes] == '0';
    while (is_digit(in)) {
        if (value > 0 || !is_zero) {
            value = value * 10 + (uint64_t)(in->data[in->at_bytes] - '0');
        } else if (in->at_bytes > 0 && in->data[in->at_bytes - 1] == '0') {
            return NDP_INVALID;
        }
        if (value > largest) return NDP_LIMIT;
        in->at_bytes++;
    }
    *out = value;
    return NDP_OK;
}

static enum ndp_status read_order(struct ndp_cursor *in, enum ndp_byte_order *out) {
    *out = NDP_ORDER_NATIVE;
    if (in->size_bytes == 0) return NDP_TRUNCATED;
    switch (in->data[0]) {
    case '<':
        *out = NDP_ORDER_LITTLE;
        break;
    case '>':
        *out = NDP_ORDER_BIG;
        break;
    case '|':
        *out = NDP_ORDER_NONE;
        break;
    case '=':
        break;
    default:
        return NDP_OK;
    }
    in->at_bytes = 1;
    return NDP_OK;
}

/* Reads "[25us]" up to its end. An empty text is the generic unit. */
static enum ndp_status read_unit(struct ndp_cursor *in, struct ndp_dtype *out) {
    uint64_t multiple = 1;
    out->unit_multiple = 1;
    if (ndp_cursor_left(in) == 0) return NDP_OK;
    if (in->data[in->at_bytes] != '[') return NDP_INVALID;
    in->at_bytes++;
    if (is_digit(in)) {
        NDP_TRY(read_number(in, INT32_MAX, &multiple));
        if (multiple < 2) return NDP_INVALID;
    }
    for (int unit = NDP_UNIT_YEAR; unit < NDP_UNIT_COUNT; unit++) {
        const char *text = text_of_unit((enum ndp_unit)unit);
        const size_t length = strlen(text);
        if (ndp_cursor_left(in) != length + 1 || memcmp(in->data + in->at_bytes, text, length) != 0) continue;
        if (in->data[in->at_bytes + length] != ']') continue;
        in->at_bytes += length + 1;
        out->unit = (enum ndp_unit)unit;
        out->unit_multiple = (uint32_t)multiple;
        return NDP_OK;
    }
    return NDP_INVALID;
}

static enum ndp_status read_size(struct ndp_cursor *in, struct ndp_dtype *out) {
    out->itemsize_bytes = 8;
    if (out->kind == NDP_KIND_OBJECT) return NDP_OK;
    const uint64_t scale = out->kind == NDP_KIND_TEXT ? 4 : 1;
    NDP_TRY(read_number(in, NDP_MAX_ITEMSIZE_BYTES / scale, &out->itemsize_bytes));
    out->itemsize_bytes *= scale;
    if (out->kind == NDP_KIND_DATETIME || out->kind == NDP_KIND_TIMEDELTA) return read_unit(in, out);
    return NDP_OK;
}

/* Without a byte order, '=' and a missing character are ignored, and only then '|' is allowed. */
static enum ndp_status settle_order(struct ndp_dtype *out) {
    if (!ndp_dtype_needs_order(out)) {
        if (out->order == NDP_ORDER_LITTLE || out->order == NDP_ORDER_BIG) return NDP_INVALID;
        out->order = NDP_ORDER_NONE;
        return NDP_OK;
    }
    return out->order == NDP_ORDER_NONE ? NDP_INVALID : NDP_OK;
}

static enum ndp_status read_all(struct ndp_cursor *in, struct ndp_dtype *out) {
    NDP_TRY(read_order(in, &out->order));
    if (ndp_cursor_left(in) == 0) return NDP_TRUNCATED;
    if (!kind_of_code(in->data[in->at_bytes], &out->kind)) return NDP_INVALID;
    in->at_bytes++;
    NDP_TRY(read_size(in, out));
    if (ndp_cursor_left(in) > 0) return NDP_INVALID;
    const uint64_t end_bytes = in->at_bytes;
    in->at_bytes = 0;
    NDP_TRY(settle_order(out));
    in->at_bytes = end_bytes;
    return NDP_OK;
}

enum ndp_status ndp_dtype_read_typestr(struct ndp_bytes text, struct ndp_dtype *out, struct ndp_error *error) {
    struct ndp_cursor in = ndp_cursor_view(text);
    struct ndp_dtype dtype = {.kind = NDP_KIND_BOOL};
    enum ndp_status status = read_all(&in, &dtype);
    if (status == NDP_TRUNCATED) status = NDP_INVALID;
    if (status == NDP_LIMIT)
        return ndp_error_set(error, NDP_LIMIT, in.at_bytes, "the number in the typestr is too large");
    if (status == NDP_OK && ndp_dtype_check(&dtype, NULL) != NDP_OK) {
        in.at_bytes = in.size_bytes;
        status = NDP_INVALID;
    }
    if (status != NDP_OK) return ndp_error_set(error, status, in.at_bytes, "the typestr is not in NumPy's form");
    *out = dtype;
    return NDP_OK;
}

static char code_of_order(enum ndp_byte_order order) {
    switch (order) {
    case NDP_ORDER_NONE:
        return '|';
    case NDP_ORDER_LITTLE:
        return '<';
    case NDP_ORDER_BIG:
        return '>';
    case NDP_ORDER_NATIVE:
        return '=';
    }
    return '?';
}

static enum ndp_status add_number(struct ndp_buffer *buffer, uint64_t number) {
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return ndp_buffer_add(buffer, digits + at, sizeof digits - at);
}

enum ndp_status ndp_dtype_add_typestr(struct ndp_buffer *buffer, const struct ndp_dtype *dtype) {
    const unsigned long long size = dtype->itemsize_bytes;
    if (dtype->kind >= NDP_KIND_STRUCT) return ndp_buffer_printf(buffer, "|V%llu", size);
    const char start[] = {code_of_order(dtype->order), code_of_kind(dtype->kind)};
    NDP_TRY(ndp_buffer_add(buffer, start, sizeof start));
    if (dtype->kind == NDP_KIND_OBJECT) return NDP_OK;
    NDP_TRY(add_number(buffer, dtype->kind == NDP_KIND_TEXT ? size / 4 : size));
    if (dtype->unit == NDP_UNIT_GENERIC) return NDP_OK;
    if (dtype->unit_multiple == 1) return ndp_buffer_printf(buffer, "[%s]", text_of_unit(dtype->unit));
    return ndp_buffer_printf(buffer, "[%lu%s]", (unsigned long)dtype->unit_multiple, text_of_unit(dtype->unit));
}
