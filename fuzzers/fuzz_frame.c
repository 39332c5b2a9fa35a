/* fuzz_frame.c: bytes from a testee: the frame parser, and what HELLO, BATCH and END hold.
 * Oracle: in one of two turns, however the bytes are cut into pieces, the same frames come out, or the same error at
 * the same place, in memory that follows what arrived, not what headers promise; they are what stands there, and within
 * the limit; they are refused for a byte that no frame begins with; in the other, reads end where frames do; a HELLO
 * reads as written; a limit that is just met is kept, and one byte less is not enough. */
#include "base/rng.h"
#include "fuzz.h"
#include "reader/frame_inside.h"

/* Feeds the bytes in pieces; gives a hash of the frames and of how it ended. What looks inside knows where they are. */
static uint64_t feed(struct ndp_bytes bytes, uint64_t piece, bool looks_inside) {
    struct ndp_frame_parser parser = {.max_bytes = FUZZ_FRAME_LIMIT};
    const struct ndp_bytes all = bytes;
    struct ndp_frame frame;
    struct ndp_error error = {0};
    uint64_t at = 0, hash = NDP_HASH_START;
    bool is_ready;
    enum ndp_status status = NDP_OK;
    while (bytes.size_bytes > 0 && status == NDP_OK) {
        const struct ndp_bytes now = {bytes.data, bytes.size_bytes < piece ? bytes.size_bytes : piece};
        if (!FUZZ_HOLDS(ndp_frame_parser_add(&parser, now) == NDP_OK)) break;
        bytes = (struct ndp_bytes){bytes.data + now.size_bytes, bytes.size_bytes - now.size_bytes};
        while ((status = ndp_frame_parser_next(&parser, &frame, &is_ready, &error)) == NDP_OK && is_ready) {
            hash ^= frame.index ^ (uint64_t)frame.type << 32 ^ (uint64_t)frame.sequence << 40;
            hash = ndp_hash_bytes(frame.json.data, frame.json.size_bytes + frame.binary.size_bytes, hash);
            FUZZ_HOLDS(fuzz_frame_says((struct ndp_bytes){all.data + at, all.size_bytes - at}, &frame));
            if (looks_inside) fuzz_frame_limits((struct ndp_bytes){all.data + at, parser.consumed_bytes - at});
            if (looks_inside) fuzz_frame_inside(&frame);
            fuzz_valid(1);
            at = parser.consumed_bytes;
        }
    }
    const struct ndp_bytes rest = {all.data + at, all.size_bytes - bytes.size_bytes - at};
    const uint64_t wrong_at = fuzz_frame_wrong_at(rest);
    FUZZ_HOLDS(status == NDP_INVALID ? error.offset_bytes - at == wrong_at : wrong_at == UINT64_MAX);
    FUZZ_HOLDS(status == NDP_INVALID || (status == NDP_OK) == fuzz_frame_fits(rest, FUZZ_FRAME_LIMIT));
    FUZZ_HOLDS(parser.capacity_bytes <= (1 << 17) + 4 * (parser.consumed_bytes + parser.end_bytes));
    fuzz_answers(0, status);
    hash ^= (uint64_t)status << 56 ^ (status == NDP_OK ? ndp_frame_parser_waiting(&parser) : error.offset_bytes);
    ndp_frame_parser_clear(&parser);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct ndp_bytes bytes = {data, size};
    const bool looks_inside = fuzz_way(data, size, 2) == 0;
    const uint64_t whole = feed(bytes, size + 1, looks_inside);
    FUZZ_HOLDS(looks_inside || whole == feed(bytes, 1 + size % 23, false));
    return 0;
}
