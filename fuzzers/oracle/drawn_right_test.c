/* What is drawn is found right, and what was not asked for is not. */
#include "oracle/drawn_right.h"

#include <stdio.h>

#include "base/rng.h"
#include "base/suite.h"
#include "generate/generate.h"
#include "runtime/hits_fixture.h"

enum { CASES = 4096, BYTES = 512 };

static void read_text(struct ndp_arena *arena, const char *text, struct ndp_descriptor *out) {
    const struct ndp_bytes bytes = ndp_bytes_view(text);
    assert_int_equal(ndp_descriptor_read(arena, bytes, &ndp_describe_default_limits, out, NULL), NDP_OK);
}

static void right_draws_are_found_right(void **state) {
    (void)state;
    static const char *const froms[] = {
        "{}",
        "{\"value\":{\"graph\":{\"nodes\":[{\"list\":[1,1]},{\"int\":\"7\"}]}}}",
        "{\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[6,5,1,40]},\"views\":[{\"transpose\":[1,0,2,3]}]"
        "}}}",
    };
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct ndp_descriptor from;
    uint8_t bytes[BYTES];
    struct ndp_rng rng;
    ndp_rng_init(&rng, 1);
    for (uint32_t i = 0; i < CASES; i++) {
        for (size_t k = 0; k < BYTES; k++) bytes[k] = (uint8_t)ndp_rng_next(&rng);
        const bool has_from = i % 5 < NDP_ARRAY_LEN(froms);
        if (has_from) read_text(&arena, froms[i % 5], &from);
        fuzz_check_draws(has_from ? &from : NULL, (struct ndp_bytes){bytes, ndp_rng_next(&rng) % BYTES},
                         ndp_rng_next(&rng));
        if (fuzz_hits() > 0) fail_msg("case %u", (unsigned)i);
        ndp_arena_reset(&arena);
    }
    ndp_arena_clear(&arena);
}

/* What cannot be built is changed into what cannot be built. */
static void what_cannot_be_built_is_found(void **state) {
    (void)state;
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct ndp_descriptor from;
    read_text(&arena,
              "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[6]},\"views\":[{\"reshape\":[7]}]}}}",
              &from);
    assert_int_not_equal(ndp_descriptor_check(&arena, &from, NULL), NDP_OK);
    const int loud = be_quiet();
    const uint64_t before = fuzz_hits();
    for (uint32_t i = 0; i < 64; i++) fuzz_check_draws(&from, (struct ndp_bytes){NULL, 0}, i);
    be_loud(loud);
    assert_true(fuzz_hits() > before);
    ndp_arena_clear(&arena);
}

NDP_SUITE(drawn_right_test, cmocka_unit_test(right_draws_are_found_right),
          cmocka_unit_test(what_cannot_be_built_is_found));
