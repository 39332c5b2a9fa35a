#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/json_read.h"
#include "describe/json_write.h"
#include "model/graph/array_class.h"
#include "report/report_json.h"

/* A report has many descriptors, each of which may have a large value. */
static const struct ndp_describe_limits report_limits = {
    .text_bytes = UINT64_C(1) << 30, .value_bytes = UINT64_C(1) << 30, .depth = 300, .values = 1 << 24};

#define ARENA_BYTES (UINT64_C(1) << 30)

enum { MAX_KEYS = 24, MAX_FUZZED = 1000 };

/* Reads the members of an object; all `keys` but the last `optional` ones are required. */
static enum ndp_status read_members(struct ndp_json_reader *reader, const cJSON *object, const char *const *keys,
                                    uint32_t count, uint32_t optional, const cJSON **members) {
    NDP_TRY(ndp_json_members(reader, object, keys, count, members));
    for (uint32_t i = 0; i + optional < count; i++)
        if (members[i] == NULL) return ndp_json_blame(reader, object, NDP_INVALID, "missing key \"%s\"", keys[i]);
    return NDP_OK;
}

#define READ_MEMBERS(reader, object, keys, optional, members)                                                          \
    NDP_TRY(read_members(reader, object, keys, NDP_ARRAY_LEN(keys), optional, members))

static enum ndp_status read_text(struct ndp_json_reader *reader, const cJSON *item, char *out, size_t out_bytes) {
    size_t size = cJSON_IsString(item) ? strlen(item->valuestring) : SIZE_MAX;
    if (size >= out_bytes)
        return ndp_json_blame(reader, item, NDP_INVALID, "expected a string of fewer than %zu bytes", out_bytes);
    memcpy(out, item->valuestring, size + 1);
    return NDP_OK;
}

static enum ndp_status read_u64(struct ndp_json_reader *reader, const cJSON *item, uint64_t *out) {
    return ndp_json_at(reader, item, ndp_json_u64(item, out, reader->error));
}

static enum ndp_status read_long_text(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes *out) {
    return ndp_json_at(reader, item, ndp_json_text(reader->arena, item, out, reader->error));
}

/* Copies an object as JSON text on one line. */
static enum ndp_status read_raw(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes *out) {
    if (!cJSON_IsObject(item)) return ndp_json_blame(reader, item, NDP_INVALID, "expected an object");
    char *text = ndp_json_print_exact(item);
    const uint8_t *copy = text != NULL ? ndp_arena_copy(reader->arena, text, strlen(text)) : NULL;
    if (copy != NULL) *out = (struct ndp_bytes){copy, strlen(text)};
    cJSON_free(text);
    return copy != NULL ? NDP_OK : ndp_json_blame(reader, item, NDP_NOMEM, "out of memory for a report");
}

/* Reads the descriptor of a finding and copies its canonical text, so that every valid report can be replayed. */
static enum ndp_status read_descriptor(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes *out) {
    struct ndp_bytes text = {NULL, 0};
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_descriptor descriptor;
    NDP_TRY(read_raw(reader, item, &text));
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_BUFFER_SCOPED(buffer, report_limits.text_bytes);
    enum ndp_status status = ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &descriptor, &error);
    if (status == NDP_OK) status = ndp_descriptor_print(&buffer, &descriptor);
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(reader->arena, buffer.data, buffer.size_bytes) : NULL;
    if (copy != NULL) *out = (struct ndp_bytes){copy, buffer.size_bytes};
    if (status == NDP_OK && copy == NULL) status = NDP_NOMEM;
    if (status == NDP_OK) return NDP_OK;
    return ndp_json_blame(reader, ndp_json_resolve(item, error.path), status, "the descriptor%s%s: %s",
                          error.path[0] != '\0' ? " at " : "", error.path,
                          error.text[0] != '\0' ? error.text : ndp_status_text(status));
}

static enum ndp_status read_list(struct ndp_json_reader *reader, const cJSON *list, uint32_t most) {
    if (!cJSON_IsArray(list)) return ndp_json_blame(reader, list, NDP_INVALID, "expected an array");
    if ((uint32_t)cJSON_GetArraySize(list) <= most) return NDP_OK;
    return ndp_json_blame(reader, list, NDP_LIMIT, "more than %u entries", most);
}

/* Finds i < count such that word(i) is the text. */
static enum ndp_status read_choice(struct ndp_json_reader *reader, const cJSON *item, uint32_t count,
                                   const char *(*word)(uint32_t), uint32_t *out) {
    for (uint32_t i = 0; cJSON_IsString(item) && i < count; i++) {
        if (strcmp(word(i), item->valuestring) != 0) continue;
        *out = i;
        return NDP_OK;
    }
    return ndp_json_blame(reader, item, NDP_INVALID, "expected one of the words from \"%s\" to \"%s\"", word(0),
                          word(count - 1));
}

static const char *stop_word(uint32_t i) {
    return ndp_report_stop_word((enum ndp_report_stop)i);
}
static const char *floor_word(uint32_t i) {
    return ndp_report_floor_word((enum ndp_floor_kind)i);
}
static const char *untested_word(uint32_t i) {
    return ndp_untested_word((enum ndp_untested_kind)i);
}
static const char *kind_word(uint32_t i) {
    return ndp_program_verdict_word((enum ndp_verdict)i);
}
static const char *severity_word(uint32_t i) {
    return ndp_contract_severity_word((enum ndp_severity)i);
}
static const char *status_word(uint32_t i) {
    return ndp_report_finding_status_word((enum ndp_finding_status)i);
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

static enum ndp_status read_run(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    static const char *const keys[] = {"seed", "argv", "started", "ended", "stop_reason"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 0, members);
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
    char route[NDP_REPORT_ROUTE_TEXT_BYTES];
    NDP_TRY(read_text(reader, item, route, sizeof route));
    if (out->route_count > 0 && strcmp(out->routes[out->route_count - 1].route, route) == 0) {
        *row = &out->routes[out->route_count - 1];
        return NDP_OK;
    }
    if (out->route_count == NDP_MAX_REPORT_ROUTES)
        return ndp_json_blame(reader, item, NDP_LIMIT, "more than %u routes", out->route_count);
    *row = &out->routes[out->route_count++];
    memcpy((*row)->route, route, sizeof route);
    ndp_report_finding_format(route, (*row)->format);
    return NDP_OK;
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

static enum ndp_status read_work(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report *out) {
    static const char *const keys[] = {"cases", "comparisons", "faults", "cells", "floors", "dropped"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(read_u64(reader, members[5], &out->findings.dropped));
    NDP_TRY(read_u64(reader, members[0], &out->cases));
    NDP_TRY(read_u64(reader, members[1], &out->comparisons));
    NDP_TRY(read_u64(reader, members[2], &out->faults));
    NDP_TRY(read_list(reader, members[3], NDP_MAX_REPORT_ROUTES * NDP_MAX_PROPERTIES));
    int cells = cJSON_GetArraySize(members[3]);
    int rows = cells < NDP_MAX_REPORT_ROUTES ? cells : NDP_MAX_REPORT_ROUTES;
    out->routes = calloc(rows > 0 ? (size_t)rows : 1, sizeof *out->routes);
    if (out->routes == NULL) return ndp_json_blame(reader, members[3], NDP_NOMEM, "out of memory for %d cells", cells);
    for (const cJSON *cell = members[3]->child; cell != NULL; cell = cell->next) NDP_TRY(read_cell(reader, cell, out));
    NDP_TRY(read_list(reader, members[4], NDP_MAX_FLOORS));
    for (const cJSON *floor = members[4]->child; floor != NULL; floor = floor->next)
        NDP_TRY(read_floor(reader, floor, &out->floors[out->floor_count++]));
    return NDP_OK;
}

static enum ndp_status read_differences(struct ndp_json_reader *reader, const cJSON *list,
                                        struct ndp_report_finding *out) {
    static const char *const keys[] = {"path", "expected", "got"};
    const cJSON *members[MAX_KEYS];
    NDP_TRY(read_list(reader, list, NDP_MAX_DIFFERENCES));
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        struct ndp_difference *difference = &out->differences[out->difference_count++];
        READ_MEMBERS(reader, item, keys, 0, members);
        NDP_TRY(read_text(reader, members[0], difference->path, sizeof difference->path));
        NDP_TRY(read_text(reader, members[1], difference->expected, sizeof difference->expected));
        NDP_TRY(read_text(reader, members[2], difference->got, sizeof difference->got));
    }
    return NDP_OK;
}

static enum ndp_status read_confirmed(struct ndp_json_reader *reader, const cJSON *item,
                                      struct ndp_report_finding *out) {
    static const char *const keys[] = {"runs", "hits"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(ndp_json_at(reader, members[0], ndp_json_u32(members[0], UINT32_MAX, &out->confirm_runs, reader->error)));
    return ndp_json_at(reader, members[1],
                       ndp_json_u32(members[1], out->confirm_runs, &out->confirm_hits, reader->error));
}

static enum ndp_status read_history(struct ndp_json_reader *reader, const cJSON *item, struct ndp_cause_history *out) {
    static const char *const keys[] = {"first_seen", "last_seen", "nights"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(read_text(reader, members[0], out->first_seen, sizeof out->first_seen));
    NDP_TRY(read_text(reader, members[1], out->last_seen, sizeof out->last_seen));
    return read_u64(reader, members[2], &out->nights);
}

static enum ndp_status read_routes(struct ndp_json_reader *reader, const cJSON *list, struct ndp_report_cause *out) {
    NDP_TRY(read_list(reader, list, NDP_MAX_CAUSE_ROUTES));
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        char text[NDP_REPORT_ROUTE_TEXT_BYTES];
        NDP_TRY(read_text(reader, item, text, sizeof text));
        if (ndp_report_cause_add_route(reader->arena, out, text) != NDP_OK)
            return ndp_json_blame(reader, item, NDP_NOMEM, "out of memory for a route");
    }
    return NDP_OK;
}

/* Reads the facts that do not follow from the findings; the others are for other programs. */
static enum ndp_status read_cause(struct ndp_json_reader *reader, const cJSON *item, struct ndp_report_cause *out) {
    static const char *const keys[] = {"id",       "key",        "title",      "direction", "error",    "library",
                                       "evidence", "drawing",    "script",     "kind",      "severity", "status",
                                       "property", "field",      "routes",     "count",     "findings", "first_case",
                                       "replay",   "descriptor", "difference", "history"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 1, members);
    NDP_TRY(read_text(reader, members[0], out->cause.id, sizeof out->cause.id));
    NDP_TRY(read_text(reader, members[1], out->cause.key, sizeof out->cause.key));
    NDP_TRY(read_text(reader, members[2], out->cause.title, sizeof out->cause.title));
    NDP_TRY(read_text(reader, members[3], out->cause.direction, sizeof out->cause.direction));
    NDP_TRY(read_text(reader, members[4], out->cause.error, sizeof out->cause.error));
    NDP_TRY(read_text(reader, members[5], out->library, sizeof out->library));
    NDP_TRY(read_text(reader, members[6], out->evidence, sizeof out->evidence));
    NDP_TRY(read_long_text(reader, members[7], &out->drawing));
    NDP_TRY(read_long_text(reader, members[8], &out->script));
    NDP_TRY(read_routes(reader, members[14], out));
    return members[21] == NULL ? NDP_OK : read_history(reader, members[21], &out->history);
}

static enum ndp_status read_causes(struct ndp_json_reader *reader, const cJSON *list, struct ndp_report *out) {
    NDP_TRY(read_list(reader, list, NDP_MAX_FINDINGS));
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        struct ndp_report_cause cause = {.library = ""};
        const uint32_t count = out->causes.count;
        uint32_t index;
        NDP_TRY(read_cause(reader, item, &cause));
        if (ndp_report_causes_add(&out->causes, &cause, &index) != NDP_OK)
            return ndp_json_blame(reader, item, NDP_NOMEM, "out of memory for a cause");
        if (index < count) return ndp_json_blame(reader, item, NDP_INVALID, "duplicate cause");
    }
    return NDP_OK;
}

enum finding_key {
    SIGNATURE,
    KIND,
    SEVERITY,
    STATUS,
    PROPERTY,
    ROUTE,
    FIELD,
    OUTLIER,
    COUNT,
    FIRST_CASE,
    DESCRIPTOR,
    OBSERVATIONS,
    DIFFERENCE,
    CONFIRMED,
    STDERR_TAIL,
    REPLAY,
    CAUSE,
    FAILURE,
    ERROR_TEXT,
    BLAME,
    FINDING_KEY_COUNT
};

static enum ndp_status read_blame(struct ndp_json_reader *reader, const cJSON *item, struct ndp_blame *out) {
    static const char *const keys[] = {"library", "format", "failure"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(read_text(reader, members[0], out->library, sizeof out->library));
    NDP_TRY(read_text(reader, members[1], out->format, sizeof out->format));
    return read_text(reader, members[2], out->failure, sizeof out->failure);
}

static enum ndp_status read_finding_words(struct ndp_json_reader *reader, const cJSON *const *members,
                                          struct ndp_report_finding *out) {
    uint32_t kind = 0;
    uint32_t severity = 0;
    uint32_t status = 0;
    NDP_TRY(read_text(reader, members[SIGNATURE], out->signature, sizeof out->signature));
    NDP_TRY(read_choice(reader, members[KIND], NDP_VERDICT_COUNT, kind_word, &kind));
    NDP_TRY(read_choice(reader, members[SEVERITY], NDP_SEVERITY_COUNT, severity_word, &severity));
    NDP_TRY(read_choice(reader, members[STATUS], NDP_FINDING_STATUS_COUNT, status_word, &status));
    out->kind = (enum ndp_verdict)kind;
    out->severity = (enum ndp_severity)severity;
    out->status = (enum ndp_finding_status)status;
    NDP_TRY(read_text(reader, members[PROPERTY], out->property, sizeof out->property));
    NDP_TRY(read_text(reader, members[ROUTE], out->route, sizeof out->route));
    NDP_TRY(read_text(reader, members[FIELD], out->field, sizeof out->field));
    NDP_TRY(read_text(reader, members[FAILURE], out->failure, sizeof out->failure));
    NDP_TRY(read_text(reader, members[ERROR_TEXT], out->error, sizeof out->error));
    NDP_TRY(read_blame(reader, members[BLAME], &out->blame));
    return read_text(reader, members[OUTLIER], out->outlier, sizeof out->outlier);
}

static enum ndp_status read_cause_of_finding(struct ndp_json_reader *reader, const cJSON *item,
                                             const struct ndp_report_causes *causes, struct ndp_report_finding *out) {
    char id[NDP_CAUSE_ID_BYTES];
    NDP_TRY(read_text(reader, item, id, sizeof id));
    out->cause = ndp_report_causes_find(causes, id);
    return out->cause < causes->count ? NDP_OK : ndp_json_blame(reader, item, NDP_INVALID, "no cause has this id");
}

static enum ndp_status read_finding(struct ndp_json_reader *reader, const cJSON *item,
                                    const struct ndp_report_causes *causes, struct ndp_report_finding *out) {
    static const char *const keys[FINDING_KEY_COUNT] = {
        "signature",   "kind",   "severity",   "status",     "property",     "route",      "field",
        "outlier",     "count",  "first_case", "descriptor", "observations", "difference", "confirmed",
        "stderr_tail", "replay", "cause",      "failure",    "error",        "blame"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 0, members);
    NDP_TRY(read_finding_words(reader, members, out));
    NDP_TRY(read_cause_of_finding(reader, members[CAUSE], causes, out));
    NDP_TRY(read_u64(reader, members[COUNT], &out->count));
    NDP_TRY(read_u64(reader, members[FIRST_CASE], &out->first_case));
    NDP_TRY(read_descriptor(reader, members[DESCRIPTOR], &out->descriptor));
    NDP_TRY(read_raw(reader, members[OBSERVATIONS], &out->observations));
    NDP_TRY(read_differences(reader, members[DIFFERENCE], out));
    NDP_TRY(read_confirmed(reader, members[CONFIRMED], out));
    NDP_TRY(read_long_text(reader, members[STDERR_TAIL], &out->stderr_tail));
    return read_long_text(reader, members[REPLAY], &out->replay);
}

static enum ndp_status read_findings(struct ndp_json_reader *reader, const cJSON *list, struct ndp_report *out) {
    NDP_TRY(read_list(reader, list, NDP_MAX_FINDINGS));
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        struct ndp_report_finding finding = {.count = 0};
        NDP_TRY(read_finding(reader, item, &out->causes, &finding));
        enum ndp_status status = ndp_report_findings_add(&out->findings, &finding);
        if (status == NDP_INVALID) return ndp_json_blame(reader, item, status, "duplicate signature");
        if (status != NDP_OK) return ndp_json_blame(reader, item, status, "out of memory for a finding");
    }
    return NDP_OK;
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

static enum ndp_status check_causes(struct ndp_json_reader *reader, const cJSON *list,
                                    const struct ndp_report *report) {
    for (uint32_t i = 0; i < report->causes.count; i++) {
        struct ndp_cause_view view;
        ndp_report_cause_view(&report->causes, &report->findings, i, &view);
        if (view.finding_count == 0)
            return ndp_json_blame(reader, list, NDP_INVALID, "the cause %s has no finding", view.cause->cause.id);
    }
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
    NDP_TRY(read_causes(reader, members[8], out));
    NDP_TRY(read_findings(reader, members[5], out));
    NDP_TRY(check_causes(reader, members[8], out));
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
