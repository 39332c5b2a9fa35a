/* fuzz_pickle_array.c: pickled arrays, from memory and from a stream in small pieces.
 * Oracle: the array is what another reader sees. In turns, a stream gives the same array, or is refused alike; it
 * encodes, lying apart or not, in any protocol, in forms of two NumPy releases and CPython's opcodes, to what gives it
 * again: dtype (beside others, too), shape, bytes, permission; so do its bytes out of band; spoilt it is none. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "base/rng.h"
#include "codec/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/apart.h"
#include "oracle/out_of_band.h"
#include "oracle/pickled_spoilt.h"
#include "oracle/types_beside.h"
#include "reader/said_pickle.h"
#include "reader/whole.h"

enum turn { STREAM, ENCODED, FIVE, SPOILT, STREAM_TOO, APART, OUT_OF_BAND, SPOILT_TOO, TURNS };
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

/* In protocol 5 what comes of it is open, for writing, where the pickle is that of an open one: *open is its hash. */
static void check_encoding(const struct ndp_pickle_array *array, const struct ndp_elements *elements,
                           struct ndp_array_form form, uint64_t *open) {
    const enum ndp_numpy_release release = form.protocol % 2 == 0 ? NDP_NUMPY_1 : NDP_NUMPY_2_3;
    static struct ndp_buffer made = {.max_bytes = 1 << 26};
    struct ndp_pickle_array again = {0};
    made.size_bytes = 0;
    FUZZ_HOLDS(!ndp_pickle_encode(&arena, elements, &form, release, ndp_write_to_buffer, &made, NULL, NULL));
    const struct ndp_bytes copy = {ndp_arena_copy(&arena, made.data, made.size_bytes), made.size_bytes};
    const uint64_t hash = ndp_hash_bytes(made.data, made.size_bytes, NDP_HASH_START);
    if (!form.is_readonly) *open = hash;
    const enum ndp_status status = ndp_pickle_decode_memory(&arena, copy, NULL, &again, NULL);
    if (FUZZ_HOLDS(status == NDP_OK && fuzz_is_as_pickled(copy, form.protocol)))
        FUZZ_HOLDS(fuzz_same_pickled(array, &again) && fuzz_is_numpys_type(&arena, copy, array->dtype));
    FUZZ_HOLDS(status || form.protocol < 5 || again.is_writeable == (hash == *open));
    ndp_pickle_array_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_pickle_array first = {0}, next = {0};
    struct ndp_cursor cursor = {.data = data, .size_bytes = size};
    const struct ndp_bytes bytes = {data, size};
    const enum turn turn = (enum turn)fuzz_way(data, size, TURNS);
    const enum ndp_status status = ndp_pickle_decode_memory(&arena, bytes, NULL, &first, NULL);
    if (turn % 4 == STREAM &&
        FUZZ_HOLDS(ndp_pickle_decode_stream(&arena, fuzz_read_pieces, &cursor, NULL, &next, NULL) == status))
        FUZZ_HOLDS(status || fuzz_same_pickled(&first, &next));
    if (!status && FUZZ_HOLDS(fuzz_pickle_says(&arena, bytes, first.dtype, &first.layout, first.data))) {
        const struct ndp_elements whole = {first.dtype, &first.layout, first.data};
        const struct ndp_elements *elements = turn == APART ? fuzz_lay_apart(&arena, &whole) : &whole;
        uint64_t open, pick = fuzz_pick(data, size);
        struct ndp_array_form form = {.protocol = turn == FIVE ? 5 : (uint32_t)(pick % 5)};
        if (turn % 4 == ENCODED || turn == FIVE) check_encoding(&first, elements, form, &open);
        form.is_readonly = true, fuzz_valid(2);
        if (turn == FIVE) check_encoding(&first, elements, form, &open);
        if (turn == OUT_OF_BAND) fuzz_check_out_of_band(&arena, bytes, &first);
        if (turn == OUT_OF_BAND) (void)fuzz_check_types_beside(&arena, first.dtype, pick / 5);
    }
    ndp_pickle_array_clear(&first), ndp_pickle_array_clear(&next), ndp_arena_reset(&arena);
    return (void)(turn % 4 == SPOILT && !status && fuzz_check_pickled_spoilt(&arena, bytes, fuzz_pick(data, size))), 0;
}
