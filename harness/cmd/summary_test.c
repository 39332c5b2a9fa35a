#include "base/suite.h"
#include "cmd/printed_fixture.h"
#include "cmd/summary.h"

/* Two routes, two properties, three findings: a defect, a loss and a hazard. */
static void a_report_is_a_table(void **state) {
    static struct ndp_report report;
    static struct ndp_gate gate;
    static struct ndp_route_cells routes[2];
    static struct ndp_report_finding findings[3];
    memset(&report, 0, sizeof report);
    report.routes = routes;
    report.route_count = 2;
    report.property_count = 2;
    snprintf(report.properties[0], NDP_WORD_BYTES, "shape");
    snprintf(report.properties[1], NDP_WORD_BYTES, "values");
    routes[0].cells[0] = (struct ndp_cell){.pass = 1, .diverges = 2, .rejects = 3, .unsupported = 4, .comparisons = 5};
    routes[1].cells[0] =
        (struct ndp_cell){.pass = 10, .diverges = 20, .rejects = 30, .unsupported = 40, .comparisons = 50};
    routes[1].cells[1].comparisons = 7;
    report.cases = 9;
    report.comparisons = 62;
    findings[0] = (struct ndp_report_finding){.severity = NDP_SEVERITY_DOCUMENTED_LOSS,
                                              .status = NDP_FINDING_KNOWN,
                                              .count = 2,
                                              .kind = NDP_VERDICT_DIVERGES,
                                              .property = "shape",
                                              .field = "shape[0]",
                                              .outlier = "numpy",
                                              .route = "npy:memory>file"};
    findings[1] = findings[0];
    findings[1].severity = NDP_SEVERITY_DEFECT;
    findings[1].status = NDP_FINDING_NEW;
    findings[2] = findings[0];
    findings[2].severity = NDP_SEVERITY_HAZARD;
    findings[2].kind = NDP_VERDICT_CRASH;
    findings[2].property[0] = '\0';
    snprintf(findings[2].field, sizeof findings[2].field, "process");
    report.findings.items = findings;
    report.findings.count = 3;
    struct printed printed;
    ndp_summary_print(printed_open(&printed), &report, &gate);
    char expected[2048];
    snprintf(expected, sizeof expected,
             "property          comparisons       PASS   DIVERGES    REJECTS  UNSUPPORTED\n"
             "shape                      55         11         22         33           44\n"
             "values                      7          0          0          0            0\n"
             "\ndefects\n"
             "  new           2 times  DIVERGES  shape         shape[0]           numpy npy:memory>file\n"
             "\ndocumented hazards (they do not gate)\n"
             "  known         2 times  CRASH     -             process            numpy npy:memory>file\n"
             "\ndocumented losses (they do not gate)\n"
             "  known         2 times  DIVERGES  shape         shape[0]           numpy npy:memory>file\n"
             "\n9 cases on 2 routes, 62 comparisons: %s\n",
             ndp_gate_status_word(gate.exit));
    printed_expect(&printed, expected);
}

/* A title without findings is left out; the reasons of the gate are printed if there are any. */
static void empty_sections_are_left_out(void **state) {
    static struct ndp_report report;
    static struct ndp_gate gate;
    struct printed printed;
    memset(&report, 0, sizeof report);
    ndp_summary_print(printed_open(&printed), &report, &gate);
    char expected[512];
    snprintf(expected, sizeof expected,
             "property          comparisons       PASS   DIVERGES    REJECTS  UNSUPPORTED\n"
             "\n0 cases on 0 routes, 0 comparisons: %s\n",
             ndp_gate_status_word(gate.exit));
    printed_expect(&printed, expected);
    gate.reason_count = 1;
    snprintf(gate.reasons[0], sizeof gate.reasons[0], "one thing");
    gate.reasons_left_out = 5;
    ndp_summary_print(printed_open(&printed), &report, &gate);
    const char *tail = "  one thing\n"
                       "  and 5 more\n";
    const char *text = printed_text(&printed);
    assert_true(strlen(text) > strlen(tail));
    assert_string_equal(text + strlen(text) - strlen(tail), tail);
    printed_close(&printed);
}

NDP_SUITE(summary_test, NDP_TEST(a_report_is_a_table), NDP_TEST(empty_sections_are_left_out));
