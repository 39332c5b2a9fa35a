/* fuzz_frame.c: bytes from a testee through the parser of frames and the readers of their contents.
 * Oracle: chunks of any size give the same frames or the same error at the same place, in memory in proportion to the
 * bytes, and a HELLO that is read is written as a HELLO that reads the same. */
#include "base/rng.h"
#include "fuzz.h"
#include "oracle/frame_content.h"

enum { FREE_BYTES = 1 << 17, CAPACITY_PER_BYTE = 4, CHUNK_BYTES = 23, LIMIT_BYTES = 1 << 22 };

/* Feeds the bytes in chunks; returns a hash of the frames and of the error. */
static uint64_t feed(struct ndp_bytes bytes, uint64_t chunk_bytes, bool reads_content) {
    struct ndp_frame_parser parser = {.max_bytes = LIMIT_BYTES};
    struct ndp_frame frame;
    struct ndp_error error = {0};
    uint64_t hash = NDP_HASH_START;
    bool is_ready;
    enum ndp_status status = NDP_OK;
    while (bytes.size_bytes > 0 && status == NDP_OK) {
        const struct ndp_bytes now = {bytes.data, bytes.size_bytes < chunk_bytes ? bytes.size_bytes : chunk_bytes};
        FUZZ_CHECK(ndp_frame_parser_add(&parser, now) == NDP_OK);
        bytes = (struct ndp_bytes){bytes.data + now.size_bytes, bytes.size_bytes - now.size_bytes};
        while ((status = ndp_frame_parser_next(&parser, &frame, &is_ready, &error)) == NDP_OK && is_ready) {
            hash ^= frame.index ^ (uint64_t)frame.type << 32 ^ (uint64_t)frame.sequence << 40;
            hash = ndp_hash_bytes(frame.json.data, frame.json.size_bytes + frame.binary.size_bytes, hash);
            if (reads_content) fuzz_check_frame_content(&frame);
            fuzz_valid(1);
        }
    }
    FUZZ_HOLDS(parser.capacity_bytes <= FREE_BYTES + CAPACITY_PER_BYTE * (parser.consumed_bytes + parser.end_bytes));
    hash ^= (uint64_t)status << 56 ^ (status == NDP_OK ? ndp_frame_parser_waiting(&parser) : error.offset_bytes);
    ndp_frame_parser_clear(&parser);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct ndp_bytes bytes = {data, size};
    const bool reads_content = fuzz_is_due(FUZZ_COSTLY_AGAIN, 2);
    const uint64_t whole = feed(bytes, size + 1, reads_content);
    if (!reads_content) FUZZ_HOLDS(whole == feed(bytes, 1 + size % CHUNK_BYTES, false));
    return 0;
}
