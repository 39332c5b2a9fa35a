/* generate_scalars_test.c: generated lists of scalars are valid, have every kind of item and the limits of encodings,
 * and are shrunk to one short item. */
#include "base/suite.h"
#include "generate/generate.h"
#include "model/graph/graph.h"
#include "model/graph/graph_features.h"

enum { CASES = 1500, ARENA_BYTES = 1 << 24 };

static void generate_case(struct ndp_arena *arena, uint64_t index, struct ndp_descriptor *out) {
    struct ndp_choices choices;
    ndp_arena_init(arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, ndp_rng_mix(1, index));
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
    assert_int_equal(ndp_generate_scalars(arena, &choices, &out->value), NDP_OK);
}

static void lists_of_every_scalar_are_valid(void **state) {
    uint64_t features = 0;
    bool is_seen[NDP_NODE_COUNT] = {false}, is_empty_seen = false;
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated;
        struct ndp_error error = {.text = ""};
        generate_case(&arena, i, &generated);
        const struct ndp_graph *graph = generated.value.graph;
        if (ndp_descriptor_check(&arena, &generated, &error) != NDP_OK)
            fail_msg("case %u: %s", (unsigned)i, error.text);
        assert_true(ndp_graph_is_scalars(graph));
        for (uint32_t k = 0; k < graph->count; k++) is_seen[graph->nodes[k].kind] = true;
        is_empty_seen = is_empty_seen || graph->count == 1;
        features |= ndp_graph_features(graph);
        ndp_arena_clear(&arena);
    }
    assert_true(is_empty_seen);
    for (int kind = NDP_NODE_NONE; kind <= NDP_NODE_BYTES; kind++) assert_true(is_seen[kind]);
    assert_true((features & NDP_GRAPH_NUL_END) != 0 && (features & NDP_GRAPH_LONG_INT) != 0);
}

static void exhausted_choices_give_an_empty_list(void **state) {
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    struct ndp_choices choices;
    struct ndp_value value;
    ndp_choices_init_bytes(&choices, (struct ndp_bytes){NULL, 0});
    assert_int_equal(ndp_generate_scalars(&arena, &choices, &value), NDP_OK);
    assert_int_equal(value.graph->count, 1);
}

/* Finds a text of several characters whose last one has several bytes. */
static const struct ndp_node *find_wide(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = &graph->nodes[i];
        if (node->kind == NDP_NODE_TEXT && node->text.size_bytes > 8 && node->text.data[0] >= 0xc0) return node;
    }
    return NULL;
}

static void a_text_is_shrunk_to_one_character(void **state) {
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor now, next;
        bool is_done = false;
        generate_case(&arena, i, &now);
        if (find_wide(now.value.graph) == NULL) {
            ndp_arena_clear(&arena);
            continue;
        }
        for (uint32_t step = 0; !is_done && find_wide(now.value.graph) != NULL; step++) {
            assert_int_equal(ndp_shrink_step(&arena, &now, step, &next, &is_done), NDP_OK);
            if (is_done || find_wide(next.value.graph) == NULL) continue;
            now = next;
            step = UINT32_MAX;
        }
        assert_int_equal(now.value.graph->count, 1 + (now.value.graph->root != 0));
        assert_in_range(find_wide(now.value.graph)->text.size_bytes, 9, 12);
        ndp_arena_clear(&arena);
        return;
    }
    fail_msg("no list has a text of wide characters");
}

NDP_SUITE(generate_scalars_test, NDP_TEST(lists_of_every_scalar_are_valid),
          NDP_TEST(exhausted_choices_give_an_empty_list), NDP_TEST(a_text_is_shrunk_to_one_character));
