/* generate_value.c: generates values: size, dtype, memory and views.
 *
 * Parts are chosen independently, so that any two features meet within a few thousand cases. Most sizes are small: a
 * few hundred cases suffice for a defect at 1001 bytes, and the rest should be fast.
 */
#include "base/checked.h"
#include "generate/generate_parts.h"

#include <string.h>

enum { DEFAULT_VALUE_BYTES = 4096, PAGE_BYTES = 4096, MAX_DRAWN_VIEWS = 6 };

struct ndp_generate_limits ndp_generate_limits_resolve(const struct ndp_generate_limits *limits) {
    struct ndp_generate_limits out = *limits;
    if (out.value_bytes == 0) out.value_bytes = DEFAULT_VALUE_BYTES;
    if (out.max_ndim == 0 || out.max_ndim > NDP_MAX_NDIM) out.max_ndim = NDP_MAX_NDIM;
    return out;
}

void ndp_generate_scratch_init(struct ndp_arena *scratch, const struct ndp_generate_limits *limits) {
    ndp_arena_init(scratch, limits->value_bytes * 64 + (UINT64_C(1) << 24));
}

struct ndp_generate_limits ndp_generate_limits_of(const struct ndp_value *value) {
    struct ndp_generate_limits limits = ndp_generate_limits_resolve(&(struct ndp_generate_limits){0});
    uint64_t size = 0;
    struct ndp_base like = value->array.base;
    if (like.dtype == NULL) return limits;
    if (ndp_generate_base_size_fits(&like, UINT32_MAX, &size) && size > limits.value_bytes) limits.value_bytes = size;
    for (uint32_t i = 0; i < value->array.view_count; i++) {
        const struct ndp_view *view = &value->array.views[i];
        if (view->shape == NULL) continue;
        like.ndim = view->ndim;
        like.shape = view->shape;
        if (ndp_generate_base_size_fits(&like, UINT32_MAX, &size) && size > limits.value_bytes)
            limits.value_bytes = size;
    }
    return limits;
}

bool ndp_generate_base_size_fits(const struct ndp_base *base, uint64_t max_bytes, uint64_t *size_bytes) {
    uint64_t count = 0;
    uint64_t size = 0;
    if (!ndp_checked_extents_fit(base->shape, base->ndim, base->dtype->itemsize_bytes, &count, &size)) return false;
    if (size > max_bytes || count > max_bytes) return false;
    *size_bytes = size;
    return true;
}

/* Sizes at which implementations change their method: ndarray.__setstate__ aliases above 1000 bytes; pages; buffered
 * copies of 16 KiB and of 256 KiB (zipfile, numpy.load), the latter twice because few cases get so large; 64 KiB pipes
 * and pickle frames. */
static const uint64_t thresholds[] = {1000, 1000, 1000, 4096, 512, 16384, 65536, 262144, 262144};

struct size_wish {
    uint64_t max_bytes;
    bool is_exact; /* next to max_bytes */
    bool is_above;
};

static struct size_wish draw_size(struct ndp_choices *choices, uint64_t limit_bytes) {
    struct size_wish wish = {16, false, false};
    static const uint8_t weights[] = {9, 25, 35, 19, 8, 3, 1};
    const uint32_t choice = ndp_choose_weighted(choices, weights, NDP_ARRAY_LEN(weights));
    if (choice == 1) wish.max_bytes = 64;
    if (choice == 2) wish.max_bytes = 160;
    if (choice == 3) wish.max_bytes = 400;
    if (choice == 5) wish.max_bytes = ndp_choose_between(choices, 400, 4096);
    if (choice == 4 || choice == 6) {
        wish.max_bytes = thresholds[ndp_choose(choices, choice == 4 ? 5 : NDP_ARRAY_LEN(thresholds))];
        wish.is_exact = true;
        wish.is_above = ndp_choose_rarely(choices, 2);
    }
    if (wish.max_bytes > limit_bytes) {
        uint64_t most = limit_bytes < DEFAULT_VALUE_BYTES ? limit_bytes : DEFAULT_VALUE_BYTES;
        wish = (struct size_wish){most, false, false};
    }
    return wish;
}

static enum ndp_status draw_hex(struct ndp_arena *arena, struct ndp_choices *choices, uint64_t size_bytes,
                                struct ndp_data *out) {
    uint8_t *bytes = ndp_arena_alloc(arena, size_bytes);
    if (bytes == NULL) return NDP_NOMEM;
    for (uint64_t i = 0; i < size_bytes; i++) bytes[i] = (uint8_t)ndp_choose(choices, 256);
    *out = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {bytes, size_bytes}};
    return NDP_OK;
}

enum ndp_status ndp_generate_data(struct ndp_arena *arena, struct ndp_choices *choices, const struct ndp_dtype *dtype,
                                  uint64_t size_bytes, struct ndp_data *out) {
    static const uint8_t weights[NDP_PATTERN_COUNT] = {1, 4, 4, 5, 1};
    struct ndp_data data = {0};
    data.pattern = (enum ndp_pattern)ndp_choose_weighted(choices, weights, NDP_PATTERN_COUNT);
    data.seed = ndp_choose(choices, 256);
    /* Elements with objects, and their neighbours, travel item by item as Python objects. Bit patterns that only raw
     * bytes preserve would reveal nothing about the library. */
    bool has_object = ndp_dtype_has_object(dtype);
    if (has_object && (dtype->kind != NDP_KIND_OBJECT || data.pattern != NDP_PATTERN_RANDOM))
        data.pattern = data.pattern == NDP_PATTERN_ZEROS ? NDP_PATTERN_ZEROS : NDP_PATTERN_INDEX;
    if (data.pattern == NDP_PATTERN_HEX) {
        if (size_bytes <= 64) return draw_hex(arena, choices, size_bytes, out);
        data.pattern = NDP_PATTERN_RANDOM;
    }
    if (data.pattern == NDP_PATTERN_ZEROS || data.pattern == NDP_PATTERN_INDEX) data.seed = 0;
    *out = data;
    return NDP_OK;
}

void ndp_generate_map(struct ndp_choices *choices, struct ndp_base *base) {
    static const uint64_t offsets[] = {0, 0, 1, 63, 64, 128, PAGE_BYTES - 1, PAGE_BYTES, PAGE_BYTES + 1, 3};
    base->has_map = true;
    base->map_mode = (enum ndp_map_mode)ndp_choose(choices, NDP_MAP_MODE_COUNT);
    base->map_offset_bytes = offsets[ndp_choose(choices, NDP_ARRAY_LEN(offsets))];
    if (ndp_choose_rarely(choices, 8)) base->map_offset_bytes = base->dtype->itemsize_bytes;
}

void ndp_generate_memory(struct ndp_choices *choices, const struct ndp_generate_limits *limits, struct ndp_base *base) {
    base->order = ndp_choose_rarely(choices, base->ndim >= 2 ? 3 : 12) ? NDP_MEMORY_F : NDP_MEMORY_C;
    const uint8_t map_weight = limits->between_processes ? 17 : 4;
    const uint32_t choice = ndp_choose_weighted(choices, (const uint8_t[]){12, 3, 2, map_weight}, 4);
    if (choice == 1) base->misalign_bytes = (uint32_t)ndp_choose_between(choices, 1, 15);
    if (choice == 2) base->is_readonly = true;
    if (choice == 3 && !limits->without_maps) ndp_generate_map(choices, base);
    if (base->is_readonly && ndp_choose_rarely(choices, 3))
        base->misalign_bytes = (uint32_t)ndp_choose_between(choices, 1, 15);
}

void ndp_generate_repaired_base(struct ndp_base *base) {
    uint64_t size = 0;
    if (!ndp_generate_base_size_fits(base, INT64_MAX, &size)) return;
    bool has_object = ndp_dtype_has_object(base->dtype);
    if (has_object) base->has_map = false;
    if (has_object || base->has_map) {
        base->misalign_bytes = 0;
        base->is_readonly = false;
    }
    if (!base->has_map) {
        base->map_mode = NDP_MAP_READ;
        base->map_offset_bytes = 0;
    } else if (size == 0 && base->map_offset_bytes % PAGE_BYTES == 0) {
        /* NumPy before 2.2 refuses an empty map at a page boundary. */
        base->map_offset_bytes += 64;
    }
    if (base->data.pattern == NDP_PATTERN_HEX && base->data.bytes.size_bytes != size)
        base->data = (struct ndp_data){.pattern = NDP_PATTERN_INDEX};
    if (has_object && base->data.pattern != NDP_PATTERN_ZEROS && base->dtype->kind != NDP_KIND_OBJECT)
        base->data = (struct ndp_data){.pattern = NDP_PATTERN_INDEX};
}

static enum ndp_status draw_shape(struct ndp_arena *arena, struct ndp_choices *choices,
                                  const struct ndp_generate_limits *limits, struct size_wish size,
                                  struct ndp_base *base) {
    int64_t shape[NDP_MAX_NDIM] = {0};
    uint64_t itemsize = base->dtype->itemsize_bytes;
    struct ndp_shape_wish wish = {.itemsize_bytes = itemsize, .max_ndim = limits->max_ndim};
    wish.max_count = itemsize > 0 ? size.max_bytes / itemsize : 12;
    if (size.is_exact && wish.max_count > 0 && itemsize > 0) {
        bool has_room = (wish.max_count + 1) * itemsize <= limits->value_bytes;
        wish.exact_count = wish.max_count + (size.is_above && has_room);
    }
    ndp_generate_shape(choices, wish, &base->ndim, shape);
    base->shape = ndp_arena_copy(arena, shape, base->ndim * sizeof *shape);
    return base->shape == NULL ? NDP_NOMEM : NDP_OK;
}

/* Style of the whole value. FLAT: a reshaped 1-D base. PERMUTED: at least three axes of length 2 or more, transposed;
 * without this style it is rare, because most shapes have an axis of length 1 or a reversed order. */
enum value_style { VALUE_ANY, VALUE_FLAT, VALUE_PERMUTED };

static enum ndp_status take_deep_shape(struct ndp_arena *arena, struct ndp_choices *choices,
                                       const struct ndp_generate_limits *limits, struct ndp_base *base) {
    uint32_t ndim = (uint32_t)ndp_choose_between(choices, 3, 4);
    int64_t *shape = NDP_ARENA_ITEMS(arena, int64_t, ndim);
    if (shape == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < ndim; i++) shape[i] = (int64_t)ndp_choose_between(choices, 2, 4);
    struct ndp_base deep = *base;
    uint64_t size = 0;
    deep.ndim = ndim;
    deep.shape = shape;
    if (ndim <= limits->max_ndim && ndp_generate_base_size_fits(&deep, limits->value_bytes, &size)) *base = deep;
    return NDP_OK;
}

/* Puts all elements on one axis. Libraries easily take the memory order of a view from such a base, which is both C-
 * and F-contiguous. */
static enum ndp_status flatten(struct ndp_arena *arena, struct ndp_base *base) {
    uint64_t count = 0;
    uint64_t size = 0;
    int64_t *shape = NDP_ARENA_NEW(arena, int64_t);
    if (shape == NULL) return NDP_NOMEM;
    if (!ndp_checked_extents_fit(base->shape, base->ndim, base->dtype->itemsize_bytes, &count, &size)) return NDP_OK;
    shape[0] = (int64_t)count;
    base->shape = shape;
    base->ndim = 1;
    return NDP_OK;
}

/* Most items are a small part of the value, so that shapes and strides matter. A few exceed the size that libraries
 * copy at a time, which they count in items. */
static uint64_t draw_largest_item(struct ndp_choices *choices, uint64_t max_bytes) {
    static const uint8_t parts[] = {8, 4, 16, 1};
    uint64_t part = max_bytes / parts[ndp_choose_weighted(choices, (const uint8_t[]){4, 3, 2, 2}, 4)];
    uint64_t least = max_bytes < 16 ? max_bytes : 16;
    if (part < least) return least;
    return part < 400 || ndp_choose_rarely(choices, 4) ? part : 400;
}

static enum ndp_status draw_base(struct ndp_arena *arena, struct ndp_choices *choices,
                                 const struct ndp_generate_limits *limits, enum value_style style,
                                 struct ndp_base *base) {
    struct size_wish size = draw_size(choices, limits->value_bytes);
    struct ndp_dtype_wish wish = {draw_largest_item(choices, size.max_bytes), limits->without_objects, 3};
    NDP_TRY(ndp_generate_dtype(arena, choices, wish, &base->dtype));
    NDP_TRY(draw_shape(arena, choices, limits, size, base));
    /* A count with many divisors, for the reshape. */
    bool is_deep = style == VALUE_PERMUTED || (style == VALUE_FLAT && ndp_choose_rarely(choices, 2));
    if (is_deep) NDP_TRY(take_deep_shape(arena, choices, limits, base));
    if (style == VALUE_FLAT && limits->max_ndim >= 1) NDP_TRY(flatten(arena, base));
    uint64_t size_bytes = 0;
    if (!ndp_generate_base_size_fits(base, limits->value_bytes, &size_bytes)) {
        /* Padding made one item larger than the limit of a value. */
        static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
        *base = (struct ndp_base){.dtype = &byte};
        size_bytes = 1;
    }
    ndp_generate_memory(choices, limits, base);
    NDP_TRY(ndp_generate_data(arena, choices, base->dtype, size_bytes, &base->data));
    ndp_generate_repaired_base(base);
    return NDP_OK;
}

static enum ndp_status draw_views(struct ndp_arena *arena, struct ndp_arena *scratch, struct ndp_choices *choices,
                                  const struct ndp_generate_limits *limits, enum value_style style,
                                  struct ndp_array_value *value) {
    static const enum ndp_view_op first_ops[] = {NDP_VIEW_COUNT, NDP_VIEW_RESHAPE, NDP_VIEW_TRANSPOSE};
    static const uint8_t weights[MAX_DRAWN_VIEWS + 1] = {36, 30, 18, 9, 4, 2, 1};
    uint32_t wanted = ndp_choose_weighted(choices, weights, NDP_ARRAY_LEN(weights));
    if (style != VALUE_ANY && wanted == 0) wanted = 1;
    if (wanted == 0) return NDP_OK;
    struct ndp_view *views = NDP_ARENA_ITEMS(arena, struct ndp_view, wanted);
    if (views == NULL) return NDP_NOMEM;
    struct ndp_array array;
    enum ndp_status status = ndp_array_build_layout(scratch, value, true, &array, NULL);
    if (status == NDP_NOMEM) return status;
    if (status != NDP_OK) return NDP_FAULT;
    for (uint32_t i = 0; i < wanted; i++) {
        bool has_view = false;
        enum ndp_view_op op = i == 0 ? first_ops[style] : NDP_VIEW_COUNT;
        if (style == VALUE_FLAT && i == 1) op = NDP_VIEW_TRANSPOSE;
        NDP_TRY(ndp_generate_view(arena, scratch, choices, &array, limits, op, &views[value->view_count], &array,
                                  &has_view));
        if (has_view) value->view_count++;
    }
    if (value->view_count > 0) value->views = views;
    return NDP_OK;
}

enum ndp_status ndp_generate_value(struct ndp_arena *arena, struct ndp_choices *choices,
                                   const struct ndp_generate_limits *limits, struct ndp_value *out) {
    struct ndp_generate_limits resolved = ndp_generate_limits_resolve(limits);
    struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
    value.array.class_name = ndp_bytes_view("ndarray");
    static const uint8_t styles[2][3] = {{81, 10, 9}, {50, 25, 25}};
    enum value_style style = (enum value_style)ndp_choose_weighted(choices, styles[resolved.between_processes], 3);
    NDP_TRY(draw_base(arena, choices, &resolved, style, &value.array.base));

    struct ndp_arena scratch;
    ndp_generate_scratch_init(&scratch, &resolved);
    enum ndp_status status = draw_views(arena, &scratch, choices, &resolved, style, &value.array);
    ndp_arena_clear(&scratch);
    if (status != NDP_OK) return status;
    value.array.is_readonly = ndp_choose_rarely(choices, 9);
    *out = value;
    return NDP_OK;
}
