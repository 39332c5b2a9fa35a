#include "judge/graph_spoilt.h"

#include "base/suite.h"
#include "generate/generate.h"
#include "runtime/hits_fixture.h"

enum { GRAPHS = 128, PICKS = 16 };

/* Of a check that is right nothing is found, however a graph is spoilt. */
static void what_nobody_builds_is_refused(void **state) {
    (void)state;
    uint32_t judged = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        struct ndp_choices choices;
        struct ndp_value value;
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_graph(&arena, &choices, &value), NDP_OK);
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS; pick++) judged += fuzz_check_graph_spoilt(&arena, value.graph, pick);
        if (fuzz_hits() != before) fail_msg("graph %u", (unsigned)seed);
        ndp_arena_clear(&arena);
    }
    assert_true(judged > GRAPHS * PICKS);
}

NDP_SUITE(graph_spoilt_test, cmocka_unit_test(what_nobody_builds_is_refused));
