#include <stdlib.h>

#include "cmd/command.h"
#include "cmd/load_report.h"
#include "report/compare.h"

static enum ndp_exit compare(const struct ndp_report *old_report, const struct ndp_report *new_report) {
    struct ndp_compare compare;
    if (ndp_compare_reports(old_report, new_report, &compare) != NDP_OK) return NDP_EXIT_FAULT;
    bool has_new_defect = false;
    for (uint32_t i = 0; i < compare.count; i++) {
        const struct ndp_compared *item = &compare.items[i];
        printf("%-12s %-15s %s\n", ndp_change_word(item->change), ndp_severity_word(item->finding->severity),
               item->finding->signature);
        has_new_defect |= item->change == NDP_CHANGE_NEW && item->finding->severity == NDP_SEVERITY_DEFECT;
    }
    printf("%u new, %u fixed, %u still there, %u not tested\n", (unsigned)compare.counts[NDP_CHANGE_NEW],
           (unsigned)compare.counts[NDP_CHANGE_FIXED], (unsigned)compare.counts[NDP_CHANGE_STILL],
           (unsigned)compare.counts[NDP_CHANGE_UNTESTED]);
    ndp_compare_clear(&compare);
    return has_new_defect ? NDP_EXIT_DIVERGES : NDP_EXIT_CLEAN;
}

static enum ndp_exit run(const struct ndp_settings *settings) {
    struct ndp_report *reports = calloc(2, sizeof *reports);
    if (reports == NULL) return NDP_EXIT_FAULT;
    enum ndp_exit code = NDP_EXIT_USAGE;
    if (ndp_report_load(settings->files.list[0], &reports[0]) &&
        ndp_report_load(settings->files.list[1], &reports[1])) {
        code = compare(&reports[0], &reports[1]);
    }
    for (int i = 0; i < 2; i++) ndp_report_clear(&reports[i]);
    free(reports);
    return code;
}

const struct ndp_command ndp_command_compare = {
    .name = "compare",
    .arguments = "OLD NEW",
    .summary = "two reports: what is new, fixed, still there",
    .min_files = 2,
    .max_files = 2,
    .run = run,
};
