#include "judge/view_again.h"

#include "base/suite.h"
#include "generate/generate.h"
#include "model/array.h"
#include "runtime/hits_fixture.h"

enum { ARRAYS = 4096, PICKS = 4 };

/* Of views that are right nothing is found. */
static void elements_lie_where_views_lead(void **state) {
    (void)state;
    const struct ndp_generate_limits limits = {.value_bytes = 256};
    uint32_t judged = 0;
    for (uint64_t seed = 0; seed < ARRAYS; seed++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        struct ndp_choices choices;
        struct ndp_value value;

        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS && value.kind == NDP_VALUE_ARRAY; pick++)
            judged += fuzz_check_views(&arena, &value.array, pick);
        if (fuzz_hits() != before) fail_msg("array %u", (unsigned)seed);
        ndp_arena_clear(&arena);
    }
    assert_true(judged > ARRAYS * PICKS / 8);
}

NDP_SUITE(view_again_test, cmocka_unit_test(elements_lie_where_views_lead));
