/* shrink_shape.c: fewer axes and smaller extents of the base, and of the views that refer to its axes. */
#include "base/checked.h"
#include "generate/shrink_parts.h"

/* Copies the views up to the first whose axes are not those of the base. */
static enum ndp_status copy_views(struct ndp_arena *arena, struct ndp_array_value *value, struct ndp_view **views) {
    *views = ndp_arena_copy(arena, value->views, (uint64_t)value->view_count * sizeof *value->views);
    if (*views == NULL) return NDP_NOMEM;
    if (value->view_count > 0) value->views = *views;
    return NDP_OK;
}

static bool names_axes(const struct ndp_view *view) {
    return view->op == NDP_VIEW_TRANSPOSE || view->op == NDP_VIEW_SLICE;
}

/* Removes `axis` from a transposition. Fills its position in the result. */
static enum ndp_status cut_transpose(struct ndp_arena *arena, struct ndp_view *view, uint32_t *axis) {
    uint32_t *axes = NDP_ARENA_ITEMS(arena, uint32_t, view->ndim);
    if (axes == NULL) return NDP_NOMEM;
    uint32_t kept = 0;
    uint32_t place = 0;
    for (uint32_t i = 0; i < view->ndim; i++) {
        if (view->axes[i] == *axis)
            place = i;
        else
            axes[kept++] = view->axes[i] - (view->axes[i] > *axis);
    }
    view->axes = axes;
    view->ndim--;
    *axis = place;
    return NDP_OK;
}

static enum ndp_status cut_slice(struct ndp_arena *arena, struct ndp_view *view, uint32_t axis) {
    struct ndp_slice *slices = NDP_ARENA_ITEMS(arena, struct ndp_slice, view->ndim);
    if (slices == NULL) return NDP_NOMEM;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < view->ndim; i++)
        if (i != axis) slices[kept++] = view->slices[i];
    view->slices = slices;
    view->ndim--;
    return NDP_OK;
}

static enum ndp_status cut_axis_of_views(struct ndp_arena *arena, struct ndp_array_value *value, uint32_t first,
                                         uint32_t axis) {
    struct ndp_view *views = NULL;
    NDP_TRY(copy_views(arena, value, &views));
    for (uint32_t i = first; i < value->view_count && names_axes(&views[i]); i++) {
        if (axis >= views[i].ndim) return NDP_INVALID;
        if (views[i].op == NDP_VIEW_TRANSPOSE)
            NDP_TRY(cut_transpose(arena, &views[i], &axis));
        else
            NDP_TRY(cut_slice(arena, &views[i], axis));
    }
    return NDP_OK;
}

/* Clamps a slice to the shorter axis. */
static void clamp_slice(struct ndp_slice *slice, int64_t extent) {
    int64_t step = slice->step;
    if (extent == 0) {
        *slice = (struct ndp_slice){0, step < 0 ? -1 : 1, 0};
        return;
    }
    if (slice->start >= extent) slice->start = extent - 1;
    int64_t most = step > 0 ? (extent - 1 - slice->start) / step + 1 : slice->start / -step + 1;
    if (slice->count > most) slice->count = most;
}

static enum ndp_status clamp_views(struct ndp_arena *arena, struct ndp_array_value *value, uint32_t first,
                                   uint32_t axis, int64_t extent) {
    struct ndp_view *views = NULL;
    NDP_TRY(copy_views(arena, value, &views));
    for (uint32_t i = first; i < value->view_count && names_axes(&views[i]); i++) {
        if (axis >= views[i].ndim) return NDP_INVALID;
        if (views[i].op == NDP_VIEW_TRANSPOSE) {
            uint32_t place = 0;
            while (place < views[i].ndim && views[i].axes[place] != axis) place++;
            axis = place;
            continue;
        }
        struct ndp_slice *slices = ndp_arena_copy(arena, views[i].slices, (uint64_t)views[i].ndim * sizeof *slices);
        if (slices == NULL) return NDP_NOMEM;
        if (slices[axis].step == INT64_MIN) return NDP_INVALID;
        clamp_slice(&slices[axis], extent);
        extent = slices[axis].count;
        views[i].slices = slices;
    }
    return NDP_OK;
}

static uint32_t count_axes(const struct ndp_descriptor *from) {
    return from->value.array.base.dtype != NULL ? from->value.array.base.ndim : 0;
}

/* Removes a run of axes: the second half, the first half, then each from the last. */
static uint32_t count_removed_axes(const struct ndp_descriptor *from) {
    return count_axes(from) > 0 ? count_axes(from) + 2 : 0;
}

static enum ndp_status make_removed_axes(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_array_value *value = &out->value.array;
    uint32_t ndim = value->base.ndim;
    uint32_t first = index == 0 ? ndim / 2 : index == 1 ? 0 : ndim - 1 - (index - 2);
    uint32_t end = index == 0 ? ndim : index == 1 ? ndim / 2 : first + 1;
    if (first == end) return NDP_INVALID;
    int64_t *shape = NDP_ARENA_ITEMS(shrink->arena, int64_t, ndim);
    if (shape == NULL) return NDP_NOMEM;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ndim; i++)
        if (i < first || i >= end) shape[kept++] = value->base.shape[i];
    for (uint32_t i = end; i > first; i--) NDP_TRY(cut_axis_of_views(shrink->arena, value, 0, i - 1));
    value->base.shape = shape;
    value->base.ndim = kept;
    return NDP_OK;
}

static uint32_t count_smaller(const struct ndp_descriptor *from) {
    return count_axes(from) * NDP_SHRINK_EXTENTS;
}

static enum ndp_status make_smaller(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_array_value *value = &out->value.array;
    uint32_t axis = index % value->base.ndim;
    int64_t *shape = ndp_arena_copy(shrink->arena, value->base.shape, value->base.ndim * sizeof *shape);
    if (shape == NULL) return NDP_NOMEM;
    if (!ndp_shrink_extent(value->base.shape[axis], index / value->base.ndim, &shape[axis])) return NDP_INVALID;
    NDP_TRY(clamp_views(shrink->arena, value, 0, axis, shape[axis]));
    value->base.shape = shape;
    return NDP_OK;
}

static enum ndp_status flatten(struct ndp_arena *arena, struct ndp_base *base, const int64_t *like, uint32_t ndim) {
    uint64_t count = 0;
    uint64_t size = 0;
    int64_t *shape = NDP_ARENA_NEW(arena, int64_t);
    if (shape == NULL) return NDP_NOMEM;
    if (!ndp_checked_extents_fit(like, ndim, base->dtype->itemsize_bytes, &count, &size)) return NDP_INVALID;
    shape[0] = (int64_t)count;
    base->shape = shape;
    base->ndim = 1;
    return NDP_OK;
}

/* All elements on one axis. */
static uint32_t count_flat(const struct ndp_descriptor *from) {
    return count_axes(from) > 1 ? 1 : 0;
}

static enum ndp_status make_flat(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_base *base = &out->value.array.base;
    (void)index;
    return flatten(shrink->arena, base, base->shape, base->ndim);
}

/* A view with its own shape: one of its extents decreases, or an axis is removed, along with later views. If the first
 * view reshapes a base of one axis, the base changes accordingly. */
enum { OWN_AXES = 8, OWN_CHANGES = NDP_SHRINK_EXTENTS + 1, OWN_EACH = OWN_AXES * OWN_CHANGES };

static uint32_t count_own(const struct ndp_descriptor *from) {
    return from->value.array.base.dtype != NULL ? from->value.array.view_count * OWN_EACH : 0;
}

static enum ndp_status cut_own_axis(const struct ndp_shrink *shrink, struct ndp_view *view, uint32_t axis,
                                    int64_t *shape) {
    int64_t *strides = NULL;
    if (view->strides_bytes != NULL) {
        strides = ndp_arena_copy(shrink->arena, view->strides_bytes, (uint64_t)view->ndim * sizeof *strides);
        if (strides == NULL) return NDP_NOMEM;
    }
    for (uint32_t i = axis; i + 1 < view->ndim; i++) {
        shape[i] = shape[i + 1];
        if (strides != NULL) strides[i] = strides[i + 1];
    }
    view->strides_bytes = strides;
    view->ndim--;
    return NDP_OK;
}

static enum ndp_status make_own(const struct ndp_shrink *shrink, uint32_t index, struct ndp_descriptor *out) {
    struct ndp_array_value *value = &out->value.array;
    uint32_t at = index / OWN_EACH;
    uint32_t axis = index % OWN_AXES;
    uint32_t change = index % OWN_EACH / OWN_AXES;
    if (value->views[at].shape == NULL || axis >= value->views[at].ndim) return NDP_INVALID;
    struct ndp_view *views = NULL;
    uint64_t ndim = value->views[at].ndim;
    int64_t *shape = ndp_arena_copy(shrink->arena, value->views[at].shape, ndim * sizeof *shape);
    if (shape == NULL) return NDP_NOMEM;
    if (change == 0)
        NDP_TRY(cut_axis_of_views(shrink->arena, value, at + 1, axis));
    else if (!ndp_shrink_extent(shape[axis], change - 1, &shape[axis]))
        return NDP_INVALID;
    else
        NDP_TRY(clamp_views(shrink->arena, value, at + 1, axis, shape[axis]));
    NDP_TRY(copy_views(shrink->arena, value, &views));
    if (change == 0) NDP_TRY(cut_own_axis(shrink, &views[at], axis, shape));
    views[at].shape = shape;
    bool takes_base = at == 0 && views[0].op == NDP_VIEW_RESHAPE && value->base.ndim == 1;
    return takes_base ? flatten(shrink->arena, &value->base, shape, views[0].ndim) : NDP_OK;
}

const struct ndp_shrink_family ndp_shrink_shape_families[] = {{count_flat, make_flat},
                                                              {count_removed_axes, make_removed_axes},
                                                              {count_smaller, make_smaller},
                                                              {count_own, make_own},
                                                              {NULL, NULL}};
