#include "base/suite.h"
#include "cmd/printed_fixture.h"
#include "cmd/summary.h"
#include "report/report_sample.h"

static void the_verdict_comes_first_then_the_causes(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    struct printed printed;
    sample_report(&report);
    sample_finding(&report, "loss", NDP_SEVERITY_DOCUMENTED_LOSS, 3);
    sample_finding(&report, "unsteady", NDP_SEVERITY_DEFECT, 2);
    sample_finding(&report, "defect", NDP_SEVERITY_DEFECT, 3);
    sample_finding(&report, "hazard", NDP_SEVERITY_HAZARD, 3);
    sample_duplicate(&report, "defect");
    ndp_gate_judge(&report, NULL, &gate);
    ndp_summary_print(printed_open(&printed), &report, &gate, "r.json");
    char expected[2048];
    snprintf(expected, sizeof expected,
             "diverges: 2 causes of defects in 2 findings; 20 cases on 2 routes, 200 comparisons\n"
             "  new   %s numpy: Defect [npy, npz; 2 routes, 2 cases]\n"
             "  flaky %s numpy: Unsteady [npy; 1 route, 1 case]\n"
             "not defects: 1 documented loss, 1 hazard\n"
             "report: r.json; 'ndproof export r.json --html FILE' writes a page\n",
             report.causes.items[2].cause.id, report.causes.items[1].cause.id);
    printed_expect(&printed, expected);
    ndp_report_clear(&report);
}

static void other_reasons_follow_the_verdict(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    struct printed printed;
    sample_report(&report);
    report.floors[1].least = 101;
    ndp_gate_judge(&report, NULL, &gate);
    ndp_summary_print(printed_open(&printed), &report, &gate, NULL);
    printed_expect(&printed, "vacuous: 0 causes of defects in 0 findings; 20 cases on 2 routes, 200 comparisons\n"
                             "  format npy: 100 comparisons, expected at least 101\n"
                             "not defects: 0 documented losses, 0 hazards\n");
    ndp_report_clear(&report);
}

static void a_format_of_which_no_array_arrived_is_named(void **state) {
    struct ndp_report report;
    struct ndp_gate gate;
    struct printed printed;
    sample_report(&report);
    memcpy(report.properties[1], "values", sizeof "values");
    ndp_gate_judge(&report, NULL, &gate);
    ndp_summary_print(printed_open(&printed), &report, &gate, NULL);
    printed_expect(&printed, "clean: 0 causes of defects in 0 findings; 20 cases on 2 routes, 200 comparisons\n"
                             "npy refused each of its 10 arrays, which is no evidence that it keeps any\n"
                             "raw refused each of its 10 arrays, which is no evidence that it keeps any\n"
                             "not defects: 0 documented losses, 0 hazards\n");
    report.routes[0].cells[1].pass = 1;
    ndp_summary_print(printed_open(&printed), &report, &gate, NULL);
    printed_expect(&printed, "clean: 0 causes of defects in 0 findings; 20 cases on 2 routes, 200 comparisons\n"
                             "raw refused each of its 10 arrays, which is no evidence that it keeps any\n"
                             "not defects: 0 documented losses, 0 hazards\n");
    ndp_report_clear(&report);
}

NDP_SUITE(summary_test, NDP_TEST(the_verdict_comes_first_then_the_causes), NDP_TEST(other_reasons_follow_the_verdict),
          NDP_TEST(a_format_of_which_no_array_arrived_is_named));
