/* fuzz_pickle.c: pickles through the machine, from memory and from a stream in small pieces.
 * Oracle: what is read is written in one protocol. One thing more is held in each of eight turns: a stream gives the
 * same objects, or is refused for the same reason; what is written, read and written again, is the same bytes; it is
 * whole in its frames, leaves one value, has CPython's opcodes, and another reader sees the same objects in it; the
 * numbering of its memo makes no difference, nor other opcodes that say the same, nor do, of a few, copies
 * across the end of a frame, batches of a container or a payload that fill one, limits just met; a stream or sink that
 * fails is told; spoilt it is refused. Operations stay in proportion to the input, time to it and what is written. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "codec/npy/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/crowd.h"
#include "oracle/pickle_limits.h"
#include "oracle/pickle_sizes.h"
#include "oracle/pickle_spelling.h"
#include "oracle/pickle_spoilt.h"
#include "oracle/read_as.h"
#include "oracle/rewritten.h"
#include "oracle/streamed.h"
#include "reader/told.h"
#include "reader/whole.h"

/* The last is of several, of which two take as long as a hundred others. */
enum turn { STREAM, AGAIN, TOLD, SPOILT, STREAM_TOO, SPELLED, TOLD_TOO, OTHERWISE, TURNS };
enum { LIMITS_ONE_IN = 4, CROWD_ONE_IN = 4, BATCHES_ONE_IN = 64, SIZES_ONE_IN = 32, BREAKS_ONE_IN = 8 };
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

static void check_otherwise(struct ndp_bytes input, uint32_t protocol, struct ndp_bytes first, uint64_t pick) {
    fuzz_check_moved(&arena, input, protocol, first);
    if (pick % LIMITS_ONE_IN == 0) fuzz_check_pickle_limits(&arena, input, pick / LIMITS_ONE_IN);
    if (pick % CROWD_ONE_IN == 1) fuzz_check_crowd(&arena, input, protocol, first, pick / CROWD_ONE_IN);
    if (pick % BATCHES_ONE_IN == 2) fuzz_check_batches(&arena, first, protocol, pick / BATCHES_ONE_IN);
    if (pick % BREAKS_ONE_IN == 6) fuzz_check_pickle_breaks(&arena, input, protocol, first.size_bytes, pick / 8);
    if (pick % SIZES_ONE_IN == 3) fuzz_check_sizes(&arena, protocol, pick / SIZES_ONE_IN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t protocol = (uint32_t)(size % 6);
    const enum turn turn = (enum turn)fuzz_way(data, size, TURNS);
    const struct ndp_bytes input = {data, size};
    static struct ndp_buffer first = {.max_bytes = 1 << 24};
    struct ndp_cursor cursor = ndp_cursor_view(input);
    const struct ndp_source stream = ndp_source_stream(fuzz_read_pieces, &cursor, UINT64_MAX);
    first.size_bytes = 0;
    const enum ndp_status status =
        fuzz_rewrite(&arena, ndp_source_memory(input), protocol, false, ndp_write_to_buffer, &first);
    fuzz_answers(0, status), fuzz_wrote(first.size_bytes);
    const struct ndp_bytes made = ndp_buffer_view(&first);
    struct fuzz_expected next = {made, false};
    if (turn % 4 == STREAM)
        FUZZ_HOLDS(fuzz_rewrite(&arena, stream, protocol, false, fuzz_write_expected, &next) == status);
    if (status != NDP_OK) return 0;
    if (turn == AGAIN) fuzz_check_rewritten(&arena, made, protocol);
    FUZZ_HOLDS(turn % 4 != STREAM || fuzz_is_expected(&next));
    FUZZ_HOLDS(turn % 4 != TOLD || (fuzz_is_as_pickled(made, protocol) && fuzz_tells_same(&arena, input, made)));
    if (turn == SPELLED) fuzz_check_pickle_spelling(&arena, input, protocol, made, fuzz_pick(data, size));
    if (turn == SPOILT) fuzz_check_pickle_spoilt(&arena, input, fuzz_pick(data, size));
    if (turn == OTHERWISE) check_otherwise(input, protocol, made, fuzz_pick(data, size));
    return fuzz_says_bytes(made), fuzz_valid(2), 0;
}
