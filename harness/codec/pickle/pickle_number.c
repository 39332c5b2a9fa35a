/* pickle_number.c: conversion between numbers and decimal text.
 *
 * Problem: integers of protocol 0 have any size, and reals must print as repr() does, independent of the locale.
 * Method: integers convert between limbs of nine decimal digits and words of 32 bits; reals use the shortest %e that
 * reads back as the same double. Cost: quadratic in the digits of an integer, which NDP_INT_DIGITS_MAX bounds. Limits:
 * NDP_INT_DIGITS_MAX, REAL_CHARS_MAX. References: CPython, Objects/longobject.c, Python/pystrtod.c.
 */
#include "codec/pickle/pickle_number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Big integers use limbs of nine decimal or 32 binary digits; the limits keep the arrays small. */
enum {
    REAL_CHARS_MAX = 4096,
    LIMB_DIGITS = 9,
    LIMB = 1000000000,
    LIMBS_MAX = NDP_INT_DIGITS_MAX / LIMB_DIGITS + 2,
    WORDS_MAX = LIMBS_MAX + 1
};

enum ndp_status ndp_pickle_number_read_index(struct ndp_bytes line, uint64_t *out) {
    uint64_t value = 0;
    if (line.size_bytes == 0) return NDP_INVALID;
    for (uint64_t i = 0; i < line.size_bytes; i++) {
        if (!ndp_bytes_is_digit(line.data[i])) return NDP_INVALID;
        const uint64_t digit = (uint64_t)line.data[i] - '0';
        if (value > (UINT64_MAX - digit) / 10) return NDP_LIMIT;
        value = value * 10 + digit;
    }
    *out = value;
    return NDP_OK;
}

static bool is_blank(uint8_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Strips the blanks that int() and float() accept. */
static struct ndp_bytes without_blanks(struct ndp_bytes line) {
    while (line.size_bytes > 0 && is_blank(line.data[line.size_bytes - 1])) line.size_bytes--;
    while (line.size_bytes > 0 && is_blank(line.data[0])) {
        line.data++;
        line.size_bytes--;
    }
    return line;
}

static uint32_t digit_of(uint8_t c) {
    const int value = ndp_hex_value(c);
    return value < 0 ? 16 : (uint32_t)value;
}

/* Status of a line that is not plain decimal: UNSUPPORTED if int(line, 0) accepts it (blanks, another base,
 * underscores), or if leading zeros make it octal in one of CPython's two readers. */
static enum ndp_status judge_integer(struct ndp_bytes line) {
    struct ndp_bytes body = without_blanks(line);
    uint32_t base = 10;
    uint64_t i = body.size_bytes > 0 && (body.data[0] == '-' || body.data[0] == '+') ? 1 : 0;
    if (body.size_bytes - i > 2 && body.data[i] == '0' && !ndp_bytes_is_digit(body.data[i + 1]) &&
        body.data[i + 1] != '_') {
        const uint8_t letter = body.data[i + 1] | 0x20;
        base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
        i += 2;
    }
    const bool has_zero = base == 10 && i < body.size_bytes && body.data[i] == '0';
    bool is_after_digit = base != 10;
    bool has_underscore = false;
    for (; i < body.size_bytes; i++) {
        if (body.data[i] == '_' ? !is_after_digit : digit_of(body.data[i]) >= base) return NDP_INVALID;
        if (has_zero && has_underscore && digit_of(body.data[i]) < base && body.data[i] != '0') return NDP_INVALID;
        is_after_digit = body.data[i] != '_';
        has_underscore = has_underscore || !is_after_digit;
    }
    return is_after_digit ? NDP_UNSUPPORTED : NDP_INVALID;
}

/* words = words * factor + digits */
static uint32_t push_digits(uint32_t *words, uint32_t count, uint32_t factor, uint32_t digits) {
    uint64_t carry = digits;
    for (uint32_t i = 0; i < count; i++) {
        carry += (uint64_t)words[i] * factor;
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) words[count++] = (uint32_t)carry;
    return count;
}

/* Converts as many digits at once as fit in a word. */
static uint32_t to_words(struct ndp_bytes digits, uint32_t *words) {
    uint32_t count = 0;
    for (uint64_t i = 0; i < digits.size_bytes;) {
        uint32_t factor = 1, part = 0;
        for (; i < digits.size_bytes && factor < LIMB; i++, factor *= 10)
            part = part * 10 + (digits.data[i] - (uint32_t)'0');
        count = push_digits(words, count, factor, part);
    }
    return count;
}

static void negate(uint8_t *bytes, uint64_t size_bytes) {
    uint32_t carry = 1;
    for (uint64_t i = 0; i < size_bytes; i++) {
        carry += (uint8_t)~bytes[i];
        bytes[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

enum ndp_status ndp_pickle_number_read_int(struct ndp_objects *objects, struct ndp_bytes line,
                                           struct ndp_object **out) {
    uint32_t words[WORDS_MAX];
    const bool has_sign = line.size_bytes > 0 && (line.data[0] == '-' || line.data[0] == '+');
    const uint64_t first = has_sign ? 1 : 0;
    bool is_zero = true;
    if (line.size_bytes == first) return NDP_INVALID;
    for (uint64_t i = first; i < line.size_bytes; i++) {
        if (!ndp_bytes_is_digit(line.data[i])) return judge_integer(line);
        is_zero = is_zero && line.data[i] == '0';
    }
    if (line.data[first] == '0' && !is_zero) return judge_integer(line);
    if (line.size_bytes - first > NDP_INT_DIGITS_MAX) return NDP_LIMIT;
    const uint32_t count = to_words((struct ndp_bytes){line.data + first, line.size_bytes - first}, words);
    const uint64_t size = (uint64_t)count * 4 + 1;
    uint8_t *bytes = ndp_arena_alloc(objects->arena, size);
    if (bytes == NULL) return NDP_NOMEM;
    for (uint64_t i = 0; i + 1 < size; i++) bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    bytes[size - 1] = 0;
    if (has_sign && line.data[0] == '-') negate(bytes, size);
    struct ndp_object *object = ndp_object_long(objects, (struct ndp_bytes){bytes, size});
    if (object == NULL) return NDP_NOMEM;
    *out = object;
    return NDP_OK;
}

static bool is_word(struct ndp_bytes line, const char *word) {
    for (uint64_t i = 0; i < line.size_bytes; i++)
        if (word[i] == '\0' || (line.data[i] | 0x20) != word[i]) return false;
    return word[line.size_bytes] == '\0';
}

/* Whether the text is digits with at most one point and an exponent. */
static bool is_real(struct ndp_bytes body) {
    uint64_t i = 0;
    uint64_t digits = 0;
    while (i < body.size_bytes && ndp_bytes_is_digit(body.data[i])) i++, digits++;
    if (i < body.size_bytes && body.data[i] == '.') i++;
    while (i < body.size_bytes && ndp_bytes_is_digit(body.data[i])) i++, digits++;
    if (digits == 0) return false;
    if (i == body.size_bytes) return true;
    if ((body.data[i++] | 0x20) != 'e') return false;
    if (i < body.size_bytes && (body.data[i] == '+' || body.data[i] == '-')) i++;
    const uint64_t start = i;
    while (i < body.size_bytes && ndp_bytes_is_digit(body.data[i])) i++;
    return i > start && i == body.size_bytes;
}

/* Status of a line that is not a plain real: UNSUPPORTED if float(line) accepts it (blanks, underscores). */
static enum ndp_status judge_real(struct ndp_bytes line) {
    uint8_t text[REAL_CHARS_MAX];
    struct ndp_bytes body = without_blanks(line);
    uint64_t count = 0;
    if (body.size_bytes > 0 && (body.data[0] == '-' || body.data[0] == '+')) {
        body.data++;
        body.size_bytes--;
    }
    for (uint64_t i = 0; i < body.size_bytes; i++) {
        const bool is_between = i > 0 && i + 1 < body.size_bytes && ndp_bytes_is_digit(body.data[i - 1]) &&
                                ndp_bytes_is_digit(body.data[i + 1]);
        if (body.data[i] != '_' || !is_between) text[count++] = body.data[i];
    }
    const struct ndp_bytes rest = {text, count};
    const bool is_taken = is_word(rest, "nan") || is_word(rest, "inf") || is_word(rest, "infinity") || is_real(rest);
    return is_taken ? NDP_UNSUPPORTED : NDP_INVALID;
}

enum ndp_status ndp_pickle_number_read_float(struct ndp_bytes line, double *out) {
    char text[REAL_CHARS_MAX + 1];
    if (line.size_bytes == 0) return NDP_INVALID;
    if (line.size_bytes > REAL_CHARS_MAX) return NDP_LIMIT;
    const bool is_negative = line.data[0] == '-';
    const uint64_t first = is_negative || line.data[0] == '+' ? 1 : 0;
    const struct ndp_bytes body = {line.data + first, line.size_bytes - first};
    double value = 0;
    if (is_word(body, "nan")) {
        value = NAN;
    } else if (is_word(body, "inf") || is_word(body, "infinity")) {
        value = HUGE_VAL;
    } else {
        if (!is_real(body)) return judge_real(line);
        memcpy(text, body.data, (size_t)body.size_bytes);
        text[body.size_bytes] = '\0';
        value = strtod(text, NULL);
        if (isinf(value)) return NDP_INVALID;
    }
    *out = is_negative ? -value : value;
    return NDP_OK;
}

/* Fills little-endian limbs of nine decimal digits; returns their count, or 0 beyond LIMBS_MAX. */
static uint32_t to_limbs(const uint8_t *magnitude, uint64_t size_bytes, uint32_t *limbs) {
    uint32_t count = 1;
    limbs[0] = 0;
    while (size_bytes > 0) {
        uint64_t factor = 1, carry = 0;
        do {
            carry = carry << 8 | magnitude[--size_bytes];
            factor <<= 8;
        } while (size_bytes % 4 != 0);
        for (uint32_t k = 0; k < count; k++) {
            carry += limbs[k] * factor;
            limbs[k] = (uint32_t)(carry % LIMB);
            carry /= LIMB;
        }
        for (; carry > 0; carry /= LIMB) {
            if (count == LIMBS_MAX) return 0;
            limbs[count++] = (uint32_t)(carry % LIMB);
        }
    }
    return count;
}

/* Writes at least `least` digits of a limb that end at `end`; returns their start. */
static char *put_digits(uint32_t limb, uint32_t least, char *end) {
    for (; limb > 0 || least > 0; limb /= 10) {
        *--end = (char)('0' + limb % 10);
        if (least > 0) least--;
    }
    return end;
}

static enum ndp_status add_big(struct ndp_buffer *buffer, struct ndp_bytes bytes) {
    uint8_t magnitude[WORDS_MAX * 4];
    uint32_t limbs[LIMBS_MAX];
    char text[LIMBS_MAX * LIMB_DIGITS];
    if (bytes.size_bytes > sizeof(magnitude)) return NDP_LIMIT;
    memcpy(magnitude, bytes.data, (size_t)bytes.size_bytes);
    const bool is_negative = (bytes.data[bytes.size_bytes - 1] & 0x80) != 0;
    if (is_negative) negate(magnitude, bytes.size_bytes);
    const uint32_t count = to_limbs(magnitude, bytes.size_bytes, limbs);
    if (count == 0) return NDP_LIMIT;
    char *const end = text + sizeof(text);
    char *at = end;
    for (uint32_t i = 0; i < count; i++) at = put_digits(limbs[i], i + 1 < count ? LIMB_DIGITS : 1, at);
    if (end - at > NDP_INT_DIGITS_MAX) return NDP_LIMIT;
    if (is_negative) NDP_TRY(ndp_buffer_add(buffer, "-", 1));
    return ndp_buffer_add(buffer, at, (uint64_t)(end - at));
}

enum ndp_status ndp_pickle_number_add_int(struct ndp_buffer *buffer, const struct ndp_object *object) {
    if (object->is_big) return add_big(buffer, object->bytes);
    char text[20];
    char *const end = text + sizeof(text);
    char *at = end;
    uint64_t magnitude = object->integer < 0 ? 0 - (uint64_t)object->integer : (uint64_t)object->integer;
    do {
        *--at = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (object->integer < 0) *--at = '-';
    return ndp_buffer_add(buffer, at, (uint64_t)(end - at));
}

/* Fills the digits of the shortest %e that reads as `real`, without its point; returns the decimal exponent. A normal
 * double with fewer than 15 significant digits has trailing zeros at precision 14, so that the search starts there. */
static int shortest(double real, char *digits) {
    char text[40];
    int exponent = 0;
    for (int precision = real >= DBL_MIN ? DBL_DIG - 1 : 0; precision <= 16; precision++) {
        (void)snprintf(text, sizeof(text), "%.*e", precision, real);
        if (strtod(text, NULL) == real) break;
    }
    char *mark = strchr(text, 'e');
    exponent = (int)strtol(mark + 1, NULL, 10);
    *mark = '\0';
    size_t count = 0;
    for (const char *at = text; *at != '\0'; at++)
        if (ndp_bytes_is_digit((uint8_t)*at)) digits[count++] = *at;
    while (count > 1 && digits[count - 1] == '0') count--;
    digits[count] = '\0';
    return exponent;
}

/* repr() uses an exponent below 1e-4 and from 1e16. */
enum ndp_status ndp_pickle_number_add_float(struct ndp_buffer *buffer, double real) {
    char digits[40];
    if (isnan(real)) return ndp_buffer_add(buffer, "nan", 3);
    if (signbit(real)) NDP_TRY(ndp_buffer_add(buffer, "-", 1));
    if (isinf(real)) return ndp_buffer_add(buffer, "inf", 3);
    const int exponent = shortest(fabs(real), digits);
    const int count = (int)strlen(digits);
    if (exponent < -4 || exponent >= 16) {
        NDP_TRY(ndp_buffer_add(buffer, digits, 1));
        if (count > 1) NDP_TRY(ndp_buffer_printf(buffer, ".%s", digits + 1));
        return ndp_buffer_printf(buffer, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    }
    if (exponent < 0) return ndp_buffer_printf(buffer, "0.%.*s%s", -exponent - 1, "0000", digits);
    if (count <= exponent + 1)
        return ndp_buffer_printf(buffer, "%s%.*s.0", digits, exponent + 1 - count, "0000000000000000");
    return ndp_buffer_printf(buffer, "%.*s.%s", exponent + 1, digits, digits + exponent + 1);
}
