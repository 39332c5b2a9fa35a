#include "json_strict.h"

#include <string.h>

#include "fuzz.h"

enum { ONE_IN = 8 };
#define ROOM_BYTES (UINT64_C(1) << 28)

/* Behind the string that begins at `at`. */
static uint64_t string_end(struct ndp_bytes text, uint64_t at) {
    for (at++; at < text.size_bytes && text.data[at] != '"'; at++) at += text.data[at] == '\\';
    return at < text.size_bytes ? at + 1 : text.size_bytes;
}

static bool is_at(struct ndp_bytes text, uint64_t at, const char *word) {
    return text.size_bytes - at >= strlen(word) && memcmp(text.data + at, word, strlen(word)) == 0;
}

/* Counts the objects of a text without blanks that are no metadata; gives the place behind the bracket of number
 * `which`. */
static uint64_t count_objects(struct ndp_bytes text, uint64_t which, uint64_t *place) {
    static const char metadata[] = "\"metadata\":{";
    uint64_t count = 0, depth = 0, outside = UINT64_MAX; /* the depth of what the metadata are of */
    for (uint64_t at = 0; at < text.size_bytes;) {
        const uint8_t c = text.data[at];
        if (c == '"' && outside == UINT64_MAX && is_at(text, at, metadata)) outside = depth;
        if (c == '{' && outside == UINT64_MAX && count++ == which) *place = at + 1;
        if (c == '{') depth++;
        if (c == '}' && --depth == outside) outside = UINT64_MAX;
        at = c == '"' ? string_end(text, at) : at + 1;
    }
    return count;
}

static enum ndp_status read_with(struct ndp_bytes text, uint64_t at, struct ndp_bytes key, const char *value) {
    struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    struct ndp_buffer other = {.max_bytes = UINT64_MAX};
    struct ndp_descriptor descriptor;
    const uint64_t value_bytes = strlen(value);
    uint8_t *room = NULL;
    FUZZ_CHECK(ndp_buffer_extend(&other, text.size_bytes + key.size_bytes + value_bytes, &room) == NDP_OK);
    memcpy(room, text.data, (size_t)at);
    memcpy(room + at, key.data, (size_t)key.size_bytes);
    memcpy(room + at + key.size_bytes, value, (size_t)value_bytes);
    memcpy(room + at + key.size_bytes + value_bytes, text.data + at, (size_t)(text.size_bytes - at));
    const enum ndp_status status =
        ndp_descriptor_read(&arena, ndp_buffer_view(&other), &ndp_describe_default_limits, &descriptor, NULL);
    ndp_buffer_clear(&other);
    ndp_arena_clear(&arena);
    return status;
}

void fuzz_check_json_keys(struct ndp_bytes text, bool has_graph, uint64_t pick) {
    uint64_t place = 0;
    const uint64_t count = count_objects(text, UINT64_MAX, &place);
    if (pick % ONE_IN != 1 || count == 0) return;
    (void)count_objects(text, pick / ONE_IN / 2 % count, &place);
    const bool is_empty = text.data[place] == '}';
    if (pick / ONE_IN % 2 == 0 && !is_empty) {
        const struct ndp_bytes first = {text.data + place, string_end(text, place) - place};
        FUZZ_HOLDS(read_with(text, place, first, ":null,") == NDP_INVALID);
    } else if (!has_graph) {
        FUZZ_HOLDS(read_with(text, place, ndp_bytes_view("\"~\""), is_empty ? ":0" : ":0,") == NDP_INVALID);
    }
}
