#include <signal.h>
#include <string.h>
#include <time.h>

#include "cmd/command.h"
#include "cmd/evidence.h"
#include "cmd/open_targets.h"
#include "cmd/progress.h"
#include "engine/sweep.h"

#define SECOND_NS UINT64_C(1000000000)
enum { DEFAULT_SECONDS = 110 };

static volatile sig_atomic_t stop_signal;

static void on_signal(int number) {
    stop_signal = number;
}

/* What the table at the end says of one property. */
struct tally {
    uint64_t verdicts[NDP_VERDICT_COUNT];
    uint64_t comparisons;
};

struct run {
    struct ndp_opened opened;
    struct ndp_progress progress;
    struct tally by_property[NDP_MAX_PROPERTIES];
    uint64_t verdicts[NDP_VERDICT_COUNT];
    uint64_t faults;
    char fault[256];
};

static void hear_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct run *run = context;
    run->progress.cases++;
    run->verdicts[result->verdict]++;
    uint32_t count;
    (void)ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (!result->by_property[i].is_judged) continue;
        run->by_property[i].verdicts[result->by_property[i].verdict]++;
        run->by_property[i].comparisons += result->by_property[i].comparisons;
    }
    if (result->verdict != NDP_VERDICT_FAULT || run->faults++ > 20) return;
    ndp_progress_pause(&run->progress);
    struct ndp_buffer text;
    ndp_buffer_init(&text, 1 << 20);
    if (ndp_descriptor_print(&text, descriptor) != NDP_OK) text.size_bytes = 0;
    fprintf(stderr, "FAULT %s\n  %.*s\n", result->detail, (int)text.size_bytes, (const char *)text.data);
    ndp_buffer_clear(&text);
}

static void hear_found(void *context, const struct ndp_found *found) {
    struct run *run = context;
    run->progress.findings++;
    ndp_progress_pause(&run->progress);
    printf("%s\n", found->divergence->signature);
    ndp_evidence_print(stdout, found->divergence, 2);
    printf("  first case %llu, confirmed %u of %u\n  %.*s\n", (unsigned long long)found->first_case,
           (unsigned)found->confirm_hits, (unsigned)found->confirm_runs, (int)found->descriptor.size_bytes,
           (const char *)found->descriptor.data);
    fflush(stdout);
}

static void hear_tick(void *context) {
    struct run *run = context;
    ndp_progress_tick(&run->progress);
}

static void print_table(const struct run *run) {
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    printf("\n%-14s %12s %10s %10s %10s %12s\n", "property", "comparisons", "PASS", "DIVERGES", "REJECTS",
           "UNSUPPORTED");
    for (uint32_t i = 0; i < count; i++) {
        const struct tally *tally = &run->by_property[i];
        printf("%-14s %12llu %10llu %10llu %10llu %12llu\n", properties[i]->name,
               (unsigned long long)tally->comparisons, (unsigned long long)tally->verdicts[NDP_VERDICT_PASS],
               (unsigned long long)tally->verdicts[NDP_VERDICT_DIVERGES],
               (unsigned long long)tally->verdicts[NDP_VERDICT_REJECTS],
               (unsigned long long)tally->verdicts[NDP_VERDICT_UNSUPPORTED]);
    }
    static const char *const words[] = {
#define WORD(name, word, text) word,
        NDP_VERDICT_LIST(WORD)
#undef WORD
    };
    printf("\n%llu cases:", (unsigned long long)run->progress.cases);
    for (int i = 0; i < NDP_VERDICT_COUNT; i++) {
        if (run->verdicts[i] > 0) printf(" %s %llu", words[i], (unsigned long long)run->verdicts[i]);
    }
    printf("\n");
}

static enum ndp_status choose_properties(const struct ndp_words *names, uint32_t *mask) {
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    for (uint32_t k = 0; k < names->count; k++) {
        uint32_t i = 0;
        while (i < count && strcmp(properties[i]->name, names->list[k]) != 0) i++;
        if (i == count) {
            fprintf(stderr, "ndproof sweep: there is no property '%s'; 'ndproof list properties' tells them\n",
                    names->list[k]);
            return NDP_INVALID;
        }
        *mask |= 1u << i;
    }
    return NDP_OK;
}

static enum ndp_exit sweep(const struct ndp_settings *settings, struct run *run) {
    struct ndp_sweep_options options = {
        .seed = settings->seed,
        .cases = settings->cases,
        .duration_ns = settings->seconds * SECOND_NS,
        .filter = {.targets = settings->targets.list,
                   .target_count = settings->targets.count,
                   .formats = settings->formats.list,
                   .format_count = settings->formats.count},
        .stop = &stop_signal,
    };
    if (!ndp_settings_has(settings, NDP_OPTION_SEED)) options.seed = (uint64_t)time(NULL);
    if (options.cases == 0 && options.duration_ns == 0) options.duration_ns = DEFAULT_SECONDS * SECOND_NS;
    if (choose_properties(&settings->properties, &options.properties) != NDP_OK) return NDP_EXIT_USAGE;
    printf("seed %llu\n", (unsigned long long)options.seed);
    ndp_targets_print(&run->opened, stdout);
    fflush(stdout);
    ndp_progress_init(&run->progress, &run->opened.bench, options.cases, options.duration_ns);
    const struct ndp_sweep_events events = {
        .context = run, .on_case = hear_case, .on_found = hear_found, .on_tick = hear_tick};
    enum ndp_stop_reason reason;
    struct ndp_error error = {0};
    enum ndp_status status = ndp_sweep_run(&run->opened.bench, &options, &events, &reason, &error);
    ndp_progress_pause(&run->progress);
    print_table(run);
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof sweep: %s\n", error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return NDP_EXIT_FAULT;
    }
    return run->faults > 0 ? NDP_EXIT_FAULT : run->progress.findings > 0 ? NDP_EXIT_DIVERGES : NDP_EXIT_CLEAN;
}

static enum ndp_exit run_command(const struct ndp_settings *settings) {
    static struct run run;
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct ndp_error error = {0};
    if (ndp_targets_open(settings, &run.opened, &error) != NDP_OK) {
        fprintf(stderr, "ndproof sweep: %s\n", error.text);
        return NDP_EXIT_FAULT;
    }
    enum ndp_exit code = sweep(settings, &run);
    ndp_targets_close(&run.opened);
    return code;
}

const struct ndp_command ndp_command_sweep = {
    .name = "sweep",
    .arguments = "",
    .summary = "cases from a seed through every route; a report of every divergence",
    .options = 1u << NDP_OPTION_SEED | 1u << NDP_OPTION_CASES | 1u << NDP_OPTION_SECONDS | 1u << NDP_OPTION_ENV |
               1u << NDP_OPTION_PYTHON | 1u << NDP_OPTION_TARGET | 1u << NDP_OPTION_FORMAT | 1u << NDP_OPTION_PROPERTY |
               1u << NDP_OPTION_REPORT | 1u << NDP_OPTION_BASELINE | 1u << NDP_OPTION_TWIN |
               1u << NDP_OPTION_IN_PROCESS,
    .run = run_command,
};
