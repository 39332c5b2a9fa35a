/* dtype_edit.c: replaces one node of a dtype by rebuilding the path from the root to it. Other nodes are shared. */
#include "generate/dtype_edit.h"

#include "base/checked.h"

uint32_t ndp_dtype_nodes(const struct ndp_dtype *dtype) {
    uint32_t count = 1;
    if (dtype->kind == NDP_KIND_SUBARRAY) count += ndp_dtype_nodes(dtype->base);
    for (uint64_t i = 0; i < dtype->field_count; i++) count += ndp_dtype_nodes(dtype->fields[i].dtype);
    return count;
}

/* Decrements `*index` per node in preorder. The result is the node at which it is 0. */
static const struct ndp_dtype *find_node(const struct ndp_dtype *dtype, uint32_t *index) {
    if (*index == 0) return dtype;
    --*index;
    if (dtype->kind == NDP_KIND_SUBARRAY) return find_node(dtype->base, index);
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_dtype *found = find_node(dtype->fields[i].dtype, index);
        if (found != NULL) return found;
    }
    return NULL;
}

const struct ndp_dtype *ndp_dtype_node(const struct ndp_dtype *dtype, uint32_t index) {
    return find_node(dtype, &index);
}

static uint64_t round_up(uint64_t value, uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

static uint64_t place_field_after(const struct ndp_dtype *dtype, struct ndp_field *fields, bool is_aligned) {
    uint64_t at = 0;
    uint64_t alignment = 1;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        uint64_t own = is_aligned ? ndp_dtype_alignment(fields[i].dtype) : 1;
        at = round_up(at, own);
        fields[i].offset_bytes = at;
        at += fields[i].dtype->itemsize_bytes;
        if (own > alignment) alignment = own;
    }
    return round_up(at, alignment);
}

bool ndp_dtype_is_packed(const struct ndp_dtype *dtype) {
    uint64_t at = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        if (dtype->fields[i].offset_bytes != at) return false;
        at += dtype->fields[i].dtype->itemsize_bytes;
    }
    return at == dtype->itemsize_bytes;
}

static uint64_t fields_end_bytes(const struct ndp_field *fields, uint64_t count) {
    uint64_t end = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t own = fields[i].offset_bytes + fields[i].dtype->itemsize_bytes;
        if (own > end) end = own;
    }
    return end;
}

/* Reports whether each field has the size and alignment of the field that it replaces. */
static bool have_same_sizes(const struct ndp_dtype *from, const struct ndp_field *fields, uint64_t count) {
    if (count != from->field_count) return false;
    for (uint64_t i = 0; i < count; i++) {
        const struct ndp_dtype *was = from->fields[i].dtype, *is = fields[i].dtype;
        if (was->itemsize_bytes != is->itemsize_bytes || ndp_dtype_alignment(was) != ndp_dtype_alignment(is))
            return false;
    }
    return true;
}

/* Gives `from` with other fields in the layout style of `from`. Fields of unchanged size keep their offsets, and an
 * aligned dtype keeps its itemsize even if it exceeds the alignment's need. */
static enum ndp_status with_fields(struct ndp_arena *arena, const struct ndp_dtype *from, struct ndp_field *fields,
                                   uint64_t count, const struct ndp_dtype **out) {
    struct ndp_dtype *dtype = ndp_arena_copy(arena, from, sizeof *from);
    if (dtype == NULL) return NDP_NOMEM;
    bool is_packed = !from->is_aligned && ndp_dtype_is_packed(from);
    uint64_t tail = from->itemsize_bytes - fields_end_bytes(from->fields, from->field_count);
    dtype->fields = fields;
    dtype->field_count = count;
    if (count == 0) dtype->is_aligned = false;
    if (have_same_sizes(from, fields, count)) {
        dtype->itemsize_bytes = from->itemsize_bytes;
    } else if (from->is_aligned || is_packed) {
        dtype->itemsize_bytes = place_field_after(dtype, fields, from->is_aligned);
    } else {
        dtype->itemsize_bytes = fields_end_bytes(fields, count) + tail;
    }
    *out = dtype;
    return NDP_OK;
}

static enum ndp_status replace_at(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint32_t *index,
                                  const struct ndp_dtype *node, const struct ndp_dtype **out);

static enum ndp_status replace_in_subarray(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint32_t *index,
                                           const struct ndp_dtype *node, const struct ndp_dtype **out) {
    const struct ndp_dtype *base = NULL;
    NDP_TRY(replace_at(arena, dtype->base, index, node, &base));
    if (base == dtype->base) {
        *out = dtype;
        return NDP_OK;
    }
    uint64_t count = 0;
    uint64_t size = 0;
    if (!ndp_checked_subarray_fits(dtype->shape, dtype->ndim, base->itemsize_bytes, &count, &size)) return NDP_INVALID;
    struct ndp_dtype *copy = ndp_arena_copy(arena, dtype, sizeof *dtype);
    if (copy == NULL) return NDP_NOMEM;
    copy->base = base;
    copy->itemsize_bytes = size;
    *out = copy;
    return NDP_OK;
}

static enum ndp_status replace_in_struct(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint32_t *index,
                                         const struct ndp_dtype *node, const struct ndp_dtype **out) {
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_dtype *inner = NULL;
        NDP_TRY(replace_at(arena, dtype->fields[i].dtype, index, node, &inner));
        if (inner == dtype->fields[i].dtype) continue;
        struct ndp_field *fields = ndp_arena_copy(arena, dtype->fields, dtype->field_count * sizeof *fields);
        if (fields == NULL) return NDP_NOMEM;
        fields[i].dtype = inner;
        return with_fields(arena, dtype, fields, dtype->field_count, out);
    }
    *out = dtype;
    return NDP_OK;
}

/* Decrements `*index` as find_node does. It stays UINT32_MAX after the replacement. */
static enum ndp_status replace_at(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint32_t *index,
                                  const struct ndp_dtype *node, const struct ndp_dtype **out) {
    *out = dtype;
    if (*index == UINT32_MAX) return NDP_OK;
    if (*index == 0) {
        *index = UINT32_MAX;
        *out = node;
        return NDP_OK;
    }
    --*index;
    if (dtype->kind == NDP_KIND_SUBARRAY) return replace_in_subarray(arena, dtype, index, node, out);
    return replace_in_struct(arena, dtype, index, node, out);
}

enum ndp_status ndp_dtype_replace(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint32_t index,
                                  const struct ndp_dtype *node, const struct ndp_dtype **out) {
    const struct ndp_dtype *result = NULL;
    NDP_TRY(replace_at(arena, dtype, &index, node, &result));
    if (index != UINT32_MAX) return NDP_INVALID;
    *out = result;
    return NDP_OK;
}

enum ndp_status ndp_dtype_without_fields(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t first,
                                         uint64_t count, const struct ndp_dtype **out) {
    struct ndp_field *fields = NDP_ARENA_ITEMS(arena, struct ndp_field, dtype->field_count);
    if (fields == NULL) return NDP_NOMEM;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < dtype->field_count; i++)
        if (i < first || i >= first + count) fields[kept++] = dtype->fields[i];
    return with_fields(arena, dtype, fields, kept, out);
}

enum ndp_status ndp_dtype_packed(struct ndp_arena *arena, const struct ndp_dtype *dtype, const struct ndp_dtype **out) {
    struct ndp_dtype *copy = ndp_arena_copy(arena, dtype, sizeof *dtype);
    struct ndp_field *fields = ndp_arena_copy(arena, dtype->fields, dtype->field_count * sizeof *fields);
    if (copy == NULL || fields == NULL) return NDP_NOMEM;
    copy->is_aligned = false;
    copy->fields = fields;
    copy->itemsize_bytes = place_field_after(copy, fields, false);
    *out = copy;
    return NDP_OK;
}
