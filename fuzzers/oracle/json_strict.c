#include "oracle/json_strict.h"

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

/* Where the value ends that begins at `at`. */
static uint64_t value_end(struct ndp_bytes text, uint64_t at) {
    uint64_t depth = 0;
    while (at < text.size_bytes) {
        const uint8_t c = text.data[at];
        if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        at = c == '"' ? string_end(text, at) : at + 1;
    }
    return at;
}

/* Counts the members of objects, metadata and what is in them left out; gives the place of the value of number `which`.
 */
static uint64_t count_members(struct ndp_bytes text, uint64_t which, uint64_t *place) {
    static const char metadata[] = "\"metadata\":";
    uint64_t count = 0;
    for (uint64_t at = 0; at < text.size_bytes;) {
        const uint8_t c = text.data[at];
        if (c == '"' && is_at(text, at, metadata)) {
            at = value_end(text, at + strlen(metadata));
            continue;
        }
        if (c == ':' && count++ == which) *place = at + 1;
        at = c == '"' ? string_end(text, at) : at + 1;
    }
    return count;
}

/* Reads the text with other words in the place of those from `at` on. */
static enum ndp_status read_other(struct ndp_bytes text, uint64_t at, uint64_t size, struct ndp_bytes key,
                                  const char *value) {
    struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    struct ndp_buffer other = {.max_bytes = UINT64_MAX};
    struct ndp_descriptor descriptor;
    FUZZ_CHECK(ndp_buffer_add(&other, text.data, at) == NDP_OK);
    FUZZ_CHECK(ndp_buffer_add(&other, key.data, key.size_bytes) == NDP_OK);
    FUZZ_CHECK(ndp_buffer_add(&other, value, strlen(value)) == NDP_OK);
    FUZZ_CHECK(ndp_buffer_add(&other, text.data + at + size, text.size_bytes - at - size) == NDP_OK);
    const enum ndp_status status =
        ndp_descriptor_read(&arena, ndp_buffer_view(&other), &ndp_describe_default_limits, &descriptor, NULL);
    ndp_buffer_clear(&other);
    ndp_arena_clear(&arena);
    return status;
}

static enum ndp_status read_with(struct ndp_bytes text, uint64_t at, struct ndp_bytes key, const char *value) {
    return read_other(text, at, 0, key, value);
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

/* What no member is. */
static const char *const strangers[] = {"{\"~\":0}", "[[{}]]", "null"};

/* What a descriptor may say, and what it may not say in its place. */
struct spoil {
    const char *said, *spoilt;
};
static const struct spoil array_spoils[] = {
    {"\"ndproof\":1", "\"ndproof\":2"},
    {"\"ndproof\":1", "\"ndproof\":0"},
    {"\"value\":{\"array\":{", "\"value\":{\"graph\":{},\"array\":{"},
    {"\"value\":{\"array\":{", "\"value\":{\"dict\":{},\"array\":{"},
    {"\"pattern\":\"index\"", "\"pattern\":\"index\",\"seed\":1"},
    {"\"pattern\":\"zeros\"", "\"pattern\":\"zeros\",\"hex\":\"00\""},
    {"\"pattern\":\"", "\"pattern\":\"~"},
    {"\"seed\":\"", "\"seed\":\"~"},
    {"\"hex\":\"", "\"hex\":\"0"},
    {"\"hex\":\"", "\"hex\":\"0g"},
    {"\"memmap\":{", "\"misalign\":1,\"memmap\":{"},
    {"\"mode\":\"", "\"mode\":\"~"},
    {"\"misalign\":", "\"misalign\":-1"},
    {"\"shape\":[", "\"shape\":[-1"},
    {"\"order\":\"", "\"order\":\"K"},
    {"\"dtype\":\"", "\"dtype\":\"~"},
    {"\"type\":\"", "\"type\":\"~"},
    {"\"fields\":[", "\"fields\":[{},"},
    {"\"views\":[", "\"views\":[{},"},
    {"\"views\":[", "\"views\":[0,"},
    {"\"views\":[{\"", "\"views\":[{\"real\":true,\"imag\":true,\""},
    {"\"transpose\":[", "\"transpose\":[0,0,"},
    {"\"transpose\":[0", "\"transpose\":[9"},
    {"\"slice\":[[", "\"slice\":[[0,0,1],["},
    {"\"slice\":[[", "\"slice\":[[0,1,-1],["},
    {"\"slice\":[[", "\"slice\":[[0,1],["},
    {"\"newaxis\":", "\"newaxis\":-1"},
    {"\"class\":{\"name\":\"ndarray\"", "\"class\":{\"name\":\"\""},
    {"\"class\":{\"name\":\"ndarray\"", "\"class\":{"},
    {"\"transport\":\"", "\"format\":\"npy\",\"transport\":\""},
    {"\"transport\":\"", "\"encode\":\"file\",\"transport\":\""},
    {"\"transport\":\"", "\"decode\":\"file\",\"transport\":\""},
    {"\"transport\":\"", "\"via\":{},\"transport\":\""},
    {"\"transport\":\"", "\"transport\":0,\"~\":\""},
    {"\"format\":\"", "\"backend\":\"loky\",\"format\":\""},
    {"\"format\":\"", "\"max_nbytes\":1,\"format\":\""},
    {"\"format\":\"", "\"mmap_mode\":\"r\",\"format\":\""},
    {"\"max_nbytes\":", "\"max_nbytes\":-2"},
    {"\"mmap_mode\":\"", "\"mmap_mode\":\"~"},
    {"\"level\":", "\"level\":9"},
    {"\"protocol\":", "\"protocol\":256"},
    {"\"bytes\":\"", "\"file\":\"~\",\"bytes\":\""},
    {"\"bytes\":\"", "\"bytes\":\"0g"},
    {"\"file\":\"", "\"file\":\"/"},
    {"\"file\":\"", "\"file\":\"../"},
    {"\"expect\":\"", "\"expect\":\"~"},
    {"\"fault\":{", "\"via\":{},\"fault\":{"},
    {"\"fault\":{\"name\":\"", "\"fault\":{\"name\":\"\",\"argument\":\""},
    {"\"properties\":[\"", "\"properties\":[\"\",\""},
};

/* The same of a graph's nodes: what nobody knows, and what only is said of one that was seen. */
static const struct spoil graph_spoils[] = {
    {"\"graph\":{", "\"graph\":{\"~\":0,"},
    {"{\"array\":{", "{\"~\":0,\"array\":{"},
    {"{\"array\":{", "{\"data\":{},\"array\":{"},
    {"{\"array\":{", "{\"class\":\"ndarray\",\"array\":{"},
    {"{\"array\":{", "{\"whole\":true,\"array\":{"},
    {"{\"array\":{", "{\"memory\":[0,0],\"array\":{"},
    {"{\"array\":{", "{\"results\":[],\"array\":{"},
    {"{\"int\":", "{\"results\":[],\"int\":"},
    {"{\"int\":", "{\"~\":0,\"int\":"},
    {"{\"list\":[", "{\"results\":[],\"list\":["},
    {"{\"function\":{", "{\"results\":[],\"function\":{"},
    {"{\"function\":{", "{\"function\":{\"~\":0,"},
    {"{\"method\":{", "{\"method\":{\"~\":0,"},
    {"{\"partial\":{", "{\"partial\":{\"~\":0,"},
    {"{\"vectorize\":{", "{\"vectorize\":{\"~\":0,"},
    {"{\"frompyfunc\":{", "{\"frompyfunc\":{\"~\":0,"},
    {"{\"view\":{", "{\"view\":{\"~\":0,"},
    {"{\"objects\":{", "{\"objects\":{\"~\":0,"},
};

/* Of equal words the first is taken. A string of these words would have a backslash before its quotes. */
static void check_spoilt(const struct spoil *spoils, size_t count, struct ndp_bytes text, uint64_t pick) {
    for (uint64_t tries = 0; tries < count; tries++) {
        const uint64_t row = (pick + tries) % count, size = strlen(spoils[row].said);
        for (uint64_t at = 0; at + size <= text.size_bytes; at++) {
            if (!is_at(text, at, spoils[row].said)) continue;
            FUZZ_HOLDS_OF(spoils[row].spoilt,
                          read_other(text, at, size, ndp_bytes_view(""), spoils[row].spoilt) != NDP_OK);
            return;
        }
    }
}

void fuzz_check_json_values(struct ndp_bytes text, bool has_graph, uint64_t pick) {
    uint64_t place = 0;
    const uint64_t count = count_members(text, UINT64_MAX, &place);
    if (pick % ONE_IN != 2 || count == 0) return;
    pick /= ONE_IN;
    /* Metadata may hold any words. */
    for (uint64_t at = 0; at < text.size_bytes; at++)
        if (is_at(text, at, "\"metadata\":")) pick &= ~UINT64_C(1);
    if (has_graph) {
        if (pick % 2 != 0) check_spoilt(graph_spoils, NDP_ARRAY_LEN(graph_spoils), text, pick / 2);
        return;
    }
    if (pick % 2 != 0) {
        check_spoilt(array_spoils, NDP_ARRAY_LEN(array_spoils), text, pick / 2);
        return;
    }
    (void)count_members(text, pick / 2 % count, &place);
    const char *stranger = strangers[pick / 2 / count % NDP_ARRAY_LEN(strangers)];
    const uint64_t size = value_end(text, place) - place;
    FUZZ_HOLDS_OF(stranger, read_other(text, place, size, ndp_bytes_view(""), stranger) != NDP_OK);
}
