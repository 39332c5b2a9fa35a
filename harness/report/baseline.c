#include "report/baseline.h"

#include <stdio.h>
#include <string.h>

#include "describe/json_read.h"
#include "describe/json_write.h"

#define MAX_DESCRIPTOR_TEXT_BYTES (UINT64_C(64) << 20)

const char *ndp_baseline_state_word(enum ndp_baseline_state state) {
    static const char *const words[] = {
#define STATE_WORD(name, word) word,
        NDP_BASELINE_STATE_LIST(STATE_WORD)};
    return state < NDP_BASELINE_STATE_COUNT ? words[state] : "?";
}

enum key { CAUSE, PATTERN, REASON, DESCRIPTOR, TITLE, LINK, EXPIRES, KEY_COUNT };

static enum ndp_status read_word(struct ndp_json_reader *reader, const cJSON *item, char *out, size_t out_bytes) {
    size_t size = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
    if (size == 0 || size >= out_bytes)
        return ndp_json_blame(reader, item, NDP_INVALID, "expected a string of 1 to %zu bytes", out_bytes - 1);
    memcpy(out, item->valuestring, size + 1);
    return NDP_OK;
}

/* An id is 8 hexadecimal digits. */
static enum ndp_status read_cause(struct ndp_json_reader *reader, const cJSON *item, char *out) {
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    if (strlen(text) != NDP_CAUSE_ID_BYTES - 1 || strspn(text, "0123456789abcdef") != NDP_CAUSE_ID_BYTES - 1)
        return ndp_json_blame(reader, item, NDP_INVALID, "expected the id of a cause, such as \"3f9a12bc\"");
    memcpy(out, text, NDP_CAUSE_ID_BYTES);
    return NDP_OK;
}

/* Checks the form "2027-01-31", in which the order of texts is the order of days. */
static bool is_day(const char *text) {
    static const char form[] = "dddd-dd-dd";
    if (strlen(text) != sizeof form - 1) return false;
    for (size_t i = 0; form[i] != '\0'; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == 'd' ? !is_digit : text[i] != form[i]) return false;
    }
    int month = (text[5] - '0') * 10 + text[6] - '0';
    int day = (text[8] - '0') * 10 + text[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static enum ndp_status read_day(struct ndp_json_reader *reader, const cJSON *item, char *out) {
    if (!cJSON_IsString(item) || !is_day(item->valuestring))
        return ndp_json_blame(reader, item, NDP_INVALID, "expected a date such as \"2027-01-31\"");
    memcpy(out, item->valuestring, strlen(item->valuestring) + 1);
    return NDP_OK;
}

/* Prints the JSON descriptor and reads it as a file of its own; an error has the path below the entry. */
static enum ndp_status read_descriptor(struct ndp_json_reader *reader, const cJSON *item,
                                       struct ndp_baseline_entry *entry) {
    struct ndp_error error = {.status = NDP_OK};
    struct ndp_buffer text;
    struct ndp_descriptor *descriptor = NDP_ARENA_NEW(reader->arena, struct ndp_descriptor);
    if (descriptor == NULL) return ndp_json_blame(reader, item, NDP_NOMEM, "out of memory for a descriptor");
    ndp_buffer_init(&text, MAX_DESCRIPTOR_TEXT_BYTES);
    enum ndp_status status = ndp_json_print(&text, cJSON_Duplicate(item, 1));
    if (status == NDP_OK) {
        status = ndp_descriptor_read(reader->arena, ndp_buffer_view(&text), &ndp_describe_default_limits, descriptor,
                                     &error);
    }
    if (status == NDP_OK) {
        const uint8_t *copy = ndp_arena_copy(reader->arena, text.data, text.size_bytes);
        entry->text = (struct ndp_bytes){copy, text.size_bytes};
        entry->descriptor = descriptor;
        if (copy == NULL) status = NDP_NOMEM;
    }
    ndp_buffer_clear(&text);
    if (status == NDP_OK) return NDP_OK;
    return ndp_json_blame(reader, item, status, "the descriptor%s%s: %s", error.path[0] != '\0' ? " at " : "",
                          error.path, error.text[0] != '\0' ? error.text : ndp_status_text(status));
}

static enum ndp_status read_nonempty_text(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes *out) {
    NDP_TRY(ndp_json_at(reader, item, ndp_json_text(reader->arena, item, out, reader->error)));
    if (out->size_bytes > 0) return NDP_OK;
    return ndp_json_blame(reader, item, NDP_INVALID, "expected a non-empty text");
}

/* Either a cause with its descriptor, or a pattern. */
static enum ndp_status read_subject(struct ndp_json_reader *reader, const cJSON *item, const cJSON *const *members,
                                    struct ndp_baseline_entry *entry) {
    if ((members[CAUSE] == NULL) == (members[PATTERN] == NULL))
        return ndp_json_blame(reader, item, NDP_INVALID, "an entry has either a \"cause\" or a \"pattern\"");
    if (members[CAUSE] != NULL && members[DESCRIPTOR] == NULL)
        return ndp_json_blame(reader, item, NDP_INVALID, "missing key \"descriptor\": the gate replays it");
    if (members[CAUSE] != NULL) return read_cause(reader, members[CAUSE], entry->cause);
    return read_word(reader, members[PATTERN], entry->pattern, sizeof entry->pattern);
}

static enum ndp_status read_entry(struct ndp_json_reader *reader, const cJSON *item, struct ndp_baseline_entry *entry) {
    static const char *const keys[] = {"cause", "pattern", "reason", "descriptor", "title", "link", "expires"};
    const cJSON *members[KEY_COUNT];
    NDP_TRY(ndp_json_members(reader, item, keys, KEY_COUNT, members));
    NDP_TRY(read_subject(reader, item, members, entry));
    if (members[REASON] == NULL) return ndp_json_blame(reader, item, NDP_INVALID, "missing key \"reason\"");
    NDP_TRY(read_nonempty_text(reader, members[REASON], &entry->reason));
    if (members[TITLE] != NULL) NDP_TRY(read_word(reader, members[TITLE], entry->title, sizeof entry->title));
    if (members[LINK] != NULL) NDP_TRY(read_nonempty_text(reader, members[LINK], &entry->link));
    if (members[EXPIRES] != NULL) NDP_TRY(read_day(reader, members[EXPIRES], entry->expires));
    return members[DESCRIPTOR] == NULL ? NDP_OK : read_descriptor(reader, members[DESCRIPTOR], entry);
}

static bool has_entry(const struct ndp_baseline *baseline, const struct ndp_baseline_entry *entry) {
    for (uint32_t i = 0; i < baseline->count; i++)
        if (strcmp(ndp_baseline_name(&baseline->entries[i]), ndp_baseline_name(entry)) == 0) return true;
    return false;
}

static enum ndp_status read_entries(struct ndp_json_reader *reader, const cJSON *list, struct ndp_baseline *out) {
    if (!cJSON_IsArray(list)) return ndp_json_blame(reader, list, NDP_INVALID, "expected an array of entries");
    int count = cJSON_GetArraySize(list);
    if (count > NDP_MAX_BASELINE)
        return ndp_json_blame(reader, list, NDP_LIMIT, "more than %d entries", (int)NDP_MAX_BASELINE);
    out->entries = NDP_ARENA_ITEMS(reader->arena, struct ndp_baseline_entry, (uint64_t)count);
    if (out->entries == NULL) return ndp_json_blame(reader, list, NDP_NOMEM, "out of memory for %d entries", count);
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        struct ndp_baseline_entry *entry = &out->entries[out->count];
        NDP_TRY(read_entry(reader, item, entry));
        if (has_entry(out, entry))
            return ndp_json_blame(reader, item, NDP_INVALID, "a second entry for the same cause or pattern");
        out->count++;
    }
    return NDP_OK;
}

static enum ndp_status read_root(struct ndp_json_reader *reader, const cJSON *root, struct ndp_baseline *out) {
    static const char *const keys[] = {"schema", "entries"};
    const cJSON *members[NDP_ARRAY_LEN(keys)];
    NDP_TRY(ndp_json_members(reader, root, keys, NDP_ARRAY_LEN(keys), members));
    uint64_t schema = 0;
    if (members[0] == NULL || members[1] == NULL)
        return ndp_json_blame(reader, root, NDP_INVALID, "missing key \"schema\" or \"entries\"");
    NDP_TRY(ndp_json_at(reader, members[0], ndp_json_u64(members[0], &schema, reader->error)));
    if (schema != NDP_REPORT_SCHEMA)
        return ndp_json_blame(
            reader, members[0], NDP_UNSUPPORTED,
            "a baseline of schema %llu; this ndproof reads schema %d, which accepts causes instead of "
            "signatures: write it again with 'ndproof accept'",
            (unsigned long long)schema, NDP_REPORT_SCHEMA);
    return read_entries(reader, members[1], out);
}

enum ndp_status ndp_baseline_read(struct ndp_arena *arena, const char *name, struct ndp_bytes text,
                                  struct ndp_baseline *out, struct ndp_error *error) {
    struct ndp_json_reader reader = {.arena = arena, .limits = &ndp_describe_default_limits, .error = error};
    struct ndp_baseline baseline = {.count = 0};
    snprintf(baseline.file, sizeof baseline.file, "%s", name);
    cJSON *root = NULL;
    NDP_TRY(ndp_json_parse(text, reader.limits, &root, error));
    enum ndp_status status = read_root(&reader, root, &baseline);
    if (status == NDP_OK) {
        *out = baseline;
    } else {
        ndp_json_locate(&reader, root, text);
    }
    cJSON_Delete(root);
    return status;
}

struct ndp_baseline_entry *ndp_baseline_find(const struct ndp_baseline *baseline, const struct ndp_cause *cause) {
    for (uint32_t i = 0; i < baseline->count; i++) {
        struct ndp_baseline_entry *entry = &baseline->entries[i];
        if (entry->cause[0] != '\0' ? strcmp(entry->cause, cause->id) == 0
                                    : ndp_cause_matches(cause->key, entry->pattern))
            return entry;
    }
    return NULL;
}

static enum ndp_baseline_state state_of(const struct ndp_baseline_entry *entry) {
    if (entry->is_expired) return NDP_BASELINE_EXPIRED;
    if (entry->is_seen || entry->is_shown_by_replay) return NDP_BASELINE_MATCHED;
    return entry->is_replayed ? NDP_BASELINE_STALE : NDP_BASELINE_UNTESTED;
}

void ndp_baseline_apply(struct ndp_baseline *baseline, struct ndp_report *report, const char *today) {
    for (uint32_t i = 0; i < baseline->count; i++) baseline->entries[i].is_seen = false;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        struct ndp_report_finding *finding = &report->findings.items[i];
        struct ndp_baseline_entry *entry = ndp_baseline_find(baseline, &report->causes.items[finding->cause].cause);
        if (entry != NULL) entry->is_seen = true;
        finding->status = entry != NULL                          ? NDP_FINDING_KNOWN
                          : ndp_report_finding_is_flaky(finding) ? NDP_FINDING_FLAKY
                                                                 : NDP_FINDING_NEW;
    }
    for (uint32_t i = 0; i < baseline->count; i++) {
        struct ndp_baseline_entry *entry = &baseline->entries[i];
        entry->is_expired = entry->expires[0] != '\0' && strcmp(entry->expires, today) < 0;
        entry->state = state_of(entry);
    }
}

/* ---- printing ---- */

static bool put_text(cJSON *object, const char *key, struct ndp_bytes text) {
    return text.size_bytes == 0 || ndp_json_put(object, key, ndp_json_from_text(text));
}

static bool put_entry(cJSON *list, const struct ndp_baseline_entry *entry) {
    cJSON *object = cJSON_CreateObject();
    if (!ndp_json_push(list, object)) return false;
    NDP_BUFFER_SCOPED(text, MAX_DESCRIPTOR_TEXT_BYTES);
    if (ndp_buffer_add(&text, entry->text.data, entry->text.size_bytes) != NDP_OK ||
        ndp_buffer_add(&text, "", 1) != NDP_OK)
        return false;
    return put_text(object, entry->cause[0] != '\0' ? "cause" : "pattern", ndp_bytes_view(ndp_baseline_name(entry))) &&
           put_text(object, "title", ndp_bytes_view(entry->title)) && put_text(object, "reason", entry->reason) &&
           put_text(object, "link", entry->link) && put_text(object, "expires", ndp_bytes_view(entry->expires)) &&
           (entry->text.size_bytes == 0 ||
            ndp_json_put(object, "descriptor", cJSON_CreateRaw((const char *)text.data)));
}

enum ndp_status ndp_baseline_print(struct ndp_buffer *out, const struct ndp_baseline *baseline) {
    cJSON *root = cJSON_CreateObject(), *list = cJSON_CreateArray();
    bool is_complete = ndp_json_put(root, "schema", cJSON_CreateNumber(NDP_REPORT_SCHEMA));
    is_complete = ndp_json_put(root, "entries", list) && is_complete;
    for (uint32_t i = 0; i < baseline->count && is_complete; i++) is_complete = put_entry(list, &baseline->entries[i]);
    char *text = is_complete ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (text == NULL) return NDP_NOMEM;
    const enum ndp_status status = ndp_buffer_add(out, text, strlen(text));
    cJSON_free(text);
    return status == NDP_OK ? ndp_buffer_add(out, "\n", 1) : status;
}
