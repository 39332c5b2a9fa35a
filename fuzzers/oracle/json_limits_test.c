/* Counted by hand: levels are brackets in each other (RFC 8259), values are all that stands where a value may. */
#include "base/suite.h"
#include "oracle/json_limits.h"
#include "runtime/hits_fixture.h"

static void levels_and_values_are_counted(void **state) {
    static const struct {
        const char *text;
        uint32_t depth;
        uint64_t values;
    } rows[] = {
        {"1", 0, 1},
        {"{}", 1, 1},
        {"[ ]", 1, 1},
        {"[[], {}]", 2, 3},
        {"{\"a\": 1, \"b\": [2, {\"c\": null}]}", 3, 6},
        {"[\"[,{\\\"[\", \"\\\\\", 1]", 1, 4},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_describe_limits counts = fuzz_json_counts(ndp_bytes_view(rows[i].text));
        if (counts.depth != rows[i].depth || counts.values != rows[i].values) fail_msg("row %zu", i);
        assert_int_equal(counts.text_bytes, strlen(rows[i].text));
    }
}

static void limits_are_met_and_no_less(void **state) {
    static const char *const texts[] = {"{}", "{\"ndproof\":1}",
                                        "{\"value\": {\"array\": {\"base\": {\"shape\": [2, 3]}, \"views\": [ ]}}}"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        for (uint64_t pick = 0; pick < 12; pick++) {
            const uint64_t before = fuzz_hits();
            fuzz_check_json_limits(ndp_bytes_view(texts[i]), pick);
            if (fuzz_hits() != before) fail_msg("text %zu, pick %u", i, (unsigned)pick);
        }
    }
}

NDP_SUITE(json_limits_test, cmocka_unit_test(levels_and_values_are_counted),
          cmocka_unit_test(limits_are_met_and_no_less));
