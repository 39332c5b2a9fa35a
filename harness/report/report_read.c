#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/json_read.h"
#include "describe/json_write.h"
#include "model/graph/array_class.h"
#include "report/report_json.h"
#include "report/report_read_parts.h"

/* A report has many descriptors, each of which may have a large value. */
static const struct ndp_describe_limits report_limits = {
    .text_bytes = UINT64_C(1) << 30, .value_bytes = UINT64_C(1) << 30, .depth = 300, .values = 1 << 24};

#define ARENA_BYTES (UINT64_C(1) << 30) /* the most that a report takes */

enum { MAX_FUZZED = 1000, MAX_LOST_WORKERS = 1 << 16 };

static const char *stop_word(uint32_t i) {
    return ndp_report_stop_word((enum ndp_report_stop)i);
}
static const char *floor_word(uint32_t i) {
    return ndp_report_floor_word((enum ndp_floor_kind)i);
}
static const char *untested_word(uint32_t i) {
    return ndp_untested_word((enum ndp_untested_kind)i);
}

static enum ndp_status read_tool(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    static const char *const keys[] = {"name", "version", "commit"};
    const cJSON *members[MAX_KEYS];
    char name[NDP_WORD_BYTES];
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(read_text(reader, members[0], name, sizeof name));
    if (strcmp(name, "ndproof") != 0)
        return ndp_json_blame(reader, members[0], NDP_INVALID, "expected a report of ndproof");
    NDP_TRY(read_text(reader, members[1], out->version, sizeof out->version));
    return read_text(reader, members[2], out->commit, sizeof out->commit);
}

/* "2/4" */
static enum ndp_status read_shard(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    unsigned shard = 0, count = 0;
    char text[32], again[32];
    NDP_TRY(read_text(reader, item, text, sizeof text));
    if (sscanf(text, "%9u/%9u", &shard, &count) == 2) snprintf(again, sizeof again, "%u/%u", shard, count);
    if (shard == 0 || shard > count || strcmp(text, again) != 0)
        return ndp_json_blame(reader, item, NDP_INVALID, "expected a shard such as \"1/4\"");
    out->shard = shard - 1;
    out->shard_count = count;
    return NDP_OK;
}

static enum ndp_status read_run(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    static const char *const keys[] = {"seed", "argv", "started", "ended", "stop_reason", "jobs", "shard"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 2, members);
    if (members[5] != NULL)
        NDP_TRY(ndp_json_at(reader, members[5], ndp_json_u32(members[5], UINT32_MAX, &out->jobs, reader->error)));
    if (members[6] != NULL) NDP_TRY(read_shard(reader, members[6], out));
    NDP_TRY(read_u64(reader, members[0], &out->seed));
    NDP_TRY(read_list(reader, members[1], NDP_MAX_REPORT_ARGUMENTS));
    for (const cJSON *word = members[1]->child; word != NULL; word = word->next)
        NDP_TRY(read_long_text(reader, word, &out->argv[out->argc++]));
    NDP_TRY(read_text(reader, members[2], out->started, sizeof out->started));
    NDP_TRY(read_text(reader, members[3], out->ended, sizeof out->ended));
    uint32_t stop = 0;
    NDP_TRY(read_choice(reader, members[4], NDP_REPORT_STOP_COUNT, stop_word, &stop));
    out->stop = (enum ndp_report_stop)stop;
    return NDP_OK;
}

static enum ndp_status read_libraries(struct ndp_json_reader *reader, const cJSON *table,
                                      struct ndp_report_target *out) {
    if (table == NULL) return NDP_OK;
    if (!cJSON_IsObject(table)) return ndp_json_blame(reader, table, NDP_INVALID, "expected an object of versions");
    for (const cJSON *item = table->child; item != NULL; item = item->next) {
        size_t name_bytes = strlen(item->string);
        if (out->library_count == NDP_MAX_LIBRARIES || name_bytes >= NDP_WORD_BYTES)
            return ndp_json_blame(reader, item, NDP_INVALID, "too many libraries, or a name that is too long");
        struct ndp_library *library = &out->libraries[out->library_count];
        memcpy(library->name, item->string, name_bytes + 1);
        NDP_TRY(read_text(reader, item, library->version, sizeof library->version));
        out->library_count++;
    }
    return NDP_OK;
}

static enum ndp_status read_stand_ins(struct ndp_json_reader *reader, const cJSON *table,
                                      struct ndp_report_target *out) {
    if (table == NULL) return NDP_OK;
    if (!cJSON_IsObject(table)) return ndp_json_blame(reader, table, NDP_INVALID, "expected an object of classes");
    for (const cJSON *item = table->child; item != NULL; item = item->next) {
        enum ndp_array_class class = NDP_CLASS_COUNT;
        if (ndp_class_find(ndp_bytes_view(item->string), &class)) out->lacks_class[class] = true;
    }
    return NDP_OK;
}

static enum ndp_status read_target(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report_target *out) {
    static const char *const keys[] = {"name",        "implementation", "version",   "language",
                                       "environment", "restarts",       "crashes",   "timeouts",
                                       "unavailable", "libraries",      "stand_ins", "comparisons"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 4, members);
    NDP_TRY(read_text(reader, members[0], out->name, sizeof out->name));
    NDP_TRY(read_text(reader, members[1], out->implementation, sizeof out->implementation));
    NDP_TRY(read_text(reader, members[2], out->version, sizeof out->version));
    NDP_TRY(read_text(reader, members[3], out->language, sizeof out->language));
    NDP_TRY(read_text(reader, members[4], out->environment, sizeof out->environment));
    NDP_TRY(read_u64(reader, members[5], &out->restarts));
    NDP_TRY(read_u64(reader, members[6], &out->crashes));
    NDP_TRY(read_u64(reader, members[7], &out->timeouts));
    NDP_TRY(read_libraries(reader, members[9], out));
    NDP_TRY(read_stand_ins(reader, members[10], out));
    if (members[11] != NULL) NDP_TRY(read_u64(reader, members[11], &out->comparisons));
    return members[8] == NULL ? NDP_OK : read_text(reader, members[8], out->unavailable, sizeof out->unavailable);
}

static enum ndp_status read_targets(struct ndp_json_reader *reader, const cJSON *list, struct ndp_report *out) {
    NDP_TRY(read_list(reader, list, NDP_MAX_REPORT_TARGETS));
    for (const cJSON *item = list->child; item != NULL; item = item->next)
        NDP_TRY(read_target(reader, item, &out->targets[out->target_count++]));
    return NDP_OK;
}

/* Finds the index of a property; adds properties of other ndproof versions. */
static enum ndp_status property_index(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out,
                                      uint32_t *index) {
    char name[NDP_WORD_BYTES];
    NDP_TRY(read_text(reader, item, name, sizeof name));
    uint32_t i = 0;
    while (i < out->property_count && strcmp(out->properties[i], name) != 0) i++;
    if (i == NDP_MAX_PROPERTIES) return ndp_json_blame(reader, item, NDP_LIMIT, "more than %u properties", i);
    if (i == out->property_count) memcpy(out->properties[out->property_count++], name, sizeof name);
    *index = i;
    return NDP_OK;
}

static enum ndp_status find_or_add_row(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out,
                                       struct ndp_route_cells **row) {
    char route[NDP_REPORT_ROUTE_TEXT_BYTES], format[NDP_WORD_BYTES];
    NDP_TRY(read_text(reader, item, route, sizeof route));
    ndp_report_finding_format(route, format);
    *row = ndp_report_route_row(out, route, format);
    return *row != NULL ? NDP_OK : ndp_json_blame(reader, item, NDP_NOMEM, "out of memory for a route");
}

static enum ndp_status read_cell(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    static const char *const keys[] = {"route", "property", "pass", "diverges", "rejects", "unsupported"};
    const cJSON *members[MAX_KEYS];
    struct ndp_route_cells *row = NULL;
    uint32_t index = 0;
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(find_or_add_row(reader, members[0], out, &row));
    NDP_TRY(property_index(reader, members[1], out, &index));
    struct ndp_cell *cell = &row->cells[index];
    NDP_TRY(read_u64(reader, members[2], &cell->pass));
    NDP_TRY(read_u64(reader, members[3], &cell->diverges));
    NDP_TRY(read_u64(reader, members[4], &cell->rejects));
    return read_u64(reader, members[5], &cell->unsupported);
}

static enum ndp_status read_floor(struct ndp_json_reader *reader, const cJSON *item, struct ndp_floor *out) {
    static const char *const keys[] = {"kind", "name", "least", "done"};
    const cJSON *members[MAX_KEYS];
    uint32_t kind = 0;
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(read_choice(reader, members[0], NDP_FLOOR_COUNT, floor_word, &kind));
    out->kind = (enum ndp_floor_kind)kind;
    NDP_TRY(read_text(reader, members[1], out->name, sizeof out->name));
    NDP_TRY(read_u64(reader, members[2], &out->least));
    return read_u64(reader, members[3], &out->done);
}

static enum ndp_status read_bits(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes *out,
                                 uint64_t *pair_bits) {
    static const char *const keys[] = {"bytes", "pair_bits", "zlib"};
    const cJSON *members[MAX_KEYS];
    uint64_t size_bytes = 0;
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(read_u64(reader, members[0], &size_bytes));
    NDP_TRY(read_u64(reader, members[1], pair_bits));
    const char *digits = cJSON_IsString(members[2]) ? members[2]->valuestring : "";
    if (ndp_report_coverage_unpack(reader->arena, digits, size_bytes, out) == NDP_OK) return NDP_OK;
    return ndp_json_blame(reader, members[2], NDP_INVALID,
                          "expected the zlib data of %llu bytes, in hexadecimal digits",
                          (unsigned long long)size_bytes);
}

static enum ndp_status read_group(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    static const char *const keys[] = {"group", "pairs", "possible_pairs", "triples", "possible_triples", "bits"};
    const cJSON *members[MAX_KEYS];
    struct ndp_coverage_counts counts = {0};
    struct ndp_bytes bits = {NULL, 0};
    char name[NDP_GROUP_NAME_BYTES];
    uint64_t pair_bits = 0;
    READ_MEMBERS(reader, item, keys, 1, members);
    NDP_TRY(read_text(reader, members[0], name, sizeof name));
    NDP_TRY(read_u64(reader, members[1], &counts.pairs));
    NDP_TRY(read_u64(reader, members[2], &counts.possible_pairs));
    NDP_TRY(read_u64(reader, members[3], &counts.triples));
    NDP_TRY(read_u64(reader, members[4], &counts.possible_triples));
    if (members[5] != NULL) NDP_TRY(read_bits(reader, members[5], &bits, &pair_bits));
    const enum ndp_status status = ndp_report_coverage_set(&out->coverage, name, &counts, bits, pair_bits);
    return status == NDP_OK ? status : ndp_json_blame(reader, item, status, "too many groups, or out of memory");
}

static enum ndp_status read_lost_worker(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    static const char *const keys[] = {"worker", "unit", "ending", "repeated"};
    const cJSON *members[MAX_KEYS];
    struct ndp_lost_worker lost = {.is_repeated = false};
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(read_text(reader, members[0], lost.worker, sizeof lost.worker));
    NDP_TRY(read_text(reader, members[1], lost.unit, sizeof lost.unit));
    NDP_TRY(read_text(reader, members[2], lost.ending, sizeof lost.ending));
    NDP_TRY(ndp_json_at(reader, members[3], ndp_json_bool(members[3], &lost.is_repeated, reader->error)));
    if (ndp_report_add_lost_worker(out, lost.worker, lost.unit, lost.ending) != NDP_OK)
        return ndp_json_blame(reader, item, NDP_NOMEM, "out of memory for a worker");
    out->lost_workers[out->lost_worker_count - 1].is_repeated = lost.is_repeated;
    return NDP_OK;
}

/* The lists that reports of earlier versions do not have. */
static enum ndp_status read_newer_work(struct ndp_json_reader *reader, const cJSON *groups, const cJSON *lost_workers,
                                       struct ndp_report *out) {
    if (groups != NULL) NDP_TRY(read_list(reader, groups, NDP_MAX_REPORT_GROUPS));
    for (const cJSON *item = groups != NULL ? groups->child : NULL; item != NULL; item = item->next)
        NDP_TRY(read_group(reader, item, out));
    if (lost_workers != NULL) NDP_TRY(read_list(reader, lost_workers, MAX_LOST_WORKERS));
    for (const cJSON *item = lost_workers != NULL ? lost_workers->child : NULL; item != NULL; item = item->next)
        NDP_TRY(read_lost_worker(reader, item, out));
    return NDP_OK;
}

static enum ndp_status read_work(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    static const char *const keys[] = {"cases",  "comparisons", "faults",   "cells",
                                       "floors", "dropped",     "coverage", "lost_workers"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 2, members);
    NDP_TRY(read_u64(reader, members[5], &out->findings.dropped));
    NDP_TRY(read_u64(reader, members[0], &out->cases));
    NDP_TRY(read_u64(reader, members[1], &out->comparisons));
    NDP_TRY(read_u64(reader, members[2], &out->faults));
    NDP_TRY(read_list(reader, members[3], NDP_MAX_REPORT_ROUTES * NDP_MAX_PROPERTIES));
    for (const cJSON *cell = members[3]->child; cell != NULL; cell = cell->next) NDP_TRY(read_cell(reader, cell, out));
    NDP_TRY(read_list(reader, members[4], NDP_MAX_FLOORS));
    for (const cJSON *floor = members[4]->child; floor != NULL; floor = floor->next)
        NDP_TRY(read_floor(reader, floor, &out->floors[out->floor_count++]));
    return read_newer_work(reader, members[6], members[7], out);
}

static enum ndp_status check_baseline(struct ndp_json_reader *reader, const cJSON *item) {
    static const char *const keys[] = {"file", "matched", "stale", "expired", "untested"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 0, members);
    for (size_t i = 1; i < NDP_ARRAY_LEN(keys); i++) NDP_TRY(read_list(reader, members[i], NDP_MAX_BASELINE));
    return NDP_OK;
}

static enum ndp_status check_gate(struct ndp_json_reader *reader, const cJSON *item) {
    static const char *const keys[] = {"status", "exit_code", "reasons"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 0, members);
    return read_list(reader, members[2], NDP_MAX_REASONS + 1);
}

static enum ndp_status read_untested(struct ndp_json_reader *reader, const cJSON *list, struct ndp_report *out) {
    static const char *const keys[] = {"kind", "name", "reason", "expected", "allowed"};
    const cJSON *members[MAX_KEYS];
    NDP_TRY(read_list(reader, list, NDP_MAX_UNTESTED));
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        struct ndp_untested one = {.is_allowed = false};
        uint32_t kind = 0;
        READ_MEMBERS(reader, item, keys, 0, members);
        NDP_TRY(read_choice(reader, members[0], NDP_UNTESTED_KIND_COUNT, untested_word, &kind));
        one.kind = (enum ndp_untested_kind)kind;
        NDP_TRY(read_text(reader, members[1], one.name, sizeof one.name));
        NDP_TRY(read_text(reader, members[2], one.reason, sizeof one.reason));
        NDP_TRY(ndp_json_at(reader, members[3], ndp_json_bool(members[3], &one.is_expected, reader->error)));
        NDP_TRY(ndp_json_at(reader, members[4], ndp_json_bool(members[4], &one.is_allowed, reader->error)));
        if (ndp_untested_add(&out->untested, &one) != NDP_OK)
            return ndp_json_blame(reader, item, NDP_NOMEM, "out of memory for an untested item");
    }
    return NDP_OK;
}

/* The nightly job adds these rows for other programs; no verdict depends on them. */
static enum ndp_status check_fuzzing(struct ndp_json_reader *reader, const cJSON *list) {
    static const char *const keys[] = {"target",
                                       "engine",
                                       "executions",
                                       "executions_per_second",
                                       "executions_per_cpu_second",
                                       "valid_percent",
                                       "valid_by_form_percent",
                                       "covered_edges",
                                       "covered_percent",
                                       "stability_percent",
                                       "comparisons",
                                       "findings",
                                       "corpus_files",
                                       "feedback_counters"};
    const cJSON *members[MAX_KEYS];
    NDP_TRY(read_list(reader, list, MAX_FUZZED));
    for (const cJSON *item = list->child; item != NULL; item = item->next) READ_MEMBERS(reader, item, keys, 1, members);
    return NDP_OK;
}

/* Older reports have no causes, and a cause needs what only the run knew. */
static enum ndp_status check_schema(struct ndp_json_reader *reader, const cJSON *root) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, "schema");
    uint64_t schema = 0;
    if (item == NULL) return ndp_json_blame(reader, root, NDP_INVALID, "missing key \"schema\"");
    NDP_TRY(read_u64(reader, item, &schema));
    if (schema == NDP_REPORT_SCHEMA) return NDP_OK;
    return ndp_json_blame(reader, item, NDP_UNSUPPORTED,
                          "a report of schema %llu; this ndproof reads schema %d, which groups findings by cause: run "
                          "the sweep again",
                          (unsigned long long)schema, NDP_REPORT_SCHEMA);
}

static enum ndp_status read_root(struct ndp_json_reader *reader, const cJSON *root, struct ndp_report *out) {
    static const char *const keys[] = {"schema",   "tool", "run",    "targets",  "work",   "findings",
                                       "baseline", "gate", "causes", "untested", "fuzzing"};
    const cJSON *members[MAX_KEYS];
    NDP_TRY(check_schema(reader, root));
    READ_MEMBERS(reader, root, keys, 1, members);
    NDP_TRY(read_tool(reader, members[1], out));
    NDP_TRY(read_run(reader, members[2], out));
    NDP_TRY(read_targets(reader, members[3], out));
    NDP_TRY(read_work(reader, members[4], out));
    NDP_TRY(ndp_report_read_causes(reader, members[8], out));
    NDP_TRY(ndp_report_read_findings(reader, members[5], out));
    NDP_TRY(ndp_report_read_check_causes(reader, members[8], out));
    NDP_TRY(check_baseline(reader, members[6]));
    NDP_TRY(read_untested(reader, members[9], out));
    if (members[10] != NULL) NDP_TRY(check_fuzzing(reader, members[10]));
    return check_gate(reader, members[7]);
}

enum ndp_status ndp_report_read(struct ndp_bytes text, struct ndp_report *out, struct ndp_error *error) {
    *out = (struct ndp_report){.is_read = true};
    ndp_arena_init(&out->arena, ARENA_BYTES);
    struct ndp_json_reader reader = {.arena = &out->arena, .limits = &report_limits, .error = error};
    cJSON *root = NULL;
    NDP_TRY(ndp_json_parse(text, &report_limits, &root, error));
    enum ndp_status status = read_root(&reader, root, out);
    if (status != NDP_OK) ndp_json_locate(&reader, root, text);
    cJSON_Delete(root);
    return status;
}
