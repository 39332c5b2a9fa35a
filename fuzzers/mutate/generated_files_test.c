/* generated_files_test.c: the reference decodes every generated file, of arrays and graphs of every kind that a pickle
 * can contain. */
#include "base/suite.h"
#include "codec/pickle/pickle_codec.h"
#include "codec/pickle/pickle_graph.h"
#include "mutate/generated_files.h"

enum { SEEDS = 2000, MOST_BYTES = 1 << 20, CALLS = 400 };

static void test_generated_arrays_are_decoded(void **state) {
    uint32_t made = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
        struct ndp_buffer out = {.max_bytes = MOST_BYTES};
        struct ndp_choices choices;
        struct ndp_pickle_array array = {0};
        ndp_choices_init_seed(&choices, seed);
        if (fuzz_generate_pickle(&arena, &choices, &out) == NDP_OK) {
            assert_int_equal(ndp_pickle_codec_decode_memory(&arena, ndp_buffer_view(&out), NULL, &array, NULL), NDP_OK);
            made++;
        }
        ndp_pickle_codec_array_clear(&array);
        ndp_buffer_clear(&out);
        ndp_arena_clear(&arena);
    }
    assert_true(made * 10 > SEEDS * 9);
}

static void test_generated_graphs_have_many_kinds(void **state) {
    static const enum ndp_node_kind wanted[] = {NDP_NODE_NONE, NDP_NODE_LIST, NDP_NODE_TUPLE, NDP_NODE_DICT,
                                                NDP_NODE_INT,  NDP_NODE_TEXT, NDP_NODE_ARRAY, NDP_NODE_OBJECTS};
    uint32_t made = 0, seen[NDP_NODE_COUNT] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
        struct ndp_buffer out = {.max_bytes = MOST_BYTES};
        struct ndp_choices choices;
        struct ndp_graph graph = {0};
        ndp_choices_init_seed(&choices, seed);
        if (fuzz_generate_graph(&arena, &choices, &out) == NDP_OK) {
            assert_int_equal(ndp_pickle_graph_decode(&arena, ndp_buffer_view(&out), &graph, NULL), NDP_OK);
            made++;
        }
        for (uint32_t i = 0; i < graph.count; i++) seen[graph.nodes[i].kind]++;
        ndp_buffer_clear(&out);
        ndp_arena_clear(&arena);
    }
    assert_true(made * 2 > SEEDS);
    for (size_t i = 0; i < NDP_ARRAY_LEN(wanted); i++)
        if (seen[wanted[i]] == 0) fail_msg("%s", ndp_graph_words_node(wanted[i]));
}

static void test_failed_allocations_are_reported(void **state) {
    for (uint64_t call = 1; call < CALLS; call++) {
        struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 26};
        struct ndp_buffer out = {.max_bytes = MOST_BYTES};
        struct ndp_choices choices;
        ndp_choices_init_seed(&choices, call % 8);
        ndp_arena_fail_at(&arena, call);
        const enum ndp_status status = fuzz_generate_graph(&arena, &choices, &out);
        assert_true(status == NDP_NOMEM || status == NDP_UNSUPPORTED || (status == NDP_OK && arena.fail_at > 0));
        ndp_buffer_clear(&out);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(generated_files_test, NDP_TEST(test_generated_arrays_are_decoded),
          NDP_TEST(test_generated_graphs_have_many_kinds), NDP_TEST(test_failed_allocations_are_reported));
