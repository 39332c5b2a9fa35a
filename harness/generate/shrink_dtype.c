/* shrink_dtype.c: simpler dtypes of the base: fewer nodes, simpler leaves, plainer structures.
 *
 * Only the first few nodes and fields are candidates on their own: a structure of a thousand fields first loses halves
 * and quarters.
 */
#include "base/checked.h"
#include "generate/dtype_edit.h"
#include "generate/shrink_parts.h"

enum { MAX_NODES = 24, MAX_FIELDS = 24, LEAF_CHANGES = 10, STRUCT_CHANGES = 5, CHUNKS = 14 };

static const struct ndp_dtype *root_of(const struct ndp_descriptor *from) {
    return from->value.array.base.dtype;
}

static uint32_t count_nodes(const struct ndp_descriptor *from) {
    if (root_of(from) == NULL) return 0;
    uint32_t nodes = ndp_dtype_nodes(root_of(from));
    return nodes < MAX_NODES ? nodes : MAX_NODES;
}

static enum ndp_status put_node(const struct ndp_shrink *shrink, uint32_t node_index, const struct ndp_dtype *node,
                                struct ndp_descriptor *out) {
    return ndp_dtype_replace(shrink->arena, root_of(out), node_index, node, &out->value.array.base.dtype);
}

/* A node is replaced by one of its children. */
static uint32_t count_children(const struct ndp_descriptor *from) {
    return count_nodes(from) * MAX_FIELDS;
}

static enum ndp_status make_child(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    const struct ndp_dtype *node = ndp_dtype_node(root_of(out), index / MAX_FIELDS);
    uint32_t child = index % MAX_FIELDS;
    if (node->kind == NDP_KIND_SUBARRAY && child == 0) return put_node(shrink, index / MAX_FIELDS, node->base, out);
    if (child >= node->field_count) return NDP_INVALID;
    return put_node(shrink, index / MAX_FIELDS, node->fields[child].dtype, out);
}

/* A structure loses a run of fields: halves, quarters, eighths, then single fields from the last. */
static uint32_t count_runs(const struct ndp_descriptor *from) {
    return count_nodes(from) * (CHUNKS + MAX_FIELDS);
}

static enum ndp_status make_run(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    uint32_t node_index = index / (CHUNKS + MAX_FIELDS);
    uint32_t change = index % (CHUNKS + MAX_FIELDS);
    const struct ndp_dtype *node = ndp_dtype_node(root_of(out), node_index);
    uint64_t first = 0;
    uint64_t count = 1;
    if (change < CHUNKS) {
        uint32_t parts = change < 2 ? 2 : change < 6 ? 4 : 8;
        count = node->field_count / parts;
        first = count * (change + 2 - parts);
        if (count < 2) return NDP_INVALID;
    } else {
        change -= CHUNKS;
        if (change >= node->field_count) return NDP_INVALID;
        first = node->field_count - 1 - change;
    }
    const struct ndp_dtype *fewer = NULL;
    NDP_TRY(ndp_dtype_without_fields(shrink->arena, node, first, count, &fewer));
    return put_node(shrink, node_index, fewer, out);
}

static enum ndp_byte_order order_of(const struct ndp_dtype *dtype) {
    while (dtype->kind == NDP_KIND_SUBARRAY) dtype = dtype->base;
    if (dtype->kind == NDP_KIND_STRUCT && dtype->field_count > 0) return order_of(dtype->fields[0].dtype);
    return dtype->order != NDP_ORDER_NONE ? dtype->order : NDP_ORDER_LITTLE;
}

static void take_kind(struct ndp_dtype *leaf, enum ndp_kind kind, uint64_t itemsize_bytes, enum ndp_byte_order order) {
    *leaf = (struct ndp_dtype){.kind = kind, .itemsize_bytes = itemsize_bytes};
    leaf->order = ndp_generate_leaf_order(kind, itemsize_bytes, order);
}

/* Returns the size of the plainest leaf of a kind, or 0 if only its order can get simpler. */
static uint64_t plainest_bytes(enum ndp_kind kind) {
    switch (kind) {
    case NDP_KIND_BYTES:
    case NDP_KIND_VOID:
        return 1;
    case NDP_KIND_INT:
    case NDP_KIND_TEXT:
        return 4;
    case NDP_KIND_FLOAT:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
        return 8;
    case NDP_KIND_COMPLEX:
        return 16;
    case NDP_KIND_BOOL:
    case NDP_KIND_UINT:
    case NDP_KIND_OBJECT:
    case NDP_KIND_REGISTERED:
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
    default:
        return 0;
    }
}

/* Fills the plainest leaf of the same kind. */
static enum ndp_status take_plainest(struct ndp_dtype *leaf, const struct ndp_dtype *node) {
    const uint64_t itemsize_bytes = plainest_bytes(node->kind);
    if (itemsize_bytes == 0) return NDP_INVALID;
    take_kind(leaf, node->kind, itemsize_bytes, order_of(node));
    if (node->kind != NDP_KIND_DATETIME && node->kind != NDP_KIND_TIMEDELTA) return NDP_OK;
    leaf->unit = NDP_UNIT_SECOND;
    leaf->unit_multiple = 1;
    return NDP_OK;
}

static enum ndp_status change_leaf(struct ndp_dtype *leaf, uint32_t change, const struct ndp_dtype *node) {
    bool is_leaf = node->kind != NDP_KIND_STRUCT && node->kind != NDP_KIND_SUBARRAY;
    uint64_t unit = node->kind == NDP_KIND_TEXT ? 4 : 1;
    bool is_flexible = node->kind == NDP_KIND_TEXT || node->kind == NDP_KIND_BYTES || node->kind == NDP_KIND_VOID;
    if (change == 0) take_kind(leaf, NDP_KIND_UINT, 1, NDP_ORDER_NONE);
    if (change == 1) take_kind(leaf, NDP_KIND_INT, 4, NDP_ORDER_LITTLE);
    if (change == 2) take_kind(leaf, NDP_KIND_INT, 4, order_of(node));
    if (change == 3) take_kind(leaf, NDP_KIND_FLOAT, 8, NDP_ORDER_LITTLE);
    if (change == 4) take_kind(leaf, NDP_KIND_FLOAT, 8, order_of(node));
    if (change == 5) return take_plainest(leaf, node);
    if (change == 6) leaf->order = ndp_generate_leaf_order(leaf->kind, leaf->itemsize_bytes, NDP_ORDER_LITTLE);
    if (change == 6) return is_leaf ? NDP_OK : NDP_INVALID;
    if (change == 7) leaf->metadata = (struct ndp_bytes){0};
    if (change < 8) return NDP_OK;
    /* half the length, then one less */
    if (!is_flexible || (change > 8 && leaf->itemsize_bytes < unit)) return NDP_INVALID;
    leaf->itemsize_bytes = change == 8 ? leaf->itemsize_bytes / unit / 2 * unit : leaf->itemsize_bytes - unit;
    return NDP_OK;
}

static uint32_t count_leaves(const struct ndp_descriptor *from) {
    return count_nodes(from) * LEAF_CHANGES;
}

static enum ndp_status make_leaf(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    uint32_t nodes = count_nodes(out);
    const struct ndp_dtype *node = ndp_dtype_node(root_of(out), index % nodes);
    struct ndp_dtype *leaf = ndp_arena_copy(shrink->arena, node, sizeof *node);
    if (leaf == NULL) return NDP_NOMEM;
    NDP_TRY(change_leaf(leaf, index / nodes, node));
    return put_node(shrink, index % nodes, leaf, out);
}

/* All leaves at once become little-endian; then structures become packed, unaligned, without titles, with short
 * names. */
static uint32_t count_plain(const struct ndp_descriptor *from) {
    return count_nodes(from) * STRUCT_CHANGES;
}

/* Names are "a", "b", ..., and titles continue the sequence, so that all differ. */
static enum ndp_status plain_names(struct ndp_arena *arena, struct ndp_dtype *copy, struct ndp_field *fields) {
    uint64_t count = copy->field_count;
    if (count > 13) return NDP_INVALID;
    uint8_t *letters = ndp_arena_alloc(arena, 2 * count);
    if (letters == NULL) return NDP_NOMEM;
    for (uint64_t i = 0; i < 2 * count; i++) letters[i] = (uint8_t)('a' + i);
    for (uint64_t i = 0; i < count; i++) {
        fields[i].name = (struct ndp_bytes){letters + i, 1};
        if (fields[i].has_title) fields[i].title = (struct ndp_bytes){letters + count + i, 1};
    }
    return NDP_OK;
}

static enum ndp_status change_struct(struct ndp_arena *arena, uint32_t change, const struct ndp_dtype *node,
                                     const struct ndp_dtype **out) {
    if (change == 0) return ndp_dtype_with_order(arena, node, NDP_ORDER_LITTLE, out);
    if (node->kind != NDP_KIND_STRUCT) return NDP_INVALID;
    if (change == 1) return ndp_dtype_packed(arena, node, out);
    struct ndp_dtype *copy = ndp_arena_copy(arena, node, sizeof *node);
    struct ndp_field *fields = ndp_arena_copy(arena, node->fields, node->field_count * sizeof *fields);
    if (copy == NULL || fields == NULL) return NDP_NOMEM;
    copy->fields = fields;
    if (change == 2) copy->is_aligned = false;
    for (uint64_t i = 0; change == 3 && i < copy->field_count; i++) {
        fields[i].has_title = false;
        fields[i].title = (struct ndp_bytes){0};
    }
    if (change == 4) NDP_TRY(plain_names(arena, copy, fields));
    *out = copy;
    return NDP_OK;
}

static enum ndp_status make_plain(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    uint32_t nodes = count_nodes(out);
    const struct ndp_dtype *changed = NULL;
    const struct ndp_dtype *node = ndp_dtype_node(root_of(out), index % nodes);
    NDP_TRY(change_struct(shrink->arena, index / nodes, node, &changed));
    return put_node(shrink, index % nodes, changed, out);
}

/* One extent of a sub-array decreases, or one axis is removed. */
enum { SUBARRAY_CHANGES = 3 * (NDP_SHRINK_EXTENTS + 1) };

static uint32_t count_inner_shapes(const struct ndp_descriptor *from) {
    return count_nodes(from) * SUBARRAY_CHANGES;
}

static enum ndp_status make_inner_shape(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    uint32_t change = index % SUBARRAY_CHANGES;
    uint32_t axis = change / (NDP_SHRINK_EXTENTS + 1);
    const struct ndp_dtype *node = ndp_dtype_node(root_of(out), index / SUBARRAY_CHANGES);
    if (node->kind != NDP_KIND_SUBARRAY || axis >= node->ndim) return NDP_INVALID;
    struct ndp_dtype *copy = ndp_arena_copy(shrink->arena, node, sizeof *node);
    int64_t *shape = ndp_arena_copy(shrink->arena, node->shape, node->ndim * sizeof *shape);
    if (copy == NULL || shape == NULL) return NDP_NOMEM;
    change %= NDP_SHRINK_EXTENTS + 1;
    if (change == 0) {
        if (node->ndim < 2) return NDP_INVALID;
        for (uint32_t i = axis; i + 1 < node->ndim; i++) shape[i] = shape[i + 1];
        copy->ndim--;
    } else if (!ndp_shrink_extent(node->shape[axis], change - 1, &shape[axis])) {
        return NDP_INVALID;
    }
    copy->shape = shape;
    uint64_t count = 0;
    if (!ndp_checked_subarray_fits(shape, copy->ndim, node->base->itemsize_bytes, &count, &copy->itemsize_bytes))
        return NDP_INVALID;
    return put_node(shrink, index / SUBARRAY_CHANGES, copy, out);
}

const struct ndp_shrink_family ndp_shrink_dtype_families[] = {{count_children, make_child},
                                                              {count_runs, make_run},
                                                              {count_leaves, make_leaf},
                                                              {count_plain, make_plain},
                                                              {count_inner_shapes, make_inner_shape},
                                                              {NULL, NULL}};
