/* fuzz_joblib.c: joblib's dumps through every decode path of the reference.
 * Oracle: memory, a stream in small pieces, a file and a map give the same array, or refuse for the same reason; what
 * came out encodes, plain and packed, to dumps that give it again, with the elements of a plain one on a multiple of
 * the alignment. A stream is whole up to its checksum, of the size that it says and within its limit. No companions. */
#include "base/rng.h"
#include "codec/joblib_read.h"
#include "codec/joblib_write.h"
#include "codec/npy_encode.h"
#include "fuzz.h"
#include "pieces.h"
#include "same_array.h"
#include "whole.h"

static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
static const struct ndp_joblib_options options = {.compress = {1 << 13, .memory_bytes = 1 << 24, .pool = &pool}};
static const struct ndp_joblib_options own = {.compress = {.pool = &pool}};

/* The array encodes, in the form that `hash` says, to a dump that gives it again. */
static void check_again(struct ndp_arena *arena, const struct ndp_npy_array *first, uint32_t hash) {
    const struct ndp_elements elements = {first->header.dtype, &first->layout, first->data};
    const uint32_t alignment = hash % 17;
    const struct ndp_joblib_output form = {.form = {.protocol = hash % 6, .alignment_bytes = alignment},
                                           .method = hash / 102 % NDP_COMPRESS_COUNT,
                                           .level = 1,
                                           .pool = &pool};
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
    const enum ndp_status want = ndp_joblib_decode_memory(&arena, bytes, &options, &first, NULL);
    const enum ndp_status streamed = ndp_joblib_decode_stream(&arena, fuzz_read_pieces, &cursor, &options, &next, NULL);
    /* liblzma may give what stands behind the end of a part of its own: the pieces decide what is wrong first. */
    const bool is_lzma =
        ndp_compress_detect(bytes) == NDP_COMPRESS_XZ || ndp_compress_detect(bytes) == NDP_COMPRESS_LZMA;
    if (!is_lzma || want == NDP_OK || streamed == NDP_OK) fuzz_same_file("stream", want, &first, streamed, &next);
    if (want == NDP_OK) FUZZ_HOLDS(fuzz_has_whole_stream(bytes, options.compress.output_bytes));
    /* A pickle may keep any order of axes, which a dump does not. */
    if (want == NDP_OK && (first.header.is_fortran_order ||
                           ndp_layout_is_c_contiguous(&first.layout, first.header.dtype->itemsize_bytes))) {
        const enum ndp_status mapped =
            ndp_joblib_decode_mapped(&arena, fuzz_path(data, size), NDP_MAP_COPY, &options, &next, NULL);
        fuzz_same_file("map", want, &first, mapped, &next);
        check_again(&arena, &first, (uint32_t)ndp_hash_bytes(data, size, NDP_HASH_START));
    }
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
    return 0;
}
