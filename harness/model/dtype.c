#include "model/dtype.h"

#include "base/checked.h"

#include <string.h>

/* Copies the node only; the children are shared. NULL without memory. */
static struct ndp_dtype *copy_node(struct ndp_arena *arena, const struct ndp_dtype *dtype) {
    return ndp_arena_copy(arena, dtype, sizeof *dtype);
}

static enum ndp_status copy_bytes(struct ndp_arena *arena, struct ndp_bytes *bytes) {
    if (bytes->size_bytes == 0) return NDP_OK;
    bytes->data = ndp_arena_copy(arena, bytes->data, bytes->size_bytes);
    return bytes->data ? NDP_OK : NDP_NOMEM;
}

static enum ndp_status copy_field(struct ndp_arena *arena, struct ndp_field *field) {
    NDP_TRY(copy_bytes(arena, &field->name));
    NDP_TRY(copy_bytes(arena, &field->title));
    return ndp_dtype_copy(arena, field->dtype, &field->dtype);
}

/* Recursion is bounded by the depth of a checked dtype. */
enum ndp_status ndp_dtype_copy(struct ndp_arena *arena, const struct ndp_dtype *dtype, const struct ndp_dtype **out) {
    struct ndp_dtype *copy = copy_node(arena, dtype);
    if (!copy) return NDP_NOMEM;
    NDP_TRY(copy_bytes(arena, &copy->metadata));
    NDP_TRY(copy_bytes(arena, &copy->registered));
    if (dtype->kind == NDP_KIND_STRUCT) {
        struct ndp_field *fields = NDP_ARENA_ITEMS(arena, struct ndp_field, dtype->field_count);
        if (!fields) return NDP_NOMEM;
        for (uint64_t i = 0; i < dtype->field_count; i++) {
            fields[i] = dtype->fields[i];
            NDP_TRY(copy_field(arena, &fields[i]));
        }
        copy->fields = fields;
    }
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        copy->shape = ndp_arena_copy(arena, dtype->shape, dtype->ndim * sizeof *dtype->shape);
        if (!copy->shape) return NDP_NOMEM;
        NDP_TRY(ndp_dtype_copy(arena, dtype->base, &copy->base));
    }
    *out = copy;
    return NDP_OK;
}

/* A change of byte order: of all leaves, or only of NATIVE ones, to `order`. */
struct order_change {
    enum ndp_byte_order order;
    bool is_native_only;
};

static enum ndp_byte_order changed_order(const struct ndp_dtype *leaf, const struct order_change *change) {
    if (change->is_native_only && leaf->order != NDP_ORDER_NATIVE) return leaf->order;
    return ndp_dtype_needs_order(leaf) ? change->order : NDP_ORDER_NONE;
}

static enum ndp_status change_order(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                    const struct order_change *change, const struct ndp_dtype **out);

/* Copies a structure only from its first changed field on. */
static enum ndp_status change_fields(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                     const struct order_change *change, const struct ndp_dtype **out) {
    struct ndp_field *fields = NULL;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_dtype *next = NULL;
        NDP_TRY(change_order(arena, dtype->fields[i].dtype, change, &next));
        if (next == dtype->fields[i].dtype) continue;
        if (!fields) fields = NDP_ARENA_ITEMS(arena, struct ndp_field, dtype->field_count);
        if (!fields) return NDP_NOMEM;
        if (!fields[0].dtype) memcpy(fields, dtype->fields, (size_t)dtype->field_count * sizeof *fields);
        fields[i].dtype = next;
    }
    if (!fields) {
        *out = dtype;
        return NDP_OK;
    }
    struct ndp_dtype *copy = copy_node(arena, dtype);
    if (!copy) return NDP_NOMEM;
    copy->fields = fields;
    *out = copy;
    return NDP_OK;
}

static enum ndp_status change_order(struct ndp_arena *arena, const struct ndp_dtype *dtype,
                                    const struct order_change *change, const struct ndp_dtype **out) {
    if (dtype->kind == NDP_KIND_STRUCT) return change_fields(arena, dtype, change, out);
    if (dtype->kind == NDP_KIND_SUBARRAY) {
        const struct ndp_dtype *base = NULL;
        NDP_TRY(change_order(arena, dtype->base, change, &base));
        if (base == dtype->base) {
            *out = dtype;
            return NDP_OK;
        }
        struct ndp_dtype *copy = copy_node(arena, dtype);
        if (!copy) return NDP_NOMEM;
        copy->base = base;
        *out = copy;
        return NDP_OK;
    }
    const enum ndp_byte_order order = changed_order(dtype, change);
    if (order == dtype->order) {
        *out = dtype;
        return NDP_OK;
    }
    struct ndp_dtype *copy = copy_node(arena, dtype);
    if (!copy) return NDP_NOMEM;
    copy->order = order;
    *out = copy;
    return NDP_OK;
}

enum ndp_status ndp_dtype_resolve(struct ndp_arena *arena, const struct ndp_dtype *dtype, bool host_is_little_endian,
                                  const struct ndp_dtype **out) {
    const struct order_change change = {host_is_little_endian ? NDP_ORDER_LITTLE : NDP_ORDER_BIG, true};
    return change_order(arena, dtype, &change, out);
}

enum ndp_status ndp_dtype_with_order(struct ndp_arena *arena, const struct ndp_dtype *dtype, enum ndp_byte_order order,
                                     const struct ndp_dtype **out) {
    const struct order_change change = {order, false};
    return change_order(arena, dtype, &change, out);
}

bool ndp_dtype_needs_order(const struct ndp_dtype *leaf) {
    switch (leaf->kind) {
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
        return leaf->itemsize_bytes > 1;
    case NDP_KIND_FLOAT:
    case NDP_KIND_COMPLEX:
    case NDP_KIND_TEXT:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
        return true;
    case NDP_KIND_BOOL:
    case NDP_KIND_BYTES:
    case NDP_KIND_VOID:
    case NDP_KIND_REGISTERED:
    case NDP_KIND_OBJECT:
    case NDP_KIND_STRUCT:
    case NDP_KIND_SUBARRAY:
    case NDP_KIND_COUNT:
        break;
    }
    return false;
}

/* Only a long double has 16 bytes. */
static uint64_t number_alignment(uint64_t size_bytes, uint32_t longdouble_bytes) {
    return size_bytes == 16 && longdouble_bytes != 0 ? longdouble_bytes : size_bytes;
}

uint64_t ndp_dtype_alignment_on(const struct ndp_dtype *dtype, uint32_t longdouble_bytes) {
    uint64_t largest = 1;
    switch (dtype->kind) {
    case NDP_KIND_BOOL:
    case NDP_KIND_BYTES:
    case NDP_KIND_VOID:
    case NDP_KIND_COUNT:
        return 1;
    case NDP_KIND_TEXT:
        return 4;
    case NDP_KIND_INT:
    case NDP_KIND_UINT:
    case NDP_KIND_FLOAT:
    case NDP_KIND_DATETIME:
    case NDP_KIND_TIMEDELTA:
    case NDP_KIND_OBJECT:
    case NDP_KIND_REGISTERED: /* ml_dtypes 0.6, custom_float.h and int4_numpy.h: alignof(T) */
        return number_alignment(dtype->itemsize_bytes, longdouble_bytes);
    case NDP_KIND_COMPLEX:
        return number_alignment(dtype->itemsize_bytes / 2, longdouble_bytes);
    case NDP_KIND_SUBARRAY:
        return ndp_dtype_alignment_on(dtype->base, longdouble_bytes);
    case NDP_KIND_STRUCT:
        for (uint64_t i = 0; dtype->is_aligned && i < dtype->field_count; i++) {
            const uint64_t alignment = ndp_dtype_alignment_on(dtype->fields[i].dtype, longdouble_bytes);
            if (alignment > largest) largest = alignment;
        }
        return largest;
    }
    return 1;
}

uint64_t ndp_dtype_alignment(const struct ndp_dtype *dtype) {
    return ndp_dtype_alignment_on(dtype, 0);
}
