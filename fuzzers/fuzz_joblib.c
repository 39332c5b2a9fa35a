/* fuzz_joblib.c: joblib's dumps through every decode path of the reference.
 * Oracle: memory and one way of four give one array, or refuse for one reason: a stream in small pieces (of bombs one
 * in eight; of what is refused twice as often), a file or a map where it says so, a dump that it encodes to, plain or
 * packed; elements of a plain one are padded, and what another reader sees. A stream is whole, within its limits; that
 * it failed, or a sink, is told. */
#include "codec/joblib/joblib_read.h"
#include "fuzz.h"
#include "oracle/dump_again.h"
#include "oracle/failing.h"
#include "oracle/read_as.h"
#include "oracle/same_array.h"
#include "oracle/streamed.h"
#include "reader/said_pickle.h"
#include "reader/whole.h"

enum way { STREAM, MAPPED, AGAIN, PACKED, WAYS };
enum { PACKED_ONE_IN = 4 }; /* of those that can be: it is slow */
static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
static const struct ndp_joblib_options options = {.compress = {1 << 13, .memory_bytes = 1 << 24, .pool = &pool}};
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

static void check_map(struct ndp_bytes bytes, enum ndp_map_mode mode, const struct ndp_npy_array *first) {
    const char *path = fuzz_path(bytes.data, bytes.size_bytes);
    struct ndp_npy_array next = {0};
    const enum ndp_status got = ndp_joblib_decode_mapped(&arena, path, mode, &options, &next, NULL);
    FUZZ_HOLDS(got || fuzz_dump_is_mapped(&arena, bytes, next.map.is_open));
    fuzz_same_map(mode, NDP_OK, first, got, &next);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array first = {0};
    const uint32_t pick = (uint32_t)fuzz_pick(data, size);
    const enum way way = (enum way)fuzz_way(data, size, WAYS);
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    const enum ndp_status want = ndp_joblib_decode_memory(&arena, bytes, &options, &first, fuzz_refusal());
    fuzz_answers(0, want);
    /* Where what is packed is wrong is for the compressor to say, which is the machine's. */
    if (ndp_compress_detect(bytes) == NDP_COMPRESS_NONE) fuzz_says_refusal(want);
    FUZZ_HOLDS(want != NDP_NOMEM);
    FUZZ_HOLDS(want != NDP_OK || fuzz_dump_says(&arena, bytes, &first));
    if (want == NDP_OK) fuzz_says_array(&first);
    if ((way == STREAM || (way == MAPPED && want != NDP_OK)) && (want != NDP_LIMIT || pick % 8 == 0)) {
        fuzz_joblib_streamed(&arena, bytes, &options, want, &first, pick / 8);
        FUZZ_HOLDS(want != NDP_OK || fuzz_has_whole_stream(bytes, &options.compress));
    }
    /* A pickle may keep any order of axes, which a dump does not. */
    if (want == NDP_OK && fuzz_is_in_order(&first)) {
        if (way == STREAM) (void)fuzz_check_failing(fuzz_decodes_dump, bytes, 0, pick / 8);
        if (way == MAPPED) check_map(bytes, fuzz_mode_of(pick >> 16), &first);
        const bool is_packed = way == PACKED && pick / 8 % PACKED_ONE_IN == 0;
        if (way == AGAIN || way == PACKED) fuzz_dump_again(&arena, &first, pick, is_packed, &pool);
        fuzz_valid(way == AGAIN || way == PACKED ? 2 : 1);
    }
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
    return 0;
}
