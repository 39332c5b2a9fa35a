/* graph_draft_test.c: a draft keeps its order and capacity, and reports when it is full. */
#include "base/rng.h"
#include "base/suite.h"
#include "generate/graph_draft.h"

enum { ARENA_BYTES = 1 << 20, MANY_EDGES = 100, GENERATED = 2000 };

struct world {
    struct ndp_arena arena;
    struct ndp_choices choices;
    struct ndp_node nodes[NDP_GRAPH_DRAFT_NODES];
    struct ndp_graph_draft draft;
};

static void make_draft(struct world *world, uint64_t seed) {
    memset(world, 0, sizeof *world);
    ndp_arena_init(&world->arena, ARENA_BYTES);
    ndp_choices_init_seed(&world->choices, seed);
    world->draft = (struct ndp_graph_draft){.arena = &world->arena, .choices = &world->choices, .nodes = world->nodes};
}

static void nodes_are_numbered_until_there_is_no_room(void **state) {
    struct world world;
    make_draft(&world, 1);
    for (uint32_t i = 0; i < NDP_GRAPH_DRAFT_NODES; i++) {
        assert_int_equal(ndp_graph_draft_node(&world.draft, NDP_NODE_LIST), i);
        assert_int_equal(world.nodes[i].kind, NDP_NODE_LIST);
        assert_int_equal(world.nodes[i].edge_count, 0);
    }
    assert_false(world.draft.is_out_of_memory);
    assert_int_equal(ndp_graph_draft_node(&world.draft, NDP_NODE_NONE), NDP_GRAPH_DRAFT_NODES - 1);
    assert_true(world.draft.is_out_of_memory);
    assert_int_equal(world.draft.count, NDP_GRAPH_DRAFT_NODES);
    assert_int_equal(world.nodes[NDP_GRAPH_DRAFT_NODES - 1].kind, NDP_NODE_LIST);
    ndp_arena_clear(&world.arena);
}

/* Roles are sorted; edges of one role keep their order of insertion; a dict keeps each key before its value. */
static void edges_are_sorted_by_role(void **state) {
    static const struct {
        enum ndp_node_kind kind;
        enum ndp_edge_role added[4], expected[4];
        uint32_t to[4]; /* target of the n-th of `expected`; the n-th added edge leads to n */
    } rows[] = {
        {NDP_NODE_FUNCTION,
         {NDP_EDGE_ATTRIBUTE, NDP_EDGE_DEFAULT, NDP_EDGE_CELL, NDP_EDGE_DEFAULT},
         {NDP_EDGE_CELL, NDP_EDGE_DEFAULT, NDP_EDGE_DEFAULT, NDP_EDGE_ATTRIBUTE},
         {2, 1, 3, 0}},
        {NDP_NODE_LIST,
         {NDP_EDGE_ITEM, NDP_EDGE_ITEM, NDP_EDGE_ITEM, NDP_EDGE_ITEM},
         {NDP_EDGE_ITEM, NDP_EDGE_ITEM, NDP_EDGE_ITEM, NDP_EDGE_ITEM},
         {0, 1, 2, 3}},
        {NDP_NODE_DICT,
         {NDP_EDGE_KEY, NDP_EDGE_VALUE, NDP_EDGE_KEY, NDP_EDGE_VALUE},
         {NDP_EDGE_KEY, NDP_EDGE_VALUE, NDP_EDGE_KEY, NDP_EDGE_VALUE},
         {0, 1, 2, 3}},
    };
    /* The table relies on this order. */
    assert_true(NDP_EDGE_CELL < NDP_EDGE_DEFAULT && NDP_EDGE_DEFAULT < NDP_EDGE_ATTRIBUTE);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct world world;
        make_draft(&world, 1);
        const uint32_t node = ndp_graph_draft_node(&world.draft, rows[i].kind);
        for (uint32_t k = 0; k < 4; k++) ndp_graph_draft_edge(&world.draft, node, rows[i].added[k], NULL, k);
        assert_int_equal(world.nodes[node].edge_count, 4);
        for (uint32_t k = 0; k < 4; k++) {
            assert_int_equal(world.nodes[node].edges[k].role, rows[i].expected[k]);
            assert_int_equal(world.nodes[node].edges[k].to, rows[i].to[k]);
            assert_int_equal(world.nodes[node].edges[k].name.size_bytes, 0);
        }
        ndp_arena_clear(&world.arena);
    }
}

static void a_named_edge_has_its_name(void **state) {
    struct world world;
    make_draft(&world, 1);
    const uint32_t node = ndp_graph_draft_node(&world.draft, NDP_NODE_FUNCTION);
    ndp_graph_draft_edge(&world.draft, node, NDP_EDGE_ATTRIBUTE, "note", node);
    assert_true(ndp_bytes_is_equal(world.nodes[node].edges[0].name, ndp_bytes_view("note")));
    ndp_arena_clear(&world.arena);
}

/* The first edges stay, and the draft remains consistent. */
static void a_full_node_takes_no_more(void **state) {
    struct world world;
    make_draft(&world, 1);
    const uint32_t node = ndp_graph_draft_node(&world.draft, NDP_NODE_LIST);
    uint32_t full = 0;
    for (uint32_t i = 0; i < MANY_EDGES; i++) {
        ndp_graph_draft_edge(&world.draft, node, NDP_EDGE_ITEM, NULL, i);
        if (world.nodes[node].edge_count == i + 1) full = i + 1;
    }
    assert_true(full >= 8 && full < MANY_EDGES);
    assert_int_equal(world.nodes[node].edge_count, full);
    for (uint32_t i = 0; i < full; i++) assert_int_equal(world.nodes[node].edges[i].to, i);
    assert_false(world.draft.is_out_of_memory);
    ndp_arena_clear(&world.arena);
}

static void every_failing_allocation_is_reported(void **state) {
    bool is_done = false;
    for (uint64_t call = 1; !is_done; call++) {
        struct world world;
        make_draft(&world, 1);
        ndp_arena_fail_at(&world.arena, call);
        const uint32_t node = ndp_graph_draft_node(&world.draft, NDP_NODE_LIST);
        for (uint32_t i = 0; i < 3; i++) ndp_graph_draft_edge(&world.draft, node, NDP_EDGE_ITEM, NULL, node);
        is_done = !world.draft.is_out_of_memory;
        if (is_done) assert_int_equal(world.nodes[node].edge_count, 3);
        assert_true(call <= 5);
        assert_true(is_done == (call == 5)); /* one for the node, one per edge */
        ndp_arena_clear(&world.arena);
    }
}

static void zeros_give_the_number_0(void **state) {
    struct world world;
    make_draft(&world, 1);
    ndp_choices_init_bytes(&world.choices, (struct ndp_bytes){NULL, 0});
    const uint32_t generated[] = {ndp_graph_draft_int(&world.draft), ndp_graph_draft_scalar(&world.draft)};
    for (size_t i = 0; i < NDP_ARRAY_LEN(generated); i++) {
        assert_int_equal(world.nodes[generated[i]].kind, NDP_NODE_INT);
        assert_true(ndp_bytes_is_equal(world.nodes[generated[i]].text, ndp_bytes_view("0")));
    }
    ndp_arena_clear(&world.arena);
}

/* Python's int is unbounded: numbers below zero and of more than 63 bits occur. */
static void numbers_are_small_negative_and_long(void **state) {
    static const char *const wanted[] = {"0", "-1", "9223372036854775808"};
    uint32_t seen[NDP_ARRAY_LEN(wanted)] = {0};
    for (uint64_t i = 0; i < GENERATED; i++) {
        struct world world;
        make_draft(&world, ndp_rng_mix(3, i));
        const struct ndp_bytes text = world.nodes[ndp_graph_draft_int(&world.draft)].text;
        for (size_t k = 0; k < NDP_ARRAY_LEN(wanted); k++)
            seen[k] += ndp_bytes_is_equal(text, ndp_bytes_view(wanted[k]));
        ndp_arena_clear(&world.arena);
    }
    for (size_t k = 0; k < NDP_ARRAY_LEN(wanted); k++)
        if (seen[k] < GENERATED / 20) fail_msg("%s occurs %u times", wanted[k], (unsigned)seen[k]);
}

static void scalars_are_of_every_kind_and_some_are_empty(void **state) {
    static const enum ndp_node_kind kinds[] = {NDP_NODE_NONE,  NDP_NODE_BOOL, NDP_NODE_INT,
                                               NDP_NODE_FLOAT, NDP_NODE_TEXT, NDP_NODE_BYTES};
    uint32_t seen[NDP_NODE_COUNT] = {0}, truths[2] = {0}, texts[2] = {0}, all = 0;
    for (uint64_t i = 0; i < GENERATED; i++) {
        struct world world;
        make_draft(&world, ndp_rng_mix(4, i));
        const struct ndp_node *node = &world.nodes[ndp_graph_draft_scalar(&world.draft)];
        seen[node->kind]++;
        if (node->kind == NDP_NODE_BOOL) truths[node->truth]++;
        if (node->kind == NDP_NODE_TEXT) texts[node->text.size_bytes > 0]++;
        if (node->kind == NDP_NODE_FLOAT) assert_int_equal(node->text.size_bytes, 8);
        ndp_arena_clear(&world.arena);
    }
    for (size_t k = 0; k < NDP_ARRAY_LEN(kinds); k++) {
        if (seen[kinds[k]] < GENERATED / 12)
            fail_msg("%s: %u", ndp_graph_words_node(kinds[k]), (unsigned)seen[kinds[k]]);
        all += seen[kinds[k]];
    }
    assert_int_equal(all, GENERATED);
    assert_true(truths[0] > 0 && truths[1] > 0 && texts[0] > 0 && texts[1] > 0);
}

NDP_SUITE(graph_draft_test, NDP_TEST(nodes_are_numbered_until_there_is_no_room), NDP_TEST(edges_are_sorted_by_role),
          NDP_TEST(a_named_edge_has_its_name), NDP_TEST(a_full_node_takes_no_more),
          NDP_TEST(every_failing_allocation_is_reported), NDP_TEST(zeros_give_the_number_0),
          NDP_TEST(numbers_are_small_negative_and_long), NDP_TEST(scalars_are_of_every_kind_and_some_are_empty));
