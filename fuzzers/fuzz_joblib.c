/* fuzz_joblib.c: joblib's dumps through every decode path of the reference.
 * Oracle: memory, a stream in small pieces, a file and a map give the same array, or refuse for the same reason; what
 * came out encodes, plain and packed, to dumps that give it again, with the elements of a plain one on a multiple of
 * the alignment. A stream is whole up to its checksum, of the size that it says and within its limits. */
#include "base/rng.h"
#include "codec/joblib_read.h"
#include "codec/joblib_write.h"
#include "codec/npy_encode.h"
#include "fuzz.h"
#include "pieces.h"
#include "said.h"
#include "same_array.h"
#include "whole.h"

static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
static const struct ndp_joblib_options options = {.compress = {1 << 13, .memory_bytes = 1 << 24, .pool = &pool}};
static const struct ndp_joblib_options own = {.compress = {.pool = &pool}};

/* The array encodes, in the form that `hash` says, to a dump that gives it again. */
static void check_again(struct ndp_arena *arena, const struct ndp_npy_array *first, uint32_t hash) {
    const struct ndp_elements elements = {first->header.dtype, &first->layout, first->data};
    const uint32_t alignment = hash % 4 == 0 ? hash / 4 % 256 : hash / 4 % 17;
    const struct ndp_joblib_output form = {
        {hash % 6, alignment, false, NULL}, .method = hash / 102 % NDP_COMPRESS_COUNT, .level = 1, .pool = &pool};
    struct ndp_buffer made = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    if (FUZZ_HOLDS(ndp_joblib_encode(arena, &elements, &form, ndp_write_to_buffer, &made, NULL) == NDP_OK)) {
        const enum ndp_status got = ndp_joblib_decode_memory(arena, ndp_buffer_view(&made), &own, &next, NULL);
        FUZZ_HOLDS(got != NDP_OK || form.method || !alignment || next.header.data_offset_bytes % alignment == 0);
        fuzz_same_array("again", NDP_OK, first, got, &next);
    }
    ndp_buffer_clear(&made);
    fuzz_valid(3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array first = {0}, next = {0};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    const uint32_t hash = (uint32_t)ndp_hash_bytes(data, size, NDP_HASH_START);
    const enum ndp_status want = ndp_joblib_decode_memory(&arena, bytes, &options, &first, NULL);
    const enum ndp_status streamed = ndp_joblib_decode_stream(&arena, fuzz_read_pieces, &cursor, &options, &next, NULL);
    /* liblzma may give what stands behind the end of a part of its own: the pieces decide what is wrong first. */
    const enum ndp_compress_method method = ndp_compress_detect(bytes);
    const bool is_lzma = method == NDP_COMPRESS_XZ || method == NDP_COMPRESS_LZMA;
    if (!is_lzma || want == NDP_OK || streamed == NDP_OK) fuzz_same_file("stream", want, &first, streamed, &next);
    FUZZ_HOLDS(want == NDP_OK ? fuzz_has_whole_stream(bytes, options.compress.output_bytes) : want != NDP_NOMEM);
    /* A pickle may keep any order of axes, which a dump does not. */
    if (want == NDP_OK &&
        fuzz_is_contiguous(&first.layout, first.header.dtype->itemsize_bytes, first.header.is_fortran_order)) {
        const enum ndp_map_mode mode = fuzz_mode_of(hash >> 16);
        const char *path = fuzz_path(data, size);
        fuzz_same_map(mode, want, &first, ndp_joblib_decode_mapped(&arena, path, mode, &options, &next, NULL), &next);
        check_again(&arena, &first, hash);
    }
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
    return 0;
}
