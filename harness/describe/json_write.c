#include "describe/json_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Above this, a double cannot represent every integer (ECMAScript's MAX_SAFE_INTEGER, and JSON readers that follow
 * it). */
#define MAX_EXACT UINT64_C(9007199254740991)

bool ndp_json_put(cJSON *object, const char *key, cJSON *item) {
    if (item != NULL && cJSON_AddItemToObjectCS(object, key, item)) return true;
    cJSON_Delete(item);
    return false;
}

bool ndp_json_push(cJSON *array, cJSON *item) {
    if (item != NULL && cJSON_AddItemToArray(array, item)) return true;
    cJSON_Delete(item);
    return false;
}

cJSON *ndp_json_finish(cJSON *tree, bool is_whole) {
    if (is_whole) return tree;
    cJSON_Delete(tree);
    return NULL;
}

/* cJSON prints a double with 15 or 17 digits, which turns 10^15 into "1e+15", a float for readers in other languages.
 * Raw digits remain an integer for every reader. */
static cJSON *from_digits(const char *digits, bool is_exact) {
    return is_exact ? cJSON_CreateRaw(digits) : cJSON_CreateString(digits);
}

/* Not snprintf: every extent is converted here, and snprintf would dominate the cost. */
static cJSON *from_magnitude(uint64_t number, bool is_negative) {
    char digits[24];
    char *at = digits + sizeof digits - 1;
    const bool is_exact = number <= MAX_EXACT;
    *at = '\0';
    do *--at = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    if (is_negative) *--at = '-';
    return from_digits(at, is_exact);
}

cJSON *ndp_json_from_u64(uint64_t number) {
    return from_magnitude(number, false);
}

cJSON *ndp_json_from_i64(int64_t number) {
    return from_magnitude(number < 0 ? UINT64_C(0) - (uint64_t)number : (uint64_t)number, number < 0);
}

static cJSON *from_code_points(struct ndp_bytes text) {
    cJSON *object = cJSON_CreateObject();
    cJSON *list = cJSON_CreateArray();
    bool is_whole = ndp_json_put(object, "codepoints", list);
    struct ndp_cursor cursor = ndp_cursor_view(text);
    while (is_whole && ndp_cursor_left(&cursor) > 0) {
        uint32_t code_point = 0;
        is_whole = ndp_text_next(&cursor, &code_point) == NDP_OK && ndp_json_push(list, ndp_json_from_u64(code_point));
    }
    return ndp_json_finish(object, is_whole);
}

cJSON *ndp_json_from_text(struct ndp_bytes text) {
    if (!ndp_text_fits_json(text)) return from_code_points(text);
    char *copy = malloc((size_t)text.size_bytes + 1);
    if (copy == NULL) return NULL;
    if (text.size_bytes > 0) memcpy(copy, text.data, (size_t)text.size_bytes);
    copy[text.size_bytes] = '\0';
    cJSON *item = cJSON_CreateString(copy);
    free(copy);
    return item;
}

cJSON *ndp_json_from_hex(struct ndp_bytes bytes) {
    struct ndp_buffer buffer;
    ndp_buffer_init(&buffer, UINT64_MAX);
    cJSON *item = NULL;
    if (ndp_hex_add(&buffer, bytes) == NDP_OK && ndp_buffer_add(&buffer, "", 1) == NDP_OK)
        item = cJSON_CreateString((const char *)buffer.data);
    ndp_buffer_clear(&buffer);
    return item;
}

cJSON *ndp_json_from_extents(const int64_t *items, uint32_t count) {
    cJSON *array = cJSON_CreateArray();
    bool is_whole = true;
    for (uint32_t i = 0; is_whole && i < count; i++) is_whole = ndp_json_push(array, ndp_json_from_i64(items[i]));
    return ndp_json_finish(array, is_whole);
}

/* 17 digits distinguish any two doubles (IEEE 754-2019, 5.12.2); cJSON's 15 remain if they suffice. The sign of a
 * negative zero is added here, because cJSON 1.7.15 prints it and 1.7.17 does not. */
static bool spell_number(cJSON *item) {
    char digits[32];
    /* Most numbers are small integers, which cJSON prints exactly. */
    if (item->valuedouble > 0 && item->valuedouble < 1e9 && (double)(int32_t)item->valuedouble >= item->valuedouble)
        return true;
    size_t size = (size_t)snprintf(digits, sizeof digits, "%.15g", item->valuedouble) + 1;
    const double read = strtod(digits, NULL);
    const bool is_exact = read >= item->valuedouble && read <= item->valuedouble;
    if (is_exact && strcmp(digits, "-0") != 0) return true;
    if (!is_exact) size = (size_t)snprintf(digits, sizeof digits, "%.17g", item->valuedouble) + 1;
    char *text = cJSON_malloc(size);
    if (text == NULL) return false;
    memcpy(text, digits, size);
    item->valuestring = text;
    item->type = cJSON_Raw | (item->type & cJSON_StringIsConst);
    return true;
}

bool ndp_json_exact_numbers(cJSON *tree) {
    if (cJSON_IsNumber(tree)) return spell_number(tree);
    for (cJSON *child = tree->child; child != NULL; child = child->next)
        if (!ndp_json_exact_numbers(child)) return false;
    return true;
}

char *ndp_json_print_exact(const cJSON *tree) {
    cJSON *copy = cJSON_Duplicate(tree, true);
    char *text = copy != NULL && ndp_json_exact_numbers(copy) ? cJSON_PrintUnformatted(copy) : NULL;
    cJSON_Delete(copy);
    return text;
}

enum ndp_status ndp_json_print(struct ndp_buffer *buffer, cJSON *tree) {
    char *text = tree != NULL && ndp_json_exact_numbers(tree) ? cJSON_PrintUnformatted(tree) : NULL;
    cJSON_Delete(tree);
    if (text == NULL) return NDP_NOMEM;
    enum ndp_status status = ndp_buffer_add(buffer, text, strlen(text));
    cJSON_free(text);
    return status;
}

static enum ndp_status add_magnitude(struct ndp_buffer *buffer, bool is_negative, uint64_t magnitude) {
    char digits[24];
    size_t at = sizeof digits;
    const bool is_exact = magnitude <= MAX_EXACT;
    if (!is_exact) digits[--at] = '"';
    do digits[--at] = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) > 0);
    if (is_negative) digits[--at] = '-';
    if (!is_exact) digits[--at] = '"';
    return ndp_buffer_add(buffer, digits + at, sizeof digits - at);
}

enum ndp_status ndp_json_add_u64(struct ndp_buffer *buffer, uint64_t number) {
    return add_magnitude(buffer, false, number);
}

enum ndp_status ndp_json_add_i64(struct ndp_buffer *buffer, int64_t number) {
    return add_magnitude(buffer, number < 0, number < 0 ? UINT64_C(0) - (uint64_t)number : (uint64_t)number);
}

/* Escapes as cJSON does: a letter if there is one, otherwise \u and the code. */
static enum ndp_status add_escaped(struct ndp_buffer *buffer, uint8_t byte) {
    static const char letters[][2] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                      {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        const char escape[] = {'\\', letters[i][1]};
        if (byte == (uint8_t)letters[i][0]) return ndp_buffer_add(buffer, escape, sizeof escape);
    }
    return ndp_buffer_printf(buffer, "\\u%04x", byte);
}

enum ndp_status ndp_json_add_text(struct ndp_buffer *buffer, struct ndp_bytes text) {
    if (!ndp_text_fits_json(text)) return ndp_json_print(buffer, from_code_points(text));
    uint64_t start = 0;
    NDP_TRY(ndp_buffer_add(buffer, "\"", 1));
    for (uint64_t i = 0; i < text.size_bytes; i++) {
        const uint8_t byte = text.data[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
        NDP_TRY(ndp_buffer_add(buffer, text.data + start, i - start));
        NDP_TRY(add_escaped(buffer, byte));
        start = i + 1;
    }
    if (start < text.size_bytes) NDP_TRY(ndp_buffer_add(buffer, text.data + start, text.size_bytes - start));
    return ndp_buffer_add(buffer, "\"", 1);
}
