/* array_plan_layout.c: derives the base and the views from the result.
 *
 * Each step puts a view in front of those so far: it keeps the result, and changes the dtype and the shape that the
 * memory below must have. At the end they are those of the base.
 */
#include "generate/array_plan_parts.h"

#include <string.h>

enum { MAX_VIEWS = 4 };

struct draft {
    struct ndp_arena *arena;
    struct ndp_choices *choices;
    const struct ndp_dtype *dtype;
    uint32_t ndim;
    int64_t shape[NDP_MAX_NDIM];
    struct ndp_view views[MAX_VIEWS]; /* the last one first */
    uint32_t view_count;
};

static bool keep_shape(struct draft *draft, struct ndp_view *view) {
    view->ndim = draft->ndim;
    view->shape = ndp_arena_copy(draft->arena, draft->shape, draft->ndim * sizeof *draft->shape);
    return view->shape != NULL;
}

static enum ndp_status add_view(struct draft *draft, struct ndp_view view) {
    if (draft->view_count < MAX_VIEWS) draft->views[draft->view_count++] = view;
    return NDP_OK;
}

/* The axes longer than 1; returns their number. */
static uint32_t long_axes(const struct draft *draft, uint32_t *axes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < draft->ndim; i++)
        if (draft->shape[i] > 1) axes[count++] = i;
    return count;
}

/* ---- slices ---- */

/* Slices one axis so that `extent` items remain, and changes it to that of the memory below. */
static struct ndp_slice slice_axis(struct ndp_choices *choices, enum ndp_plan_layout layout, int64_t *extent) {
    const int64_t count = *extent;
    int64_t start = (int64_t)ndp_choose(choices, 3), step = 1;
    if (layout == NDP_LAYOUT_REVERSED) return (struct ndp_slice){count - 1, -1, count};
    if (layout == NDP_LAYOUT_STRIDED) step = (int64_t)ndp_choose_between(choices, 2, 3);
    const int64_t tail = (int64_t)ndp_choose(choices, 3) + (layout == NDP_LAYOUT_WINDOW && start == 0);
    *extent = start + (count - 1) * step + 1 + tail;
    return (struct ndp_slice){start, step, count};
}

static enum ndp_status add_slice(struct draft *draft, enum ndp_plan_layout layout) {
    uint32_t axes[NDP_MAX_NDIM];
    uint32_t count = long_axes(draft, axes);
    struct ndp_slice *slices = NDP_ARENA_ITEMS(draft->arena, struct ndp_slice, draft->ndim);
    if (slices == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < draft->ndim; i++) slices[i] = (struct ndp_slice){0, 1, draft->shape[i]};
    if (count == 0 && draft->ndim > 0) axes[count++] = 0;
    const uint32_t chosen = count > 0 ? axes[ndp_choose(draft->choices, count)] : 0;
    const bool is_for_all = ndp_choose_rarely(draft->choices, 4);
    for (uint32_t i = 0; i < count; i++)
        if (axes[i] == chosen || is_for_all)
            slices[axes[i]] = slice_axis(draft->choices, layout, &draft->shape[axes[i]]);
    return add_view(draft, (struct ndp_view){.op = NDP_VIEW_SLICE, .ndim = draft->ndim, .slices = slices});
}

/* ---- axes ---- */

/* Whether the long axes are neither in order nor reversed. */
static bool is_shuffled(const struct draft *draft, const uint32_t *axes) {
    bool rises = true, falls = true;
    uint32_t last = NDP_MAX_NDIM;
    for (uint32_t i = 0; i < draft->ndim; i++) {
        if (draft->shape[i] <= 1) continue;
        if (last != NDP_MAX_NDIM) {
            rises = rises && axes[i] > last;
            falls = falls && axes[i] < last;
        }
        last = axes[i];
    }
    return !rises && !falls;
}

static enum ndp_status add_transpose(struct draft *draft, bool shuffles) {
    enum { MAX_TRIES = 16 };
    const uint32_t ndim = draft->ndim;
    uint32_t *axes = NDP_ARENA_ITEMS(draft->arena, uint32_t, ndim);
    int64_t below[NDP_MAX_NDIM];
    if (axes == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < ndim; i++) axes[i] = ndim - 1 - i;
    for (uint32_t tries = 0; shuffles && tries < MAX_TRIES && !is_shuffled(draft, axes); tries++) {
        for (uint32_t i = 0; i + 1 < ndim; i++) {
            const uint32_t other = i + (uint32_t)ndp_choose(draft->choices, ndim - i), kept = axes[i];
            axes[i] = axes[other];
            axes[other] = kept;
        }
    }
    for (uint32_t i = 0; i < ndim; i++) below[axes[i]] = draft->shape[i];
    memcpy(draft->shape, below, ndim * sizeof *below);
    return add_view(draft, (struct ndp_view){.op = NDP_VIEW_TRANSPOSE, .ndim = ndim, .axes = axes});
}

static void remove_axis(struct draft *draft, uint32_t axis) {
    draft->ndim--;
    for (uint32_t i = axis; i < draft->ndim; i++) draft->shape[i] = draft->shape[i + 1];
}

static enum ndp_status add_newaxis(struct draft *draft) {
    uint32_t axes[NDP_MAX_NDIM], count = 0;
    for (uint32_t i = 0; i < draft->ndim; i++)
        if (draft->shape[i] == 1) axes[count++] = i;
    if (count == 0) return NDP_OK;
    const uint32_t axis = axes[ndp_choose(draft->choices, count)];
    remove_axis(draft, axis);
    return add_view(draft, (struct ndp_view){.op = NDP_VIEW_NEWAXIS, .axis = axis});
}

static enum ndp_status add_broadcast(struct draft *draft, bool is_first) {
    struct ndp_view view = {.op = NDP_VIEW_BROADCAST};
    uint32_t axes[NDP_MAX_NDIM];
    const uint32_t count = long_axes(draft, axes);
    if (count < (is_first ? 1 : 2)) return NDP_OK;
    if (!keep_shape(draft, &view)) return NDP_NOMEM;
    const uint32_t axis = is_first ? axes[0] : axes[1 + ndp_choose(draft->choices, count - 1)];
    draft->shape[axis] = 1;
    while (draft->ndim > 1 && draft->shape[0] == 1 && ndp_choose_rarely(draft->choices, 2)) remove_axis(draft, 0);
    return add_view(draft, view);
}

static enum ndp_status add_reshape(struct draft *draft) {
    struct ndp_view view = {.op = NDP_VIEW_RESHAPE};
    int64_t count = 1;
    if (!keep_shape(draft, &view)) return NDP_NOMEM;
    for (uint32_t i = 0; i < draft->ndim; i++) count *= draft->shape[i];
    if (ndp_choose_rarely(draft->choices, 3)) view.order = NDP_MEMORY_F;
    draft->ndim = 1;
    draft->shape[0] = count;
    return add_view(draft, view);
}

/* Windows that share memory: each long axis moves by one item, a single one by half an item. */
static enum ndp_status add_overlapping(struct draft *draft) {
    struct ndp_view view = {.op = NDP_VIEW_STRIDED};
    uint32_t axes[NDP_MAX_NDIM];
    const uint32_t count = long_axes(draft, axes);
    const int64_t item = (int64_t)draft->dtype->itemsize_bytes;
    const int64_t stride = count >= 2 ? item : item / 2;
    int64_t *strides = NDP_ARENA_ITEMS(draft->arena, int64_t, draft->ndim), reach = item;
    if (strides == NULL || !keep_shape(draft, &view)) return NDP_NOMEM;
    for (uint32_t i = 0; i < draft->ndim; i++) {
        strides[i] = draft->shape[i] > 1 ? stride : item;
        reach += stride * (draft->shape[i] - 1);
    }
    view.strides_bytes = strides;
    draft->ndim = 1;
    draft->shape[0] = (reach + item - 1) / item;
    return add_view(draft, view);
}

/* ---- dtypes ---- */

static enum ndp_status add_field(struct draft *draft, bool is_first) {
    static const struct ndp_dtype others[] = {{.kind = NDP_KIND_UINT, .itemsize_bytes = 1},
                                              {.kind = NDP_KIND_INT, .itemsize_bytes = 4, .order = NDP_ORDER_LITTLE},
                                              {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 8, .order = NDP_ORDER_BIG},
                                              {.kind = NDP_KIND_BYTES, .itemsize_bytes = 3}};
    const struct ndp_dtype *other = &others[ndp_choose(draft->choices, NDP_ARRAY_LEN(others))];
    struct ndp_dtype *dtype = NDP_ARENA_NEW(draft->arena, struct ndp_dtype);
    struct ndp_field *fields = NDP_ARENA_ITEMS(draft->arena, struct ndp_field, 2);
    if (dtype == NULL || fields == NULL) return NDP_NOMEM;
    is_first = is_first || ndp_choose_rarely(draft->choices, 2);
    const struct ndp_dtype *low = is_first ? draft->dtype : other, *high = is_first ? other : draft->dtype;
    const uint64_t gap = ndp_choose_rarely(draft->choices, 4) ? 3 : 0;
    fields[0] = (struct ndp_field){.name = ndp_bytes_view("x"), .dtype = low};
    fields[1] =
        (struct ndp_field){.name = ndp_bytes_view("y"), .dtype = high, .offset_bytes = low->itemsize_bytes + gap};
    *dtype = (struct ndp_dtype){.kind = NDP_KIND_STRUCT, .fields = fields, .field_count = 2};
    dtype->itemsize_bytes = fields[1].offset_bytes + high->itemsize_bytes;
    draft->dtype = dtype;
    return add_view(draft, (struct ndp_view){.op = NDP_VIEW_FIELD, .name = fields[is_first ? 0 : 1].name});
}

static enum ndp_status add_part(struct draft *draft) {
    struct ndp_dtype *dtype = NDP_ARENA_NEW(draft->arena, struct ndp_dtype);
    if (dtype == NULL) return NDP_NOMEM;
    *dtype = (struct ndp_dtype){
        .kind = NDP_KIND_COMPLEX, .itemsize_bytes = 2 * draft->dtype->itemsize_bytes, .order = draft->dtype->order};
    draft->dtype = dtype;
    const bool is_imaginary = ndp_choose_rarely(draft->choices, 2);
    return add_view(draft, (struct ndp_view){.op = is_imaginary ? NDP_VIEW_IMAG : NDP_VIEW_REAL});
}

/* The memory below has items of raw bytes, of characters, or numbers of the other byte order. */
static enum ndp_status add_recast(struct draft *draft) {
    const struct ndp_dtype *wanted = draft->dtype;
    struct ndp_dtype *dtype = NDP_ARENA_NEW(draft->arena, struct ndp_dtype);
    if (dtype == NULL) return NDP_NOMEM;
    dtype->itemsize_bytes = wanted->itemsize_bytes;
    const bool is_number = wanted->itemsize_bytes == 2 || wanted->itemsize_bytes == 4 || wanted->itemsize_bytes == 8;
    dtype->kind =
        wanted->kind == NDP_KIND_VOID || ndp_choose_rarely(draft->choices, 3) ? NDP_KIND_BYTES : NDP_KIND_VOID;
    if (dtype->kind == wanted->kind) dtype->kind = NDP_KIND_VOID;
    if (is_number && !ndp_choose_rarely(draft->choices, 3)) {
        dtype->kind = NDP_KIND_UINT;
        dtype->order = wanted->order == NDP_ORDER_BIG ? NDP_ORDER_LITTLE : NDP_ORDER_BIG;
    }
    draft->dtype = dtype;
    return add_view(draft, (struct ndp_view){.op = NDP_VIEW_AS_DTYPE, .dtype = wanted});
}

/* ---- the layout ---- */

/* Several views of one dtype. */
static enum ndp_status add_chain(struct draft *draft) {
    static const enum ndp_plan_layout slices[] = {NDP_LAYOUT_STRIDED, NDP_LAYOUT_REVERSED, NDP_LAYOUT_WINDOW};
    const uint64_t count = ndp_choose_between(draft->choices, 2, 3);
    for (uint64_t i = 0; i < count; i++) {
        switch (ndp_choose(draft->choices, 5)) {
        case 0:
            NDP_TRY(add_transpose(draft, true));
            break;
        case 1:
            NDP_TRY(add_newaxis(draft));
            break;
        case 2:
            NDP_TRY(add_broadcast(draft, ndp_choose_rarely(draft->choices, 2)));
            break;
        default:
            NDP_TRY(add_slice(draft, slices[ndp_choose(draft->choices, NDP_ARRAY_LEN(slices))]));
        }
    }
    while (draft->view_count < 2) NDP_TRY(add_slice(draft, NDP_LAYOUT_REVERSED));
    return NDP_OK;
}

static enum ndp_status add_views(struct draft *draft, enum ndp_plan_layout layout, bool has_content) {
    switch (layout) {
    case NDP_LAYOUT_WINDOW:
    case NDP_LAYOUT_STRIDED:
    case NDP_LAYOUT_REVERSED:
        return add_slice(draft, layout);
    case NDP_LAYOUT_TRANSPOSED:
    case NDP_LAYOUT_PERMUTED:
        return add_transpose(draft, layout == NDP_LAYOUT_PERMUTED);
    case NDP_LAYOUT_BROADCAST_FIRST:
    case NDP_LAYOUT_BROADCAST_INNER:
        return add_broadcast(draft, layout == NDP_LAYOUT_BROADCAST_FIRST);
    case NDP_LAYOUT_NEWAXIS:
        return add_newaxis(draft);
    case NDP_LAYOUT_FIELD:
        return add_field(draft, has_content);
    case NDP_LAYOUT_PART:
        return add_part(draft);
    case NDP_LAYOUT_FLAT:
        return add_reshape(draft);
    case NDP_LAYOUT_FLAT_TRANSPOSED:
        NDP_TRY(add_transpose(draft, draft->ndim > 2 && ndp_choose_rarely(draft->choices, 2)));
        return add_reshape(draft);
    case NDP_LAYOUT_OVERLAPPING:
        return add_overlapping(draft);
    case NDP_LAYOUT_RECAST:
        return add_recast(draft);
    case NDP_LAYOUT_CHAIN:
        return add_chain(draft);
    case NDP_LAYOUT_C:
    case NDP_LAYOUT_F:
    case NDP_LAYOUT_COUNT:
        break;
    }
    return NDP_OK;
}

/* Some views may lie in memory of either order. */
static bool may_be_fortran(enum ndp_plan_layout layout) {
    return layout != NDP_LAYOUT_C && layout != NDP_LAYOUT_TRANSPOSED && layout != NDP_LAYOUT_FLAT &&
           layout != NDP_LAYOUT_FLAT_TRANSPOSED && layout != NDP_LAYOUT_OVERLAPPING;
}

enum ndp_status ndp_plan_layout(struct ndp_arena *arena, struct ndp_choices *choices,
                                const struct ndp_covering_row *row, const struct ndp_dtype *dtype, uint32_t ndim,
                                const int64_t *shape, struct ndp_array_value *out) {
    const enum ndp_plan_layout layout = (enum ndp_plan_layout)row->values[NDP_PLAN_LAYOUT];
    struct draft draft = {.arena = arena, .choices = choices, .dtype = dtype, .ndim = ndim};
    memcpy(draft.shape, shape, ndim * sizeof *shape);
    NDP_TRY(add_views(&draft, layout, row->values[NDP_PLAN_CONTENT] > NDP_CONTENT_RANDOM));
    struct ndp_view *views = NDP_ARENA_ITEMS(arena, struct ndp_view, draft.view_count);
    int64_t *base_shape = ndp_arena_copy(arena, draft.shape, draft.ndim * sizeof *draft.shape);
    if (views == NULL || base_shape == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < draft.view_count; i++) views[i] = draft.views[draft.view_count - 1 - i];
    out->base.dtype = draft.dtype;
    out->base.ndim = draft.ndim;
    out->base.shape = base_shape;
    const bool is_fortran = layout == NDP_LAYOUT_F || (may_be_fortran(layout) && ndp_choose_rarely(choices, 4));
    out->base.order = is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C;
    out->views = draft.view_count > 0 ? views : NULL;
    out->view_count = draft.view_count;
    return NDP_OK;
}

/* ---- features ---- */

static enum ndp_plan_layout layout_of_slice(const struct ndp_view *view) {
    enum ndp_plan_layout layout = NDP_LAYOUT_WINDOW;
    for (uint32_t i = 0; i < view->ndim; i++) {
        if (view->slices[i].count < 2) continue;
        if (view->slices[i].step < 0) return NDP_LAYOUT_REVERSED;
        if (view->slices[i].step > 1) layout = NDP_LAYOUT_STRIDED;
    }
    return layout;
}

/* Whether the first long axis repeats. */
static enum ndp_plan_layout layout_of_broadcast(const struct ndp_layout *layout) {
    for (uint32_t i = 0; i < layout->ndim; i++)
        if (layout->shape[i] > 1)
            return layout->strides_bytes[i] == 0 ? NDP_LAYOUT_BROADCAST_FIRST : NDP_LAYOUT_BROADCAST_INNER;
    return NDP_LAYOUT_BROADCAST_FIRST;
}

static enum ndp_plan_layout layout_of_view(const struct ndp_array_value *value, const struct ndp_array *array) {
    const struct ndp_view *view = &value->views[0];
    bool is_reversed = true;
    switch (view->op) {
    case NDP_VIEW_RESHAPE:
        return value->base.ndim == 1 && array->layout.ndim > 1 ? NDP_LAYOUT_FLAT : NDP_LAYOUT_CHAIN;
    case NDP_VIEW_TRANSPOSE:
        for (uint32_t i = 0; i < view->ndim; i++) is_reversed = is_reversed && view->axes[i] == view->ndim - 1 - i;
        return is_reversed ? NDP_LAYOUT_TRANSPOSED : NDP_LAYOUT_PERMUTED;
    case NDP_VIEW_SLICE:
        return layout_of_slice(view);
    case NDP_VIEW_NEWAXIS:
        return NDP_LAYOUT_NEWAXIS;
    case NDP_VIEW_BROADCAST:
        return layout_of_broadcast(&array->layout);
    case NDP_VIEW_FIELD:
        return NDP_LAYOUT_FIELD;
    case NDP_VIEW_AS_DTYPE:
        return NDP_LAYOUT_RECAST;
    case NDP_VIEW_REAL:
    case NDP_VIEW_IMAG:
        return NDP_LAYOUT_PART;
    case NDP_VIEW_STRIDED:
        return NDP_LAYOUT_OVERLAPPING;
    case NDP_VIEW_COUNT:
        break;
    }
    return NDP_LAYOUT_CHAIN;
}

enum ndp_plan_layout ndp_plan_layout_of(const struct ndp_array_value *value, const struct ndp_array *array) {
    const struct ndp_view *views = value->views;
    uint32_t extents_over_1 = 0;
    for (uint32_t i = 0; i < array->layout.ndim; i++) extents_over_1 += array->layout.shape[i] > 1;
    if (value->view_count == 0)
        return value->base.order == NDP_MEMORY_F && extents_over_1 > 1 ? NDP_LAYOUT_F : NDP_LAYOUT_C;
    if (value->view_count == 1) return layout_of_view(value, array);
    const bool is_flat = value->view_count == 2 && value->base.ndim == 1 && views[0].op == NDP_VIEW_RESHAPE &&
                         views[1].op == NDP_VIEW_TRANSPOSE;
    return is_flat ? NDP_LAYOUT_FLAT_TRANSPOSED : NDP_LAYOUT_CHAIN;
}
