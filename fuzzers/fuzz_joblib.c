/* fuzz_joblib.c: joblib's dumps through every decode path of the reference.
 * Oracle: memory, a stream in small pieces, a file and a map give the same array, or refuse for the same reason; what
 * came out encodes, plain and packed, to dumps that give it again. Companion files are not there. */
#include "base/rng.h"
#include "codec/joblib_read.h"
#include "codec/joblib_write.h"
#include "codec/npy_encode.h"
#include "fuzz.h"

static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
static const struct ndp_joblib_options options = {
    .compress = {.output_bytes = 1 << 22, .memory_bytes = 1 << 24, .pool = &pool}};
static const struct ndp_joblib_options own = {.compress = {.pool = &pool}};

static enum ndp_status read_a_few(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = source;
    const uint64_t left = ndp_cursor_left(cursor), few = room_bytes < 7 ? room_bytes : 7;
    struct ndp_bytes piece;
    NDP_TRY(ndp_cursor_take(cursor, few < left ? few : left, &piece));
    memcpy(to, piece.data, (size_t)(*got_bytes = piece.size_bytes));
    return NDP_OK;
}

/* Whether `b`, which is cleared, came out as `a` did, by the way `how`. */
static void check_same(const char *how, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                       struct ndp_npy_array *b) {
    const struct ndp_npy_header *x = &a->header, *y = &b->header;
    if (FUZZ_HOLDS_OF(how, got == want) && got == NDP_OK &&
        FUZZ_HOLDS_OF(how, ndp_dtype_compare(x->dtype, y->dtype, NULL) == 0 && x->ndim == y->ndim) &&
        FUZZ_HOLDS_OF(how, memcmp(x->shape, y->shape, x->ndim * sizeof x->shape[0]) == 0))
        FUZZ_HOLDS_OF(how, x->size_bytes == y->size_bytes && !memcmp(a->data, b->data, (size_t)x->size_bytes));
    ndp_npy_array_clear(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array first = {0}, next = {0};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    const enum ndp_status want = ndp_joblib_decode_memory(&arena, bytes, &options, &first, NULL);
    const enum ndp_status streamed = ndp_joblib_decode_stream(&arena, read_a_few, &cursor, &options, &next, NULL);
    /* liblzma sees that a part of its own is longer than it says once it is behind its end, and may have given what
     * stands there: then what is wrong first depends on the pieces, not whether something is. */
    const enum ndp_compress_method method = ndp_compress_detect(bytes);
    const bool is_lzma = method == NDP_COMPRESS_XZ || method == NDP_COMPRESS_LZMA;
    if (!is_lzma || want == NDP_OK || streamed == NDP_OK) check_same("stream", want, &first, streamed, &next);
    /* A pickle may keep any order of axes, which a dump does not. */
    if (want == NDP_OK && (first.header.is_fortran_order ||
                           ndp_layout_is_c_contiguous(&first.layout, first.header.dtype->itemsize_bytes))) {
        const uint32_t hash = (uint32_t)ndp_hash_bytes(data, size, NDP_HASH_START);
        const struct ndp_elements elements = {first.header.dtype, &first.layout, first.data};
        const struct ndp_joblib_output form = {.form = {.protocol = hash % 6, .alignment_bytes = hash % 17},
                                               .method = hash / 102 % NDP_COMPRESS_COUNT,
                                               .level = 1,
                                               .pool = &pool};
        struct ndp_buffer made = {.max_bytes = UINT64_MAX};
        check_same("map", want, &first,
                   ndp_joblib_decode_mapped(&arena, fuzz_path(data, size), NDP_MAP_COPY, &options, &next, NULL), &next);
        if (FUZZ_HOLDS(ndp_joblib_encode(&arena, &elements, &form, ndp_write_to_buffer, &made, NULL) == NDP_OK))
            check_same("again", want, &first,
                       ndp_joblib_decode_memory(&arena, ndp_buffer_view(&made), &own, &next, NULL), &next);
        ndp_buffer_clear(&made);
        fuzz_valid(3);
    }
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
    return 0;
}
