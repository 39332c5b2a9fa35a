#include <string.h>

#include "cmd/command.h"
#include "engine/sweep.h"
#include "target/planted.h"
#include "target/registry.h"

/* Enough for every property to meet every kind of value on every route of a pair of C targets. */
enum { CASES = 12000, SEED = 1, MAX_PLANTED = 128 };

/* How often each property diverged on one planted defect. */
struct row {
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
        if (result->divergences[i].judgement.severity != NDP_SEVERITY_DEFECT) continue;
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

/* Sweeps the reference against `plugin`, in this process. */
static enum ndp_status sweep_plugin(const struct ndp_plugin *plugin, struct row *row, struct ndp_error *error) {
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
        const struct ndp_sweep_options options = {.seed = SEED, .cases = CASES};
        const struct ndp_sweep_events events = {.context = row, .on_case = count_case};
        enum ndp_stop_reason reason;
        status = ndp_sweep_run(&bench, &options, &events, &reason, error);
    }
    for (uint32_t i = 0; i < bench.count; i++) ndp_target_close(bench.targets[i]);
    ndp_target_close(bench.oracle);
    return status;
}

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

/* A codec in C takes arrays: what judges graphs and dicts cannot be exercised here, and that is said. */
static bool is_of_arrays(const struct ndp_property *property) {
    return !property->for_graph && !property->for_dicts;
}

/* The unharmed reference: everything is compared and nothing diverges. */
static bool has_clean_reference(struct ndp_error *error) {
    struct row row = {0};
    enum ndp_status status = sweep_plugin(find_reference(), &row, error);
    if (status != NDP_OK) {
        printf("%-28s cannot run: %s %s\n", "(none)", ndp_status_text(status), error->text);
        return false;
    }
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    bool is_clean = row.faults == 0;
    for (uint32_t i = 0; i < count; i++) {
        is_clean = is_clean && row.hits[i] == 0 && (row.comparisons[i] > 0 || !is_of_arrays(properties[i]));
    }
    print_row("(none)", &row, is_clean ? "nothing: ok" : "FAILED: it must compare everything and find nothing");
    if (row.faults > 0) printf("  %s\n", row.fault);
    return is_clean;
}

static bool is_caught(const struct ndp_planted *planted, bool *has_catch, struct ndp_error *error) {
    struct row row = {0};
    enum ndp_status status = sweep_plugin(&planted->plugin, &row, error);
    if (status != NDP_OK) {
        printf("%-28s cannot run: %s %s\n", planted->name, ndp_status_text(status), error->text);
        return false;
    }
    uint32_t count;
    const struct ndp_property *const *properties = ndp_properties(&count);
    bool caught = false;
    for (uint32_t i = 0; i < count; i++) {
        if (row.hits[i] > 0 && strcmp(properties[i]->name, planted->property) == 0) {
            caught = true;
            has_catch[i] = true;
        }
    }
    char verdict[96];
    snprintf(verdict, sizeof verdict, "%s: %s", planted->property, caught ? "ok" : "NOT CAUGHT");
    print_row(planted->name, &row, verdict);
    return caught;
}

static enum ndp_exit run(const struct ndp_settings *settings) {
    (void)settings;
    struct ndp_error error = {0};
    uint32_t planted_count, property_count;
    const struct ndp_planted *const *planted = ndp_planted_list(&planted_count);
    const struct ndp_property *const *properties = ndp_properties(&property_count);
    bool has_catch[NDP_MAX_PROPERTIES] = {false};
    if (find_reference() == NULL) {
        fprintf(stderr, "ndproof selftest: the reference is not built in\n");
        return NDP_EXIT_FAULT;
    }
    print_head();
    uint32_t failed = has_clean_reference(&error) ? 0 : 1;
    for (uint32_t i = 0; i < planted_count; i++) failed += is_caught(planted[i], has_catch, &error) ? 0 : 1;
    for (uint32_t i = 0; i < property_count; i++) {
        if (has_catch[i]) continue;
        if (!is_of_arrays(properties[i])) {
            printf("property %s NOT EXERCISED: no planted target takes its values; its unit test has the faults\n",
                   properties[i]->name);
            continue;
        }
        printf("property %s catches no planted defect\n", properties[i]->name);
        failed++;
    }
    if (error.text[0] != '\0') printf("%s\n", error.text);
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
