/* fuzz_pickle_array.c: pickled arrays, from memory and from a stream in small pieces.
 * Oracle: the array is what another reader sees. In turns, a stream gives the same array, or is refused alike; it
 * encodes, lying apart or not, in any protocol, in forms of two NumPy releases and CPython's opcodes, to what gives it
 * again: dtype (beside others, too), shape, bytes, permission; so do its bytes out of band; spoilt it is none. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/apart.h"
#include "oracle/failing.h"
#include "oracle/metadata_limits.h"
#include "oracle/out_of_band.h"
#include "oracle/pickled_again.h"
#include "oracle/pickled_spoilt.h"
#include "oracle/read_as.h"
#include "oracle/types_beside.h"
#include "reader/said_pickle.h"

enum turn { STREAM, ENCODED, FIVE, SPOILT, STREAM_TOO, APART, OUT_OF_BAND, SPOILT_TOO, TURNS };
enum { METADATA_ONE_IN = 8 };
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

static void check_stream(struct ndp_bytes bytes, enum ndp_status want, const struct ndp_pickle_array *first) {
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    struct ndp_pickle_array next = {0};
    enum ndp_status got = ndp_pickle_decode_stream(&arena, fuzz_read_pieces, &cursor, NULL, &next, fuzz_refusal());
    if (FUZZ_HOLDS(got == want) && got == NDP_OK) FUZZ_HOLDS(fuzz_same_pickled(first, &next));
    ndp_pickle_array_clear(&next), fuzz_says_refusal(got);
}

static void check_array(struct ndp_bytes bytes, const struct ndp_pickle_array *array, enum turn turn, uint64_t pick) {
    const struct ndp_elements elements = {array->dtype, &array->layout, array->data};
    const uint32_t protocol = (uint32_t)(pick % 5);
    if (turn == STREAM) (void)fuzz_check_failing(fuzz_decodes_pickled, bytes, 0, pick);
    if (turn == ENCODED) fuzz_pickled_again(&arena, array, &elements, protocol);
    if (turn == APART) fuzz_pickled_again(&arena, array, fuzz_lay_apart(&arena, &elements), protocol);
    if (turn == FIVE) fuzz_pickled_again(&arena, array, &elements, 5);
    if (turn == OUT_OF_BAND) {
        fuzz_check_out_of_band(&arena, bytes, array);
        (void)fuzz_check_types_beside(&arena, array->dtype, pick / 5);
        if (pick / 5 % METADATA_ONE_IN == 0) (void)fuzz_check_metadata_limits(&arena, array, pick / 40);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct ndp_bytes bytes = {data, size};
    const enum turn turn = (enum turn)fuzz_way(data, size, TURNS);
    struct ndp_pickle_array first = {0};
    const enum ndp_status status = ndp_pickle_decode_memory(&arena, bytes, NULL, &first, fuzz_refusal());
    fuzz_answers(0, status), fuzz_says_refusal(status);
    if (status == NDP_OK) fuzz_says_pickled(&first);
    if (turn % 4 == STREAM) check_stream(bytes, status, &first);
    if (status == NDP_OK && FUZZ_HOLDS(fuzz_pickle_says(&arena, bytes, first.dtype, &first.layout, first.data)))
        check_array(bytes, &first, turn, fuzz_pick(data, size)), fuzz_valid(2);
    ndp_pickle_array_clear(&first);
    ndp_arena_reset(&arena);
    /* Arrays with a mask, of a class or of objects are for others to decode, and are spoilt here alike. */
    if (turn % 4 == SPOILT && (status == NDP_OK || status == NDP_UNSUPPORTED))
        (void)fuzz_check_pickled_spoilt(&arena, bytes, fuzz_pick(data, size));
    return 0;
}
