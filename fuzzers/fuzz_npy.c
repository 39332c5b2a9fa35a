/* fuzz_npy.c: NPY bytes through every decode path of the reference.
 * Oracle: memory and, in turns, a stream in small pieces, a file or a map of any mode give the same array, or refuse
 * for the same reason; a writing map reaches the file. What the strict mode takes is as writers spell it; the lenient
 * one takes it alike, in limits that are just met. What came out is what the header says to other code, with the bytes
 * behind it in that order of axes; in half of the turns it encodes to itself, as NumPy spells it or not, but not
 * spoilt. Linear. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "codec/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/limits.h"
#include "oracle/npy_file.h"
#include "oracle/npy_name.h"
#include "oracle/npy_spelling.h"
#include "oracle/npy_spoilt.h"
#include "oracle/same_array.h"
#include "reader/said.h"
#include "reader/written.h"

enum turn { STREAM, FILED, AGAIN, LIMITED, KINDS, TURNS = KINDS * FUZZ_NPY_FILE_WAYS, NAMED_ONE_IN = 4096 };
static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

/* The array encodes to bytes that say the same, and give it again. */
static void check_again(struct ndp_arena *arena, const struct ndp_npy_array *first, uint64_t pick) {
    const struct ndp_elements elements = {first->header.dtype, &first->layout, first->data};
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    FUZZ_HOLDS(ndp_npy_encode_buffer(&elements, 0, &text, NULL) == NDP_OK);
    const struct ndp_bytes made = ndp_buffer_view(&text);
    const enum ndp_status got = ndp_npy_decode_memory(arena, made, &lenient, &next, NULL);
    if (got == NDP_OK) {
        const bool is_c = fuzz_is_contiguous(&first->layout, elements.dtype->itemsize_bytes, false);
        FUZZ_HOLDS(fuzz_is_written(made, &next.header) && fuzz_file_says(made, &next));
        FUZZ_HOLDS(!next.header.is_fortran_order || !is_c); /* as in a file of NumPy */
    }
    fuzz_same_array("encoded again", NDP_OK, first, got, &next);
    fuzz_npy_spelling(arena, made, first, pick);
    fuzz_npy_spoilt(arena, first, pick), fuzz_npy_name(arena, first, pick % (NAMED_ONE_IN * FUZZ_NPY_NAMES));
    ndp_buffer_clear(&text), fuzz_valid(6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array first = {0}, next = {0};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    const uint32_t turn = fuzz_way(data, size, TURNS), kind = turn % KINDS;
    enum ndp_status want = ndp_npy_decode_memory(&arena, bytes, NULL, &first, NULL), got = want;
    if (kind == STREAM) got = ndp_npy_decode_stream(&arena, fuzz_read_pieces, &cursor, NULL, &next, NULL);
    if (kind == STREAM) fuzz_same_file("stream", want, &first, got, &next);
    if (kind == FILED) fuzz_npy_file(&arena, bytes, turn / KINDS, want, &first);
    if (kind == LIMITED && !want) fuzz_npy_limits(&arena, bytes, &first, turn / KINDS);
    FUZZ_HOLDS(want != NDP_OK || fuzz_is_written_type(bytes, &first.header));
    if (want == NDP_UNSUPPORTED) want = ndp_npy_decode_memory(&arena, bytes, &lenient, &first, NULL);
    if (want == NDP_OK) {
        FUZZ_HOLDS(fuzz_file_says(bytes, &first)), fuzz_valid(2);
        if (kind >= AGAIN) check_again(&arena, &first, fuzz_pick(data, size) + turn / KINDS * 2 + turn % 2);
    }
    return ndp_npy_array_clear(&first), ndp_arena_reset(&arena), 0;
}
