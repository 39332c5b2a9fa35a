#include "base/suite.h"
#include "report/baseline_untested.h"
#include "report/report_sample.h"

#define CASE(encoder, decoder)                                                                                         \
    ",\"descriptor\":{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\">f8\",\"shape\":[3]}}},\"route\":{"    \
    "\"format\":\"npy\",\"encoder\":\"" encoder "\",\"decoder\":\"" decoder "\"}}"
#define ENTRY(pattern, more) "{\"pattern\":\"" pattern "\",\"reason\":\"r\"" more "}"

/* The sample has compared reference and numpy, and its target numpy@old is not available. */
static const struct {
    const char *entry;
    bool is_replayed;
    const char *reason; /* NULL: no item */
} rows[] = {
    {ENTRY("p", CASE("numpy", "reference")), false, NULL}, /* not generated */
    {ENTRY("p", CASE("numpy", "reference")), true, "its replay compared nothing"},
    {ENTRY("p", CASE("numpy@old", "reference")), false, NULL}, /* another release of the library was compared */
    {ENTRY("p", CASE("numba", "reference")), false, "numba was not compared"},
    {ENTRY("p", CASE("reference", "numba")), true, "numba was not compared"},
    {ENTRY("p", CASE("", "")), false, NULL},
    {ENTRY("DIVERGES|*|numpy", ""), true, NULL}, /* it cannot be replayed */
    {ENTRY("DIVERGES|*|cudf", ""), false, "cudf was not compared"},
    {ENTRY("DIVERGES|*|cud", ""), false, NULL},
};

static void untested_entries_are_items(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char text[1024];
        struct ndp_report report;
        struct ndp_baseline baseline;
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        sample_report(&report);
        snprintf(text, sizeof text, "{\"schema\":2,\"entries\":[%s]}", rows[i].entry);
        if (ndp_baseline_read(&arena, "b", ndp_bytes_view(text), &baseline, &error) != NDP_OK)
            fail_msg("%s", error.text);
        ndp_baseline_apply(&baseline, &report, "2026-06-01");
        /* The second call replaces the items of the first. */
        for (int round = 0; round < 2; round++)
            assert_int_equal(ndp_baseline_untested_list(&baseline, rows[i].is_replayed, &report), NDP_OK);
        const struct ndp_untested *item =
            ndp_untested_find(&report.untested, NDP_UNTESTED_BASELINE, ndp_baseline_name(&baseline.entries[0]));
        if ((item == NULL) != (rows[i].reason == NULL) ||
            (item != NULL && (strcmp(item->reason, rows[i].reason) != 0 || !ndp_untested_gates(item))))
            fail_msg("row %d: %s", (int)i, item != NULL ? item->reason : "no item");
        assert_int_equal(ndp_baseline_untested_list(NULL, true, &report), NDP_OK);
        assert_int_equal(report.untested.count, 1);
        ndp_report_clear(&report);
    }
}

NDP_SUITE(baseline_untested_test, NDP_TEST(untested_entries_are_items));
