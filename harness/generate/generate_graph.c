/* generate_graph.c: generates small graphs by a plan: the root and its items, among them the main array and the main
 * function. Zeros give an empty list. Each graph can be built; properties check the result of a route. */
#include <string.h>

#include "generate/generate_parts.h"
#include "generate/graph_plan_values.h"

enum { MAX_ITEMS = 24 };

/* The items of the innermost container, in order. */
struct items {
    uint32_t numbers[MAX_ITEMS];
    uint32_t count;
};

static void add_item(struct items *items, uint32_t number) {
    if (number != NDP_GRAPH_UNSET && items->count < MAX_ITEMS) items->numbers[items->count++] = number;
}

static void set_shape(struct ndp_graph_draft *d, uint32_t objects, int64_t rows, int64_t columns) {
    const int64_t shape[] = {rows, columns};
    struct ndp_node *node = &d->nodes[objects];
    node->ndim = rows == 0 ? 1 : 2;
    node->shape = ndp_arena_copy(d->arena, rows == 0 ? &shape[1] : shape, node->ndim * sizeof *shape);
    if (node->shape == NULL) d->is_out_of_memory = true;
}

/* Adds a text of so many bytes: letters, with a NUL or a character of two bytes inside some. */
static uint32_t add_sized_text(struct ndp_graph_draft *d, uint64_t size_bytes) {
    const uint32_t number = ndp_graph_draft_node(d, NDP_NODE_TEXT);
    uint8_t *text = ndp_arena_alloc(d->arena, size_bytes);
    if (text == NULL) {
        d->is_out_of_memory = true;
        return number;
    }
    for (uint64_t i = 0; i < size_bytes; i++) text[i] = (uint8_t)('a' + (i + number) % 26);
    const uint64_t special = ndp_choose(d->choices, 3);
    if (size_bytes > 0 && special == 1) text[size_bytes / 2] = '\0';
    if (size_bytes > 1 && special == 2) memcpy(&text[size_bytes / 2 - 1], "\xc3\xa9", 2);
    d->nodes[number].text = (struct ndp_bytes){text, size_bytes};
    return number;
}

/* An array of strings: sizes at which NumPy stores a string in another way. Source: NEP 55, Memory layout and managing
 * heap allocations: up to 15 bytes in the item; above, in an arena with a size of one byte, or of eight from 256 on. */
static uint32_t add_strings(struct ndp_graph_draft *d) {
    static const uint64_t sizes[] = {3, 15, 16, 40, 255, 256, 300, 0, 1};
    const uint32_t strings = ndp_graph_draft_node(d, NDP_NODE_OBJECTS);
    const uint32_t count = 1 + (uint32_t)ndp_choose(d->choices, 6);
    const uint64_t missing = ndp_choose(d->choices, 5);
    const enum ndp_node_kind kinds[] = {NDP_NODE_NONE, NDP_NODE_FLOAT, NDP_NODE_TEXT};
    uint32_t none = NDP_GRAPH_UNSET;
    if (missing >= 2) none = ndp_graph_draft_node(d, kinds[missing - 2]);
    if (missing == 3) d->nodes[none].text = (struct ndp_bytes){(const uint8_t *)"\x7f\xf8\0\0\0\0\0\0", 8};
    if (missing == 4) d->nodes[none].text = (struct ndp_bytes){(const uint8_t *)"missing", 7}; /* not a size below */
    d->nodes[strings].is_string = true;
    d->nodes[strings].is_strict = ndp_choose_rarely(d->choices, 3);
    set_shape(d, strings, count % 2 == 0 ? 2 : 0, count % 2 == 0 ? count / 2 : count);
    d->nodes[strings].is_fortran = count % 2 == 0 && ndp_choose_rarely(d->choices, 2);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_missing = missing >= 2 && ndp_choose_rarely(d->choices, 4);
        ndp_graph_draft_edge(d, strings, NDP_EDGE_ITEM, NULL,
                             is_missing ? none
                                        : add_sized_text(d, sizes[ndp_choose(d->choices, NDP_ARRAY_LEN(sizes))]));
    }
    if (none != NDP_GRAPH_UNSET) ndp_graph_draft_edge(d, strings, NDP_EDGE_NA, NULL, none);
    return strings;
}

static uint32_t draw_scalar(struct ndp_graph_draft *d, uint8_t scalar) {
    static const char *const numbers[] = {"0", "1", "7", "-1", "255", "256", "-129", "65536"};
    static const char *const long_numbers[] =
        NDP_ROWS("-2147483649", "4294967296", "549755813888", "9223372036854775808", "1000000000000000000000000000");
    static const char *const texts[] = {"metre", "", "\\u0041", "one\n'two'\t\"\\"};
    static const char *const unicode[] = {"\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e", "\xc3\xa9"};
    uint32_t number;
    switch ((enum ndp_plan_scalar)scalar) {
    case NDP_SCALAR_INT:
    case NDP_SCALAR_LONG:
        number = ndp_graph_draft_node(d, NDP_NODE_INT);
        d->nodes[number].text = ndp_bytes_view(scalar == NDP_SCALAR_INT
                                                   ? numbers[ndp_choose(d->choices, NDP_ARRAY_LEN(numbers))]
                                                   : long_numbers[ndp_choose(d->choices, NDP_ARRAY_LEN(long_numbers))]);
        return number;
    case NDP_SCALAR_FLOAT:
        return ndp_graph_draft_float(d);
    case NDP_SCALAR_TEXT:
        return ndp_graph_draft_text(d, texts[ndp_choose(d->choices, NDP_ARRAY_LEN(texts))]);
    case NDP_SCALAR_UNICODE:
        return ndp_graph_draft_text(d, unicode[ndp_choose(d->choices, NDP_ARRAY_LEN(unicode))]);
    case NDP_SCALAR_BYTES:
        return ndp_graph_draft_bytes(d);
    case NDP_SCALAR_BOOL:
        number = ndp_graph_draft_node(d, NDP_NODE_BOOL);
        d->nodes[number].truth = !ndp_choose_rarely(d->choices, 3);
        return number;
    case NDP_SCALAR_CONSTANT:
        return ndp_graph_draft_node(d, NDP_NODE_NONE);
    case NDP_SCALAR_LIST:
        return ndp_graph_draft_node(d, NDP_NODE_LIST);
    case NDP_SCALAR_TUPLE:
        return ndp_graph_draft_node(d, NDP_NODE_TUPLE);
    case NDP_SCALAR_DICT:
        return ndp_graph_draft_node(d, NDP_NODE_DICT);
    case NDP_SCALAR_STRINGS:
        return add_strings(d);
    case NDP_SCALAR_NONE:
    case NDP_SCALAR_COUNT:
        break;
    }
    return NDP_GRAPH_UNSET;
}

/* Fills up to `count` items with numbers. A list of one number precedes them when they would be the only items, since
 * the first item is the scalar of the plan. */
static void pad(struct ndp_graph_draft *d, struct items *items, uint32_t count) {
    if (items->count == 0 && count > 0) {
        const uint32_t list = ndp_graph_draft_node(d, NDP_NODE_LIST);
        ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, ndp_graph_draft_int(d));
        add_item(items, list);
    }
    while (items->count < count) add_item(items, ndp_graph_draft_scalar(d));
}

static void fill(struct ndp_graph_draft *d, uint32_t container, const struct items *items) {
    static const char *const keys[MAX_ITEMS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
                                                "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"};
    const bool is_dict = d->nodes[container].kind == NDP_NODE_DICT;
    for (uint32_t i = 0; i < items->count; i++) {
        if (is_dict) ndp_graph_draft_edge(d, container, NDP_EDGE_KEY, NULL, ndp_graph_draft_text(d, keys[i]));
        ndp_graph_draft_edge(d, container, is_dict ? NDP_EDGE_VALUE : NDP_EDGE_ITEM, NULL, items->numbers[i]);
    }
}

/* The kind of the innermost container. */
static enum ndp_node_kind draw_kind(struct ndp_graph_draft *d, uint8_t root) {
    static const enum ndp_node_kind nested[] = {NDP_NODE_DICT, NDP_NODE_TUPLE};
    static const enum ndp_node_kind wide[] = {NDP_NODE_LIST, NDP_NODE_TUPLE, NDP_NODE_DICT};
    if (root == NDP_ROOT_TUPLE) return NDP_NODE_TUPLE;
    if (root == NDP_ROOT_DICT) return NDP_NODE_DICT;
    if (root == NDP_ROOT_NESTED) return nested[ndp_choose(d->choices, NDP_ARRAY_LEN(nested))];
    if (root == NDP_ROOT_WIDE) return wide[ndp_choose(d->choices, NDP_ARRAY_LEN(wide))];
    return root == NDP_ROOT_OBJECTS || root == NDP_ROOT_OBJECTS_F ? NDP_NODE_OBJECTS : NDP_NODE_LIST;
}

/* A container refers to the root: the root itself, or in a tuple a list. */
static void add_cycle(struct ndp_graph_draft *d, struct items *items, uint32_t root) {
    if (d->nodes[root].kind != NDP_NODE_TUPLE) {
        add_item(items, root);
        return;
    }
    const uint32_t list = ndp_graph_draft_node(d, NDP_NODE_LIST);
    ndp_graph_draft_edge(d, list, NDP_EDGE_ITEM, NULL, root);
    add_item(items, list);
}

/* Adds the containers around the items, and the items that make them wide, even or cyclic. Returns the root. */
static uint32_t add_container(struct ndp_plan_draft *plan, struct items *items) {
    struct ndp_graph_draft *d = plan->d;
    const uint8_t root = plan->row[NDP_PLAN_ROOT];
    const uint32_t inner = ndp_graph_draft_node(d, draw_kind(d, root));
    uint32_t outer = inner;
    if (root == NDP_ROOT_NESTED) {
        outer = ndp_graph_draft_node(d, NDP_NODE_LIST);
        ndp_graph_draft_edge(d, outer, NDP_EDGE_ITEM, NULL, inner);
    }
    if (plan->row[NDP_PLAN_SHARING] == NDP_SHARING_CYCLE) add_cycle(d, items, outer);
    if (root == NDP_ROOT_NESTED) pad(d, items, 1);
    if (root == NDP_ROOT_WIDE) pad(d, items, NDP_PLAN_WIDE + (uint32_t)ndp_choose(d->choices, 5));
    if (root == NDP_ROOT_OBJECTS) pad(d, items, 2);
    if (root == NDP_ROOT_OBJECTS_F) pad(d, items, items->count < 4 ? 4 : items->count + items->count % 2);
    if (root == NDP_ROOT_OBJECTS) set_shape(d, inner, 0, items->count);
    if (root == NDP_ROOT_OBJECTS_F) set_shape(d, inner, 2, items->count / 2);
    if (root == NDP_ROOT_OBJECTS_F) d->nodes[inner].is_fortran = true;
    fill(d, inner, items);
    return outer;
}

static uint32_t add_root(struct ndp_plan_draft *plan) {
    const uint8_t *row = plan->row;
    uint32_t caller = NDP_GRAPH_UNSET;
    struct items items = {.count = 0};
    if (row[NDP_PLAN_ROOT] == NDP_ROOT_STRINGS) return add_strings(plan->d);
    ndp_plan_add_arrays(plan);
    if (plan->d->is_out_of_memory) return 0;
    if (row[NDP_PLAN_ROOT] == NDP_ROOT_ARRAY) return plan->main;
    plan->peer = NDP_GRAPH_UNSET;
    if (row[NDP_PLAN_FUNCTION] != NDP_PLAN_FUNCTION_NONE) caller = ndp_plan_add_function(plan);
    if (row[NDP_PLAN_ROOT] == NDP_ROOT_FUNCTION) return caller;
    add_item(&items, draw_scalar(plan->d, row[NDP_PLAN_SCALAR]));
    if (row[NDP_PLAN_POSITION] == NDP_POSITION_ITEM) add_item(&items, plan->main);
    add_item(&items, caller);
    add_item(&items, plan->second);
    add_item(&items, plan->peer);
    return add_container(plan, &items);
}

static bool is_any(const struct ndp_covering_row *row) {
    return row->values[NDP_PLAN_ELEMENT] == NDP_COVERING_FREE && row->values[NDP_PLAN_LAYOUT] == NDP_COVERING_FREE &&
           row->values[NDP_PLAN_SIZE] == NDP_COVERING_FREE && row->values[NDP_PLAN_MEMORY] == NDP_COVERING_FREE;
}

enum ndp_status ndp_generate_graph_by_plan(struct ndp_arena *arena, struct ndp_choices *choices,
                                           const struct ndp_covering_row *row, bool for_objects_only,
                                           struct ndp_value *out) {
    struct ndp_graph_draft d;
    struct ndp_covering_row whole = *row;
    NDP_TRY(ndp_graph_draft_start(&d, arena, choices));
    if (!ndp_plan_complete(choices, &whole)) return NDP_INVALID;
    struct ndp_plan_draft plan = {.d = &d, .row = whole.values};
    plan.is_any = is_any(row) && whole.values[NDP_PLAN_CLASS] == NDP_PLANNED_NDARRAY;
    uint32_t root = add_root(&plan);
    if (for_objects_only && !d.is_out_of_memory && d.nodes[root].kind != NDP_NODE_OBJECTS)
        root = ndp_graph_draft_wrap(&d, root);
    return ndp_graph_draft_finish(&d, root, out);
}

static enum ndp_status generate_any(struct ndp_arena *arena, struct ndp_choices *choices, bool for_objects_only,
                                    struct ndp_value *out) {
    struct ndp_covering_row row;
    memset(row.values, NDP_COVERING_FREE, sizeof row.values);
    return ndp_generate_graph_by_plan(arena, choices, &row, for_objects_only, out);
}

enum ndp_status ndp_generate_graph(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    return generate_any(arena, choices, false, out);
}

enum ndp_status ndp_generate_objects(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_value *out) {
    return generate_any(arena, choices, true, out);
}
