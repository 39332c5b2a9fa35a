/* fuzz_npy.c: NPY bytes through every decode path of the reference.
 * Oracle: memory, a stream in small pieces, and a file, a read-only or a private map give the same array, or refuse for
 * the same reason. What the strict mode takes, the lenient one takes alike. What came out encodes to itself again. */
#include "base/rng.h"
#include "codec/npy_decode.h"
#include "codec/npy_encode.h"
#include "fuzz.h"
#include "pieces.h"

static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

/* Whether `b`, which is cleared, came out as `a` did, by the way `how`. */
static void check_same(const char *how, enum ndp_status want, const struct ndp_npy_array *a, enum ndp_status got,
                       struct ndp_npy_array *b) {
    const struct ndp_npy_header *x = &a->header, *y = &b->header;
    if (FUZZ_HOLDS_OF(how, got == want) && got == NDP_OK &&
        FUZZ_HOLDS_OF(how, ndp_dtype_compare(x->dtype, y->dtype, NULL) == 0 && x->ndim == y->ndim &&
                               !memcmp(x->shape, y->shape, x->ndim * sizeof x->shape[0]))) {
        FUZZ_HOLDS_OF(how, x->size_bytes == y->size_bytes && !memcmp(a->data, b->data, (size_t)x->size_bytes));
        const bool is_c = ndp_layout_is_c_contiguous(&a->layout, x->dtype->itemsize_bytes);
        FUZZ_HOLDS_OF(how, x->is_fortran_order == y->is_fortran_order || is_c);
    }
    ndp_npy_array_clear(b);
}

/* The array encodes to bytes that give it again. */
static void check_again(struct ndp_arena *arena, const struct ndp_npy_array *first) {
    const struct ndp_elements elements = {first->header.dtype, &first->layout, first->data};
    struct ndp_buffer text = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    FUZZ_HOLDS(ndp_npy_encode_buffer(&elements, 0, &text, NULL) == NDP_OK);
    const enum ndp_status got = ndp_npy_decode_memory(arena, ndp_buffer_view(&text), &lenient, &next, NULL);
    check_same("encoded again", NDP_OK, first, got, &next);
    ndp_buffer_clear(&text);
    fuzz_valid(6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array first = {0}, next = {0};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    const enum ndp_status want = ndp_npy_decode_memory(&arena, bytes, NULL, &first, NULL);
#define BY(how, call) check_same(how, want, &first, call, &next)
    BY("stream", ndp_npy_decode_stream(&arena, fuzz_read_pieces, &cursor, NULL, &next, NULL));
    /* Ways by files are system calls and little else: each input has one of them. */
    const uint64_t way = ndp_hash_bytes(data, size, NDP_HASH_START) % 3;
    const char *path = fuzz_path(data, size);
    const enum ndp_map_mode mode = way == 1 ? NDP_MAP_READ : NDP_MAP_COPY;
    if (way == 0) BY("file", ndp_npy_decode_file(&arena, path, NULL, &next, NULL));
    if (way > 0) BY("map", ndp_npy_decode_mapped(&arena, path, mode, NULL, &next, NULL));
    if (want == NDP_OK) BY("lenient", ndp_npy_decode_memory(&arena, bytes, &lenient, &next, NULL));
    if (want == NDP_OK) check_again(&arena, &first);
    ndp_npy_array_clear(&first);
    ndp_arena_reset(&arena);
    return 0;
}
