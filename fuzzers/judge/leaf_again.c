#include "judge/leaf_again.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/byteorder.h"
#include "fuzz.h"
#include "model/leaf.h"

enum { LEAF_BYTES = 1024, DIGITS = 24 };

static const struct ndp_dtype *leaf_of(const struct ndp_dtype *dtype, uint64_t pick) {
    while (dtype && (dtype->kind == NDP_KIND_STRUCT || dtype->kind == NDP_KIND_SUBARRAY)) {
        if (dtype->kind == NDP_KIND_SUBARRAY) {
            dtype = dtype->base;
        } else {
            dtype = dtype->field_count > 0 ? dtype->fields[pick % dtype->field_count].dtype : NULL;
            pick /= 3;
        }
    }
    return dtype;
}

static uint64_t unit_of(const struct ndp_dtype *leaf) {
    if (leaf->kind == NDP_KIND_COMPLEX) return leaf->itemsize_bytes / 2;
    if (leaf->kind == NDP_KIND_TEXT) return 4;
    return leaf->kind == NDP_KIND_BYTES || leaf->kind == NDP_KIND_VOID ? 1 : leaf->itemsize_bytes;
}

static uint64_t load(const uint8_t *at, uint64_t size_bytes) {
    uint64_t value = 0;
    for (uint64_t i = size_bytes; i-- > 0;) value = value << 8 | at[i];
    return value;
}

/* Whether a number of these bytes, low one first, is the whole number. Source: IEEE 754-2019, 3.4; Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 1, 4.2.2. */
static bool is_real(const uint8_t *at, uint64_t size_bytes, uint64_t number) {
    const uint64_t low = load(at, size_bytes < 8 ? size_bytes : 8);
    const int exponent = size_bytes == 2 ? (int)(low >> 10) : 0;
    float single;
    double real;
    const uint32_t bits = (uint32_t)low;
    switch (size_bytes) {
    case 2:
        real = exponent == 0 ? ldexp((double)low, -24) : ldexp((double)(low % 1024 + 1024), exponent - 25);
        return exponent < 31 && (uint64_t)real == number % 2048;
    case 4:
        memcpy(&single, &bits, sizeof single);
        return single >= 0 && single < 0x1p24f && (uint64_t)single == number % (1 << 24);
    case 8:
        memcpy(&real, &low, sizeof real);
        return real >= 0 && real < 0x1p53 && (uint64_t)real == number % (UINT64_C(1) << 53);
    default:
        break;
    }
    const uint64_t high = load(at + 8, 8);
    if (number == 0) return low == 0 && high == 0;
    if (high < 16383 || high > 16383 + 63) return false;
    const uint64_t shift = 63 - (high - 16383);
    return low >> 63 == 1 && low >> shift == number && low >> shift << shift == low;
}

static bool is_digits(const uint8_t *at, uint64_t unit_bytes, uint64_t room, uint64_t number) {
    char text[DIGITS];
    const uint64_t size = (uint64_t)snprintf(text, sizeof text, "%" PRIu64, number),
                   from = size > room ? size - room : 0;
    for (uint64_t i = 0; i < room; i++)
        if (load(at + i * unit_bytes, unit_bytes) != (from + i < size ? (uint64_t)text[from + i] : 0)) return false;
    return true;
}

/* Low byte first. */
static bool is_number(const struct ndp_dtype *leaf, const uint8_t *at, uint64_t number) {
    const uint64_t size = leaf->itemsize_bytes, unit = unit_of(leaf);
    switch (leaf->kind) {
    case NDP_KIND_BOOL:
        return at[0] == number % 2;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
    case NDP_KIND_OBJECT:
        return load(at, size) == (size < 8 ? number % (UINT64_C(1) << 8 * size) : number);
    case NDP_KIND_FLOAT:
        return is_real(at, size, number);
    case NDP_KIND_COMPLEX:
        return is_real(at, unit, number) && is_real(at + unit, unit, number + 1);
    case NDP_KIND_BYTES:
    case NDP_KIND_TEXT:
        return is_digits(at, unit, size / unit, number);
    case NDP_KIND_VOID:
        for (uint64_t i = 0; i < size; i++)
            if (at[i] != (uint8_t)(number + i + 1)) return false;
        return true;
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        break;
    }
    return false;
}

static bool is_turned(const struct ndp_dtype *leaf, const uint8_t *little, const uint8_t *big) {
    const uint64_t unit = unit_of(leaf);
    for (uint64_t at = 0; at < leaf->itemsize_bytes; at += unit)
        for (uint64_t i = 0; i < unit; i++)
            if (little[at + i] != big[at + unit - 1 - i]) return false;
    return true;
}

/* What a number of floating point is, by a letter, whatever its sign: zero, one, infinite; a NaN that is quiet, that
 * carries something, that signals; the least and the most of what is subnormal; the least normal one, the largest.
 * Source: IEEE 754-2019, 3.4. */
static char letter_of(uint64_t exponent, uint64_t fraction, unsigned exponent_bits, unsigned fraction_bits) {
    const uint64_t beyond = (UINT64_C(1) << exponent_bits) - 1, all = (UINT64_C(1) << fraction_bits) - 1;
    const uint64_t quiet = UINT64_C(1) << (fraction_bits - 1);
    if (exponent == beyond && fraction == 0) return 'i';
    if (exponent == beyond) return fraction < quiet ? 's' : fraction == quiet ? 'q' : 'Q';
    if (exponent == 0) return fraction == 0 ? 'z' : fraction == 1 ? 'd' : fraction == all ? 'D' : '?';
    if (fraction == 0) return exponent == 1 ? 'n' : exponent == beyond / 2 ? '1' : '?';
    return exponent == beyond - 1 && fraction == all ? 'm' : '?';
}

/* The same of 80 bits, whose leading bit is said; and, where it says nothing that is: a denormal with it, a number
 * without it, an infinity and a NaN without it. Source: Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 1, 8.2.2. */
static char letter_of_x87(uint64_t exponent, uint64_t significand) {
    const bool is_leading = significand >> 63 != 0;
    const uint64_t fraction = significand << 1 >> 1;
    if (exponent == 0 && is_leading) return fraction == 0 ? 'P' : '?';
    if (exponent > 0 && !is_leading) return exponent < 0x7fff ? 'U' : fraction == 0 ? 'I' : 'N';
    return letter_of(exponent, fraction, 15, 63);
}

bool fuzz_is_boundary(const uint8_t *at, uint64_t size_bytes, uint64_t number) {
    static const char ieee[] = "z-z1i-iqQ-Qs-sd-Dnm-m", x87[] = "z-z1i-iqQsdPUINm";
    const unsigned fraction_bits = size_bytes == 2 ? 10 : size_bytes == 4 ? 23 : 52;
    const unsigned exponent_bits = (unsigned)(8 * size_bytes) - 1 - fraction_bits;
    const char *want = size_bytes == 16 ? x87 : ieee;
    uint64_t bits = load(at, size_bytes < 8 ? size_bytes : 8), count = 0;
    for (const char *c = want; *c; c++) count += *c != '-';
    for (number %= count; number > 0; number--) want += *want == '-' ? 2 : 1;
    const bool is_minus = *want == '-';
    if (size_bytes == 16) {
        const uint64_t high = load(at + 8, 2);
        return is_minus == (high >> 15 != 0) && letter_of_x87(high & 0x7fff, bits) == want[is_minus];
    }
    const uint64_t exponent = bits >> fraction_bits & ((UINT64_C(1) << exponent_bits) - 1);
    const uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    return is_minus == (bits >> (8 * size_bytes - 1) != 0) &&
           letter_of(exponent, fraction, exponent_bits, fraction_bits) == want[is_minus];
}

/* The parts of a complex number are not the same. */
static bool is_special(const struct ndp_dtype *leaf, const uint8_t *at, uint64_t number) {
    const uint64_t unit = unit_of(leaf);
    if (leaf->kind == NDP_KIND_FLOAT) return fuzz_is_boundary(at, unit, number);
    if (leaf->kind != NDP_KIND_COMPLEX) return true;
    return fuzz_is_boundary(at, unit, number) && fuzz_is_boundary(at + unit, unit, number + 3);
}

bool fuzz_check_leaf(const struct ndp_dtype *dtype, uint64_t pick) {
    static const uint64_t borders[] = {0,       9,       UINT64_C(1) << 8,  1 << 10,          1 << 11,
                                       1 << 16, 1 << 24, UINT64_C(1) << 32, UINT64_C(1) << 53};
    static uint8_t little_bytes[LEAF_BYTES], big_bytes[LEAF_BYTES];
    const uint64_t number = borders[pick % NDP_ARRAY_LEN(borders)] + pick / NDP_ARRAY_LEN(borders) % 64 - 1;
    const struct ndp_dtype *leaf = leaf_of(dtype, pick / 512);
    if (!leaf || leaf->itemsize_bytes == 0 || leaf->itemsize_bytes > LEAF_BYTES) return false;
    struct ndp_dtype little = *leaf, big = *leaf;
    if (leaf->order != NDP_ORDER_NONE) little.order = NDP_ORDER_LITTLE, big.order = NDP_ORDER_BIG;
    ndp_leaf_store_index(&little, number, little_bytes);
    ndp_leaf_store_index(&big, number, big_bytes);
    FUZZ_HOLDS(is_number(leaf, little_bytes, number));
    FUZZ_HOLDS(leaf->order == NDP_ORDER_NONE || is_turned(leaf, little_bytes, big_bytes));
    ndp_leaf_store_special(&little, number, little_bytes);
    ndp_leaf_store_special(&big, number, big_bytes);
    FUZZ_HOLDS(is_special(leaf, little_bytes, number));
    FUZZ_HOLDS(leaf->order == NDP_ORDER_NONE || is_turned(leaf, little_bytes, big_bytes));
    return true;
}
