#include "base/byteorder.h"
#include "model/leaf.h"

#include <string.h>

uint64_t ndp_leaf_unit_bytes(const struct ndp_dtype *leaf) {
    switch (leaf->kind) {
    case NDP_KIND_COMPLEX:
        return leaf->itemsize_bytes / 2;
    case NDP_KIND_TEXT:
        return 4;
    case NDP_KIND_BYTES:
    case NDP_KIND_VOID:
    case NDP_KIND_REGISTERED:
        return 1;
    case NDP_KIND_BOOL:
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
    case NDP_KIND_FLOAT:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
    case NDP_KIND_OBJECT:
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        break;
    }
    return leaf->itemsize_bytes;
}

bool ndp_leaf_is_longdouble(const struct ndp_dtype *leaf) {
    return (leaf->kind == NDP_KIND_FLOAT && leaf->itemsize_bytes == 16) ||
           (leaf->kind == NDP_KIND_COMPLEX && leaf->itemsize_bytes == 32);
}

void ndp_leaf_store_unit(uint8_t *at, uint64_t unit_bytes, uint64_t value, enum ndp_byte_order order) {
    for (uint64_t i = 0; i < unit_bytes; i++)
        at[order == NDP_ORDER_BIG ? unit_bytes - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

/* An x87 number: significand, sign and exponent, and the six padding bytes. */
static void store_x87(uint8_t *at, uint64_t significand, uint16_t exponent, uint64_t tail, enum ndp_byte_order order) {
    uint8_t bytes[16];
    ndp_store_u64le(bytes, significand);
    ndp_store_u16le(bytes + 8, exponent);
    for (int i = 0; i < 6; i++) bytes[10 + i] = (uint8_t)(tail >> (8 * i));
    if (order == NDP_ORDER_BIG) {
        ndp_byteorder_copy_reversed(at, bytes, sizeof bytes);
    } else {
        memcpy(at, bytes, sizeof bytes);
    }
}

/* The position of the highest set bit; `value` is not 0. */
static unsigned top_bit(uint64_t value) {
    return 63u - (unsigned)__builtin_clzll(value);
}

/* The bits of the IEEE 754 number `value`, exact because `value` has no more bits than the significand. */
static uint64_t float_bits(uint64_t value, unsigned fraction_bits, uint64_t bias) {
    if (value == 0) return 0;
    const unsigned exponent = top_bit(value);
    const uint64_t fraction = (value << (fraction_bits - exponent)) & ((UINT64_C(1) << fraction_bits) - 1);
    return (bias + exponent) << fraction_bits | fraction;
}

static void store_float(uint8_t *at, uint64_t unit_bytes, uint64_t k, enum ndp_byte_order order) {
    switch (unit_bytes) {
    case 2:
        ndp_leaf_store_unit(at, 2, float_bits(k & 0x7ff, 10, 15), order);
        return;
    case 4:
        ndp_leaf_store_unit(at, 4, float_bits(k & 0xffffff, 23, 127), order);
        return;
    case 8:
        ndp_leaf_store_unit(at, 8, float_bits(k & 0x1fffffffffffff, 52, 1023), order);
        return;
    default:
        if (k == 0) {
            store_x87(at, 0, 0, 0, order);
        } else {
            store_x87(at, k << (63 - top_bit(k)), (uint16_t)(16383 + top_bit(k)), 0, order);
        }
    }
}

/* Stores the last digits if not all fit, so that neighbours still differ. */
static void store_digits(const struct ndp_dtype *leaf, uint64_t k, uint8_t *at) {
    const uint64_t unit_bytes = ndp_leaf_unit_bytes(leaf);
    const uint64_t room = leaf->itemsize_bytes / unit_bytes;
    uint64_t length = 1;
    for (uint64_t rest = k; rest > 9; rest /= 10) length++;
    memset(at, 0, (size_t)leaf->itemsize_bytes);
    for (uint64_t i = length < room ? length : room; i > 0; i--, k /= 10)
        ndp_leaf_store_unit(at + (i - 1) * unit_bytes, unit_bytes, '0' + k % 10, leaf->order);
}

void ndp_leaf_store_index(const struct ndp_dtype *leaf, uint64_t k, uint8_t *at) {
    const uint64_t half_bytes = leaf->itemsize_bytes / 2;
    switch (leaf->kind) {
    case NDP_KIND_BOOL:
        at[0] = k & 1;
        return;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
    case NDP_KIND_OBJECT:
        ndp_leaf_store_unit(at, leaf->itemsize_bytes, k, leaf->order);
        return;
    case NDP_KIND_FLOAT:
        store_float(at, leaf->itemsize_bytes, k, leaf->order);
        return;
    case NDP_KIND_COMPLEX:
        store_float(at, half_bytes, k, leaf->order);
        store_float(at + half_bytes, half_bytes, k + 1, leaf->order);
        return;
    case NDP_KIND_BYTES:
    case NDP_KIND_TEXT:
        store_digits(leaf, k, at);
        return;
    case NDP_KIND_VOID:
    case NDP_KIND_REGISTERED:
        for (uint64_t i = 0; i < leaf->itemsize_bytes; i++) at[i] = (uint8_t)(k + i + 1);
        return;
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        return;
    }
}

/* IEEE 754 binary16, binary32, binary64: 0, -0, 1, the infinities, quiet NaNs with and without payload and sign,
 * signalling NaNs, the smallest subnormals, the smallest normal, the largest numbers. */
static const uint64_t halves[] = {0x0000, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 0x7e55, 0xfe01,
                                  0x7c01, 0xfd55, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff};
static const uint64_t singles[] = {0x00000000, 0x80000000, 0x3f800000, 0x7f800000, 0xff800000,
                                   0x7fc00000, 0x7fc0beef, 0xffc00001, 0x7f800001, 0xffa5a5a5,
                                   0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff};
static const uint64_t doubles[] = {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0x7ff0000000000000,
                                   0xfff0000000000000, 0x7ff8000000000000, 0x7ff80000deadbeef, 0xfff8000000000001,
                                   0x7ff0000000000001, 0xfff5a5a5a5a5a5a5, 0x0000000000000001, 0x800fffffffffffff,
                                   0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff};

/* x87: as above, then encodings that the 8087 accepted and later processors reject: pseudo-denormal, unnormal,
 * pseudo-infinity, pseudo-NaN. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, table
 * 8-3. */
static const struct {
    uint64_t significand;
    uint16_t exponent;
} extended[] = {
    {0, 0},
    {0, 0x8000},
    {0x8000000000000000, 0x3fff},
    {0x8000000000000000, 0x7fff},
    {0x8000000000000000, 0xffff},
    {0xc000000000000000, 0x7fff},
    {0xc0000000deadbeef, 0x7fff},
    {0x8000000000000001, 0x7fff},
    {1, 0},
    {0x8000000000000000, 0},
    {0x4000000000000000, 0x4000},
    {0, 0x7fff},
    {0x4000000000000000, 0x7fff},
    {UINT64_MAX, 0x7ffe},
};
static const uint64_t tails[] = {0xa55a01fe80ff, 0, 0xffffffffffff};

static const uint8_t odd_bytes[] = {0x41, 0x00, 0xff, 0x27, 0x80, 0x00, 0x0a, 0x5c, 0x7f, 0xc3, 0x00};
static const uint32_t odd_code_points[] = {0x41,    0x0,    0x10ffff, 0xd800, 0xe9, 0xdfff, 0x3b1,
                                           0x1f600, 0xfeff, 0xffff,   0x27,   0x0,  0x5c,   0x200b};
static const uint8_t odd_bools[] = {0x00, 0x01, 0x02, 0xff, 0x80};

#define PICK(table, k) ((table)[(k) % NDP_ARRAY_LEN(table)])

/* Smallest, largest and other notable integers of a size; NaT is the smallest of eight bytes. */
static uint64_t boundary_integer(uint64_t size_bytes, uint64_t k) {
    const uint64_t smallest = UINT64_C(1) << (8 * size_bytes - 1);
    const uint64_t integers[] = {0, 1, UINT64_MAX, smallest, smallest - 1, smallest + 1, UINT64_C(0x0102030405060708)};
    return PICK(integers, k);
}

static void store_special_float(uint8_t *at, uint64_t unit_bytes, uint64_t k, enum ndp_byte_order order) {
    if (unit_bytes == 16) {
        store_x87(at, PICK(extended, k).significand, PICK(extended, k).exponent, PICK(tails, k), order);
    } else {
        const uint64_t bits = unit_bytes == 2 ? PICK(halves, k) : unit_bytes == 4 ? PICK(singles, k) : PICK(doubles, k);
        ndp_leaf_store_unit(at, unit_bytes, bits, order);
    }
}

void ndp_leaf_store_special(const struct ndp_dtype *leaf, uint64_t k, uint8_t *at) {
    const uint64_t half_bytes = leaf->itemsize_bytes / 2;
    switch (leaf->kind) {
    case NDP_KIND_BOOL:
        at[0] = PICK(odd_bools, k);
        return;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
    case NDP_KIND_OBJECT:
        ndp_leaf_store_unit(at, leaf->itemsize_bytes, boundary_integer(leaf->itemsize_bytes, k), leaf->order);
        return;
    case NDP_KIND_FLOAT:
        store_special_float(at, leaf->itemsize_bytes, k, leaf->order);
        return;
    case NDP_KIND_COMPLEX:
        store_special_float(at, half_bytes, k, leaf->order);
        store_special_float(at + half_bytes, half_bytes, k + 3, leaf->order);
        return;
    case NDP_KIND_BYTES:
    case NDP_KIND_VOID:
    case NDP_KIND_REGISTERED:
        for (uint64_t i = 0; i < leaf->itemsize_bytes; i++) at[i] = PICK(odd_bytes, k + i);
        return;
    case NDP_KIND_TEXT:
        for (uint64_t i = 0; i < leaf->itemsize_bytes / 4; i++)
            ndp_leaf_store_unit(at + 4 * i, 4, PICK(odd_code_points, k + i), leaf->order);
        return;
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        return;
    }
}
