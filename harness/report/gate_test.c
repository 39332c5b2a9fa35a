#include "base/suite.h"
#include "report/gate.h"
#include "report/report_sample.h"

/* Problems of a run, one bit each. */
enum problem {
    FAULTY = 1 << 0,
    DEFECT = 1 << 1,
    STALE = 1 << 2,
    VACUOUS = 1 << 3,
    FLAKY = 1 << 4,
    LOSS = 1 << 5,
    HAZARD = 1 << 6,
    FLAKY_LOSS = 1 << 7,
    KILLED = 1 << 8,
    ACCEPTED = 1 << 9,
    EXPIRED = 1 << 10
};

static const char baseline_text[] =
    "{\"schema\":2,\"entries\":["
    "{\"pattern\":\"gone\",\"reason\":\"r\",\"link\":\"l\",\"descriptor\":" SAMPLE_DESCRIPTOR "}]}";

static const char accepting_text[] = "{\"schema\":2,\"entries\":["
                                     "{\"pattern\":\"accepted\",\"reason\":\"r\",\"link\":\"l\",\"expires\":\"2026-"
                                     "01-31\",\"descriptor\":" SAMPLE_DESCRIPTOR "}]}";

static enum ndp_exit judge_run_with(uint32_t problems, struct ndp_gate *gate) {
    struct ndp_report report;
    struct ndp_baseline baseline;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    sample_report(&report);
    if ((problems & FAULTY) != 0) report.faults = 1;
    if ((problems & KILLED) != 0) report.stop = NDP_REPORT_STOP_RUNNING;
    if ((problems & DEFECT) != 0) sample_finding(&report, "defect", NDP_SEVERITY_DEFECT, 3);
    if ((problems & FLAKY) != 0) sample_finding(&report, "flaky", NDP_SEVERITY_DEFECT, 2);
    if ((problems & LOSS) != 0) sample_finding(&report, "loss", NDP_SEVERITY_DOCUMENTED_LOSS, 3);
    if ((problems & HAZARD) != 0) sample_finding(&report, "hazard", NDP_SEVERITY_HAZARD, 3);
    if ((problems & FLAKY_LOSS) != 0) sample_finding(&report, "flaky loss", NDP_SEVERITY_DOCUMENTED_LOSS, 0);
    if ((problems & (ACCEPTED | EXPIRED)) != 0) sample_finding(&report, "accepted", NDP_SEVERITY_DEFECT, 3);
    if ((problems & VACUOUS) != 0) report.floors[1].least = 101;
    const char *text = (problems & STALE) != 0 ? baseline_text : accepting_text;
    bool has_baseline = (problems & (STALE | ACCEPTED | EXPIRED)) != 0;
    if (has_baseline) {
        assert_int_equal(ndp_baseline_read(&arena, "b", ndp_bytes_view(text), &baseline, NULL), NDP_OK);
        baseline.entries[0].is_replayed = (problems & STALE) != 0;
        ndp_baseline_apply(&baseline, &report, (problems & EXPIRED) != 0 ? "2026-02-01" : "2026-01-31");
    }
    ndp_gate_judge(&report, has_baseline ? &baseline : NULL, gate);
    ndp_report_clear(&report);
    return gate->exit;
}

/* Expected: the documented exit codes and their precedence, 3, 1, 4, 5, 6. */
static const struct {
    uint32_t problems;
    enum ndp_exit exit;
    uint32_t reasons;
} rows[] = {
    {0, NDP_EXIT_CLEAN, 0},
    {LOSS | HAZARD | FLAKY_LOSS, NDP_EXIT_CLEAN, 0},
    {FAULTY, NDP_EXIT_FAULT, 1},
    {KILLED, NDP_EXIT_FAULT, 1},
    {DEFECT, NDP_EXIT_DIVERGES, 1},
    {STALE, NDP_EXIT_STALE, 1},
    {VACUOUS, NDP_EXIT_VACUOUS, 1},
    {FLAKY, NDP_EXIT_FLAKY, 1},
    {ACCEPTED, NDP_EXIT_CLEAN, 0},
    {EXPIRED, NDP_EXIT_STALE, 1},
    {FAULTY | DEFECT | STALE | VACUOUS | FLAKY, NDP_EXIT_FAULT, 5},
    {DEFECT | STALE | VACUOUS | FLAKY, NDP_EXIT_DIVERGES, 4},
    {STALE | VACUOUS | FLAKY, NDP_EXIT_STALE, 3},
    {VACUOUS | FLAKY, NDP_EXIT_VACUOUS, 2},
    {FLAKY | LOSS, NDP_EXIT_FLAKY, 1},
    {DEFECT | ACCEPTED, NDP_EXIT_DIVERGES, 1},
};

static void test_exit_codes(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_gate gate;
        enum ndp_exit exit = judge_run_with(rows[i].problems, &gate);
        if (exit != rows[i].exit || gate.reason_count != rows[i].reasons)
            fail_msg("row %d: exit %d, %d reasons", (int)i, (int)exit, (int)gate.reason_count);
    }
}

static void test_nothing_compared(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    sample_report(&report);
    report.floor_count = 0;
    report.comparisons = 0;
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_VACUOUS);
    ndp_report_clear(&report);
}

/* A run of given cases has no floors: all cases are required. */
static void test_signal_ends_given_cases(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    sample_report(&report);
    report.floor_count = 0;
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_CLEAN);
    report.stop = NDP_REPORT_STOP_SIGNAL;
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_VACUOUS);
    sample_finding(&report, "new", NDP_SEVERITY_DEFECT, 3);
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_DIVERGES);
    ndp_report_clear(&report);
}

static void test_reasons_are_bounded(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    sample_report(&report);
    for (int i = 0; i < NDP_MAX_REASONS + 5; i++) {
        char signature[32];
        snprintf(signature, sizeof signature, "finding %d", i);
        sample_finding(&report, signature, NDP_SEVERITY_DEFECT, 3);
    }
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_DIVERGES);
    assert_int_equal(gate.reason_count, NDP_MAX_REASONS);
    assert_int_equal(gate.reasons_left_out, 5);
    ndp_report_clear(&report);
}

static void test_dropped_findings_gate(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    sample_report(&report);
    report.findings.dropped = 1;
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_DIVERGES);
    ndp_report_clear(&report);
}

/* Only an expected item that is not allowed gates. */
static void test_untested(void **state) {
    for (int i = 0; i < 4; i++) {
        const bool is_expected = (i & 1) != 0, is_allowed = (i & 2) != 0;
        const char *const allowed[] = {"numba"};
        const struct ndp_untested item = {NDP_UNTESTED_TARGET, "numba@current", "",
                                          "not installed",     is_expected,     false};
        struct ndp_report report;
        struct ndp_gate gate;
        sample_report(&report);
        ndp_untested_allow(&report.untested, allowed, is_allowed ? 1 : 0);
        assert_int_equal(ndp_untested_add(&report.untested, &item), NDP_OK);
        ndp_gate_judge(&report, NULL, &gate);
        assert_int_equal(gate.exit, is_expected && !is_allowed ? NDP_EXIT_VACUOUS : NDP_EXIT_CLEAN);
        if (gate.exit != NDP_EXIT_CLEAN)
            assert_string_equal(gate.reasons[0], "target numba@current was not tested: not installed");
        ndp_report_clear(&report);
    }
}

/* A format that compared nothing is judged once, and can be allowed. Too few comparisons cannot. */
static void test_untested_floor(void **state) {
    const char *const allowed[] = {"npy"};
    const struct ndp_untested item = {
        NDP_UNTESTED_FORMAT, "npy", "", "0 comparisons, expected at least 100", true, false};
    struct ndp_report report;
    struct ndp_gate gate;
    sample_report(&report);
    report.floors[1].done = 0;
    assert_int_equal(ndp_untested_add(&report.untested, &item), NDP_OK);
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_VACUOUS);
    assert_int_equal(gate.reason_count, 1);
    ndp_untested_allow(&report.untested, allowed, 1);
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_CLEAN);
    report.floors[1].done = 99;
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_VACUOUS);
    ndp_report_clear(&report);
}

/* The floor of a share holds for the group with the lowest one, also in a report that was read. */
static void test_shares(void **state) {
    for (int is_read = 0; is_read < 2; is_read++) {
        struct ndp_report report;
        struct ndp_gate gate;
        sample_report(&report);
        report.is_read = is_read != 0;
        report.coverage.groups[0].counts = (struct ndp_coverage_counts){4, 5, 9, 9};
        ndp_report_add_floor(&report, NDP_FLOOR_PAIRS, "", 80);
        ndp_report_add_floor(&report, NDP_FLOOR_TRIPLES, "", 37);
        ndp_report_fill_floors(&report);
        ndp_gate_judge(&report, NULL, &gate);
        assert_int_equal(gate.exit, NDP_EXIT_CLEAN);
        report.floors[3].least = 81;
        report.floors[4].least = 38;
        ndp_gate_judge(&report, NULL, &gate);
        assert_int_equal(gate.exit, NDP_EXIT_VACUOUS);
        assert_int_equal(gate.reason_count, 2);
        assert_string_equal(gate.reasons[0], "pairs: 80 % in numpy>numpy npy, expected at least 81 % in every group");
        assert_string_equal(gate.reasons[1],
                            "triples: 37 % in numpy>reference npy, expected at least 38 % in every group");
        ndp_report_coverage_clear(&report.coverage);
        ndp_report_fill_floors(&report);
        ndp_gate_judge(&report, NULL, &gate);
        assert_string_equal(gate.reasons[0],
                            "pairs: 0 % in a run without groups, expected at least 81 % in every group");
        ndp_report_clear(&report);
    }
}

/* A worker that died does not matter once another one did its work. */
static void test_lost_workers(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    sample_report(&report);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ndp_report_add_lost_worker(&report, "worker 2", "numpy>numpy npy 0..63", "exit code 1"),
                         NDP_OK);
    ndp_report_repeat_unit(&report, "numpy>numpy npy");
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_FAULT);
    assert_int_equal(gate.reason_count, 2);
    assert_string_equal(gate.reasons[0],
                        "worker 2 died (exit code 1), and its work was not done: numpy>numpy npy 0..63");
    ndp_report_repeat_unit(&report, "numpy>numpy npy 0..63");
    ndp_gate_judge(&report, NULL, &gate);
    assert_int_equal(gate.exit, NDP_EXIT_CLEAN);
    ndp_report_clear(&report);
}

NDP_SUITE(gate_test, NDP_TEST(test_shares), NDP_TEST(test_lost_workers), NDP_TEST(test_exit_codes),
          NDP_TEST(test_nothing_compared), NDP_TEST(test_signal_ends_given_cases), NDP_TEST(test_reasons_are_bounded),
          NDP_TEST(test_dropped_findings_gate), NDP_TEST(test_untested), NDP_TEST(test_untested_floor));
