/* graph_complete_test.c: what instances keep in an observation becomes part of the expected graph. Expected: graph.h,
 * ndp_graph_complete. */
#include "base/byteorder.h"
#include "base/suite.h"
#include "model/graph/graph.h"
#include "model/graph/graph_features.h"

enum { ARENA_BYTES = 1 << 20 };

static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};
static const int64_t shape[] = {2};

/* An instance in a list, made from an array that is also in the list; it keeps a text and an array. */
struct trip {
    struct ndp_arena arena;
    struct ndp_bytes names[2];
    struct ndp_edge items[2], argument, kept[2];
    struct ndp_node recipe[3], seen[5];
    struct ndp_graph expected, source, complete;
    struct ndp_graph_compare match;
};

static void trip_init(struct trip *t) {
    memset(t, 0, sizeof *t);
    ndp_arena_init(&t->arena, ARENA_BYTES);
    t->names[0] = ndp_bytes_view("unit");
    t->names[1] = ndp_bytes_view("value");
    t->items[0] = (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = 1};
    t->items[1] = (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = 2};
    t->argument = (struct ndp_edge){.role = NDP_EDGE_ARGUMENT, .to = 2};
    t->recipe[0] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = t->items, .edge_count = 2};
    t->recipe[1] = (struct ndp_node){.kind = NDP_NODE_INSTANCE, .edges = &t->argument, .edge_count = 1};
    t->recipe[1].import = ndp_bytes_view("units:Quantity");
    t->recipe[1].keep = t->names;
    t->recipe[1].keep_count = 2;
    t->recipe[2].kind = NDP_NODE_ARRAY;
    t->recipe[2].array.base = (struct ndp_base){.dtype = &byte, .ndim = 1, .shape = shape};
    t->recipe[2].array.class_name = ndp_bytes_view("ndarray");
    const struct ndp_graph recipe = {0, 3, t->recipe};
    assert_int_equal(ndp_graph_check(&t->arena, &recipe, NULL), NDP_OK);
    assert_int_equal(ndp_graph_expect(&t->arena, &recipe, ndp_byteorder_host_is_little(), &t->expected, NULL), NDP_OK);
    t->seen[0] = t->recipe[0];
    t->seen[1] = (struct ndp_node){.kind = NDP_NODE_INSTANCE, .edges = t->kept, .edge_count = 2};
    t->seen[1].import = ndp_bytes_view("units.core:Quantity");
    t->seen[1].has_contents = true;
    t->kept[0] = (struct ndp_edge){.role = NDP_EDGE_KEPT, .name = t->names[0], .to = 3};
    t->kept[1] = (struct ndp_edge){.role = NDP_EDGE_KEPT, .name = t->names[1], .to = 4};
    t->seen[2] = t->seen[4] = t->expected.nodes[2];
    t->seen[3] = (struct ndp_node){.kind = NDP_NODE_TEXT, .text = ndp_bytes_view("m")};
    t->source = (struct ndp_graph){0, 5, t->seen};
    assert_int_equal(ndp_graph_compare(&t->arena, &t->expected, &t->source, &t->match), NDP_OK);
    assert_int_equal(t->match.finding_count, 0);
    assert_int_equal(ndp_graph_complete(&t->arena, &t->expected, &t->source, t->match.pairs, t->match.pair_count,
                                        ndp_byteorder_host_is_little(), &t->complete),
                     NDP_OK);
}

#define TRIP(name)                                                                                                     \
    struct trip name;                                                                                                  \
    trip_init(&name)

static void compare(struct trip *t, uint32_t findings) {
    assert_int_equal(ndp_graph_compare(&t->arena, &t->complete, &t->source, &t->match), NDP_OK);
    assert_int_equal(t->match.finding_count, findings);
}

static void kept_things_are_expected(void **state) {
    TRIP(t);
    assert_int_equal(t.complete.count, 5);
    assert_true(ndp_bytes_is_word(t.complete.nodes[1].import, "units.core:Quantity"));
    compare(&t, 0);
    assert_int_equal(t.match.pair_count, 5);
    ndp_arena_clear(&t.arena);
}

static void a_lost_one_is_missing(void **state) {
    TRIP(t);
    t.seen[1].edge_count = 1;
    compare(&t, 1);
    assert_int_equal(t.match.findings[0].what, NDP_GRAPH_MISSING);
    assert_string_equal(t.match.findings[0].path, "nodes[1].keep.value");
    ndp_arena_clear(&t.arena);
}

static void another_class_and_text_differ(void **state) {
    TRIP(t);
    t.seen[1].import = ndp_bytes_view("units.core:Masked");
    t.seen[3].text = ndp_bytes_view("km");
    compare(&t, 2);
    assert_string_equal(t.match.findings[0].path, "nodes[1].class");
    assert_string_equal(t.match.findings[1].path, "nodes[1].keep.unit");
    ndp_arena_clear(&t.arena);
}

/* The array has a model with its elements, so that properties judge it like one that is sent alone. */
static void kept_arrays_have_a_model(void **state) {
    TRIP(t);
    const struct ndp_array *model = ndp_graph_node_model(&t.complete.nodes[4]);
    assert_non_null(model);
    assert_int_equal(model->layout.shape[0], 2);
    assert_true(ndp_bytes_is_word(model->class_name, "ndarray"));
    assert_false(t.complete.nodes[4].has_memory);
    ndp_arena_clear(&t.arena);
}

static void features_name_instances(void **state) {
    TRIP(t);
    const struct ndp_graph recipe = {0, 3, t.recipe};
    assert_true((ndp_graph_features(&recipe) & NDP_GRAPH_INSTANCE) != 0);
    assert_true((ndp_graph_features(&recipe) & NDP_GRAPH_TYPED) == 0);
    t.recipe[1].import = ndp_bytes_view("numba.typed:List");
    assert_true((ndp_graph_features(&recipe) & NDP_GRAPH_TYPED) != 0);
    assert_true((ndp_graph_features(&recipe) & NDP_GRAPH_ALIKE) == 0);
    ndp_arena_clear(&t.arena);
}

NDP_SUITE(graph_complete_test, NDP_TEST(kept_things_are_expected), NDP_TEST(a_lost_one_is_missing),
          NDP_TEST(another_class_and_text_differ), NDP_TEST(kept_arrays_have_a_model),
          NDP_TEST(features_name_instances));
