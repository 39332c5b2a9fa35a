#include <stdlib.h>
#include <time.h>

#include "cmd/command.h"
#include "cmd/load_case.h"
#include "cmd/load_report.h"

#define BASELINE_BYTES (UINT64_C(64) << 20)

static enum ndp_exit judge_report(struct ndp_report *report, const struct ndp_settings *settings,
                                  struct ndp_arena *arena) {
    struct ndp_baseline baseline = {0};
    if (settings->baseline != NULL) {
        struct ndp_bytes text = {0};
        struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
        if (ndp_load_case_file(arena, settings->baseline, BASELINE_BYTES, &text, &error) != NDP_OK ||
            ndp_baseline_read(arena, settings->baseline, text, &baseline, &error) != NDP_OK) {
            ndp_load_case_print_error(settings->baseline, text, &error);
            return NDP_EXIT_USAGE;
        }
    }
    time_t now = time(NULL);
    struct tm day;
    char today[16] = "";
    if (gmtime_r(&now, &day) != NULL) strftime(today, sizeof today, "%Y-%m-%d", &day);
    ndp_report_fill_floors(report);
    ndp_baseline_apply(&baseline, report, today);
    struct ndp_gate gate;
    ndp_gate_judge(report, settings->baseline != NULL ? &baseline : NULL, &gate);
    printf("%s\n", ndp_gate_status_word(gate.exit));
    for (uint32_t i = 0; i < gate.reason_count; i++) printf("  %s\n", gate.reasons[i]);
    if (gate.reasons_left_out > 0) printf("  and %llu more\n", (unsigned long long)gate.reasons_left_out);
    return gate.exit;
}

static enum ndp_exit run_gate(const struct ndp_settings *settings) {
    struct ndp_report *report = calloc(1, sizeof *report);
    if (report == NULL) return NDP_EXIT_FAULT;
    NDP_ARENA_SCOPED(arena, 2 * BASELINE_BYTES);
    enum ndp_exit code = NDP_EXIT_USAGE;
    if (ndp_load_report(settings->files.list[0], report)) code = judge_report(report, settings, &arena);
    ndp_report_clear(report);
    free(report);
    return code;
}

const struct ndp_command ndp_command_gate = {
    .name = "gate",
    .arguments = "REPORT",
    .summary = "judge a report against a baseline of accepted divergences",
    .options = 1u << NDP_OPTION_BASELINE,
    .min_files = 1,
    .max_files = 1,
    .run = run_gate,
};
