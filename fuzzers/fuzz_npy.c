/* fuzz_npy.c: NPY bytes through every decode path of the reference.
 * Oracle: memory and, in turns, a stream in small pieces, a file or a map of any mode give the same array, or refuse
 * for the same reason; a writing map reaches the file; a stream or a sink that fails is told. What the strict mode
 * takes is as writers spell it; the lenient one takes it alike, in limits that are just met. What came out is what the
 * header says to other code, with the bytes behind it in that order of axes; in half of the turns it encodes to itself,
 * as NumPy spells it or not, but not spoilt; strings are read however they are written. Linear. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "fuzz.h"
#include "oracle/limits.h"
#include "oracle/npy_again.h"
#include "oracle/npy_extent.h"
#include "oracle/npy_file.h"
#include "oracle/npy_name.h"
#include "oracle/npy_spelling.h"
#include "oracle/npy_spoilt.h"
#include "oracle/npy_text.h"
#include "oracle/read_as.h"
#include "oracle/streamed.h"
#include "reader/said.h"
#include "reader/written.h"

enum turn { STREAM, FILED, AGAIN, LIMITED, KINDS, TURNS = KINDS * FUZZ_NPY_FILE_WAYS };
enum { NAMED_ONE_IN = 1024, TEXT_ONE_IN = 16 };
static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

static void check_encoded(const struct ndp_npy_array *first, uint64_t pick) {
    struct ndp_buffer made = {.max_bytes = UINT64_MAX};
    fuzz_npy_again(&arena, first, &made);
    fuzz_npy_spelling(&arena, ndp_buffer_view(&made), first, pick);
    fuzz_npy_spoilt(&arena, first, pick);
    if (pick % TEXT_ONE_IN == 2) fuzz_npy_extent(&arena, ndp_buffer_view(&made), first->header.dtype, pick >> 8);
    if (pick % TEXT_ONE_IN == 1) fuzz_npy_text(&arena, pick / TEXT_ONE_IN);
    fuzz_npy_name(&arena, first, pick % (NAMED_ONE_IN * FUZZ_NPY_NAMES));
    ndp_buffer_clear(&made);
    fuzz_valid(6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    const uint32_t turn = fuzz_way(data, size, TURNS), kind = turn % KINDS;
    struct ndp_npy_array first = {0};
    enum ndp_status want = ndp_npy_decode_memory(&arena, bytes, NULL, &first, fuzz_refusal());
    fuzz_answers(0, want);
    FUZZ_HOLDS(fuzz_prefix_says(bytes, want));
    if (kind == STREAM) fuzz_npy_streamed(&arena, bytes, want, &first, fuzz_pick(data, size));
    if (kind == FILED) fuzz_npy_file(&arena, bytes, turn / KINDS, want, &first);
    if (kind == LIMITED && want == NDP_OK) fuzz_npy_limits(&arena, bytes, &first, turn / KINDS);
    FUZZ_HOLDS(want != NDP_OK || fuzz_is_written_type(bytes, &first.header));
    if (want == NDP_UNSUPPORTED) want = ndp_npy_decode_memory(&arena, bytes, &lenient, &first, fuzz_refusal());
    fuzz_answers(1, want), fuzz_says_refusal(want);
    if (want == NDP_OK) {
        FUZZ_HOLDS(fuzz_file_says(bytes, &first));
        fuzz_says_array(&first), fuzz_valid(2);
        if (kind >= AGAIN) check_encoded(&first, fuzz_pick(data, size) + turn / KINDS * 2 + turn % 2);
    }
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
    return 0;
}
