#include "oracle/pickle_paths.h"

#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_graph.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"
#include "form/streams.h"
#include "fuzz.h"
#include "oracle/failing_allocation.h"
#include "oracle/memo_numbers.h"
#include "oracle/pickle_limits.h"

enum {
    STREAM_ONE_IN = 8,
    AGAIN_ONE_IN = 8,
    MEMO_ONE_IN = 8,
    BREAK_ONE_IN = 16,
    LIMIT_ONE_IN = 16,
    FAILURE_ONE_IN = 16
};
enum { PROTOCOLS = 6, OPCODES_MAX = 1 << 20, OPERATIONS_PER_BYTE = 8, OPERATIONS_FREE = 64 };

static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

enum ndp_status fuzz_rewrite_pickle(struct ndp_source source, uint32_t protocol, ndp_write_bytes *write, void *sink) {
    const struct ndp_pickle_options options = {.opcodes_max = OPCODES_MAX};
    const struct ndp_pickle_form form = {.protocol = protocol};
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, &arena);
    enum ndp_status status = ndp_pickle_read(&objects, &source, &options, &pickle, NULL);
    if (status == NDP_OK) {
        FUZZ_HOLDS(pickle.operations <= OPERATIONS_PER_BYTE * pickle.consumed_bytes + OPERATIONS_FREE);
        status = ndp_pickle_write(&objects, pickle.root, &form, write, sink, NULL);
    }
    ndp_source_clear(&source);
    ndp_objects_clear(&objects);
    ndp_arena_reset(&arena);
    return status;
}

static void check_stream(struct ndp_bytes pickle, uint32_t protocol, enum ndp_status want, struct ndp_bytes written) {
    struct ndp_cursor cursor = ndp_cursor_view(pickle);
    struct fuzz_expected next = {written, false};
    const struct ndp_source stream = ndp_source_stream(fuzz_read_chunks, &cursor, UINT64_MAX);
    FUZZ_HOLDS(fuzz_rewrite_pickle(stream, protocol, fuzz_write_expected, &next) == want);
    FUZZ_HOLDS(want != NDP_OK || fuzz_is_expected(&next));
}

/* A pickle that has to make the machine write the same bytes. */
static void check_same(const char *path, struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes written) {
    struct fuzz_expected next = {written, false};
    const enum ndp_status status = fuzz_rewrite_pickle(ndp_source_memory(pickle), protocol, fuzz_write_expected, &next);
    if (FUZZ_HOLDS_OF(path, status == NDP_OK)) FUZZ_HOLDS_OF(path, fuzz_is_expected(&next));
}

/* The first rows move indexes to where a table that forgets their high bits would find others; the last rows make them
 * differ in those alone. */
static void check_memo(struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes written, uint64_t pick) {
    static const struct {
        uint32_t by, shift;
    } rows[] = {{0xff, 0},   {0xfff, 0},  {0xffff, 0}, {0xffffff, 0}, {0x7ffffeff, 0},
                {0x101, 12}, {0x101, 16}, {0x101, 20}, {0x101, 24},   {0x101, 28}};
    static struct ndp_buffer moved = {.max_bytes = UINT64_MAX};
    const uint64_t row = pick % NDP_ARRAY_LEN(rows);
    moved.size_bytes = 0;
    if (fuzz_renumber_memo(pickle, rows[row].by, rows[row].shift, &moved))
        check_same("another numbering of the memo", ndp_buffer_view(&moved), protocol, written);
}

static void check_failing_streams(struct ndp_bytes pickle, uint32_t protocol, uint64_t written_bytes, uint64_t pick) {
    struct fuzz_failing from = fuzz_failing_stream(pickle, pick), all = {.left_bytes = UINT64_MAX};
    struct fuzz_failing sink = {.left_bytes = pick % written_bytes};
    const struct ndp_source stream = ndp_source_stream(fuzz_read_failing, &from, UINT64_MAX);
    FUZZ_HOLDS(fuzz_is_reported(&from, fuzz_rewrite_pickle(stream, protocol, fuzz_write_failing, &all), NDP_OK));
    FUZZ_HOLDS(fuzz_rewrite_pickle(ndp_source_memory(pickle), protocol, fuzz_write_failing, &sink) == NDP_IO);
}

static enum ndp_status decode(struct ndp_arena *memory, struct ndp_bytes bytes) {
    struct ndp_graph graph;
    return ndp_pickle_graph_decode(memory, bytes, &graph, NULL);
}

void fuzz_check_pickle_paths(struct ndp_bytes pickle) {
    static struct ndp_buffer first = {.max_bytes = 1 << 24};
    const uint64_t pick = fuzz_pick(pickle.data, (size_t)pickle.size_bytes);
    const uint32_t protocol = (uint32_t)(pickle.size_bytes % PROTOCOLS);
    const bool streams = fuzz_is_due(FUZZ_COSTLY_STREAM, STREAM_ONE_IN);
    const bool is_again = fuzz_is_due(FUZZ_COSTLY_AGAIN, AGAIN_ONE_IN);
    const bool renumbers = fuzz_is_due(FUZZ_COSTLY_SPELLING, MEMO_ONE_IN);
    const bool fails = fuzz_is_due(FUZZ_COSTLY_BREAK, BREAK_ONE_IN);
    const bool is_limited = fuzz_is_due(FUZZ_COSTLY_LIMIT, LIMIT_ONE_IN);
    if (fuzz_is_due(FUZZ_COSTLY_FAILURE, FAILURE_ONE_IN)) (void)fuzz_check_failing_allocation(decode, pickle, pick);
    /* The paths are compared with this one, so without them it would repeat what the target has done already. */
    if (!streams && !is_again && !renumbers && !fails && !is_limited) return;
    first.size_bytes = 0;
    const enum ndp_status status =
        fuzz_rewrite_pickle(ndp_source_memory(pickle), protocol, ndp_write_to_buffer, &first);
    const struct ndp_bytes written = ndp_buffer_view(&first);
    fuzz_wrote(written.size_bytes);
    if (streams) check_stream(pickle, protocol, status, written);
    if (status != NDP_OK) return;
    if (is_again) check_same("written again", written, protocol, written);
    if (renumbers) check_memo(pickle, protocol, written, pick);
    if (fails) check_failing_streams(pickle, protocol, written.size_bytes, pick);
    if (is_limited) fuzz_check_pickle_limits(pickle, pick);
    fuzz_valid(2);
}
