/* fuzz_npy.c: NPY bytes through every decode path of the reference.
 * Oracle: memory, a stream in small pieces, and a file, a read-only or a private map give the same array, or refuse for
 * the same reason. What the strict mode takes, the lenient one takes alike. What came out encodes to itself again, with
 * its elements on a multiple of 64 as the format asks for. The text of version 3 is UTF-8 to the C library, too. Time
 * is in proportion to the input. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "base/rng.h"
#include "codec/npy_decode.h"
#include "codec/npy_encode.h"
#include "fuzz.h"
#include "pieces.h"
#include "same_array.h"
#include "whole.h"

static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

/* What was taken is a file of its version. */
static void check_text(struct ndp_bytes bytes, const struct ndp_npy_header *header) {
    const struct ndp_bytes text = {bytes.data + NDP_NPY_LONG_PREFIX_BYTES,
                                   header->data_offset_bytes - NDP_NPY_LONG_PREFIX_BYTES};
    FUZZ_HOLDS(header->major < 3 || fuzz_is_utf8(text));
}

/* The array encodes to bytes that give it again. */
static void check_again(struct ndp_arena *arena, const struct ndp_npy_array *first) {
    const struct ndp_elements elements = {first->header.dtype, &first->layout, first->data};
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    FUZZ_HOLDS(ndp_npy_encode_buffer(&elements, 0, &text, NULL) == NDP_OK);
    const enum ndp_status got = ndp_npy_decode_memory(arena, ndp_buffer_view(&text), &lenient, &next, NULL);
    FUZZ_HOLDS(got != NDP_OK || next.header.data_offset_bytes % 64 == 0);
    /* What is both is C, as in a file of NumPy. */
    const bool is_c = ndp_layout_is_c_contiguous(&first->layout, first->header.dtype->itemsize_bytes);
    FUZZ_HOLDS(got != NDP_OK || !is_c || !next.header.is_fortran_order);
    fuzz_same_array("encoded again", NDP_OK, first, got, &next);
    ndp_buffer_clear(&text);
    fuzz_valid(6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array first = {0}, next = {0};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    const enum ndp_status want = ndp_npy_decode_memory(&arena, bytes, NULL, &first, NULL);
#define BY(how, call) fuzz_same_file(how, want, &first, call, &next)
    BY("stream", ndp_npy_decode_stream(&arena, fuzz_read_pieces, &cursor, NULL, &next, NULL));
    /* Ways by files are system calls and little else: each input has one of them. */
    const uint64_t way = ndp_hash_bytes(data, size, NDP_HASH_START) % 3;
    const char *path = fuzz_path(data, size);
    const enum ndp_map_mode mode = way == 1 ? NDP_MAP_READ : NDP_MAP_COPY;
    if (way == 0) BY("file", ndp_npy_decode_file(&arena, path, NULL, &next, NULL));
    if (way > 0) BY("map", ndp_npy_decode_mapped(&arena, path, mode, NULL, &next, NULL));
    if (want == NDP_OK) BY("lenient", ndp_npy_decode_memory(&arena, bytes, &lenient, &next, NULL));
    if (want == NDP_OK) check_text(bytes, &first.header), check_again(&arena, &first);
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
    return 0;
}
