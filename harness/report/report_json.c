#include "report/report_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "describe/json_write.h"
#include "model/graph/array_class.h"

#define TENTH_NS         UINT64_C(100000000)
#define MAX_REPORT_BYTES (UINT64_C(1) << 30)

/* The texts are valid UTF-8 except at their end: a fixed array may cut a code point. Control characters become '?'. */
static bool put_text(cJSON *object, const char *key, const char *text) {
    char clean[1024];
    size_t at = 0;
    for (const uint8_t *p = (const uint8_t *)text; *p != '\0' && at + 1 < sizeof clean; p++)
        clean[at++] = *p < 0x20 || *p == 0x7f ? '?' : (char)*p;
    clean[at] = '\0';
    while (at > 0 && !ndp_text_fits_json(ndp_bytes_view(clean))) clean[--at] = '\0';
    return ndp_json_put(object, key, cJSON_CreateString(clean));
}

static bool put_u64(cJSON *object, const char *key, uint64_t number) {
    return ndp_json_put(object, key, ndp_json_from_u64(number));
}

/* Puts JSON text verbatim, as one line of the printed report. */
static bool put_raw(cJSON *object, const char *key, struct ndp_bytes json) {
    NDP_BUFFER_SCOPED(text, MAX_REPORT_BYTES);
    bool is_put = false;
    if (ndp_buffer_add(&text, json.data, json.size_bytes) == NDP_OK && ndp_buffer_add(&text, "", 1) == NDP_OK)
        is_put = ndp_json_put(object, key, cJSON_CreateRaw((const char *)text.data));
    return is_put;
}

static cJSON *put_object(cJSON *object, const char *key) {
    cJSON *child = cJSON_CreateObject();
    return ndp_json_put(object, key, child) ? child : NULL;
}

static cJSON *put_array(cJSON *object, const char *key) {
    cJSON *child = cJSON_CreateArray();
    return ndp_json_put(object, key, child) ? child : NULL;
}

static cJSON *push_object(cJSON *array) {
    cJSON *child = cJSON_CreateObject();
    return ndp_json_push(array, child) ? child : NULL;
}

static bool put_tool(cJSON *root, const struct ndp_report *report) {
    cJSON *tool = put_object(root, "tool");
    return put_text(tool, "name", "ndproof") && put_text(tool, "version", report->version) &&
           put_text(tool, "commit", report->commit);
}

/* The time that a finding took, in seconds with one decimal; absent if it is unknown. */
static bool put_found_after(cJSON *object, uint64_t found_after_ns) {
    if (found_after_ns == 0) return true;
    const uint64_t tenths = (found_after_ns + TENTH_NS / 2) / TENTH_NS;
    return ndp_json_put(object, "found_after_s", cJSON_CreateNumber((double)tenths / 10));
}

static bool put_shard(cJSON *run, const struct ndp_report *report) {
    char text[32];
    if (report->shard_count == 0) return true;
    snprintf(text, sizeof text, "%u/%u", (unsigned)report->shard + 1, (unsigned)report->shard_count);
    return put_text(run, "shard", text);
}

static bool put_run(cJSON *root, const struct ndp_report *report) {
    cJSON *run = put_object(root, "run");
    if (!put_u64(run, "seed", report->seed) || !put_u64(run, "jobs", report->jobs) || !put_shard(run, report))
        return false;
    cJSON *argv = put_array(run, "argv");
    for (uint32_t i = 0; i < report->argc; i++)
        if (!ndp_json_push(argv, ndp_json_from_text(report->argv[i]))) return false;
    return put_text(run, "started", report->started) && put_text(run, "ended", report->ended) &&
           put_text(run, "stop_reason", ndp_report_stop_word(report->stop));
}

static bool put_libraries(cJSON *object, const struct ndp_report_target *target) {
    if (target->library_count == 0) return true;
    cJSON *table = put_object(object, "libraries");
    for (uint32_t i = 0; i < target->library_count; i++)
        if (!put_text(table, target->libraries[i].name, target->libraries[i].version)) return false;
    return table != NULL;
}

/* Lists each class whose library is missing, with the class that replaces it. */
static bool put_stand_ins(cJSON *object, const struct ndp_report_target *target) {
    cJSON *table = NULL;
    for (int i = 0; i < NDP_CLASS_COUNT; i++) {
        const enum ndp_array_class class = (enum ndp_array_class)i;
        if (!target->lacks_class[i]) continue;
        if (table == NULL) table = put_object(object, "stand_ins");
        if (!put_text(table, ndp_class_word(class), ndp_class_stand_in(class))) return false;
    }
    return true;
}

static bool push_target(cJSON *list, const struct ndp_report_target *target) {
    cJSON *object = push_object(list);
    return put_text(object, "name", target->name) && put_text(object, "implementation", target->implementation) &&
           put_text(object, "version", target->version) && put_text(object, "language", target->language) &&
           put_text(object, "environment", target->environment) && put_libraries(object, target) &&
           put_stand_ins(object, target) && put_u64(object, "restarts", target->restarts) &&
           put_u64(object, "crashes", target->crashes) && put_u64(object, "timeouts", target->timeouts) &&
           put_u64(object, "comparisons", target->comparisons) &&
           (target->unavailable[0] == '\0' || put_text(object, "unavailable", target->unavailable));
}

static bool put_targets(cJSON *root, const struct ndp_report *report) {
    cJSON *list = put_array(root, "targets");
    for (uint32_t i = 0; i < report->target_count; i++)
        if (!push_target(list, &report->targets[i])) return false;
    return list != NULL;
}

static bool push_cells(cJSON *list, const struct ndp_report *report, const struct ndp_route_cells *row) {
    for (uint32_t p = 0; p < report->property_count; p++) {
        const struct ndp_cell *cell = &row->cells[p];
        if (cell->pass + cell->diverges + cell->rejects + cell->unsupported == 0) continue;
        cJSON *object = push_object(list);
        if (!put_text(object, "route", row->route) || !put_text(object, "property", report->properties[p]) ||
            !put_u64(object, "pass", cell->pass) || !put_u64(object, "diverges", cell->diverges) ||
            !put_u64(object, "rejects", cell->rejects) || !put_u64(object, "unsupported", cell->unsupported)) {
            return false;
        }
    }
    return true;
}

static bool push_floor(cJSON *list, const struct ndp_floor *floor) {
    cJSON *object = push_object(list);
    return put_text(object, "kind", ndp_report_floor_word(floor->kind)) && put_text(object, "name", floor->name) &&
           put_u64(object, "least", floor->least) && put_u64(object, "done", floor->done);
}

/* A merge unites the coverage of shards by these bits. They take too long to be written during a run. */
static bool put_bits(cJSON *object, const struct ndp_report *report, const struct ndp_report_group *group) {
    if (group->bits == NULL || report->stop == NDP_REPORT_STOP_RUNNING) return true;
    NDP_BUFFER_SCOPED(digits, 4 * NDP_MAX_COVERAGE_BYTES);
    if (ndp_report_coverage_pack(group, &digits) != NDP_OK || ndp_buffer_add(&digits, "", 1) != NDP_OK) return false;
    cJSON *bits = put_object(object, "bits");
    return put_u64(bits, "bytes", group->bits_bytes) && put_u64(bits, "pair_bits", group->pair_bits) &&
           ndp_json_put(bits, "zlib", cJSON_CreateString((const char *)digits.data));
}

static bool put_coverage(cJSON *work, const struct ndp_report *report) {
    const struct ndp_report_coverage *coverage = &report->coverage;
    cJSON *list = put_array(work, "coverage");
    for (uint32_t i = 0; i < coverage->count; i++) {
        const struct ndp_report_group *group = &coverage->groups[i];
        cJSON *object = push_object(list);
        if (!put_text(object, "group", group->name) || !put_u64(object, "pairs", group->counts.pairs) ||
            !put_u64(object, "possible_pairs", group->counts.possible_pairs) ||
            !put_u64(object, "triples", group->counts.triples) ||
            !put_u64(object, "possible_triples", group->counts.possible_triples) || !put_bits(object, report, group))
            return false;
    }
    return list != NULL;
}

static bool put_lost_workers(cJSON *work, const struct ndp_report *report) {
    cJSON *list = put_array(work, "lost_workers");
    for (uint32_t i = 0; i < report->lost_worker_count; i++) {
        const struct ndp_lost_worker *lost = &report->lost_workers[i];
        cJSON *object = push_object(list);
        if (!put_text(object, "worker", lost->worker) || !put_text(object, "unit", lost->unit) ||
            !put_text(object, "ending", lost->ending) ||
            !ndp_json_put(object, "repeated", cJSON_CreateBool(lost->is_repeated)))
            return false;
    }
    return list != NULL;
}

static bool put_work(cJSON *root, const struct ndp_report *report) {
    cJSON *work = put_object(root, "work");
    if (!put_u64(work, "cases", report->cases) || !put_u64(work, "comparisons", report->comparisons) ||
        !put_u64(work, "faults", report->faults) || !put_u64(work, "dropped", report->findings.dropped)) {
        return false;
    }
    cJSON *cells = put_array(work, "cells");
    for (uint32_t r = 0; r < report->route_count; r++)
        if (!push_cells(cells, report, &report->routes[r])) return false;
    cJSON *floors = put_array(work, "floors");
    for (uint32_t i = 0; i < report->floor_count; i++)
        if (!push_floor(floors, &report->floors[i])) return false;
    return cells != NULL && floors != NULL && put_coverage(work, report) && put_lost_workers(work, report);
}

static bool put_differences(cJSON *object, const struct ndp_report_finding *finding) {
    cJSON *list = put_array(object, "difference");
    for (uint32_t i = 0; i < finding->difference_count; i++) {
        const struct ndp_difference *difference = &finding->differences[i];
        cJSON *item = push_object(list);
        if (!put_text(item, "path", difference->path) || !put_text(item, "expected", difference->expected) ||
            !put_text(item, "got", difference->got)) {
            return false;
        }
    }
    return list != NULL;
}

static bool put_blame(cJSON *object, const struct ndp_blame *blame) {
    cJSON *child = put_object(object, "blame");
    return put_text(child, "library", blame->library) && put_text(child, "format", blame->format) &&
           put_text(child, "failure", blame->failure);
}

/* A case is identified by its group of routes and its number in the group. */
static bool put_first_case(cJSON *object, const struct ndp_report_finding *finding) {
    return put_text(object, "first_group", finding->first_group) && put_u64(object, "first_case", finding->first_case);
}

static bool push_finding(cJSON *list, const struct ndp_report_causes *causes,
                         const struct ndp_report_finding *finding) {
    cJSON *object = push_object(list);
    bool is_complete = put_text(object, "signature", finding->signature) &&
                       put_text(object, "cause", causes->items[finding->cause].cause.id) &&
                       put_text(object, "kind", ndp_program_verdict_word(finding->kind)) &&
                       put_text(object, "severity", ndp_contract_severity_word(finding->severity)) &&
                       put_text(object, "status", ndp_report_finding_status_word(finding->status)) &&
                       put_text(object, "property", finding->property) && put_text(object, "route", finding->route) &&
                       put_text(object, "field", finding->field) && put_text(object, "outlier", finding->outlier) &&
                       put_text(object, "failure", finding->failure) && put_text(object, "error", finding->error) &&
                       put_blame(object, &finding->blame) && put_u64(object, "count", finding->count) &&
                       put_first_case(object, finding) && put_found_after(object, finding->found_after_ns) &&
                       put_raw(object, "descriptor", finding->descriptor) &&
                       put_raw(object, "observations", finding->observations) && put_differences(object, finding);
    cJSON *confirmed = is_complete ? put_object(object, "confirmed") : NULL;
    return confirmed != NULL && put_u64(confirmed, "runs", finding->confirm_runs) &&
           put_u64(confirmed, "hits", finding->confirm_hits) &&
           ndp_json_put(object, "stderr_tail", ndp_json_from_text(finding->stderr_tail)) &&
           ndp_json_put(object, "replay", ndp_json_from_text(finding->replay));
}

static bool put_findings(cJSON *root, const struct ndp_report *report) {
    cJSON *list = put_array(root, "findings");
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (!push_finding(list, &report->causes, &report->findings.items[i])) return false;
    return list != NULL;
}

/* The routes of a cause, and the signatures of its findings. */
static bool put_evidence(cJSON *object, const struct ndp_report *report, uint32_t cause) {
    cJSON *routes = put_array(object, "routes"), *signatures = put_array(object, "findings");
    for (const struct ndp_cause_route *route = report->causes.items[cause].routes; route != NULL; route = route->next)
        if (!ndp_json_push(routes, cJSON_CreateString(route->text))) return false;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const struct ndp_report_finding *finding = &report->findings.items[i];
        if (finding->cause == cause && !ndp_json_push(signatures, cJSON_CreateString(finding->signature))) return false;
    }
    return routes != NULL && signatures != NULL;
}

static bool put_history(cJSON *object, const struct ndp_cause_history *history) {
    if (history->first_seen[0] == '\0') return true;
    cJSON *child = put_object(object, "history");
    return put_text(child, "first_seen", history->first_seen) && put_text(child, "last_seen", history->last_seen) &&
           put_u64(child, "nights", history->nights);
}

static bool push_cause(cJSON *list, const struct ndp_report *report, uint32_t index) {
    struct ndp_cause_view view;
    ndp_report_cause_view(&report->causes, &report->findings, index, &view);
    const struct ndp_report_cause *cause = view.cause;
    cJSON *object = push_object(list);
    return put_text(object, "id", cause->cause.id) && put_text(object, "key", cause->cause.key) &&
           put_text(object, "title", cause->cause.title) &&
           put_text(object, "kind", ndp_program_verdict_word(view.smallest->kind)) &&
           put_text(object, "severity", ndp_contract_severity_word(view.severity)) &&
           put_text(object, "status", ndp_report_finding_status_word(view.status)) &&
           put_text(object, "property", view.smallest->property) && put_text(object, "field", view.smallest->field) &&
           put_text(object, "direction", cause->cause.direction) && put_text(object, "library", cause->library) &&
           put_text(object, "error", cause->cause.error) && put_text(object, "evidence", cause->evidence) &&
           put_evidence(object, report, index) && put_u64(object, "count", view.count) &&
           put_first_case(object, view.first) && put_found_after(object, view.found_after_ns) &&
           put_raw(object, "descriptor", view.smallest->descriptor) && put_differences(object, view.smallest) &&
           ndp_json_put(object, "replay", ndp_json_from_text(view.smallest->replay)) &&
           ndp_json_put(object, "drawing", ndp_json_from_text(cause->drawing)) &&
           ndp_json_put(object, "script", ndp_json_from_text(cause->script)) && put_history(object, &cause->history);
}

static bool put_causes(cJSON *root, const struct ndp_report *report) {
    cJSON *list = put_array(root, "causes");
    for (uint32_t i = 0; i < report->causes.count; i++)
        if (!push_cause(list, report, i)) return false;
    return list != NULL;
}

static bool push_untested(cJSON *list, const struct ndp_untested *item) {
    cJSON *object = push_object(list);
    return put_text(object, "kind", ndp_untested_word(item->kind)) && put_text(object, "name", item->name) &&
           put_text(object, "reason", item->reason) &&
           ndp_json_put(object, "expected", cJSON_CreateBool(item->is_expected)) &&
           ndp_json_put(object, "allowed", cJSON_CreateBool(item->is_allowed));
}

static bool put_untested(cJSON *root, const struct ndp_report *report) {
    cJSON *list = put_array(root, "untested");
    for (uint32_t i = 0; i < report->untested.count; i++)
        if (!push_untested(list, &report->untested.items[i])) return false;
    return list != NULL;
}

static bool put_entries(cJSON *object, const struct ndp_baseline *baseline, enum ndp_baseline_state state) {
    cJSON *list = put_array(object, ndp_baseline_state_word(state));
    for (uint32_t i = 0; baseline != NULL && i < baseline->count; i++) {
        if (baseline->entries[i].state != state) continue;
        if (!ndp_json_push(list, cJSON_CreateString(ndp_baseline_name(&baseline->entries[i])))) return false;
    }
    return list != NULL;
}

static bool put_baseline(cJSON *root, const struct ndp_baseline *baseline) {
    cJSON *object = put_object(root, "baseline");
    return put_text(object, "file", baseline != NULL ? baseline->file : "") &&
           put_entries(object, baseline, NDP_BASELINE_MATCHED) && put_entries(object, baseline, NDP_BASELINE_STALE) &&
           put_entries(object, baseline, NDP_BASELINE_EXPIRED) && put_entries(object, baseline, NDP_BASELINE_UNTESTED);
}

static bool put_gate(cJSON *root, const struct ndp_gate *gate) {
    cJSON *object = put_object(root, "gate");
    if (!put_text(object, "status", ndp_gate_status_word(gate->exit)) || !put_u64(object, "exit_code", gate->exit))
        return false;
    cJSON *reasons = put_array(object, "reasons");
    for (uint32_t i = 0; i < gate->reason_count; i++)
        if (!ndp_json_push(reasons, cJSON_CreateString(gate->reasons[i]))) return false;
    if (reasons == NULL || gate->reasons_left_out == 0) return reasons != NULL;
    char text[64];
    snprintf(text, sizeof text, "and %llu more", (unsigned long long)gate->reasons_left_out);
    return ndp_json_push(reasons, cJSON_CreateString(text));
}

enum ndp_status ndp_report_print(struct ndp_buffer *buffer, const struct ndp_report *report,
                                 const struct ndp_baseline *baseline, const struct ndp_gate *gate) {
    cJSON *root = cJSON_CreateObject();
    char *text = NULL;
    if (put_u64(root, "schema", NDP_REPORT_SCHEMA) && put_tool(root, report) && put_run(root, report) &&
        put_targets(root, report) && put_work(root, report) && put_causes(root, report) && put_findings(root, report) &&
        put_baseline(root, baseline) && put_untested(root, report) && put_gate(root, gate)) {
        text = cJSON_Print(root);
    }
    cJSON_Delete(root);
    if (text == NULL) return NDP_NOMEM;
    enum ndp_status status = ndp_buffer_add(buffer, text, strlen(text));
    cJSON_free(text);
    return status == NDP_OK ? ndp_buffer_add(buffer, "\n", 1) : status;
}

static enum ndp_status write_all(int fd, struct ndp_bytes bytes) {
    while (bytes.size_bytes > 0) {
        ssize_t wrote = write(fd, bytes.data, (size_t)bytes.size_bytes);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return NDP_IO;
        bytes.data += wrote;
        bytes.size_bytes -= (uint64_t)wrote;
    }
    return NDP_OK;
}

/* A rename must not replace a device or a pipe. */
static bool is_replaceable(const char *path) {
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

/* Writes the temporary file and renames it; removes it after a failure. */
static enum ndp_status replace_file(const char *path, const char *temporary, struct ndp_bytes text,
                                    struct ndp_error *error) {
    if (!is_replaceable(path)) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "%.150s is not a regular file", path);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot create %.150s: %s", temporary, strerror(errno));
    const char *failed = write_all(fd, text) == NDP_OK ? NULL : "write";
    int reason = errno;
    if (close(fd) != 0 && failed == NULL) {
        failed = "close";
        reason = errno;
    }
    if (failed == NULL && rename(temporary, path) != 0) {
        failed = "rename";
        reason = errno;
    }
    if (failed == NULL) return NDP_OK;
    unlink(temporary);
    return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot %s %.150s: %s", failed, temporary, strerror(reason));
}

enum ndp_status ndp_report_replace_file(const char *path, struct ndp_bytes text, struct ndp_error *error) {
    NDP_BUFFER_SCOPED(temporary, 8192);
    /* The process number separates two runs that write to one path. */
    enum ndp_status status = ndp_buffer_printf(&temporary, "%s.%ld.new", path, (long)getpid());
    if (status == NDP_OK) status = ndp_buffer_add(&temporary, "", 1);
    if (status != NDP_OK) return ndp_error_set(error, status, NDP_NO_OFFSET, "the path of the file is too long");
    return replace_file(path, (const char *)temporary.data, text, error);
}

enum ndp_status ndp_report_write(const char *path, const struct ndp_report *report, const struct ndp_baseline *baseline,
                                 const struct ndp_gate *gate, struct ndp_error *error) {
    NDP_BUFFER_SCOPED(text, MAX_REPORT_BYTES);
    const enum ndp_status status = ndp_report_print(&text, report, baseline, gate);
    if (status != NDP_OK)
        return ndp_error_set(error, status, NDP_NO_OFFSET, "cannot print the report: %s", ndp_status_text(status));
    return ndp_report_replace_file(path, ndp_buffer_view(&text), error);
}
