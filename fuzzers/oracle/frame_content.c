#include "oracle/frame_content.h"

#include "fuzz.h"
#include "target/protocol/wire.h"

#define LIMIT_BYTES (UINT64_C(1) << 22)

/* Writes both as frames, which must have the same bytes. */
static void check_hello(const struct ndp_target_info *hello) {
    static struct ndp_target_info again;
    struct ndp_buffer out = {.max_bytes = LIMIT_BYTES}, twice = out;
    struct ndp_frame_parser parser = {.max_bytes = LIMIT_BYTES};
    struct ndp_frame frame;
    bool is_ready = false;
    FUZZ_CHECK(ndp_wire_add_hello(&out, hello) == NDP_OK);
    FUZZ_CHECK(ndp_frame_parser_add(&parser, ndp_buffer_view(&out)) == NDP_OK);
    if (FUZZ_HOLDS(ndp_frame_parser_next(&parser, &frame, &is_ready, NULL) == NDP_OK && is_ready) &&
        FUZZ_HOLDS(ndp_wire_read_hello(&frame, &again, NULL) == NDP_OK)) {
        FUZZ_CHECK(ndp_wire_add_hello(&twice, &again) == NDP_OK);
        FUZZ_HOLDS(ndp_bytes_is_equal(ndp_buffer_view(&out), ndp_buffer_view(&twice)));
    }
    ndp_frame_parser_clear(&parser);
    ndp_buffer_clear(&out);
    ndp_buffer_clear(&twice);
}

static bool is_read(struct ndp_arena *arena, const struct ndp_frame *frame) {
    static const struct ndp_target_info info = {
        .is_little_endian = true, .kinds = "biufcSUVMmORA", .max_ndim = 64, .max_value_bytes = LIMIT_BYTES};
    static const struct ndp_program program = {
        .step_count = 1, .steps = {{.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT}}};
    /* Static: for tens of KiB on the stack, ASan's marking would cost more than a frame. */
    static struct ndp_target_info hello;
    static struct ndp_outcome outcome;
    struct ndp_program *programs;
    uint32_t count = 0;
    switch (frame->type) {
    case NDP_FRAME_HELLO:
        if (ndp_wire_read_hello(frame, &hello, NULL) != NDP_OK) return false;
        check_hello(&hello);
        return true;
    case NDP_FRAME_BATCH:
        return ndp_wire_read_batch(arena, frame, &programs, &count, NULL) == NDP_OK &&
               FUZZ_HOLDS(count <= NDP_MAX_BATCH);
    case NDP_FRAME_END:
        memset(&outcome, 0, sizeof outcome);
        return ndp_wire_read_end(arena, frame, &info, &program, &outcome, NULL) == NDP_OK;
    case NDP_FRAME_BEGIN:
        break;
    }
    return false;
}

void fuzz_check_frame_content(struct ndp_frame *frame) {
    static struct ndp_arena arena = {.limit_bytes = 1 << 26};
    frame->binary.data = ndp_arena_copy(&arena, frame->binary.data, frame->binary.size_bytes);
    if (is_read(&arena, frame)) fuzz_valid(1);
    ndp_arena_reset(&arena);
}
