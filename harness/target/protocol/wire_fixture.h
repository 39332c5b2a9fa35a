/* wire_fixture.h: frames for the tests of wire_*.c, written by hand from harness/testees/README.md, not by our
 * writer. */
#ifndef NDP_WIRE_FIXTURE_H
#define NDP_WIRE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/rng.h"
#include "target/protocol/wire.h"

enum { OUT_BYTES = 1 << 22 };

#define ARENA_BYTES (UINT64_C(1) << 26)

static inline struct ndp_frame frame_of(enum ndp_frame_type type, const char *json, const char *binary) {
    return (struct ndp_frame){.type = type, .json = ndp_bytes_view(json), .binary = ndp_bytes_view(binary)};
}

/* Parses the single frame in `out`. */
static inline struct ndp_frame written_frame(const struct ndp_buffer *out, struct ndp_frame_parser *parser) {
    struct ndp_frame frame = {.index = 0};
    bool is_ready = false;
    ndp_frame_parser_init(parser, OUT_BYTES);
    assert_int_equal(ndp_frame_parser_add(parser, ndp_buffer_view(out)), NDP_OK);
    assert_int_equal(ndp_frame_parser_next(parser, &frame, &is_ready, NULL), NDP_OK);
    assert_true(is_ready);
    assert_int_equal(ndp_frame_parser_waiting(parser), 0);
    return frame;
}

static inline void assert_json(struct ndp_bytes got, const char *expected) {
    cJSON *a = cJSON_ParseWithLength((const char *)got.data, (size_t)got.size_bytes);
    cJSON *b = cJSON_Parse(expected);
    assert_non_null(a);
    assert_non_null(b);
    if (!cJSON_Compare(a, b, true))
        fail_msg("got      %.*s\nexpected %s", (int)got.size_bytes, (const char *)got.data, expected);
    cJSON_Delete(a);
    cJSON_Delete(b);
}

static inline void assert_text(struct ndp_bytes got, const char *expected) {
    if (!ndp_bytes_is_equal(got, ndp_bytes_view(expected)))
        fail_msg("got %.*s, expected %s", (int)got.size_bytes, (const char *)got.data, expected);
}

static inline struct ndp_step step(enum ndp_step_op op, enum ndp_slot from, enum ndp_slot to, const char *format,
                                   const char *entry, const char *buffers, int32_t protocol) {
    struct ndp_step out = {.op = op, .from = from, .to = to, .protocol = protocol};
    snprintf(out.format, sizeof out.format, "%s", format);
    snprintf(out.entry, sizeof out.entry, "%s", entry);
    snprintf(out.buffers, sizeof out.buffers, "%s", buffers);
    return out;
}

/* Copies the text with one part replaced. */
static inline void replace(const char *text, const char *old, const char *new, char *out, size_t out_bytes) {
    const char *at = strstr(text, old);
    assert_non_null(at);
    snprintf(out, out_bytes, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

/* A frame whose JSON is `json` with up to three corrupted bytes. It is in memory of exact size, so that sanitizers
 * detect reads past its end. Free it with wire_free. */
static inline struct ndp_frame wire_spoil(struct ndp_rng *rng, enum ndp_frame_type type, const char *json,
                                          const char *binary) {
    static const char spice[] = "0123456789[]{}\",:-\\CWA<>=|";
    const size_t size = strlen(json), binary_size = strlen(binary);
    char *text = malloc(size), *rest = malloc(binary_size + 1);
    assert_true(text && rest);
    memcpy(text, json, size);
    memcpy(rest, binary, binary_size);
    for (uint64_t i = ndp_rng_next(rng) % 3; i < 3; i++)
        text[ndp_rng_next(rng) % size] = spice[ndp_rng_next(rng) % (sizeof spice - 1)];
    return (struct ndp_frame){
        .type = type, .json = {(const uint8_t *)text, size}, .binary = {(const uint8_t *)rest, binary_size}};
}

static inline void wire_free(struct ndp_frame *frame) {
    free((void *)(uintptr_t)frame->json.data);
    free((void *)(uintptr_t)frame->binary.data);
}

/* Some corrupted frames are still valid; the test needs both kinds. */
static inline void expect_mixed(uint64_t accepted, uint64_t rounds) {
    assert_true(accepted > rounds / 100);
    assert_true(accepted < rounds / 2);
}

enum { SPOILT_ROUNDS = 2000 };

#endif
