#include "oracle/metadata_limits.h"

#include <stdlib.h>
#include <string.h>

#include "base/byteorder.h"
#include "codec/npy/npy_encode.h"
#include "form/ops.h"
#include "fuzz.h"

enum { LONG1 = 0x8a };

/* The pickle with the number in the place of the one that was written. Errors: UNSUPPORTED when that is not there, or
 * behind more operations than are taken apart; LIMIT, NOMEM. */
static enum ndp_status put_number(struct ndp_bytes pickle, int64_t number, struct ndp_buffer *out) {
    /* 1516993677 as it is written; no other number is. */
    static const uint8_t written[] = {'J', 0x8d, 0x7c, 0x6b, 0x5a};
    static struct fuzz_ops ops;
    uint8_t bytes[10] = {LONG1, 8};
    bool is_put = false;
    ndp_store_u64le(bytes + 2, (uint64_t)number);
    fuzz_ops_split(pickle, &ops);
    out->size_bytes = 0;
    for (uint32_t i = 0; i < ops.count; i++) {
        if (!ndp_bytes_is_equal(ops.list[i], (struct ndp_bytes){written, sizeof written})) continue;
        ops.list[i] = (struct ndp_bytes){bytes, sizeof bytes};
        is_put = true;
    }
    FUZZ_HOLDS(is_put || ops.count == FUZZ_MAX_OPS);
    return is_put ? fuzz_ops_join(&ops, true, out) : NDP_UNSUPPORTED;
}

/* Whether the text is of the one number, by the name that it was given. */
static bool is_number(struct ndp_bytes text, int64_t number) {
    static const char before[] = "{\"~\":";
    char digits[32] = "";
    const uint64_t size = text.size_bytes, start = sizeof before - 1;
    if (size <= start || size - start >= sizeof digits || memcmp(text.data, before, (size_t)start) != 0) return false;
    memcpy(digits, text.data + start, (size_t)(size - start));
    char *end = NULL;
    return strtod(digits, &end) == (double)number && end && strcmp(end, "}") == 0;
}

bool fuzz_check_metadata_limits(struct ndp_arena *arena, const struct ndp_pickle_array *array, uint64_t pick) {
    /* 2^53, as far as every whole number is one of a double, and what is behind it. */
    static const int64_t most = INT64_C(1) << 53,
                         beyond[] = {0, 1, 2, INT64_MAX - (INT64_C(1) << 53), -1, 1 - (INT64_C(1) << 53)};
    struct ndp_dtype dtype = *array->dtype;
    const struct ndp_elements elements = {&dtype, &array->layout, array->data};
    const struct ndp_array_form form = {.protocol = 2 + (uint32_t)(pick % 4)};
    const bool is_negative = pick / 4 % 2 != 0;
    const int64_t behind = beyond[pick / 8 % NDP_ARRAY_LEN(beyond)], whole = most + behind;
    struct ndp_buffer written = {.max_bytes = UINT64_MAX}, bytes = written;
    struct ndp_pickle_array next = {0};
    dtype.metadata = ndp_bytes_view("{\"~\":1516993677}");
    const int64_t number = is_negative ? -whole : whole;
    const bool is_written = ndp_pickle_encode(arena, &elements, &form, NDP_NUMPY_2_3, ndp_write_to_buffer, &written,
                                              NULL, NULL) == NDP_OK &&
                            put_number(ndp_buffer_view(&written), number, &bytes) == NDP_OK;
    if (is_written) {
        const enum ndp_status got = ndp_pickle_decode_memory(arena, ndp_buffer_view(&bytes), NULL, &next, NULL);
        FUZZ_HOLDS(got == (behind > 0 ? NDP_UNSUPPORTED : NDP_OK));
        FUZZ_HOLDS(got != NDP_OK || is_number(next.dtype->metadata, number));
    }
    ndp_pickle_array_clear(&next);
    ndp_buffer_clear(&written);
    ndp_buffer_clear(&bytes);
    return is_written;
}
