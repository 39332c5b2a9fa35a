#include "judge/other_value.h"

#include "base/suite.h"
#include "generate/generate.h"
#include "runtime/hits_fixture.h"

enum { GRAPHS = 128, PICKS = 16 };

/* Of a model that is right nothing is found. */
static void nothing_is_wrong_with_what_is_right(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        struct ndp_choices choices;
        struct ndp_value value;
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_graph(&arena, &choices, &value), NDP_OK);
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS; pick++) fuzz_check_value(&value, pick);
        if (fuzz_hits() != before) fail_msg("graph %u", (unsigned)seed);
        ndp_arena_clear(&arena);
    }
}

NDP_SUITE(other_value_test, cmocka_unit_test(nothing_is_wrong_with_what_is_right));
