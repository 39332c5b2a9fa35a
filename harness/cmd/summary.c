#include "cmd/summary.h"

#include <string.h>

#include "cmd/cause_line.h"

enum { MOST_CAUSES = 200 };

static void print_verdict(FILE *out, const struct ndp_report *report, const struct ndp_gate *gate) {
    uint32_t defects = 0, findings = 0;
    for (uint32_t i = 0; i < report->causes.count; i++) {
        struct ndp_cause_view view;
        ndp_report_cause_view(&report->causes, &report->findings, i, &view);
        defects += view.severity == NDP_SEVERITY_DEFECT;
        if (view.severity == NDP_SEVERITY_DEFECT) findings += view.finding_count;
    }
    fprintf(out, "%s: %u %s of defects in %u %s; %llu cases on %u routes, %llu comparisons\n",
            ndp_gate_status_word(gate->exit), (unsigned)defects, defects == 1 ? "cause" : "causes", (unsigned)findings,
            findings == 1 ? "finding" : "findings", (unsigned long long)report->cases, (unsigned)report->route_count,
            (unsigned long long)report->comparisons);
}

/* Reasons other than causes, which have lines of their own. */
static void print_reasons(FILE *out, const struct ndp_gate *gate) {
    for (uint32_t i = 0; i < gate->reason_count; i++)
        if (!gate->is_of_cause[i]) fprintf(out, "  %s\n", gate->reasons[i]);
}

static void print_documented(FILE *out, const struct ndp_report *report) {
    uint32_t counts[NDP_SEVERITY_COUNT] = {0};
    for (uint32_t i = 0; i < report->causes.count; i++) {
        struct ndp_cause_view view;
        ndp_report_cause_view(&report->causes, &report->findings, i, &view);
        counts[view.severity]++;
    }
    fprintf(out, "not defects: %u documented %s, %u %s\n", (unsigned)counts[NDP_SEVERITY_DOCUMENTED_LOSS],
            counts[NDP_SEVERITY_DOCUMENTED_LOSS] == 1 ? "loss" : "losses", (unsigned)counts[NDP_SEVERITY_HAZARD],
            counts[NDP_SEVERITY_HAZARD] == 1 ? "hazard" : "hazards");
}

/* Adds the arrays of a route that arrived and that were refused, as far as the contract allows it. */
static void count_arrays(const struct ndp_report *report, const struct ndp_route_cells *row, uint64_t *arrived,
                         uint64_t *refused) {
    for (uint32_t p = 0; p < report->property_count; p++) {
        if (strcmp(report->properties[p], "values") != 0) continue;
        *arrived += row->cells[p].pass + row->cells[p].diverges;
        *refused += row->cells[p].rejects;
    }
}

static bool is_first_of_format(const struct ndp_report *report, uint32_t route) {
    for (uint32_t i = 0; i < route; i++)
        if (strcmp(report->routes[i].format, report->routes[route].format) == 0) return false;
    return true;
}

/* Names the formats that refused each of their arrays, so that nothing is known about arrays in them. */
static void print_refused(FILE *out, const struct ndp_report *report) {
    for (uint32_t first = 0; first < report->route_count; first++) {
        const char *format = report->routes[first].format;
        uint64_t arrived = 0, refused = 0;
        if (!is_first_of_format(report, first)) continue;
        for (uint32_t r = first; r < report->route_count; r++)
            if (strcmp(report->routes[r].format, format) == 0)
                count_arrays(report, &report->routes[r], &arrived, &refused);
        if (arrived == 0 && refused > 0)
            fprintf(out, "%s refused each of its %llu arrays, which is no evidence that it keeps any\n", format,
                    (unsigned long long)refused);
    }
}

void ndp_summary_print(FILE *out, const struct ndp_report *report, const struct ndp_gate *gate, const char *path) {
    print_verdict(out, report, gate);
    print_reasons(out, gate);
    (void)ndp_cause_line_print_all(out, report, NDP_SEVERITY_DEFECT, NDP_FINDING_NEW, MOST_CAUSES);
    (void)ndp_cause_line_print_all(out, report, NDP_SEVERITY_DEFECT, NDP_FINDING_FLAKY, MOST_CAUSES);
    (void)ndp_cause_line_print_all(out, report, NDP_SEVERITY_DEFECT, NDP_FINDING_KNOWN, MOST_CAUSES);
    print_refused(out, report);
    print_documented(out, report);
    if (path != NULL) fprintf(out, "report: %s; 'ndproof export %s --html FILE' writes a page\n", path, path);
}
