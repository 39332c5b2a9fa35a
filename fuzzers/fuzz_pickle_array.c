/* fuzz_pickle_array.c: pickled arrays, from memory and from a stream in small pieces.
 * Oracle: both ways in give the same array, or refuse for the same reason. An array that came out encodes, in every
 * protocol and in the forms of two NumPy releases, to a pickle that gives it again: dtype, shape, and every byte. */
#include "codec/npy_encode.h"
#include "codec/pickle_codec.h"
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

static bool is_same(const struct ndp_pickle_array *a, const struct ndp_pickle_array *b) {
    return ndp_dtype_compare(a->dtype, b->dtype, NULL) == 0 && a->layout.ndim == b->layout.ndim &&
           memcmp(a->layout.shape, b->layout.shape, a->layout.ndim * sizeof a->layout.shape[0]) == 0 &&
           a->size_bytes == b->size_bytes && memcmp(a->data, b->data, (size_t)a->size_bytes) == 0;
}

static void check_encoding(struct ndp_arena *arena, const struct ndp_pickle_array *array, uint32_t protocol) {
    const struct ndp_elements elements = {array->dtype, &array->layout, array->data};
    const struct ndp_array_form form = {.protocol = protocol, .is_readonly = !array->is_writeable};
    struct ndp_buffer bytes = {.max_bytes = 1 << 26};
    struct ndp_pickle_array again = {0};
    const enum ndp_numpy_release release = protocol % 2 == 0 ? NDP_NUMPY_1 : NDP_NUMPY_2_3;
    FUZZ_CHECK(ndp_pickle_encode(arena, &elements, &form, release, ndp_write_to_buffer, &bytes, NULL, NULL) == NDP_OK);
    FUZZ_CHECK(ndp_pickle_decode_memory(arena, ndp_buffer_view(&bytes), NULL, &again, NULL) == NDP_OK);
    const bool is_kept = ndp_layout_is_c_contiguous(&array->layout, array->dtype->itemsize_bytes) ||
                         ndp_layout_is_f_contiguous(&array->layout, array->dtype->itemsize_bytes);
    FUZZ_CHECK(!is_kept || is_same(array, &again));
    ndp_pickle_array_clear(&again);
    ndp_buffer_clear(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_pickle_array first = {0}, next = {0};
    struct ndp_cursor cursor = {.data = data, .size_bytes = size};
    struct ndp_arena arena;
    ndp_arena_init(&arena, UINT64_C(1) << 28);
    const enum ndp_status status = ndp_pickle_decode_memory(&arena, (struct ndp_bytes){data, size}, NULL, &first, NULL);
    FUZZ_CHECK(ndp_pickle_decode_stream(&arena, read_a_few, &cursor, NULL, &next, NULL) == status);
    if (status == NDP_OK) {
        FUZZ_CHECK(is_same(&first, &next));
        for (uint32_t protocol = 0; protocol <= 5; protocol++) check_encoding(&arena, &first, protocol);
    }
    ndp_pickle_array_clear(&first);
    ndp_pickle_array_clear(&next);
    ndp_arena_clear(&arena);
    return 0;
}
