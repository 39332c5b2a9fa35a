#include "base/suite.h"
#include "cmd/printed_fixture.h"
#include "cmd/untested.h"
#include "report/report_sample.h"

/* The sample compares numpy and the reference on npy and raw. */
static enum ndp_exit judge(struct ndp_report *report, const struct ndp_settings *settings,
                           const struct ndp_opened *opened, const struct ndp_baseline *baseline) {
    struct ndp_gate gate;
    ndp_untested_fill(report, settings, opened, baseline);
    ndp_gate_judge(report, NULL, &gate);
    return gate.exit;
}

static void a_missing_target_counts_if_it_is_expected(void **state) {
    for (int is_expected = 0; is_expected < 2; is_expected++) {
        struct ndp_report report;
        struct ndp_settings settings = {.argc = 0};
        struct ndp_opened opened = {.missing_count = 1};
        opened.missing[0] = (struct ndp_missing){"numba@current", "not installed", is_expected == 1};
        sample_report(&report);
        assert_int_equal(judge(&report, &settings, &opened, NULL), is_expected ? NDP_EXIT_VACUOUS : NDP_EXIT_CLEAN);
        settings.allowed_missing.list[settings.allowed_missing.count++] = "numba";
        assert_int_equal(judge(&report, &settings, &opened, NULL), NDP_EXIT_CLEAN);
        ndp_report_clear(&report);
    }
}

static void a_target_without_comparisons_counts(void **state) {
    struct ndp_report report;
    struct ndp_settings settings = {.argc = 0};
    const struct ndp_opened opened = {.missing_count = 0};
    sample_report(&report);
    report.targets[1].comparisons = 0;
    assert_int_equal(judge(&report, &settings, &opened, NULL), NDP_EXIT_VACUOUS);
    report.untested_count = 0;
    settings.formats.list[settings.formats.count++] = "npy";
    assert_int_equal(judge(&report, &settings, &opened, NULL), NDP_EXIT_CLEAN);
    settings.targets.list[settings.targets.count++] = "numpy";
    assert_int_equal(judge(&report, &settings, &opened, NULL), NDP_EXIT_VACUOUS);
    ndp_report_clear(&report);
}

static void an_entry_of_the_baseline_must_be_compared(void **state) {
    struct ndp_report report;
    struct ndp_settings settings = {.argc = 0};
    const struct ndp_opened opened = {.missing_count = 0};
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP};
    struct ndp_baseline_entry entry = {.cause = "0123abcd", .descriptor = &descriptor};
    const struct ndp_baseline baseline = {.entries = &entry, .count = 1};
    sample_report(&report);
    assert_int_equal(judge(&report, &settings, &opened, &baseline), NDP_EXIT_VACUOUS);
    report.untested_count = 0;
    entry.is_replayed = true;
    assert_int_equal(judge(&report, &settings, &opened, &baseline), NDP_EXIT_CLEAN);
    ndp_report_clear(&report);
}

static void the_last_line_names_everything(void **state) {
    struct ndp_report report;
    struct ndp_settings settings = {.argc = 0};
    struct ndp_opened opened = {.missing_count = 2};
    struct printed printed;
    opened.missing[0] = (struct ndp_missing){"numba@current", "not installed", true};
    opened.missing[1] = (struct ndp_missing){"numba@old", "needs Python 3.10", false};
    sample_report(&report);
    ndp_untested_fill(&report, &settings, &opened, NULL);
    ndp_untested_print(printed_open(&printed), &report);
    printed_expect(
        &printed,
        "NOT TESTED: target numba@current, target numba@old (not expected); --allow-missing NAME accepts that\n");
    ndp_report_clear(&report);
}

NDP_SUITE(untested_test, NDP_TEST(a_missing_target_counts_if_it_is_expected),
          NDP_TEST(a_target_without_comparisons_counts), NDP_TEST(an_entry_of_the_baseline_must_be_compared),
          NDP_TEST(the_last_line_names_everything));
