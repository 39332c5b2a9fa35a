#include "base/suite.h"
#include "report/report.h"
#include "report/report_sample.h"

static const struct ndp_report_run run = {.version = "1", .commit = "c"};

static void test_cells(void **state) {
    struct ndp_report report;
    const struct ndp_route route = sample_route("npy");
    static const enum ndp_verdict verdicts[] = {NDP_VERDICT_PASS,    NDP_VERDICT_PASS,        NDP_VERDICT_DIVERGES,
                                                NDP_VERDICT_REJECTS, NDP_VERDICT_UNSUPPORTED, NDP_VERDICT_CRASH,
                                                NDP_VERDICT_TIMEOUT, NDP_VERDICT_OOM,         NDP_VERDICT_FAULT};
    assert_int_equal(ndp_report_init(&report, &run), NDP_OK);
    for (size_t i = 0; i < NDP_ARRAY_LEN(verdicts); i++) {
        /* The second pass compared nothing and is not counted. */
        uint64_t comparisons = i == 1 ? 0 : 5;
        struct ndp_result result = {.verdict = verdicts[i], .comparisons = comparisons};
        result.by_property[2].is_judged = true;
        result.by_property[2].verdict = verdicts[i];
        result.by_property[2].comparisons = comparisons;
        assert_int_equal(ndp_report_add_result(&report, &route, &result), NDP_OK);
    }
    assert_int_equal(report.route_count, 1);
    const struct ndp_cell *cell = &report.routes[0].cells[2];
    assert_int_equal(cell->pass, 1);
    assert_int_equal(cell->diverges, 1);
    assert_int_equal(cell->rejects, 1);
    assert_int_equal(cell->unsupported, 1);
    assert_int_equal(report.cases, NDP_ARRAY_LEN(verdicts));
    assert_int_equal(report.faults, 1);
    ndp_report_clear(&report);
}

/* The offset belongs to the case, not to the route. */
static void test_routes(void **state) {
    struct ndp_report report;
    const struct ndp_result result = {.verdict = NDP_VERDICT_PASS};
    assert_int_equal(ndp_report_init(&report, &run), NDP_OK);
    for (uint64_t i = 0; i < 6; i++) {
        struct ndp_route route = sample_route(i % 2 == 0 ? "raw" : "npy");
        route.offset_bytes = i;
        assert_int_equal(ndp_report_add_result(&report, &route, &result), NDP_OK);
    }
    assert_int_equal(report.route_count, 2);
    assert_string_equal(report.routes[0].route, "numpy>reference raw:file>mmap:r");
    assert_string_equal(report.routes[1].format, "npy");
    ndp_report_clear(&report);
}

static void test_routes_are_bounded(void **state) {
    struct ndp_report report;
    const struct ndp_result result = {.verdict = NDP_VERDICT_PASS};
    assert_int_equal(ndp_report_init(&report, &run), NDP_OK);
    for (int i = 0; i < NDP_MAX_REPORT_ROUTES + 10; i++) {
        struct ndp_route route = sample_route("npy");
        snprintf(route.encoder, sizeof route.encoder, "t%d", i);
        assert_int_equal(ndp_report_add_result(&report, &route, &result), NDP_OK);
    }
    assert_int_equal(report.route_count, NDP_MAX_REPORT_ROUTES);
    assert_int_equal(report.cases, NDP_MAX_REPORT_ROUTES + 10);
    ndp_report_clear(&report);
}

static void test_targets(void **state) {
    struct ndp_report report;
    struct ndp_target target = {.info = {.name = "numpy"}};
    assert_int_equal(ndp_report_init(&report, &run), NDP_OK);
    ndp_report_add_missing_target(&report, "numpy", "");
    assert_true(report.targets[0].unavailable[0] != '\0');
    ndp_report_target(&report, &target);
    target.counts.crashes = 4;
    ndp_report_target(&report, &target);
    assert_int_equal(report.target_count, 1);
    assert_int_equal(report.targets[0].crashes, 4);
    assert_string_equal(report.targets[0].unavailable, "");
    for (int i = 0; i < 2 * NDP_MAX_REPORT_TARGETS; i++) {
        char name[NDP_WORD_BYTES];
        snprintf(name, sizeof name, "t%d", i);
        ndp_report_add_missing_target(&report, name, "reason");
    }
    assert_int_equal(report.target_count, NDP_MAX_REPORT_TARGETS);
    ndp_report_clear(&report);
}

/* The ends of the sample's routes: numpy writes, reference reads. */
static void test_targets_count_comparisons(void **state) {
    struct ndp_report report;
    sample_report(&report);
    const struct ndp_report_target *reference = &report.targets[0], *numpy = &report.targets[1];
    assert_int_equal(reference->comparisons, 200);
    assert_int_equal(numpy->comparisons, 200);
    /* A decoder that reads nothing compares nothing, and a crash is evidence about both. */
    const struct ndp_route route = sample_route("npy");
    const struct ndp_result unread = {.verdict = NDP_VERDICT_UNSUPPORTED, .is_unread = true, .comparisons = 3};
    const struct ndp_result crash = {.verdict = NDP_VERDICT_CRASH, .divergence_count = 1};
    assert_int_equal(ndp_report_add_result(&report, &route, &unread), NDP_OK);
    assert_int_equal(reference->comparisons, 200);
    assert_int_equal(numpy->comparisons, 203);
    assert_int_equal(ndp_report_add_result(&report, &route, &crash), NDP_OK);
    assert_int_equal(reference->comparisons, 201);
    assert_int_equal(reference->cases, 22);
    assert_int_equal(report.targets[2].cases, 0);
    ndp_report_clear(&report);
}

/* The comparisons of an unsupported property fill no floor. */
static void test_unsupported_fills_no_floor(void **state) {
    struct ndp_report report;
    const struct ndp_route route = sample_route("npy");
    struct ndp_result result = {.verdict = NDP_VERDICT_UNSUPPORTED};
    result.by_property[0].is_judged = true;
    result.by_property[0].verdict = NDP_VERDICT_UNSUPPORTED;
    result.by_property[0].comparisons = 5;
    assert_int_equal(ndp_report_init(&report, &run), NDP_OK);
    ndp_report_add_floor(&report, NDP_FLOOR_FORMAT, "npy", 1);
    assert_int_equal(ndp_report_add_result(&report, &route, &result), NDP_OK);
    ndp_report_fill_floors(&report);
    assert_int_equal(report.floors[0].done, 0);
    assert_int_equal(report.routes[0].cells[0].unsupported, 1);
    ndp_report_clear(&report);
}

static void test_floors(void **state) {
    struct ndp_report report;
    sample_report(&report);
    assert_int_equal(report.floors[0].done, 20);
    assert_int_equal(report.floors[1].done, 100);
    assert_int_equal(report.floors[2].done, 200);
    ndp_report_clear(&report);
}

static void test_findings_are_bounded(void **state) {
    struct ndp_report report;
    sample_report(&report);
    for (int i = 0; i < NDP_MAX_FINDINGS + 3; i++) {
        char signature[32];
        snprintf(signature, sizeof signature, "finding %d", i);
        sample_finding(&report, signature, NDP_SEVERITY_DEFECT, 3);
    }
    assert_int_equal(report.findings.count, NDP_MAX_FINDINGS);
    assert_int_equal(report.findings.dropped, 3);
    ndp_report_clear(&report);
}

/* Expected: CPython 3.11, bytes.decode("utf-8", "replace"), with one '?' for each replaced byte. */
static void test_clean_text(void **state) {
    const struct {
        struct ndp_bytes text;
        const char *clean;
    } rows[] = {
        {{(const uint8_t *)"", 0}, ""},
        {{(const uint8_t *)"a\0b", 3}, "a?b"},
        {{(const uint8_t *)"\xff\xc3\xa9\xc3", 4}, "?\xc3\xa9?"},
        {{(const uint8_t *)"\xed\xa0\x80.", 4}, "???."},
        {{(const uint8_t *)"\xf0\x9f\x98", 3}, "???"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_bytes clean = {NULL, 0};
        NDP_ARENA_SCOPED(arena, 1000);
        assert_int_equal(ndp_report_finding_clean_text(&arena, rows[i].text, &clean), NDP_OK);
        assert_true(ndp_bytes_is_equal(clean, ndp_bytes_view(rows[i].clean)));
    }
}

NDP_SUITE(report_test, NDP_TEST(test_cells), NDP_TEST(test_routes), NDP_TEST(test_routes_are_bounded),
          NDP_TEST(test_targets), NDP_TEST(test_floors), NDP_TEST(test_targets_count_comparisons),
          NDP_TEST(test_unsupported_fills_no_floor), NDP_TEST(test_findings_are_bounded), NDP_TEST(test_clean_text));
