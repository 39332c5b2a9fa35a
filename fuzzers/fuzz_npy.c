/* fuzz_npy.c: NPY bytes through every decode path of the reference.
 * Oracle: memory, a stream in small pieces, a named file, a read-only and a private map agree: all give the same
 * array, or all refuse for the same reason. What the strict mode takes, the lenient one takes alike. An array that
 * came out encodes to bytes that give it again. */
#include "codec/npy_decode.h"
#include "codec/npy_encode.h"
#include "fuzz.h"

static enum ndp_status read_a_few(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = source;
    const uint64_t few = 1 + cursor->at_bytes % 37, left = ndp_cursor_left(cursor);
    struct ndp_bytes piece;
    *got_bytes = few < room_bytes ? few : room_bytes;
    NDP_TRY(ndp_cursor_take(cursor, *got_bytes < left ? *got_bytes : left, &piece));
    *got_bytes = piece.size_bytes;
    memcpy(to, piece.data, (size_t)piece.size_bytes);
    return NDP_OK;
}

/* Whether `b`, which is cleared, came out as `a` did. */
static void check_same(enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                       struct ndp_npy_array *b) {
    FUZZ_CHECK(got == want);
    if (got != NDP_OK) return;
    const struct ndp_npy_header *x = &a->header, *y = &b->header;
    FUZZ_CHECK(ndp_dtype_compare(x->dtype, y->dtype, NULL) == 0 && x->ndim == y->ndim);
    FUZZ_CHECK(memcmp(x->shape, y->shape, x->ndim * sizeof x->shape[0]) == 0);
    FUZZ_CHECK(x->size_bytes == y->size_bytes && memcmp(a->data, b->data, (size_t)x->size_bytes) == 0);
    FUZZ_CHECK(x->is_fortran_order == y->is_fortran_order ||
               ndp_layout_is_c_contiguous(&a->layout, x->dtype->itemsize_bytes));
    ndp_npy_array_clear(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};
    struct ndp_npy_array first = {0}, next = {0};
    struct ndp_arena arena;
    ndp_arena_init(&arena, UINT64_C(1) << 28);
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    const char *path = fuzz_file(data, size);
    const enum ndp_status want = ndp_npy_decode_memory(&arena, bytes, NULL, &first, NULL);
    check_same(want, &first, ndp_npy_decode_stream(&arena, read_a_few, &cursor, NULL, &next, NULL), &next);
    check_same(want, &first, ndp_npy_decode_file(&arena, path, NULL, &next, NULL), &next);
    check_same(want, &first, ndp_npy_decode_mapped(&arena, path, NDP_MAP_READ, NULL, &next, NULL), &next);
    check_same(want, &first, ndp_npy_decode_mapped(&arena, path, NDP_MAP_COPY, NULL, &next, NULL), &next);
    const enum ndp_status loose = ndp_npy_decode_memory(&arena, bytes, &lenient, &next, NULL);
    if (want == NDP_OK) {
        check_same(want, &first, loose, &next);
        const struct ndp_elements elements = {first.header.dtype, &first.layout, first.data};
        struct ndp_buffer text = {.max_bytes = UINT64_MAX};
        FUZZ_CHECK(ndp_npy_encode_buffer(&elements, 0, &text, NULL) == NDP_OK);
        check_same(want, &first, ndp_npy_decode_memory(&arena, ndp_buffer_view(&text), &lenient, &next, NULL), &next);
        ndp_buffer_clear(&text);
    }
    ndp_npy_array_clear(&first);
    ndp_npy_array_clear(&next);
    ndp_arena_clear(&arena);
    return 0;
}
