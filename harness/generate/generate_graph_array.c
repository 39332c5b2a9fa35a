/* generate_graph_array.c: generates the main array of a graph by its plan, with what its class adds, and the object
 * that shares its memory or its mask. */
#include <string.h>

#include "generate/generate_parts.h"
#include "generate/graph_plan_values.h"
#include "model/masked.h"

enum { ANY_BYTES = 200, ANY_ONE_IN = 4, RECORD_BYTES = 32, RECORD_TRIES = 8 };

/* The result of the views of an array. */
struct result {
    uint32_t number; /* of the node */
    uint32_t ndim;
    int64_t *shape;
};

static void *take(struct ndp_graph_draft *d, const void *from, uint64_t size_bytes) {
    void *copy = ndp_arena_copy(d->arena, from, size_bytes);
    if (copy == NULL) d->is_out_of_memory = true;
    return copy;
}

static void note(struct ndp_graph_draft *d, enum ndp_status status) {
    if (status != NDP_OK) d->is_out_of_memory = true;
}

/* ---- elements ---- */

static const struct ndp_dtype int_leaf = {.kind = NDP_KIND_INT, .itemsize_bytes = 4, .order = NDP_ORDER_LITTLE};
static const struct ndp_dtype big_leaf = {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 8, .order = NDP_ORDER_BIG};
static const struct ndp_dtype short_leaf = {.kind = NDP_KIND_UINT, .itemsize_bytes = 2, .order = NDP_ORDER_BIG};
static const struct ndp_field record_fields[] = {
    {.name = {(const uint8_t *)"a", 1}, .offset_bytes = 0, .dtype = &int_leaf},
    {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 4, .dtype = &big_leaf},
};
static const struct ndp_dtype record = {
    .kind = NDP_KIND_STRUCT, .itemsize_bytes = 12, .fields = record_fields, .field_count = 2};

/* A record that contains another, and several items of each kind. */
static const int64_t several[] = {2, 1, 2};
static const struct ndp_dtype several_items = {
    .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 8, .base = &short_leaf, .ndim = 3, .shape = several};
static const struct ndp_field deep_fields[] = {
    {.name = {(const uint8_t *)"a", 1}, .offset_bytes = 0, .dtype = &several_items},
    {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 8, .dtype = &record},
};
static const struct ndp_dtype deep_record = {
    .kind = NDP_KIND_STRUCT, .itemsize_bytes = 20, .fields = deep_fields, .field_count = 2};

static bool is_deep(const struct ndp_dtype *dtype) {
    bool deep = false;
    for (uint64_t i = 0; i < dtype->field_count; i++)
        deep |= dtype->fields[i].dtype->kind == NDP_KIND_STRUCT || dtype->fields[i].dtype->kind == NDP_KIND_SUBARRAY;
    return deep;
}

/* A fixed record, or for a plain array any. Libraries and NumPy itself handle masks and attributes of unusual records
 * in ways of their own. */
static const struct ndp_dtype *draw_record(struct ndp_graph_draft *d, bool wants_deep, bool can_be_any) {
    const struct ndp_dtype_wish wish = {RECORD_BYTES, .without_objects = true, .depth_left = wants_deep ? 3 : 1};
    const struct ndp_dtype *dtype = NULL;
    const bool is_any = can_be_any && ndp_choose_rarely(d->choices, 2);
    for (uint32_t i = 0; is_any && i < RECORD_TRIES; i++) {
        note(d, ndp_generate_dtype(d->arena, d->choices, wish, &dtype));
        if (d->is_out_of_memory) break;
        const bool fits = dtype->kind == NDP_KIND_STRUCT && dtype->itemsize_bytes <= RECORD_BYTES;
        if (fits && dtype->itemsize_bytes > 0 && is_deep(dtype) == wants_deep) return dtype;
    }
    return wants_deep ? &deep_record : &record;
}

struct leaf_wish {
    enum ndp_kind kind;
    enum ndp_byte_order order; /* NATIVE: either */
    uint8_t sizes[4];
    uint8_t count;
};

static const struct ndp_dtype *draw_leaf(struct ndp_graph_draft *d, uint8_t element) {
    static const struct leaf_wish wishes[NDP_ELEMENT_COUNT] = {
        [NDP_ELEMENT_BYTE] = {NDP_KIND_UINT, NDP_ORDER_NONE, {1}, 1},
        [NDP_ELEMENT_BOOL] = {NDP_KIND_BOOL, NDP_ORDER_NONE, {1}, 1},
        [NDP_ELEMENT_INT] = {NDP_KIND_INT, NDP_ORDER_LITTLE, {8, 4, 2}, 3},
        [NDP_ELEMENT_INT_BIG] = {NDP_KIND_INT, NDP_ORDER_BIG, {8, 4, 2}, 3},
        [NDP_ELEMENT_FLOAT] = {NDP_KIND_FLOAT, NDP_ORDER_LITTLE, {8, 4}, 2},
        [NDP_ELEMENT_FLOAT_BIG] = {NDP_KIND_FLOAT, NDP_ORDER_BIG, {8, 4}, 2},
        [NDP_ELEMENT_HALF] = {NDP_KIND_FLOAT, NDP_ORDER_NATIVE, {2}, 1},
        [NDP_ELEMENT_LONGDOUBLE] = {NDP_KIND_FLOAT, NDP_ORDER_LITTLE, {16}, 1},
        [NDP_ELEMENT_COMPLEX] = {NDP_KIND_COMPLEX, NDP_ORDER_LITTLE, {16, 8}, 2},
        [NDP_ELEMENT_COMPLEX_BIG] = {NDP_KIND_COMPLEX, NDP_ORDER_BIG, {16, 8}, 2},
        [NDP_ELEMENT_DATETIME] = {NDP_KIND_DATETIME, NDP_ORDER_NATIVE, {8}, 1},
        [NDP_ELEMENT_TIMEDELTA] = {NDP_KIND_TIMEDELTA, NDP_ORDER_NATIVE, {8}, 1},
        [NDP_ELEMENT_BYTES] = {NDP_KIND_BYTES, NDP_ORDER_NONE, {3, 1, 7}, 3},
        [NDP_ELEMENT_TEXT] = {NDP_KIND_TEXT, NDP_ORDER_NATIVE, {8, 4, 12}, 3},
        [NDP_ELEMENT_VOID] = {NDP_KIND_VOID, NDP_ORDER_NONE, {3, 1, 16}, 3},
    };
    static const uint32_t multiples[] = {1, 25, 7};
    const struct leaf_wish *wish = &wishes[element];
    struct ndp_dtype leaf = {.kind = wish->kind, .order = wish->order};
    leaf.itemsize_bytes = wish->sizes[ndp_choose(d->choices, wish->count)];
    if (wish->order == NDP_ORDER_NATIVE)
        leaf.order = ndp_choose_rarely(d->choices, 2) ? NDP_ORDER_BIG : NDP_ORDER_LITTLE;
    if (leaf.kind == NDP_KIND_DATETIME || leaf.kind == NDP_KIND_TIMEDELTA) {
        leaf.unit = (enum ndp_unit)ndp_choose(d->choices, NDP_UNIT_COUNT);
        leaf.unit_multiple = leaf.unit == NDP_UNIT_GENERIC ? 1 : multiples[ndp_choose(d->choices, 3)];
    }
    return take(d, &leaf, sizeof leaf);
}

static const struct ndp_dtype *draw_element(struct ndp_graph_draft *d, const uint8_t *row) {
    const uint8_t element = row[NDP_PLAN_ELEMENT];
    const bool can_be_any = row[NDP_PLAN_CLASS] == NDP_PLANNED_NDARRAY;
    if (element == NDP_ELEMENT_RECORD || element == NDP_ELEMENT_DEEP)
        return draw_record(d, element == NDP_ELEMENT_DEEP, can_be_any);
    return draw_leaf(d, element);
}

/* ---- shape and layout ---- */

static uint32_t draw_ndim(struct ndp_graph_draft *d, const uint8_t *row) {
    const bool is_flat = row[NDP_PLAN_CLASS] == NDP_PLANNED_MATRIX;
    const bool has_f_mask = row[NDP_PLAN_EXTRA] == NDP_EXTRA_F_MASK;
    switch ((enum ndp_plan_layout)row[NDP_PLAN_LAYOUT]) {
    case NDP_PLAN_LAYOUT_SCALAR:
        return 0;
    case NDP_PLAN_LAYOUT_C:
    case NDP_PLAN_LAYOUT_F:
        return is_flat ? 2 : 2 + (uint32_t)ndp_choose(d->choices, 2);
    case NDP_PLAN_LAYOUT_C_DEEP:
    case NDP_PLAN_LAYOUT_F_DEEP:
        return 4;
    case NDP_PLAN_LAYOUT_STRIDED:
    case NDP_PLAN_LAYOUT_REVERSED:
    case NDP_PLAN_LAYOUT_PART:
        return is_flat || has_f_mask ? 2 : 1 + (uint32_t)ndp_choose(d->choices, 2);
    case NDP_PLAN_LAYOUT_PERMUTED:
        return is_flat ? 2 : 3;
    case NDP_PLAN_LAYOUT_REPEATED:
        return 2;
    case NDP_PLAN_LAYOUT_LINE:
    case NDP_PLAN_LAYOUT_COUNT:
        break;
    }
    return 1;
}

static void draw_shape(struct ndp_graph_draft *d, const uint8_t *row, uint64_t itemsize_bytes, struct result *of) {
    const uint8_t size = row[NDP_PLAN_SIZE];
    const uint64_t least_bytes = size == NDP_SIZE_HUGE ? NDP_PLAN_PIPE_BYTES : NDP_PLAN_INLINE_BYTES;
    uint64_t rest = 1;
    for (uint32_t i = 0; i < of->ndim; i++) {
        of->shape[i] = size == NDP_SIZE_ONE ? 1 : of->ndim > 3 ? 2 : 2 + (int64_t)ndp_choose(d->choices, 2);
        if (i > 0) rest *= (uint64_t)of->shape[i];
    }
    if (of->ndim == 0) return;
    if (size == NDP_SIZE_EMPTY) of->shape[ndp_choose(d->choices, of->ndim)] = 0;
    if (size == NDP_SIZE_LARGE || size == NDP_SIZE_HUGE)
        of->shape[0] = (int64_t)(least_bytes / (rest * itemsize_bytes) + 1 + ndp_choose(d->choices, 3));
}

static void set_slice(struct ndp_graph_draft *d, const uint8_t *row, struct ndp_view *view, int64_t *base_shape) {
    struct ndp_slice slices[NDP_MAX_NDIM];
    const uint32_t axis = (uint32_t)ndp_choose(d->choices, view->ndim);
    for (uint32_t i = 0; i < view->ndim; i++) slices[i] = (struct ndp_slice){0, 1, base_shape[i]};
    const int64_t count = base_shape[axis];
    if (row[NDP_PLAN_LAYOUT] == NDP_PLAN_LAYOUT_STRIDED) {
        base_shape[axis] = 2 * count;
        slices[axis] = (struct ndp_slice){(int64_t)ndp_choose(d->choices, 2), 2, count};
    } else if (row[NDP_PLAN_LAYOUT] == NDP_PLAN_LAYOUT_REVERSED) {
        slices[axis] = (struct ndp_slice){count - 1, -1, count};
    } else {
        slices[axis].count = count;
        slices[0] = (struct ndp_slice){1 + (int64_t)ndp_choose(d->choices, 2), 1, base_shape[0]};
        base_shape[0] += slices[0].start;
    }
    view->op = NDP_VIEW_SLICE;
    view->slices = take(d, slices, view->ndim * sizeof *slices);
}

static void set_axes(struct ndp_graph_draft *d, struct ndp_view *view, int64_t *base_shape) {
    static const uint32_t orders[][3] = {{1, 0, 2}, {2, 0, 1}, {0, 2, 1}};
    static const uint32_t swapped[] = {1, 0};
    const int64_t shape[] = {base_shape[0], base_shape[1], view->ndim > 2 ? base_shape[2] : 0};
    view->op = NDP_VIEW_TRANSPOSE;
    view->axes = view->ndim == 2 ? swapped : orders[ndp_choose(d->choices, NDP_ARRAY_LEN(orders))];
    for (uint32_t i = 0; i < view->ndim; i++) base_shape[view->axes[i]] = shape[i];
}

/* Chooses the base and the view whose result has the shape. */
static void draw_layout(struct ndp_graph_draft *d, const uint8_t *row, const struct result *of,
                        struct ndp_array_value *value) {
    struct ndp_base *base = &value->base;
    struct ndp_view view = {.ndim = of->ndim};
    int64_t *shape = take(d, of->shape, of->ndim * sizeof *shape);
    if (d->is_out_of_memory) return;
    base->ndim = of->ndim;
    base->shape = shape;
    switch ((enum ndp_plan_layout)row[NDP_PLAN_LAYOUT]) {
    case NDP_PLAN_LAYOUT_F:
    case NDP_PLAN_LAYOUT_F_DEEP:
        base->order = NDP_MEMORY_F;
        return;
    case NDP_PLAN_LAYOUT_STRIDED:
    case NDP_PLAN_LAYOUT_REVERSED:
    case NDP_PLAN_LAYOUT_PART:
        set_slice(d, row, &view, shape);
        break;
    case NDP_PLAN_LAYOUT_PERMUTED:
        set_axes(d, &view, shape);
        break;
    case NDP_PLAN_LAYOUT_REPEATED:
        view.op = NDP_VIEW_BROADCAST;
        view.shape = of->shape;
        base->ndim = 1;
        base->shape = &shape[1];
        break;
    case NDP_PLAN_LAYOUT_LINE:
    case NDP_PLAN_LAYOUT_SCALAR:
    case NDP_PLAN_LAYOUT_C:
    case NDP_PLAN_LAYOUT_C_DEEP:
    case NDP_PLAN_LAYOUT_COUNT:
        return;
    }
    value->views = take(d, &view, sizeof view);
    value->view_count = 1;
}

static void draw_memory(struct ndp_graph_draft *d, const uint8_t *row, struct ndp_array_value *value) {
    static const uint64_t offsets[] = {8, 1, 64, 4096};
    const uint8_t memory = row[NDP_PLAN_MEMORY];
    struct ndp_base *base = &value->base;
    value->is_readonly = memory == NDP_PLAN_MEMORY_FLAG;
    base->is_readonly = memory == NDP_PLAN_MEMORY_READONLY;
    if (memory == NDP_PLAN_MEMORY_MISALIGNED) base->misalign_bytes = 1 + (uint32_t)ndp_choose(d->choices, 15);
    base->has_map = memory == NDP_PLAN_MEMORY_MAP || memory == NDP_PLAN_MEMORY_MAP_PART;
    if (base->has_map) base->map_mode = (enum ndp_map_mode)ndp_choose(d->choices, NDP_MAP_MODE_COUNT);
    if (memory == NDP_PLAN_MEMORY_MAP_PART)
        base->map_offset_bytes = offsets[ndp_choose(d->choices, NDP_ARRAY_LEN(offsets))];
}

static void draw_data(struct ndp_graph_draft *d, struct ndp_base *base) {
    uint64_t size_bytes = 0;
    if (d->is_out_of_memory || !ndp_generate_base_size_fits(base, UINT32_MAX, &size_bytes)) return;
    note(d, ndp_generate_data(d->arena, d->choices, base->dtype, size_bytes, &base->data));
    ndp_generate_repaired_base(base);
}

/* A scalar is in native byte order unless it has fields. A bool is true. A text has no NUL at its end; inside, it has
 * one. */
static void fit_scalar(struct ndp_graph_draft *d, struct ndp_base *base) {
    struct ndp_dtype *leaf = take(d, base->dtype, sizeof *leaf);
    const enum ndp_kind kind = base->dtype->kind;
    if (leaf == NULL || kind == NDP_KIND_STRUCT) return;
    if (leaf->order != NDP_ORDER_NONE) leaf->order = NDP_ORDER_NATIVE;
    base->dtype = leaf;
    if (kind != NDP_KIND_TEXT && kind != NDP_KIND_BYTES && kind != NDP_KIND_BOOL) return;
    const uint32_t unit_bytes = kind == NDP_KIND_TEXT ? 4 : 1;
    const uint64_t size_bytes = leaf->itemsize_bytes;
    uint8_t *bytes = ndp_arena_alloc(d->arena, size_bytes);
    if (bytes == NULL) {
        d->is_out_of_memory = true;
        return;
    }
    for (uint64_t i = 0; i < size_bytes; i += unit_bytes)
        if (i + unit_bytes == size_bytes || ndp_choose_rarely(d->choices, 2))
            bytes[i] = (uint8_t)ndp_choose_between(d->choices, 1, kind == NDP_KIND_BOOL ? 1 : 255);
    base->data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {bytes, size_bytes}};
}

/* Adds an array by its row, without what its class adds. */
static struct result add_bare(struct ndp_graph_draft *d, const uint8_t *row) {
    struct result of = {.number = ndp_graph_draft_node(d, NDP_NODE_ARRAY)};
    struct ndp_array_value *value = &d->nodes[of.number].array;
    value->class_name = ndp_bytes_view(ndp_plan_class_word(row[NDP_PLAN_CLASS]));
    value->base.dtype = draw_element(d, row);
    of.ndim = draw_ndim(d, row);
    of.shape = NDP_ARENA_ITEMS(d->arena, int64_t, of.ndim);
    if (of.shape == NULL) d->is_out_of_memory = true;
    if (d->is_out_of_memory) return of;
    draw_shape(d, row, value->base.dtype->itemsize_bytes, &of);
    draw_layout(d, row, &of, value);
    draw_memory(d, row, value);
    draw_data(d, &value->base);
    if (row[NDP_PLAN_CLASS] == NDP_PLANNED_SCALAR && !d->is_out_of_memory) fit_scalar(d, &value->base);
    if (value->base.has_map && row[NDP_PLAN_CLASS] == NDP_PLANNED_NDARRAY)
        value->class_name = ndp_bytes_view(ndp_class_word(NDP_CLASS_MEMMAP));
    return of;
}

/* ---- additions of a class ---- */

/* Adds a view of an array; a part lacks the first item of axis 0. */
static uint32_t add_view(struct ndp_graph_draft *d, const struct result *of, bool is_part) {
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_VIEW);
    struct ndp_slice *slices = NDP_ARENA_ITEMS(d->arena, struct ndp_slice, of->ndim);
    struct ndp_view *view = NDP_ARENA_NEW(d->arena, struct ndp_view);
    ndp_graph_draft_edge(d, number, NDP_EDGE_OF, NULL, of->number);
    if (slices == NULL || view == NULL) d->is_out_of_memory = true;
    if (d->is_out_of_memory || !is_part || of->ndim == 0) return number;
    for (uint32_t i = 0; i < of->ndim; i++) slices[i] = (struct ndp_slice){0, 1, of->shape[i]};
    slices[0] = (struct ndp_slice){1, 1, of->shape[0] - 1};
    *view = (struct ndp_view){.op = NDP_VIEW_SLICE, .ndim = of->ndim, .slices = slices};
    d->nodes[number].array.views = view;
    d->nodes[number].array.view_count = 1;
    return number;
}

/* Adds the mask of an array: a bool array of its shape and fields. The first bool of a mask that is not full is false.
 */
static uint32_t add_mask(struct ndp_graph_draft *d, const struct result *of, uint8_t extra) {
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    struct ndp_base base = {.ndim = of->ndim, .shape = of->shape};
    note(d, ndp_masked_dtype(d->arena, d->nodes[of->number].array.base.dtype, &base.dtype));
    if (d->is_out_of_memory) return number;
    uint64_t count = base.dtype->itemsize_bytes;
    for (uint32_t i = 0; i < of->ndim; i++) count *= (uint64_t)of->shape[i];
    if (extra == NDP_EXTRA_F_MASK) base.order = NDP_MEMORY_F;
    uint8_t *bytes = ndp_arena_alloc(d->arena, count);
    if (bytes == NULL) d->is_out_of_memory = true;
    for (uint64_t i = 0; bytes != NULL && i < count; i++)
        bytes[i] = extra == NDP_EXTRA_FULL_MASK || (i > 0 && ndp_choose_rarely(d->choices, 2));
    base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {bytes, count}};
    d->nodes[number].array.class_name = ndp_bytes_view(ndp_class_word(NDP_CLASS_NDARRAY));
    d->nodes[number].array.base = base;
    return number;
}

static void add_masked_parts(struct ndp_graph_draft *d, const struct result *of, uint8_t extra) {
    struct ndp_node *node = &d->nodes[of->number];
    node->has_hard_mask = extra == NDP_EXTRA_HARD_MASK;
    const bool can_have_more =
        extra == NDP_EXTRA_NO_MASK || extra == NDP_EXTRA_SHARED_MASK || extra == NDP_EXTRA_HARD_MASK;
    if (extra == NDP_EXTRA_FILL_VALUE || (can_have_more && ndp_choose_rarely(d->choices, 2))) {
        const struct ndp_dtype *dtype = node->array.base.dtype;
        const uint64_t item_bytes = dtype->itemsize_bytes;
        uint8_t *fill_value = ndp_arena_alloc(d->arena, item_bytes);
        if (fill_value == NULL) d->is_out_of_memory = true;
        /* NumPy before 2 copies times without a unit from one byte order to another as they are; all zeros do not
         * change.
         */
        const bool is_unitless =
            (dtype->kind == NDP_KIND_DATETIME || dtype->kind == NDP_KIND_TIMEDELTA) && dtype->unit == NDP_UNIT_GENERIC;
        if (fill_value != NULL && item_bytes > 0 && !is_unitless) fill_value[0] = 1;
        node->fill_value = (struct ndp_bytes){fill_value, item_bytes};
    }
    if (extra != NDP_EXTRA_NO_MASK) ndp_graph_draft_edge(d, of->number, NDP_EDGE_MASK, NULL, add_mask(d, of, extra));
}

static uint32_t add_small_array(struct ndp_graph_draft *d) {
    const uint8_t row[NDP_PLAN_COUNT] = {
        [NDP_PLAN_CLASS] = NDP_PLANNED_NDARRAY,
        [NDP_PLAN_ELEMENT] = (uint8_t)ndp_choose(d->choices, NDP_ELEMENT_COUNT),
        [NDP_PLAN_LAYOUT] = (uint8_t)ndp_choose(d->choices, NDP_PLAN_LAYOUT_COUNT),
    };
    return add_bare(d, row).number;
}

/* An attribute that contains an array and a text. */
static uint32_t add_attribute_dict(struct ndp_graph_draft *d) {
    const uint32_t dict = ndp_graph_draft_node(d, NDP_NODE_DICT);
    const uint32_t values[] = {add_small_array(d), ndp_graph_draft_text(d, "m")};
    static const char *const keys[] = {"scale", "unit"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(values); i++) {
        ndp_graph_draft_edge(d, dict, NDP_EDGE_KEY, NULL, ndp_graph_draft_text(d, keys[i]));
        ndp_graph_draft_edge(d, dict, NDP_EDGE_VALUE, NULL, values[i]);
    }
    return dict;
}

static uint32_t add_constant(struct ndp_graph_draft *d) {
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_NONE);
    if (!ndp_choose_rarely(d->choices, 2)) return number;
    d->nodes[number].kind = NDP_NODE_BOOL;
    d->nodes[number].truth = ndp_choose_rarely(d->choices, 2);
    return number;
}

static uint32_t add_attribute(struct ndp_graph_draft *d, const struct result *of, uint8_t extra) {
    switch ((enum ndp_plan_extra)extra) {
    case NDP_EXTRA_TEXT:
        return ndp_graph_draft_any_text(d);
    case NDP_EXTRA_BYTES:
        return ndp_graph_draft_bytes(d);
    case NDP_EXTRA_CONSTANT:
        return add_constant(d);
    case NDP_EXTRA_ARRAY:
        return add_small_array(d);
    case NDP_EXTRA_VIEW:
        return add_view(d, of, ndp_choose_rarely(d->choices, 2) && of->ndim > 0 && of->shape[0] > 1);
    case NDP_EXTRA_ITSELF:
        return of->number;
    case NDP_EXTRA_DICT:
        return add_attribute_dict(d);
    case NDP_EXTRA_SEVERAL:
        return ndp_graph_draft_scalar(d);
    case NDP_EXTRA_NONE:
    case NDP_EXTRA_NUMBER:
    case NDP_EXTRA_NO_MASK:
    case NDP_EXTRA_FULL_MASK:
    case NDP_EXTRA_F_MASK:
    case NDP_EXTRA_SHARED_MASK:
    case NDP_EXTRA_HARD_MASK:
    case NDP_EXTRA_FILL_VALUE:
    case NDP_EXTRA_COUNT:
        break;
    }
    return ndp_choose_rarely(d->choices, 2) ? ndp_graph_draft_float(d) : ndp_graph_draft_int(d);
}

static void add_extra(struct ndp_graph_draft *d, const uint8_t *row, const struct result *of) {
    static const char *const units[] = {"m", "km", "kg m / s2", ""};
    static const char *const more[] = {"note", "unit"};
    const uint8_t extra = row[NDP_PLAN_EXTRA];
    enum ndp_array_class class = NDP_CLASS_NDARRAY;
    if (d->is_out_of_memory) return;
    (void)ndp_class_find(d->nodes[of->number].array.class_name, &class);
    const char *promised = ndp_class_promised(class);
    if (class == NDP_CLASS_MASKED) add_masked_parts(d, of, extra);
    if (class == NDP_CLASS_MASKED || extra == NDP_EXTRA_NONE) return;
    const uint32_t first = class == NDP_CLASS_QUANTITY
                               ? ndp_graph_draft_text(d, units[ndp_choose(d->choices, NDP_ARRAY_LEN(units))])
                               : add_attribute(d, of, extra);
    ndp_graph_draft_edge(d, of->number, NDP_EDGE_ATTRIBUTE, promised[0] == '\0' ? "extra" : promised, first);
    if (extra != NDP_EXTRA_SEVERAL) return;
    for (size_t i = 0; i < NDP_ARRAY_LEN(more); i++)
        ndp_graph_draft_edge(d, of->number, NDP_EDGE_ATTRIBUTE, more[i],
                             i == 0 ? ndp_graph_draft_scalar(d) : add_small_array(d));
}

/* ---- the companion ---- */

/* An array of any class that shares nothing. */
static uint32_t add_other(struct ndp_graph_draft *d) {
    struct ndp_covering_row row;
    memset(row.values, NDP_COVERING_FREE, sizeof row.values);
    row.values[NDP_PLAN_ROOT] = NDP_ROOT_ARRAY;
    if (!ndp_plan_complete(d->choices, &row)) return ndp_graph_draft_node(d, NDP_NODE_NONE);
    const struct result of = add_bare(d, row.values);
    add_extra(d, row.values, &of);
    return of.number;
}

/* A masked array of the same shape with the same mask. Records also need the same fields. */
static uint32_t add_partner(struct ndp_graph_draft *d, const struct result *of) {
    const struct ndp_edge *mask = ndp_graph_node_edge(&d->nodes[of->number], NDP_EDGE_MASK, 0);
    const struct ndp_dtype *dtype = d->nodes[of->number].array.base.dtype;
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    struct ndp_array_value *value = &d->nodes[number].array;
    if (dtype->kind != NDP_KIND_STRUCT) dtype = draw_leaf(d, (uint8_t)ndp_choose(d->choices, NDP_ELEMENT_RECORD));
    value->class_name = ndp_bytes_view(ndp_class_word(NDP_CLASS_MASKED));
    value->base = (struct ndp_base){.dtype = dtype, .ndim = of->ndim, .shape = of->shape};
    draw_data(d, &value->base);
    if (mask != NULL) ndp_graph_draft_edge(d, number, NDP_EDGE_MASK, NULL, mask->to);
    return number;
}

/* Another array with the same content, mask and attributes. */
static uint32_t add_alike(struct ndp_graph_draft *d, const struct result *of) {
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    const struct ndp_node *like = &d->nodes[of->number];
    d->nodes[number].array = like->array;
    d->nodes[number].fill_value = like->fill_value;
    d->nodes[number].has_hard_mask = like->has_hard_mask;
    for (uint32_t i = 0; i < like->edge_count; i++) {
        struct ndp_edge edge = like->edges[i];
        if (edge.role == NDP_EDGE_MASK) {
            const uint32_t mask = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
            d->nodes[mask].array = d->nodes[edge.to].array;
            edge.to = mask;
        }
        ndp_graph_draft_named_edge(d, number, edge);
    }
    return number;
}

static void add_companion(struct ndp_plan_draft *plan, const struct result *of) {
    struct ndp_graph_draft *d = plan->d;
    const bool can_be_part = of->ndim > 0 && of->shape[0] > 1;
    switch ((enum ndp_plan_sharing)plan->row[NDP_PLAN_SHARING]) {
    case NDP_SHARING_OTHER:
        plan->second = plan->row[NDP_PLAN_EXTRA] == NDP_EXTRA_SHARED_MASK ? add_partner(d, of) : add_other(d);
        break;
    case NDP_SHARING_TWICE:
        plan->second = of->number;
        break;
    case NDP_SHARING_VIEW:
        plan->second = add_view(d, of, false);
        break;
    case NDP_SHARING_PART:
        plan->second = add_view(d, of, true);
        break;
    case NDP_SHARING_VIEWS:
        plan->main = add_view(d, of, can_be_part && ndp_choose_rarely(d->choices, 2));
        plan->second = add_view(d, of, can_be_part && ndp_choose_rarely(d->choices, 2));
        break;
    case NDP_SHARING_ALIKE:
        plan->second = add_alike(d, of);
        break;
    case NDP_SHARING_NONE:
    case NDP_SHARING_CYCLE:
    case NDP_SHARING_COUNT:
        break;
    }
}

/* Generates an array without objects, with any views. */
static void draw_any(struct ndp_graph_draft *d, struct ndp_array_value *out) {
    const struct ndp_generate_limits limits = {.value_bytes = ANY_BYTES, .without_objects = true, .without_maps = true};
    struct ndp_value value;
    note(d, ndp_generate_value(d->arena, d->choices, &limits, &value));
    if (!d->is_out_of_memory) *out = value.array;
}

void ndp_plan_add_arrays(struct ndp_plan_draft *plan) {
    struct ndp_graph_draft *d = plan->d;
    const uint8_t *row = plan->row;
    plan->main = plan->second = NDP_GRAPH_UNSET;
    if (row[NDP_PLAN_CLASS] == NDP_PLANNED_NONE) return;
    const struct result of = add_bare(d, row);
    plan->main = of.number;
    add_extra(d, row, &of);
    if (d->is_out_of_memory) return;
    if (plan->is_any && row[NDP_PLAN_SHARING] <= NDP_SHARING_TWICE && ndp_choose_rarely(d->choices, ANY_ONE_IN))
        draw_any(d, &d->nodes[of.number].array);
    add_companion(plan, &of);
}
