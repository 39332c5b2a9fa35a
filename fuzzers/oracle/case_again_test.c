/* Cases that are drawn are those that the reader takes or refuses. */
#include "oracle/case_again.h"

#include <stdio.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

enum { CASES = 4096 };

static void right_cases_are_found_right(void **state) {
    (void)state;
    static const char *const froms[] = {"{}", "{\"value\":{\"graph\":{\"nodes\":[{\"list\":[0]}]}}}"};
    const uint64_t before = fuzz_hits();
    for (uint32_t i = 0; i < CASES; i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_descriptor from;
        char text[16];
        const struct ndp_bytes bytes = ndp_bytes_view(froms[i % NDP_ARRAY_LEN(froms)]);
        assert_int_equal(ndp_descriptor_read(&arena, bytes, &ndp_describe_default_limits, &from, NULL), NDP_OK);
        snprintf(text, sizeof text, "%u", (unsigned)i);
        fuzz_check_case(&from, ndp_bytes_view(text));
        if (fuzz_hits() != before) fail_msg("case %u", (unsigned)i);
        ndp_arena_clear(&arena);
    }
}

/* All that may be drawn is. */
static void everything_is_drawn(void **state) {
    (void)state;
    struct ndp_descriptor from = {.kind = NDP_CASE_ROUND_TRIP}, drawn;
    uint32_t transports = 0, relays = 0, files = 0, faults = 0, dicts = 0, arrays = 0, bad = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        bool is_bad;
        assert_true(fuzz_draw_case(&arena, &from, i, &drawn, &is_bad));
        transports += drawn.route.is_transport;
        relays += drawn.route.is_relayed;
        files += drawn.file[0] != '\0';
        faults += drawn.fault.name[0] != '\0';
        dicts += drawn.value.kind == NDP_VALUE_DICT;
        arrays += drawn.value.array.view_count > 0;
        bad += is_bad;
        ndp_arena_clear(&arena);
    }
    const uint32_t least = CASES / 16;
    assert_true(transports > least && relays > least && files > least && faults > least);
    assert_true(dicts > least && arrays > least && bad > least);
}

NDP_SUITE(case_again_test, cmocka_unit_test(right_cases_are_found_right), cmocka_unit_test(everything_is_drawn));
