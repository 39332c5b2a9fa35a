/* generate_views.c: generates a sequence of views. Source: clauses 8.1 rows 7, 8 and 11 of corpus/index.json.
 *
 * A view is chosen so that it nearly always applies, and is then applied to the model's array. Views that do not apply
 * are dropped, so that the rules exist only in the model.
 */
#include "base/checked.h"
#include "generate/generate_parts.h"

#include <string.h>

/* State of the generation of one view. */
struct view_draw {
    struct ndp_arena *arena;
    struct ndp_choices *choices;
    const struct ndp_array *array;
    uint64_t max_bytes; /* limit of a view's elements, repeated ones included */
    uint32_t max_ndim;
};

typedef enum ndp_status view_drawer(const struct view_draw *draw, struct ndp_view *view, bool *has_view);

static enum ndp_status keep_shape(const struct view_draw *draw, const int64_t *shape, uint32_t ndim,
                                  struct ndp_view *view) {
    view->ndim = ndim;
    view->shape = ndp_arena_copy(draw->arena, shape, (uint64_t)ndim * sizeof *shape);
    return view->shape == NULL ? NDP_NOMEM : NDP_OK;
}

static enum ndp_status draw_reshape(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    const struct ndp_layout *layout = &draw->array->layout;
    uint64_t count = ndp_layout_count(layout);
    int64_t shape[NDP_MAX_NDIM];
    static const uint32_t ndims[] = {2, 1, 3, 4, 0, 33};
    uint32_t ndim = ndims[ndp_choose_weighted(draw->choices, (const uint8_t[]){20, 10, 12, 4, 2, 1}, 6)];
    if (ndim == 0 && count != 1) ndim = 2;
    if (ndim > draw->max_ndim) ndim = draw->max_ndim;
    ndp_generate_split(draw->choices, count, ndim, shape);
    view->op = NDP_VIEW_RESHAPE;
    view->order = ndp_choose_rarely(draw->choices, 3) ? NDP_MEMORY_F : NDP_MEMORY_C;
    *has_view = ndim > 0 || count == 1;
    return keep_shape(draw, shape, ndim, view);
}

static enum ndp_status draw_transpose(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    uint32_t ndim = draw->array->layout.ndim;
    uint32_t *axes = NDP_ARENA_ITEMS(draw->arena, uint32_t, ndim);
    if (axes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < ndim; i++) axes[i] = ndim - 1 - i;
    if (ndim > 2 && ndp_choose_rarely(draw->choices, 2)) {
        for (uint32_t i = 0; i + 1 < ndim; i++) {
            uint32_t other = i + (uint32_t)ndp_choose(draw->choices, ndim - i);
            uint32_t kept = axes[i];
            axes[i] = axes[other];
            axes[other] = kept;
        }
    }
    view->op = NDP_VIEW_TRANSPOSE;
    view->ndim = ndim;
    view->axes = axes;
    *has_view = ndim >= 2 || ndp_choose_rarely(draw->choices, 8);
    return NDP_OK;
}

/* One axis of a slice: full, reversed, every second, a window, one element, none. */
static struct ndp_slice draw_axis(struct ndp_choices *choices, int64_t extent) {
    struct ndp_slice slice = {0, 1, extent};
    uint32_t style = ndp_choose_weighted(choices, (const uint8_t[]){8, 4, 5, 5, 2, 1}, 6);
    if (extent <= 0) {
        if (style == 1) slice.step = -1;
        return slice;
    }
    int64_t start = 0;
    switch (style) {
    case 1:
        return (struct ndp_slice){extent - 1, -1, extent};
    case 2:
        slice.step = (int64_t)ndp_choose_between(choices, 2, 3);
        slice.start = (int64_t)ndp_choose(choices, extent > 1 ? 2 : 1);
        slice.count = (extent - slice.start - 1) / slice.step + 1;
        return slice;
    case 3:
        slice.start = (int64_t)ndp_choose(choices, (uint64_t)extent);
        slice.count = (int64_t)ndp_choose_between(choices, 1, (uint64_t)(extent - slice.start));
        return slice;
    case 4:
        start = (int64_t)ndp_choose(choices, (uint64_t)extent);
        return (struct ndp_slice){start, ndp_choose_rarely(choices, 2) ? -1 : 1, 1};
    case 5:
        return (struct ndp_slice){(int64_t)ndp_choose(choices, (uint64_t)extent), 1, 0};
    default:
        return slice;
    }
}

static enum ndp_status draw_slice(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    uint32_t ndim = draw->array->layout.ndim;
    struct ndp_slice *slices = NDP_ARENA_ITEMS(draw->arena, struct ndp_slice, ndim);
    if (slices == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < ndim; i++) slices[i] = draw_axis(draw->choices, draw->array->layout.shape[i]);
    view->op = NDP_VIEW_SLICE;
    view->ndim = ndim;
    view->slices = slices;
    *has_view = ndim > 0;
    return NDP_OK;
}

static enum ndp_status draw_newaxis(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    view->op = NDP_VIEW_NEWAXIS;
    view->axis = (uint32_t)ndp_choose(draw->choices, (uint64_t)draw->array->layout.ndim + 1);
    *has_view = draw->array->layout.ndim < draw->max_ndim;
    return NDP_OK;
}

static enum ndp_status draw_broadcast(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    const struct ndp_layout *layout = &draw->array->layout;
    uint32_t front = (uint32_t)ndp_choose(draw->choices, 3);
    if (layout->ndim + front > draw->max_ndim) front = 0;
    int64_t shape[NDP_MAX_NDIM];
    uint32_t ndim = layout->ndim + front;
    for (uint32_t i = 0; i < ndim; i++) {
        shape[i] = i < front ? 1 : layout->shape[i - front];
        /* An extent may be broadcast to 0 as well as to many. */
        if (shape[i] == 1 && ndp_choose_rarely(draw->choices, ndim > 6 ? 12 : 2)) {
            static const int64_t repeats[] = {2, 3, 1, 5, 0};
            shape[i] = repeats[ndp_choose_weighted(draw->choices, (const uint8_t[]){6, 6, 2, 2, 1}, 5)];
        }
    }
    view->op = NDP_VIEW_BROADCAST;
    *has_view = true;
    return keep_shape(draw, shape, ndim, view);
}

static enum ndp_status draw_field(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    const struct ndp_dtype *dtype = draw->array->dtype;
    view->op = NDP_VIEW_FIELD;
    *has_view = dtype->kind == NDP_KIND_STRUCT && dtype->field_count > 0;
    if (*has_view) view->name = dtype->fields[ndp_choose(draw->choices, dtype->field_count)].name;
    return NDP_OK;
}

static enum ndp_status draw_as_dtype(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    const struct ndp_dtype *dtype = draw->array->dtype;
    *has_view = !ndp_dtype_has_object(dtype);
    if (!*has_view) return NDP_OK;
    view->op = NDP_VIEW_AS_DTYPE;
    return ndp_generate_dtype_of_size(draw->arena, draw->choices, dtype->itemsize_bytes, &view->dtype);
}

static enum ndp_status draw_part(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    bool is_imag = ndp_choose_rarely(draw->choices, 2);
    view->op = is_imag ? NDP_VIEW_IMAG : NDP_VIEW_REAL;
    *has_view = draw->array->dtype->kind == NDP_KIND_COMPLEX;
    return NDP_OK;
}

static int64_t draw_stride(struct ndp_choices *choices, int64_t extent, int64_t itemsize, int64_t room) {
    static const int64_t wild[] = {0, 1, -1, 12345, -7, INT64_C(1) << 62, -(INT64_C(1) << 62)};
    if (extent <= 1) return wild[ndp_choose(choices, NDP_ARRAY_LEN(wild))];
    int64_t most = room / (extent - 1); /* largest stride within the room */
    int64_t stride = itemsize;
    const uint32_t choice = ndp_choose_weighted(choices, (const uint8_t[]){6, 3, 3, 3, 3}, 5);
    if (choice == 1) stride = 0;
    if (choice == 2) stride = itemsize * 2;
    if (choice == 3) stride = (int64_t)ndp_choose(choices, (uint64_t)itemsize + 1); /* windows overlap */
    if (choice == 4) stride = (int64_t)ndp_choose(choices, (uint64_t)most + 1);
    return stride <= most ? stride : most;
}

/* Fills strides that keep the elements within `room` bytes. Returns the offset of the first element in this room,
 * because negative strides start at its end. */
static int64_t draw_strides(const struct view_draw *draw, uint32_t ndim, const int64_t *shape, int64_t itemsize,
                            int64_t room, int64_t *strides) {
    int64_t start = 0;
    for (uint32_t i = 0; i < ndim; i++) {
        strides[i] = draw_stride(draw->choices, shape[i], itemsize, room);
        if (shape[i] <= 1) continue;
        int64_t reach = strides[i] * (shape[i] - 1);
        room -= reach;
        if (ndp_choose_rarely(draw->choices, 4)) {
            strides[i] = -strides[i];
            start += reach;
        }
    }
    return start + (int64_t)ndp_choose(draw->choices, (uint64_t)room + 1);
}

static enum ndp_status draw_strided(const struct view_draw *draw, struct ndp_view *view, bool *has_view) {
    const struct ndp_array *array = draw->array;
    int64_t low = 0;
    int64_t high = 0;
    int64_t itemsize = (int64_t)array->dtype->itemsize_bytes;
    *has_view = false;
    if (ndp_dtype_has_object(array->dtype) || itemsize == 0) return NDP_OK;
    if (ndp_layout_extent(&array->layout, (uint64_t)itemsize, &low, &high) != NDP_OK) return NDP_OK;
    if (high - low < itemsize) return NDP_OK;

    int64_t shape[NDP_MAX_NDIM], strides[NDP_MAX_NDIM];
    uint32_t ndim = (uint32_t)ndp_choose_between(draw->choices, 1, 3);
    if (ndim > draw->max_ndim) ndim = draw->max_ndim;
    for (uint32_t i = 0; i < ndim; i++) shape[i] = (int64_t)ndp_choose_between(draw->choices, 1, 5);
    int64_t start = draw_strides(draw, ndim, shape, itemsize, high - low - itemsize, strides);
    view->op = NDP_VIEW_STRIDED;
    view->offset_bytes = low + start - array->layout.offset_bytes;
    view->strides_bytes = ndp_arena_copy(draw->arena, strides, (uint64_t)ndim * sizeof *strides);
    if (view->strides_bytes == NULL) return NDP_NOMEM;
    *has_view = true;
    return keep_shape(draw, shape, ndim, view);
}

/* Reports whether the materialised elements of a view stay within the limit; broadcasting makes them large at no
 * cost. */
static bool result_fits(const struct view_draw *draw, const struct ndp_array *after) {
    uint64_t count = 0;
    uint64_t size = 0;
    const struct ndp_layout *layout = &after->layout;
    if (layout->ndim > draw->max_ndim) return false;
    if (!ndp_checked_extents_fit(layout->shape, layout->ndim, after->dtype->itemsize_bytes, &count, &size))
        return false;
    return size <= draw->max_bytes && count <= draw->max_bytes;
}

/* The first row is the simplest. The dtype determines the weights of FIELD and of complex parts. */
static const struct {
    enum ndp_view_op op;
    view_drawer *draw;
    uint8_t weight;
} drawers[] = {{NDP_VIEW_SLICE, draw_slice, 24},
               {NDP_VIEW_RESHAPE, draw_reshape, 20},
               {NDP_VIEW_TRANSPOSE, draw_transpose, 20},
               {NDP_VIEW_NEWAXIS, draw_newaxis, 5},
               {NDP_VIEW_BROADCAST, draw_broadcast, 8},
               {NDP_VIEW_AS_DTYPE, draw_as_dtype, 7},
               {NDP_VIEW_STRIDED, draw_strided, 10},
               {NDP_VIEW_FIELD, draw_field, 0},
               {NDP_VIEW_REAL, draw_part, 0}};

/* Operations that only some dtypes have get a large share for those. The part of a complex number is chosen later. */
static uint32_t draw_operation(struct ndp_choices *choices, const struct ndp_dtype *dtype, enum ndp_view_op op) {
    if (op == NDP_VIEW_IMAG) op = NDP_VIEW_REAL;
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(drawers); i++)
        if (drawers[i].op == op) return i;
    uint8_t weights[NDP_ARRAY_LEN(drawers)];
    for (size_t i = 0; i < NDP_ARRAY_LEN(drawers); i++) {
        weights[i] = drawers[i].weight;
        if (drawers[i].op == NDP_VIEW_FIELD && dtype->kind == NDP_KIND_STRUCT) weights[i] = 18;
        if (drawers[i].op == NDP_VIEW_REAL && dtype->kind == NDP_KIND_COMPLEX) weights[i] = 30;
    }
    return ndp_choose_weighted(choices, weights, NDP_ARRAY_LEN(drawers));
}

enum ndp_status ndp_generate_view(struct ndp_arena *arena, struct ndp_arena *scratch, struct ndp_choices *choices,
                                  const struct ndp_array *array, const struct ndp_generate_limits *limits,
                                  enum ndp_view_op op, struct ndp_view *out, struct ndp_array *after, bool *has_view) {
    struct view_draw draw = {arena, choices, array, limits->value_bytes, limits->max_ndim};
    struct ndp_view view = {0};
    bool drawn = false;
    *has_view = false;
    NDP_TRY(drawers[draw_operation(choices, array->dtype, op)].draw(&draw, &view, &drawn));
    if (!drawn) return NDP_OK;
    struct ndp_array result;
    enum ndp_status status = ndp_array_view(scratch, array, &view, &result, NULL);
    if (status == NDP_NOMEM) return status;
    if (status != NDP_OK || !result_fits(&draw, &result)) return NDP_OK;
    *out = view;
    *after = result;
    *has_view = true;
    return NDP_OK;
}
