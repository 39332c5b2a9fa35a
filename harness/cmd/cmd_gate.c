#include <stdlib.h>

#include "cmd/cause_line.h"
#include "cmd/command.h"
#include "cmd/floors.h"
#include "cmd/list_untested.h"
#include "cmd/load_baseline.h"
#include "cmd/load_report.h"
#include "cmd/open_targets.h"
#include "cmd/replay_cause.h"
#include "report/baseline_untested.h"

#define ARENA_BYTES (UINT64_C(128) << 20)
enum { MOST_LINES = 12 }; /* of each kind, so that the verdict fits on one screen */

/* Replays the entries that the report does not show. */
static enum ndp_exit replay_entries(const struct ndp_settings *settings, const struct ndp_baseline *baseline) {
    struct ndp_opened opened;
    struct ndp_error error = {0};
    enum ndp_exit code = ndp_open_targets(settings, &opened);
    if (code != NDP_EXIT_CLEAN) return code;
    const enum ndp_status status = ndp_replay_cause_baseline(&opened.bench, baseline, NULL, 0, &error);
    ndp_open_targets_close(&opened);
    if (status == NDP_OK) return NDP_EXIT_CLEAN;
    fprintf(stderr, "ndproof gate: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
    return NDP_EXIT_FAULT;
}

static void print_entries(const struct ndp_baseline *baseline, enum ndp_baseline_state state, const char *word) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < baseline->count; i++) {
        const struct ndp_baseline_entry *entry = &baseline->entries[i];
        if (entry->state != state || count++ >= MOST_LINES) continue;
        printf("  %s %s %s\n", word, ndp_baseline_name(entry), entry->title);
    }
    if (count > MOST_LINES) printf("  and %u more\n", (unsigned)(count - MOST_LINES));
}

static void print_screen(const struct ndp_report *report, const struct ndp_baseline *baseline,
                         const struct ndp_gate *gate) {
    printf("%s\n", ndp_gate_status_word(gate->exit));
    for (uint32_t i = 0; i < gate->reason_count; i++)
        if (!gate->is_of_cause[i]) printf("  %s\n", gate->reasons[i]);
    (void)ndp_cause_line_print_all(stdout, report, NDP_SEVERITY_DEFECT, NDP_FINDING_NEW, MOST_LINES);
    (void)ndp_cause_line_print_all(stdout, report, NDP_SEVERITY_DEFECT, NDP_FINDING_FLAKY, MOST_LINES);
    (void)ndp_cause_line_print_all(stdout, report, NDP_SEVERITY_DEFECT, NDP_FINDING_KNOWN, MOST_LINES);
    print_entries(baseline, NDP_BASELINE_UNTESTED, "not generated in this run");
}

static enum ndp_exit judge_report(struct ndp_report *report, const struct ndp_settings *settings,
                                  struct ndp_arena *arena) {
    struct ndp_baseline baseline = {0};
    struct ndp_gate gate;
    char today[NDP_DAY_BYTES];
    if (settings->baseline != NULL && !ndp_load_baseline(arena, settings->baseline, &baseline)) return NDP_EXIT_USAGE;
    ndp_load_baseline_today(today);
    ndp_floors_set_shares(report, settings);
    ndp_report_fill_floors(report);
    ndp_baseline_apply(&baseline, report, today);
    if (settings->is_replayed) {
        const enum ndp_exit code = replay_entries(settings, &baseline);
        if (code != NDP_EXIT_CLEAN) return code;
        ndp_baseline_apply(&baseline, report, today);
    }
    ndp_untested_allow(&report->untested, settings->allowed_missing.list, settings->allowed_missing.count);
    if (ndp_baseline_untested_list(&baseline, settings->is_replayed, report) != NDP_OK) return NDP_EXIT_FAULT;
    ndp_gate_judge(report, settings->baseline != NULL ? &baseline : NULL, &gate);
    print_screen(report, &baseline, &gate);
    ndp_list_untested_print(stdout, report);
    return gate.exit;
}

static enum ndp_exit run_gate(const struct ndp_settings *settings) {
    struct ndp_report *report = calloc(1, sizeof *report);
    if (report == NULL) return NDP_EXIT_FAULT;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    enum ndp_exit code = ndp_floors_check(settings);
    if (code == NDP_EXIT_CLEAN && !ndp_load_report(settings->files.list[0], report)) code = NDP_EXIT_USAGE;
    if (code == NDP_EXIT_CLEAN) code = judge_report(report, settings, &arena);
    ndp_report_clear(report);
    free(report);
    return code;
}

const struct ndp_command ndp_command_gate = {
    .name = "gate",
    .arguments = "REPORT",
    .summary = "judge a report against a baseline of accepted causes",
    .options = NDP_OPTION_BIT(BASELINE) | NDP_OPTION_BIT(REPLAY) | NDP_OPTION_BIT(TRUST) | NDP_OPTION_BIT(ENV) |
               NDP_OPTION_BIT(PYTHON) | NDP_OPTION_BIT(CONFIG) | NDP_OPTION_BIT(CODEC) | NDP_OPTION_BIT(IN_PROCESS) |
               NDP_OPTION_BIT(ALLOW_MISSING) | NDP_OPTION_BIT(MIN_PAIRS) | NDP_OPTION_BIT(MIN_TRIPLES),
    .min_files = 1,
    .max_files = 1,
    .run = run_gate,
};
