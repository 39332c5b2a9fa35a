/* generate_graph.c: small graphs, each about one thing: a class with attributes, sharing, or functions. Zeros draw a
 * list of nothing. Everything drawn can be built; what a route makes of it is for the properties to say. */
#include "describe/generate_parts.h"
#include "model/graph.h"
#include "model/masked.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DRAWN_NODES = 96, MAX_DRAWN_EDGES = 12, MAX_FUNCTIONS = 5, MAX_CELLS = 6, ARRAY_BYTES = 64 };

/* A graph under construction. */
struct draft {
    struct ndp_arena *arena;
    struct ndp_choices *choices;
    struct ndp_node *nodes;
    uint32_t count;
    bool is_out_of_memory;
};

/* Gives the number of a new node with room for edges; the last node again when there is no room. */
static uint32_t add_node(struct draft *d, enum ndp_node_kind kind) {
    if (d->count == MAX_DRAWN_NODES) {
        d->is_out_of_memory = true;
        return d->count - 1;
    }
    struct ndp_node *node = &d->nodes[d->count];
    *node = (struct ndp_node){.kind = kind};
    node->edges = NDP_ARENA_ITEMS(d->arena, struct ndp_edge, MAX_DRAWN_EDGES);
    if (node->edges == NULL) d->is_out_of_memory = true;
    return d->count++;
}

static void add_edge(struct draft *d, uint32_t from, enum ndp_edge_role role, const char *name, uint32_t to) {
    struct ndp_node *node = &d->nodes[from];
    struct ndp_edge edges[MAX_DRAWN_EDGES];
    if (d->is_out_of_memory || node->edge_count == MAX_DRAWN_EDGES) return;
    /* Edges stand in the order of their roles, as the reader of JSON puts them. */
    uint32_t at = 0;
    while (at < node->edge_count && (node->edges[at].role <= role || node->kind == NDP_NODE_DICT)) at++;
    for (uint32_t i = 0; i < at; i++) edges[i] = node->edges[i];
    edges[at] = (struct ndp_edge){.role = role, .to = to};
    if (name != NULL) edges[at].name = ndp_bytes_view(name);
    for (uint32_t i = at; i < node->edge_count; i++) edges[i + 1] = node->edges[i];
    const uint32_t count = node->edge_count + 1;
    node->edges = ndp_arena_copy(d->arena, edges, count * sizeof *edges);
    node->edge_count = count;
    if (node->edges == NULL) d->is_out_of_memory = true;
}

static uint32_t add_int(struct draft *d) {
    static const char *const digits[] = {"0", "1", "2", "7", "-1", "9223372036854775808"};
    uint32_t number = add_node(d, NDP_NODE_INT);
    d->nodes[number].text = ndp_bytes_view(digits[ndp_choose(d->choices, NDP_ARRAY_LEN(digits))]);
    return number;
}

static uint32_t add_text(struct draft *d, const char *text) {
    uint32_t number = add_node(d, NDP_NODE_TEXT);
    d->nodes[number].text = ndp_bytes_view(text);
    return number;
}

static uint32_t add_scalar(struct draft *d) {
    static const uint8_t half[] = {0x3f, 0xe0, 0, 0, 0, 0, 0, 0};
    uint32_t number;
    switch (ndp_choose(d->choices, 6)) {
    case 1:
        return add_text(d, "metre");
    case 2:
        number = add_node(d, NDP_NODE_FLOAT);
        d->nodes[number].text = (struct ndp_bytes){half, sizeof half};
        return number;
    case 3:
        number = add_node(d, NDP_NODE_BOOL);
        d->nodes[number].truth = true;
        return number;
    case 4:
        return add_node(d, NDP_NODE_NONE);
    case 5:
        number = add_node(d, NDP_NODE_BYTES);
        d->nodes[number].text = (struct ndp_bytes){half, 2};
        return number;
    default:
        return add_int(d);
    }
}

static const struct ndp_dtype leaves[] = {
    {.kind = NDP_KIND_UINT, .itemsize_bytes = 1},
    {.kind = NDP_KIND_INT, .itemsize_bytes = 4, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 8, .order = NDP_ORDER_LITTLE},
    {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 8, .order = NDP_ORDER_BIG},
    {.kind = NDP_KIND_BOOL, .itemsize_bytes = 1},
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

static void draw_base(struct draft *d, struct ndp_array_value *value, uint32_t least_ndim) {
    struct ndp_base *base = &value->base;
    base->dtype = &leaves[ndp_choose(d->choices, NDP_ARRAY_LEN(leaves))];
    base->ndim = least_ndim > 0 ? least_ndim : (uint32_t)ndp_choose(d->choices, 3);
    int64_t *shape = NDP_ARENA_ITEMS(d->arena, int64_t, base->ndim);
    if (shape == NULL) {
        d->is_out_of_memory = true;
        base->ndim = 0;
    }
    for (uint32_t i = 0; i < base->ndim; i++) shape[i] = (int64_t)ndp_choose(d->choices, 3) + (i == 0 ? 1 : 0);
    base->shape = shape;
    base->order = ndp_choose_rarely(d->choices, 4) ? NDP_MEMORY_F : NDP_MEMORY_C;
    if (!ndp_choose_rarely(d->choices, 3)) base->data.pattern = NDP_PATTERN_INDEX;
}

static uint32_t add_array(struct draft *d, enum ndp_array_class class) {
    uint32_t number = add_node(d, NDP_NODE_ARRAY);
    struct ndp_node *node = &d->nodes[number];
    draw_base(d, &node->array, class == NDP_CLASS_MATRIX ? 2 : 0);
    node->array.class_name = ndp_bytes_view(ndp_class_word(class));
    node->array.is_readonly = ndp_choose_rarely(d->choices, 8);
    return number;
}

static uint32_t add_view(struct draft *d, uint32_t of) {
    uint32_t number = add_node(d, NDP_NODE_VIEW);
    struct ndp_node *node = &d->nodes[number];
    const struct ndp_array_value *value = &d->nodes[of].array;
    add_edge(d, number, NDP_EDGE_OF, NULL, of);
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

/* The mask of `masked`: an array like it, of truth values, with the same fields; in a memory order of its own. */
static uint32_t add_mask(struct draft *d, uint32_t masked) {
    uint32_t number = add_node(d, NDP_NODE_ARRAY);
    struct ndp_base *base = &d->nodes[number].array.base;
    const struct ndp_base *like = &d->nodes[masked].array.base;
    const struct ndp_dtype *dtype = NULL;
    d->nodes[number].array.class_name = ndp_bytes_view(ndp_class_word(NDP_CLASS_NDARRAY));
    if (ndp_mask_dtype(d->arena, like->dtype, &dtype) != NDP_OK) {
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

/* A masked array; `mask` is that of another of the same shape, or NULL. */
static void draw_masked(struct draft *d, uint32_t number, const uint32_t *mask) {
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
        add_edge(d, number, NDP_EDGE_MASK, NULL, *mask);
    } else if (d->nodes[number].array.base.dtype == &record || !ndp_choose_rarely(d->choices, 3)) {
        add_edge(d, number, NDP_EDGE_MASK, NULL, add_mask(d, number));
    }
}

/* What is masked may also be a date, a difference of times or a record. */
static uint32_t add_masked(struct draft *d) {
    const uint32_t number = add_array(d, NDP_CLASS_MASKED);
    struct ndp_base *base = &d->nodes[number].array.base;
    switch (ndp_choose_weighted(d->choices, (const uint8_t[]){6, 2, 2}, 3)) {
    case 1:
        base->dtype = &times[ndp_choose(d->choices, NDP_ARRAY_LEN(times))];
        break;
    case 2:
        base->dtype = &record;
        break;
    default:
        break;
    }
    draw_masked(d, number, NULL);
    return number;
}

/* Another masked array with the mask of the first, when it has one. */
static uint32_t add_partner(struct draft *d, uint32_t masked) {
    const struct ndp_edge *mask = ndp_node_edge(&d->nodes[masked], NDP_EDGE_MASK, 0);
    uint32_t number = add_array(d, NDP_CLASS_MASKED);
    const struct ndp_base *like = &d->nodes[masked].array.base;
    d->nodes[number].array.base.ndim = like->ndim;
    d->nodes[number].array.base.shape = like->shape;
    if (like->dtype == &record) d->nodes[number].array.base.dtype = &record;
    draw_masked(d, number, mask != NULL ? &mask->to : NULL);
    return number;
}

/* A scalar, an array, a view of the object itself, or the object itself. */
static uint32_t draw_attribute(struct draft *d, uint32_t number, bool can_be_itself) {
    switch (ndp_choose(d->choices, 6)) {
    case 3:
        return add_array(d, NDP_CLASS_NDARRAY);
    case 4:
        return add_view(d, number);
    case 5:
        return can_be_itself ? number : add_scalar(d);
    default:
        return add_scalar(d);
    }
}

static void draw_wrapped(struct draft *d, uint32_t number) {
    uint32_t to = ndp_choose_rarely(d->choices, 3) ? add_view(d, number) : add_array(d, NDP_CLASS_NDARRAY);
    add_edge(d, number, NDP_EDGE_ATTRIBUTE, "wrapped", to);
}

static void draw_unit(struct draft *d, uint32_t number) {
    static const char *const units[] = {"m", "km", "kg m / s2", ""};
    uint32_t unit = add_text(d, units[ndp_choose(d->choices, NDP_ARRAY_LEN(units))]);
    d->nodes[number].array.base.dtype = &leaves[2];
    add_edge(d, number, NDP_EDGE_ATTRIBUTE, "unit", unit);
}

/* What cudf.pandas stands for: the values of a column. */
static void draw_column(struct draft *d, uint32_t number) {
    static const int64_t shape[] = {3};
    struct ndp_base *base = &d->nodes[number].array.base;
    base->dtype = &leaves[2];
    base->ndim = 1;
    base->shape = shape;
}

static void draw_map(struct draft *d, uint32_t number) {
    struct ndp_base *base = &d->nodes[number].array.base;
    base->has_map = true;
    base->map_mode = (enum ndp_map_mode)ndp_choose(d->choices, NDP_MAP_COPY + 1);
    base->map_offset_bytes = ndp_choose_rarely(d->choices, 3) ? 8 : 0;
}

/* A class with what it adds: a mask, a unit, the array that it stands for, attributes. */
static uint32_t draw_class(struct draft *d) {
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
    uint32_t number = add_array(d, class);
    if (class == NDP_CLASS_RECARRAY) d->nodes[number].array.base.dtype = &record;
    if (class == NDP_CLASS_MEMMAP) draw_map(d, number);
    if (class == NDP_CLASS_CUDF) draw_column(d, number);
    if (class == NDP_CLASS_QUANTITY) draw_unit(d, number);
    if (class == NDP_CLASS_PROXY) draw_wrapped(d, number);
    if (!ndp_class_takes_attributes(class) || class == NDP_CLASS_PROXY) return number;
    bool is_rebuilt = class == NDP_CLASS_REDUCE_ONLY || class == NDP_CLASS_REDUCE_EX;
    uint32_t count = 1 + (uint32_t)ndp_choose(d->choices, NDP_ARRAY_LEN(names));
    for (uint32_t i = 0; i < count; i++) {
        add_edge(d, number, NDP_EDGE_ATTRIBUTE, names[i], draw_attribute(d, number, !is_rebuilt));
    }
    return number;
}

static uint32_t add_objects(struct draft *d, const uint32_t *items, uint32_t count, bool holds_itself) {
    uint32_t number = add_node(d, NDP_NODE_OBJECTS);
    int64_t *shape = NDP_ARENA_ITEMS(d->arena, int64_t, 1);
    if (shape == NULL) {
        d->is_out_of_memory = true;
        return number;
    }
    shape[0] = (int64_t)count + (holds_itself ? 1 : 0);
    d->nodes[number].ndim = 1;
    d->nodes[number].shape = shape;
    for (uint32_t i = 0; i < count; i++) add_edge(d, number, NDP_EDGE_ITEM, NULL, items[i]);
    if (holds_itself) add_edge(d, number, NDP_EDGE_ITEM, NULL, number);
    return number;
}

static bool is_masked(const struct draft *d, uint32_t number) {
    return ndp_bytes_is_equal(d->nodes[number].array.class_name, ndp_bytes_view(ndp_class_word(NDP_CLASS_MASKED)));
}

/* What an array travels with: itself again, a view of it, one that shares its mask, others. */
static uint32_t draw_item(struct draft *d, uint32_t array) {
    switch (ndp_choose(d->choices, 4)) {
    case 0:
        return array;
    case 1:
        return is_masked(d, array) ? add_partner(d, array) : add_view(d, array);
    case 2:
        return draw_class(d);
    default:
        return add_scalar(d);
    }
}

/* An array in memory, one that is masked, or one in a file. */
static uint32_t draw_companion(struct draft *d) {
    uint32_t number;
    switch (ndp_choose_weighted(d->choices, (const uint8_t[]){6, 4, 2}, 3)) {
    case 1:
        return add_masked(d);
    case 2:
        number = add_array(d, NDP_CLASS_MEMMAP);
        draw_map(d, number);
        return number;
    default:
        return add_array(d, NDP_CLASS_NDARRAY);
    }
}

/* The same array twice, an array and views of it, in a container that may hold itself. */
static uint32_t draw_company(struct draft *d) {
    uint32_t items[3];
    uint32_t array = draw_companion(d);
    uint32_t count = 1 + (uint32_t)ndp_choose(d->choices, 3);
    items[0] = array;
    for (uint32_t i = 1; i < count; i++) {
        items[i] = draw_item(d, array);
    }
    uint64_t holder = ndp_choose(d->choices, 4);
    if (holder == 3) return add_objects(d, items, count, ndp_choose_rarely(d->choices, 4));
    if (holder == 2) {
        static const char *const keys[] = {"a", "b", "c"};
        uint32_t dict = add_node(d, NDP_NODE_DICT);
        for (uint32_t i = 0; i < count; i++) {
            add_edge(d, dict, NDP_EDGE_KEY, NULL, add_text(d, keys[i]));
            add_edge(d, dict, NDP_EDGE_VALUE, NULL, items[i]);
        }
        return dict;
    }
    uint32_t list = add_node(d, holder == 1 ? NDP_NODE_TUPLE : NDP_NODE_LIST);
    for (uint32_t i = 0; i < count; i++) add_edge(d, list, NDP_EDGE_ITEM, NULL, items[i]);
    if (holder == 0 && ndp_choose_rarely(d->choices, 5)) add_edge(d, list, NDP_EDGE_ITEM, NULL, list);
    return list;
}

/* The first node of the kind, or as many as there are. */
static uint32_t find_node(const struct draft *d, enum ndp_node_kind kind) {
    uint32_t i = 0;
    while (i < d->count && d->nodes[i].kind != kind) i++;
    return i;
}

static uint32_t add_function(struct draft *d, uint32_t index) {
    static const char *const names[MAX_FUNCTIONS] = {"f", "<lambda>", "f", "<lambda>", "k"};
    uint32_t number = add_node(d, NDP_NODE_FUNCTION);
    d->nodes[number].code = NDP_CODE_IDENTITY;
    d->nodes[number].name = ndp_bytes_view(names[index]);
    return number;
}

static void fill_cell(struct draft *d, uint32_t cell) {
    if (ndp_choose_rarely(d->choices, 6)) return; /* stays empty */
    uint32_t to;
    switch (ndp_choose_weighted(d->choices, (const uint8_t[]){4, 3, 2}, 3)) {
    case 1:
        to = add_array(d, NDP_CLASS_NDARRAY);
        break;
    case 2:
        to = add_scalar(d);
        break;
    default:
        to = add_int(d);
    }
    add_edge(d, cell, NDP_EDGE_CONTENT, NULL, to);
}

static void draw_defaults(struct draft *d, uint32_t function) {
    if (ndp_choose_rarely(d->choices, 3)) add_edge(d, function, NDP_EDGE_DEFAULT, NULL, add_int(d));
    if (ndp_choose_rarely(d->choices, 3)) add_edge(d, function, NDP_EDGE_KWDEFAULT, "k", add_int(d));
    if (ndp_choose_rarely(d->choices, 4)) add_edge(d, function, NDP_EDGE_ATTRIBUTE, "note", add_scalar(d));
    if (ndp_choose_rarely(d->choices, 8)) add_edge(d, function, NDP_EDGE_ATTRIBUTE, "own", function);
}

/* A type by its name, a scalar, something that is shared, or the function itself. */
static uint32_t draw_annotation(struct draft *d, uint32_t function) {
    switch (ndp_choose(d->choices, 4)) {
    case 1:
        return add_scalar(d);
    case 2:
        return add_array(d, NDP_CLASS_NDARRAY);
    case 3:
        return function;
    default:
        return add_text(d, "int");
    }
}

/* What a function says of itself: words; that it belongs to somebody, or, as a decorator leaves it, to nobody; that it
 * is of the main module, of one that there is, or of one that there is not; annotations. */
static void draw_description(struct draft *d, uint32_t function) {
    static const char *const docs[] = {"Says what it does.", "", "one\n    two \xe2\x82\xac"};
    static const char *const qualnames[] = {"Outer.inner", "", "make.<locals>.other", "Outer.\xc3\xa9"};
    static const char *const modules[] = {"ndproof_other", "__main__", "numpy"};
    static const char *const names[] = {"x", "return"};
    if (ndp_choose_rarely(d->choices, 8)) {
        const char *doc = docs[ndp_choose(d->choices, NDP_ARRAY_LEN(docs))];
        add_edge(d, function, NDP_EDGE_ATTRIBUTE, "__doc__", add_text(d, doc));
    }
    if (ndp_choose_rarely(d->choices, 8)) {
        const uint32_t qualname = add_text(d, qualnames[ndp_choose(d->choices, NDP_ARRAY_LEN(qualnames))]);
        if (d->nodes[qualname].text.size_bytes == 0) d->nodes[qualname].text = d->nodes[function].name;
        add_edge(d, function, NDP_EDGE_ATTRIBUTE, "__qualname__", qualname);
    }
    if (ndp_choose_rarely(d->choices, 8)) {
        const char *module = modules[ndp_choose(d->choices, NDP_ARRAY_LEN(modules))];
        add_edge(d, function, NDP_EDGE_ATTRIBUTE, "__module__", add_text(d, module));
    }
    if (!ndp_choose_rarely(d->choices, 8)) return;
    const uint32_t annotations = add_node(d, NDP_NODE_DICT);
    const uint64_t count = 1 + ndp_choose(d->choices, NDP_ARRAY_LEN(names));
    for (uint64_t i = 0; i < count; i++) {
        add_edge(d, annotations, NDP_EDGE_KEY, NULL, add_text(d, names[i]));
        add_edge(d, annotations, NDP_EDGE_VALUE, NULL, draw_annotation(d, function));
    }
    add_edge(d, function, NDP_EDGE_ATTRIBUTE, "__annotations__", annotations);
}

/* A function of a module: under its own name, decorated, or what the decorator wraps. */
static void draw_importable(struct draft *d, uint32_t function) {
    static const struct {
        enum ndp_code code;
        const char *name;
    } there[] = {{NDP_CODE_IDENTITY, "identity"},
                 {NDP_CODE_ADD, "add"},
                 {NDP_CODE_CONST, "const"},
                 {NDP_CODE_CALL, "decorated"},
                 {NDP_CODE_IDENTITY, "decorated"}};
    uint64_t drawn = ndp_choose(d->choices, NDP_ARRAY_LEN(there));
    for (uint32_t i = 0; i < d->count; i++) {
        const struct ndp_node *node = &d->nodes[i];
        bool is_alike = node->is_importable && node->code == there[drawn].code;
        if (is_alike && ndp_bytes_is_equal(node->name, ndp_bytes_view(there[drawn].name))) return; /* it is taken */
    }
    d->nodes[function].code = there[drawn].code;
    d->nodes[function].name = ndp_bytes_view(there[drawn].name);
    d->nodes[function].is_importable = true;
}

/* The inner function of a decorator, under the name of what it wraps, which it also has as an attribute. */
static void draw_decorator(struct draft *d, uint32_t function) {
    uint32_t cell = add_node(d, NDP_NODE_CELL);
    uint32_t wrapped = add_node(d, NDP_NODE_FUNCTION);
    d->nodes[wrapped].code = NDP_CODE_ADD;
    d->nodes[wrapped].name = d->nodes[function].name;
    add_edge(d, wrapped, NDP_EDGE_DEFAULT, NULL, add_int(d));
    add_edge(d, cell, NDP_EDGE_CONTENT, NULL, wrapped);
    add_edge(d, function, NDP_EDGE_CELL, NULL, cell);
    add_edge(d, function, NDP_EDGE_ATTRIBUTE, "__wrapped__", wrapped);
}

/* What a global name stands for: a number, or what the code that reads it cannot add to one. */
static uint32_t draw_global(struct draft *d, const uint32_t *functions, uint32_t count) {
    switch (ndp_choose_weighted(d->choices, (const uint8_t[]){6, 2, 2, 2}, 4)) {
    case 1:
        return add_array(d, NDP_CLASS_NDARRAY);
    case 2:
        return add_scalar(d);
    case 3:
        return functions[ndp_choose(d->choices, count)];
    default:
        return add_int(d);
    }
}

/* What the function does, with the cells that it needs: those that are there already, or new ones. */
static void draw_code(struct draft *d, uint32_t function, const uint32_t *functions, uint32_t count, uint32_t *cells,
                      uint32_t *cell_count) {
    static const enum ndp_code codes[] = {NDP_CODE_IDENTITY, NDP_CODE_ADD,     NDP_CODE_CONST, NDP_CODE_RECURSE,
                                          NDP_CODE_MUTUAL,   NDP_CODE_COUNTER, NDP_CODE_LATE,  NDP_CODE_NESTED,
                                          NDP_CODE_CALL,     NDP_CODE_DEEP};
    enum ndp_code code = codes[ndp_choose(d->choices, NDP_ARRAY_LEN(codes))];
    d->nodes[function].code = code;
    if (ndp_code_reads_globals(code)) {
        uint32_t globals = find_node(d, NDP_NODE_GLOBALS);
        if (globals < d->count && ndp_choose_rarely(d->choices, 2)) {
            add_edge(d, function, NDP_EDGE_GLOBALS, NULL, globals);
            return;
        }
        globals = add_node(d, NDP_NODE_GLOBALS);
        if (!ndp_choose_rarely(d->choices, 5))
            add_edge(d, globals, NDP_EDGE_ENTRY, "late", draw_global(d, functions, count));
        if (ndp_choose_rarely(d->choices, 3)) add_edge(d, globals, NDP_EDGE_ENTRY, "unused", add_int(d));
        add_edge(d, function, NDP_EDGE_GLOBALS, NULL, globals);
        return;
    }
    if (code == NDP_CODE_CALL) {
        draw_decorator(d, function);
        return;
    }
    if ((code == NDP_CODE_IDENTITY || code == NDP_CODE_ADD) && ndp_choose_rarely(d->choices, 3)) {
        draw_importable(d, function);
        return;
    }
    if (code == NDP_CODE_IDENTITY) return;
    if (code == NDP_CODE_RECURSE || code == NDP_CODE_MUTUAL) {
        uint32_t cell = add_node(d, NDP_NODE_CELL);
        uint32_t other = functions[ndp_choose(d->choices, count)];
        add_edge(d, cell, NDP_EDGE_CONTENT, NULL, code == NDP_CODE_RECURSE ? function : other);
        add_edge(d, function, NDP_EDGE_CELL, NULL, cell);
        return;
    }
    uint32_t wanted = (uint32_t)ndp_choose(d->choices, 3) + (code == NDP_CODE_COUNTER ? 1 : 0);
    for (uint32_t i = 0; i < wanted; i++) {
        bool is_shared = *cell_count > 0 && (ndp_choose_rarely(d->choices, 2) || *cell_count == MAX_CELLS);
        uint32_t cell = is_shared ? cells[ndp_choose(d->choices, *cell_count)] : add_node(d, NDP_NODE_CELL);
        add_edge(d, function, NDP_EDGE_CELL, NULL, cell);
        if (is_shared) continue;
        cells[(*cell_count)++] = cell;
        if (code == NDP_CODE_COUNTER && i == 0) {
            add_edge(d, cell, NDP_EDGE_CONTENT, NULL, add_int(d));
        } else {
            fill_cell(d, cell);
        }
    }
}

static uint32_t draw_vectorize(struct draft *d, uint32_t function) {
    uint32_t number = add_node(d, NDP_NODE_VECTORIZE);
    struct ndp_node *node = &d->nodes[number];
    add_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
    node = &d->nodes[number];
    if (ndp_choose(d->choices, 3) != 1) {
        node->has_otypes = true;
        node->otypes = ndp_bytes_view("d");
    }
    if (ndp_choose_rarely(d->choices, 5)) {
        node->has_signature = true;
        node->signature = ndp_bytes_view("()->()");
    } else if (ndp_choose_rarely(d->choices, 6)) {
        node->excluded_count = 1;
    }
    node->calls = ndp_choose_rarely(d->choices, 4) ? 1 : 0;
    return number;
}

/* What calls a function, or the function itself. */
static uint32_t draw_caller(struct draft *d, uint32_t function) {
    uint32_t number;
    switch (ndp_choose_weighted(d->choices, (const uint8_t[]){6, 6, 2, 2, 1}, 5)) {
    case 1:
        return draw_vectorize(d, function);
    case 2:
        number = add_node(d, NDP_NODE_FROMPYFUNC);
        add_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
        return number;
    case 3:
        number = add_node(d, NDP_NODE_PARTIAL);
        add_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
        if (ndp_choose_rarely(d->choices, 2)) {
            add_edge(d, number, NDP_EDGE_KEYWORD, "k", add_int(d));
        } else {
            add_edge(d, number, NDP_EDGE_ARGUMENT, NULL, add_int(d));
        }
        return number;
    case 4:
        number = add_node(d, NDP_NODE_METHOD);
        add_edge(d, number, NDP_EDGE_FUNCTION, NULL, function);
        add_edge(d, number, NDP_EDGE_SELF, NULL, add_int(d));
        return number;
    default:
        return function;
    }
}

static uint32_t draw_functions(struct draft *d) {
    uint32_t functions[MAX_FUNCTIONS];
    uint32_t cells[MAX_CELLS + 4];
    uint32_t cell_count = 0;
    uint32_t count = 1 + ndp_choose_weighted(d->choices, (const uint8_t[]){8, 4, 2, 1, 1}, MAX_FUNCTIONS);
    for (uint32_t i = 0; i < count; i++) functions[i] = add_function(d, i);
    for (uint32_t i = 0; i < count && cell_count < MAX_CELLS; i++) {
        draw_code(d, functions[i], functions, count, cells, &cell_count);
        /* A module's own function has nothing of its own beside it. */
        if (d->nodes[functions[i]].is_importable) continue;
        draw_defaults(d, functions[i]);
        draw_description(d, functions[i]);
    }
    if (count == 1) return draw_caller(d, functions[0]);
    uint32_t list = add_node(d, NDP_NODE_LIST);
    for (uint32_t i = 0; i < count; i++) add_edge(d, list, NDP_EDGE_ITEM, NULL, draw_caller(d, functions[i]));
    return list;
}

static uint32_t draw_root(struct draft *d) {
    switch (ndp_choose_weighted(d->choices, (const uint8_t[]){1, 8, 6, 9}, 4)) {
    case 1:
        return draw_class(d);
    case 2:
        return draw_company(d);
    case 3:
        return draw_functions(d);
    default:
        return add_node(d, NDP_NODE_LIST);
    }
}

static enum ndp_status generate(struct ndp_arena *arena, struct ndp_choices *choices, bool in_objects,
                                struct ndp_value *out) {
    struct draft d = {.arena = arena, .choices = choices};
    struct ndp_graph *graph = NDP_ARENA_NEW(arena, struct ndp_graph);
    d.nodes = NDP_ARENA_ITEMS(arena, struct ndp_node, MAX_DRAWN_NODES);
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
    return generate(arena, choices, false, out);
}

enum ndp_status ndp_generate_objects(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    return generate(arena, choices, true, out);
}
