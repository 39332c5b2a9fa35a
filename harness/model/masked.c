#include "model/masked.h"

#include "base/checked.h"
#include "model/leaf.h"

static const struct ndp_dtype truth = {.kind = NDP_KIND_BOOL, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};

/* Fields keep names and titles and are packed. */
static enum ndp_status mask_fields(struct ndp_arena *arena, const struct ndp_dtype *dtype, struct ndp_dtype *mask) {
    struct ndp_field *fields = NDP_ARENA_ITEMS(arena, struct ndp_field, dtype->field_count);
    if (fields == NULL) return NDP_NOMEM;
    mask->itemsize_bytes = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        fields[i] = dtype->fields[i];
        fields[i].offset_bytes = mask->itemsize_bytes;
        NDP_TRY(ndp_masked_dtype(arena, dtype->fields[i].dtype, &fields[i].dtype));
        if (!ndp_checked_add_u64(mask->itemsize_bytes, fields[i].dtype->itemsize_bytes, &mask->itemsize_bytes))
            return NDP_LIMIT;
    }
    mask->fields = fields;
    return NDP_OK;
}

static enum ndp_status mask_items(struct ndp_arena *arena, const struct ndp_dtype *dtype, struct ndp_dtype *mask) {
    uint64_t count_elems = 0;
    NDP_TRY(ndp_masked_dtype(arena, dtype->base, &mask->base));
    if (!ndp_checked_subarray_fits(dtype->shape, dtype->ndim, mask->base->itemsize_bytes, &count_elems,
                                   &mask->itemsize_bytes))
        return NDP_LIMIT;
    return NDP_OK;
}

/* Recursion is bounded by the depth of a checked dtype. */
enum ndp_status ndp_masked_dtype(struct ndp_arena *arena, const struct ndp_dtype *dtype, const struct ndp_dtype **out) {
    if (dtype->kind != NDP_KIND_STRUCT && dtype->kind != NDP_KIND_SUBARRAY) {
        *out = &truth;
        return NDP_OK;
    }
    struct ndp_dtype *mask = NDP_ARENA_NEW(arena, struct ndp_dtype);
    if (mask == NULL) return NDP_NOMEM;
    *mask = (struct ndp_dtype){
        .kind = dtype->kind, .field_count = dtype->field_count, .shape = dtype->shape, .ndim = dtype->ndim};
    NDP_TRY(dtype->kind == NDP_KIND_STRUCT ? mask_fields(arena, dtype, mask) : mask_items(arena, dtype, mask));
    *out = mask;
    return NDP_OK;
}

/* Reverses the units of a big-endian leaf. */
static bool reverse_leaf(void *item, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    const uint64_t unit_bytes = ndp_leaf_unit_bytes(leaf);
    uint8_t *at = (uint8_t *)item + offset_bytes;
    (void)path;
    if (leaf->order != NDP_ORDER_BIG) return true;
    for (uint64_t done = 0; done + unit_bytes <= leaf->itemsize_bytes; done += unit_bytes) {
        for (uint64_t i = 0; i < unit_bytes / 2; i++) {
            const uint8_t byte = at[done + i];
            at[done + i] = at[done + unit_bytes - 1 - i];
            at[done + unit_bytes - 1 - i] = byte;
        }
    }
    return true;
}

/* Per byte of an item, the order of the leaf that it belongs to, and whether a byte belongs to leaves of different
 * order. */
struct marks {
    uint8_t *bytes;
    bool is_torn;
};

static bool mark_leaf(void *context, const struct ndp_dtype *leaf, uint64_t offset_bytes, const char *path) {
    enum { LEAF = 1, TURNED_LEAF = 2 };
    struct marks *marks = context;
    const uint8_t part = leaf->order == NDP_ORDER_BIG ? TURNED_LEAF : LEAF;
    (void)path;
    for (uint64_t i = 0; i < leaf->itemsize_bytes; i++) {
        uint8_t *byte = &marks->bytes[offset_bytes + i];
        marks->is_torn |= *byte != 0 && (*byte == TURNED_LEAF || part == TURNED_LEAF);
        *byte = part;
    }
    return !marks->is_torn;
}

enum ndp_status ndp_masked_swap_fill_value(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint8_t *item) {
    if (ndp_dtype_has_overlap(dtype) && ndp_dtype_has_order(dtype, NDP_ORDER_BIG)) {
        struct marks marks = {.bytes = NDP_ARENA_ITEMS(arena, uint8_t, dtype->itemsize_bytes)};
        if (marks.bytes == NULL) return NDP_NOMEM;
        ndp_dtype_visit(dtype, mark_leaf, &marks);
        if (marks.is_torn) return NDP_UNSUPPORTED;
    }
    ndp_dtype_visit(dtype, reverse_leaf, item);
    return NDP_OK;
}
