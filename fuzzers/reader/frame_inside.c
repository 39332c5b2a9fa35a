#include "reader/frame_inside.h"

#include <string.h>

#include "fuzz.h"
#include "reader/json_numbers.h"
#include "target/protocol/wire.h"

enum { HEADER_BYTES = 24, AT_TYPE = 4, AT_RESERVED = 5, LAST_TYPE = 4 };

static bool is_same_hello(const struct ndp_target_info *a, const struct ndp_target_info *b) {
    return strcmp(a->implementation, b->implementation) == 0 && strcmp(a->version, b->version) == 0 &&
           strcmp(a->language, b->language) == 0 && a->is_little_endian == b->is_little_endian &&
           strcmp(a->kinds, b->kinds) == 0 && a->max_ndim == b->max_ndim && a->max_value_bytes == b->max_value_bytes &&
           a->longdouble_alignment_bytes == b->longdouble_alignment_bytes && a->takes_spares == b->takes_spares &&
           a->tells_peak == b->tells_peak && a->library_count == b->library_count && a->entry_count == b->entry_count;
}

/* A HELLO that is written of what was read is a frame, reads as the same, and is written of that once more; and it has
 * numbers of the first alone, or the most axes that anybody has, and the one version of the protocol. */
static void check_hello(struct ndp_bytes json, const struct ndp_target_info *hello) {
    struct ndp_buffer out = {.max_bytes = FUZZ_FRAME_LIMIT}, twice = out, text = out;
    struct ndp_frame_parser parser = {.max_bytes = FUZZ_FRAME_LIMIT};
    static struct ndp_target_info again;
    struct ndp_frame frame;
    bool is_ready = false;
    FUZZ_CHECK(ndp_wire_add_hello(&out, hello) == NDP_OK);
    FUZZ_CHECK(ndp_frame_parser_add(&parser, ndp_buffer_view(&out)) == NDP_OK);
    if (FUZZ_HOLDS(ndp_frame_parser_next(&parser, &frame, &is_ready, NULL) == NDP_OK && is_ready) &&
        FUZZ_HOLDS(ndp_wire_read_hello(&frame, &again, NULL) == NDP_OK) && FUZZ_HOLDS(is_same_hello(hello, &again))) {
        FUZZ_CHECK(ndp_wire_add_hello(&twice, &again) == NDP_OK);
        FUZZ_HOLDS(ndp_bytes_is_equal(ndp_buffer_view(&out), ndp_buffer_view(&twice)));
        FUZZ_CHECK(ndp_buffer_add(&text, json.data, json.size_bytes) == NDP_OK &&
                   ndp_buffer_printf(&text, " %d %d", NDP_MAX_NDIM, NDP_WIRE_PROTOCOL) == NDP_OK);
        FUZZ_HOLDS(fuzz_has_numbers_of(ndp_buffer_view(&text), frame.json));
    }
    ndp_frame_parser_clear(&parser);
    ndp_buffer_clear(&out);
    ndp_buffer_clear(&twice);
    ndp_buffer_clear(&text);
}

void fuzz_frame_inside(struct ndp_frame *frame) {
    static const struct ndp_target_info info = {
        .is_little_endian = true, .kinds = "biufcSUVMmORA", .max_ndim = 64, .max_value_bytes = FUZZ_FRAME_LIMIT};
    static struct ndp_arena arena = {.limit_bytes = 1 << 26};
    static const struct ndp_program program = {
        .step_count = 1, .steps = {{.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT}}};
    /* Of tens of KiB: to mark and unmark so much of the stack takes longer than a frame. */
    static struct ndp_target_info hello;
    static struct ndp_outcome outcome;
    struct ndp_program *programs;
    uint32_t count = 0;
    if (frame->type == NDP_FRAME_END) memset(&outcome, 0, sizeof outcome);
    frame->binary.data = ndp_arena_copy(&arena, frame->binary.data, frame->binary.size_bytes);
    const bool is_hello = frame->type == NDP_FRAME_HELLO && ndp_wire_read_hello(frame, &hello, NULL) == NDP_OK;
    if (is_hello) check_hello(frame->json, &hello);
    const bool is_read =
        is_hello ||
        (frame->type == NDP_FRAME_BATCH && ndp_wire_read_batch(&arena, frame, &programs, &count, NULL) == NDP_OK &&
         FUZZ_HOLDS(count <= NDP_MAX_BATCH)) ||
        (frame->type == NDP_FRAME_END && ndp_wire_read_end(&arena, frame, &info, &program, &outcome, NULL) == NDP_OK);
    if (is_read) fuzz_valid(1 + count);
    ndp_arena_reset(&arena);
}

/* Low byte first. */
static uint64_t number_at(struct ndp_bytes bytes, uint32_t at, uint32_t size_bytes) {
    uint64_t number = 0;
    for (uint32_t i = size_bytes; i > 0; i--) number = number << 8 | bytes.data[at + i - 1];
    return number;
}

bool fuzz_frame_says(struct ndp_bytes bytes, const struct ndp_frame *frame) {
    const uint64_t json = frame->json.size_bytes, binary = frame->binary.size_bytes;
    if (bytes.size_bytes < HEADER_BYTES || bytes.size_bytes - HEADER_BYTES < json ||
        bytes.size_bytes - HEADER_BYTES - json < binary)
        return false;
    const bool is_header = memcmp(bytes.data, "NDP1", 4) == 0 && bytes.data[4] == (uint8_t)frame->type &&
                           number_at(bytes, 6, 2) == frame->index && number_at(bytes, 8, 4) == frame->sequence &&
                           number_at(bytes, 12, 4) == json && number_at(bytes, 16, 8) == binary;
    return is_header && memcmp(bytes.data + HEADER_BYTES, frame->json.data, (size_t)json) == 0 &&
           memcmp(bytes.data + HEADER_BYTES + json, frame->binary.data, (size_t)binary) == 0;
}

uint64_t fuzz_frame_wrong_at(struct ndp_bytes bytes) {
    for (uint64_t i = 0; i < bytes.size_bytes && i <= AT_RESERVED; i++) {
        const uint8_t byte = bytes.data[i];
        if (i < AT_TYPE ? byte != (uint8_t) "NDP1"[i] : i == AT_TYPE ? byte == 0 || byte > LAST_TYPE : byte != 0)
            return i;
    }
    return UINT64_MAX;
}

bool fuzz_frame_fits(struct ndp_bytes bytes, uint64_t limit_bytes) {
    if (bytes.size_bytes < HEADER_BYTES) return true;
    const uint64_t rest = limit_bytes - HEADER_BYTES, json = number_at(bytes, 12, 4);
    return json <= rest && number_at(bytes, 16, 8) <= rest - json;
}

/* What the parser says of one frame within a limit. */
static enum ndp_status read_within(struct ndp_bytes bytes, uint64_t limit_bytes, bool *is_ready) {
    struct ndp_frame_parser parser = {.max_bytes = limit_bytes};
    struct ndp_frame frame;
    *is_ready = false;
    FUZZ_CHECK(ndp_frame_parser_add(&parser, bytes) == NDP_OK);
    const enum ndp_status status = ndp_frame_parser_next(&parser, &frame, is_ready, NULL);
    ndp_frame_parser_clear(&parser);
    return status;
}

void fuzz_frame_limits(struct ndp_bytes frame) {
    bool is_ready = false;
    FUZZ_HOLDS(read_within(frame, frame.size_bytes, &is_ready) == NDP_OK && is_ready);
    FUZZ_HOLDS(read_within(frame, frame.size_bytes - 1, &is_ready) == NDP_LIMIT && !is_ready);
    const struct ndp_bytes header = {frame.data, HEADER_BYTES};
    FUZZ_HOLDS(read_within(header, frame.size_bytes - 1, &is_ready) == NDP_LIMIT);
}
