#include "cmd/summary.h"

static struct ndp_cell sum_property(const struct ndp_report *report, uint32_t property) {
    struct ndp_cell sum = {0};
    for (uint32_t i = 0; i < report->route_count; i++) {
        const struct ndp_cell *cell = &report->routes[i].cells[property];
        sum.pass += cell->pass;
        sum.diverges += cell->diverges;
        sum.rejects += cell->rejects;
        sum.unsupported += cell->unsupported;
        sum.comparisons += cell->comparisons;
    }
    return sum;
}

static void print_properties(FILE *out, const struct ndp_report *report) {
    fprintf(out, "%-14s %14s %10s %10s %10s %12s\n", "property", "comparisons", "PASS", "DIVERGES", "REJECTS",
            "UNSUPPORTED");
    for (uint32_t i = 0; i < report->property_count; i++) {
        struct ndp_cell sum = sum_property(report, i);
        fprintf(out, "%-14s %14llu %10llu %10llu %10llu %12llu\n", report->properties[i],
                (unsigned long long)sum.comparisons, (unsigned long long)sum.pass, (unsigned long long)sum.diverges,
                (unsigned long long)sum.rejects, (unsigned long long)sum.unsupported);
    }
}

static void print_findings(FILE *out, const struct ndp_report *report, enum ndp_severity severity, const char *title) {
    bool has_title = false;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const struct ndp_report_finding *finding = &report->findings.items[i];
        if (finding->severity != severity) continue;
        if (!has_title) fprintf(out, "\n%s\n", title);
        has_title = true;
        fprintf(out, "  %-6s %8llu times  %-9s %-13s %-18s %s %s\n", ndp_report_finding_status_word(finding->status),
                (unsigned long long)finding->count, ndp_program_verdict_word(finding->kind),
                finding->property[0] != '\0' ? finding->property : "-", finding->field, finding->outlier,
                finding->route);
    }
}

void ndp_summary_print(FILE *out, const struct ndp_report *report, const struct ndp_gate *gate) {
    print_properties(out, report);
    print_findings(out, report, NDP_SEVERITY_DEFECT, "defects");
    print_findings(out, report, NDP_SEVERITY_HAZARD, "documented hazards (they do not gate)");
    print_findings(out, report, NDP_SEVERITY_DOCUMENTED_LOSS, "documented losses (they do not gate)");
    fprintf(out, "\n%llu cases on %u routes, %llu comparisons: %s\n", (unsigned long long)report->cases,
            (unsigned)report->route_count, (unsigned long long)report->comparisons, ndp_gate_status_word(gate->exit));
    for (uint32_t i = 0; i < gate->reason_count; i++) fprintf(out, "  %s\n", gate->reasons[i]);
    if (gate->reasons_left_out > 0) fprintf(out, "  and %llu more\n", (unsigned long long)gate->reasons_left_out);
}
