#include "judge/flags_again.h"

#include <string.h>

#include "fuzz.h"
#include "model/equality.h"

enum { RANDOM_BYTES = 16, BASE_BYTES = 4096, SEED_BITS = 64, RETOLD_BYTES = 1 << 16 };

/* How far the second element along an axis lies from the first one, 0 where there is none. */
static int64_t step_along(const struct ndp_array *array, uint32_t axis) {
    int64_t index[NDP_MAX_NDIM] = {0};
    const int64_t first = ndp_layout_at(&array->layout, index);
    if (array->layout.shape[axis] < 2) return 0;
    index[axis] = 1;
    return ndp_layout_at(&array->layout, index) - first;
}

static bool has_elements(const struct ndp_array *array) {
    for (uint32_t i = 0; i < array->layout.ndim; i++)
        if (array->layout.shape[i] == 0) return false;
    return true;
}

/* Whether first and second elements lie on multiples of the alignment: all others lie as many of their steps away. */
static bool lies_aligned(const struct ndp_array *array) {
    const int64_t to = (int64_t)ndp_dtype_alignment_on(array->dtype, array->longdouble_alignment_bytes);
    if (to <= 1 || !has_elements(array)) return true;
    for (uint32_t i = 0; i < array->layout.ndim; i++)
        if (step_along(array, i) % to != 0) return false;
    return (array->layout.offset_bytes + array->misalign_bytes) % to == 0;
}

/* Whether element number n of the order lies behind n others: a step is as long as all axes that are faster. */
static bool lies_in_order(const struct ndp_array *array, enum ndp_memory_order order) {
    const struct ndp_layout *layout = &array->layout;
    for (uint32_t i = 0; has_elements(array) && i < layout->ndim; i++) {
        int64_t behind = (int64_t)array->dtype->itemsize_bytes;
        for (uint32_t k = 0; k < layout->ndim; k++)
            if (order == NDP_MEMORY_C ? k > i : k < i) behind *= layout->shape[k];
        if (layout->shape[i] > 1 && step_along(array, i) != behind) return false;
    }
    return true;
}

/* The bytes from the lowest that an element has to behind the highest: as far as each axis leads down, and up. */
static void check_extent(const struct ndp_array *array) {
    const bool is_there = has_elements(array);
    int64_t low = array->layout.offset_bytes, high = low, said_low, said_high;
    for (uint32_t i = 0; is_there && i < array->layout.ndim; i++) {
        const int64_t reach = step_along(array, i) * (array->layout.shape[i] - 1);
        if (reach < 0) low += reach;
        if (reach > 0) high += reach;
    }
    if (is_there) high += (int64_t)array->dtype->itemsize_bytes;
    if (!FUZZ_HOLDS(ndp_layout_extent(&array->layout, array->dtype->itemsize_bytes, &said_low, &said_high) == NDP_OK))
        return;
    FUZZ_HOLDS(said_low == low && said_high == high);
}

static enum fuzz_made made_in(enum ndp_memory_order order) {
    return order == NDP_MEMORY_F ? FUZZ_MADE_F : FUZZ_MADE_C;
}

static bool has_one_order(const struct ndp_array *array) {
    uint32_t long_axes = 0;
    for (uint32_t i = 0; i < array->layout.ndim; i++) long_axes += array->layout.shape[i] > 1;
    return has_elements(array) && long_axes > 1;
}

static void check_places(const struct ndp_array *array, enum fuzz_made made) {
    const bool is_c = ndp_array_is_contiguous(array, NDP_MEMORY_C), is_f = ndp_array_is_contiguous(array, NDP_MEMORY_F);
    check_extent(array);
    FUZZ_HOLDS(ndp_array_is_aligned(array) == lies_aligned(array));
    /* Items without a byte all lie in one place: their order is that of the memory that they were made in. */
    if (array->dtype->itemsize_bytes == 0 && made != FUZZ_MADE_NOT && has_one_order(array)) {
        FUZZ_HOLDS(made == FUZZ_MADE_UNKNOWN || (is_c == (made == FUZZ_MADE_C) && is_f == (made == FUZZ_MADE_F)));
        return;
    }
    FUZZ_HOLDS(is_c == lies_in_order(array, NDP_MEMORY_C));
    FUZZ_HOLDS(is_f == lies_in_order(array, NDP_MEMORY_F));
}

/* A reshape to another shape makes strides as for new memory, where it has not to keep to those of an array that jumps;
 * the one to the same shape takes those that are there. */
static enum fuzz_made made_by(const struct ndp_array *from, const struct ndp_array *to, const struct ndp_view *view,
                              enum fuzz_made made) {
    const bool is_complex = from->dtype->kind == NDP_KIND_COMPLEX;
    bool is_other = from->layout.ndim != to->layout.ndim;
    switch (view->op) {
    case NDP_VIEW_RESHAPE:
        for (uint32_t i = 0; !is_other && i < to->layout.ndim; i++)
            is_other = from->layout.shape[i] != to->layout.shape[i];
        is_other = is_other && ndp_array_is_contiguous(from, view->order);
        return is_other || to->buffer != from->buffer ? made_in(view->order) : FUZZ_MADE_NOT;
    case NDP_VIEW_FIELD: /* the axes of a sub-array, where there are no others; a memmap gives a view of that */
        is_other = is_other && ndp_bytes_is_equal(from->class_name, to->class_name);
        return is_other && from->layout.ndim == 0 ? FUZZ_MADE_C : FUZZ_MADE_NOT;
    case NDP_VIEW_REAL:
        return is_complex ? FUZZ_MADE_NOT : made;
    case NDP_VIEW_IMAG:
        return is_complex ? FUZZ_MADE_NOT : FUZZ_MADE_UNKNOWN;
    case NDP_VIEW_TRANSPOSE:
    case NDP_VIEW_SLICE:
    case NDP_VIEW_NEWAXIS:
    case NDP_VIEW_BROADCAST:
    case NDP_VIEW_STRIDED:
    case NDP_VIEW_AS_DTYPE:
    case NDP_VIEW_COUNT:
        break;
    }
    return FUZZ_MADE_NOT;
}

/* What a view may be written through, and whether it has memory of its own: broadcast is for readers, so are zeros in
 * the place of imaginary parts, and what a reshape had to copy is new. */
void fuzz_check_view_flags(const struct ndp_array *from, const struct ndp_array *to, enum ndp_view_op op,
                           enum fuzz_made made) {
    const bool is_part = op == NDP_VIEW_REAL || op == NDP_VIEW_IMAG;
    const bool is_made_up = op == NDP_VIEW_IMAG && from->dtype->kind != NDP_KIND_COMPLEX;
    const bool is_itself = is_part && !is_made_up && from->dtype->kind != NDP_KIND_COMPLEX;
    const bool is_copy = op == NDP_VIEW_RESHAPE && to->buffer != from->buffer;
    if (op == NDP_VIEW_BROADCAST || is_made_up)
        FUZZ_HOLDS(!to->is_writeable);
    else
        FUZZ_HOLDS(to->is_writeable == (from->is_writeable || is_copy));
    FUZZ_HOLDS(to->owns_data == (is_itself ? from->owns_data : is_made_up));
    FUZZ_HOLDS(to->copy_count == from->copy_count + (is_copy || is_made_up));
    check_places(to, made);
}

void fuzz_check_position(const struct ndp_array *array, const struct ndp_observation *seen) {
    const struct ndp_backing *backing = &seen->backing;
    const uint64_t itemsize = array->dtype->itemsize_bytes;
    if (!FUZZ_HOLDS(!backing->has_position || backing->is_mapped) || !backing->has_position) return;
    if (!FUZZ_HOLDS(backing->position_bytes <= array->buffer_bytes &&
                    array->buffer_bytes - backing->position_bytes >= itemsize))
        return;
    FUZZ_HOLDS(memcmp(array->buffer + backing->position_bytes, seen->elements.data, (size_t)itemsize) == 0);
}

void fuzz_check_retold(struct ndp_arena *arena, const struct ndp_observation *seen,
                       const struct ndp_array_value *told) {
    const uint32_t kept = NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_WRITEABLE;
    struct ndp_array array;
    struct ndp_observation again;
    struct ndp_comparison found;
    if (!FUZZ_HOLDS(ndp_array_build(arena, told, true, &array, NULL) == NDP_OK) ||
        ndp_array_observe(arena, &array, &again) != NDP_OK)
        return;
    ndp_comparison_clear(&found);
    ndp_compare_shape(seen, &again, &found);
    ndp_compare_values(seen, &again, NDP_MASK_NONE, &found);
    if (seen->elements.size_bytes > 0) ndp_compare_strides(seen, &again, &found);
    if (seen->elements.size_bytes > 0) ndp_compare_flags(seen, &again, kept, &found);
    FUZZ_HOLDS(found.total == 0);
}

/* What was seen of the array, told as a recipe: of one that has no gaps there is one. */
static void check_seen(struct ndp_arena *arena, const struct ndp_array *array) {
    struct ndp_observation seen;
    struct ndp_array_value told;
    if (ndp_dtype_has_object(array->dtype) || ndp_array_observe(arena, array, &seen) != NDP_OK) return;
    fuzz_check_position(array, &seen);
    if (seen.elements.size_bytes > RETOLD_BYTES) return;
    const enum ndp_status status = ndp_array_retell(arena, &seen, &told);
    if (status == NDP_OK) fuzz_check_retold(arena, &seen, &told);
    FUZZ_HOLDS(status != NDP_UNSUPPORTED || (seen.flags & (NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS)) == 0);
}

bool fuzz_check_flags(struct ndp_arena *arena, const struct ndp_array_value *value) {
    struct ndp_array_value base = *value;
    struct ndp_array array, next;
    enum fuzz_made made = made_in(value->base.order);
    base.view_count = 0;
    base.is_readonly = false;
    base.class_name = (struct ndp_bytes){0};
    if (ndp_array_build(arena, &base, true, &array, NULL) != NDP_OK) return false;
    FUZZ_HOLDS(array.is_writeable == (base.base.has_map ? base.base.map_mode != NDP_MAP_READ : !base.base.is_readonly));
    check_places(&array, made);
    for (uint32_t i = 0; i < value->view_count; i++) {
        if (ndp_array_view(arena, &array, &value->views[i], &next, NULL) != NDP_OK) return false;
        made = made_by(&array, &next, &value->views[i], made);
        fuzz_check_view_flags(&array, &next, value->views[i].op, made);
        array = next;
    }
    if (ndp_array_build(arena, value, true, &next, NULL) != NDP_OK) return false;
    FUZZ_HOLDS(next.is_writeable == (array.is_writeable && !value->is_readonly));
    check_seen(arena, &next);
    return true;
}

/* Whether the first item says all of the seed that its table of values takes. */
static bool is_told_by_item(const struct ndp_dtype *dtype) {
    return dtype->kind == NDP_KIND_BOOL || dtype->kind == NDP_KIND_INT || dtype->kind == NDP_KIND_UINT ||
           dtype->kind == NDP_KIND_FLOAT;
}

bool fuzz_check_seed(struct ndp_arena *arena, const struct ndp_array_value *value, uint64_t pick) {
    const struct ndp_dtype *dtype = value->base.dtype;
    struct ndp_array_value other = *value;
    struct ndp_array first, next;
    const enum ndp_pattern pattern = value->base.data.pattern;
    other.view_count = 0;
    other.class_name = (struct ndp_bytes){0};
    if ((pattern != NDP_PATTERN_RANDOM && pattern != NDP_PATTERN_SPECIAL) || !dtype ||
        ndp_dtype_has_kind(dtype, NDP_KIND_TEXT) || ndp_dtype_has_object(dtype) ||
        (pattern == NDP_PATTERN_SPECIAL && !is_told_by_item(dtype)) ||
        ndp_array_build(arena, &other, true, &first, NULL) != NDP_OK)
        return false;
    const uint64_t before = other.base.has_map ? other.base.map_offset_bytes : 0;
    const uint64_t size = first.buffer_bytes - before;
    if (size < (pattern == NDP_PATTERN_RANDOM ? RANDOM_BYTES : 1) || size > BASE_BYTES) return false;
    other.base.data.seed ^= UINT64_C(1) << pick % SEED_BITS;
    if (ndp_array_build(arena, &other, true, &next, NULL) != NDP_OK) return false;
    FUZZ_HOLDS(next.buffer_bytes == first.buffer_bytes &&
               memcmp(first.buffer + before, next.buffer + before, (size_t)size) != 0);
    return true;
}
