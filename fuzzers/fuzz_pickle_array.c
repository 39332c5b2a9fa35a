/* fuzz_pickle_array.c: pickled arrays, from memory and from a stream in small pieces.
 * Oracle: both ways in give the same array, the one that another reader sees, or refusal. It encodes, in protocol 5 and
 * in two others that its hash says, in forms of two NumPy releases and CPython's opcodes, once with elements apart, to
 * what gives it again: dtype, shape, bytes, write permission; so do its bytes out of band; spoilt it is none. Linear.
 */
#define FUZZ_HASHES_PER_BYTE 4000
#include "base/rng.h"
#include "codec/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/apart.h"
#include "oracle/out_of_band.h"
#include "oracle/pickled_spoilt.h"
#include "reader/said_pickle.h"
#include "reader/whole.h"

struct outcome {
    uint64_t hash; /* of the pickle */
    bool is_writeable;
};

static struct outcome check_encoding(struct ndp_arena *arena, const struct ndp_pickle_array *array,
                                     const struct ndp_elements *elements, uint32_t protocol, bool is_readonly) {
    const struct ndp_array_form form = {.protocol = protocol, .is_readonly = is_readonly};
    static struct ndp_buffer bytes = {.max_bytes = 1 << 26};
    struct ndp_pickle_array again = {0};
    bytes.size_bytes = 0;
    enum ndp_status status = ndp_pickle_encode(arena, elements, &form, protocol % 2 == 0 ? NDP_NUMPY_1 : NDP_NUMPY_2_3,
                                               ndp_write_to_buffer, &bytes, NULL, NULL);
    const struct ndp_bytes copy = {ndp_arena_copy(arena, bytes.data, bytes.size_bytes), bytes.size_bytes};
    if (status == NDP_OK) status = ndp_pickle_decode_memory(arena, copy, NULL, &again, NULL);
    if (FUZZ_HOLDS(status == NDP_OK && fuzz_is_as_pickled(copy, protocol)))
        FUZZ_HOLDS(fuzz_same_pickled(array, &again) && fuzz_has_titles(arena, copy, array->dtype));
    const struct outcome outcome = {ndp_hash_bytes(bytes.data, bytes.size_bytes, NDP_HASH_START), again.is_writeable};
    return ndp_pickle_array_clear(&again), outcome;
}

static void check_all(struct ndp_arena *arena, const struct ndp_pickle_array *array, uint32_t hash) {
    const struct ndp_elements elements = {array->dtype, &array->layout, array->data};
    (void)check_encoding(arena, array, &elements, hash % 5, false);
    (void)check_encoding(arena, array, fuzz_lay_apart(arena, &elements), (hash + 2) % 5, false);
    const struct outcome open = check_encoding(arena, array, &elements, 5, false);
    const struct outcome closed = check_encoding(arena, array, &elements, 5, true);
    FUZZ_HOLDS(open.is_writeable && closed.is_writeable == (open.hash == closed.hash));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_pickle_array first = {0}, next = {0};
    struct ndp_cursor cursor = {.data = data, .size_bytes = size};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    const struct ndp_bytes bytes = {data, size};
    const enum ndp_status status = ndp_pickle_decode_memory(&arena, bytes, NULL, &first, NULL);
    const enum ndp_status streamed = ndp_pickle_decode_stream(&arena, fuzz_read_pieces, &cursor, NULL, &next, NULL);
    if (FUZZ_HOLDS(streamed == status) && status == NDP_OK && FUZZ_HOLDS(fuzz_same_pickled(&first, &next)) &&
        FUZZ_HOLDS(fuzz_pickle_says(&arena, bytes, first.dtype, &first.layout, first.data)))
        check_all(&arena, &first, (uint32_t)fuzz_pick(data, size)), fuzz_check_out_of_band(&arena, bytes, &first),
            fuzz_valid(6);
    ndp_pickle_array_clear(&first), ndp_pickle_array_clear(&next), ndp_arena_reset(&arena);
    return (void)fuzz_check_pickled_spoilt(&arena, bytes, fuzz_pick(data, size)), 0;
}
