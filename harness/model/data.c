/* data.c: fills a base with the data pattern of a descriptor. */
#include "base/byteorder.h"
#include "base/checked.h"
#include "base/rng.h"
#include "model/array.h"
#include "model/leaf.h"

#include <inttypes.h>
#include <string.h>

enum { PADDING = 0xa5 }; /* SPECIAL fills padding with this byte, so that it differs from zeroed memory */

/* The state of one fill, and the function that writes a leaf. */
struct fill {
    void (*put)(const struct fill *fill, const struct ndp_dtype *leaf, uint8_t *at);
    uint64_t seed;
    uint64_t item;       /* number of the item, in the memory order of the base */
    uint64_t leaf;       /* number of the leaf in the item */
    uint64_t leaf_total; /* leaves before this one in all items */
};

/* Items of zero bytes are skipped: there may be 2^62. */
static void fill_node(struct fill *fill, const struct ndp_dtype *dtype, uint8_t *at) {
    if (dtype->itemsize_bytes == 0) return;
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        uint64_t count = 1;
        for (uint32_t i = 0; i < dtype->ndim; i++) count *= (uint64_t)dtype->shape[i];
        for (uint64_t i = 0; i < count; i++) fill_node(fill, dtype->base, at + i * dtype->base->itemsize_bytes);
        return;
    }
    if (dtype->kind == NDP_KIND_STRUCT) {
        for (uint64_t i = 0; i < dtype->field_count; i++)
            fill_node(fill, dtype->fields[i].dtype, at + dtype->fields[i].offset_bytes);
        return;
    }
    fill->put(fill, dtype, at);
    fill->leaf++;
    fill->leaf_total++;
}

static void fill_items(struct fill *fill, const struct ndp_dtype *dtype, uint64_t count_elems, uint8_t *to) {
    if (dtype->itemsize_bytes == 0) return;
    for (fill->item = 0; fill->item < count_elems; fill->item++) {
        fill->leaf = 0;
        fill_node(fill, dtype, to + fill->item * dtype->itemsize_bytes);
    }
}

static void put_index(const struct fill *fill, const struct ndp_dtype *leaf, uint8_t *at) {
    ndp_leaf_store_index(leaf, fill->leaf_total, at);
}

/* The position in the item is added; otherwise each leaf of a structure would get only every n-th value. */
static void put_special(const struct fill *fill, const struct ndp_dtype *leaf, uint8_t *at) {
    ndp_leaf_store_special(leaf, fill->seed + fill->item + fill->leaf, at);
}

/* Keeps the random bytes of a leaf, except in strings, which must be valid code points, and in objects, which are small
 * numbers. */
static void put_random(const struct fill *fill, const struct ndp_dtype *leaf, uint8_t *at) {
    (void)fill;
    if (leaf->kind == NDP_KIND_OBJECT) ndp_store_u64le(at, (uint64_t)(int64_t)(int8_t)at[0]);
    if (leaf->kind != NDP_KIND_TEXT) return;
    for (uint64_t i = 0; i < leaf->itemsize_bytes; i += 4) {
        uint32_t code_point = ndp_load_u32le(at + i) & 0x1fffff;
        if (code_point > 0x10ffff) code_point &= 0xffff;
        ndp_leaf_store_unit(at + i, 4, code_point, leaf->order);
    }
}

static void fill_random(const struct ndp_data *data, const struct ndp_dtype *dtype, uint64_t count_elems, uint8_t *to,
                        uint64_t size_bytes) {
    struct ndp_rng rng;
    ndp_rng_init(&rng, data->seed);
    uint64_t at = 0;
    for (; at + 8 <= size_bytes; at += 8) ndp_store_u64le(to + at, ndp_rng_next(&rng));
    uint64_t rest = ndp_rng_next(&rng);
    for (; at < size_bytes; at++, rest >>= 8) to[at] = (uint8_t)rest;
    if (!ndp_dtype_has_kind(dtype, NDP_KIND_TEXT) && !ndp_dtype_has_object(dtype)) return;
    struct fill fill = {.put = put_random};
    fill_items(&fill, dtype, count_elems, to);
}

enum ndp_status ndp_array_fill_data(const struct ndp_data *data, const struct ndp_dtype *dtype, uint64_t count_elems,
                                    uint8_t *to, uint64_t size_bytes, struct ndp_error *error) {
    struct fill fill = {.seed = data->seed};
    uint64_t needed_bytes;
    if (!ndp_checked_mul_u64(count_elems, dtype->itemsize_bytes, &needed_bytes) || needed_bytes != size_bytes)
        return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "the memory is not that of %" PRIu64 " items",
                             count_elems);
    switch (data->pattern) {
    case NDP_PATTERN_ZEROS:
        memset(to, 0, (size_t)size_bytes);
        return NDP_OK;
    case NDP_PATTERN_INDEX:
        memset(to, 0, (size_t)size_bytes);
        fill.put = put_index;
        fill_items(&fill, dtype, count_elems, to);
        return NDP_OK;
    case NDP_PATTERN_RANDOM:
        fill_random(data, dtype, count_elems, to, size_bytes);
        return NDP_OK;
    case NDP_PATTERN_SPECIAL:
        memset(to, PADDING, (size_t)size_bytes);
        fill.put = put_special;
        fill_items(&fill, dtype, count_elems, to);
        return NDP_OK;
    case NDP_PATTERN_HEX:
        if (data->bytes.size_bytes != size_bytes)
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET,
                                 "%" PRIu64 " bytes are given, the base has %" PRIu64, data->bytes.size_bytes,
                                 size_bytes);
        if (size_bytes > 0) memcpy(to, data->bytes.data, (size_t)size_bytes);
        return NDP_OK;
    case NDP_PATTERN_COUNT:
        break;
    }
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "unknown data pattern");
}
