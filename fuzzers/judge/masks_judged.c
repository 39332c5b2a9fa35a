#include "judge/masks_judged.h"

#include <string.h>

#include "fuzz.h"
#include "model/equality.h"

enum { VALUE_BYTES_MAX = 1 << 12 };
#define ROOM_BYTES (UINT64_C(1) << 20)

static uint64_t unit_of(const struct ndp_dtype *leaf) {
    if (leaf->kind == NDP_KIND_TEXT) return 4;
    if (leaf->kind == NDP_KIND_BYTES || leaf->kind == NDP_KIND_VOID) return 1;
    return leaf->kind == NDP_KIND_COMPLEX ? leaf->itemsize_bytes / 2 : leaf->itemsize_bytes;
}

static bool is_big(const struct ndp_dtype *leaf) {
    return leaf->order == NDP_ORDER_BIG;
}

static bool is_float(const struct ndp_dtype *leaf) {
    return leaf->kind == NDP_KIND_FLOAT || leaf->kind == NDP_KIND_COMPLEX;
}

/* A number of up to 8 bytes, or one of x87, whose other six bytes mean nothing. */
struct unit {
    uint64_t low;
    uint64_t high; /* sign and exponent of x87, which says the first bit of what is behind them */
};

static struct unit infinity_of(uint64_t unit_bytes) {
    if (unit_bytes > 8) return (struct unit){UINT64_C(1) << 63, 0x7fff};
    return (struct unit){unit_bytes == 2 ? 0x7c00 : unit_bytes == 4 ? 0x7f800000 : UINT64_C(0x7ff) << 52, 0};
}

static bool is_nan(struct unit unit, uint64_t unit_bytes) {
    const struct unit infinity = infinity_of(unit_bytes);
    if (unit_bytes > 8) return (unit.high & 0x7fff) == infinity.high && unit.low > infinity.low;
    return (unit.low & (UINT64_MAX >> 1 >> (64 - 8 * unit_bytes))) > infinity.low;
}

static bool differ(const struct ndp_observation *a, const struct ndp_observation *b, uint32_t mask) {
    struct ndp_comparison out;
    ndp_comparison_clear(&out);
    ndp_compare_values(a, b, mask, &out);
    return out.total > 0;
}

static struct ndp_observation with(const struct ndp_observation *value, const struct ndp_dtype *dtype,
                                   const uint8_t *bytes, uint64_t size_bytes) {
    struct ndp_observation other = *value;
    other.dtype = dtype;
    other.elements = (struct ndp_bytes){bytes, size_bytes};
    return other;
}

/* The elements with every unit the other way round, of a type that has no parts. */
static void check_order(struct ndp_arena *arena, const struct ndp_observation *a, const struct ndp_observation *b,
                        bool is_other) {
    struct ndp_dtype dtype = *a->dtype;
    const uint64_t size = a->elements.size_bytes;
    if (dtype.order != NDP_ORDER_LITTLE && dtype.order != NDP_ORDER_BIG) return;
    dtype.order = is_big(&dtype) ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    const uint64_t unit = unit_of(&dtype);
    uint8_t *turned[2] = {ndp_arena_alloc(arena, size), ndp_arena_alloc(arena, size)};
    if (!turned[0] || !turned[1]) return;
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t from = i / unit * unit + unit - 1 - i % unit;
        turned[0][i] = a->elements.data[from];
        turned[1][i] = b->elements.data[from];
    }
    const struct ndp_observation same = with(a, &dtype, turned[0], size), other = with(a, &dtype, turned[1], size);
    FUZZ_HOLDS(!differ(a, &same, NDP_MASK_NONE));
    FUZZ_HOLDS(differ(a, &other, NDP_MASK_NONE) == is_other);
    FUZZ_HOLDS(differ(&other, a, NDP_MASK_NONE) == is_other);
}

/* Text with room for one character more, which is a NUL, or in one item is not. */
static void check_room(struct ndp_arena *arena, const struct ndp_observation *value, uint64_t pick) {
    struct ndp_dtype dtype = *value->dtype;
    const uint64_t old = dtype.itemsize_bytes, count = value->elements.size_bytes / old;
    if (dtype.kind != NDP_KIND_BYTES && dtype.kind != NDP_KIND_TEXT) return;
    dtype.itemsize_bytes += unit_of(&dtype);
    uint8_t *wide = ndp_arena_alloc(arena, count * dtype.itemsize_bytes);
    if (!wide) return;
    memset(wide, 0, (size_t)(count * dtype.itemsize_bytes));
    for (uint64_t i = 0; i < count; i++)
        memcpy(wide + i * dtype.itemsize_bytes, value->elements.data + i * old, (size_t)old);
    const struct ndp_observation other = with(value, &dtype, wide, count * dtype.itemsize_bytes);
    FUZZ_HOLDS(differ(value, &other, NDP_MASK_NONE));
    FUZZ_HOLDS(!differ(value, &other, NDP_MASK_TRAILING_NULS) && !differ(&other, value, NDP_MASK_TRAILING_NULS));
    wide[(1 + pick % count) * dtype.itemsize_bytes - (is_big(&dtype) ? 1 : unit_of(&dtype))] = 'z';
    FUZZ_HOLDS(differ(value, &other, NDP_MASK_TRAILING_NULS) && differ(&other, value, NDP_MASK_TRAILING_NULS));
}

/* The same numbers of another unit of time, or of another multiple of it, are other times. */
static void check_unit(const struct ndp_observation *value) {
    struct ndp_dtype dtype = *value->dtype;
    const struct ndp_observation other = with(value, &dtype, value->elements.data, value->elements.size_bytes);
    if (dtype.kind != NDP_KIND_DATETIME && dtype.kind != NDP_KIND_TIMEDELTA) return;
    dtype.unit_multiple++;
    FUZZ_HOLDS(differ(value, &other, NDP_MASK_NONE) && differ(&other, value, NDP_MASK_NONE));
    dtype = *value->dtype;
    dtype.unit = dtype.unit == NDP_UNIT_DAY ? NDP_UNIT_HOUR : NDP_UNIT_DAY;
    FUZZ_HOLDS(differ(value, &other, NDP_MASK_NONE) && differ(&other, value, NDP_MASK_NONE));
}

static void put_unit(struct unit unit, uint8_t *to, uint64_t unit_bytes, bool is_big_endian) {
    for (uint64_t i = 0; i < unit_bytes && i < 10; i++)
        to[is_big_endian ? unit_bytes - 1 - i : i] =
            (uint8_t)(i < 8 ? unit.low >> (8 * i) : unit.high >> (8 * (i - 8)));
}

/* A unit that is an infinity or a NaN, and is another in one bit: only of two NaNs the payload is masked. */
static void check_nans(struct ndp_arena *arena, const struct ndp_observation *value, uint64_t pick) {
    const uint64_t unit = unit_of(value->dtype), size = value->elements.size_bytes;
    const uint64_t at = pick % (size / unit) * unit, bit = (pick >> 16) % (8 * (unit > 8 ? 10 : unit));
    struct unit said[2] = {infinity_of(unit), {0, 0}};
    uint8_t *bytes[2] = {ndp_arena_copy(arena, value->elements.data, size),
                         ndp_arena_copy(arena, value->elements.data, size)};
    if (!bytes[0] || !bytes[1]) return;
    if ((pick >> 24) % 3 == 0) said[0] = (struct unit){UINT64_MAX, UINT64_MAX};
    if ((pick >> 24) % 3 == 1) said[0].low |= 1;
    said[1] = said[0];
    *(bit < 64 ? &said[1].low : &said[1].high) ^= UINT64_C(1) << bit % 64;
    for (uint64_t k = 0; k < 2; k++) put_unit(said[k], bytes[k] + at, unit, is_big(value->dtype));
    const bool are_nans = is_nan(said[0], unit) && is_nan(said[1], unit);
    const struct ndp_observation a = with(value, value->dtype, bytes[0], size);
    const struct ndp_observation b = with(value, value->dtype, bytes[1], size);
    FUZZ_HOLDS(differ(&a, &b, NDP_MASK_NONE) && differ(&b, &a, NDP_MASK_NONE));
    FUZZ_HOLDS(differ(&a, &b, NDP_MASK_NAN_PAYLOAD) != are_nans);
    FUZZ_HOLDS(differ(&b, &a, NDP_MASK_NAN_PAYLOAD) != are_nans);
    check_order(arena, &a, &b, true);
}

/* A structure with a field more, of bytes that both have. */
static void check_field(struct ndp_arena *arena, const struct ndp_observation *value) {
    static const struct ndp_dtype byte = {.kind = NDP_KIND_VOID, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};
    struct ndp_dtype dtype = *value->dtype;
    struct ndp_field *fields = NDP_ARENA_ITEMS(arena, struct ndp_field, dtype.field_count + 1);
    if (!fields) return;
    if (dtype.field_count > 0) memcpy(fields, dtype.fields, (size_t)dtype.field_count * sizeof *fields);
    fields[dtype.field_count++] = (struct ndp_field){.name = ndp_bytes_view("~"), .dtype = &byte};
    dtype.fields = fields;
    const struct ndp_observation other = with(value, &dtype, value->elements.data, value->elements.size_bytes);
    FUZZ_HOLDS(differ(value, &other, NDP_MASK_NONE) && differ(&other, value, NDP_MASK_NONE));
}

void fuzz_check_masks(const struct ndp_observation *value, uint64_t pick) {
    static struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    const uint64_t size = value->elements.size_bytes;
    if (!value->dtype || size == 0 || size > VALUE_BYTES_MAX) return;
    if (value->dtype->kind == NDP_KIND_STRUCT) check_field(&arena, value);
    ndp_arena_reset(&arena);
    if (value->dtype->kind == NDP_KIND_STRUCT || value->dtype->kind == NDP_KIND_SUBARRAY) return;
    check_unit(value);
    check_order(&arena, value, value, false);
    check_room(&arena, value, pick);
    if (is_float(value->dtype)) check_nans(&arena, value, pick);
    ndp_arena_reset(&arena);
}
