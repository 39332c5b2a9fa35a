/* Applies view operations to an array of the model.
 *
 * Problem: the model must predict shape, strides, flags, sharing and map attributes of every NumPy view exactly.
 *
 * Method: one function per operation computes the new layout from the old one, following the NumPy source that it
 * cites; operations that cannot share memory copy into a new array. Afterwards settle_map and settle_step derive map
 * attributes and flags.
 *
 * Cost: linear in the number of axes; copies are linear in the elements. Limits: at most NDP_MAX_NDIM dimensions; views
 * that expose references or undefined padding are refused, because their content differs between versions.
 */
#include "base/checked.h"
#include "model/array.h"

#include <string.h>

/* The input, arguments and output of one view operation. */
struct step {
    struct ndp_arena *arena;
    const struct ndp_array *from;
    const struct ndp_view *view;
    struct ndp_array *to; /* starts as a copy of *from */
    struct ndp_error *error;
};

static enum ndp_status fail_view(const struct step *step, enum ndp_status status, const char *text) {
    return ndp_error_set(step->error, status, NDP_NO_OFFSET, "%s", text);
}

/* Whether NumPy allows the shape: number of dimensions, count and size. */
static bool is_shape_allowed(const int64_t *shape, uint32_t ndim, uint64_t itemsize_bytes, uint64_t *count_elems) {
    uint64_t size_bytes;
    return ndim <= NDP_MAX_NDIM && ndp_checked_extents_fit(shape, ndim, itemsize_bytes, count_elems, &size_bytes);
}

/* New arrays of S and U have room for at least one character. Source: NumPy, ctors.c, PyArray_NewFromDescr_int. */
static enum ndp_status widen_empty_text(const struct step *step) {
    const struct ndp_dtype *dtype = step->to->dtype;
    if (dtype->itemsize_bytes > 0 || (dtype->kind != NDP_KIND_BYTES && dtype->kind != NDP_KIND_TEXT)) return NDP_OK;
    struct ndp_dtype *wide = ndp_arena_copy(step->arena, dtype, sizeof *dtype);
    if (!wide) return fail_view(step, NDP_NOMEM, "out of memory for a dtype");
    wide->itemsize_bytes = dtype->kind == NDP_KIND_TEXT ? 4 : 1;
    step->to->dtype = wide;
    return NDP_OK;
}

/* Makes *to a new zeroed array of that shape, which shares no memory with the base. */
static enum ndp_status make_copy(const struct step *step, const int64_t *shape, uint32_t ndim,
                                 enum ndp_memory_order order) {
    struct ndp_array *to = step->to;
    uint64_t count_elems, size_bytes;
    NDP_TRY(widen_empty_text(step));
    if (!ndp_checked_extents_fit(shape, ndim, to->dtype->itemsize_bytes, &count_elems, &size_bytes) ||
        size_bytes > step->arena->limit_bytes - step->arena->used_bytes)
        return fail_view(step, NDP_LIMIT, "the copy that the view needs is larger than the memory of a case");
    uint8_t *buffer = ndp_arena_alloc(step->arena, size_bytes);
    if (!buffer) return fail_view(step, NDP_NOMEM, "out of memory for the copy that the view needs");
    NDP_TRY(ndp_layout_contiguous(&to->layout, shape, ndim, to->dtype->itemsize_bytes, order, 0));
    to->buffer = buffer;
    to->buffer_bytes = size_bytes;
    to->misalign_bytes = 0;
    to->is_writeable = true;
    to->copy_count++;
    to->has_hidden_bytes = false;
    to->is_filled = true;
    to->filled_order = order;
    to->map.is_backed = false;
    to->map.has_attributes = false;
    return NDP_OK;
}

static enum ndp_status apply_reshape(const struct step *step) {
    const struct ndp_view *view = step->view;
    const struct ndp_layout *from = &step->from->layout;
    struct ndp_array *to = step->to;
    const uint64_t itemsize_bytes = to->dtype->itemsize_bytes;
    uint64_t count_elems;
    if (!is_shape_allowed(view->shape, view->ndim, itemsize_bytes, &count_elems) ||
        count_elems != ndp_layout_count(from))
        return fail_view(step, NDP_INVALID, "reshape: the new shape must have the same number of elements");
    if (ndp_layout_reshape_fits(from, view->shape, view->ndim, itemsize_bytes, view->order, &to->layout)) {
        const bool is_same =
            from->ndim == view->ndim && memcmp(from->shape, view->shape, from->ndim * sizeof from->shape[0]) == 0;
        to->is_filled = !is_same && ndp_array_is_contiguous(step->from, view->order);
        to->filled_order = view->order;
        return NDP_OK;
    }
    NDP_TRY(make_copy(step, view->shape, view->ndim, view->order));
    ndp_array_gather(step->from, view->order, to->buffer);
    to->has_undefined_padding = true;
    return NDP_OK;
}

static enum ndp_status apply_transpose(const struct step *step) {
    const struct ndp_layout *from = &step->from->layout;
    bool is_used[NDP_MAX_NDIM] = {false};
    if (step->view->ndim != from->ndim) return fail_view(step, NDP_INVALID, "transpose: needs one entry per axis");
    for (uint32_t i = 0; i < from->ndim; i++) {
        const uint32_t axis = step->view->axes[i];
        if (axis >= from->ndim || is_used[axis])
            return fail_view(step, NDP_INVALID, "transpose: the axes must be a permutation");
        is_used[axis] = true;
        step->to->layout.shape[i] = from->shape[axis];
        step->to->layout.strides_bytes[i] = from->strides_bytes[axis];
    }
    return NDP_OK;
}

/* Slices one axis. Source: NumPy, mapping.c, get_view_from_index: an empty slice starts at 0 with step 1. */
static bool slice_fits(struct ndp_layout *layout, uint32_t axis, const struct ndp_slice *slice) {
    const int64_t extent = layout->shape[axis];
    int64_t last, jump_bytes, stride_bytes, offset_bytes;
    if (slice->step == 0 || slice->count < 0 || slice->start < 0 || slice->start > extent) return false;
    if (slice->count == 0) {
        layout->shape[axis] = 0;
        return true;
    }
    if (!ndp_checked_mul_i64(slice->count - 1, slice->step, &last) || !ndp_checked_add_i64(last, slice->start, &last))
        return false;
    if (slice->start >= extent || last < 0 || last >= extent) return false;
    if (!ndp_checked_mul_i64(slice->start, layout->strides_bytes[axis], &jump_bytes) ||
        !ndp_checked_mul_i64(slice->step, layout->strides_bytes[axis], &stride_bytes) ||
        !ndp_checked_add_i64(layout->offset_bytes, jump_bytes, &offset_bytes))
        return false;
    layout->shape[axis] = slice->count;
    layout->strides_bytes[axis] = stride_bytes;
    layout->offset_bytes = offset_bytes;
    return true;
}

static enum ndp_status apply_slice(const struct step *step) {
    if (step->view->ndim != step->from->layout.ndim)
        return fail_view(step, NDP_INVALID, "slice: needs one slice per axis");
    for (uint32_t axis = 0; axis < step->view->ndim; axis++) {
        if (!slice_fits(&step->to->layout, axis, &step->view->slices[axis]))
            return fail_view(step, NDP_INVALID, "slice: an index is outside of its axis");
    }
    return NDP_OK;
}

static enum ndp_status apply_newaxis(const struct step *step) {
    struct ndp_layout *layout = &step->to->layout;
    const uint32_t axis = step->view->axis;
    if (layout->ndim >= NDP_MAX_NDIM) return fail_view(step, NDP_INVALID, "newaxis: too many dimensions");
    if (axis > layout->ndim) return fail_view(step, NDP_INVALID, "newaxis: the axis is out of range");
    for (uint32_t i = layout->ndim; i > axis; i--) {
        layout->shape[i] = layout->shape[i - 1];
        layout->strides_bytes[i] = layout->strides_bytes[i - 1];
    }
    layout->shape[axis] = 1;
    layout->strides_bytes[axis] = 0;
    layout->ndim++;
    return NDP_OK;
}

/* Source: numpy.lib.stride_tricks.broadcast_to; the result is read-only, and axes of extent 1 get stride 0. */
static enum ndp_status apply_broadcast(const struct step *step) {
    const struct ndp_layout *from = &step->from->layout;
    struct ndp_layout *to = &step->to->layout;
    uint64_t count_elems;
    if (step->view->ndim < from->ndim)
        return fail_view(step, NDP_INVALID, "broadcast: the new shape has fewer dimensions");
    if (!is_shape_allowed(step->view->shape, step->view->ndim, step->to->dtype->itemsize_bytes, &count_elems))
        return fail_view(step, NDP_INVALID, "broadcast: the new shape is invalid or too large");
    const uint32_t added = step->view->ndim - from->ndim;
    to->ndim = step->view->ndim;
    for (uint32_t i = 0; i < to->ndim; i++) {
        const int64_t old = i < added ? 1 : from->shape[i - added];
        to->shape[i] = step->view->shape[i];
        to->strides_bytes[i] = old == 1 ? 0 : from->strides_bytes[i - added];
        if (old != 1 && old != to->shape[i])
            return fail_view(step, NDP_INVALID, "broadcast: the shapes are not compatible");
    }
    step->to->is_writeable = false;
    return NDP_OK;
}

/* Sets the dtype of the result. Dimensions of a sub-array are appended to the shape in C order. Source: NumPy, ctors.c,
 * _update_descr_and_dimensions. */
static enum ndp_status set_dtype(const struct step *step, const struct ndp_dtype *dtype) {
    struct ndp_layout *layout = &step->to->layout;
    while (dtype->kind == NDP_KIND_SUBARRAY) {
        if (dtype->ndim > NDP_MAX_NDIM - layout->ndim) return fail_view(step, NDP_INVALID, "too many dimensions");
        struct ndp_layout inner;
        if (ndp_layout_contiguous(&inner, dtype->shape, dtype->ndim, dtype->base->itemsize_bytes, NDP_MEMORY_C, 0) !=
            NDP_OK)
            return fail_view(step, NDP_INVALID, "the sub-array is too large");
        memcpy(layout->shape + layout->ndim, inner.shape, inner.ndim * sizeof inner.shape[0]);
        memcpy(layout->strides_bytes + layout->ndim, inner.strides_bytes, inner.ndim * sizeof inner.strides_bytes[0]);
        layout->ndim += dtype->ndim;
        dtype = dtype->base;
    }
    uint64_t count_elems;
    if (!is_shape_allowed(layout->shape, layout->ndim, dtype->itemsize_bytes, &count_elems))
        return fail_view(step, NDP_INVALID, "the result is too large");
    step->to->dtype = dtype;
    return NDP_OK;
}

/* Whether undefined bytes outside of all fields would become elements. */
static bool shows_padding(const struct step *step) {
    return step->from->has_undefined_padding && ndp_dtype_has_padding(step->from->dtype);
}

static enum ndp_status apply_field(const struct step *step) {
    const struct ndp_dtype *dtype = step->from->dtype;
    for (uint64_t i = 0; i < dtype->field_count; i++) {
        const struct ndp_field *field = &dtype->fields[i];
        if (!ndp_bytes_is_equal(field->name, step->view->name)) continue;
        step->to->layout.offset_bytes += (int64_t)field->offset_bytes;
        step->to->has_hidden_bytes = step->from->has_hidden_bytes || shows_padding(step) || ndp_dtype_has_object(dtype);
        /* When the array has no strides, those of a sub-array are computed as for a new array in C order. Source:
         * NumPy, multiarray/ctors.c, PyArray_NewFromDescr_int, 1.23 to 2.4. */
        step->to->is_filled = step->from->layout.ndim == 0 && field->dtype->kind == NDP_KIND_SUBARRAY;
        step->to->filled_order = NDP_MEMORY_C;
        return set_dtype(step, field->dtype);
    }
    return fail_view(step, NDP_INVALID, "field: unknown field");
}

/* Resizes the last axis by the ratio of the itemsizes. Source: NumPy, getset.c, array_descr_set, 1.23 on. */
static const char *resize_last_axis(struct ndp_layout *layout, uint64_t old_bytes, const struct ndp_dtype *dtype) {
    const uint64_t new_bytes = dtype->itemsize_bytes;
    if (new_bytes == old_bytes) return NULL;
    if (layout->ndim == 0) return "as_dtype: a 0-d array must keep its itemsize";
    if (dtype->kind == NDP_KIND_SUBARRAY) return "as_dtype: a sub-array must keep the itemsize";
    if (new_bytes == 0) return "as_dtype: the new itemsize must not be 0";
    const uint32_t axis = layout->ndim - 1;
    const bool is_contiguous = layout->strides_bytes[axis] == (int64_t)old_bytes;
    if (layout->shape[axis] != 1 && ndp_layout_count(layout) != 0 && !is_contiguous)
        return "as_dtype: the last axis must be contiguous";
    if (new_bytes < old_bytes && old_bytes % new_bytes != 0)
        return "as_dtype: the new itemsize must divide the old one";
    uint64_t axis_bytes;
    if (!ndp_checked_mul_u64((uint64_t)layout->shape[axis], old_bytes, &axis_bytes) || axis_bytes > INT64_MAX)
        return "as_dtype: the last axis is too long";
    if (axis_bytes % new_bytes != 0) return "as_dtype: the new itemsize must divide the size of the last axis";
    layout->shape[axis] = (int64_t)(axis_bytes / new_bytes);
    layout->strides_bytes[axis] = (int64_t)new_bytes;
    return NULL;
}

static enum ndp_status apply_as_dtype(const struct step *step) {
    const struct ndp_dtype *dtype = NULL;
    NDP_TRY(ndp_dtype_check(step->view->dtype, step->error));
    if (ndp_dtype_resolve(step->arena, step->view->dtype, step->from->host_is_little_endian, &dtype) != NDP_OK)
        return fail_view(step, NDP_NOMEM, "out of memory for a dtype");
    const bool has_object = ndp_dtype_has_object(dtype) || ndp_dtype_has_object(step->from->dtype);
    if (has_object && ndp_dtype_compare(dtype, step->from->dtype, NULL) != 0)
        return fail_view(step, NDP_INVALID, "as_dtype: object references cannot be viewed as another dtype");
    const uint32_t moves = NDP_DTYPE_KIND | NDP_DTYPE_OFFSETS | NDP_DTYPE_SHAPE;
    if (shows_padding(step) && (ndp_dtype_compare(dtype, step->from->dtype, NULL) & moves) != 0)
        return fail_view(step, NDP_INVALID, "as_dtype: would expose the padding of a copy, which is undefined");
    const char *text = resize_last_axis(&step->to->layout, step->from->dtype->itemsize_bytes, dtype);
    if (text) return fail_view(step, NDP_INVALID, text);
    return set_dtype(step, dtype);
}

/* The parts of a complex number are floats of half the size and the same order, without metadata. */
static enum ndp_status set_part(const struct step *step, bool is_imaginary) {
    struct ndp_dtype *part = NDP_ARENA_NEW(step->arena, struct ndp_dtype);
    if (!part) return fail_view(step, NDP_NOMEM, "out of memory for a dtype");
    part->kind = NDP_KIND_FLOAT;
    part->order = step->from->dtype->order;
    part->itemsize_bytes = step->from->dtype->itemsize_bytes / 2;
    if (is_imaginary) step->to->layout.offset_bytes += (int64_t)part->itemsize_bytes;
    step->to->dtype = part;
    return NDP_OK;
}

/* Source: NumPy, getset.c, array_imag_get: for real arrays the result is a new read-only array of zeros. */
static enum ndp_status apply_imag(const struct step *step) {
    const struct ndp_layout *from = &step->from->layout;
    if (step->from->dtype->kind == NDP_KIND_COMPLEX) return set_part(step, true);
    const bool is_fortran =
        ndp_array_is_contiguous(step->from, NDP_MEMORY_F) && !ndp_array_is_contiguous(step->from, NDP_MEMORY_C);
    NDP_TRY(make_copy(step, from->shape, from->ndim, is_fortran ? NDP_MEMORY_F : NDP_MEMORY_C));
    step->to->is_writeable = false;
    step->to->has_undefined_padding = false;
    return NDP_OK;
}

static enum ndp_status apply_real(const struct step *step) {
    return step->from->dtype->kind == NDP_KIND_COMPLEX ? set_part(step, false) : NDP_OK;
}

/* Whether each element of a window starts a whole number of items after element 0 of the preceding array. */
static bool steps_over_items(const struct ndp_view *view, uint64_t itemsize_bytes) {
    const int64_t item = itemsize_bytes == 0 ? 1 : (int64_t)itemsize_bytes;
    for (uint32_t i = 0; i < view->ndim; i++)
        if (view->shape[i] > 1 && view->strides_bytes[i] % item != 0) return false;
    return view->offset_bytes % item == 0;
}

static enum ndp_status apply_strided(const struct step *step) {
    const struct ndp_view *view = step->view;
    struct ndp_layout *to = &step->to->layout;
    const uint64_t itemsize_bytes = step->to->dtype->itemsize_bytes;
    uint64_t count_elems;
    if (!is_shape_allowed(view->shape, view->ndim, itemsize_bytes, &count_elems))
        return fail_view(step, NDP_INVALID, "strided: the shape is invalid or too large");
    if (shows_padding(step) || step->from->has_hidden_bytes)
        return fail_view(step, NDP_INVALID,
                         "strided: would expose object references or the padding of a copy, which is undefined");
    if (ndp_dtype_has_object(step->to->dtype) && !steps_over_items(view, itemsize_bytes))
        return fail_view(step, NDP_INVALID, "strided: an element would begin inside an object reference");
    to->ndim = view->ndim;
    for (uint32_t i = 0; i < to->ndim; i++) {
        to->shape[i] = view->shape[i];
        to->strides_bytes[i] = view->strides_bytes[i];
    }
    int64_t old_low, old_high, low, high;
    if (!ndp_checked_add_i64(to->offset_bytes, view->offset_bytes, &to->offset_bytes) ||
        ndp_layout_extent(&step->from->layout, itemsize_bytes, &old_low, &old_high) != NDP_OK ||
        ndp_layout_extent(to, itemsize_bytes, &low, &high) != NDP_OK || low < old_low || high > old_high)
        return fail_view(step, NDP_INVALID, "strided: an element is outside of the memory of the preceding array");
    return NDP_OK;
}

static const char part_of_object[] =
    "real and imaginary parts of object arrays are views in some NumPy versions and copies in others";

/* NumPy up to 2.4 treats objects as real numbers; 2.5 asks each object and returns a new array. */
static bool is_known_part(const struct step *step) {
    return step->from->dtype->kind != NDP_KIND_OBJECT;
}

static enum ndp_status apply_operation(const struct step *step) {
    switch (step->view->op) {
    case NDP_VIEW_RESHAPE:
        return apply_reshape(step);
    case NDP_VIEW_TRANSPOSE:
        return apply_transpose(step);
    case NDP_VIEW_SLICE:
        return apply_slice(step);
    case NDP_VIEW_NEWAXIS:
        return apply_newaxis(step);
    case NDP_VIEW_BROADCAST:
        return apply_broadcast(step);
    case NDP_VIEW_FIELD:
        return apply_field(step);
    case NDP_VIEW_AS_DTYPE:
        return apply_as_dtype(step);
    case NDP_VIEW_REAL:
        return is_known_part(step) ? apply_real(step) : fail_view(step, NDP_INVALID, part_of_object);
    case NDP_VIEW_IMAG:
        return is_known_part(step) ? apply_imag(step) : fail_view(step, NDP_INVALID, part_of_object);
    case NDP_VIEW_STRIDED:
        return apply_strided(step);
    case NDP_VIEW_COUNT:
        break;
    }
    return fail_view(step, NDP_INVALID, "unknown view operation");
}

/* Whether the operation returns the array itself instead of a view. */
static bool is_same_array(const struct step *step) {
    return step->view->op == NDP_VIEW_REAL && step->from->dtype->kind != NDP_KIND_COMPLEX;
}

static bool is_indexing(enum ndp_view_op op) {
    return op == NDP_VIEW_SLICE || op == NDP_VIEW_NEWAXIS || op == NDP_VIEW_FIELD;
}

/* The map attributes of a view. Source: numpy/_core/memmap.py, 1.23 to 2.4: __array_finalize__ keeps them when the two
 * address ranges overlap; an empty range overlaps nothing. */
static void settle_map(const struct ndp_array *asked, struct ndp_array *to) {
    int64_t low_bytes, high_bytes;
    const enum ndp_status status =
        ndp_layout_extent(&asked->layout, asked->dtype->itemsize_bytes, &low_bytes, &high_bytes);
    if (status == NDP_OK && low_bytes == high_bytes) to->map.has_attributes = false;
}

/* PyArray_View checks for overlap before it sets the new dtype, and PyArray_Transpose before it sets the strides, so
 * items of size 0 have an empty range there. memmap.__getitem__ converts a result without attributes to a plain
 * ndarray, a view of it. */
static void settle_step(const struct step *step) {
    struct ndp_array *to = step->to;
    settle_map(step->view->op == NDP_VIEW_AS_DTYPE ? step->from : to, to);
    if (step->view->op == NDP_VIEW_TRANSPOSE && to->dtype->itemsize_bytes == 0) to->map.has_attributes = false;
    const bool is_map_class = ndp_bytes_is_word(to->class_name, "memmap");
    if (is_map_class && !to->map.has_attributes && is_indexing(step->view->op)) {
        to->class_name = ndp_bytes_view("ndarray");
        to->is_filled = false;
    }
}

void ndp_array_view_plain(const struct ndp_array *of, struct ndp_array *out) {
    *out = *of;
    if (!ndp_bytes_is_word(of->class_name, "memmap")) out->class_name = ndp_bytes_view("ndarray");
    out->is_filled = false;
    out->owns_data = false;
    settle_map(of, out);
}

enum ndp_status ndp_array_view(struct ndp_arena *arena, const struct ndp_array *from, const struct ndp_view *view,
                               struct ndp_array *out, struct ndp_error *error) {
    struct ndp_array to = *from;
    const struct step step = {arena, from, view, &to, error};
    const bool is_same = is_same_array(&step);
    if (!is_same) to.is_filled = false;
    NDP_TRY(apply_operation(&step));
    if (!is_same) {
        to.owns_data = view->op == NDP_VIEW_IMAG && from->dtype->kind != NDP_KIND_COMPLEX;
        settle_step(&step);
    }
    *out = to;
    return NDP_OK;
}
