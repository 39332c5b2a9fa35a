#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/command.h"
#include "cmd/floors.h"
#include "cmd/jobs.h"
#include "cmd/list_untested.h"
#include "cmd/load_baseline.h"
#include "cmd/load_report.h"
#include "cmd/summary.h"
#include "report/baseline_untested.h"
#include "report/report_json.h"
#include "report/report_merge.h"

#define ARENA_BYTES (UINT64_C(128) << 20)

struct merge {
    const struct ndp_settings *settings;
    struct ndp_report into; /* the first shard, then the result */
    struct ndp_report next;
    struct ndp_arena arena;            /* of the baseline */
    const char *paths[NDP_MAX_SHARDS]; /* of each shard; NULL: none */
};

/* ---- reading ---- */

static enum ndp_exit refuse(const char *path, const char *reason) {
    fprintf(stderr, "ndproof merge: %s: %s\n", path, reason);
    return NDP_EXIT_USAGE;
}

/* Checks that the report is a shard that no report before it is. */
static enum ndp_exit place_shard(struct merge *merge, const char *path, const struct ndp_report *report) {
    char reason[512];
    if (report->shard_count == 0) return refuse(path, "not a shard of a sweep (sweep --shard I/N)");
    if (report->shard_count > NDP_MAX_SHARDS) return refuse(path, "too many shards");
    const char *same = merge->paths[report->shard];
    merge->paths[report->shard] = path;
    if (same == NULL) return NDP_EXIT_CLEAN;
    snprintf(reason, sizeof reason, "shard %u/%u again, after %s", (unsigned)report->shard + 1,
             (unsigned)report->shard_count, same);
    return refuse(path, reason);
}

static enum ndp_exit check_and_merge(struct merge *merge, const char *path) {
    struct ndp_error error = {0};
    char reason[512];
    const enum ndp_status checked = ndp_report_merge_check(&merge->into, &merge->next, &error);
    snprintf(reason, sizeof reason, "not of the sweep of %s: %s", merge->settings->files.list[0], error.text);
    if (checked != NDP_OK) return refuse(path, reason);
    const enum ndp_exit code = place_shard(merge, path, &merge->next);
    if (code != NDP_EXIT_CLEAN) return code;
    const enum ndp_status status = ndp_report_merge(&merge->into, &merge->next);
    if (status == NDP_OK) return NDP_EXIT_CLEAN;
    if (status == NDP_INVALID) return refuse(path, "its coverage is not of the same groups of routes");
    fprintf(stderr, "ndproof merge: %s: %s\n", path, ndp_status_text(status));
    return NDP_EXIT_FAULT;
}

static enum ndp_exit add_report(struct merge *merge, const char *path) {
    enum ndp_exit code = NDP_EXIT_USAGE;
    if (ndp_load_report(path, &merge->next)) code = check_and_merge(merge, path);
    ndp_report_clear(&merge->next);
    return code;
}

static enum ndp_exit read_reports(struct merge *merge) {
    const struct ndp_words *files = &merge->settings->files;
    if (!ndp_load_report(files->list[0], &merge->into)) return NDP_EXIT_USAGE;
    enum ndp_exit code = place_shard(merge, files->list[0], &merge->into);
    for (uint32_t i = 1; i < files->count && code == NDP_EXIT_CLEAN; i++) code = add_report(merge, files->list[i]);
    return code;
}

/* ---- the result ---- */

/* A shard without a report is not tested, and only --allow-missing permits that. */
static enum ndp_exit list_missing(struct merge *merge) {
    struct ndp_report *into = &merge->into;
    for (uint32_t i = 0; i < into->shard_count; i++) {
        struct ndp_untested item = {.kind = NDP_UNTESTED_SHARD, .is_expected = true, .reason = "its report is missing"};
        if (merge->paths[i] != NULL) continue;
        snprintf(item.name, sizeof item.name, "%u/%u", (unsigned)i + 1, (unsigned)into->shard_count);
        if (ndp_untested_add(&into->untested, &item) != NDP_OK) return NDP_EXIT_FAULT;
        const struct ndp_untested *added = ndp_untested_find(&into->untested, item.kind, item.name);
        if (added != NULL && added->is_allowed) continue;
        fprintf(stderr, "ndproof merge: the report of shard %s is missing; --allow-missing 'shard %s' accepts that\n",
                item.name, item.name);
        return NDP_EXIT_USAGE;
    }
    return NDP_EXIT_CLEAN;
}

/* The result is the report of one sweep: it has the command line of this command, and needs no bits. */
static enum ndp_exit become_whole(struct merge *merge) {
    struct ndp_report *into = &merge->into;
    into->shard = into->shard_count = 0;
    into->argc = 0;
    for (uint32_t i = 0; i < into->coverage.count; i++) {
        free(into->coverage.groups[i].bits);
        into->coverage.groups[i].bits = NULL;
    }
    for (int i = 0; i < merge->settings->argc && i < NDP_MAX_REPORT_ARGUMENTS; i++) {
        const struct ndp_bytes word = ndp_bytes_view(merge->settings->argv[i]);
        if (ndp_report_finding_clean_text(&into->arena, word, &into->argv[into->argc]) != NDP_OK) return NDP_EXIT_FAULT;
        into->argc++;
    }
    return NDP_EXIT_CLEAN;
}

static enum ndp_exit judge(struct merge *merge) {
    struct ndp_report *into = &merge->into;
    const struct ndp_settings *settings = merge->settings;
    struct ndp_baseline baseline = {0};
    struct ndp_gate gate;
    struct ndp_error error = {0};
    char today[NDP_DAY_BYTES];
    const bool has_baseline = settings->baseline != NULL;
    if (has_baseline && !ndp_load_baseline(&merge->arena, settings->baseline, &baseline)) return NDP_EXIT_USAGE;
    ndp_load_baseline_today(today);
    ndp_floors_set_shares(into, settings);
    ndp_report_fill_floors(into);
    ndp_baseline_apply(&baseline, into, today);
    if (ndp_baseline_untested_list(&baseline, false, into) != NDP_OK) return NDP_EXIT_FAULT;
    ndp_gate_judge(into, has_baseline ? &baseline : NULL, &gate);
    if (settings->report != NULL &&
        ndp_report_write(settings->report, into, has_baseline ? &baseline : NULL, &gate, &error) != NDP_OK) {
        fprintf(stderr, "ndproof merge: cannot write %s: %s\n", settings->report, error.text);
        return NDP_EXIT_FAULT;
    }
    ndp_summary_print(stdout, into, &gate, settings->report);
    ndp_list_untested_print(stdout, into);
    return gate.exit;
}

static enum ndp_exit merge_all(struct merge *merge) {
    const struct ndp_settings *settings = merge->settings;
    enum ndp_exit code = ndp_floors_check(settings);
    if (code == NDP_EXIT_CLEAN) code = read_reports(merge);
    if (code != NDP_EXIT_CLEAN) return code;
    const uint32_t shard_count = merge->into.shard_count;
    ndp_untested_allow(&merge->into.untested, settings->allowed_missing.list, settings->allowed_missing.count);
    code = list_missing(merge);
    if (code == NDP_EXIT_CLEAN) code = become_whole(merge);
    if (code != NDP_EXIT_CLEAN) return code;
    printf("ndproof %s, seed %llu, %u of %u shards\n\n", merge->into.version, (unsigned long long)merge->into.seed,
           (unsigned)settings->files.count, (unsigned)shard_count);
    return judge(merge);
}

static enum ndp_exit run_merge(const struct ndp_settings *settings) {
    struct merge *merge = calloc(1, sizeof *merge);
    if (merge == NULL) return NDP_EXIT_FAULT;
    merge->settings = settings;
    ndp_arena_init(&merge->arena, ARENA_BYTES);
    const enum ndp_exit code = merge_all(merge);
    ndp_report_clear(&merge->into);
    ndp_arena_clear(&merge->arena);
    free(merge);
    return code;
}

const struct ndp_command ndp_command_merge = {
    .name = "merge",
    .arguments = "REPORT...",
    .summary = "unite the reports of the shards of one sweep",
    .options = NDP_OPTION_BIT(REPORT) | NDP_OPTION_BIT(BASELINE) | NDP_OPTION_BIT(ALLOW_MISSING) |
               NDP_OPTION_BIT(MIN_PAIRS) | NDP_OPTION_BIT(MIN_TRIPLES),
    .min_files = 1,
    .max_files = UINT32_MAX,
    .run = run_merge,
};
