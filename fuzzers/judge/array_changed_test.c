#include "judge/array_changed.h"

#include "base/suite.h"
#include "generate/generate.h"
#include "model/array.h"
#include "runtime/hits_fixture.h"

enum { ARRAYS = 512, PICKS = 64 };

/* Of a comparison that is right nothing is found, whatever is changed. */
static void every_change_is_told(void **state) {
    (void)state;
    const struct ndp_generate_limits limits = {.value_bytes = 256};
    uint32_t judged = 0;
    for (uint64_t seed = 0; seed < ARRAYS; seed++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        struct ndp_choices choices;
        struct ndp_value value;
        struct ndp_array array;
        struct ndp_observation seen;
        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
        if (value.kind == NDP_VALUE_ARRAY && ndp_array_build(&arena, &value.array, true, &array, NULL) == NDP_OK &&
            ndp_array_observe(&arena, &array, &seen) == NDP_OK) {
            const uint64_t before = fuzz_hits();
            for (uint64_t pick = 0; pick < PICKS; pick++) judged += fuzz_check_array_changed(&seen, pick * 37);
            if (fuzz_hits() != before) fail_msg("array %u", (unsigned)seed);
        }
        ndp_arena_clear(&arena);
    }
    assert_true(judged > ARRAYS * PICKS / 2);
}

NDP_SUITE(array_changed_test, cmocka_unit_test(every_change_is_told));
