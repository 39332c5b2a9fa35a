/* graph_fixture.h: hand-made trips of a graph; each test changes one thing.
 *
 * The graph is a list of an array, an array of a class with the attribute `extra`, a function with a cell, and that
 * function again. The attribute and the cell are the number 7.
 */
#ifndef NDP_GRAPH_FIXTURE_H
#define NDP_GRAPH_FIXTURE_H

#include "base/byteorder.h"
#include "model/graph/graph_features.h"
#include "property/graph_judgement.h"
#include "property/property_fixture.h"

enum { LIST, PLAIN_ARRAY, CLASS_ARRAY, UNIT, FUNCTION, CELL, NODES };

static const struct ndp_edge trip_items[] = {{.role = NDP_EDGE_ITEM, .to = PLAIN_ARRAY},
                                             {.role = NDP_EDGE_ITEM, .to = CLASS_ARRAY},
                                             {.role = NDP_EDGE_ITEM, .to = FUNCTION},
                                             {.role = NDP_EDGE_ITEM, .to = FUNCTION}};
static const struct ndp_edge trip_cell = {.role = NDP_EDGE_CELL, .to = CELL};
static const struct ndp_edge trip_content = {.role = NDP_EDGE_CONTENT, .to = UNIT};

struct trip {
    struct fixture fixture;
    struct ndp_graph recipe, expected, got;
    struct ndp_node nodes[NODES];
    struct ndp_node *arrived; /* those of `got` */
    struct ndp_edge attribute;
};

static inline void trip_make_recipe(struct trip *t, const char *class) {
    const struct ndp_array_value *value = &t->fixture.value;
    t->attribute = (struct ndp_edge){.role = NDP_EDGE_ATTRIBUTE, .name = ndp_bytes_view("extra"), .to = UNIT};
    t->nodes[LIST] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = trip_items, .edge_count = 4};
    t->nodes[PLAIN_ARRAY] = (struct ndp_node){.kind = NDP_NODE_ARRAY, .array = *value};
    t->nodes[CLASS_ARRAY] = (struct ndp_node){.kind = NDP_NODE_ARRAY, .array = *value, .edges = &t->attribute};
    t->nodes[CLASS_ARRAY].edge_count = 1;
    t->nodes[CLASS_ARRAY].array.class_name = ndp_bytes_view(class);
    t->nodes[UNIT] = (struct ndp_node){.kind = NDP_NODE_INT, .text = ndp_bytes_view("7")};
    t->nodes[FUNCTION] = (struct ndp_node){.kind = NDP_NODE_FUNCTION, .code = NDP_CODE_CONST, .edges = &trip_cell};
    t->nodes[FUNCTION].edge_count = 1;
    t->nodes[FUNCTION].name = ndp_bytes_view("f");
    t->nodes[CELL] = (struct ndp_node){.kind = NDP_NODE_CELL, .edges = &trip_content, .edge_count = 1};
    t->recipe = (struct ndp_graph){LIST, NODES, t->nodes};
}

/* A copy of nodes, to be changed. */
static inline struct ndp_node *trip_copy(struct trip *t, const struct ndp_node *nodes) {
    struct ndp_node *copy = ndp_arena_copy(&t->fixture.arena, nodes, NODES * sizeof *copy);
    assert_non_null(copy);
    return copy;
}

/* Fills `slot` with a graph of these nodes. */
static inline void trip_fill(struct trip *t, enum ndp_slot slot, const struct ndp_node *nodes) {
    const struct ndp_graph graph = {LIST, NODES, nodes};
    const struct ndp_graph *copy = ndp_arena_copy(&t->fixture.arena, &graph, sizeof graph);
    assert_non_null(copy);
    t->fixture.outcome.slots[slot] = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .graph = copy};
}

/* A correct trip of that class by `format`, from dumps to a fresh process. */
static inline void trip_init(struct trip *t, const char *class, const char *format) {
    struct fixture *f = &t->fixture;
    memset(t, 0, sizeof *t);
    fixture_init(f, "<i4", format, "dumps", "fresh", 0);
    trip_make_recipe(t, class);
    assert_int_equal(ndp_graph_check(&f->arena, &t->recipe, NULL), NDP_OK);
    assert_int_equal(ndp_graph_expect(&f->arena, &t->recipe, ndp_byteorder_host_is_little(), &t->expected, NULL),
                     NDP_OK);
    struct ndp_node *source = trip_copy(t, t->expected.nodes);
    source[FUNCTION].result_count = 1;
    source[FUNCTION].results[0] = ndp_bytes_view("7");
    t->arrived = trip_copy(t, source);
    t->got = (struct ndp_graph){LIST, NODES, t->arrived};
    f->trial = (struct ndp_trial){.descriptor = &f->descriptor, .graph = &t->expected, .route = &f->route};
    f->trial.features = ndp_graph_features(&t->recipe);
    f->trial.encoder = f->trial.decoder = &f->target;
    f->trial.encoded = f->trial.decoded = &f->outcome;
    f->trial.arena = &f->arena;
    trip_fill(t, NDP_SLOT_SOURCE, source);
    f->outcome.slots[NDP_SLOT_RESULT] = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .graph = &t->got};
    f->outcome.slots[NDP_SLOT_ENCODED].state = f->outcome.slots[NDP_SLOT_CALLED].state = NDP_SLOT_FILLED;
    f->outcome.slots[NDP_SLOT_CALLED_ENCODED].state = NDP_SLOT_FILLED;
}

static inline void trip_clear(struct trip *t) {
    fixture_clear(&t->fixture);
}

/* Declares and initialises a trip that is cleared at the end of its block. */
#define TRIP(name, ...)                                                                                                \
    struct trip name __attribute__((cleanup(trip_clear)));                                                             \
    trip_init(&name, __VA_ARGS__)

/* Splits the function of the result in two. */
static inline void trip_split_function(struct trip *t) {
    struct ndp_node *more = ndp_arena_alloc(&t->fixture.arena, (NODES + 1) * sizeof *more);
    struct ndp_edge *items = ndp_arena_copy(&t->fixture.arena, trip_items, sizeof trip_items);
    assert_non_null(more);
    assert_non_null(items);
    memcpy(more, t->arrived, NODES * sizeof *more);
    more[NODES] = more[FUNCTION];
    items[3].to = NODES;
    more[LIST].edges = items;
    t->got = (struct ndp_graph){LIST, NODES + 1, more};
}

/* Redirects one item of the resulting list. */
static inline void trip_redirect(struct trip *t, uint32_t place, uint32_t to) {
    struct ndp_edge *items = ndp_arena_copy(&t->fixture.arena, trip_items, sizeof trip_items);
    assert_non_null(items);
    items[place].to = to;
    t->arrived[LIST].edges = items;
}

/* Changes the first byte of an array. */
static inline void trip_change_element(struct trip *t, struct ndp_node *node) {
    const struct ndp_bytes elements = node->observation.elements;
    uint8_t *copy = ndp_arena_copy(&t->fixture.arena, elements.data, elements.size_bytes);
    assert_non_null(copy);
    copy[0] ^= 0xff;
    node->observation.elements.data = copy;
}

/* Removes the result. */
static inline void trip_lose_result(struct trip *t) {
    memset(&t->fixture.outcome.slots[NDP_SLOT_RESULT], 0, sizeof t->fixture.outcome.slots[NDP_SLOT_RESULT]);
}

/* Expects a documented loss. */
static inline void expect_loss(struct fixture *f, const struct ndp_property *property, const char *field) {
    property->judge(&f->trial, &f->judgement);
    assert_int_equal(f->judgement.verdict, NDP_VERDICT_DIVERGES);
    assert_int_equal(f->judgement.severity, NDP_SEVERITY_DOCUMENTED_LOSS);
    assert_string_equal(f->judgement.field, field);
}

#endif
