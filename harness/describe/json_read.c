#include "describe/json_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "describe/json_scan.h"

enum ndp_status ndp_json_parse(struct ndp_bytes text, const struct ndp_describe_limits *limits, cJSON **out,
                               struct ndp_error *error) {
    NDP_TRY(ndp_json_scan(text, limits, error));
    /* The scan ensures cJSON's grammar and limits, so only memory can be missing. */
    cJSON *tree = cJSON_ParseWithLength((const char *)text.data, (size_t)text.size_bytes);
    if (tree == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the JSON tree");
    *out = tree;
    return NDP_OK;
}

enum ndp_status ndp_json_blame(struct ndp_json_reader *reader, const cJSON *item, enum ndp_status status,
                               const char *format, ...) {
    char text[NDP_ERROR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reader->culprit = item;
    return ndp_error_set(reader->error, status, NDP_NO_OFFSET, "%s", text);
}

enum ndp_status ndp_json_at(struct ndp_json_reader *reader, const cJSON *item, enum ndp_status status) {
    if (status != NDP_OK && reader->culprit == NULL) reader->culprit = item;
    return status;
}

enum ndp_status ndp_json_members(struct ndp_json_reader *reader, const cJSON *object, const char *const *keys,
                                 uint32_t count, const cJSON **members) {
    if (!cJSON_IsObject(object)) return ndp_json_blame(reader, object, NDP_INVALID, "expected an object {...}");
    for (uint32_t i = 0; i < count; i++) members[i] = NULL;
    const cJSON *member = NULL;
    cJSON_ArrayForEach(member, object) {
        uint32_t i = 0;
        while (i < count && !ndp_bytes_word_is(keys[i], member->string)) i++;
        if (i < count && members[i] == NULL) {
            members[i] = member;
            continue;
        }
        reader->at_key = true;
        return ndp_json_blame(reader, member, NDP_INVALID, "%s key \"%.80s\"", i < count ? "duplicate" : "unknown",
                              member->string);
    }
    return NDP_OK;
}

static enum ndp_status set_invalid(struct ndp_error *error, const char *what) {
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "%s", what);
}

/* Reads canonical decimal digits after an optional minus. Fills the magnitude. */
static bool digits_fit(const char *text, bool *is_negative, uint64_t *magnitude) {
    bool has_minus = *text == '-';
    if (has_minus) text++;
    if (*text == '\0' || (*text == '0' && (text[1] != '\0' || has_minus))) return false;
    uint64_t value = 0;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *is_negative = has_minus;
    *magnitude = value;
    return true;
}

static bool integer_fits(const cJSON *item, bool *is_negative, uint64_t *magnitude) {
    if (cJSON_IsString(item)) return digits_fit(item->valuestring, is_negative, magnitude);
    if (!cJSON_IsNumber(item)) return false;
    double number = item->valuedouble;
    if (!(number >= -9007199254740991.0 && number <= 9007199254740991.0)) return false;
    int64_t whole = (int64_t)number;
    if ((double)whole < number || (double)whole > number) return false;
    *is_negative = whole < 0;
    *magnitude = whole < 0 ? (uint64_t)-whole : (uint64_t)whole;
    return true;
}

enum ndp_status ndp_json_u64(const cJSON *item, uint64_t *out, struct ndp_error *error) {
    bool is_negative = false;
    uint64_t magnitude = 0;
    if (!integer_fits(item, &is_negative, &magnitude) || is_negative)
        return set_invalid(error, "expected an integer in 0..2^64-1 (above 2^53-1 as a string of digits)");
    *out = magnitude;
    return NDP_OK;
}

enum ndp_status ndp_json_i64(const cJSON *item, int64_t *out, struct ndp_error *error) {
    bool is_negative = false;
    uint64_t magnitude = 0;
    const uint64_t most = INT64_MAX;
    if (!integer_fits(item, &is_negative, &magnitude) || magnitude > most + (is_negative ? 1 : 0))
        return set_invalid(error, "expected an integer in -2^63..2^63-1 (beyond 2^53-1 as a string of digits)");
    *out = is_negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    return NDP_OK;
}

enum ndp_status ndp_json_u32(const cJSON *item, uint32_t max, uint32_t *out, struct ndp_error *error) {
    uint64_t number = 0;
    NDP_TRY(ndp_json_u64(item, &number, error));
    if (number > max) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "at most %u is allowed", max);
    *out = (uint32_t)number;
    return NDP_OK;
}

enum ndp_status ndp_json_bool(const cJSON *item, bool *out, struct ndp_error *error) {
    if (!cJSON_IsBool(item)) return set_invalid(error, "expected true or false");
    *out = cJSON_IsTrue(item) != 0;
    return NDP_OK;
}

static enum ndp_status copy_text(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_bytes *out,
                                 struct ndp_error *error) {
    const uint8_t *copy = ndp_arena_copy(arena, text.data, text.size_bytes);
    if (copy == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for a text");
    *out = (struct ndp_bytes){copy, text.size_bytes};
    return NDP_OK;
}

static enum ndp_status text_from_code_points(struct ndp_arena *arena, const cJSON *list, struct ndp_bytes *out,
                                             struct ndp_error *error) {
    if (!cJSON_IsArray(list)) return set_invalid(error, "\"codepoints\" must be an array of numbers");
    struct ndp_buffer buffer;
    ndp_buffer_init(&buffer, (uint64_t)4 * (uint64_t)cJSON_GetArraySize(list));
    enum ndp_status status = NDP_OK;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list) {
        uint32_t code_point = 0;
        status = ndp_json_u32(item, 0x10ffff, &code_point, error);
        if (status == NDP_OK) status = ndp_text_add(&buffer, code_point);
        if (status != NDP_OK) break;
    }
    if (status == NDP_NOMEM) ndp_error_set(error, status, NDP_NO_OFFSET, "no memory for a text");
    if (status == NDP_OK) status = copy_text(arena, ndp_buffer_view(&buffer), out, error);
    ndp_buffer_clear(&buffer);
    return status;
}

enum ndp_status ndp_json_text(struct ndp_arena *arena, const cJSON *item, struct ndp_bytes *out,
                              struct ndp_error *error) {
    if (cJSON_IsString(item)) {
        struct ndp_bytes text = ndp_bytes_view(item->valuestring);
        if (!ndp_text_fits_json(text)) return set_invalid(error, "the text is not valid UTF-8");
        return copy_text(arena, text, out, error);
    }
    const cJSON *list = cJSON_IsObject(item) ? item->child : NULL;
    if (list == NULL || list->next != NULL || !ndp_bytes_word_is(list->string, "codepoints"))
        return set_invalid(error, "expected a text: a string, or {\"codepoints\": [...]}");
    return text_from_code_points(arena, list, out, error);
}

enum ndp_status ndp_json_word(const cJSON *item, char *out, struct ndp_error *error) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+:-@";
    if (!cJSON_IsString(item)) return set_invalid(error, "expected a word in quotes");
    size_t size = strlen(item->valuestring);
    if (size >= NDP_WORD_BYTES || strspn(item->valuestring, letters) != size)
        return set_invalid(error, "expected a word of at most 31 letters, digits or any of _.+:-@");
    memcpy(out, item->valuestring, size + 1);
    return NDP_OK;
}

enum ndp_status ndp_json_extents(struct ndp_json_reader *reader, const cJSON *array, int64_t least, uint32_t max,
                                 const int64_t **out, uint32_t *count) {
    if (!cJSON_IsArray(array)) return ndp_json_blame(reader, array, NDP_INVALID, "expected an array of integers");
    int size = cJSON_GetArraySize(array);
    if (size < 0 || (uint32_t)size > max)
        return ndp_json_blame(reader, array, NDP_LIMIT, "%d items; at most %u are allowed", size, max);
    int64_t *items = NDP_ARENA_ITEMS(reader->arena, int64_t, (uint64_t)size);
    if (items == NULL) return ndp_json_blame(reader, array, NDP_NOMEM, "no memory for %d numbers", size);
    const cJSON *item = NULL;
    uint32_t i = 0;
    cJSON_ArrayForEach(item, array) {
        NDP_TRY(ndp_json_at(reader, item, ndp_json_i64(item, &items[i], reader->error)));
        if (items[i] < least)
            return ndp_json_blame(reader, item, NDP_INVALID, "expected at least %lld", (long long)least);
        i++;
    }
    *out = items;
    *count = i;
    return NDP_OK;
}
