#include "judge/array_counted.h"

#include "base/suite.h"
#include "generate/generate.h"
#include "runtime/hits_fixture.h"

enum { ARRAYS = 8192 };

/* Of arrays that are right nothing is found, and every feature was had and not had by some. */
static void features_hold(void **state) {
    (void)state;
    const struct ndp_generate_limits limits = {.value_bytes = 256};
    uint32_t judged = 0, had = 0, all = UINT32_MAX;
    for (uint64_t seed = 0; seed < ARRAYS; seed++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        struct ndp_choices choices;
        struct ndp_value value;
        struct ndp_array array;

        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
        const uint64_t before = fuzz_hits();
        if (value.kind == NDP_VALUE_ARRAY) judged += fuzz_check_array_features(&arena, &value.array);
        if (fuzz_hits() != before) fail_msg("array %u", (unsigned)seed);
        if (value.kind == NDP_VALUE_ARRAY && ndp_array_build(&arena, &value.array, true, &array, NULL) == NDP_OK) {
            had |= ndp_array_features(&array);
            all &= ndp_array_features(&array);
        }
        ndp_arena_clear(&arena);
    }
    assert_true(judged > ARRAYS / 4);
    assert_int_equal(all, 0);
    /* No header is drawn that is as long as those that numpy.load refuses. */
    assert_int_equal(had | NDP_FEATURE_LONG_HEADER, (UINT64_C(1) << NDP_FEATURE_COUNT) - 1);
}

NDP_SUITE(array_counted_test, cmocka_unit_test(features_hold));
