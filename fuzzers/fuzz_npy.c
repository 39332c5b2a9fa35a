/* fuzz_npy.c: NPY bytes through every decode path of the reference.
 * Oracle: memory, a stream in small pieces, and a file or a map of any mode give the same array, or refuse for the same
 * reason; a writing map reaches the file. What the strict mode takes is as writers spell it; the lenient one takes it
 * alike, within limits that are just met: each input that is taken has a way by a file, or limits. What came out, by
 * either mode, is what the header's text says to other code, with the bytes behind it in that order of axes; it encodes
 * to itself, as NumPy spells it or otherwise, but not spoilt, and a few as a field of a long name. Time: linear. */
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

static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

/* The array encodes to bytes that say the same, and give it again. */
static void check_again(struct ndp_arena *arena, const struct ndp_npy_array *first, uint64_t pick) {
    const struct ndp_elements elements = {first->header.dtype, &first->layout, first->data};
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    FUZZ_HOLDS(ndp_npy_encode_buffer(&elements, 0, &text, NULL) == NDP_OK);
    const enum ndp_status got = ndp_npy_decode_memory(arena, ndp_buffer_view(&text), &lenient, &next, NULL);
    if (got == NDP_OK) {
        FUZZ_HOLDS(fuzz_is_written(ndp_buffer_view(&text), &next.header));
        FUZZ_HOLDS(fuzz_file_says(ndp_buffer_view(&text), &next));
        const bool is_c = fuzz_is_contiguous(&first->layout, elements.dtype->itemsize_bytes, false);
        FUZZ_HOLDS(!next.header.is_fortran_order || !is_c); /* as in a file of NumPy */
    }
    fuzz_same_array("encoded again", NDP_OK, first, got, &next);
    fuzz_npy_spelling(arena, ndp_buffer_view(&text), first, pick);
    fuzz_npy_spoilt(arena, first, pick);
    ndp_buffer_clear(&text), fuzz_valid(6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array first = {0}, next = {0};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    enum ndp_status want = ndp_npy_decode_memory(&arena, bytes, NULL, &first, NULL);
    const enum ndp_status streamed = ndp_npy_decode_stream(&arena, fuzz_read_pieces, &cursor, NULL, &next, NULL);
    fuzz_same_file("stream", want, &first, streamed, &next);
    const uint32_t way = fuzz_way(data, size, 2 * FUZZ_NPY_FILE_WAYS);
    want == NDP_OK &&way % 2 == 0 ? fuzz_npy_limits(&arena, bytes, &first, way / 2)
                                  : fuzz_npy_file(&arena, bytes, way / 2, want, &first);
    FUZZ_HOLDS(want != NDP_OK || fuzz_is_written_type(bytes, &first.header));
    if (want == NDP_UNSUPPORTED) want = ndp_npy_decode_memory(&arena, bytes, &lenient, &first, NULL);
    if (want == NDP_OK) {
        FUZZ_HOLDS(fuzz_file_says(bytes, &first));
        check_again(&arena, &first, fuzz_pick(data, size) + fuzz_way(data, size, 512 * FUZZ_NPY_NAMES));
        fuzz_npy_name(&arena, &first, fuzz_way(data, size, 512 * FUZZ_NPY_NAMES));
    }
    return ndp_npy_array_clear(&first), ndp_arena_reset(&arena), 0;
}
