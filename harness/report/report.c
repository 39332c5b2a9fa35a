#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ARENA_BYTES (UINT64_C(256) << 20)

const char *ndp_report_stop_word(enum ndp_report_stop stop) {
    static const char *const words[] = {
#define STOP_WORD(name, word, text) word,
        NDP_REPORT_STOP_LIST(STOP_WORD)};
    return stop < NDP_REPORT_STOP_COUNT ? words[stop] : "?";
}

const char *ndp_report_floor_word(enum ndp_floor_kind kind) {
    static const char *const words[] = {
#define FLOOR_WORD(name, word) word,
        NDP_FLOOR_LIST(FLOOR_WORD)};
    return kind < NDP_FLOOR_COUNT ? words[kind] : "?";
}

static void print_time(int64_t seconds, char *out) {
    time_t when = (time_t)seconds;
    struct tm parts;
    if (gmtime_r(&when, &parts) == NULL) memset(&parts, 0, sizeof parts);
    if (strftime(out, NDP_TIME_TEXT_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) out[0] = '\0';
}

static enum ndp_status copy_arguments(struct ndp_report *report, const struct ndp_report_run *run) {
    for (int i = 0; i < run->argc && i < NDP_MAX_REPORT_ARGUMENTS; i++) {
        NDP_TRY(ndp_report_finding_clean_text(&report->arena, ndp_bytes_view(run->argv[i]), &report->argv[i]));
        report->argc++;
    }
    return NDP_OK;
}

enum ndp_status ndp_report_init(struct ndp_report *report, const struct ndp_report_run *run) {
    *report = (struct ndp_report){.seed = run->seed,
                                  .jobs = run->jobs,
                                  .shard = run->shard,
                                  .shard_count = run->shard_count,
                                  .stop = NDP_REPORT_STOP_RUNNING};
    ndp_arena_init(&report->arena, ARENA_BYTES);
    snprintf(report->version, sizeof report->version, "%s", run->version);
    snprintf(report->commit, sizeof report->commit, "%s", run->commit);
    print_time(run->started_s, report->started);
    uint32_t count = 0;
    const struct ndp_property *const *properties = ndp_property_all(&count);
    for (uint32_t i = 0; i < count && i < NDP_MAX_PROPERTIES; i++)
        snprintf(report->properties[report->property_count++], NDP_WORD_BYTES, "%s", properties[i]->name);
    return copy_arguments(report, run);
}

void ndp_report_clear(struct ndp_report *report) {
    free(report->routes);
    report->routes = NULL;
    report->route_count = 0;
    report->route_capacity = 0;
    free(report->lost_workers);
    report->lost_workers = NULL;
    report->lost_worker_count = 0;
    ndp_report_coverage_clear(&report->coverage);
    ndp_report_findings_clear(&report->findings);
    ndp_untested_clear(&report->untested);
    ndp_report_causes_clear(&report->causes);
    ndp_arena_clear(&report->arena);
}

struct ndp_report_target *ndp_report_target_row(struct ndp_report *report, const char *name) {
    for (uint32_t i = 0; i < report->target_count; i++)
        if (strcmp(report->targets[i].name, name) == 0) return &report->targets[i];
    if (report->target_count == NDP_MAX_REPORT_TARGETS) return NULL;
    struct ndp_report_target *target = &report->targets[report->target_count++];
    *target = (struct ndp_report_target){.restarts = 0};
    snprintf(target->name, sizeof target->name, "%s", name);
    return target;
}

void ndp_report_target(struct ndp_report *report, const struct ndp_target *target) {
    struct ndp_report_target *row = ndp_report_target_row(report, target->info.name);
    if (row == NULL) return;
    memcpy(row->implementation, target->info.implementation, sizeof row->implementation);
    memcpy(row->version, target->info.version, sizeof row->version);
    memcpy(row->language, target->info.language, sizeof row->language);
    memcpy(row->environment, target->info.environment, sizeof row->environment);
    memcpy(row->libraries, target->info.libraries, sizeof row->libraries);
    row->library_count = target->info.library_count;
    for (int i = 0; i < NDP_CLASS_COUNT; i++)
        row->lacks_class[i] = ndp_target_lacks_class(&target->info, (enum ndp_array_class)i);
    row->restarts = target->counts.restarts;
    row->crashes = target->counts.crashes;
    row->timeouts = target->counts.timeouts;
    row->unavailable[0] = '\0';
}

void ndp_report_add_missing_target(struct ndp_report *report, const char *name, const char *reason) {
    struct ndp_report_target *row = ndp_report_target_row(report, name);
    if (row == NULL) return;
    snprintf(row->unavailable, sizeof row->unavailable, "%s", reason[0] != '\0' ? reason : "unknown reason");
}

void ndp_report_add_floor(struct ndp_report *report, enum ndp_floor_kind kind, const char *name, uint64_t least) {
    if (report->floor_count == NDP_MAX_FLOORS) return;
    struct ndp_floor *floor = &report->floors[report->floor_count++];
    *floor = (struct ndp_floor){.kind = kind, .least = least};
    snprintf(floor->name, sizeof floor->name, "%s", name);
}

static enum ndp_status grow_routes(struct ndp_report *report) {
    if (report->route_count < report->route_capacity) return NDP_OK;
    uint32_t capacity = report->route_capacity > 0 ? 2 * report->route_capacity : 64;
    struct ndp_route_cells *routes = realloc(report->routes, capacity * sizeof *routes);
    if (routes == NULL) return NDP_NOMEM;
    report->routes = routes;
    report->route_capacity = capacity;
    return NDP_OK;
}

/* Past NDP_MAX_REPORT_ROUTES, further routes share the last row under one name. */
struct ndp_route_cells *ndp_report_route_row(struct ndp_report *report, const char *route, const char *format) {
    for (uint32_t n = 0; n < report->route_count; n++) {
        uint32_t i = (report->last_route + n) % report->route_count;
        if (strcmp(report->routes[i].route, route) != 0) continue;
        report->last_route = i;
        return &report->routes[i];
    }
    if (report->route_count == NDP_MAX_REPORT_ROUTES) {
        struct ndp_route_cells *last = &report->routes[report->route_count - 1];
        snprintf(last->route, sizeof last->route, "all other routes");
        return last;
    }
    if (grow_routes(report) != NDP_OK) return NULL;
    report->last_route = report->route_count++;
    struct ndp_route_cells *row = &report->routes[report->last_route];
    memset(row, 0, sizeof *row);
    snprintf(row->route, sizeof row->route, "%s", route);
    snprintf(row->format, sizeof row->format, "%s", format);
    return row;
}

static void count_cell(struct ndp_cell *cell, enum ndp_verdict verdict, uint64_t comparisons) {
    if (verdict != NDP_VERDICT_UNSUPPORTED) cell->comparisons += comparisons;
    switch (verdict) {
    case NDP_VERDICT_PASS:
        if (comparisons > 0) cell->pass++;
        return;
    case NDP_VERDICT_DIVERGES:
        cell->diverges++;
        return;
    case NDP_VERDICT_REJECTS:
        cell->rejects++;
        return;
    case NDP_VERDICT_UNSUPPORTED:
        cell->unsupported++;
        return;
    case NDP_VERDICT_CRASH:
    case NDP_VERDICT_TIMEOUT:
    case NDP_VERDICT_OOM:
    case NDP_VERDICT_FLAKY:
    case NDP_VERDICT_FAULT:
    case NDP_VERDICT_COUNT:
        /* These verdicts state nothing about the property. */
        return;
    }
}

/* Counts a case for both ends of its route. A decoder that supports no part of the case compared nothing. */
static void count_targets(struct ndp_report *report, const struct ndp_route *route, const struct ndp_result *result) {
    for (uint32_t i = 0; i < report->target_count; i++) {
        struct ndp_report_target *target = &report->targets[i];
        const bool is_encoder = strcmp(target->name, route->encoder) == 0;
        if (!is_encoder && strcmp(target->name, route->decoder) != 0) continue;
        target->cases++;
        if (is_encoder || !result->is_unread) target->comparisons += result->comparisons + result->divergence_count;
    }
}

enum ndp_status ndp_report_add_result(struct ndp_report *report, const struct ndp_route *route,
                                      const struct ndp_result *result) {
    char text[NDP_REPORT_ROUTE_TEXT_BYTES];
    ndp_report_finding_print_route(route, text);
    struct ndp_route_cells *row = ndp_report_route_row(report, text, route->format);
    if (row == NULL) return NDP_NOMEM;
    report->cases++;
    report->comparisons += result->comparisons;
    if (result->verdict == NDP_VERDICT_FAULT) report->faults++;
    count_targets(report, route, result);
    for (uint32_t i = 0; i < report->property_count; i++) {
        if (!result->by_property[i].is_judged) continue;
        count_cell(&row->cells[i], result->by_property[i].verdict, result->by_property[i].comparisons);
    }
    return NDP_OK;
}

void ndp_report_name_case(const struct ndp_report *report, struct ndp_report_finding *finding) {
    const uint32_t group = ndp_case_group(finding->first_case);
    if (report->coverage.count == 0) return;
    finding->first_case = ndp_case_number(finding->first_case);
    if (group < report->coverage.count)
        memcpy(finding->first_group, report->coverage.groups[group].name, sizeof finding->first_group);
}

enum ndp_status ndp_report_cause_fill(struct ndp_arena *arena, const struct ndp_finding *finding,
                                      struct ndp_report_cause *out) {
    struct ndp_report_cause cause = {.library = ""};
    const char *library = finding->blame.library;
    ndp_cause_of_finding(finding, &cause.cause);
    snprintf(cause.library, sizeof cause.library, "%s",
             library[0] != '\0' ? library : finding->divergence->signature.outlier);
    memcpy(cause.evidence, finding->blame.evidence, sizeof cause.evidence);
    NDP_TRY(ndp_report_finding_clean_in_place(arena, cause.cause.key));
    NDP_TRY(ndp_report_finding_clean_in_place(arena, cause.cause.title));
    NDP_TRY(ndp_report_finding_clean_in_place(arena, cause.cause.error));
    NDP_TRY(ndp_report_finding_clean_in_place(arena, cause.evidence));
    ndp_cause_id(cause.cause.key, cause.cause.id);
    *out = cause;
    return NDP_OK;
}

/* Adds the route of a case, if it is known, to those of a cause. */
static enum ndp_status add_route(struct ndp_report *report, uint32_t cause, const struct ndp_route *route) {
    char text[NDP_REPORT_ROUTE_TEXT_BYTES];
    if (route == NULL) return NDP_OK;
    ndp_report_finding_print_route(route, text);
    return ndp_report_cause_add_route(&report->arena, &report->causes.items[cause], text);
}

enum ndp_status ndp_report_keep_finding(struct ndp_report *report, struct ndp_report_finding *kept,
                                        const struct ndp_report_cause *cause, const char *generated) {
    ndp_report_name_case(report, kept);
    if (report->findings.count < NDP_MAX_FINDINGS) {
        NDP_TRY(ndp_report_causes_add(&report->causes, cause, &kept->cause));
        struct ndp_report_cause *one = &report->causes.items[kept->cause];
        NDP_TRY(ndp_report_cause_add_route(&report->arena, one, kept->route));
        if (generated[0] != '\0') NDP_TRY(ndp_report_cause_add_route(&report->arena, one, generated));
    }
    return ndp_report_findings_add(&report->findings, kept);
}

enum ndp_status ndp_report_add_finding(struct ndp_report *report, const struct ndp_finding *finding, uint64_t count,
                                       const char *replay) {
    struct ndp_report_finding kept;
    struct ndp_report_cause cause;
    char generated[NDP_REPORT_ROUTE_TEXT_BYTES] = "";
    NDP_TRY(ndp_report_finding_fill(&report->arena, finding, replay, &kept));
    struct ndp_report_finding *known = ndp_report_findings_find(&report->findings, kept.signature);
    if (known != NULL) {
        known->count += count;
        return NDP_OK;
    }
    kept.count = count;
    NDP_TRY(ndp_report_cause_fill(&report->arena, finding, &cause));
    if (finding->generated != NULL) ndp_report_finding_print_route(finding->generated, generated);
    return ndp_report_keep_finding(report, &kept, &cause, generated);
}

enum ndp_status ndp_report_count_duplicate(struct ndp_report *report, const struct ndp_signature *signature,
                                           const struct ndp_route *route) {
    char text[NDP_SIGNATURE_BYTES];
    ndp_signature_print(signature, text);
    struct ndp_report_finding *finding = ndp_report_findings_find(&report->findings, text);
    if (finding == NULL) return NDP_OK;
    finding->count++;
    return add_route(report, finding->cause, route);
}

enum ndp_status ndp_report_set_coverage(struct ndp_report *report, const char *group,
                                        const struct ndp_coverage_counts *counts, struct ndp_bytes bits,
                                        uint64_t pair_bits) {
    const struct ndp_bytes none = {NULL, 0};
    return ndp_report_coverage_set(&report->coverage, group, counts, report->shard_count > 0 ? bits : none, pair_bits);
}

enum ndp_status ndp_report_add_lost_worker(struct ndp_report *report, const char *worker, const char *unit,
                                           const char *ending) {
    struct ndp_lost_worker *grown =
        realloc(report->lost_workers, (report->lost_worker_count + 1) * sizeof *report->lost_workers);
    if (grown == NULL) return NDP_NOMEM;
    report->lost_workers = grown;
    struct ndp_lost_worker *lost = &grown[report->lost_worker_count++];
    *lost = (struct ndp_lost_worker){.is_repeated = false};
    snprintf(lost->worker, sizeof lost->worker, "%s", worker);
    snprintf(lost->unit, sizeof lost->unit, "%s", unit);
    snprintf(lost->ending, sizeof lost->ending, "%s", ending);
    return NDP_OK;
}

void ndp_report_repeat_unit(struct ndp_report *report, const char *unit) {
    char text[NDP_LOST_TEXT_BYTES];
    snprintf(text, sizeof text, "%s", unit);
    for (uint32_t i = 0; i < report->lost_worker_count; i++)
        if (strcmp(report->lost_workers[i].unit, text) == 0) report->lost_workers[i].is_repeated = true;
}

void ndp_report_stop(struct ndp_report *report, enum ndp_report_stop stop, int64_t ended_s) {
    report->stop = stop;
    print_time(ended_s, report->ended);
}

/* Sums the comparisons of the floor's property or format. */
static uint64_t sum_comparisons(const struct ndp_report *report, const struct ndp_floor *floor) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < report->route_count; r++) {
        const struct ndp_route_cells *row = &report->routes[r];
        bool is_format = floor->kind == NDP_FLOOR_FORMAT && strcmp(row->format, floor->name) == 0;
        for (uint32_t p = 0; p < report->property_count; p++) {
            bool is_property = floor->kind == NDP_FLOOR_PROPERTY && strcmp(report->properties[p], floor->name) == 0;
            if (is_format || is_property) sum += row->cells[p].comparisons;
        }
    }
    return sum;
}

static uint64_t floor_done(const struct ndp_report *report, const struct ndp_floor *floor) {
    switch (floor->kind) {
    case NDP_FLOOR_PAIRS:
    case NDP_FLOOR_TRIPLES:
        return ndp_report_coverage_share(&report->coverage, floor->kind == NDP_FLOOR_TRIPLES, NULL);
    case NDP_FLOOR_CASES:
        return report->is_read ? floor->done : report->cases;
    case NDP_FLOOR_PROPERTY:
    case NDP_FLOOR_FORMAT:
    case NDP_FLOOR_COUNT:
        break;
    }
    return report->is_read ? floor->done : sum_comparisons(report, floor);
}

void ndp_report_fill_floors(struct ndp_report *report) {
    for (uint32_t i = 0; i < report->floor_count; i++) report->floors[i].done = floor_done(report, &report->floors[i]);
}
