#include <stdlib.h>
#include <string.h>

#include "describe/json_write.h"
#include "report/report_read_parts.h"

#define MOST_SECONDS 1e9
#define TENTH_NS     UINT64_C(100000000)

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
    NDP_ARENA_SCOPED(arena, reader->limits->value_bytes);
    NDP_BUFFER_SCOPED(buffer, reader->limits->text_bytes);
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

static const char *kind_word(uint32_t i) {
    return ndp_program_verdict_word((enum ndp_verdict)i);
}
static const char *severity_word(uint32_t i) {
    return ndp_contract_severity_word((enum ndp_severity)i);
}
static const char *status_word(uint32_t i) {
    return ndp_report_finding_status_word((enum ndp_finding_status)i);
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
    static const char *const keys[] = {
        "id",       "key",        "title",    "direction",  "error",      "library", "evidence",    "drawing",
        "script",   "kind",       "severity", "status",     "property",   "field",   "routes",      "count",
        "findings", "first_case", "replay",   "descriptor", "difference", "history", "first_group", "found_after_s"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 3, members);
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

enum ndp_status ndp_report_read_causes(struct ndp_json_reader *reader, const cJSON *list, struct ndp_report *out) {
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
    FIRST_GROUP,
    FOUND_AFTER,
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

/* The facts that reports of earlier versions do not have. A time of 0.0 s is not an unknown time. */
static enum ndp_status read_newer_facts(struct ndp_json_reader *reader, const cJSON *const *members,
                                        struct ndp_report_finding *out) {
    const cJSON *group = members[FIRST_GROUP], *after = members[FOUND_AFTER];
    if (group != NULL) NDP_TRY(read_text(reader, group, out->first_group, sizeof out->first_group));
    if (after == NULL) return NDP_OK;
    if (!cJSON_IsNumber(after) || !(after->valuedouble >= 0 && after->valuedouble < MOST_SECONDS))
        return ndp_json_blame(reader, after, NDP_INVALID, "expected a number of seconds");
    out->found_after_ns = (uint64_t)(after->valuedouble * 10 + 0.5) * TENTH_NS;
    if (out->found_after_ns == 0) out->found_after_ns = 1;
    return NDP_OK;
}

static enum ndp_status read_finding(struct ndp_json_reader *reader, const cJSON *item,
                                    const struct ndp_report_causes *causes, struct ndp_report_finding *out) {
    static const char *const keys[FINDING_KEY_COUNT] = {
        "signature",  "kind",      "severity",    "status",       "property",   "route",
        "field",      "outlier",   "count",       "first_case",   "descriptor", "observations",
        "difference", "confirmed", "stderr_tail", "replay",       "cause",      "failure",
        "error",      "blame",     "first_group", "found_after_s"};
    const cJSON *members[MAX_KEYS];
    READ_MEMBERS(reader, item, keys, 2, members);
    NDP_TRY(read_finding_words(reader, members, out));
    NDP_TRY(read_cause_of_finding(reader, members[CAUSE], causes, out));
    NDP_TRY(read_u64(reader, members[COUNT], &out->count));
    NDP_TRY(read_u64(reader, members[FIRST_CASE], &out->first_case));
    NDP_TRY(read_newer_facts(reader, members, out));
    NDP_TRY(read_descriptor(reader, members[DESCRIPTOR], &out->descriptor));
    NDP_TRY(read_raw(reader, members[OBSERVATIONS], &out->observations));
    NDP_TRY(read_differences(reader, members[DIFFERENCE], out));
    NDP_TRY(read_confirmed(reader, members[CONFIRMED], out));
    NDP_TRY(read_long_text(reader, members[STDERR_TAIL], &out->stderr_tail));
    return read_long_text(reader, members[REPLAY], &out->replay);
}

enum ndp_status ndp_report_read_findings(struct ndp_json_reader *reader, const cJSON *list, struct ndp_report *out) {
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

enum ndp_status ndp_report_read_check_causes(struct ndp_json_reader *reader, const cJSON *list,
                                             const struct ndp_report *report) {
    for (uint32_t i = 0; i < report->causes.count; i++) {
        struct ndp_cause_view view;
        ndp_report_cause_view(&report->causes, &report->findings, i, &view);
        if (view.finding_count == 0)
            return ndp_json_blame(reader, list, NDP_INVALID, "the cause %s has no finding", view.cause->cause.id);
    }
    return NDP_OK;
}
