#include "judge/flags_again.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "describe/generate.h"
#include "model/array.h"
#include "runtime/hits_fixture.h"

enum { ARRAYS = 4096, PICKS = 4 };

/* Of arrays that are right nothing is found. */
static void flags_and_seeds_hold(void **state) {
    (void)state;
    const struct ndp_generate_limits limits = {.value_bytes = 256};
    uint32_t judged = 0, seeds = 0;
    for (uint64_t seed = 0; seed < ARRAYS; seed++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 26};
        struct ndp_choices choices;
        struct ndp_value value;

        ndp_choices_init_seed(&choices, seed);
        assert_int_equal(ndp_generate_value(&arena, &choices, &limits, &value), NDP_OK);
        const uint64_t before = fuzz_hits();
        for (uint64_t pick = 0; pick < PICKS && value.kind == NDP_VALUE_ARRAY; pick++)
            seeds += fuzz_check_seed(&arena, &value.array, 64 / PICKS * pick + seed % (64 / PICKS));
        if (value.kind == NDP_VALUE_ARRAY) judged += fuzz_check_flags(&arena, &value.array);
        if (fuzz_hits() != before) fail_msg("array %u", (unsigned)seed);
        ndp_arena_clear(&arena);
    }
    assert_true(judged > ARRAYS / 4);
    assert_true(seeds > ARRAYS / 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flags_and_seeds_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
