/* leaf_compare.c: comparison and printing of leaves. Units are compared bytewise from the least significant byte, so
 * that byte orders may differ and every NaN payload counts unless it is masked. */
#include "base/byteorder.h"
#include "model/equality.h"
#include "model/leaf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Byte number `i` of a unit, least significant first. */
static uint8_t unit_byte(const uint8_t *unit, uint64_t unit_bytes, enum ndp_byte_order order, uint64_t i) {
    return unit[order == NDP_ORDER_BIG ? unit_bytes - 1 - i : i];
}

/* The number in a unit of 1 to 8 bytes. */
static uint64_t unit_value(const uint8_t *unit, uint64_t unit_bytes, enum ndp_byte_order order) {
    uint64_t value = 0;
    for (uint64_t i = 0; i < unit_bytes; i++) value |= (uint64_t)unit_byte(unit, unit_bytes, order, i) << (8 * i);
    return value;
}

static bool is_unit_equal(const struct ndp_dtype *a, const uint8_t *x, const struct ndp_dtype *b, const uint8_t *y,
                          uint64_t unit_bytes) {
    const uint64_t counted_bytes = ndp_leaf_is_longdouble(a) ? 10 : unit_bytes;
    for (uint64_t i = 0; i < counted_bytes; i++)
        if (unit_byte(x, unit_bytes, a->order, i) != unit_byte(y, unit_bytes, b->order, i)) return false;
    return true;
}

/* Only x87 encodings with the integer bit set are NaNs; invalid encodings are compared bit by bit. */
static bool is_nan(const struct ndp_dtype *leaf, const uint8_t *unit, uint64_t unit_bytes) {
    uint64_t low = 0;
    if (unit_bytes <= 8) low = unit_value(unit, unit_bytes, leaf->order);
    switch (unit_bytes) {
    case 2:
        return (low & 0x7fff) > 0x7c00;
    case 4:
        return (low & 0x7fffffff) > 0x7f800000;
    case 8:
        return (low & INT64_MAX) > UINT64_C(0x7ff0000000000000);
    default:
        break;
    }
    for (uint64_t i = 0; i < 8; i++) low |= (uint64_t)unit_byte(unit, unit_bytes, leaf->order, i) << (8 * i);
    const unsigned high = unit_byte(unit, unit_bytes, leaf->order, 9);
    const unsigned exponent = (high & 0x7f) << 8 | unit_byte(unit, unit_bytes, leaf->order, 8);
    return exponent == 0x7fff && low > UINT64_C(0x8000000000000000);
}

/* Units of S and U beyond the end of the shorter text count as NUL. */
static bool is_text_equal(const struct ndp_dtype *a, const uint8_t *x, const struct ndp_dtype *b, const uint8_t *y) {
    const uint64_t unit_bytes = ndp_leaf_unit_bytes(a);
    for (uint64_t at = 0; at < a->itemsize_bytes || at < b->itemsize_bytes; at += unit_bytes) {
        const uint64_t left = at < a->itemsize_bytes ? unit_value(x + at, unit_bytes, a->order) : 0;
        const uint64_t right = at < b->itemsize_bytes ? unit_value(y + at, unit_bytes, b->order) : 0;
        if (left != right) return false;
    }
    return true;
}

bool ndp_leaf_is_equal(const struct ndp_dtype *a, const uint8_t *x, const struct ndp_dtype *b, const uint8_t *y,
                       uint32_t mask) {
    const uint64_t unit_bytes = ndp_leaf_unit_bytes(a);
    const bool is_float = a->kind == NDP_KIND_FLOAT || a->kind == NDP_KIND_COMPLEX;
    if (a->itemsize_bytes != b->itemsize_bytes) return is_text_equal(a, x, b, y);
    if (a->itemsize_bytes == 0) return true;
    if (a->order == b->order && memcmp(x, y, (size_t)a->itemsize_bytes) == 0) return true;
    for (uint64_t at = 0; at < a->itemsize_bytes; at += unit_bytes) {
        if (is_unit_equal(a, x + at, b, y + at, unit_bytes)) continue;
        if ((mask & NDP_MASK_NAN_PAYLOAD) == 0 || !is_float) return false;
        if (!is_nan(a, x + at, unit_bytes) || !is_nan(b, y + at, unit_bytes)) return false;
    }
    return true;
}

/* A text truncated to its buffer. */
struct print {
    char *out;
    size_t room;
    size_t length;
};

NDP_PRINTF(2, 3) static void print_add(struct print *print, const char *format, ...);

static void print_add(struct print *print, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(print->out + print->length, print->room - print->length, format, arguments);
    va_end(arguments);
    if (length > 0) print->length += (size_t)length;
    if (print->length >= print->room) print->length = print->room - 1;
}

static void print_float(struct print *print, const struct ndp_dtype *leaf, const uint8_t *unit, uint64_t unit_bytes) {
    if (unit_bytes == 4) {
        const uint32_t bits = (uint32_t)unit_value(unit, 4, leaf->order);
        float value;
        memcpy(&value, &bits, sizeof value);
        print_add(print, "%.9g ", (double)value);
    }
    if (unit_bytes == 8) {
        const uint64_t bits = unit_value(unit, 8, leaf->order);
        double value;
        memcpy(&value, &bits, sizeof value);
        print_add(print, "%.17g ", value);
    }
    print_add(print, "0x");
    for (uint64_t i = unit_bytes == 16 ? 10 : unit_bytes; i-- > 0;)
        print_add(print, "%02x", unit_byte(unit, unit_bytes, leaf->order, i));
}

static void print_integer(struct print *print, const struct ndp_dtype *leaf, const uint8_t *at) {
    const uint64_t value = unit_value(at, leaf->itemsize_bytes, leaf->order);
    const unsigned shift = (unsigned)(64 - 8 * leaf->itemsize_bytes);
    const bool is_time = leaf->kind == NDP_KIND_DATETIME || leaf->kind == NDP_KIND_TIMEDELTA;
    if (is_time && value == UINT64_C(1) << 63) {
        print_add(print, "NaT");
    } else if (leaf->kind == NDP_KIND_UINT) {
        print_add(print, "%" PRIu64, value);
    } else if (leaf->itemsize_bytes > 0) {
        const uint64_t sign = value << shift >> 63;
        const uint64_t extended = sign && shift > 0 ? value | UINT64_MAX << (64 - shift) : value;
        print_add(print, "%" PRId64, (int64_t)extended);
    }
}

static void print_units(struct print *print, const struct ndp_dtype *leaf, const uint8_t *at) {
    const uint64_t unit_bytes = ndp_leaf_unit_bytes(leaf);
    print_add(print, leaf->itemsize_bytes == 0 ? "empty" : unit_bytes == 1 ? "hex " : "");
    for (uint64_t i = 0; i < leaf->itemsize_bytes && print->length + 1 < print->room; i += unit_bytes) {
        const uint64_t value = unit_value(at + i, unit_bytes, leaf->order);
        print_add(print, unit_bytes == 1 ? "%02" PRIx64 : i > 0 ? " U+%04" PRIX64 : "U+%04" PRIX64, value);
    }
}

void ndp_leaf_print(const struct ndp_dtype *leaf, const uint8_t *at, char *out, size_t out_bytes) {
    struct print print = {out, out_bytes, 0};
    const uint64_t unit_bytes = ndp_leaf_unit_bytes(leaf);
    if (out_bytes == 0) return;
    out[0] = '\0';
    switch (leaf->kind) {
    case NDP_KIND_BOOL:
        print_add(&print, "0x%02x", at[0]);
        return;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
    case NDP_KIND_OBJECT:
        print_integer(&print, leaf, at);
        return;
    case NDP_KIND_FLOAT:
        print_float(&print, leaf, at, unit_bytes);
        return;
    case NDP_KIND_COMPLEX:
        print_float(&print, leaf, at, unit_bytes);
        print_add(&print, ", ");
        print_float(&print, leaf, at + unit_bytes, unit_bytes);
        return;
    case NDP_KIND_BYTES:
    case NDP_KIND_TEXT:
    case NDP_KIND_VOID:
    case NDP_KIND_REGISTERED:
        print_units(&print, leaf, at);
        return;
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        return;
    }
}
