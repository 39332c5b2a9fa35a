#include "base/suite.h"
#include "report/report_merge.h"
#include "report/report_sample.h"

/* The sample as another process reads it. */
static void reread(struct ndp_report *report) {
    struct ndp_gate gate;
    struct ndp_report copy;
    NDP_BUFFER_SCOPED(text, 1 << 22);
    ndp_gate_judge(report, NULL, &gate);
    assert_int_equal(ndp_report_print(&text, report, NULL, &gate), NDP_OK);
    ndp_report_clear(report);
    assert_int_equal(ndp_report_read(ndp_buffer_view(&text), &copy, NULL), NDP_OK);
    *report = copy;
}

static const struct ndp_report_run other_run = {.version = "0.1.0", .commit = "c", .started_s = SAMPLE_STARTED_S - 60};

/* Gives every finding of the report this first case and time. */
static void set_first(struct ndp_report *report, uint64_t number, uint64_t after_ns) {
    for (uint32_t i = 0; i < report->findings.count; i++) {
        report->findings.items[i].first_case = number;
        report->findings.items[i].found_after_ns = after_ns;
    }
}

static void work_is_summed(void **state) {
    struct ndp_report a, b;
    sample_report(&a);
    sample_report(&b);
    sample_result(&b, "npz", 7);
    b.faults = 2;
    reread(&a);
    reread(&b);
    assert_int_equal(ndp_report_merge(&a, &b), NDP_OK);
    assert_int_equal(a.cases, 41);
    assert_int_equal(a.comparisons, 407);
    assert_int_equal(a.faults, 2);
    assert_int_equal(a.route_count, 3);
    assert_string_equal(a.routes[0].route, "numpy>reference npy:file>mmap:r");
    assert_int_equal(a.routes[0].cells[0].pass, 20);
    assert_int_equal(a.routes[0].cells[1].rejects, 20);
    assert_int_equal(a.routes[2].cells[0].pass, 1);
    assert_string_equal(a.routes[2].format, "npz");
    assert_int_equal(a.target_count, 3);
    assert_int_equal(a.targets[1].crashes, 4);
    assert_int_equal(a.targets[1].comparisons, b.targets[1].comparisons + 200);
    assert_int_equal(a.floors[0].done, 40);
    assert_int_equal(a.floors[1].done, 200);
    assert_int_equal(a.coverage.count, 2);
    assert_int_equal(a.coverage.groups[1].counts.triples, 3);
    assert_int_equal(a.lost_worker_count, 2);
    assert_true(a.lost_workers[1].is_repeated);
    assert_int_equal(a.untested.count, 1);
    ndp_report_clear(&a);
    ndp_report_clear(&b);
}

/* Properties are numbered by their first cell. */
static void cells_have_the_name_of_their_property(void **state) {
    struct ndp_report a, b;
    struct ndp_result result = {.verdict = NDP_VERDICT_PASS, .comparisons = 3};
    const struct ndp_route route = sample_route("npy");
    result.by_property[4].is_judged = true;
    result.by_property[4].comparisons = 3;
    assert_int_equal(ndp_report_init(&b, &other_run), NDP_OK);
    assert_int_equal(ndp_report_add_result(&b, &route, &result), NDP_OK);
    char name[NDP_WORD_BYTES];
    memcpy(name, b.properties[4], sizeof name);
    reread(&b);
    sample_report(&a);
    reread(&a);
    assert_int_equal(ndp_report_merge(&a, &b), NDP_OK);
    assert_int_equal(a.property_count, 3);
    assert_string_equal(a.properties[2], name);
    assert_int_equal(a.routes[0].cells[2].pass, 1);
    assert_int_equal(a.routes[0].cells[0].pass, 10);
    ndp_report_clear(&a);
    ndp_report_clear(&b);
}

/* In whatever order the parts come, the lower number of the first case decides, and the time is the shorter one. */
static void equal_findings_are_united(void **state) {
    for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
        struct ndp_report parts[2];
        for (uint32_t i = 0; i < 2; i++) {
            sample_report(&parts[i]);
            sample_finding(&parts[i], "DIVERGES|values|npy|1", NDP_SEVERITY_DEFECT, 3);
            sample_finding(&parts[i], i == 0 ? "only here" : "only there", NDP_SEVERITY_DEFECT, 3);
            if (i == 1) sample_duplicate(&parts[i], "DIVERGES|values|npy|1");
            set_first(&parts[i], i == 0 ? 5 : 9, i == 0 ? 4000000000 : 3000000000);
            snprintf(parts[i].findings.items[0].error, 8, i == 0 ? "low" : "high");
        }
        struct ndp_report *into = &parts[is_swapped], *from = &parts[1 - is_swapped];
        assert_int_equal(ndp_report_merge(into, from), NDP_OK);
        ndp_report_clear(from);
        assert_int_equal(into->findings.count, 3);
        const struct ndp_report_finding *one = ndp_report_findings_find(&into->findings, "DIVERGES|values|npy|1");
        assert_int_equal(one->count, 3);
        assert_int_equal(one->first_case, 5);
        assert_int_equal(one->found_after_ns, 3000000000);
        assert_string_equal(one->error, "low");
        assert_string_equal(one->first_group, "numpy>reference npy");
        const struct ndp_report_cause *cause = &into->causes.items[one->cause];
        assert_int_equal(cause->route_count, 2); /* the second is that of the duplicate */
        reread(into);
        ndp_report_clear(into);
    }
}

static void a_confirmed_finding_replaces_a_flaky_one(void **state) {
    struct ndp_report a, b;
    sample_report(&a);
    sample_report(&b);
    sample_finding(&a, "s", NDP_SEVERITY_DEFECT, 2);
    sample_finding(&b, "s", NDP_SEVERITY_DEFECT, 3);
    set_first(&b, 99, 0);
    assert_int_equal(ndp_report_merge(&a, &b), NDP_OK);
    assert_int_equal(a.findings.items[0].confirm_hits, 3);
    assert_int_equal(a.findings.items[0].first_case, 99);
    assert_int_equal(a.findings.items[0].count, 2);
    assert_true(a.findings.items[0].found_after_ns > 0);
    ndp_report_clear(&a);
    ndp_report_clear(&b);
}

/* The kept finding may have another cause than the one that it replaces. */
static void a_cause_without_findings_is_removed(void **state) {
    struct ndp_report a, b;
    sample_report(&a);
    sample_report(&b);
    sample_finding(&a, "s", NDP_SEVERITY_DEFECT, 3);
    sample_finding_on(&a, sample_route("npz"), "t", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&b, "s", NDP_SEVERITY_DEFECT, 3);
    snprintf(b.causes.items[0].cause.key, 8, "other");
    snprintf(b.causes.items[0].cause.id, sizeof b.causes.items[0].cause.id, "0badcafe");
    set_first(&b, 1, 0);
    assert_int_equal(a.causes.count, 2);
    assert_int_equal(ndp_report_merge(&a, &b), NDP_OK);
    assert_int_equal(a.causes.count, 2);
    assert_string_equal(a.causes.items[a.findings.items[0].cause].cause.id, "0badcafe");
    for (uint32_t i = 0; i < a.causes.count; i++) {
        struct ndp_cause_view view;
        ndp_report_cause_view(&a.causes, &a.findings, i, &view);
        assert_true(view.finding_count > 0);
    }
    ndp_report_clear(&a);
    ndp_report_clear(&b);
}

static void the_smallest_descriptor_illustrates_a_cause(void **state) {
    struct ndp_report a, b;
    sample_report(&a);
    sample_report(&b);
    sample_finding(&a, "s", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&b, "t", NDP_SEVERITY_DEFECT, 3);
    char drawing_a[] = "a", drawing_b[] = "b";
    a.causes.items[0].drawing = ndp_bytes_view(drawing_a);
    b.causes.items[0].drawing = ndp_bytes_view(drawing_b);
    memcpy(&b.causes.items[0].cause, &a.causes.items[0].cause, sizeof a.causes.items[0].cause);
    b.findings.items[0].descriptor.size_bytes--;
    assert_int_equal(ndp_report_merge(&a, &b), NDP_OK);
    drawing_b[0] = '?';
    assert_int_equal(a.causes.count, 1);
    assert_int_equal(a.causes.items[0].drawing.size_bytes, 1);
    assert_int_equal(a.causes.items[0].drawing.data[0], 'b');
    ndp_report_clear(&a);
    ndp_report_clear(&b);
}

/* As a worker sends it: one finding, no work, and the number of its case in the run. */
static void a_finding_of_a_worker_is_taken(void **state) {
    struct ndp_report run, worker;
    sample_report(&run);
    run.stop = NDP_REPORT_STOP_RUNNING;
    assert_int_equal(ndp_report_init(&worker, &other_run), NDP_OK);
    sample_finding(&worker, "s", NDP_SEVERITY_DEFECT, 3);
    reread(&worker);
    memcpy(worker.started, run.started, sizeof worker.started);
    assert_int_equal(ndp_report_merge(&run, &worker), NDP_OK);
    ndp_report_clear(&worker);
    assert_int_equal(run.cases, 20);
    assert_int_equal(run.comparisons, 200);
    assert_int_equal(run.floors[0].done, 20);
    assert_int_equal(run.stop, NDP_REPORT_STOP_RUNNING);
    assert_int_equal(run.findings.count, 1);
    assert_string_equal(run.findings.items[0].first_group, "numpy>reference npy");
    assert_int_equal(run.findings.items[0].first_case, 17);
    assert_int_equal(run.findings.items[0].descriptor.size_bytes, strlen(SAMPLE_DESCRIPTOR));
    assert_int_equal(run.causes.items[0].route_count, 1);
    reread(&run);
    ndp_report_clear(&run);
}

/* A replay of the baseline belongs to no group. */
static void a_case_without_a_group_keeps_its_number(void **state) {
    struct ndp_report report;
    struct ndp_report_finding finding = {.first_case = NDP_REPORT_CASE_WITHOUT_GROUP | 12};
    sample_report(&report);
    ndp_report_name_case(&report, &finding);
    assert_string_equal(finding.first_group, "");
    assert_int_equal(finding.first_case, 12);
    ndp_report_clear(&report);
}

static void add_untested(struct ndp_report *report, enum ndp_untested_kind kind, const char *name, bool is_allowed) {
    struct ndp_untested item = {.kind = kind, .reason = "no case", .is_expected = true, .is_allowed = is_allowed};
    snprintf(item.name, sizeof item.name, "%s", name);
    assert_int_equal(ndp_untested_add(&report->untested, &item), NDP_OK);
}

static void a_shard_tests_what_another_did_not(void **state) {
    struct ndp_report a, b;
    sample_report(&a);
    sample_report(&b);
    a.targets[1].comparisons = 0;
    a.floors[1].done = 0;
    a.is_read = b.is_read = true;
    add_untested(&a, NDP_UNTESTED_TARGET, "numpy", false);
    add_untested(&a, NDP_UNTESTED_TARGET, "numpy@old", true);
    add_untested(&a, NDP_UNTESTED_FORMAT, "npy", false);
    b.targets[1].comparisons = 4;
    add_untested(&b, NDP_UNTESTED_TARGET, "numpy@old", false);
    add_untested(&b, NDP_UNTESTED_FORMAT, "zarr", false);
    assert_int_equal(ndp_report_merge(&a, &b), NDP_OK);
    assert_null(ndp_untested_find(&a.untested, NDP_UNTESTED_TARGET, "numpy"));
    assert_null(ndp_untested_find(&a.untested, NDP_UNTESTED_FORMAT, "npy"));
    assert_non_null(ndp_untested_find(&a.untested, NDP_UNTESTED_FORMAT, "zarr"));
    assert_true(ndp_untested_gates(ndp_untested_find(&a.untested, NDP_UNTESTED_TARGET, "numpy@old")));
    assert_non_null(ndp_untested_find(&a.untested, NDP_UNTESTED_LIBRARY, "cudf@old"));
    ndp_report_clear(&a);
    ndp_report_clear(&b);
}

static void the_worst_end_and_all_of_the_time_count(void **state) {
    static const enum ndp_report_stop rows[][3] = {
        {NDP_REPORT_STOP_CASES, NDP_REPORT_STOP_CASES, NDP_REPORT_STOP_CASES},
        {NDP_REPORT_STOP_CASES, NDP_REPORT_STOP_DURATION, NDP_REPORT_STOP_DURATION},
        {NDP_REPORT_STOP_SIGNAL, NDP_REPORT_STOP_DURATION, NDP_REPORT_STOP_SIGNAL},
        {NDP_REPORT_STOP_NO_ROUTES, NDP_REPORT_STOP_CASES, NDP_REPORT_STOP_CASES},
        {NDP_REPORT_STOP_FAULT, NDP_REPORT_STOP_RUNNING, NDP_REPORT_STOP_RUNNING},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_report a, b;
        sample_report(&a);
        assert_int_equal(ndp_report_init(&b, &other_run), NDP_OK);
        ndp_report_stop(&b, rows[i][1], SAMPLE_STARTED_S + 60);
        a.stop = rows[i][0];
        assert_int_equal(ndp_report_merge(&a, &b), NDP_OK);
        assert_int_equal(a.stop, rows[i][2]);
        assert_string_equal(a.started, "2026-01-31T23:58:59Z");
        assert_string_equal(a.ended, "2026-02-01T00:00:59Z");
        ndp_report_clear(&a);
        ndp_report_clear(&b);
    }
}

/* Each row changes one fact of the second report. */
static void reports_of_different_sweeps_are_refused(void **state) {
    for (int row = 0; row < 9; row++) {
        static const char *const words[] = {"",       "seed",          "number of shards", "version",  "commit",
                                            "target", "numpy 2.4.6, ", "group of routes",  "asked for"};
        struct ndp_report a, b;
        struct ndp_error error = {0};
        sample_report(&a);
        sample_report(&b);
        if (row == 1) b.seed = 5;
        if (row == 2) b.shard_count = 5;
        if (row == 3) snprintf(b.version, sizeof b.version, "9");
        if (row == 4) snprintf(b.commit, sizeof b.commit, "9");
        if (row == 5) b.target_count--;
        if (row == 6) snprintf(b.targets[1].libraries[1].version, NDP_WORD_BYTES, "9");
        if (row == 7) b.coverage.groups[1].name[0] = 'N';
        if (row == 8) b.floor_count--;
        const enum ndp_status status = ndp_report_merge_check(&a, &b, &error);
        assert_int_equal(status, row == 0 ? NDP_OK : NDP_INVALID);
        if (row > 0 && strstr(error.text, words[row]) == NULL) fail_msg("%s", error.text);
        ndp_report_clear(&a);
        ndp_report_clear(&b);
    }
}

NDP_SUITE(report_merge_test, NDP_TEST(work_is_summed), NDP_TEST(cells_have_the_name_of_their_property),
          NDP_TEST(equal_findings_are_united), NDP_TEST(a_confirmed_finding_replaces_a_flaky_one),
          NDP_TEST(a_cause_without_findings_is_removed), NDP_TEST(the_smallest_descriptor_illustrates_a_cause),
          NDP_TEST(a_finding_of_a_worker_is_taken), NDP_TEST(a_case_without_a_group_keeps_its_number),
          NDP_TEST(a_shard_tests_what_another_did_not), NDP_TEST(the_worst_end_and_all_of_the_time_count),
          NDP_TEST(reports_of_different_sweeps_are_refused));
