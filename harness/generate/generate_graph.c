/* generate_graph.c: generates small graphs, each for one topic: a class with attributes, sharing, or functions. Zeros
 * give a list of None. Each graph can be built; properties check the result of a route. */
#include "generate/generate_parts.h"
#include "generate/graph_draft.h"
#include "model/graph/array_class.h"
#include "model/masked.h"

#include <stdio.h>
#include <string.h>

enum { ANY_BYTES = 200, ANY_ONE_IN = 4, DEEP_ONE_IN = 4, DEEP_AXES = 3 };

static const struct ndp_dtype leaves[] = {
    {.kind = NDP_KIND_UINT, .itemsize_bytes = 1},
    {.kind = NDP_KIND_INT, .itemsize_bytes = 4, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 8, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 8, .order = NDP_ORDER_BIG},
    {.kind = NDP_KIND_BOOL, .itemsize_bytes = 1},
    {.kind = NDP_KIND_UINT, .itemsize_bytes = 2, .order = NDP_ORDER_BIG},
    {.kind = NDP_KIND_COMPLEX, .itemsize_bytes = 16, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_INT, .itemsize_bytes = 8, .order = NDP_ORDER_BIG},
    {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 2, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_COMPLEX, .itemsize_bytes = 8, .order = NDP_ORDER_BIG},
};

static const struct ndp_dtype times[] = {
    {.kind = NDP_KIND_DATETIME,
     .itemsize_bytes = 8,
     .order = NDP_ORDER_LITTLE,
     .unit = NDP_UNIT_DAY,
     .unit_multiple = 1},
    {.kind = NDP_KIND_TIMEDELTA,
     .itemsize_bytes = 8,
     .order = NDP_ORDER_BIG,
     .unit = NDP_UNIT_MICRO,
     .unit_multiple = 25},
};
static const struct ndp_field record_fields[] = {
    {.name = {(const uint8_t *)"a", 1}, .offset_bytes = 0, .dtype = &leaves[1]},
    {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 4, .dtype = &leaves[3]},
};
static const struct ndp_dtype record = {
    .kind = NDP_KIND_STRUCT, .itemsize_bytes = 12, .fields = record_fields, .field_count = 2};

/* A record that contains another, and several items of each kind. */
static const int64_t several[] = {2, 1, 2};
static const struct ndp_dtype several_items = {
    .kind = NDP_KIND_SUBARRAY, .itemsize_bytes = 8, .base = &leaves[5], .ndim = 3, .shape = several};
static const struct ndp_field deep_fields[] = {
    {.name = {(const uint8_t *)"a", 1}, .offset_bytes = 0, .dtype = &several_items},
    {.name = {(const uint8_t *)"b", 1}, .offset_bytes = 8, .dtype = &record},
};
static const struct ndp_dtype deep_record = {
    .kind = NDP_KIND_STRUCT, .itemsize_bytes = 20, .fields = deep_fields, .field_count = 2};

static void draw_base(struct ndp_graph_draft *d, struct ndp_array_value *value, uint32_t least_ndim) {
    struct ndp_base *base = &value->base;
    base->dtype = &leaves[ndp_choose(d->choices, NDP_ARRAY_LEN(leaves))];
    base->ndim = least_ndim > 0 ? least_ndim : (uint32_t)ndp_choose(d->choices, 3);
    const bool is_deep = least_ndim == 0 && ndp_choose_rarely(d->choices, DEEP_ONE_IN);
    if (is_deep) base->ndim = DEEP_AXES + (uint32_t)ndp_choose(d->choices, 2);
    int64_t *shape = NDP_ARENA_ITEMS(d->arena, int64_t, base->ndim);
    if (shape == NULL) {
        d->is_out_of_memory = true;
        base->ndim = 0;
    }
    for (uint32_t i = 0; i < base->ndim; i++)
        shape[i] = (int64_t)ndp_choose(d->choices, 3) + (i == 0 || is_deep ? 1 : 0);
    base->shape = shape;
    base->order = ndp_choose_rarely(d->choices, 4) ? NDP_MEMORY_F : NDP_MEMORY_C;
    if (!ndp_choose_rarely(d->choices, 3)) base->data.pattern = NDP_PATTERN_INDEX;
}

/* Generates an array without objects, with any views. */
static void draw_any(struct ndp_graph_draft *d, struct ndp_array_value *out) {
    const struct ndp_generate_limits limits = {.value_bytes = ANY_BYTES, .without_objects = true, .without_maps = true};
    struct ndp_value value;
    if (ndp_generate_value(d->arena, d->choices, &limits, &value) == NDP_OK)
        *out = value.array;
    else
        d->is_out_of_memory = true;
}

uint32_t ndp_graph_draft_array(struct ndp_graph_draft *d, enum ndp_array_class class) {
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    struct ndp_node *node = &d->nodes[number];
    if (class == NDP_CLASS_NDARRAY && ndp_choose_rarely(d->choices, ANY_ONE_IN)) {
        draw_any(d, &node->array);
        return number;
    }
    draw_base(d, &node->array, class == NDP_CLASS_MATRIX ? 2 : 0);
    node->array.class_name = ndp_bytes_view(ndp_class_word(class));
    node->array.is_readonly = ndp_choose_rarely(d->choices, 8);
    return number;
}

static uint32_t add_view(struct ndp_graph_draft *d, uint32_t of) {
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_VIEW);
    struct ndp_node *node = &d->nodes[number];
    const struct ndp_array_value *value = &d->nodes[of].array;
    ndp_graph_draft_edge(d, number, NDP_EDGE_OF, NULL, of);
    if (d->nodes[of].kind != NDP_NODE_ARRAY || value->view_count > 0 || value->base.ndim == 0) return number;
    const uint32_t ndim = value->base.ndim;
    struct ndp_view *view = NDP_ARENA_NEW(d->arena, struct ndp_view);
    struct ndp_slice *slices = NDP_ARENA_ITEMS(d->arena, struct ndp_slice, ndim);
    if (view == NULL || slices == NULL) {
        d->is_out_of_memory = true;
        return number;
    }
    for (uint32_t i = 0; i < ndim; i++) slices[i] = (struct ndp_slice){0, 1, value->base.shape[i]};
    if (slices[0].count > 1 && ndp_choose_rarely(d->choices, 2))
        slices[0] = (struct ndp_slice){1, 1, slices[0].count - 1};
    *view = (struct ndp_view){.op = NDP_VIEW_SLICE, .ndim = ndim, .slices = slices};
    node->array.views = view;
    node->array.view_count = 1;
    return number;
}

/* Adds the mask of `masked`: a bool array of its shape and fields, with its own memory order. */
static uint32_t add_mask(struct ndp_graph_draft *d, uint32_t masked) {
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_ARRAY);
    struct ndp_base *base = &d->nodes[number].array.base;
    const struct ndp_base *like = &d->nodes[masked].array.base;
    const struct ndp_dtype *dtype = NULL;
    d->nodes[number].array.class_name = ndp_bytes_view(ndp_class_word(NDP_CLASS_NDARRAY));
    if (ndp_masked_dtype(d->arena, like->dtype, &dtype) != NDP_OK) {
        d->is_out_of_memory = true;
        return number;
    }
    uint64_t count = dtype->itemsize_bytes;
    for (uint32_t i = 0; i < like->ndim; i++) count *= (uint64_t)like->shape[i];
    uint8_t *bytes = ndp_arena_alloc(d->arena, count);
    *base = (struct ndp_base){.dtype = dtype, .ndim = like->ndim, .shape = like->shape};
    base->order = ndp_choose_rarely(d->choices, 4) ? NDP_MEMORY_F : NDP_MEMORY_C;
    if (bytes == NULL) {
        d->is_out_of_memory = true;
        return number;
    }
    for (uint64_t i = 0; i < count; i++) bytes[i] = (uint8_t)ndp_choose(d->choices, 2);
    base->data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = {bytes, count}};
    return number;
}

/* Generates a masked array. `mask` is the mask of another array of that shape, or NULL. */
static void draw_masked(struct ndp_graph_draft *d, uint32_t number, const uint32_t *mask) {
    const uint64_t item_bytes = d->nodes[number].array.base.dtype->itemsize_bytes;
    uint8_t *fill_value = ndp_arena_alloc(d->arena, item_bytes);
    if (fill_value == NULL) {
        d->is_out_of_memory = true;
        return;
    }
    fill_value[0] = 1;
    d->nodes[number].has_hard_mask = ndp_choose_rarely(d->choices, 3);
    if (ndp_choose_rarely(d->choices, 2)) d->nodes[number].fill_value = (struct ndp_bytes){fill_value, item_bytes};
    if (mask != NULL) {
        ndp_graph_draft_edge(d, number, NDP_EDGE_MASK, NULL, *mask);
    } else if (d->nodes[number].array.base.dtype->kind == NDP_KIND_STRUCT || !ndp_choose_rarely(d->choices, 3)) {
        ndp_graph_draft_edge(d, number, NDP_EDGE_MASK, NULL, add_mask(d, number));
    }
}

/* A masked array may also have dates, time differences or records. */
static uint32_t add_masked(struct ndp_graph_draft *d) {
    const uint32_t number = ndp_graph_draft_array(d, NDP_CLASS_MASKED);
    struct ndp_base *base = &d->nodes[number].array.base;
    const uint32_t choice = ndp_choose_weighted(d->choices, (const uint8_t[]){6, 2, 2}, 3);
    if (choice == 1) base->dtype = &times[ndp_choose(d->choices, NDP_ARRAY_LEN(times))];
    if (choice == 2) base->dtype = ndp_choose_rarely(d->choices, 2) ? &deep_record : &record;
    draw_masked(d, number, NULL);
    return number;
}

/* Adds a masked array that shares the mask of the first, if there is one. */
static uint32_t add_partner(struct ndp_graph_draft *d, uint32_t masked) {
    const struct ndp_edge *mask = ndp_graph_node_edge(&d->nodes[masked], NDP_EDGE_MASK, 0);
    uint32_t number = ndp_graph_draft_array(d, NDP_CLASS_MASKED);
    const struct ndp_base *like = &d->nodes[masked].array.base;
    d->nodes[number].array.base.ndim = like->ndim;
    d->nodes[number].array.base.shape = like->shape;
    if (like->dtype->kind == NDP_KIND_STRUCT) d->nodes[number].array.base.dtype = like->dtype;
    draw_masked(d, number, mask != NULL ? &mask->to : NULL);
    return number;
}

/* A scalar, an array, a view of the object itself, or the object itself. */
static uint32_t draw_attribute(struct ndp_graph_draft *d, uint32_t number, bool can_be_itself) {
    const uint64_t choice = ndp_choose(d->choices, 6);
    if (choice == 3) return ndp_graph_draft_array(d, NDP_CLASS_NDARRAY);
    if (choice == 4) return add_view(d, number);
    if (choice == 5) return can_be_itself ? number : ndp_graph_draft_scalar(d);
    return ndp_graph_draft_scalar(d);
}

static void draw_wrapped(struct ndp_graph_draft *d, uint32_t number) {
    uint32_t to = ndp_choose_rarely(d->choices, 3) ? add_view(d, number) : ndp_graph_draft_array(d, NDP_CLASS_NDARRAY);
    ndp_graph_draft_edge(d, number, NDP_EDGE_ATTRIBUTE, "wrapped", to);
}

static void draw_unit(struct ndp_graph_draft *d, uint32_t number) {
    static const char *const units[] = {"m", "km", "kg m / s2", ""};
    uint32_t unit = ndp_graph_draft_text(d, units[ndp_choose(d->choices, NDP_ARRAY_LEN(units))]);
    d->nodes[number].array.base.dtype = &leaves[2];
    ndp_graph_draft_edge(d, number, NDP_EDGE_ATTRIBUTE, "unit", unit);
}

/* The object that cudf.pandas wraps: the values of a column. */
static void draw_column(struct ndp_graph_draft *d, uint32_t number) {
    static const int64_t shape[] = {3};
    struct ndp_base *base = &d->nodes[number].array.base;
    base->dtype = &leaves[2];
    base->ndim = 1;
    base->shape = shape;
}

static void draw_map(struct ndp_graph_draft *d, uint32_t number) {
    struct ndp_base *base = &d->nodes[number].array.base;
    base->has_map = true;
    base->map_mode = (enum ndp_map_mode)ndp_choose(d->choices, NDP_MAP_COPY + 1);
    base->map_offset_bytes = ndp_choose_rarely(d->choices, 3) ? 8 : 0;
    ndp_generate_repaired_base(base);
}

/* An array of a class with its extras: mask, unit, wrapped array, attributes. */
static uint32_t draw_class(struct ndp_graph_draft *d) {
    static const struct {
        enum ndp_array_class class;
        uint8_t weight;
    } drawn[] = {{NDP_CLASS_PLAIN, 2},       {NDP_CLASS_REDUCE_SETSTATE, 2},  {NDP_CLASS_REDUCE_PAIR, 2},
                 {NDP_CLASS_REDUCE_ONLY, 1}, {NDP_CLASS_REDUCE_EX, 1},        {NDP_CLASS_FINALIZE_NONE, 2},
                 {NDP_CLASS_PROXY, 3},       {NDP_CLASS_FINALIZE_GETATTR, 1}, {NDP_CLASS_SLOTS, 1},
                 {NDP_CLASS_MASKED, 3},      {NDP_CLASS_MATRIX, 1},           {NDP_CLASS_RECARRAY, 1},
                 {NDP_CLASS_MEMMAP, 1},      {NDP_CLASS_QUANTITY, 1},         {NDP_CLASS_CUDF, 1}};
    static const char *const names[] = {"extra", "note", "unit"};
    uint8_t weights[NDP_ARRAY_LEN(drawn)];
    for (size_t i = 0; i < NDP_ARRAY_LEN(drawn); i++) weights[i] = drawn[i].weight;
    enum ndp_array_class class = drawn[ndp_choose_weighted(d->choices, weights, NDP_ARRAY_LEN(drawn))].class;
    if (class == NDP_CLASS_MASKED) return add_masked(d);
    uint32_t number = ndp_graph_draft_array(d, class);
    if (class == NDP_CLASS_RECARRAY) d->nodes[number].array.base.dtype = &record;
    if (class == NDP_CLASS_MEMMAP) draw_map(d, number);
    if (class == NDP_CLASS_CUDF) draw_column(d, number);
    if (class == NDP_CLASS_QUANTITY) draw_unit(d, number);
    if (class == NDP_CLASS_PROXY) draw_wrapped(d, number);
    if (!ndp_class_takes_attributes(class) || class == NDP_CLASS_PROXY) return number;
    bool is_rebuilt = class == NDP_CLASS_REDUCE_ONLY || class == NDP_CLASS_REDUCE_EX;
    uint32_t count = 1 + (uint32_t)ndp_choose(d->choices, NDP_ARRAY_LEN(names));
    for (uint32_t i = 0; i < count; i++)
        ndp_graph_draft_edge(d, number, NDP_EDGE_ATTRIBUTE, names[i], draw_attribute(d, number, !is_rebuilt));
    return number;
}

static uint32_t add_objects(struct ndp_graph_draft *d, const uint32_t *items, uint32_t count, bool contains_itself) {
    uint32_t number = ndp_graph_draft_node(d, NDP_NODE_OBJECTS);
    int64_t *shape = NDP_ARENA_ITEMS(d->arena, int64_t, 1);
    if (shape == NULL) {
        d->is_out_of_memory = true;
        return number;
    }
    shape[0] = (int64_t)count + (contains_itself ? 1 : 0);
    d->nodes[number].ndim = 1;
    d->nodes[number].shape = shape;
    for (uint32_t i = 0; i < count; i++) ndp_graph_draft_edge(d, number, NDP_EDGE_ITEM, NULL, items[i]);
    if (contains_itself) ndp_graph_draft_edge(d, number, NDP_EDGE_ITEM, NULL, number);
    return number;
}

static bool is_masked(const struct ndp_graph_draft *d, uint32_t number) {
    return d->nodes[number].kind == NDP_NODE_ARRAY &&
           ndp_bytes_is_word(d->nodes[number].array.class_name, ndp_class_word(NDP_CLASS_MASKED));
}

/* An item next to an array: the array again, a view of it, an array with the same mask, or another. */
static uint32_t draw_item(struct ndp_graph_draft *d, uint32_t array) {
    const uint64_t choice = ndp_choose(d->choices, 4);
    if (choice == 0) return array;
    if (choice == 1) return is_masked(d, array) ? add_partner(d, array) : add_view(d, array);
    if (choice == 2) return draw_class(d);
    return ndp_graph_draft_scalar(d);
}

/* An array in memory, a masked array, or an array in a file. */
static uint32_t draw_companion(struct ndp_graph_draft *d) {
    uint32_t number;
    const uint32_t choice = ndp_choose_weighted(d->choices, (const uint8_t[]){6, 4, 2}, 3);
    if (choice == 0) return ndp_graph_draft_array(d, NDP_CLASS_NDARRAY);
    if (choice == 1) return add_masked(d);
    number = ndp_graph_draft_array(d, NDP_CLASS_MEMMAP);
    draw_map(d, number);
    return number;
}

/* More items or keys than an unrolled loop, a byte of flags or a small table has room for. */
static uint32_t draw_wide(struct ndp_graph_draft *d) {
    static const char *const keys[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                       "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};
    static const enum ndp_node_kind kinds[] = {NDP_NODE_LIST, NDP_NODE_TUPLE, NDP_NODE_DICT};
    const enum ndp_node_kind kind = kinds[ndp_choose(d->choices, NDP_ARRAY_LEN(kinds))];
    const uint64_t count = 4 + ndp_choose(d->choices, NDP_ARRAY_LEN(keys) - 3);
    const uint32_t number = ndp_graph_draft_node(d, kind);
    for (uint64_t i = 0; i < count; i++) {
        if (kind == NDP_NODE_DICT)
            ndp_graph_draft_edge(d, number, NDP_EDGE_KEY, NULL, ndp_graph_draft_text(d, keys[i]));
        ndp_graph_draft_edge(d, number, kind == NDP_NODE_DICT ? NDP_EDGE_VALUE : NDP_EDGE_ITEM, NULL,
                             ndp_graph_draft_scalar(d));
    }
    return number;
}

/* The same array twice, or an array and views of it, in a container that may contain itself. */
static uint32_t draw_arrays_with_views(struct ndp_graph_draft *d) {
    uint32_t items[3];
    uint32_t array = draw_companion(d);
    uint32_t count = 1 + (uint32_t)ndp_choose(d->choices, 3);
    items[0] = array;
    for (uint32_t i = 1; i < count; i++) items[i] = draw_item(d, array);
    uint64_t holder = ndp_choose(d->choices, 4);
    if (holder == 3) return add_objects(d, items, count, ndp_choose_rarely(d->choices, 4));
    if (holder == 2) {
        static const char *const keys[] = {"a", "b", "c"};
        uint32_t dict = ndp_graph_draft_node(d, NDP_NODE_DICT);
        for (uint32_t i = 0; i < count; i++) {
            ndp_graph_draft_edge(d, dict, NDP_EDGE_KEY, NULL, ndp_graph_draft_text(d, keys[i]));
            ndp_graph_draft_edge(d, dict, NDP_EDGE_VALUE, NULL, items[i]);
        }
        return dict;
    }
    uint32_t list = ndp_graph_draft_node(d, holder == 1 ? NDP_NODE_TUPLE : NDP_NODE_LIST);
    for (uint32_t i = 0; i < count; i++) ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, items[i]);
    if (holder == 0 && ndp_choose_rarely(d->choices, 5)) ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, list);
    return list;
}

static uint32_t draw_root(struct ndp_graph_draft *d) {
    const uint64_t choice = ndp_choose_weighted(d->choices, (const uint8_t[]){1, 8, 6, 9, 2}, 5);
    if (choice == 1) return draw_class(d);
    if (choice == 2) return draw_arrays_with_views(d);
    if (choice == 3) return ndp_graph_draft_functions(d);
    if (choice == 4) return draw_wide(d);
    return ndp_graph_draft_node(d, NDP_NODE_LIST);
}

static enum ndp_status generate_rooted(struct ndp_arena *arena, struct ndp_choices *choices, bool in_objects,
                                       struct ndp_value *out) {
    struct ndp_graph_draft d = {.arena = arena, .choices = choices};
    struct ndp_graph *graph = NDP_ARENA_NEW(arena, struct ndp_graph);
    d.nodes = NDP_ARENA_ITEMS(arena, struct ndp_node, NDP_GRAPH_DRAFT_NODES);
    if (graph == NULL || d.nodes == NULL) return NDP_NOMEM;
    graph->root = draw_root(&d);
    if (in_objects && d.nodes[graph->root].kind != NDP_NODE_OBJECTS)
        graph->root = add_objects(&d, &graph->root, 1, false);
    if (d.is_out_of_memory) return NDP_NOMEM;
    graph->nodes = d.nodes;
    graph->count = d.count;
    *out = (struct ndp_value){.kind = NDP_VALUE_GRAPH, .graph = graph};
    out->array.base.dtype = &leaves[0];
    out->array.class_name = ndp_bytes_view("ndarray");
    return NDP_OK;
}

enum ndp_status ndp_generate_graph(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    return generate_rooted(arena, choices, false, out);
}

enum ndp_status ndp_generate_objects(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    return generate_rooted(arena, choices, true, out);
}
