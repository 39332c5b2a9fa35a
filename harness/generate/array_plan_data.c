/* array_plan_data.c: elements of a wished kind, and the kind of given elements.
 *
 * The boundary values of each type are a table that the seed rotates (model/leaf_store.c). A seed is tried out until
 * the first leaf has the wished kind, so that arrays of any size have it.
 */
#include "generate/array_plan_parts.h"

#include <string.h>

#include "base/byteorder.h"
#include "model/leaf.h"

enum { LEAF_BYTES = 512 };

const struct ndp_dtype *ndp_plan_first_leaf(const struct ndp_dtype *dtype) {
    for (uint32_t depth = 0; depth <= NDP_MAX_DTYPE_DEPTH; depth++) {
        if (dtype->itemsize_bytes == 0) return NULL;
        if (dtype->kind == NDP_KIND_STRUCT) {
            if (dtype->field_count == 0) return NULL;
            dtype = dtype->fields[0].dtype;
        } else if (dtype->kind == NDP_KIND_SUBARRAY) {
            dtype = dtype->base;
        } else {
            return dtype;
        }
    }
    return NULL;
}

/* The unit as a number. */
static uint64_t load_unit(const uint8_t *at, uint64_t unit_bytes, enum ndp_byte_order order) {
    uint64_t value = 0;
    for (uint64_t i = 0; i < unit_bytes && i < 8; i++)
        value |= (uint64_t)at[order == NDP_ORDER_BIG ? unit_bytes - 1 - i : i] << (8 * i);
    return value;
}

static enum ndp_plan_content content_of_float(const uint8_t *at, uint64_t unit_bytes, enum ndp_byte_order order) {
    static const uint32_t fraction_bits[] = {[2] = 10, [4] = 23, [8] = 52};
    uint64_t bits = load_unit(at, unit_bytes, order), sign, fraction, exponent, most;
    if (unit_bytes == 16) {
        uint8_t bytes[16];
        for (int i = 0; i < 16; i++) bytes[i] = at[order == NDP_ORDER_BIG ? 15 - i : i];
        bits = ndp_load_u64le(bytes);
        most = 0x7fff;
        exponent = ndp_load_u16le(bytes + 8) & most;
        sign = bytes[9] >> 7;
        fraction = bits & ~(UINT64_C(1) << 63);
    } else {
        const uint32_t width = fraction_bits[unit_bytes];
        most = (UINT64_C(1) << (8 * unit_bytes - 1 - width)) - 1;
        fraction = bits & ((UINT64_C(1) << width) - 1);
        exponent = bits >> width & most;
        sign = bits >> (8 * unit_bytes - 1);
    }
    if (exponent == most) return fraction == 0 ? NDP_CONTENT_INFINITE : NDP_CONTENT_NAN;
    return sign != 0 && exponent == 0 && fraction == 0 ? NDP_CONTENT_NEGATIVE_ZERO : NDP_CONTENT_EXTREME;
}

/* By the first unit, then by the last. */
static enum ndp_plan_content content_of_string(const struct ndp_dtype *leaf, const uint8_t *at) {
    const uint64_t unit_bytes = ndp_leaf_unit_bytes(leaf), end = leaf->itemsize_bytes - unit_bytes;
    const uint64_t first = load_unit(at, unit_bytes, leaf->order), last = load_unit(at + end, unit_bytes, leaf->order);
    const bool is_surrogate = first >= 0xd800 && first < 0xe000;
    if (unit_bytes == 1 ? first >= 0x80 : first > 0xffff || is_surrogate) return NDP_CONTENT_HIGH;
    if (first == 0 && last != 0) return NDP_CONTENT_INNER_NUL;
    return last == 0 ? NDP_CONTENT_TRAILING_NUL : NDP_CONTENT_EXTREME;
}

static enum ndp_plan_content content_of_leaf(const struct ndp_dtype *leaf, const uint8_t *at) {
    switch (leaf->kind) {
    case NDP_KIND_FLOAT:
    case NDP_KIND_COMPLEX:
        return content_of_float(at, ndp_leaf_unit_bytes(leaf), leaf->order);
    case NDP_KIND_BYTES:
    case NDP_KIND_TEXT:
    case NDP_KIND_VOID:
        return content_of_string(leaf, at);
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
        return load_unit(at, 8, leaf->order) == UINT64_C(1) << 63 ? NDP_CONTENT_NAT : NDP_CONTENT_EXTREME;
    case NDP_KIND_BOOL:
        return at[0] > 1 ? NDP_CONTENT_HIGH : NDP_CONTENT_EXTREME;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
    case NDP_KIND_OBJECT:
    case NDP_KIND_REGISTERED:
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        break;
    }
    return NDP_CONTENT_EXTREME;
}

enum ndp_plan_content ndp_plan_content_of(const struct ndp_base *base, const struct ndp_dtype *result) {
    const struct ndp_data *data = &base->data;
    const struct ndp_dtype *leaf = ndp_plan_first_leaf(base->dtype);
    uint8_t bytes[LEAF_BYTES] = {0};
    if (data->pattern == NDP_PATTERN_ZEROS) return NDP_CONTENT_ZEROS;
    if (data->pattern == NDP_PATTERN_INDEX) return NDP_CONTENT_INDEX;
    const bool is_short = leaf != NULL && leaf->itemsize_bytes <= LEAF_BYTES;
    const bool is_given = data->pattern == NDP_PATTERN_HEX && is_short && base->dtype == leaf &&
                          data->bytes.size_bytes >= leaf->itemsize_bytes;
    if (data->pattern != NDP_PATTERN_SPECIAL && !is_given) return NDP_CONTENT_RANDOM;
    if (result->kind == NDP_KIND_STRUCT || !is_short) return NDP_CONTENT_EXTREME;
    if (is_given) return content_of_leaf(leaf, data->bytes.data);
    ndp_leaf_store_special(leaf, data->seed, bytes);
    return content_of_leaf(leaf, bytes);
}

void ndp_plan_data(struct ndp_choices *choices, const struct ndp_covering_row *row, struct ndp_base *base) {
    enum { SEEDS = 256 };
    const enum ndp_plan_content wanted = (enum ndp_plan_content)row->values[NDP_PLAN_CONTENT];
    const struct ndp_dtype *leaf = ndp_plan_first_leaf(base->dtype);
    const uint64_t from = ndp_choose(choices, SEEDS);
    uint8_t bytes[LEAF_BYTES];
    base->data = (struct ndp_data){.pattern = NDP_PATTERN_INDEX};
    if (wanted == NDP_CONTENT_INDEX) return;
    base->data.pattern = wanted == NDP_CONTENT_ZEROS    ? NDP_PATTERN_ZEROS
                         : wanted == NDP_CONTENT_RANDOM ? NDP_PATTERN_RANDOM
                                                        : NDP_PATTERN_SPECIAL;
    if (wanted != NDP_CONTENT_ZEROS) base->data.seed = from;
    if (base->data.pattern != NDP_PATTERN_SPECIAL || leaf == NULL || leaf->itemsize_bytes > LEAF_BYTES ||
        row->values[NDP_PLAN_ELEMENT] >= NDP_ELEMENT_PACKED)
        return;
    for (uint64_t i = 0; i < SEEDS; i++) {
        base->data.seed = (from + i) % SEEDS;
        memset(bytes, 0, (size_t)leaf->itemsize_bytes);
        ndp_leaf_store_special(leaf, base->data.seed, bytes);
        if (content_of_leaf(leaf, bytes) == wanted) return;
    }
}
