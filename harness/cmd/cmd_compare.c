#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/load_report.h"
#include "report/compare.h"

/* "old  FILE: seed 1; numpy numpy 1.26.4, joblib 1.4.2" */
static void print_report(const char *word, const char *path, const struct ndp_report *report) {
    printf("%s  %s: seed %llu", word, path, (unsigned long long)report->seed);
    for (uint32_t i = 0; i < report->target_count; i++) {
        const struct ndp_report_target *target = &report->targets[i];
        if (target->unavailable[0] != '\0') continue;
        printf("; %s %s", target->name, target->version);
        for (uint32_t k = 0; k < target->library_count; k++) {
            if (strcmp(target->libraries[k].name, target->implementation) != 0)
                printf(", %s %s", target->libraries[k].name, target->libraries[k].version);
        }
    }
    putchar('\n');
}

/* Prints the descriptor below the signature. */
static void print_case(const struct ndp_report_finding *finding) {
    printf("%29s%.*s\n", "", (int)finding->descriptor.size_bytes, (const char *)finding->descriptor.data);
}

static enum ndp_exit print_comparison(const struct ndp_report *old_report, const struct ndp_report *new_report) {
    struct ndp_compare compare;
    if (ndp_compare_reports(old_report, new_report, &compare) != NDP_OK) return NDP_EXIT_FAULT;
    bool has_new_defect = false;
    for (uint32_t i = 0; i < compare.count; i++) {
        const struct ndp_compared *item = &compare.items[i];
        printf("%-12s %-15s %s\n", ndp_compare_change_word(item->change),
               ndp_contract_severity_word(item->finding->severity), item->finding->signature);
        bool is_defect = item->finding->severity == NDP_SEVERITY_DEFECT;
        if (is_defect && item->change != NDP_CHANGE_STILL) print_case(item->finding);
        has_new_defect |= item->change == NDP_CHANGE_NEW && item->finding->severity == NDP_SEVERITY_DEFECT;
    }
    printf("%u new, %u fixed, %u still there, %u not tested\n", (unsigned)compare.counts[NDP_CHANGE_NEW],
           (unsigned)compare.counts[NDP_CHANGE_FIXED], (unsigned)compare.counts[NDP_CHANGE_STILL],
           (unsigned)compare.counts[NDP_CHANGE_UNTESTED]);
    ndp_compare_clear(&compare);
    return has_new_defect ? NDP_EXIT_DIVERGES : NDP_EXIT_CLEAN;
}

static enum ndp_exit run_compare(const struct ndp_settings *settings) {
    struct ndp_report *reports = calloc(2, sizeof *reports);
    if (reports == NULL) return NDP_EXIT_FAULT;
    enum ndp_exit code = NDP_EXIT_USAGE;
    if (ndp_load_report(settings->files.list[0], &reports[0]) &&
        ndp_load_report(settings->files.list[1], &reports[1])) {
        print_report("old", settings->files.list[0], &reports[0]);
        print_report("new", settings->files.list[1], &reports[1]);
        code = print_comparison(&reports[0], &reports[1]);
    }
    for (int i = 0; i < 2; i++) ndp_report_clear(&reports[i]);
    free(reports);
    return code;
}

const struct ndp_command ndp_command_compare = {
    .name = "compare",
    .arguments = "OLD NEW",
    .summary = "compare two reports: new, fixed and remaining findings",
    .min_files = 2,
    .max_files = 2,
    .run = run_compare,
};
