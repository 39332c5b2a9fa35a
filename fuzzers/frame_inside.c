#include "frame_inside.h"

#include <string.h>

#include "fuzz.h"
#include "target/wire.h"

enum { HEADER_BYTES = 24 };

void fuzz_frame_inside(struct ndp_frame *frame) {
    static const struct ndp_target_info info = {
        .is_little_endian = true, .kinds = "biufcSUVMmORA", .max_ndim = 64, .max_value_bytes = FUZZ_FRAME_LIMIT};
    struct ndp_arena arena = {.limit_bytes = 1 << 26};
    struct ndp_program *programs, program = {.step_count = 1};
    struct ndp_target_info hello;
    struct ndp_outcome outcome = {0};
    struct ndp_buffer out = {.max_bytes = FUZZ_FRAME_LIMIT};
    uint32_t count = 0;
    program.steps[0] = (struct ndp_step){.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT};
    frame->binary.data = ndp_arena_copy(&arena, frame->binary.data, frame->binary.size_bytes);
    const bool is_read =
        (frame->type == NDP_FRAME_HELLO && ndp_wire_read_hello(frame, &hello, NULL) == NDP_OK &&
         FUZZ_HOLDS(ndp_wire_add_hello(&out, &hello) == NDP_OK)) ||
        (frame->type == NDP_FRAME_BATCH && ndp_wire_read_batch(&arena, frame, &programs, &count, NULL) == NDP_OK &&
         FUZZ_HOLDS(count <= NDP_MAX_BATCH)) ||
        (frame->type == NDP_FRAME_END && ndp_wire_read_end(&arena, frame, &info, &program, &outcome, NULL) == NDP_OK);
    if (is_read) fuzz_valid(1 + count);
    ndp_buffer_clear(&out);
    ndp_arena_clear(&arena);
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

bool fuzz_frame_fits(struct ndp_bytes bytes, uint64_t limit_bytes) {
    if (bytes.size_bytes < HEADER_BYTES) return true;
    const uint64_t rest = limit_bytes - HEADER_BYTES, json = number_at(bytes, 12, 4);
    return json <= rest && number_at(bytes, 16, 8) <= rest - json;
}
