/* Builds an array, or the recipe of one, from an observation.
 *
 * Problem: a decoded array must be able to serve as the source of another encoding, but only its observation is known.
 *
 * Method: for an array, allocate the extent of the strides and scatter the elements; elements that overlap with
 * different bytes are refused. For a recipe, sort the axes by stride, gather the elements in that order and add a
 * transpose that restores the axes.
 *
 * Cost: linear in the elements. Limits: memory of at most MOST_TIMES_AS_LARGE times the elements; recipes only for
 * arrays that are contiguous in some order of axes.
 */
#include <string.h>

#include "base/checked.h"
#include "model/array.h"

/* Decoders place elements side by side. The limit keeps reported strides from requesting too much memory. */
enum { MOST_TIMES_AS_LARGE = 4, SMALL_BYTES = 1 << 16 };

/* Writes the elements, given in C order, to their places in the layout. */
static void scatter_elements(const struct ndp_observation *observed, const struct ndp_layout *layout, uint8_t *buffer) {
    const uint64_t itemsize_bytes = observed->dtype->itemsize_bytes;
    const uint8_t *from = observed->elements.data;
    int64_t index[NDP_MAX_NDIM] = {0};
    if (observed->elements.size_bytes == 0) return;
    if (ndp_layout_is_c_contiguous(layout, itemsize_bytes)) {
        memcpy(buffer + layout->offset_bytes, from, (size_t)observed->elements.size_bytes);
        return;
    }
    do {
        memcpy(buffer + ndp_layout_at(layout, index), from, (size_t)itemsize_bytes);
        from += itemsize_bytes;
    } while (ndp_layout_next(layout, index));
}

/* Whether every element can be read back. Not when two elements overlap with different bytes. */
static bool has_all_elements(const struct ndp_observation *observed, const struct ndp_array *array) {
    const uint64_t itemsize_bytes = array->dtype->itemsize_bytes;
    const uint8_t *from = observed->elements.data;
    int64_t index[NDP_MAX_NDIM] = {0};
    if (observed->elements.size_bytes == 0 || ndp_layout_is_c_contiguous(&array->layout, itemsize_bytes)) return true;
    do {
        if (memcmp(array->buffer + ndp_layout_at(&array->layout, index), from, (size_t)itemsize_bytes) != 0)
            return false;
        from += itemsize_bytes;
    } while (ndp_layout_next(&array->layout, index));
    return true;
}

static enum ndp_status allocate_extent(struct ndp_arena *arena, const struct ndp_observation *observed,
                                       struct ndp_array *out) {
    const uint64_t itemsize_bytes = observed->dtype->itemsize_bytes;
    uint64_t count_elems, size_bytes;
    int64_t low_bytes = 0, high_bytes = 0;
    struct ndp_layout *layout = &out->layout;
    if (observed->ndim > NDP_MAX_NDIM ||
        !ndp_checked_extents_fit(observed->shape, observed->ndim, itemsize_bytes, &count_elems, &size_bytes) ||
        size_bytes != observed->elements.size_bytes)
        return NDP_LIMIT;
    layout->ndim = observed->ndim;
    memcpy(layout->shape, observed->shape, observed->ndim * sizeof layout->shape[0]);
    memcpy(layout->strides_bytes, observed->strides_bytes, observed->ndim * sizeof layout->strides_bytes[0]);
    layout->offset_bytes = 0;
    NDP_TRY(ndp_layout_extent(layout, itemsize_bytes, &low_bytes, &high_bytes));
    const uint64_t span_bytes = (uint64_t)high_bytes - (uint64_t)low_bytes;
    if (span_bytes > SMALL_BYTES && span_bytes / MOST_TIMES_AS_LARGE > size_bytes) return NDP_UNSUPPORTED;
    layout->offset_bytes = (int64_t)(0 - (uint64_t)low_bytes);
    out->buffer_bytes = span_bytes;
    out->buffer = ndp_arena_alloc(arena, span_bytes);
    if (out->buffer == NULL) return NDP_NOMEM;
    scatter_elements(observed, layout, out->buffer);
    return NDP_OK;
}

/* Only the existence of the file matters, not its content. */
static void set_map_state(const struct ndp_backing *backing, struct ndp_map_state *out) {
    out->is_backed = backing->is_mapped;
    out->has_attributes = backing->claims != NDP_BACKING_NONE;
    out->mode = backing->has_mode ? backing->mode : NDP_MAP_READ;
    out->offset_bytes = backing->has_offset ? backing->offset_bytes : 0;
}

enum ndp_status ndp_array_from_observation(struct ndp_arena *arena, const struct ndp_observation *observed,
                                           bool host_is_little_endian, uint32_t longdouble_alignment_bytes,
                                           struct ndp_array *out) {
    const uint32_t flags = observed->flags;
    const bool is_c = (flags & NDP_FLAG_C_CONTIGUOUS) != 0;
    const bool is_f = (flags & NDP_FLAG_F_CONTIGUOUS) != 0;
    struct ndp_array array = {.dtype = observed->dtype, .class_name = observed->class_name};
    NDP_TRY(allocate_extent(arena, observed, &array));
    if (!has_all_elements(observed, &array)) return NDP_UNSUPPORTED;
    array.host_is_little_endian = host_is_little_endian;
    array.longdouble_alignment_bytes = longdouble_alignment_bytes;
    array.is_writeable = (flags & NDP_FLAG_WRITEABLE) != 0;
    array.owns_data = (flags & NDP_FLAG_OWNDATA) != 0;
    array.base_ndim = observed->ndim;
    /* Strides do not show the order of items of zero bytes, but flags do. */
    array.is_filled = is_c != is_f;
    array.filled_order = is_f ? NDP_MEMORY_F : NDP_MEMORY_C;
    set_map_state(&observed->backing, &array.map);
    /* A memmap class without a file results from a copy of a map. */
    array.copy_count = observed->backing.is_map_class && !observed->backing.is_mapped;
    if (ndp_array_is_aligned(&array) && (flags & NDP_FLAG_ALIGNED) == 0) array.misalign_bytes = 1;
    *out = array;
    return NDP_OK;
}

/* Sorts the axes by stride, longest first and stable. Strides of arrays of zero bytes mean nothing; flags decide
 * then. */
static void sort_axes(const struct ndp_observation *observed, uint32_t *axes) {
    const uint32_t order = observed->flags & (NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS);
    if (order == NDP_FLAG_C_CONTIGUOUS || order == NDP_FLAG_F_CONTIGUOUS) {
        for (uint32_t i = 0; i < observed->ndim; i++)
            axes[i] = order == NDP_FLAG_C_CONTIGUOUS ? i : observed->ndim - 1 - i;
        return;
    }
    for (uint32_t i = 0; i < observed->ndim; i++) {
        uint32_t at = i;
        for (; at > 0 && observed->strides_bytes[axes[at - 1]] < observed->strides_bytes[i]; at--)
            axes[at] = axes[at - 1];
        axes[at] = i;
    }
}

/* The elements in memory order after the axes are sorted. */
static const uint8_t *sorted_elements(struct ndp_arena *arena, const struct ndp_observation *observed,
                                      const struct ndp_layout *layout) {
    uint8_t *bytes = ndp_arena_alloc(arena, observed->elements.size_bytes);
    if (bytes != NULL) scatter_elements(observed, layout, bytes);
    return bytes;
}

/* Computes the contiguous strides for this order of axes, and the shape of the base. */
static enum ndp_status pack_axes(const struct ndp_observation *observed, const uint32_t *axes,
                                 struct ndp_layout *layout, int64_t *base_shape) {
    struct ndp_layout base;
    for (uint32_t i = 0; i < observed->ndim; i++) base_shape[i] = observed->shape[axes[i]];
    NDP_TRY(ndp_layout_contiguous(&base, base_shape, observed->ndim, observed->dtype->itemsize_bytes, NDP_MEMORY_C, 0));
    *layout = base;
    for (uint32_t i = 0; i < observed->ndim; i++) {
        layout->shape[axes[i]] = base_shape[i];
        layout->strides_bytes[axes[i]] = base.strides_bytes[i];
    }
    return NDP_OK;
}

/* Whether the contiguous strides equal the reported ones, where these are defined. */
static bool has_reported_strides(const struct ndp_observation *observed, const struct ndp_layout *layout) {
    if (observed->elements.size_bytes == 0) return true;
    for (uint32_t i = 0; i < observed->ndim; i++)
        if (observed->shape[i] > 1 && layout->strides_bytes[i] != observed->strides_bytes[i]) return false;
    return true;
}

/* Adds the transpose that restores the axes. `shape` is borrowed. */
static enum ndp_status add_transpose(struct ndp_arena *arena, const uint32_t *axes, uint32_t ndim, const int64_t *shape,
                                     struct ndp_array_value *value) {
    bool is_sorted = true;
    bool is_reversed = true;
    for (uint32_t i = 0; i < ndim; i++) {
        is_sorted = is_sorted && axes[i] == i;
        is_reversed = is_reversed && axes[i] == ndim - 1 - i;
    }
    if (is_sorted) return NDP_OK;
    if (is_reversed) {
        /* An F-ordered base gives the same array without a transpose. */
        value->base.order = NDP_MEMORY_F;
        value->base.shape = shape;
        return NDP_OK;
    }
    struct ndp_view *view = NDP_ARENA_NEW(arena, struct ndp_view);
    uint32_t *inverse = NDP_ARENA_ITEMS(arena, uint32_t, ndim);
    if (view == NULL || inverse == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < ndim; i++) inverse[axes[i]] = i;
    *view = (struct ndp_view){.op = NDP_VIEW_TRANSPOSE, .axes = inverse, .ndim = ndim};
    value->views = view;
    value->view_count = 1;
    return NDP_OK;
}

/* Makes the base a map of a file with the elements at the same position. */
static void set_base_map(const struct ndp_backing *backing, struct ndp_array_value *value) {
    if (!backing->is_map_class || !backing->is_mapped) return;
    value->base.has_map = true;
    value->base.map_mode = backing->has_mode ? backing->mode : NDP_MAP_READ;
    value->base.map_offset_bytes = backing->has_position ? backing->position_bytes : 0;
    /* The mode implies it. */
    if (value->base.map_mode == NDP_MAP_READ) value->is_readonly = false;
}

enum ndp_status ndp_array_value_from_observation(struct ndp_arena *arena, const struct ndp_observation *observed,
                                                 struct ndp_array_value *out) {
    const uint32_t ndim = observed->ndim;
    uint32_t axes[NDP_MAX_NDIM];
    struct ndp_layout layout;
    struct ndp_array_value value = {.is_readonly = (observed->flags & NDP_FLAG_WRITEABLE) == 0};
    int64_t *base_shape = NDP_ARENA_ITEMS(arena, int64_t, ndim > 0 ? ndim : 1);
    if (base_shape == NULL) return NDP_NOMEM;
    sort_axes(observed, axes);
    NDP_TRY(pack_axes(observed, axes, &layout, base_shape));
    if (!has_reported_strides(observed, &layout)) return NDP_UNSUPPORTED;
    const uint8_t *bytes = sorted_elements(arena, observed, &layout);
    if (bytes == NULL) return NDP_NOMEM;
    value.base.dtype = observed->dtype;
    value.base.ndim = ndim;
    value.base.shape = base_shape;
    value.base.data.pattern = NDP_PATTERN_HEX;
    value.base.data.bytes = (struct ndp_bytes){bytes, observed->elements.size_bytes};
    NDP_TRY(add_transpose(arena, axes, ndim, observed->shape, &value));
    set_base_map(&observed->backing, &value);
    *out = value;
    return NDP_OK;
}
