/* value_repair.c: makes a value valid again after one of its parts changed. */
#include "describe/generate_parts.h"

/* Keeps the views that still apply, each on what those before it give. */
static enum ndp_status keep_views(struct ndp_arena *arena, struct ndp_arena *scratch,
                                  const struct ndp_generate_limits *limits, struct ndp_array_value *value) {
    struct ndp_array_value base = *value;
    base.view_count = 0;
    struct ndp_array array;
    NDP_TRY(ndp_array_build(scratch, &base, true, &array, NULL));
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
        if (!ndp_base_size_fits(&result, limits->value_bytes, &size)) continue;
        array = after;
        kept[count++] = value->views[i];
    }
    value->views = count > 0 ? kept : NULL;
    value->view_count = count;
    return NDP_OK;
}

enum ndp_status ndp_value_repair(struct ndp_arena *arena, struct ndp_arena *scratch,
                                 const struct ndp_generate_limits *limits, struct ndp_array_value *value) {
    uint64_t size = 0;
    ndp_base_repair(&value->base);
    if (!ndp_base_size_fits(&value->base, limits->value_bytes, &size)) return NDP_INVALID;
    NDP_TRY(ndp_dtype_check(value->base.dtype, NULL));
    if (value->base.dtype->kind == NDP_KIND_SUBARRAY) return NDP_INVALID;
    if (value->view_count == 0) {
        value->views = NULL;
        return NDP_OK;
    }
    return keep_views(arena, scratch, limits, value);
}
