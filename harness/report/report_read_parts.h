/* report_read_parts.h: readers of values in a report. Private to this folder. */
#ifndef NDP_REPORT_READ_PARTS_H
#define NDP_REPORT_READ_PARTS_H

#include <string.h>

#include "describe/json_read.h"
#include "report/report.h"

enum { MAX_KEYS = 32 };

/* Reads the members of an object; all `keys` but the last `optional` ones are required. */
static inline enum ndp_status read_members(struct ndp_json_reader *reader, const cJSON *object, const char *const *keys,
                                           uint32_t count, uint32_t optional, const cJSON **members) {
    NDP_TRY(ndp_json_members(reader, object, keys, count, members));
    for (uint32_t i = 0; i + optional < count; i++)
        if (members[i] == NULL) return ndp_json_blame(reader, object, NDP_INVALID, "missing key \"%s\"", keys[i]);
    return NDP_OK;
}

#define READ_MEMBERS(reader, object, keys, optional, members)                                                          \
    NDP_TRY(read_members(reader, object, keys, NDP_ARRAY_LEN(keys), optional, members))

static inline enum ndp_status read_text(struct ndp_json_reader *reader, const cJSON *item, char *out,
                                        size_t out_bytes) {
    size_t size = cJSON_IsString(item) ? strlen(item->valuestring) : SIZE_MAX;
    if (size >= out_bytes)
        return ndp_json_blame(reader, item, NDP_INVALID, "expected a string of fewer than %zu bytes", out_bytes);
    memcpy(out, item->valuestring, size + 1);
    return NDP_OK;
}

static inline enum ndp_status read_u64(struct ndp_json_reader *reader, const cJSON *item, uint64_t *out) {
    return ndp_json_at(reader, item, ndp_json_u64(item, out, reader->error));
}

static inline enum ndp_status read_long_text(struct ndp_json_reader *reader, const cJSON *item, struct ndp_bytes *out) {
    return ndp_json_at(reader, item, ndp_json_text(reader->arena, item, out, reader->error));
}

static inline enum ndp_status read_list(struct ndp_json_reader *reader, const cJSON *list, uint32_t most) {
    if (!cJSON_IsArray(list)) return ndp_json_blame(reader, list, NDP_INVALID, "expected an array");
    if ((uint32_t)cJSON_GetArraySize(list) <= most) return NDP_OK;
    return ndp_json_blame(reader, list, NDP_LIMIT, "more than %u entries", most);
}

/* Finds i < count such that word(i) is the text. */
static inline enum ndp_status read_choice(struct ndp_json_reader *reader, const cJSON *item, uint32_t count,
                                          const char *(*word)(uint32_t), uint32_t *out) {
    for (uint32_t i = 0; cJSON_IsString(item) && i < count; i++) {
        if (strcmp(word(i), item->valuestring) != 0) continue;
        *out = i;
        return NDP_OK;
    }
    return ndp_json_blame(reader, item, NDP_INVALID, "expected one of the words from \"%s\" to \"%s\"", word(0),
                          word(count - 1));
}

/* Fill `out` from the lists "causes" and "findings" of a report. The reader's arena is that of the report. Errors:
 * INVALID, LIMIT, NOMEM with the culprit. */
enum ndp_status ndp_report_read_causes(struct ndp_json_reader *reader, const cJSON *list,
                                       struct ndp_report *out) NDP_MUST_USE;
enum ndp_status ndp_report_read_findings(struct ndp_json_reader *reader, const cJSON *list,
                                         struct ndp_report *out) NDP_MUST_USE;

/* Checks, after both, that every cause has a finding. */
enum ndp_status ndp_report_read_check_causes(struct ndp_json_reader *reader, const cJSON *list,
                                             const struct ndp_report *report) NDP_MUST_USE;

#endif
