/* generate_graph_test.c: generated graphs can be built, read back with the same meaning, and shrunk to the end. */
#include "base/suite.h"
#include "generate/generate.h"
#include "model/graph/graph.h"
#include "model/graph/graph_features.h"

enum { CASES = 3000, SHRUNK = 60, ARENA_BYTES = 1 << 24 };

static void generate_case(struct ndp_arena *arena, uint64_t index, struct ndp_descriptor *out) {
    struct ndp_choices choices;
    ndp_arena_init(arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, ndp_rng_mix(1, index));
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
    assert_int_equal(ndp_generate_graph(arena, &choices, &out->value), NDP_OK);
}

static void print(const struct ndp_descriptor *descriptor, struct ndp_buffer *out) {
    out->size_bytes = 0;
    assert_int_equal(ndp_descriptor_print(out, descriptor), NDP_OK);
}

static void graphs_are_valid_and_read_back(void **state) {
    uint64_t seen = 0;
    struct ndp_buffer texts[2];
    for (int i = 0; i < 2; i++) ndp_buffer_init(&texts[i], ARENA_BYTES);
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated, repeated;
        struct ndp_error error = {.text = ""};
        generate_case(&arena, i, &generated);
        if (ndp_descriptor_check(&arena, &generated, &error) != NDP_OK)
            fail_msg("case %u: %s", (unsigned)i, error.text);
        seen |= ndp_graph_features(generated.value.graph);
        print(&generated, &texts[0]);
        const struct ndp_bytes text = ndp_buffer_view(&texts[0]);
        if (ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &repeated, &error) != NDP_OK)
            fail_msg("%.*s: %s", (int)text.size_bytes, (const char *)text.data, error.text);
        print(&repeated, &texts[1]);
        assert_true(ndp_bytes_is_equal(text, ndp_buffer_view(&texts[1])));
        ndp_arena_clear(&arena);
    }
    for (int i = 0; i < 2; i++) ndp_buffer_clear(&texts[i]);
    seen |= NDP_GRAPH_INSTANCE | NDP_GRAPH_TYPED | NDP_GRAPH_ALIKE; /* generate_instance_test.c */
    for (uint32_t bit = 0; bit < NDP_GRAPH_FEATURE_COUNT; bit++)
        if ((seen & UINT64_C(1) << bit) == 0) fail_msg("no case has %s", ndp_graph_features_word(bit));
}

/* At least one in ten graphs with arrays has an array of three or more axes, and one a view. Some have masked arrays of
 * several axes in Fortran order. */
static void arrays_are_of_all_forms(void **state) {
    uint32_t with_arrays = 0, deep = 0, viewed = 0, structured = 0, masked_deep = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated;
        bool has_array = false, has_deep = false, has_view = false, has_fields = false, has_masked = false;
        generate_case(&arena, i, &generated);
        for (uint32_t k = 0; k < generated.value.graph->count; k++) {
            const struct ndp_node *node = &generated.value.graph->nodes[k];
            if (node->kind != NDP_NODE_ARRAY) continue;
            const bool is_deep = node->array.base.ndim >= 3;
            has_array = true;
            has_deep |= is_deep;
            has_view |= node->array.view_count > 0;
            has_fields |= node->array.base.dtype->kind == NDP_KIND_STRUCT;
            has_masked |= is_deep && node->array.base.order == NDP_MEMORY_F &&
                          ndp_graph_node_edge(node, NDP_EDGE_MASK, 0) != NULL;
        }
        with_arrays += has_array;
        deep += has_deep;
        viewed += has_view;
        structured += has_fields;
        masked_deep += has_masked;
        ndp_arena_clear(&arena);
    }
    assert_true(10 * deep > with_arrays && 10 * viewed > with_arrays && 20 * structured > with_arrays);
    assert_true(masked_deep > 5);
}

static void zeros_give_an_empty_list(void **state) {
    struct ndp_choices choices;
    struct ndp_value value;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    assert_int_equal(ndp_generate_graph(&arena, &choices, &value), NDP_OK);
    assert_int_equal(value.graph->count, 1);
    assert_int_equal(value.graph->nodes[0].kind, NDP_NODE_LIST);
    assert_int_equal(value.graph->nodes[0].edge_count, 0);
}

static void shrinking_ends_at_one_node(void **state) {
    for (uint64_t i = 0; i < SHRUNK; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor at;
        bool is_done = false;
        generate_case(&arena, i, &at);
        for (uint32_t steps = 0; !is_done; steps++) {
            struct ndp_descriptor next;
            assert_true(steps < 400);
            assert_int_equal(ndp_shrink_step(&arena, &at, 0, &next, &is_done), NDP_OK);
            if (!is_done) at = next;
        }
        assert_int_equal(at.value.graph->count, 1);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(generate_graph_test, NDP_TEST(graphs_are_valid_and_read_back), NDP_TEST(arrays_are_of_all_forms),
          NDP_TEST(zeros_give_an_empty_list), NDP_TEST(shrinking_ends_at_one_node));
