#include "oracle/joblib_paths.h"

#include "codec/joblib/joblib_read.h"
#include "form/streams.h"
#include "fuzz.h"
#include "oracle/failing_allocation.h"
#include "oracle/npy_paths.h"

enum { STREAM_ONE_IN = 16, BREAK_ONE_IN = 16, FAILURE_ONE_IN = 16 };

static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
static const struct ndp_joblib_options options = {.compress = {1 << 13, .memory_bytes = 1 << 24, .pool = &pool}};
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

/* liblzma may deliver bytes behind the end of a part of its stream, so chunks decide which error comes first. */
static bool has_loose_errors(struct ndp_bytes bytes) {
    const enum ndp_compress_method method = ndp_compress_detect(bytes);
    return method == NDP_COMPRESS_XZ || method == NDP_COMPRESS_LZMA;
}

static void check_stream(struct ndp_bytes bytes, enum ndp_status want, const struct ndp_npy_array *first) {
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    struct ndp_npy_array next = {0};
    const enum ndp_status got = ndp_joblib_read_array_stream(&arena, fuzz_read_chunks, &cursor, &options, &next, NULL);
    if (has_loose_errors(bytes) && want != NDP_OK && got != NDP_OK) return;
    fuzz_check_same_npy("stream", want, first, got, &next);
}

static void check_failing_stream(struct ndp_bytes bytes, enum ndp_status want, uint64_t pick) {
    struct fuzz_failing stream = fuzz_failing_stream(bytes, pick);
    struct ndp_npy_array next = {0};
    const enum ndp_status got = ndp_joblib_read_array_stream(&arena, fuzz_read_failing, &stream, &options, &next, NULL);
    FUZZ_HOLDS(fuzz_is_reported(&stream, got, want) || (has_loose_errors(bytes) && !stream.has_failed));
    ndp_npy_array_clear(&next);
}

static enum ndp_status decode(struct ndp_arena *memory, struct ndp_bytes bytes) {
    struct ndp_npy_array array = {0};
    const enum ndp_status status = ndp_joblib_read_array_memory(memory, bytes, &options, &array, NULL);
    ndp_npy_array_clear(&array);
    return status;
}

void fuzz_check_joblib_paths(struct ndp_bytes bytes) {
    const bool streams = fuzz_is_due(FUZZ_COSTLY_STREAM, STREAM_ONE_IN);
    const bool fails = fuzz_is_due(FUZZ_COSTLY_BREAK, BREAK_ONE_IN);
    const uint64_t pick = fuzz_pick(bytes.data, (size_t)bytes.size_bytes);
    struct ndp_npy_array first = {0};
    if (fuzz_is_due(FUZZ_COSTLY_FAILURE, FAILURE_ONE_IN)) (void)fuzz_check_failing_allocation(decode, bytes, pick);
    if (!streams && !fails) return;
    const enum ndp_status want = ndp_joblib_read_array_memory(&arena, bytes, &options, &first, NULL);
    if (streams) check_stream(bytes, want, &first);
    if (fails) check_failing_stream(bytes, want, pick);
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
}
