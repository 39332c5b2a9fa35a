#include "cmd/run_sweep.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/export_report.h"
#include "cmd/floors.h"
#include "cmd/jobs.h"
#include "cmd/list_untested.h"
#include "cmd/live_report.h"
#include "cmd/load_baseline.h"
#include "cmd/open_targets.h"
#include "cmd/replay_cause.h"
#include "cmd/replay_command.h"
#include "cmd/stop_signal.h"
#include "cmd/summary.h"
#include "version.h"

#define SECOND_NS      UINT64_C(1000000000)
#define BASELINE_BYTES (UINT64_C(64) << 20)
enum { DEFAULT_SECONDS = 110 };

struct run {
    const struct ndp_settings *settings;
    const struct ndp_sweep_given *given;
    const volatile sig_atomic_t *stop;
    struct ndp_property_set properties;
    uint32_t jobs;
    uint32_t shard; /* from 0 */
    uint32_t shard_count;
    struct ndp_opened opened;
    struct ndp_arena arena;
    struct ndp_baseline baseline;
    struct ndp_live_report live;
};

/* ---- start ---- */

static enum ndp_exit choose_properties(struct run *run) {
    const struct ndp_words *names = &run->settings->properties;
    for (uint32_t i = 0; i < names->count; i++) {
        const struct ndp_property *property = ndp_property_find(names->list[i]);
        if (property == NULL) {
            fprintf(stderr, "ndproof: unknown property '%s'; 'ndproof list properties' lists the properties\n",
                    names->list[i]);
            return NDP_EXIT_USAGE;
        }
        ndp_property_set_add(&run->properties, property);
    }
    return NDP_EXIT_CLEAN;
}

static enum ndp_exit read_baseline(struct run *run) {
    if (run->settings->baseline == NULL) return NDP_EXIT_CLEAN;
    if (!ndp_load_baseline(&run->arena, run->settings->baseline, &run->baseline)) return NDP_EXIT_USAGE;
    run->live.baseline = &run->baseline;
    return NDP_EXIT_CLEAN;
}

static struct ndp_sweep_options read_options(const struct run *run) {
    const struct ndp_settings *settings = run->settings;
    struct ndp_sweep_options options = {
        .seed = settings->seed,
        .cases = settings->cases,
        .duration_ns = settings->seconds * SECOND_NS,
        .properties = run->properties,
        .filter = {.targets = settings->targets.list,
                   .target_count = settings->targets.count,
                   .formats = settings->formats.list,
                   .format_count = settings->formats.count},
        .stop = run->stop,
        .jobs = run->settings->is_in_process ? 0 : run->jobs,
        .shard = run->shard,
        .shard_count = run->shard_count,
    };
    if (!ndp_settings_has(settings, NDP_OPTION_SEED)) options.seed = (uint64_t)time(NULL);
    /* Without --seconds, all given cases run. */
    if (options.cases == 0 && options.duration_ns == 0 && run->given == NULL)
        options.duration_ns = DEFAULT_SECONDS * SECOND_NS;
    return options;
}

/* The cases of an import run in this process. */
static enum ndp_exit choose_workers(struct run *run) {
    if (run->given != NULL) return NDP_EXIT_CLEAN;
    const enum ndp_exit code = ndp_job_count(run->settings, &run->jobs);
    return code == NDP_EXIT_CLEAN ? ndp_job_shard(run->settings, &run->shard, &run->shard_count) : code;
}

/* Gives the counts of the given cases by number (arena); NULL if out of memory. */
static const uint64_t *list_counts(struct run *run) {
    uint64_t *counts = NDP_ARENA_ITEMS(&run->arena, uint64_t, run->given->count + 1);
    for (uint32_t i = 0; counts != NULL && i < run->given->count; i++) counts[i] = run->given->cases[i].count;
    if (counts != NULL) counts[run->given->count] = 1; /* of a replay of the baseline */
    return counts;
}

static enum ndp_status start_report(struct run *run, const struct ndp_sweep_options *options) {
    struct ndp_report *report = &run->live.report;
    const struct ndp_report_run facts = {.version = NDP_VERSION,
                                         .commit = NDP_COMMIT,
                                         .seed = options->seed,
                                         .jobs = options->jobs,
                                         .shard = options->shard,
                                         .shard_count = options->shard_count,
                                         .argc = run->settings->argc,
                                         .argv = run->settings->argv,
                                         .started_s = (int64_t)time(NULL)};
    NDP_TRY(ndp_report_init(report, &facts));
    ndp_untested_allow(&report->untested, run->settings->allowed_missing.list, run->settings->allowed_missing.count);
    for (uint32_t i = 0; i < run->opened.missing_count; i++)
        ndp_report_add_missing_target(report, run->opened.missing[i].name, run->opened.missing[i].reason);
    if (run->given == NULL) ndp_floors_set(report, run->settings, &run->opened.bench, run->properties);
    if (run->given != NULL) run->live.given = run->given->cases;
    if (run->given != NULL && (run->live.counts = list_counts(run)) == NULL) return NDP_NOMEM;
    ndp_progress_init(&run->live.progress, &run->opened.bench, options->cases, options->duration_ns);
    return NDP_OK;
}

/* ---- end ---- */

/* Adds a finding of a fuzz target to the report. A FAULT is not a finding: it is no evidence about the libraries under
 * test. */
static void report_oracle_finding(struct run *run, const struct ndp_fuzz_target_finding *seen) {
    const struct ndp_result result = {.verdict = NDP_VERDICT_PASS, .stderr_tail = seen->printed};
    const struct ndp_finding finding = {.divergence = &seen->divergence,
                                        .descriptor = seen->descriptor,
                                        .first_case = run->live.progress.cases,
                                        .confirm_runs = 1,
                                        .confirm_hits = 1,
                                        .result = &result};
    char replay[NDP_REPLAY_COMMAND_BYTES], signature[NDP_SIGNATURE_BYTES];
    const bool is_fault = seen->divergence.verdict == NDP_VERDICT_FAULT;
    snprintf(replay, sizeof replay, "%s replay %s", run->settings->argv[0], seen->path);
    ndp_signature_print(&seen->divergence.signature, signature);
    if (is_fault) run->live.report.faults += seen->count;
    if (!is_fault) ndp_live_report_add(&run->live, &finding, seen->count, replay);
    fprintf(is_fault ? stderr : stdout, "%s\n  to reproduce it: %s\n%s", signature, replay, is_fault ? "" : "\n");
}

static enum ndp_report_stop stop_word(enum ndp_stop_reason reason) {
    switch (reason) {
    case NDP_STOP_CASES:
        return NDP_REPORT_STOP_CASES;
    case NDP_STOP_DURATION:
        return NDP_REPORT_STOP_DURATION;
    case NDP_STOP_SIGNAL:
        return NDP_REPORT_STOP_SIGNAL;
    case NDP_STOP_NO_ROUTES:
        return NDP_REPORT_STOP_NO_ROUTES;
    }
    return NDP_REPORT_STOP_FAULT;
}

/* Writes the page of the report, which is on disk. A page that cannot be written does not change the verdict. */
static void write_page(const struct ndp_settings *settings) {
    fflush(stdout);
    if (ndp_export_report(settings->report, settings) == NDP_EXIT_CLEAN) {
        printf("page: %s\n", settings->html);
    } else {
        fprintf(stderr,
                "ndproof: no page was written, so %s is missing or of an earlier run; the report is complete: %s\n",
                settings->html, settings->report);
    }
}

static void list_untested(struct run *run) {
    const struct ndp_untested_request request = {.settings = run->settings,
                                                 .opened = &run->opened,
                                                 .properties = run->properties,
                                                 .is_given = run->given != NULL};
    struct ndp_report *report = &run->live.report;
    struct ndp_error error = {0};
    ndp_report_fill_floors(report);
    const enum ndp_status status = ndp_list_untested(&request, report, &error);
    if (status == NDP_OK) return;
    /* Without the list, the gate would pass what was not tested. */
    fprintf(stderr, "ndproof: cannot list what was not tested: %s\n",
            error.text[0] != '\0' ? error.text : ndp_status_text(status));
    report->stop = NDP_REPORT_STOP_FAULT;
}

static enum ndp_exit finish_report(struct run *run, enum ndp_report_stop stop) {
    struct ndp_live_report *live = &run->live;
    struct ndp_gate gate;
    ndp_progress_pause(&live->progress);
    for (uint32_t i = 0; run->given != NULL && i < run->given->oracle_finding_count; i++)
        report_oracle_finding(run, &run->given->oracle_findings[i]);
    ndp_report_stop(&live->report, stop, (int64_t)time(NULL));
    list_untested(run);
    ndp_live_report_write(live, &gate);
    const bool is_written = live->write_error.text[0] == '\0';
    if (run->settings->html != NULL && is_written) write_page(run->settings);
    ndp_summary_print(stdout, &live->report, &gate, is_written ? run->settings->report : NULL);
    ndp_list_untested_print(stdout, &live->report);
    return is_written && !live->is_short_of_memory ? gate.exit : NDP_EXIT_FAULT;
}

/* ---- the run ---- */

/* Runs the cases, then the unseen entries of the baseline. */
static enum ndp_status run_cases(struct run *run, const struct ndp_sweep_options *options, enum ndp_stop_reason *reason,
                                 struct ndp_error *error) {
    const struct ndp_sweep_events events = ndp_live_report_events(&run->live);
    const struct ndp_bench *bench = &run->opened.bench;
    NDP_TRY(run->given != NULL
                ? ndp_given_run(bench, options, run->given->cases, run->given->count, &events, reason, error)
                : ndp_sweep_run(bench, options, &events, reason, error));
    if (run->live.baseline == NULL) return NDP_OK;
    const uint64_t number =
        run->given != NULL ? run->given->count : run->live.progress.cases | NDP_REPORT_CASE_WITHOUT_GROUP;
    return ndp_replay_cause_baseline(bench, &run->baseline, &events, number, error);
}

static enum ndp_exit run_and_report(struct run *run) {
    const struct ndp_sweep_options options = read_options(run);
    struct ndp_gate gate;
    enum ndp_stop_reason reason = NDP_STOP_CASES;
    struct ndp_error error = {0};
    printf("ndproof %s, seed %llu", NDP_VERSION, (unsigned long long)options.seed);
    if (options.shard_count > 0) printf(", shard %u/%u", (unsigned)options.shard + 1, (unsigned)options.shard_count);
    printf("\n");
    ndp_open_targets_print(&run->opened, stdout);
    printf("\n");
    fflush(stdout);
    if (start_report(run, &options) != NDP_OK) return NDP_EXIT_FAULT;
    ndp_live_report_write(&run->live, &gate);
    /* Fails before the first case if the report cannot be written. */
    if (run->live.write_error.text[0] != '\0') return NDP_EXIT_FAULT;
    const enum ndp_status status = run_cases(run, &options, &reason, &error);
    const enum ndp_exit code = finish_report(run, status == NDP_OK ? stop_word(reason) : NDP_REPORT_STOP_FAULT);
    if (status == NDP_OK) return code;
    fprintf(stderr, "ndproof: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
    return NDP_EXIT_FAULT;
}

static enum ndp_exit open_and_sweep(struct run *run) {
    if (run->settings->html != NULL && run->settings->report == NULL) {
        fprintf(stderr, "ndproof: --html is a page of the report; name the report with --report FILE\n");
        return NDP_EXIT_USAGE;
    }
    enum ndp_exit code = choose_properties(run);
    if (code == NDP_EXIT_CLEAN) code = ndp_floors_check(run->settings);
    if (code == NDP_EXIT_CLEAN) code = choose_workers(run);
    if (code == NDP_EXIT_CLEAN) code = read_baseline(run);
    if (code == NDP_EXIT_CLEAN) code = ndp_open_targets(run->settings, &run->opened);
    if (code != NDP_EXIT_CLEAN) return code;
    code = run_and_report(run);
    ndp_open_targets_close(&run->opened);
    ndp_report_clear(&run->live.report);
    return code;
}

enum ndp_exit ndp_run_sweep(const struct ndp_settings *settings, const struct ndp_sweep_given *given) {
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) return NDP_EXIT_FAULT;
    run->settings = settings;
    run->given = given;
    run->stop = ndp_stop_signal_install();
    run->live.settings = settings;
    run->live.opened = &run->opened;
    ndp_arena_init(&run->arena, 2 * BASELINE_BYTES);
    enum ndp_exit code = open_and_sweep(run);
    ndp_arena_clear(&run->arena);
    free(run);
    return code;
}
