/* fuzz_pickle_array.c: pickled arrays, from memory and from a stream in small pieces.
 * Oracle: both ways in give the same array, or refuse for the same reason. An array that came out encodes, in every
 * protocol and in the forms of two NumPy releases, to a pickle that gives it again: dtype, shape, and every byte. Time
 * is in proportion to the input. */
#define FUZZ_NS_PER_BYTE 4000
#include "codec/npy_encode.h"
#include "codec/pickle_codec.h"
#include "fuzz.h"
#include "pieces.h"
#include "same_array.h"

static bool is_same(const struct ndp_pickle_array *a, const struct ndp_pickle_array *b) {
    return ndp_dtype_compare(a->dtype, b->dtype, NULL) == 0 && a->layout.ndim == b->layout.ndim &&
           memcmp(a->layout.shape, b->layout.shape, a->layout.ndim * sizeof a->layout.shape[0]) == 0 &&
           a->size_bytes == b->size_bytes &&
           fuzz_same_elements(&(struct ndp_elements){a->dtype, &a->layout, a->data},
                              &(struct ndp_elements){b->dtype, &b->layout, b->data});
}

static void check_encoding(struct ndp_arena *arena, const struct ndp_pickle_array *array, uint32_t protocol) {
    const struct ndp_elements elements = {array->dtype, &array->layout, array->data};
    const struct ndp_array_form form = {.protocol = protocol, .is_readonly = !array->is_writeable};
    struct ndp_buffer bytes = {.max_bytes = 1 << 26};
    struct ndp_pickle_array again = {0};
    const enum ndp_numpy_release release = protocol % 2 == 0 ? NDP_NUMPY_1 : NDP_NUMPY_2_3;
    const bool is_back =
        FUZZ_HOLDS(ndp_pickle_encode(arena, &elements, &form, release, ndp_write_to_buffer, &bytes, NULL, NULL) ==
                   NDP_OK) &&
        FUZZ_HOLDS(ndp_pickle_decode_memory(arena, ndp_buffer_view(&bytes), NULL, &again, NULL) == NDP_OK);
    FUZZ_HOLDS(!is_back || is_same(array, &again));
    fuzz_valid(1);
    ndp_pickle_array_clear(&again);
    ndp_buffer_clear(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_pickle_array first = {0}, next = {0};
    struct ndp_cursor cursor = {.data = data, .size_bytes = size};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const enum ndp_status status = ndp_pickle_decode_memory(&arena, (struct ndp_bytes){data, size}, NULL, &first, NULL);
    const enum ndp_status streamed = ndp_pickle_decode_stream(&arena, fuzz_read_pieces, &cursor, NULL, &next, NULL);
    if (FUZZ_HOLDS(streamed == status) && status == NDP_OK) {
        FUZZ_HOLDS(is_same(&first, &next));
        for (uint32_t protocol = 0; protocol <= 5; protocol++) check_encoding(&arena, &first, protocol);
    }
    ndp_pickle_array_clear(&first);
    ndp_pickle_array_clear(&next);
    ndp_arena_reset(&arena);
    return 0;
}
