#include "base/suite.h"
#include "describe/descriptor.h"
#include "model/dtype_samples.h"
#include "target/live_graph.h"

#define ARRAY(class)                                                                                                   \
    "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[4],\"data\":{\"hex\":\"01020304\"}},\"class\":{\"name\":"      \
    "\"" class "\"}}"

struct world {
    struct ndp_arena arena;
    struct ndp_descriptor descriptor;
    struct ndp_graph recipe; /* with the data of its arrays */
    struct ndp_graph held;
};

static void build_graph(struct world *world, const char *nodes) {
    char text[1024];
    struct ndp_error error = {0};
    struct ndp_graph expected;
    memset(world, 0, sizeof *world);
    ndp_arena_init(&world->arena, 1 << 22);
    snprintf(text, sizeof text, "{\"value\":{\"graph\":{\"root\":0,\"nodes\":[%s]}}}", nodes);
    if (ndp_descriptor_read(&world->arena, ndp_bytes_view(text), &ndp_describe_default_limits, &world->descriptor,
                            &error) != NDP_OK)
        fail_msg("%s: %s", text, error.text);
    const struct ndp_graph *read = world->descriptor.value.graph;
    assert_int_equal(ndp_graph_expect(&world->arena, read, true, &expected, &error), NDP_OK);
    struct ndp_node *copy = ndp_arena_copy(&world->arena, read->nodes, read->count * sizeof *copy);
    assert_non_null(copy);
    for (uint32_t i = 0; i < read->count; i++) copy[i].data = expected.nodes[i].data;
    world->recipe = (struct ndp_graph){read->root, read->count, copy};
    if (ndp_live_graph_build(&world->arena, &world->recipe, &world->held, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_null(ndp_live_graph_check(&world->held));
}

static void clear_graph(struct world *world) {
    ndp_arena_clear(&world->arena);
}

#define VIEWS                                                                                                          \
    "{\"list\":[1,2,3,4,1]}," ARRAY("ndarray") "},{\"view\":{\"of\":1,\"views\":[{\"slice\":[[1,1,2]]}]}},"            \
                                               "{\"view\":{\"of\":2,\"views\":[{\"slice\":[[1,1,1]]}]}}," ARRAY(       \
                                                   "ndarray") "}"

/* A view shares the memory of its base, also a view of a view. Another array has its own memory. */
static void views_share_the_memory_of_their_base(void **state) {
    struct world world;
    build_graph(&world, VIEWS);
    const struct ndp_node *nodes = world.held.nodes;
    for (uint32_t i = 1; i <= 4; i++) {
        assert_int_equal(nodes[i].kind, NDP_NODE_ARRAY);
        assert_int_equal(nodes[i].edge_count, 0);
        assert_true(nodes[i].has_model);
    }
    assert_ptr_equal(nodes[2].model.buffer, nodes[1].model.buffer);
    assert_ptr_equal(nodes[3].model.buffer, nodes[1].model.buffer);
    assert_ptr_not_equal(nodes[4].model.buffer, nodes[1].model.buffer);
    /* A write through one is visible through the others. */
    nodes[1].model.buffer[2] = 99;
    uint8_t seen[2];
    ndp_array_gather(&nodes[2].model, NDP_MEMORY_C, seen);
    assert_int_equal(seen[1], 99);
    ndp_array_gather(&nodes[3].model, NDP_MEMORY_C, seen);
    assert_int_equal(seen[0], 99);
    clear_graph(&world);
}

static void memory_is_reported_by_groups_and_places(void **state) {
    static const uint32_t groups[] = {0, 1, 1, 1, 4};
    static const uint64_t offsets[] = {0, 0, 1, 2, 0};
    struct world world;
    struct ndp_graph told;
    build_graph(&world, VIEWS);
    assert_int_equal(ndp_live_graph_observe(&world.arena, &world.held, &told), NDP_OK);
    assert_false(told.nodes[0].has_memory);
    for (uint32_t i = 1; i <= 4; i++) {
        assert_true(told.nodes[i].has_memory && told.nodes[i].has_observation);
        assert_int_equal(told.nodes[i].memory_group, groups[i]);
        assert_int_equal(told.nodes[i].memory_offset_bytes, offsets[i]);
        assert_int_equal(told.nodes[i].trouble.size_bytes, 0);
    }
    assert_memory_equal(told.nodes[2].observation.elements.data, "\2\3", 2);
    assert_int_equal(told.nodes[0].edge_count, 5);
    clear_graph(&world);
}

/* A live object may lack an attribute. Its observation has no such edge and reports the trouble. */
static void an_unset_attribute_is_trouble(void **state) {
    struct world world;
    struct ndp_graph told;
    build_graph(&world, ARRAY("finalize_none") ",\"attributes\":{\"note\":1,\"extra\":1}},{\"int\":\"7\"}");
    struct ndp_node nodes[2];
    struct ndp_edge edges[2];
    memcpy(nodes, world.held.nodes, sizeof nodes);
    assert_int_equal(nodes[0].edge_count, 2);
    memcpy(edges, nodes[0].edges, sizeof edges);
    edges[0].to = NDP_GRAPH_UNSET;
    nodes[0].edges = edges;
    const struct ndp_graph held = {0, 2, nodes};
    assert_null(ndp_live_graph_check(&held));
    assert_int_equal(ndp_live_graph_observe(&world.arena, &held, &told), NDP_OK);
    assert_int_equal(told.nodes[0].edge_count, 1);
    assert_int_equal(told.nodes[0].edges[0].to, 1);
    assert_memory_equal(told.nodes[0].trouble.data, "AttributeError", strlen("AttributeError"));
    assert_int_equal(nodes[0].edge_count, 2);
    clear_graph(&world);
}

static void calls_of_callables_are_counted(void **state) {
    struct world world;
    build_graph(&world, "{\"list\":[1,2,3]},{\"function\":{\"code\":\"identity\",\"name\":\"f\"}},"
                        "{\"partial\":{\"function\":1}},{\"int\":\"1\"}");
    const struct ndp_node *before = world.held.nodes;
    for (uint32_t times = 1; times <= 2; times++) {
        assert_int_equal(ndp_live_graph_call(&world.arena, &world.held), NDP_OK);
        assert_int_equal(world.held.nodes[1].calls, times);
        assert_int_equal(world.held.nodes[2].calls, times);
        assert_int_equal(ndp_graph_node_calls(&world.held.nodes[0]), 0);
        assert_int_equal(ndp_graph_node_calls(&world.held.nodes[3]), 0);
    }
    /* The original nodes stay unchanged. */
    assert_int_equal(before[1].calls, 0);
    clear_graph(&world);
}

/* enum name, reason of the refusal; NULL: the graph is valid */
#define CHANGED_GRAPHS(X)                                                                                              \
    X(RIGHT, NULL)                                                                                                     \
    X(NO_NODES, "no nodes, or too many")                                                                               \
    X(MANY_NODES, "no nodes, or too many")                                                                             \
    X(NO_ROOT, "no nodes, or too many")                                                                                \
    X(NO_LIST, "no nodes, or too many")                                                                                \
    X(NO_KIND, "a node of unknown kind")                                                                               \
    X(A_VIEW, "a node of unknown kind")                                                                                \
    X(MANY_EDGES, "a node with too many edges")                                                                        \
    X(NO_SUCH_NODE, "an edge to a missing node")                                                                       \
    X(NOWHERE, "an edge to a missing node")                                                                            \
    X(NO_DTYPE, "an array without a dtype, or with too many dimensions")                                               \
    X(MANY_AXES, "an array without a dtype, or with too many dimensions")                                              \
    X(TOO_LARGE, "an array larger than memory")                                                                        \
    X(BEYOND, "an array outside its memory")                                                                           \
    X(BEFORE, "an array outside its memory")                                                                           \
    X(NO_MEMORY, "an array outside its memory")                                                                        \
    X(BACKWARDS, NULL)                                                                                                 \
    X(EMPTY, NULL)
#define CHANGED_GRAPH_NAME(name, reason)   name,
#define CHANGED_GRAPH_REASON(name, reason) reason,
enum { CHANGED_GRAPHS(CHANGED_GRAPH_NAME) COUNT };
static const char *const why[COUNT] = {CHANGED_GRAPHS(CHANGED_GRAPH_REASON)};

/* No graph that a plugin returns makes the check read outside its memory. */
static void invalid_graphs_are_refused_with_the_reason(void **state) {
    static uint8_t memory[4];
    struct ndp_edge edges[] = {{.role = NDP_EDGE_ITEM, .to = 0}, {.role = NDP_EDGE_ATTRIBUTE, .to = NDP_GRAPH_UNSET}};
    const struct ndp_node right[] = {
        {.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 1},
        {.kind = NDP_NODE_ARRAY,
         .edges = edges + 1,
         .edge_count = 1,
         .model = {.dtype = &sample_u1,
                   .buffer = memory,
                   .buffer_bytes = 4,
                   .layout = {.ndim = 1, .shape = {4}, .strides_bytes = {1}}}},
    };
    for (int what = RIGHT; what < COUNT; what++) {
        struct ndp_node nodes[2];
        memcpy(nodes, right, sizeof nodes);
        edges[0].to = what == NO_SUCH_NODE ? 2 : what == NOWHERE ? NDP_GRAPH_UNSET : 1;
        struct ndp_graph graph = {0, 2, nodes};
        struct ndp_array *array = &nodes[1].model;
        if (what == NO_NODES) graph.count = 0;
        if (what == MANY_NODES) graph.count = NDP_MAX_NODES + 1;
        if (what == NO_ROOT) graph.root = 2;
        if (what == NO_LIST) graph.nodes = NULL;
        if (what == NO_KIND) nodes[0].kind = NDP_NODE_COUNT;
        if (what == A_VIEW) nodes[0].kind = NDP_NODE_VIEW;
        if (what == MANY_EDGES) nodes[0].edge_count = NDP_MAX_EDGES + 1;
        if (what == NO_DTYPE) array->dtype = NULL;
        if (what == MANY_AXES) array->layout.ndim = NDP_MAX_NDIM + 1;
        if (what == TOO_LARGE) array->layout.shape[0] = INT64_MAX, array->layout.strides_bytes[0] = INT64_MAX;
        if (what == BEYOND) array->layout.offset_bytes = 1;
        if (what == BEFORE) array->layout.strides_bytes[0] = -1;
        if (what == NO_MEMORY) array->buffer = NULL;
        if (what == BACKWARDS) array->layout.strides_bytes[0] = -1, array->layout.offset_bytes = 3;
        if (what == EMPTY) array->layout.shape[0] = 0, array->buffer = NULL, array->buffer_bytes = 0;
        const char *got = ndp_live_graph_check(&graph);
        if (why[what] == NULL && got != NULL) fail_msg("%d: %s", what, got);
        if (why[what] != NULL && (got == NULL || strcmp(got, why[what]) != 0))
            fail_msg("%d: %s", what, got != NULL ? got : "accepted");
    }
}

static void lack_of_memory_is_an_error(void **state) {
    struct world world;
    struct ndp_error error = {0};
    struct ndp_graph out;
    build_graph(&world, VIEWS);
    for (int what = 0; what < 3; what++) {
        bool is_over = false;
        for (uint64_t call = 1; !is_over; call++) {
            ndp_arena_fail_at(&world.arena, call);
            struct ndp_graph called = world.held;
            const enum ndp_status status = what == 0   ? ndp_live_graph_build(&world.arena, &world.recipe, &out, &error)
                                           : what == 1 ? ndp_live_graph_observe(&world.arena, &world.held, &out)
                                                       : ndp_live_graph_call(&world.arena, &called);
            is_over = world.arena.fail_at != 0;
            assert_int_equal(status, is_over ? NDP_OK : NDP_NOMEM);
        }
        ndp_arena_fail_at(&world.arena, 0);
    }
    clear_graph(&world);
}

NDP_SUITE(live_graph_test, NDP_TEST(views_share_the_memory_of_their_base),
          NDP_TEST(memory_is_reported_by_groups_and_places), NDP_TEST(an_unset_attribute_is_trouble),
          NDP_TEST(calls_of_callables_are_counted), NDP_TEST(invalid_graphs_are_refused_with_the_reason),
          NDP_TEST(lack_of_memory_is_an_error));
