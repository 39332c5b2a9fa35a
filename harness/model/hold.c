/* hold.c: from an observation back to an array, and to a recipe of one. */
#include <string.h>

#include "base/checked.h"
#include "model/array.h"

/* Decoders lay elements side by side; what a target says of strides must not decide how much memory is taken. */
enum { MOST_TIMES_AS_LARGE = 4, SMALL_BYTES = 1 << 16 };

/* Puts the elements, which are in C order, where the layout has them. */
static void scatter(const struct ndp_observation *observed, const struct ndp_layout *layout, uint8_t *buffer) {
    const uint64_t itemsize_bytes = observed->dtype->itemsize_bytes;
    const uint8_t *from = observed->elements.data;
    int64_t index[NDP_MAX_NDIM] = {0};
    if (observed->elements.size_bytes == 0) return;
    do {
        memcpy(buffer + ndp_layout_at(layout, index), from, (size_t)itemsize_bytes);
        from += itemsize_bytes;
    } while (ndp_layout_next(layout, index));
}

/* Whether each element is there: not when two have bytes in common that differ. */
static bool is_as_seen(const struct ndp_observation *observed, const struct ndp_array *array) {
    const uint64_t itemsize_bytes = array->dtype->itemsize_bytes;
    const uint8_t *from = observed->elements.data;
    int64_t index[NDP_MAX_NDIM] = {0};
    if (observed->elements.size_bytes == 0) return true;
    do {
        if (memcmp(array->buffer + ndp_layout_at(&array->layout, index), from, (size_t)itemsize_bytes) != 0)
            return false;
        from += itemsize_bytes;
    } while (ndp_layout_next(&array->layout, index));
    return true;
}

static enum ndp_status lay_out(struct ndp_arena *arena, const struct ndp_observation *observed, struct ndp_array *out) {
    const uint64_t itemsize_bytes = observed->dtype->itemsize_bytes;
    uint64_t count_elems, size_bytes;
    int64_t low_bytes = 0, high_bytes = 0;
    struct ndp_layout *layout = &out->layout;
    if (observed->ndim > NDP_MAX_NDIM ||
        !ndp_extents_fit(observed->shape, observed->ndim, itemsize_bytes, &count_elems, &size_bytes) ||
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
    scatter(observed, layout, out->buffer);
    return NDP_OK;
}

/* The file behind it, of which only its being there matters. */
static void hold_map(const struct ndp_backing *backing, struct ndp_map_state *out) {
    out->is_backed = backing->is_mapped;
    out->has_attributes = backing->claims != NDP_BACKING_NONE;
    out->mode = backing->has_mode ? backing->mode : NDP_MAP_READ;
    out->offset_bytes = backing->has_offset ? backing->offset_bytes : 0;
}

enum ndp_status ndp_array_hold(struct ndp_arena *arena, const struct ndp_observation *observed,
                               bool host_is_little_endian, uint32_t longdouble_alignment_bytes, struct ndp_array *out) {
    const uint32_t flags = observed->flags;
    const bool is_c = (flags & NDP_FLAG_C_CONTIGUOUS) != 0;
    const bool is_f = (flags & NDP_FLAG_F_CONTIGUOUS) != 0;
    struct ndp_array array = {.dtype = observed->dtype, .class_name = observed->class_name};
    NDP_TRY(lay_out(arena, observed, &array));
    if (!is_as_seen(observed, &array)) return NDP_UNSUPPORTED;
    array.host_is_little_endian = host_is_little_endian;
    array.longdouble_alignment_bytes = longdouble_alignment_bytes;
    array.is_writeable = (flags & NDP_FLAG_WRITEABLE) != 0;
    array.owns_data = (flags & NDP_FLAG_OWNDATA) != 0;
    array.base_ndim = observed->ndim;
    /* Strides do not tell the order of items without a byte; flags do. */
    array.is_filled = is_c != is_f;
    array.filled_order = is_f ? NDP_MEMORY_F : NDP_MEMORY_C;
    hold_map(&observed->backing, &array.map);
    /* Of the class of maps, but of no file: it was one before it was copied. */
    array.copy_count = observed->backing.is_map_class && !observed->backing.is_mapped;
    if (ndp_array_is_aligned(&array) && (flags & NDP_FLAG_ALIGNED) == 0) array.misalign_bytes = 1;
    *out = array;
    return NDP_OK;
}

/* The axes in the order of their strides, the longest step first; axes that step alike keep their order. Strides of
 * arrays without a byte mean nothing, there flags tell. */
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

/* The elements as they lie in memory once the axes are sorted. */
static const uint8_t *sorted_elements(struct ndp_arena *arena, const struct ndp_observation *observed,
                                      const struct ndp_layout *layout) {
    uint8_t *bytes = ndp_arena_alloc(arena, observed->elements.size_bytes);
    if (bytes != NULL) scatter(observed, layout, bytes);
    return bytes;
}

/* Fills the strides that axes in this order have when nothing lies between the elements, and the shape of the base. */
static enum ndp_status pack(const struct ndp_observation *observed, const uint32_t *axes, struct ndp_layout *layout,
                            int64_t *base_shape) {
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

/* Whether the packed strides are those that were told, where they mean something. */
static bool is_as_told(const struct ndp_observation *observed, const struct ndp_layout *layout) {
    if (observed->elements.size_bytes == 0) return true;
    for (uint32_t i = 0; i < observed->ndim; i++) {
        if (observed->shape[i] > 1 && layout->strides_bytes[i] != observed->strides_bytes[i]) return false;
    }
    return true;
}

/* Gives the value the axes as they were, `shape` (borrowed) long. */
static enum ndp_status turn_axes(struct ndp_arena *arena, const uint32_t *axes, uint32_t ndim, const int64_t *shape,
                                 struct ndp_array_value *value) {
    bool is_sorted = true;
    bool is_reversed = true;
    for (uint32_t i = 0; i < ndim; i++) {
        is_sorted = is_sorted && axes[i] == i;
        is_reversed = is_reversed && axes[i] == ndim - 1 - i;
    }
    if (is_sorted) return NDP_OK;
    if (is_reversed) {
        /* The same array, made at once. */
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

/* A map is told as one, of a file in which the elements lie at the same place. */
static void retell_map(const struct ndp_backing *backing, struct ndp_array_value *value) {
    if (!backing->is_map_class || !backing->is_mapped) return;
    value->base.has_map = true;
    value->base.map_mode = backing->has_mode ? backing->mode : NDP_MAP_READ;
    value->base.map_offset_bytes = backing->has_position ? backing->position_bytes : 0;
    /* The mode tells it. */
    if (value->base.map_mode == NDP_MAP_READ) value->is_readonly = false;
}

enum ndp_status ndp_array_retell(struct ndp_arena *arena, const struct ndp_observation *observed,
                                 struct ndp_array_value *out) {
    const uint32_t ndim = observed->ndim;
    uint32_t axes[NDP_MAX_NDIM];
    struct ndp_layout layout;
    struct ndp_array_value value = {.is_readonly = (observed->flags & NDP_FLAG_WRITEABLE) == 0};
    int64_t *base_shape = NDP_ARENA_ITEMS(arena, int64_t, ndim > 0 ? ndim : 1);
    if (base_shape == NULL) return NDP_NOMEM;
    sort_axes(observed, axes);
    NDP_TRY(pack(observed, axes, &layout, base_shape));
    if (!is_as_told(observed, &layout)) return NDP_UNSUPPORTED;
    const uint8_t *bytes = sorted_elements(arena, observed, &layout);
    if (bytes == NULL) return NDP_NOMEM;
    value.base.dtype = observed->dtype;
    value.base.ndim = ndim;
    value.base.shape = base_shape;
    value.base.data.pattern = NDP_PATTERN_HEX;
    value.base.data.bytes = (struct ndp_bytes){bytes, observed->elements.size_bytes};
    NDP_TRY(turn_axes(arena, axes, ndim, observed->shape, &value));
    retell_map(&observed->backing, &value);
    *out = value;
    return NDP_OK;
}
