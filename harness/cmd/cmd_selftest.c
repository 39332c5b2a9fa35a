/* cmd_selftest.c: every planted defect is swept in a process of its own, as many at a time as there are processors. The
 * rows come back through pipes and are printed in the order of the defects. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/temporary.h"
#include "cmd/command.h"
#include "engine/sweep.h"
#include "target/guard.h"
#include "target/planted.h"
#include "target/plugin_dict.h"
#include "target/plugin_graph.h"
#include "target/registry.h"

/* Enough for every property to meet every kind of value on every route of a pair of C targets. */
enum { ARRAY_CASES = 10000, GRAPH_CASES = 1200, DICT_CASES = 96, REPEATED_CASES = 32, SEED = 1, MAX_JOBS = 16 };

/* How often each property diverged on one planted defect. */
struct row {
    enum ndp_status status;
    uint64_t hits[NDP_MAX_PROPERTIES];
    uint64_t comparisons[NDP_MAX_PROPERTIES];
    uint64_t faults;
    char fault[256];
};

static void count_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    (void)descriptor;
    struct row *row = context;
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) row->comparisons[i] += result->by_property[i].comparisons;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        if (result->divergences[i].judgement.severity == NDP_SEVERITY_DOCUMENTED_LOSS) continue;
        for (uint32_t k = 0; k < count; k++) row->hits[k] += result->divergences[i].property == properties[k];
    }
    if (result->verdict != NDP_VERDICT_FAULT) return;
    row->faults++;
    snprintf(row->fault, sizeof row->fault, "%s", result->detail);
}

static const struct ndp_plugin *find_reference(void) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_plugins(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(plugins[i]->name, "reference") == 0) return plugins[i];
    }
    return NULL;
}

/* A part of the work on one planted defect. */
struct part {
    const char *formats[2];
    uint32_t format_count;
    uint64_t cases;
    uint32_t properties; /* 0 is all that one run can tell */
};

/* Sweeps the reference against `plugin`, in this process. */
static enum ndp_status sweep_part(const struct ndp_plugin *plugin, const struct part *part, struct row *row,
                                  struct ndp_error *error) {
    const struct ndp_plugin *const plugins[] = {find_reference(), plugin, find_reference()};
    struct ndp_bench bench = {0};
    enum ndp_status status = NDP_OK;
    for (uint32_t i = 0; i < 2 && status == NDP_OK; i++) {
        status = ndp_target_open_plugin(plugins[i], &bench.targets[i], error);
        if (status == NDP_OK) bench.count++;
    }
    if (status == NDP_OK) status = ndp_target_open_plugin(plugins[2], &bench.oracle, error);
    if (status == NDP_OK) {
        snprintf(bench.targets[0]->info.name, NDP_WORD_BYTES, "reference");
        snprintf(bench.targets[1]->info.name, NDP_WORD_BYTES, "planted");
        const struct ndp_sweep_options options = {
            .seed = SEED,
            .cases = part->cases,
            .properties = part->properties,
            .filter = {.involved = "planted", .formats = part->formats, .format_count = part->format_count}};
        const struct ndp_sweep_events events = {.context = row, .on_case = count_case};
        enum ndp_stop_reason reason;
        status = ndp_sweep_run(&bench, &options, &events, &reason, error);
    }
    for (uint32_t i = 0; i < bench.count; i++) ndp_target_close(bench.targets[i]);
    ndp_target_close(bench.oracle);
    return status;
}

static uint32_t repeated_properties(void) {
    uint32_t count, mask = 0;
    const struct ndp_property *const *properties = ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (properties[i]->by_repetition) mask |= 1u << i;
    }
    return mask;
}

/* Whatever kinds of values the plugin takes. What is left behind by a thousand cases would only be in the way, so that
 * a plugin that is known to do so is repeated alone. */
static enum ndp_status sweep_plugin(const struct ndp_plugin *plugin, bool is_repeated, struct row *row,
                                    struct ndp_error *error) {
    const struct part arrays = {{"npy", "raw"}, 2, ARRAY_CASES, 0};
    const struct part repeated = {{"npy", "raw"}, 2, REPEATED_CASES, repeated_properties()};
    if (is_repeated) NDP_TRY(sweep_part(plugin, &repeated, row, error));
    if (is_repeated && plugin != find_reference()) return NDP_OK;
    if (plugin->entries[0].format != NULL) NDP_TRY(sweep_part(plugin, &arrays, row, error));
    if (plugin->graph != NULL) {
        const struct part graphs = {{plugin->graph->entries[0].format}, 1, GRAPH_CASES, 0};
        NDP_TRY(sweep_part(plugin, &graphs, row, error));
    }
    if (plugin->dict == NULL) return NDP_OK;
    const struct part dicts = {{plugin->dict->format}, 1, DICT_CASES, 0};
    return sweep_part(plugin, &dicts, row, error);
}

/* Whether the property that must report a planted defect is judged by repetition; the unharmed reference has none. */
static bool needs_repetition(const char *property) {
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    for (uint32_t i = 0; i < count && property != NULL; i++) {
        if (strcmp(properties[i]->name, property) == 0) return properties[i]->by_repetition;
    }
    return property == NULL;
}

/* ---- processes ---- */

struct job {
    pid_t process;
    int rows_fd;
};

/* Works in a temporary folder of its own, so that what is left behind there is its own, and goes with it. */
static _Noreturn void do_job(const struct ndp_plugin *plugin, const char *property, int rows_fd) {
    struct row row = {0};
    struct ndp_error error = {0};
    char folder[256];
    snprintf(folder, sizeof folder, "%s/ndproof-XXXXXX", ndp_temporary_parent());
    if (mkdtemp(folder) == NULL || setenv("TMPDIR", folder, 1) != 0) _exit(1);
    row.status = sweep_plugin(plugin, needs_repetition(property), &row, &error);
    ndp_folder_remove(folder);
    if (row.status != NDP_OK) snprintf(row.fault, sizeof row.fault, "%s", error.text);
    /* Shorter than PIPE_BUF: it is written whole or not at all. */
    _exit(write(rows_fd, &row, sizeof row) == (ssize_t)sizeof row ? 0 : 1);
}

static enum ndp_status start_job(const struct ndp_plugin *plugin, const char *property, struct job *job) {
    int ends[2];
    if (pipe(ends) != 0) return NDP_IO;
    fflush(stdout); /* or the child has the text as well */
    job->process = fork();
    if (job->process == 0) {
        (void)close(ends[0]);
        do_job(plugin, property, ends[1]);
    }
    (void)close(ends[1]);
    job->rows_fd = ends[0];
    if (job->process > 0) return NDP_OK;
    (void)close(ends[0]);
    return NDP_IO;
}

/* Waits for the row of a job. Errors: GONE when the process died. */
static enum ndp_status finish_job(const struct job *job, struct row *row) {
    ssize_t got;
    do {
        got = read(job->rows_fd, row, sizeof *row);
    } while (got < 0 && errno == EINTR);
    (void)close(job->rows_fd);
    while (waitpid(job->process, NULL, 0) < 0 && errno == EINTR) continue;
    return got == (ssize_t)sizeof *row ? row->status : NDP_GONE;
}

static uint32_t job_count(void) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) return 1;
    return processors > MAX_JOBS ? MAX_JOBS : (uint32_t)processors;
}

/* ---- the matrix ---- */

static void print_head(void) {
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    printf("%-28s", "planted defect");
    for (uint32_t i = 0; i < count; i++) printf(" %12.12s", properties[i]->name);
    printf("  must be caught by\n");
}

static void print_row(const char *name, const struct row *row, const char *verdict) {
    uint32_t count;
    (void)ndp_properties(&count);
    printf("%-28s", name);
    for (uint32_t i = 0; i < count; i++) {
        if (row->hits[i] == 0) {
            printf(" %12s", row->comparisons[i] == 0 ? "-" : ".");
        } else {
            printf(" %12llu", (unsigned long long)row->hits[i]);
        }
    }
    printf("  %s\n", verdict);
}

static bool is_run(const char *name, enum ndp_status status, const struct row *row) {
    if (status == NDP_OK) return true;
    printf("%-28s cannot run: %s %s\n", name, ndp_status_text(status), row->fault);
    return false;
}

/* The unharmed reference: everything is compared and nothing diverges. */
static bool is_clean(enum ndp_status status, const struct row *row) {
    if (!is_run("(none)", status, row)) return false;
    uint32_t count;
    (void)ndp_properties(&count);
    bool is_clean = row->faults == 0;
    for (uint32_t i = 0; i < count; i++) is_clean = is_clean && row->hits[i] == 0 && row->comparisons[i] > 0;
    print_row("(none)", row, is_clean ? "nothing: ok" : "FAILED: it must compare everything and find nothing");
    if (row->faults > 0) printf("  %s\n", row->fault);
    return is_clean;
}

static bool is_caught(const struct ndp_planted *planted, enum ndp_status status, const struct row *row,
                      bool *has_catch) {
    if (!is_run(planted->name, status, row)) return false;
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    bool caught = false;
    for (uint32_t i = 0; i < count; i++) {
        if (row->hits[i] > 0 && strcmp(properties[i]->name, planted->property) == 0) {
            caught = true;
            has_catch[i] = true;
        }
    }
    char verdict[96];
    snprintf(verdict, sizeof verdict, "%s: %s", planted->property, caught ? "ok" : "NOT CAUGHT");
    print_row(planted->name, row, verdict);
    return caught;
}

/* Number 0 is the unharmed reference, the others are the planted defects. */
static enum ndp_status start_number(uint32_t number, struct job *job) {
    uint32_t count;
    const struct ndp_planted *const *planted = ndp_planted_list(&count);
    if (number == 0) return start_job(find_reference(), NULL, job);
    return start_job(&planted[number - 1]->plugin, planted[number - 1]->property, job);
}

/* Fills has_catch and gives how many failed. Errors: IO. */
static enum ndp_status run_all(uint32_t total, bool *has_catch, uint32_t *failed) {
    uint32_t count;
    const struct ndp_planted *const *planted = ndp_planted_list(&count);
    struct job jobs[MAX_JOBS];
    uint32_t started = 0;
    for (uint32_t i = 0; i < total; i++) {
        for (; started < total && started < i + job_count(); started++)
            NDP_TRY(start_number(started, &jobs[started % MAX_JOBS]));
        struct row row = {0};
        const enum ndp_status status = finish_job(&jobs[i % MAX_JOBS], &row);
        const bool is_right = i == 0 ? is_clean(status, &row) : is_caught(planted[i - 1], status, &row, has_catch);
        *failed += is_right ? 0 : 1;
    }
    return NDP_OK;
}

static enum ndp_exit run(const struct ndp_settings *settings) {
    (void)settings;
    uint32_t planted_count, property_count, failed = 0;
    (void)ndp_planted_list(&planted_count);
    const struct ndp_property *const *properties = ndp_properties(&property_count);
    bool has_catch[NDP_MAX_PROPERTIES] = {false};
    if (find_reference() == NULL) {
        fprintf(stderr, "ndproof selftest: the reference is not built in\n");
        return NDP_EXIT_FAULT;
    }
    print_head();
    if (run_all(planted_count + 1, has_catch, &failed) != NDP_OK) {
        fprintf(stderr, "ndproof selftest: cannot start a process\n");
        return NDP_EXIT_FAULT;
    }
    for (uint32_t i = 0; i < property_count; i++) {
        if (has_catch[i]) continue;
        printf("property %s catches no planted defect\n", properties[i]->name);
        failed++;
    }
    printf("%u planted defects, %u properties, %u failures\n", (unsigned)planted_count, (unsigned)property_count,
           (unsigned)failed);
    return failed == 0 && planted_count > 0 ? NDP_EXIT_CLEAN : NDP_EXIT_FAULT;
}

const struct ndp_command ndp_command_selftest = {
    .name = "selftest",
    .arguments = "",
    .summary = "planted defects against properties: each must be caught, each must catch",
    .run = run,
};
