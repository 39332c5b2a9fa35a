#include "model/array.h"

#include "base/checked.h"

#include <stdio.h>
#include <string.h>

enum { FILLER = 0xee }; /* the filler before a map in its file, as in the testee protocol */

static enum ndp_status fail_at(struct ndp_error *error, enum ndp_status status, const char *path, const char *text) {
    ndp_error_set(error, status, NDP_NO_OFFSET, "%s", text);
    if (error) snprintf(error->path, sizeof error->path, "%s", path);
    return status;
}

/* Puts `prefix` before the path of a nested error. */
static enum ndp_status prefix_path(struct ndp_error *error, enum ndp_status status, const char *prefix) {
    char inner[NDP_ERROR_PATH_BYTES];
    if (!error) return status;
    memcpy(inner, error->path, sizeof inner);
    const size_t length = strlen(prefix);
    if (length >= sizeof error->path) return status;
    memcpy(error->path, prefix, length);
    memcpy(error->path + length, inner, sizeof error->path - length);
    error->path[sizeof error->path - 1] = '\0';
    return status;
}

static enum ndp_status prefix_view_path(struct ndp_error *error, enum ndp_status status, uint32_t index) {
    char prefix[48];
    snprintf(prefix, sizeof prefix, "/value/array/views/%lu", (unsigned long)index);
    return prefix_path(error, status, prefix);
}

/* Refuses a base that no library can build. */
static enum ndp_status check_base(const struct ndp_base *base, struct ndp_error *error) {
    const char *path = "/value/array/base";
    const enum ndp_status status = ndp_dtype_check(base->dtype, error);
    if (status != NDP_OK) return prefix_path(error, status, "/value/array/base/dtype");
    const bool has_object = ndp_dtype_has_object(base->dtype);
    if (base->ndim > NDP_MAX_NDIM) return fail_at(error, NDP_INVALID, path, "more than 64 dimensions");
    if (base->misalign_bytes > 15) return fail_at(error, NDP_INVALID, path, "misalign must be 0 to 15");
    if (base->has_map && (base->misalign_bytes > 0 || base->is_readonly))
        return fail_at(error, NDP_INVALID, path,
                       "a memory map gets its alignment from its offset and its access from its mode: misalign and "
                       "readonly must not be set");
    if (has_object && (base->has_map || base->misalign_bytes > 0 || base->is_readonly))
        return fail_at(error, NDP_INVALID, path,
                       "objects must be in ordinary memory (no map, not misaligned, not readonly)");
    return NDP_OK;
}

/* Moves the dimensions of a sub-array dtype into the shape, as NumPy does for every new array. */
static enum ndp_status expand_shape(const struct ndp_base *base, const struct ndp_dtype **dtype, int64_t *shape,
                                    uint32_t *ndim, struct ndp_error *error) {
    const struct ndp_dtype *inner = *dtype;
    if (base->ndim > 0) memcpy(shape, base->shape, base->ndim * sizeof *shape);
    *ndim = base->ndim;
    while (inner->kind == NDP_KIND_SUBARRAY) {
        if (inner->ndim > NDP_MAX_NDIM - *ndim)
            return fail_at(error, NDP_INVALID, "/value/array/base/shape", "more than 64 dimensions");
        memcpy(shape + *ndim, inner->shape, inner->ndim * sizeof *shape);
        *ndim += inner->ndim;
        inner = inner->base;
    }
    *dtype = inner;
    return NDP_OK;
}

/* Allocates and fills the memory of the base. A map has the filler before its elements. */
static enum ndp_status fill_buffer(struct ndp_arena *arena, const struct ndp_base *base, uint64_t count_elems,
                                   uint64_t size_bytes, struct ndp_array *out, struct ndp_error *error) {
    const uint64_t offset_bytes = base->has_map ? base->map_offset_bytes : 0;
    uint64_t total_bytes;
    if (!ndp_checked_add_u64(offset_bytes, size_bytes, &total_bytes) || total_bytes > INT64_MAX ||
        total_bytes > arena->limit_bytes - arena->used_bytes)
        return fail_at(error, NDP_LIMIT, "/value/array/base", "the base is larger than the memory of a case");
    out->buffer = ndp_arena_alloc(arena, total_bytes);
    if (!out->buffer) return fail_at(error, NDP_NOMEM, "/value/array/base", "out of memory for the base");
    out->buffer_bytes = total_bytes;
    out->misalign_bytes = base->misalign_bytes;
    memset(out->buffer, FILLER, (size_t)offset_bytes);
    /* The arena returns zeroed memory, and untouched pages cost nothing. */
    if (base->data.pattern == NDP_PATTERN_ZEROS) return NDP_OK;
    const enum ndp_status status =
        ndp_array_fill_data(&base->data, out->dtype, count_elems, out->buffer + offset_bytes, size_bytes, error);
    return status == NDP_OK ? NDP_OK : prefix_path(error, status, "/value/array/base/data");
}

/* Whether the result must be converted to another class. "ndarray" and "memmap" are the classes of a base and its views
 * already. */
static bool takes_class(const struct ndp_array_value *value) {
    return value->class_name.size_bytes > 0 && !ndp_bytes_is_word(value->class_name, "ndarray") &&
           !ndp_bytes_is_word(value->class_name, "memmap");
}

/* Whether the last character of a text is NUL. */
static bool ends_in_zero(const struct ndp_array *array) {
    const uint64_t item_bytes = array->dtype->itemsize_bytes, unit_bytes = array->dtype->kind == NDP_KIND_TEXT ? 4 : 1;
    if (item_bytes < unit_bytes) return true;
    const uint8_t *end = array->buffer + array->layout.offset_bytes + item_bytes;
    for (uint64_t i = 1; i <= unit_bytes; i++)
        if (end[-(int64_t)i] != 0) return false;
    return true;
}

/* Makes the item of an array a scalar, which is read-only. Source: NumPy, scalarapi.c, PyArray_Scalar: the item is in
 * native byte order unless it has fields, and texts end before their last NUL characters. */
static enum ndp_status set_scalar(struct ndp_array *array, struct ndp_error *error) {
    const char *at = "/value/array/class";
    const struct ndp_dtype *dtype = array->dtype;
    if (array->layout.ndim != 0) return fail_at(error, NDP_INVALID, at, "a scalar must have no dimensions");
    if (dtype->kind == NDP_KIND_SUBARRAY || ndp_dtype_has_object(dtype) || dtype->itemsize_bytes == 0)
        return fail_at(error, NDP_INVALID, at, "no scalar has elements of this dtype");
    if (array->map.is_backed || array->misalign_bytes > 0 || !array->is_writeable)
        return fail_at(error, NDP_INVALID, at, "a scalar must be from ordinary memory");
    const enum ndp_byte_order foreign = array->host_is_little_endian ? NDP_ORDER_BIG : NDP_ORDER_LITTLE;
    if (dtype->kind != NDP_KIND_STRUCT && dtype->order == foreign)
        return fail_at(error, NDP_INVALID, at, "a scalar must be in native byte order");
    if (dtype->kind == NDP_KIND_BOOL && array->buffer[array->layout.offset_bytes] > 1)
        return fail_at(error, NDP_INVALID, at, "a scalar of type bool must be 0 or 1");
    if ((dtype->kind == NDP_KIND_TEXT || dtype->kind == NDP_KIND_BYTES) && ends_in_zero(array))
        return fail_at(error, NDP_INVALID, at, "a text that is a scalar must not be empty or end in NUL");
    array->is_writeable = false;
    return NDP_OK;
}

/* Source: numpy/matrixlib/defmatrix.py, matrix.__array_finalize__: other arrays would change their shape to two
 * dimensions. */
static enum ndp_status set_class(struct ndp_array *array, struct ndp_bytes class_name, struct ndp_error *error) {
    if (ndp_bytes_is_word(class_name, "matrix") && array->layout.ndim != 2)
        return fail_at(error, NDP_INVALID, "/value/array/class", "a matrix must have two dimensions");
    if (ndp_bytes_is_word(class_name, "scalar")) NDP_TRY(set_scalar(array, error));
    array->class_name = class_name;
    array->owns_data = false;
    array->is_filled = false;
    return NDP_OK;
}

static enum ndp_status build_base(struct ndp_arena *arena, const struct ndp_base *base, struct ndp_array *out,
                                  struct ndp_error *error) {
    int64_t shape[NDP_MAX_NDIM];
    uint32_t ndim;
    uint64_t count_elems, size_bytes;
    NDP_TRY(check_base(base, error));
    if (ndp_dtype_resolve(arena, base->dtype, out->host_is_little_endian, &out->dtype) != NDP_OK)
        return fail_at(error, NDP_NOMEM, "/value/array/base/dtype", "out of memory for a dtype");
    NDP_TRY(expand_shape(base, &out->dtype, shape, &ndim, error));
    if (!ndp_checked_extents_fit(shape, ndim, out->dtype->itemsize_bytes, &count_elems, &size_bytes))
        return fail_at(error, NDP_LIMIT, "/value/array/base/shape", "the shape is invalid or too large");
    NDP_TRY(fill_buffer(arena, base, count_elems, size_bytes, out, error));
    out->base_ndim = ndim;
    out->is_filled = true;
    out->filled_order = base->order;
    out->is_writeable = !base->is_readonly;
    if (base->has_map) {
        out->map.is_backed = true;
        out->map.has_attributes = true;
        out->map.mode = base->map_mode;
        out->map.offset_bytes = base->map_offset_bytes;
        out->is_writeable = base->map_mode != NDP_MAP_READ;
    }
    const int64_t offset_bytes = (int64_t)(out->buffer_bytes - size_bytes);
    return ndp_layout_contiguous(&out->layout, shape, ndim, out->dtype->itemsize_bytes, base->order, offset_bytes);
}

static enum ndp_status apply_views(struct ndp_arena *arena, const struct ndp_array_value *value,
                                   struct ndp_array *array, struct ndp_error *error) {
    if (value->view_count > NDP_MAX_VIEWS) return fail_at(error, NDP_LIMIT, "/value/array/views", "too many views");
    for (uint32_t i = 0; i < value->view_count; i++) {
        struct ndp_array next;
        const enum ndp_status status = ndp_array_view(arena, array, &value->views[i], &next, error);
        if (status != NDP_OK) return prefix_view_path(error, status, i);
        *array = next;
    }
    return NDP_OK;
}

enum ndp_status ndp_array_build(struct ndp_arena *arena, const struct ndp_array_value *value,
                                bool host_is_little_endian, struct ndp_array *out, struct ndp_error *error) {
    struct ndp_array array = {.host_is_little_endian = host_is_little_endian};
    array.class_name = ndp_bytes_view(value->base.has_map ? "memmap" : "ndarray");
    NDP_TRY(build_base(arena, &value->base, &array, error));
    NDP_TRY(apply_views(arena, value, &array, error));
    if (takes_class(value)) NDP_TRY(set_class(&array, value->class_name, error));
    if (value->is_readonly) array.is_writeable = false;
    *out = array;
    return NDP_OK;
}

enum ndp_status ndp_array_build_layout(struct ndp_arena *arena, const struct ndp_array_value *value,
                                       bool host_is_little_endian, struct ndp_array *out, struct ndp_error *error) {
    struct ndp_array_value bare = *value;
    if (bare.base.data.pattern < NDP_PATTERN_COUNT && bare.base.data.pattern != NDP_PATTERN_HEX)
        bare.base.data.pattern = NDP_PATTERN_ZEROS;
    return ndp_array_build(arena, &bare, host_is_little_endian, out, error);
}

enum ndp_status ndp_array_build_view(struct ndp_arena *arena, const struct ndp_array *of,
                                     const struct ndp_array_value *value, struct ndp_array *out,
                                     struct ndp_error *error) {
    struct ndp_array array;
    ndp_array_view_plain(of, &array);
    NDP_TRY(apply_views(arena, value, &array, error));
    *out = array;
    return NDP_OK;
}

bool ndp_array_is_contiguous(const struct ndp_array *array, enum ndp_memory_order order) {
    const struct ndp_layout *layout = &array->layout;
    const uint64_t itemsize_bytes = array->dtype->itemsize_bytes;
    uint32_t long_axes = 0;
    if (itemsize_bytes > 0 || !array->is_filled || array->filled_order == order)
        return order == NDP_MEMORY_F ? ndp_layout_is_f_contiguous(layout, itemsize_bytes)
                                     : ndp_layout_is_c_contiguous(layout, itemsize_bytes);
    for (uint32_t i = 0; i < layout->ndim; i++) {
        if (layout->shape[i] == 0) return true;
        if (layout->shape[i] > 1) long_axes++;
    }
    return long_axes < 2;
}

bool ndp_array_is_aligned(const struct ndp_array *array) {
    struct ndp_layout layout = array->layout;
    layout.offset_bytes += array->misalign_bytes;
    return ndp_layout_is_aligned(&layout, ndp_dtype_alignment_on(array->dtype, array->longdouble_alignment_bytes));
}

bool ndp_array_shares_memory(const struct ndp_array *a, const struct ndp_array *b) {
    if (a->buffer != b->buffer) return false;
    return !a->map.is_backed || !b->map.is_backed || a->map.offset_bytes == b->map.offset_bytes;
}

static uint32_t flags_of(const struct ndp_array *array) {
    uint32_t flags = 0;
    if (ndp_array_is_contiguous(array, NDP_MEMORY_C)) flags |= NDP_FLAG_C_CONTIGUOUS;
    if (ndp_array_is_contiguous(array, NDP_MEMORY_F)) flags |= NDP_FLAG_F_CONTIGUOUS;
    if (array->is_writeable) flags |= NDP_FLAG_WRITEABLE;
    if (ndp_array_is_aligned(array)) flags |= NDP_FLAG_ALIGNED;
    if (array->owns_data) flags |= NDP_FLAG_OWNDATA;
    return flags;
}

static struct ndp_backing backing_of(const struct ndp_array *array, uint64_t size_bytes) {
    struct ndp_backing backing = {.claims = NDP_BACKING_NONE};
    backing.is_map_class = ndp_bytes_is_word(array->class_name, "memmap");
    if (backing.is_map_class && array->map.has_attributes) {
        backing.claims = NDP_BACKING_CASE;
        backing.has_mode = true;
        backing.mode = array->map.mode;
        backing.has_offset = true;
        backing.offset_bytes = array->map.offset_bytes;
    }
    if (array->map.is_backed && size_bytes > 0) {
        backing.is_mapped = true;
        backing.has_position = true;
        backing.position_bytes = (uint64_t)array->layout.offset_bytes;
    }
    return backing;
}

enum ndp_status ndp_array_observe(struct ndp_arena *arena, const struct ndp_array *array, struct ndp_observation *out) {
    const uint32_t ndim = array->layout.ndim;
    uint64_t count_elems, size_bytes;
    if (!ndp_checked_extents_fit(array->layout.shape, ndim, array->dtype->itemsize_bytes, &count_elems, &size_bytes) ||
        size_bytes > arena->limit_bytes - arena->used_bytes)
        return NDP_LIMIT;
    const int64_t *shape = ndp_arena_copy(arena, array->layout.shape, ndim * sizeof *shape);
    const int64_t *strides_bytes = ndp_arena_copy(arena, array->layout.strides_bytes, ndim * sizeof *strides_bytes);
    uint8_t *elements = ndp_arena_alloc(arena, size_bytes);
    if (!shape || !strides_bytes || !elements) return NDP_NOMEM;
    ndp_array_gather(array, NDP_MEMORY_C, elements);
    *out = (struct ndp_observation){
        .class_name = array->class_name,
        .dtype = array->dtype,
        .ndim = ndim,
        .shape = shape,
        .strides_bytes = strides_bytes,
        .flags = flags_of(array),
        .backing = backing_of(array, size_bytes),
        .elements = {elements, size_bytes},
    };
    return NDP_OK;
}
