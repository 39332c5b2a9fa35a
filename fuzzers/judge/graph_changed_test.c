#include "judge/graph_changed.h"

#include "base/suite.h"
#include "generate/generate.h"
#include "runtime/hits_fixture.h"

enum { GRAPHS = 128, PICKS = 16 };

/* Of a comparison that is right nothing is found, whatever is changed. */
static void every_change_is_told(void **state) {
    (void)state;
    uint32_t judged = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        struct ndp_choices choices;
        struct ndp_value value;
        struct ndp_graph expected;
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_graph(&arena, &choices, &value), NDP_OK);
        assert_int_equal(ndp_graph_expect(&arena, value.graph, true, &expected, NULL), NDP_OK);
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS; pick++) judged += fuzz_check_graph_changed(&arena, &expected, pick);
        if (fuzz_hits() != before) fail_msg("graph %u", (unsigned)seed);
        ndp_arena_clear(&arena);
    }
    assert_true(judged > GRAPHS * PICKS);
}

/* A list has an identity, an integer has none. */
static void an_object_in_two_pairs_is_seen(void **state) {
    (void)state;
    struct ndp_node nodes[] = {{.kind = NDP_NODE_LIST}, {.kind = NDP_NODE_INT}, {.kind = NDP_NODE_LIST}};
    const struct ndp_graph graph = {0, NDP_ARRAY_LEN(nodes), nodes};
    struct ndp_graph_pair pairs[] = {{0, 0}, {1, 1}, {2, 1}, {0, 2}, {1, 2}};
    struct ndp_graph_match match = {.pairs = pairs, .pair_count = 4};
    assert_true(fuzz_is_paired_once(&match, &graph));
    match.pair_count = 5;
    assert_false(fuzz_is_paired_once(&match, &graph));
}

NDP_SUITE(graph_changed_test, cmocka_unit_test(every_change_is_told), cmocka_unit_test(an_object_in_two_pairs_is_seen));
