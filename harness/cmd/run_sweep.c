#include "cmd/run_sweep.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/evidence.h"
#include "cmd/load_case.h"
#include "cmd/open_targets.h"
#include "cmd/progress.h"
#include "cmd/replay_baseline.h"
#include "cmd/replay_command.h"
#include "cmd/summary.h"
#include "report/report_json.h"
#include "version.h"

#define SECOND_NS      UINT64_C(1000000000)
#define WRITE_STEP_NS  (2 * SECOND_NS)
#define BASELINE_BYTES (UINT64_C(64) << 20)
enum { DEFAULT_SECONDS = 110, FLOOR_CASES = 100, FLOOR_COMPARISONS = 10, MAX_FAULTS_TOLD = 10 };

static volatile sig_atomic_t stop_signal;

static void on_signal(int number) {
    stop_signal = number;
}

struct run {
    const struct ndp_settings *settings;
    const struct ndp_sweep_given *given;
    struct ndp_opened opened;
    struct ndp_progress progress;
    struct ndp_report report;
    struct ndp_arena arena; /* of the baseline */
    struct ndp_baseline baseline;
    bool has_baseline;
    uint64_t written_ns;
    struct ndp_error write_error; /* the last one, or text "" */
    bool is_short_of_memory;
};

static void tell_fault(struct run *run, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    if (run->report.faults > MAX_FAULTS_TOLD) return;
    ndp_progress_pause(&run->progress);
    struct ndp_buffer text;
    ndp_buffer_init(&text, 1 << 20);
    if (ndp_descriptor_print(&text, descriptor) != NDP_OK) text.size_bytes = 0;
    fprintf(stderr, "FAULT %s\n  %.*s\n", result->detail, (int)text.size_bytes, (const char *)text.data);
    ndp_buffer_clear(&text);
}

static void hear_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct run *run = context;
    run->progress.cases++;
    if (ndp_report_result(&run->report, &descriptor->route, result) != NDP_OK) run->is_short_of_memory = true;
    if (result->verdict == NDP_VERDICT_FAULT) tell_fault(run, descriptor, result);
}

static void hear_found(void *context, const struct ndp_found *found) {
    struct run *run = context;
    char replay[NDP_REPLAY_COMMAND_BYTES];
    ndp_replay_command(run->settings, &run->opened, found, replay);
    if (ndp_report_found(&run->report, found, replay) != NDP_OK) run->is_short_of_memory = true;
    if (run->given != NULL && run->given->counts[found->first_case] > 1) {
        struct ndp_finding *finding = ndp_findings_find(&run->report.findings, found->divergence->signature);
        if (finding != NULL) finding->count += run->given->counts[found->first_case] - 1;
    }
    ndp_progress_pause(&run->progress);
    bool is_defect = found->divergence->judgement.severity == NDP_SEVERITY_DEFECT;
    if (is_defect) run->progress.findings++;
    if (!is_defect) return;
    ndp_evidence_print(stdout, found->divergence, 0);
    printf("  case %llu, confirmed in %u of %u fresh processes; to see it again:\n  %s\n\n",
           (unsigned long long)found->first_case, (unsigned)found->confirm_hits, (unsigned)found->confirm_runs, replay);
    fflush(stdout);
}

static void hear_again(void *context, const char *signature) {
    struct run *run = context;
    ndp_report_again(&run->report, signature);
}

/* Puts the report as it stands into its file. Its gate is that of the moment. */
static void write_report(struct run *run, struct ndp_gate *gate) {
    for (uint32_t i = 0; i < run->opened.bench.count; i++)
        ndp_report_target(&run->report, run->opened.bench.targets[i]);
    time_t now = time(NULL);
    struct tm day;
    char today[16] = "";
    if (gmtime_r(&now, &day) != NULL) strftime(today, sizeof today, "%Y-%m-%d", &day);
    ndp_report_settle(&run->report);
    ndp_baseline_apply(&run->baseline, &run->report, today);
    ndp_gate_judge(&run->report, run->has_baseline ? &run->baseline : NULL, gate);
    if (run->settings->report == NULL) return;
    run->write_error.text[0] = '\0';
    if (ndp_report_write(run->settings->report, &run->report, run->has_baseline ? &run->baseline : NULL, gate,
                         &run->write_error) != NDP_OK) {
        ndp_progress_pause(&run->progress);
        fprintf(stderr, "ndproof: cannot write %s: %s\n", run->settings->report, run->write_error.text);
    }
    run->written_ns = ndp_clock_ns();
}

static void hear_tick(void *context) {
    struct run *run = context;
    ndp_progress_tick(&run->progress);
    if (ndp_clock_ns() - run->written_ns < WRITE_STEP_NS) return;
    struct ndp_gate gate;
    write_report(run, &gate);
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

static enum ndp_status choose_properties(const struct ndp_words *names, uint32_t *mask) {
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    for (uint32_t k = 0; k < names->count; k++) {
        uint32_t i = 0;
        while (i < count && strcmp(properties[i]->name, names->list[k]) != 0) i++;
        if (i == count) {
            fprintf(stderr, "ndproof: there is no property '%s'; 'ndproof list properties' tells them\n",
                    names->list[k]);
            return NDP_INVALID;
        }
        *mask |= 1u << i;
    }
    return NDP_OK;
}

/* Whether any target of the run can be judged by a property that is only about graphs or only about dicts. */
static bool has_values_for(const struct run *run, const struct ndp_property *property) {
    if (!property->for_graph && !property->for_dicts) return true;
    for (uint32_t i = 0; i < run->opened.bench.count; i++) {
        const struct ndp_target_info *info = &run->opened.bench.targets[i]->info;
        for (uint32_t k = 0; k < info->entry_count; k++) {
            if (property->for_graph && info->entries[k].takes_graphs) return true;
            if (property->for_dicts && info->entries[k].takes_dicts) return true;
        }
    }
    return false;
}

/* What must have been compared for the run to mean anything: every property that was asked for by its name or, where
 * nothing is left out, all that the targets have values for; every format that was asked for. A run of fewer cases than
 * the least is vacuous by itself. */
static void set_floors(struct run *run, uint32_t properties) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    const bool is_narrow = run->settings->formats.count > 0 || run->settings->targets.count > 0;
    ndp_report_floor(&run->report, NDP_FLOOR_CASES, "", FLOOR_CASES);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_named = (properties & (1u << i)) != 0;
        /* What is judged by repetition is compared when a target is seen to grow, or when it is asked for. */
        const bool is_due = properties == 0 && !all[i]->by_repetition && !is_narrow && has_values_for(run, all[i]);
        const bool needs_two = strcmp(all[i]->name, "cross") == 0 && run->opened.bench.count < 2;
        if (is_named || (is_due && !needs_two)) {
            ndp_report_floor(&run->report, NDP_FLOOR_PROPERTY, all[i]->name, FLOOR_COMPARISONS);
        }
    }
    for (uint32_t i = 0; i < run->settings->formats.count; i++) {
        ndp_report_floor(&run->report, NDP_FLOOR_FORMAT, run->settings->formats.list[i], FLOOR_COMPARISONS);
    }
}

static enum ndp_status start_report(struct run *run, uint64_t seed) {
    const struct ndp_report_run facts = {.version = NDP_VERSION,
                                         .commit = NDP_COMMIT,
                                         .seed = seed,
                                         .argc = run->settings->argc,
                                         .argv = run->settings->argv,
                                         .started_s = (int64_t)time(NULL)};
    NDP_TRY(ndp_report_init(&run->report, &facts));
    for (uint32_t i = 0; i < run->opened.missing_count; i++) {
        ndp_report_missing(&run->report, run->opened.missing[i].name, run->opened.missing[i].reason);
    }
    return NDP_OK;
}

/* What the oracles of fuzz targets saw goes beside what the cases show. */
static void report_foreign(struct run *run) {
    const struct ndp_result nothing = {.verdict = NDP_VERDICT_PASS};
    for (uint32_t i = 0; i < run->given->foreign_count; i++) {
        const struct ndp_foreign_finding *foreign = &run->given->foreign[i];
        struct ndp_result result = nothing;
        result.stderr_tail = foreign->printed;
        const struct ndp_found found = {.divergence = &foreign->divergence,
                                        .descriptor = foreign->descriptor,
                                        .first_case = run->progress.cases,
                                        .confirm_runs = 1,
                                        .confirm_hits = 1,
                                        .result = &result};
        char replay[NDP_REPLAY_COMMAND_BYTES];
        snprintf(replay, sizeof replay, "%s replay %s", run->settings->argv[0], foreign->path);
        /* What ndproof or a testee could not do says nothing about what is under test. */
        if (foreign->divergence.verdict == NDP_VERDICT_FAULT) {
            run->report.faults += foreign->count;
            fprintf(stderr, "%s\n  to see it again: %s\n", foreign->divergence.signature, replay);
            continue;
        }
        if (ndp_report_found(&run->report, &found, replay) != NDP_OK) run->is_short_of_memory = true;
        struct ndp_finding *finding = ndp_findings_find(&run->report.findings, foreign->divergence.signature);
        if (finding != NULL && foreign->count > 1) finding->count += foreign->count - 1;
        printf("%s\n  to see it again: %s\n\n", foreign->divergence.signature, replay);
    }
}

static struct ndp_sweep_options read_options(const struct ndp_settings *settings, uint32_t properties) {
    struct ndp_sweep_options options = {
        .seed = settings->seed,
        .cases = settings->cases,
        .duration_ns = settings->seconds * SECOND_NS,
        .properties = properties,
        .filter = {.targets = settings->targets.list,
                   .target_count = settings->targets.count,
                   .formats = settings->formats.list,
                   .format_count = settings->formats.count},
        .stop = &stop_signal,
    };
    if (!ndp_settings_has(settings, NDP_OPTION_SEED)) options.seed = (uint64_t)time(NULL);
    if (options.cases == 0 && options.duration_ns == 0) options.duration_ns = DEFAULT_SECONDS * SECOND_NS;
    return options;
}

/* The sweep itself, the baseline's own cases, and the verdict on all of it. */
static enum ndp_exit sweep(struct run *run, uint32_t properties) {
    struct ndp_sweep_options options = read_options(run->settings, properties);
    if (run->given != NULL) {
        options.given = run->given->cases;
        options.given_count = run->given->count;
        options.given_signatures = run->given->signatures;
        options.duration_ns = run->settings->seconds * SECOND_NS; /* else all that is given is judged to its end */
    }
    printf("ndproof %s, seed %llu\n", NDP_VERSION, (unsigned long long)options.seed);
    ndp_targets_print(&run->opened, stdout);
    printf("\n");
    fflush(stdout);
    if (start_report(run, options.seed) != NDP_OK) return NDP_EXIT_FAULT;
    if (run->given == NULL) set_floors(run, properties);
    ndp_progress_init(&run->progress, &run->opened.bench, options.cases, options.duration_ns);
    const struct ndp_sweep_events events = {
        .context = run, .on_case = hear_case, .on_found = hear_found, .on_again = hear_again, .on_tick = hear_tick};
    struct ndp_gate gate;
    write_report(run, &gate);
    /* Better now than after a night. */
    if (run->write_error.text[0] != '\0') return NDP_EXIT_FAULT;
    enum ndp_stop_reason reason = NDP_STOP_CASES;
    struct ndp_error error = {0};
    enum ndp_status status = ndp_sweep_run(&run->opened.bench, &options, &events, &reason, &error);
    if (status == NDP_OK && run->has_baseline) {
        status = ndp_replay_baseline(&run->opened.bench, &run->baseline, &events, run->progress.cases, &error);
    }
    ndp_progress_pause(&run->progress);
    if (run->given != NULL) report_foreign(run);
    ndp_report_stop(&run->report, status == NDP_OK ? stop_word(reason) : NDP_REPORT_STOP_FAULT, (int64_t)time(NULL));
    write_report(run, &gate);
    ndp_summary_print(stdout, &run->report, &gate);
    if (run->settings->report != NULL && run->write_error.text[0] == '\0')
        printf("report: %s\n", run->settings->report);
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return NDP_EXIT_FAULT;
    }
    if (run->write_error.text[0] != '\0' || run->is_short_of_memory) return NDP_EXIT_FAULT;
    return gate.exit;
}

static enum ndp_exit read_baseline(struct run *run) {
    if (run->settings->baseline == NULL) return NDP_EXIT_CLEAN;
    const char *path = run->settings->baseline;
    struct ndp_bytes text = {0};
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    if (ndp_file_read(&run->arena, path, BASELINE_BYTES, &text, &error) != NDP_OK ||
        ndp_baseline_read(&run->arena, path, text, &run->baseline, &error) != NDP_OK) {
        ndp_error_print(path, text, &error);
        return NDP_EXIT_USAGE;
    }
    run->has_baseline = true;
    return NDP_EXIT_CLEAN;
}

static enum ndp_exit open_and_sweep(struct run *run) {
    uint32_t properties = 0;
    if (choose_properties(&run->settings->properties, &properties) != NDP_OK) return NDP_EXIT_USAGE;
    enum ndp_exit code = read_baseline(run);
    if (code != NDP_EXIT_CLEAN) return code;
    code = ndp_targets_open(run->settings, &run->opened);
    if (code != NDP_EXIT_CLEAN) return code;
    code = sweep(run, properties);
    ndp_targets_close(&run->opened);
    ndp_report_clear(&run->report);
    return code;
}

const volatile sig_atomic_t *ndp_sweep_heed_signals(void) {
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    return &stop_signal;
}

enum ndp_exit ndp_sweep_command(const struct ndp_settings *settings, const struct ndp_sweep_given *given) {
    (void)ndp_sweep_heed_signals();
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) return NDP_EXIT_FAULT;
    run->settings = settings;
    run->given = given;
    ndp_arena_init(&run->arena, 2 * BASELINE_BYTES);
    enum ndp_exit code = open_and_sweep(run);
    ndp_arena_clear(&run->arena);
    free(run);
    return code;
}
