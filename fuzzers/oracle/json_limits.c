#include "oracle/json_limits.h"

#include <string.h>

#include "fuzz.h"

enum { WHICH = 3 };
#define ROOM_BYTES (UINT64_C(1) << 28)

/* Returns the end of the string that begins at `at`, after its quote. */
static uint64_t string_end(struct ndp_bytes text, uint64_t at) {
    for (at++; at < text.size_bytes && text.data[at] != '"'; at++) at += text.data[at] == '\\';
    return at + 1;
}

/* Whether the bracket at `at` closes at once. */
static bool is_empty(struct ndp_bytes text, uint64_t at) {
    for (at++; at < text.size_bytes && text.data[at] <= ' ';) at++;
    return at < text.size_bytes && (text.data[at] == '}' || text.data[at] == ']');
}

/* Counts a value after each comma, one as the first in each nonempty bracket, and the whole. */
struct ndp_describe_limits fuzz_json_counts(struct ndp_bytes text) {
    struct ndp_describe_limits counts = {.text_bytes = text.size_bytes, .values = 1};
    uint32_t depth = 0;
    for (uint64_t at = 0; at < text.size_bytes;) {
        const uint8_t c = text.data[at];
        if (c == '{' || c == '[') {
            if (++depth > counts.depth) counts.depth = depth;
            counts.values += !is_empty(text, at);
        }
        if (c == '}' || c == ']') depth--;
        counts.values += c == ',';
        at = c == '"' ? string_end(text, at) : at + 1;
    }
    return counts;
}

static enum ndp_status read_within(struct ndp_bytes text, const struct ndp_describe_limits *limits) {
    struct ndp_arena arena = {.limit_bytes = ROOM_BYTES};
    struct ndp_descriptor descriptor;
    const enum ndp_status status = ndp_descriptor_read(&arena, text, limits, &descriptor, NULL);
    ndp_arena_clear(&arena);
    return status;
}

void fuzz_check_json_limits(struct ndp_bytes text, uint64_t pick) {
    struct ndp_describe_limits limits = fuzz_json_counts(text);
    limits.value_bytes = ndp_describe_default_limits.value_bytes;
    FUZZ_HOLDS(read_within(text, &limits) == NDP_OK);
    limits.text_bytes -= pick % WHICH == 0;
    limits.depth -= pick % WHICH == 1;
    limits.values -= pick % WHICH == 2;
    /* A limit of 0 values is the default limit. */
    if (limits.values > 0) FUZZ_HOLDS(read_within(text, &limits) == NDP_LIMIT);
}
