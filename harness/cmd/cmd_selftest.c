/* cmd_selftest.c: sweeps every planted defect in a separate process, one per processor at a time. The rows return
 * through pipes and are printed in the order of the defects. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/temporary.h"
#include "cmd/command.h"
#include "engine/sweep.h"
#include "planted/planted.h"
#include "target/plugin_dict.h"
#include "target/plugin_graph.h"
#include "target/process/guard.h"
#include "target/registry.h"

/* Enough for every property to meet every kind of value on every route of a pair of C targets, and every fault. */
enum {
    ARRAY_CASES = 1600,
    DECODE_CASES = 3500,
    PICKLE_CASES = 1000,
    GRAPH_CASES = 600,
    DICT_CASES = 96,
    REPEATED_CASES = 32,
    FATAL_CASES = 16,
    VALUE_BYTES = 8192, /* more than a page */
    SEED = 1,
    MAX_PLANTED = 256,
    MAX_JOBS = 16
};

/* The deadline of a case of a plugin that may hang. */
#define DEADLINE_NS (UINT64_C(2) * 1000000000)

/* The counts of one planted defect. */
struct row {
    enum ndp_status status;
    uint64_t hits[NDP_MAX_PROPERTIES];
    uint64_t comparisons[NDP_MAX_PROPERTIES];
    uint64_t deaths; /* process deaths and timeouts */
    uint64_t judged; /* cases that passed after a death */
    uint64_t plain;  /* divergences of cases without a history */
    uint64_t faults;
    char fault[256];
};

/* In place of a property: the planted defect kills its process. */
#define PROCESS_DEATH "process"

static void count_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct row *row = context;
    uint32_t count;
    const struct ndp_property *const *properties = ndp_property_all(&count);
    for (uint32_t i = 0; i < count; i++) row->comparisons[i] += result->by_property[i].comparisons;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        if (result->divergences[i].judgement.severity == NDP_SEVERITY_DOCUMENTED_LOSS) continue;
        row->deaths += result->divergences[i].property == NULL;
        row->plain += descriptor->route.history == NDP_HISTORY_NONE;
        for (uint32_t k = 0; k < count; k++) row->hits[k] += result->divergences[i].property == properties[k];
    }
    row->judged += row->deaths > 0 && result->verdict == NDP_VERDICT_PASS && result->comparisons > 0;
    if (result->verdict != NDP_VERDICT_FAULT) return;
    row->faults++;
    snprintf(row->fault, sizeof row->fault, "%s", result->detail);
}

/* A sweep of a planted defect. */
struct part {
    const char *formats[2];
    uint32_t format_count;
    uint64_t cases;
    struct ndp_property_set properties; /* empty: all that are judged on single cases */
    bool is_separate;                   /* the plugin runs in a separate process */
};

static enum ndp_status open_separate(const struct ndp_plugin *plugin, struct ndp_target **out,
                                     struct ndp_error *error) {
    struct ndp_target_limits limits = ndp_target_default_limits;
    char self[PATH_MAX], command[] = "testee", option[] = "--target", name[NDP_WORD_BYTES];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot read /proc/self/exe");
    self[length] = '\0';
    snprintf(name, sizeof name, "%s", plugin->name);
    char *const argv[] = {self, command, option, name, NULL};
    limits.case_deadline_ns = DEADLINE_NS;
    return ndp_target_open_process(plugin->name, "", argv, &limits, out, error);
}

/* Sweeps the reference, in this process, against `plugin`. */
static enum ndp_status sweep_part(const struct ndp_plugin *plugin, const struct part *part, struct row *row,
                                  struct ndp_error *error) {
    const struct ndp_plugin *const plugins[] = {ndp_registry_find("reference"), plugin, ndp_registry_find("reference")};
    struct ndp_bench bench = {0};
    enum ndp_status status = NDP_OK;
    for (uint32_t i = 0; i < 2 && status == NDP_OK; i++) {
        status = i == 1 && part->is_separate ? open_separate(plugins[i], &bench.targets[i], error)
                                             : ndp_target_open_plugin(plugins[i], &bench.targets[i], error);
        if (status == NDP_OK) bench.count++;
    }
    if (status == NDP_OK) status = ndp_target_open_plugin(plugins[2], &bench.oracle, error);
    if (status == NDP_OK) {
        snprintf(bench.targets[0]->info.name, NDP_WORD_BYTES, "reference");
        snprintf(bench.targets[1]->info.name, NDP_WORD_BYTES, "planted");
        const struct ndp_sweep_options options = {
            .seed = SEED,
            .cases = part->cases,
            .value_bytes = VALUE_BYTES,
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

/* Returns whether the property that must catch a planted defect is judged by repetition; the correct reference (NULL)
 * is tested with all properties. */
static bool needs_repetition(const char *name) {
    const struct ndp_property *property = name != NULL ? ndp_property_find(name) : NULL;
    return name == NULL || (property != NULL && property->by_repetition);
}

static struct ndp_property_set only(const char *property) {
    struct ndp_property_set set = {0};
    ndp_property_set_add(&set, ndp_property_find(property));
    return set;
}

/* Sweeps every kind of value that the plugin takes. A plugin that leaks is only repeated: the leftovers of a thousand
 * cases would disturb the other sweeps. */
static enum ndp_status sweep_plugin(const struct ndp_plugin *plugin, const char *property, struct row *row,
                                    struct ndp_error *error) {
    const struct ndp_property_set all = {0};
    const char *first = plugin->entries[0].format != NULL ? plugin->entries[0].format : "";
    const struct part files = {{"npy", "raw"}, 2, ARRAY_CASES, all, false};
    const struct part wrong_files = {{"npy", "raw"}, 2, DECODE_CASES, only("strictness"), false};
    const struct part pickles = {{"pickle"}, 1, PICKLE_CASES, all, false};
    const struct part dumps = {{"joblib"}, 1, PICKLE_CASES, all, false};
    const struct part archives = {{"npz"}, 1, PICKLE_CASES, all, false};
    const struct part arrays = strncmp(first, "pickle:", 7) == 0   ? pickles
                               : strncmp(first, "joblib:", 7) == 0 ? dumps
                               : strcmp(first, "npz") == 0         ? archives
                                                                   : files;
    /* A separate process takes the leaks of a planted defect with it. */
    const bool is_harmless = plugin == ndp_registry_find("reference");
    const struct part repeated = {{"npy", "raw"}, 2, REPEATED_CASES, ndp_property_set_all(true), !is_harmless};
    const bool is_repeated = needs_repetition(property);
    const bool is_fatal = property != NULL && strcmp(property, PROCESS_DEATH) == 0;
    if (is_repeated) NDP_TRY(sweep_part(plugin, &repeated, row, error));
    if (is_repeated && !is_harmless) return NDP_OK;
    if (plugin->entries[0].format != NULL) NDP_TRY(sweep_part(plugin, &arrays, row, error));
    if (arrays.cases == files.cases) NDP_TRY(sweep_part(plugin, &wrong_files, row, error));
    if (plugin->graph != NULL) {
        char family[NDP_WORD_BYTES];
        const char *format = plugin->graph->entries[0].format;
        snprintf(family, sizeof family, "%.*s", (int)strcspn(format, ":"), format);
        const struct part graphs = {{family}, 1, GRAPH_CASES, all, false};
        NDP_TRY(sweep_part(plugin, &graphs, row, error));
    }
    if (plugin->dict == NULL) return NDP_OK;
    const struct part dicts = {{plugin->dict->format}, 1, is_fatal ? FATAL_CASES : DICT_CASES, all, is_fatal};
    return sweep_part(plugin, &dicts, row, error);
}

/* ---- processes ---- */

struct job {
    pid_t process;
    int rows_fd;
};

/* Sweeps in a separate temporary folder, so that leftover files are counted for this plugin only. */
static _Noreturn void run_job(const struct ndp_plugin *plugin, const char *property, int rows_fd) {
    struct row row = {0};
    struct ndp_error error = {0};
    char folder[256];
    snprintf(folder, sizeof folder, "%s/ndproof-XXXXXX", ndp_temporary_parent());
    if (mkdtemp(folder) == NULL || setenv("TMPDIR", folder, 1) != 0) _exit(1);
    row.status = sweep_plugin(plugin, property, &row, &error);
    ndp_guard_remove_folder(folder);
    if (row.status != NDP_OK) snprintf(row.fault, sizeof row.fault, "%s", error.text);
    /* Shorter than PIPE_BUF, so the write is atomic. */
    _exit(write(rows_fd, &row, sizeof row) == (ssize_t)sizeof row ? 0 : 1);
}

static enum ndp_status start_job(const struct ndp_plugin *plugin, const char *property, struct job *job) {
    int ends[2];
    if (pipe(ends) != 0) return NDP_IO;
    fflush(stdout); /* otherwise the child prints it again */
    job->process = fork();
    if (job->process == 0) {
        (void)close(ends[0]);
        run_job(plugin, property, ends[1]);
    }
    (void)close(ends[1]);
    job->rows_fd = ends[0];
    if (job->process > 0) return NDP_OK;
    (void)close(ends[0]);
    return NDP_IO;
}

/* Waits for the row of a job. Errors: GONE if the process died. */
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
    const struct ndp_property *const *properties = ndp_property_all(&count);
    printf("%-28s", "planted defect");
    for (uint32_t i = 0; i < count; i++) printf(" %12.12s", properties[i]->name);
    printf("  must be caught by\n");
}

static void print_row(const char *name, const struct row *row, const char *verdict) {
    uint32_t count;
    (void)ndp_property_all(&count);
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

static bool has_run(const char *name, enum ndp_status status, const struct row *row) {
    if (status == NDP_OK) return true;
    printf("%-28s cannot run: %s %s\n", name, ndp_status_text(status), row->fault);
    return false;
}

/* Checks that the correct reference has comparisons for every property and no divergence. */
static bool is_clean(enum ndp_status status, const struct row *row) {
    if (!has_run("(none)", status, row)) return false;
    uint32_t count;
    (void)ndp_property_all(&count);
    bool is_clean = row->faults == 0;
    for (uint32_t i = 0; i < count; i++) is_clean = is_clean && row->hits[i] == 0 && row->comparisons[i] > 0;
    print_row("(none)", row,
              is_clean ? "nothing: ok" : "FAILED: expected comparisons for every property and no divergence");
    if (row->faults > 0) printf("  %s\n", row->fault);
    return is_clean;
}

/* Returns whether no other property diverged. */
static bool is_only_hit(const struct row *row, const char *name) {
    uint32_t count;
    const struct ndp_property *const *properties = ndp_property_all(&count);
    for (uint32_t i = 0; i < count; i++)
        if (row->hits[i] > 0 && strcmp(properties[i]->name, name) != 0) return false;
    return true;
}

static bool is_caught(const struct ndp_planted *planted, enum ndp_status status, const struct row *row,
                      bool *has_catch) {
    if (!has_run(planted->name, status, row)) return false;
    uint32_t count;
    const struct ndp_property *const *properties = ndp_property_all(&count);
    /* ndproof survives the process death if it judges later cases. */
    bool caught =
        strcmp(planted->property, PROCESS_DEATH) == 0 && row->deaths > 0 && row->faults == 0 && row->judged > 0;
    for (uint32_t i = 0; i < count; i++) {
        if (row->hits[i] > 0 && strcmp(properties[i]->name, planted->property) == 0) {
            caught = true;
            has_catch[i] = true;
        }
    }
    const bool is_alone = !planted->is_caught_alone || is_only_hit(row, planted->property);
    const bool is_of_history = !planted->needs_history || row->plain == 0;
    char verdict[96];
    snprintf(verdict, sizeof verdict, "%s%s: %s", planted->property,
             planted->is_caught_alone ? " alone"
             : planted->needs_history ? " after a history"
                                      : "",
             !caught          ? "NOT CAUGHT"
             : !is_of_history ? "CAUGHT WITHOUT A HISTORY"
             : is_alone       ? "ok"
                              : "CAUGHT BY OTHERS");
    print_row(planted->name, row, verdict);
    return caught && is_alone && is_of_history;
}

/* The planted defects to sweep: the named ones, or the correct reference and all. */
struct list {
    const struct ndp_planted *rows[MAX_PLANTED]; /* NULL: the reference */
    uint32_t count;
};

static bool is_named(const struct ndp_words *names, const char *name) {
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], name) == 0) return true;
    return names->count == 0;
}

static struct list make_list(const struct ndp_words *names) {
    uint32_t count;
    const struct ndp_planted *const *planted = ndp_planted_list(&count);
    struct list list = {.count = names->count == 0 ? 1 : 0};
    for (uint32_t i = 0; i < count && list.count < MAX_PLANTED; i++)
        if (is_named(names, planted[i]->name)) list.rows[list.count++] = planted[i];
    return list;
}

/* Fills has_catch, and adds the failures to *failed. Errors: IO. */
static enum ndp_status run_all(const struct list *list, bool *has_catch, uint32_t *failed) {
    struct job jobs[MAX_JOBS];
    uint32_t started = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        for (; started < list->count && started < i + job_count(); started++) {
            const struct ndp_planted *planted = list->rows[started];
            const struct ndp_plugin *plugin = planted != NULL ? &planted->plugin : ndp_registry_find("reference");
            NDP_TRY(start_job(plugin, planted != NULL ? planted->property : NULL, &jobs[started % MAX_JOBS]));
        }
        struct row row = {0};
        const enum ndp_status status = finish_job(&jobs[i % MAX_JOBS], &row);
        const bool is_right =
            list->rows[i] == NULL ? is_clean(status, &row) : is_caught(list->rows[i], status, &row, has_catch);
        *failed += is_right ? 0 : 1;
    }
    return NDP_OK;
}

static enum ndp_exit run_selftest(const struct ndp_settings *settings) {
    uint32_t property_count, failed = 0;
    const struct ndp_property *const *properties = ndp_property_all(&property_count);
    bool has_catch[NDP_MAX_PROPERTIES] = {false};
    const bool is_complete = settings->targets.count == 0;
    const struct list list = make_list(&settings->targets);
    if (ndp_registry_find("reference") == NULL || list.count == 0) {
        fprintf(stderr, "ndproof selftest: %s\n",
                list.count == 0 ? "no planted defect has this name" : "the reference is not built in");
        return list.count == 0 ? NDP_EXIT_USAGE : NDP_EXIT_FAULT;
    }
    print_head();
    if (run_all(&list, has_catch, &failed) != NDP_OK) {
        fprintf(stderr, "ndproof selftest: cannot start a process\n");
        return NDP_EXIT_FAULT;
    }
    for (uint32_t i = 0; i < property_count && is_complete; i++) {
        if (has_catch[i]) continue;
        printf("property %s catches no planted defect\n", properties[i]->name);
        failed++;
    }
    printf("%u planted defects, %u properties, %u failures\n", (unsigned)(list.count - (is_complete ? 1 : 0)),
           (unsigned)property_count, (unsigned)failed);
    return failed == 0 ? NDP_EXIT_CLEAN : NDP_EXIT_FAULT;
}

const struct ndp_command ndp_command_selftest = {
    .name = "selftest",
    .arguments = "",
    .summary = "check that properties catch every planted defect and every property catches one",
    .options = NDP_OPTION_BIT(TARGET),
    .run = run_selftest,
};
