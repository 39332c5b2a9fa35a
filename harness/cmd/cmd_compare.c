#include <stdlib.h>
#include <string.h>

#include "cmd/cause_line.h"
#include "cmd/command.h"
#include "cmd/load_report.h"
#include "cmd/open_targets.h"
#include "cmd/replay_cause.h"
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

static bool is_same_cause(const void *context, const struct ndp_cause *cause) {
    const struct ndp_report_cause *wanted = context;
    return strcmp(wanted->cause.id, cause->id) == 0;
}

/* Replays the causes that the new run did not generate. */
static enum ndp_status replay_missing(const struct ndp_bench *bench, struct ndp_compare *compare,
                                      struct ndp_error *error) {
    struct ndp_replay_cause replay;
    NDP_TRY(ndp_replay_cause_init(&replay, bench));
    enum ndp_status status = NDP_OK;
    for (uint32_t i = 0; i < compare->count && status == NDP_OK; i++) {
        static const enum ndp_change changes[] = {[NDP_REPLAYED_SHOWS] = NDP_CHANGE_STILL,
                                                  [NDP_REPLAYED_GONE] = NDP_CHANGE_FIXED,
                                                  [NDP_REPLAYED_NOT_COMPARED] = NDP_CHANGE_UNTESTED};
        struct ndp_compared *item = &compare->items[i];
        struct ndp_report_cause cause = *item->view.cause;
        const struct ndp_wanted_cause wanted = {&cause, is_same_cause, NULL, 0};
        enum ndp_replayed replayed = NDP_REPLAYED_NOT_COMPARED;
        if (item->change != NDP_CHANGE_NOT_GENERATED) continue;
        status = ndp_replay_cause_run(&replay, item->view.smallest->descriptor, &wanted, &replayed, error);
        item->change = changes[replayed];
    }
    ndp_replay_cause_clear(&replay);
    return status;
}

static enum ndp_exit open_and_replay(const struct ndp_settings *settings, struct ndp_compare *compare) {
    struct ndp_opened opened;
    struct ndp_error error = {0};
    const enum ndp_exit code = ndp_open_targets(settings, &opened);
    if (code != NDP_EXIT_CLEAN) return code;
    const enum ndp_status status = replay_missing(&opened.bench, compare, &error);
    ndp_open_targets_close(&opened);
    if (status == NDP_OK) return NDP_EXIT_CLEAN;
    fprintf(stderr, "ndproof compare: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
    return NDP_EXIT_FAULT;
}

/* Prints the causes of defects by change. A new one gates, and so does one whose replay compared nothing. */
static enum ndp_exit print_changes(const struct ndp_compare *compare) {
    uint32_t counts[NDP_CHANGE_COUNT] = {0};
    for (int change = 0; change < NDP_CHANGE_COUNT; change++) {
        for (uint32_t i = 0; i < compare->count; i++) {
            const struct ndp_compared *item = &compare->items[i];
            const bool is_defect = item->view.severity == NDP_SEVERITY_DEFECT;
            if ((int)item->change != change) continue;
            counts[change] += is_defect;
            if (is_defect) ndp_cause_line_print(stdout, ndp_compare_change_word((enum ndp_change)change), &item->view);
        }
    }
    printf("causes of defects: ");
    for (int change = 0; change < NDP_CHANGE_COUNT; change++)
        printf("%s%u %s", change > 0 ? ", " : "", (unsigned)counts[change],
               ndp_compare_change_word((enum ndp_change)change));
    printf("\n");
    if (counts[NDP_CHANGE_NOT_GENERATED] > 0)
        printf("--replay runs the stored descriptors of causes that the new run did not generate\n");
    if (counts[NDP_CHANGE_NEW] > 0) return NDP_EXIT_DIVERGES;
    return counts[NDP_CHANGE_UNTESTED] > 0 ? NDP_EXIT_VACUOUS : NDP_EXIT_CLEAN;
}

static enum ndp_exit compare_reports(const struct ndp_settings *settings, const struct ndp_report *reports) {
    struct ndp_compare compare;
    if (ndp_compare_reports(&reports[0], &reports[1], &compare) != NDP_OK) return NDP_EXIT_FAULT;
    enum ndp_exit code = settings->is_replayed ? open_and_replay(settings, &compare) : NDP_EXIT_CLEAN;
    if (code == NDP_EXIT_CLEAN) code = print_changes(&compare);
    ndp_compare_clear(&compare);
    return code;
}

static enum ndp_exit run_compare(const struct ndp_settings *settings) {
    struct ndp_report *reports = calloc(2, sizeof *reports);
    if (reports == NULL) return NDP_EXIT_FAULT;
    enum ndp_exit code = NDP_EXIT_USAGE;
    if (ndp_load_report(settings->files.list[0], &reports[0]) &&
        ndp_load_report(settings->files.list[1], &reports[1])) {
        print_report("old", settings->files.list[0], &reports[0]);
        print_report("new", settings->files.list[1], &reports[1]);
        code = compare_reports(settings, reports);
    }
    for (int i = 0; i < 2; i++) ndp_report_clear(&reports[i]);
    free(reports);
    return code;
}

const struct ndp_command ndp_command_compare = {
    .name = "compare",
    .arguments = "OLD NEW",
    .summary = "compare two reports: new, fixed and remaining causes",
    .options = NDP_OPTION_BIT(REPLAY) | NDP_OPTION_BIT(TRUST) | NDP_OPTION_BIT(ENV) | NDP_OPTION_BIT(PYTHON) |
               NDP_OPTION_BIT(CONFIG) | NDP_OPTION_BIT(CODEC) | NDP_OPTION_BIT(IN_PROCESS),
    .min_files = 2,
    .max_files = 2,
    .run = run_compare,
};
