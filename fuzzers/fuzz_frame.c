/* fuzz_frame.c: bytes from a testee: the frame parser, and what HELLO, BATCH and END hold.
 * Oracle: however the bytes are cut into pieces, the same frames come out, or the same error at the same place, in
 * memory that follows what arrived and not what a header promises; a frame that is read is written again and reads as
 * the same; an END is read for a program that it did not answer, and may only be refused. */
#include "base/rng.h"
#include "fuzz.h"
#include "target/wire.h"

enum { FRAME_LIMIT = 1 << 20 };

/* Reads the JSON part by its type; what of it can be written is read again. */
static void read_inside(const struct ndp_frame *frame) {
    static struct ndp_target_info info = {.is_little_endian = true, .kinds = "biufcSUVMmORA", .max_ndim = 64};
    struct ndp_arena arena = {.limit_bytes = 1 << 26};
    struct ndp_program *programs, program = {.step_count = 1};
    struct ndp_target_info hello, again;
    struct ndp_outcome outcome = {0};
    struct ndp_buffer out = {.max_bytes = FRAME_LIMIT};
    struct ndp_frame_parser parser;
    struct ndp_frame copy;
    uint32_t count;
    bool is_ready = false;
    ndp_frame_parser_init(&parser, FRAME_LIMIT);
    info.max_value_bytes = FRAME_LIMIT;
    program.steps[0] = (struct ndp_step){.op = NDP_STEP_OBSERVE, .from = NDP_SLOT_RESULT, .to = NDP_SLOT_RESULT};
    if (frame->type == NDP_FRAME_HELLO && ndp_wire_read_hello(frame, &hello, NULL) == NDP_OK) {
        fuzz_valid(1);
        if (FUZZ_HOLDS(ndp_wire_add_hello(&out, &hello) == NDP_OK) &&
            FUZZ_HOLDS(ndp_frame_parser_add(&parser, ndp_buffer_view(&out)) == NDP_OK) &&
            FUZZ_HOLDS(ndp_frame_parser_next(&parser, &copy, &is_ready, NULL) == NDP_OK && is_ready))
            FUZZ_HOLDS(ndp_wire_read_hello(&copy, &again, NULL) == NDP_OK && again.entry_count == hello.entry_count);
    }
    if (frame->type == NDP_FRAME_BATCH && ndp_wire_read_batch(&arena, frame, &programs, &count, NULL) == NDP_OK &&
        FUZZ_HOLDS(count <= NDP_MAX_BATCH))
        fuzz_valid(count);
    if (frame->type == NDP_FRAME_END && ndp_wire_read_end(&arena, frame, &info, &program, &outcome, NULL) == NDP_OK)
        fuzz_valid(1);
    ndp_frame_parser_clear(&parser);
    ndp_buffer_clear(&out);
    ndp_arena_clear(&arena);
}

/* Feeds the bytes in pieces of `piece` bytes; gives a hash of the frames and of how it ended. */
static uint64_t feed(struct ndp_bytes bytes, uint64_t piece, bool looks_inside) {
    struct ndp_frame_parser parser;
    struct ndp_frame frame;
    struct ndp_error error = {0};
    uint64_t hash = NDP_HASH_START;
    enum ndp_status status = NDP_OK;
    ndp_frame_parser_init(&parser, FRAME_LIMIT);
    while (bytes.size_bytes > 0 && status == NDP_OK) {
        const struct ndp_bytes now = {bytes.data, bytes.size_bytes < piece ? bytes.size_bytes : piece};
        bool is_ready = true;
        if (!FUZZ_HOLDS(ndp_frame_parser_add(&parser, now) == NDP_OK)) break;
        bytes = (struct ndp_bytes){bytes.data + now.size_bytes, bytes.size_bytes - now.size_bytes};
        while (is_ready && (status = ndp_frame_parser_next(&parser, &frame, &is_ready, &error)) == NDP_OK && is_ready) {
            hash =
                ndp_hash_bytes(frame.json.data, frame.json.size_bytes, hash ^ frame.index ^ (uint64_t)frame.type << 32);
            hash = ndp_hash_bytes(frame.binary.data, frame.binary.size_bytes, hash ^ frame.sequence);
            if (looks_inside) read_inside(&frame);
        }
    }
    FUZZ_HOLDS(parser.capacity_bytes <= (1 << 17) + 4 * (parser.consumed_bytes + parser.end_bytes));
    hash ^= (uint64_t)status << 56 ^ (status == NDP_OK ? ndp_frame_parser_waiting(&parser) : error.offset_bytes);
    ndp_frame_parser_clear(&parser);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct ndp_bytes bytes = {data, size};
    const uint64_t whole = feed(bytes, size > 0 ? size : 1, true);
    FUZZ_HOLDS(feed(bytes, 1, false) == whole && feed(bytes, 23, false) == whole);
    return 0;
}
