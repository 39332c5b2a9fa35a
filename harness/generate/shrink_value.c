/* shrink_value.c: the boldest neighbours: another value, fewer views, simpler views. */
#include "generate/shrink_parts.h"

#include <string.h>

static const struct ndp_dtype smallest_dtype = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};

static bool has_value(const struct ndp_descriptor *from) {
    return from->value.array.base.dtype != NULL;
}

static uint32_t count_whole(const struct ndp_descriptor *from) {
    return has_value(from) ? 5 : 0;
}

/* Replaces base and views by their result as a base. */
static enum ndp_status take_result(const struct ndp_shrink *shrink, struct ndp_array_value *value) {
    struct ndp_array array;
    if (value->view_count == 0) return NDP_INVALID;
    /* Not in scratch: the dtype of the array may be allocated here. */
    NDP_TRY(ndp_array_build_layout(shrink->arena, value, true, &array, NULL));
    int64_t *shape = ndp_arena_copy(shrink->arena, array.layout.shape, array.layout.ndim * sizeof *shape);
    if (shape == NULL) return NDP_NOMEM;
    value->base.dtype = array.dtype;
    value->base.ndim = array.layout.ndim;
    value->base.shape = shape;
    value->base.data = (struct ndp_data){.pattern = NDP_PATTERN_INDEX};
    value->view_count = 0;
    return NDP_OK;
}

static enum ndp_status make_whole(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    static const int64_t two[] = {2};
    struct ndp_array_value *value = &out->value.array;
    switch (index) {
    case 0:
        *value = (struct ndp_array_value){.base = {.dtype = &smallest_dtype}};
        value->class_name = ndp_bytes_view("ndarray");
        return NDP_OK;
    case 1:
        *value = (struct ndp_array_value){.base = {.dtype = value->base.dtype}};
        value->class_name = ndp_bytes_view("ndarray");
        return NDP_OK;
    case 2:
        value->view_count = 0;
        value->base.dtype = &smallest_dtype;
        value->base.ndim = 1;
        value->base.shape = two;
        value->base.data = (struct ndp_data){.pattern = NDP_PATTERN_INDEX};
        return NDP_OK;
    case 3:
        value->view_count = 0;
        return NDP_OK;
    default:
        return take_result(shrink, value);
    }
}

/* Removes runs of views: the second half, the first half, then each. */
static uint32_t count_removed_views(const struct ndp_descriptor *from) {
    return has_value(from) ? from->value.array.view_count + 2 : 0;
}

static enum ndp_status make_removed_views(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_array_value *value = &out->value.array;
    uint32_t half = value->view_count / 2;
    uint32_t first = index < 2 ? (index == 0 ? half : 0) : value->view_count - 1 - (index - 2);
    uint32_t end = index < 2 ? (index == 0 ? value->view_count : half) : first + 1;
    if (first == end) return NDP_INVALID;
    struct ndp_view *views = NDP_ARENA_ITEMS(shrink->arena, struct ndp_view, value->view_count);
    if (views == NULL) return NDP_NOMEM;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < value->view_count; i++)
        if (i < first || i >= end) views[kept++] = value->views[i];
    value->views = views;
    value->view_count = kept;
    return NDP_OK;
}

/* Simplifications of one view: all axes at once, then each. */
enum { VIEW_CHANGES = 6, VIEW_AXES = 8 };

static uint32_t count_simpler(const struct ndp_descriptor *from) {
    return has_value(from) ? from->value.array.view_count * (VIEW_CHANGES + VIEW_AXES * 3) : 0;
}

static enum ndp_status copy_axes(struct ndp_arena *arena, struct ndp_view *view, int64_t **shape, int64_t **strides,
                                 uint32_t **axes, struct ndp_slice **slices) {
    uint64_t count = view->ndim;
    *shape = ndp_arena_copy(arena, view->shape, view->shape != NULL ? count * sizeof **shape : 0);
    *strides = ndp_arena_copy(arena, view->strides_bytes, view->strides_bytes != NULL ? count * sizeof **strides : 0);
    *axes = ndp_arena_copy(arena, view->axes, view->axes != NULL ? count * sizeof **axes : 0);
    *slices = ndp_arena_copy(arena, view->slices, view->slices != NULL ? count * sizeof **slices : 0);
    if (*shape == NULL || *strides == NULL || *axes == NULL || *slices == NULL) return NDP_NOMEM;
    if (view->shape != NULL) view->shape = *shape;
    if (view->strides_bytes != NULL) view->strides_bytes = *strides;
    if (view->axes != NULL) view->axes = *axes;
    if (view->slices != NULL) view->slices = *slices;
    return NDP_OK;
}

static enum ndp_status simplify_all(struct ndp_view *view, uint32_t change, struct ndp_slice *slices, uint32_t *axes,
                                    int64_t *shape) {
    switch (change) {
    case 0:
        if (view->op != NDP_VIEW_RESHAPE) return NDP_INVALID;
        view->order = NDP_MEMORY_C;
        return NDP_OK;
    case 1:
        if (view->op != NDP_VIEW_TRANSPOSE || view->ndim < 2) return NDP_INVALID;
        for (uint32_t i = 0; i < view->ndim; i++) axes[i] = i; /* exchange only the last two */
        axes[view->ndim - 1] = view->ndim - 2;
        axes[view->ndim - 2] = view->ndim - 1;
        return NDP_OK;
    case 2:
        if (view->op != NDP_VIEW_SLICE) return NDP_INVALID;
        for (uint32_t i = 0; i < view->ndim; i++) slices[i].step = slices[i].step >= 0 ? 1 : -1;
        return NDP_OK;
    case 3:
        if (view->op != NDP_VIEW_AS_DTYPE || view->dtype->itemsize_bytes != 1) return NDP_INVALID;
        view->dtype = &smallest_dtype;
        return NDP_OK;
    case 4:
        if (view->op != NDP_VIEW_NEWAXIS) return NDP_INVALID;
        view->axis = 0;
        return NDP_OK;
    default:
        if (view->op != NDP_VIEW_STRIDED) return NDP_INVALID;
        for (uint32_t i = 0; i < view->ndim; i++)
            if (shape[i] > 2) shape[i] = 2;
        view->offset_bytes = 0;
        return NDP_OK;
    }
}

/* Slices with the full end, the earliest start, or a step of one. The step of a single element may be any number,
 * including the minimum. */
static struct ndp_slice simpler_slice(struct ndp_slice slice, uint32_t change) {
    const bool is_reversed = slice.step < 0;
    const int64_t reach = slice.count > 1 ? (slice.count - 1) * (is_reversed ? -slice.step : slice.step) : 0;
    const int64_t low = is_reversed ? slice.start - reach : slice.start;
    if (change == 0) return (struct ndp_slice){0, 1, low + reach + (slice.count > 0)};
    if (change == 1) return (struct ndp_slice){is_reversed ? reach : 0, slice.step, slice.count};
    return (struct ndp_slice){low, 1, slice.count};
}

/* Simplifies one axis: its slice, or its extent and stride. */
static enum ndp_status simplify_axis(struct ndp_view *view, uint32_t axis, uint32_t change, struct ndp_slice *slices,
                                     int64_t *shape, int64_t *strides) {
    if (axis >= view->ndim) return NDP_INVALID;
    if (view->op == NDP_VIEW_SLICE) {
        slices[axis] = simpler_slice(slices[axis], change);
        return NDP_OK;
    }
    if (view->op == NDP_VIEW_BROADCAST || view->op == NDP_VIEW_STRIDED) {
        if (change == 0 && shape[axis] != 0) shape[axis] = 1;
        if (change == 1 && shape[axis] > 2) shape[axis] = 2;
        if (change == 2 && strides != NULL && view->strides_bytes != NULL) strides[axis] = 0;
        return NDP_OK;
    }
    return NDP_INVALID;
}

static enum ndp_status make_simpler(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_array_value *value = &out->value.array;
    uint32_t each = VIEW_CHANGES + VIEW_AXES * 3;
    uint32_t change = index % each;
    struct ndp_view *views =
        ndp_arena_copy(shrink->arena, value->views, (uint64_t)value->view_count * sizeof *value->views);
    if (views == NULL) return NDP_NOMEM;
    struct ndp_view *view = &views[index / each];
    int64_t *shape = NULL;
    int64_t *strides = NULL;
    uint32_t *axes = NULL;
    struct ndp_slice *slices = NULL;
    NDP_TRY(copy_axes(shrink->arena, view, &shape, &strides, &axes, &slices));
    value->views = views;
    if (change < VIEW_CHANGES) return simplify_all(view, change, slices, axes, shape);
    change -= VIEW_CHANGES;
    return simplify_axis(view, change / 3, change % 3, slices, shape, strides);
}

const struct ndp_shrink_family ndp_shrink_value_families[] = {
    {count_whole, make_whole}, {count_removed_views, make_removed_views}, {count_simpler, make_simpler}, {NULL, NULL}};
