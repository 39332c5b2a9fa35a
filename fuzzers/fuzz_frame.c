/* fuzz_frame.c: bytes from a testee: the frame parser, and what HELLO, BATCH and END hold.
 * Oracle: however the bytes are cut into pieces, the same frames come out, or the same error at the same place, in
 * memory that follows what arrived, not what headers promise; reads end where frames do; a HELLO reads as written. */
#include "base/rng.h"
#include "fuzz.h"
#include "target/wire.h"

enum { FRAME_LIMIT = 1 << 20 };

static void read_inside(struct ndp_frame *frame) {
    static const struct ndp_target_info info = {
        .is_little_endian = true, .kinds = "biufcSUVMmORA", .max_ndim = 64, .max_value_bytes = FRAME_LIMIT};
    struct ndp_arena arena = {.limit_bytes = 1 << 26};
    struct ndp_program *programs, program = {.step_count = 1};
    struct ndp_target_info hello;
    struct ndp_outcome outcome = {0};
    struct ndp_buffer out = {.max_bytes = FRAME_LIMIT};
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

/* Feeds the bytes in pieces; gives a hash of the frames and of how it ended. */
static uint64_t feed(struct ndp_bytes bytes, uint64_t piece, bool looks_inside) {
    struct ndp_frame_parser parser = {.max_bytes = FRAME_LIMIT};
    struct ndp_frame frame;
    struct ndp_error error = {0};
    uint64_t hash = NDP_HASH_START;
    bool is_ready;
    enum ndp_status status = NDP_OK;
    while (bytes.size_bytes > 0 && status == NDP_OK) {
        const struct ndp_bytes now = {bytes.data, bytes.size_bytes < piece ? bytes.size_bytes : piece};
        if (!FUZZ_HOLDS(ndp_frame_parser_add(&parser, now) == NDP_OK)) break;
        bytes = (struct ndp_bytes){bytes.data + now.size_bytes, bytes.size_bytes - now.size_bytes};
        while ((status = ndp_frame_parser_next(&parser, &frame, &is_ready, &error)) == NDP_OK && is_ready) {
            hash ^= frame.index ^ (uint64_t)frame.type << 32 ^ (uint64_t)frame.sequence << 40;
            hash = ndp_hash_bytes(frame.json.data, frame.json.size_bytes + frame.binary.size_bytes, hash);
            if (looks_inside) fuzz_valid(1), read_inside(&frame);
        }
    }
    FUZZ_HOLDS(parser.capacity_bytes <= (1 << 17) + 4 * (parser.consumed_bytes + parser.end_bytes));
    hash ^= (uint64_t)status << 56 ^ (status == NDP_OK ? ndp_frame_parser_waiting(&parser) : error.offset_bytes);
    ndp_frame_parser_clear(&parser);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FUZZ_HOLDS(feed((struct ndp_bytes){data, size}, size + 1, true) ==
               feed((struct ndp_bytes){data, size}, 1 + size % 23, false));
    return 0;
}
