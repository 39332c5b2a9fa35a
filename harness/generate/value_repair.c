/* value_repair.c: makes a value valid after a change of one part, or reduces it to a size limit. */
#include "generate/generate_parts.h"

/* An array with the wrong number of axes for its class becomes an ndarray: model/array.c. */
static void settle_class(struct ndp_array_value *value, uint32_t ndim) {
    if (ndp_bytes_is_word(value->class_name, "matrix") && ndim != 2) value->class_name = ndp_bytes_view("ndarray");
}

/* Keeps the views that apply to the result of their predecessors. */
static enum ndp_status keep_views(struct ndp_arena *arena, struct ndp_arena *scratch,
                                  const struct ndp_generate_limits *limits, struct ndp_array_value *value) {
    struct ndp_array_value base = *value;
    base.view_count = 0;
    base.class_name = ndp_bytes_view("ndarray");
    struct ndp_array array;
    NDP_TRY(ndp_array_build_layout(scratch, &base, true, &array, NULL));
    struct ndp_view *kept = NDP_ARENA_ITEMS(arena, struct ndp_view, value->view_count);
    if (kept == NULL) return NDP_NOMEM;
    uint32_t count = 0;
    for (uint32_t i = 0; i < value->view_count; i++) {
        struct ndp_array after;
        uint64_t size = 0;
        enum ndp_status status = ndp_array_view(scratch, &array, &value->views[i], &after, NULL);
        if (status == NDP_NOMEM) return status;
        if (status != NDP_OK) continue;
        const struct ndp_base result = {.dtype = after.dtype, .ndim = after.layout.ndim, .shape = after.layout.shape};
        if (!ndp_generate_base_size_fits(&result, limits->value_bytes, &size)) continue;
        array = after;
        kept[count++] = value->views[i];
    }
    value->views = count > 0 ? kept : NULL;
    value->view_count = count;
    settle_class(value, array.layout.ndim);
    return NDP_OK;
}

/* A sub-array's axes become axes of the array when it is built. */
static enum ndp_status repair_allowing_subarray(struct ndp_arena *arena, struct ndp_arena *scratch,
                                                const struct ndp_generate_limits *limits,
                                                struct ndp_array_value *value) {
    uint64_t size = 0;
    ndp_generate_repaired_base(&value->base);
    if (!ndp_generate_base_size_fits(&value->base, limits->value_bytes, &size)) return NDP_INVALID;
    NDP_TRY(ndp_dtype_check(value->base.dtype, NULL));
    if (value->view_count == 0 && value->base.dtype->kind != NDP_KIND_SUBARRAY) {
        value->views = NULL;
        settle_class(value, value->base.ndim);
        return NDP_OK;
    }
    return keep_views(arena, scratch, limits, value);
}

enum ndp_status ndp_generate_repaired_value(struct ndp_arena *arena, struct ndp_arena *scratch,
                                            const struct ndp_generate_limits *limits, struct ndp_array_value *value) {
    if (value->base.dtype->kind == NDP_KIND_SUBARRAY) return NDP_INVALID;
    return repair_allowing_subarray(arena, scratch, limits, value);
}

/* Reports whether the base, or a view with its own shape, exceeds the limit in bytes or elements. */
static bool is_larger(const struct ndp_array_value *value, uint64_t max_bytes) {
    uint64_t size = 0;
    struct ndp_base like = value->base;
    if (!ndp_generate_base_size_fits(&like, max_bytes, &size)) return true;
    for (uint32_t i = 0; i < value->view_count; i++) {
        like.ndim = value->views[i].ndim;
        like.shape = value->views[i].shape;
        if (like.shape != NULL && !ndp_generate_base_size_fits(&like, max_bytes, &size)) return true;
    }
    return false;
}

/* Halves the longest extent until the base fits. Returns false if a single item exceeds the limit. */
static bool halve_extents(struct ndp_base *base, int64_t *shape, uint64_t max_bytes) {
    uint64_t size = 0;
    base->shape = shape;
    while (!ndp_generate_base_size_fits(base, max_bytes, &size)) {
        uint32_t longest = 0;
        for (uint32_t i = 1; i < base->ndim; i++)
            if (shape[i] > shape[longest]) longest = i;
        if (base->ndim == 0 || shape[longest] < 2) return false;
        shape[longest] /= 2;
    }
    return true;
}

enum ndp_status ndp_generate_reduced_value(struct ndp_arena *arena, uint64_t max_bytes, struct ndp_array_value *value,
                                           bool *is_changed) {
    const struct ndp_generate_limits limits = {.value_bytes = max_bytes};
    struct ndp_array_value smaller = *value;
    *is_changed = false;
    if (value->base.dtype == NULL || !is_larger(value, max_bytes)) return NDP_OK;
    int64_t *shape = ndp_arena_copy(arena, value->base.shape, value->base.ndim * sizeof *shape);
    if (shape == NULL) return NDP_NOMEM;
    if (!halve_extents(&smaller.base, shape, max_bytes)) return NDP_OK;
    const enum ndp_status status = repair_allowing_subarray(arena, arena, &limits, &smaller);
    if (status == NDP_NOMEM) return status;
    *is_changed = status == NDP_OK;
    if (*is_changed) *value = smaller;
    return NDP_OK;
}
