/* graph_defect_test.c: the tools for planted defects of graphs. `ndproof selftest` checks that each defect is caught.
 */
#include "base/bytes.h"
#include "base/suite.h"
#include "model/dtype_samples.h"
#include "planted/graph_defect.h"

static uint8_t memory[] = {1, 2, 3, 4, 5, 6};
static const int64_t shape[] = {2, 3}, strides[] = {1, 2}; /* F order */

/* A list of an array, the same array, another array, and a list of the first array. */
struct world {
    struct ndp_arena arena;
    struct ndp_edge edges[5];
    struct ndp_graph_defect *defect;
};

static void make_world(struct world *world) {
    ndp_arena_init(&world->arena, 1 << 20);
    world->defect = calloc(1, sizeof *world->defect);
    assert_non_null(world->defect);
    static const uint32_t to[] = {1, 1, 2, 3, 1};
    for (int i = 0; i < 5; i++) world->edges[i] = (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = to[i]};
    const struct ndp_array array = {.dtype = &sample_u1, .buffer = memory, .buffer_bytes = sizeof memory};
    struct ndp_graph_defect *defect = world->defect;
    defect->arena = &world->arena;
    defect->count = 4;
    defect->nodes[0] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = world->edges, .edge_count = 4};
    defect->nodes[1] = (struct ndp_node){.kind = NDP_NODE_ARRAY, .has_model = true, .model = array};
    defect->nodes[2] = (struct ndp_node){.kind = NDP_NODE_ARRAY, .has_model = true, .model = array};
    defect->nodes[3] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = world->edges + 4, .edge_count = 1};
    defect->nodes[1].model.layout.ndim = 2;
    memcpy(defect->nodes[1].model.layout.shape, shape, sizeof shape);
    memcpy(defect->nodes[1].model.layout.strides_bytes, strides, sizeof strides);
}

static void clear_world(struct world *world) {
    free(world->defect);
    ndp_arena_clear(&world->arena);
}

static void expect_edges(const struct world *world, uint32_t node, const uint32_t *to, uint32_t count) {
    assert_int_equal(world->defect->nodes[node].edge_count, count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(world->defect->nodes[node].edges[i].to, to[i]);
}

/* The decoder may share edges between nodes, so the original edges stay unchanged. */
static void edges_are_changed_in_a_copy(void **state) {
    struct world world;
    make_world(&world);
    ndp_graph_defect_drop_edge(world.defect, 0, 1);
    expect_edges(&world, 0, (const uint32_t[]){1, 2, 3}, 3);
    ndp_graph_defect_redirect_edge(world.defect, 0, 2, 0);
    expect_edges(&world, 0, (const uint32_t[]){1, 2, 0}, 3);
    ndp_graph_defect_drop_edge(world.defect, 0, 2);
    expect_edges(&world, 0, (const uint32_t[]){1, 2}, 2);
    static const uint32_t untouched[] = {1, 1, 2, 3};
    for (int i = 0; i < 4; i++) assert_int_equal(world.edges[i].to, untouched[i]);
    /* An allocation failure changes nothing. */
    ndp_arena_fail_at(&world.arena, 1);
    ndp_graph_defect_drop_edge(world.defect, 0, 0);
    ndp_arena_fail_at(&world.arena, 1);
    ndp_graph_defect_redirect_edge(world.defect, 0, 0, 3);
    expect_edges(&world, 0, (const uint32_t[]){1, 2}, 2);
    clear_world(&world);
}

static void a_node_is_doubled_while_there_is_room(void **state) {
    struct world world;
    make_world(&world);
    assert_int_equal(ndp_graph_defect_duplicate_node(world.defect, 1), 4);
    assert_int_equal(world.defect->count, 5);
    assert_ptr_equal(world.defect->nodes[4].model.buffer, memory);
    world.defect->count = NDP_MAX_NODES;
    assert_int_equal(ndp_graph_defect_duplicate_node(world.defect, 1), 1);
    assert_int_equal(world.defect->count, NDP_MAX_NODES);
    clear_world(&world);
}

static void an_array_gets_memory_of_its_own(void **state) {
    struct world world;
    make_world(&world);
    ndp_graph_defect_own_memory(world.defect, 1);
    assert_ptr_not_equal(world.defect->nodes[1].model.buffer, memory);
    assert_memory_equal(world.defect->nodes[1].model.buffer, memory, sizeof memory);
    assert_ptr_equal(world.defect->nodes[2].model.buffer, memory);
    ndp_arena_fail_at(&world.arena, 1);
    ndp_graph_defect_own_memory(world.defect, 2);
    assert_ptr_equal(world.defect->nodes[2].model.buffer, memory);
    clear_world(&world);
}

/* Only an array that is F- but not C-contiguous is reordered. */
static void only_f_ordered_arrays_are_reordered(void **state) {
    struct world world;
    make_world(&world);
    ndp_graph_defect_reorder(world.defect, 1);
    assert_int_equal(world.defect->nodes[1].model.layout.strides_bytes[0], 3);
    assert_int_equal(world.defect->nodes[1].model.layout.strides_bytes[1], 1);
    const struct ndp_layout before = world.defect->nodes[1].model.layout;
    ndp_graph_defect_reorder(world.defect, 1);
    ndp_graph_defect_reorder(world.defect, 2);
    assert_memory_equal(before.strides_bytes, world.defect->nodes[1].model.layout.strides_bytes, sizeof strides);
    clear_world(&world);
}

static void repeated_edges_are_found(void **state) {
    struct world world;
    make_world(&world);
    static const bool met[] = {false, true, false, false};
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(ndp_graph_defect_is_repeated(world.defect, 0, i), met[i]);
    assert_true(ndp_graph_defect_is_repeated(world.defect, 3, 0));
    clear_world(&world);
}

/* Each edge to an array after the first leads to an equal array with separate memory; other kinds stay shared. */
static void repeated_edges_lead_to_duplicates(void **state) {
    struct world world;
    make_world(&world);
    ndp_graph_defect_split_shared(world.defect, NDP_NODE_LIST);
    assert_int_equal(world.defect->count, 4);
    ndp_graph_defect_split_shared(world.defect, NDP_NODE_ARRAY);
    assert_int_equal(world.defect->count, 6);
    expect_edges(&world, 0, (const uint32_t[]){1, 4, 2, 3}, 4);
    expect_edges(&world, 3, (const uint32_t[]){5}, 1);
    for (uint32_t i = 4; i < 6; i++) {
        assert_ptr_not_equal(world.defect->nodes[i].model.buffer, memory);
        assert_memory_equal(world.defect->nodes[i].model.buffer, memory, sizeof memory);
    }
    clear_world(&world);
}

static void change_root(struct ndp_graph_defect *defect) {
    assert_int_equal(defect->count, 2);
    defect->root = ndp_graph_defect_duplicate_node(defect, 0);
    ndp_graph_defect_drop_edge(defect, defect->root, 0);
}

static bool append(void *sink, const void *bytes, size_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes) == NDP_OK;
}

/* The change applies to what the reference decoded. */
static void a_decoded_graph_is_changed(void **state) {
    struct ndp_plugin_refusal refusal = {.reason = ""};
    struct ndp_graph got = {.count = 0};
    const struct ndp_plugin_entry *entry = ndp_reference_graph_entries;
    const struct ndp_edge edges[] = {{.role = NDP_EDGE_ITEM, .to = 1}, {.role = NDP_EDGE_ITEM, .to = 1}};
    const struct ndp_node nodes[] = {{.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 2}, {.kind = NDP_NODE_NONE}};
    const struct ndp_graph sent = {0, 2, nodes};
    while (!entry->encodes || !entry->decodes) entry++;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    NDP_BUFFER_SCOPED(bytes, 1 << 20);
    assert_int_equal(ndp_reference_graph_encode(entry, &sent, append, &bytes, &refusal), NDP_PLUGIN_DONE);
    assert_int_equal(
        ndp_graph_defect_decode(entry, bytes.data, (size_t)bytes.size_bytes, &arena, &got, &refusal, change_root),
        NDP_PLUGIN_DONE);
    assert_int_equal(got.count, 3);
    assert_int_equal(got.root, 2);
    assert_int_equal(got.nodes[2].edge_count, 1);
    assert_int_equal(got.nodes[0].edge_count, 2);
    assert_int_not_equal(
        ndp_graph_defect_decode(entry, bytes.data, (size_t)bytes.size_bytes - 1, &arena, &got, &refusal, change_root),
        NDP_PLUGIN_DONE);
}

NDP_SUITE(graph_defect_test, NDP_TEST(edges_are_changed_in_a_copy), NDP_TEST(a_node_is_doubled_while_there_is_room),
          NDP_TEST(an_array_gets_memory_of_its_own), NDP_TEST(only_f_ordered_arrays_are_reordered),
          NDP_TEST(repeated_edges_are_found), NDP_TEST(repeated_edges_lead_to_duplicates),
          NDP_TEST(a_decoded_graph_is_changed));
