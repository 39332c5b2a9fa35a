/* generate_members_test.c: generated archives can be built, read back with the same meaning, and shrunk to the end. */
#include <stdio.h>

#include "base/suite.h"
#include "generate/generate.h"
#include "model/graph/graph.h"
#include "model/graph/graph_features.h"

enum { CASES = 1500, ARENA_BYTES = 1 << 26, MAX_MEMBERS = 13 };

static void generate_case_of(struct ndp_arena *arena, uint64_t index, bool is_unnamed, struct ndp_descriptor *out) {
    struct ndp_choices choices;
    ndp_arena_init(arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, ndp_rng_mix(1, index));
    *out = (struct ndp_descriptor){.kind = NDP_CASE_ROUND_TRIP};
    assert_int_equal(ndp_generate_members(arena, &choices, is_unnamed, &out->value), NDP_OK);
}

static void generate_case(struct ndp_arena *arena, uint64_t index, struct ndp_descriptor *out) {
    generate_case_of(arena, index, false, out);
}

static struct ndp_bytes name_of(const struct ndp_graph *graph, uint32_t member) {
    const struct ndp_edge *key = ndp_graph_node_edge(&graph->nodes[graph->root], NDP_EDGE_KEY, member);
    assert_non_null(key);
    return graph->nodes[key->to].text;
}

static const struct ndp_node *array_of(const struct ndp_graph *graph, uint32_t member) {
    const struct ndp_edge *value = ndp_graph_node_edge(&graph->nodes[graph->root], NDP_EDGE_VALUE, member);
    assert_non_null(value);
    return &graph->nodes[value->to];
}

static uint32_t count_members(const struct ndp_graph *graph) {
    return ndp_graph_node_count_edges(&graph->nodes[graph->root], NDP_EDGE_KEY);
}

static void archives_are_valid_and_have_different_names(void **state) {
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated;
        struct ndp_error error = {.text = ""};
        generate_case(&arena, i, &generated);
        const struct ndp_graph *graph = generated.value.graph;
        if (ndp_descriptor_check(&arena, &generated, &error) != NDP_OK)
            fail_msg("case %u: %s", (unsigned)i, error.text);
        assert_true((ndp_graph_features(graph) & NDP_GRAPH_MEMBERS) != 0);
        const uint32_t count = count_members(graph);
        assert_in_range(count, 0, MAX_MEMBERS);
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t m = 0; m < k; m++) assert_false(ndp_bytes_is_equal(name_of(graph, k), name_of(graph, m)));
        ndp_arena_clear(&arena);
    }
}

/* Every kind of name, no member, and so many that arr_10 precedes arr_2 as a text. */
static void archives_have_all_kinds_of_names_and_counts(void **state) {
    static const char *const names[] = {"a",         "",         ".",     "..",    "/a",  "a/b",
                                        "a.npy",     "A",        "Data",  "file",  "fid", "allow_pickle",
                                        "e\xcc\x81", "\xc3\xa9", "arr_0", "arr_10"};
    bool is_seen[NDP_ARRAY_LEN(names)] = {false}, is_empty_seen = false, is_single_seen = false, are_many_seen = false;
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated;
        generate_case(&arena, i, &generated);
        const struct ndp_graph *graph = generated.value.graph;
        const uint32_t count = count_members(graph);
        is_empty_seen = is_empty_seen || count == 0;
        is_single_seen = is_single_seen || count == 1;
        are_many_seen = are_many_seen || count > 10;
        for (uint32_t k = 0; k < count; k++)
            for (size_t n = 0; n < NDP_ARRAY_LEN(names); n++)
                is_seen[n] = is_seen[n] || ndp_bytes_is_word(name_of(graph, k), names[n]);
        ndp_arena_clear(&arena);
    }
    assert_true(is_empty_seen && is_single_seen && are_many_seen);
    for (size_t n = 0; n < NDP_ARRAY_LEN(names); n++)
        if (!is_seen[n]) fail_msg("no member is called '%s'", names[n]);
}

static void members_without_names_are_numbered(void **state) {
    for (uint64_t i = 0; i < CASES / 10; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated;
        generate_case_of(&arena, i, true, &generated);
        const struct ndp_graph *graph = generated.value.graph;
        for (uint32_t k = 0; k < count_members(graph); k++) {
            char text[16];
            snprintf(text, sizeof text, "arr_%u", (unsigned)k);
            assert_true(ndp_bytes_is_word(name_of(graph, k), text));
        }
        ndp_arena_clear(&arena);
    }
}

/* Counts the relations of each member to the one before. */
static void members_resemble_each_other(void **state) {
    uint32_t same = 0, equal = 0, alike = 0, other = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_arena arena;
        struct ndp_descriptor generated;
        generate_case(&arena, i, &generated);
        const struct ndp_graph *graph = generated.value.graph;
        for (uint32_t k = 1; k < count_members(graph); k++) {
            const struct ndp_node *one = array_of(graph, k - 1), *two = array_of(graph, k);
            const struct ndp_data *left = &one->array.base.data, *right = &two->array.base.data;
            const bool has_data = left->pattern == right->pattern && left->seed == right->seed;
            if (one == two)
                same++;
            else if (one->array.base.dtype != two->array.base.dtype || one->array.base.shape != two->array.base.shape)
                other++;
            else if (has_data)
                equal++;
            else
                alike++;
        }
        ndp_arena_clear(&arena);
    }
    assert_true(same > CASES / 10);
    assert_true(equal > CASES / 10);
    assert_true(alike > CASES / 10);
    assert_true(other > CASES / 10);
}

static void an_archive_is_shrunk_to_one_small_member(void **state) {
    struct ndp_arena arena;
    struct ndp_descriptor now, next;
    bool is_done = false;
    generate_case(&arena, 3, &now);
    for (uint32_t step = 0; !is_done && count_members(now.value.graph) > 1; step++) {
        assert_int_equal(ndp_shrink_step(&arena, &now, step, &next, &is_done), NDP_OK);
        if (is_done || (ndp_graph_features(next.value.graph) & NDP_GRAPH_MEMBERS) == 0 ||
            count_members(next.value.graph) == 0)
            continue;
        now = next;
        step = UINT32_MAX;
    }
    assert_int_equal(count_members(now.value.graph), 1);
    ndp_arena_clear(&arena);
}

NDP_SUITE(generate_members_test, NDP_TEST(archives_are_valid_and_have_different_names),
          NDP_TEST(archives_have_all_kinds_of_names_and_counts), NDP_TEST(members_without_names_are_numbered),
          NDP_TEST(members_resemble_each_other), NDP_TEST(an_archive_is_shrunk_to_one_small_member));
