#include "base/suite.h"
#include "report/report_finding.h"

static const struct ndp_divergence death = {
    .verdict = NDP_VERDICT_TIMEOUT,
    .route = {.format = "pickle", .encode = "c", .decode = "c", .encoder = "a", .decoder = "b", .offset_bytes = 5},
    .signature = {.verdict = NDP_VERDICT_TIMEOUT, .outlier = "numpy"}};

static enum ndp_status fill(struct ndp_arena *arena, struct ndp_bytes tail, uint32_t hits,
                            struct ndp_report_finding *out) {
    const struct ndp_result result = {.stderr_tail = tail};
    const struct ndp_finding found = {.divergence = &death,
                                      .descriptor = {(const uint8_t *)"{}", 2},
                                      .first_case = 9,
                                      .confirm_runs = 3,
                                      .confirm_hits = hits,
                                      .result = &result};
    return ndp_report_finding_fill(arena, &found, "replay", out);
}

static void test_death(void **state) {
    struct ndp_report_finding finding;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    assert_int_equal(fill(&arena, (struct ndp_bytes){NULL, 0}, 3, &finding), NDP_OK);
    assert_int_equal(finding.kind, NDP_VERDICT_TIMEOUT);
    assert_int_equal(finding.severity, NDP_SEVERITY_DEFECT);
    assert_int_equal(finding.status, NDP_FINDING_NEW);
    assert_string_equal(finding.property, "");
    assert_string_equal(finding.route, "a>b pickle0:c>c");
    assert_int_equal(finding.count, 1);
    assert_int_equal(finding.first_case, 9);
    assert_true(ndp_bytes_is_equal(finding.observations, ndp_bytes_view("{}")));
    assert_int_equal(fill(&arena, (struct ndp_bytes){NULL, 0}, 0, &finding), NDP_OK);
    assert_int_equal(finding.status, NDP_FINDING_FLAKY);
}

/* The end of the output is kept. */
static void test_tail_is_bounded(void **state) {
    static uint8_t tail[10000];
    struct ndp_report_finding finding;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    memset(tail, 'x', sizeof tail);
    tail[sizeof tail - 1] = 'e';
    assert_int_equal(fill(&arena, (struct ndp_bytes){tail, sizeof tail}, 3, &finding), NDP_OK);
    assert_int_equal(finding.stderr_tail.size_bytes, 4096);
    assert_int_equal(finding.stderr_tail.data[4095], 'e');
}

static void test_fail_nth_allocation(void **state) {
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 1;
    for (; status != NDP_OK && call < 100; call++) {
        struct ndp_report_finding finding = {.count = 99};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_arena_fail_at(&arena, call);
        status = fill(&arena, (struct ndp_bytes){(const uint8_t *)"x", 1}, 3, &finding);
        if (status != NDP_OK) {
            assert_int_equal(status, NDP_NOMEM);
            assert_int_equal(finding.count, 99);
        }
    }
    assert_int_equal(status, NDP_OK);
    assert_true(call > 4);
}

static void test_list(void **state) {
    struct ndp_report_findings findings = {.items = NULL};
    assert_null(ndp_report_findings_find(&findings, ""));
    for (int i = 0; i < 40; i++) {
        struct ndp_report_finding finding = {.first_case = (uint64_t)i};
        snprintf(finding.signature, sizeof finding.signature, "s%d", i);
        assert_int_equal(ndp_report_findings_add(&findings, &finding), NDP_OK);
        assert_int_equal(ndp_report_findings_add(&findings, &finding), NDP_INVALID);
    }
    assert_int_equal(findings.count, 40);
    assert_int_equal(ndp_report_findings_find(&findings, "s39")->first_case, 39);
    assert_null(ndp_report_findings_find(&findings, "s40"));
    ndp_report_findings_clear(&findings);
    assert_int_equal(findings.count, 0);
}

NDP_SUITE(report_finding_test, NDP_TEST(test_death), NDP_TEST(test_tail_is_bounded), NDP_TEST(test_fail_nth_allocation),
          NDP_TEST(test_list));
