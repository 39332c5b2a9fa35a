#include "oracle/npy_again.h"

#include "codec/npy/npy_encode.h"
#include "fuzz.h"
#include "oracle/same_array.h"
#include "reader/said.h"
#include "reader/written.h"

static const struct ndp_npy_options lenient = {.is_lenient = true, .header_chars = 1 << 20};

void fuzz_npy_again(struct ndp_arena *arena, const struct ndp_npy_array *array, struct ndp_buffer *out) {
    const struct ndp_elements elements = {array->header.dtype, &array->layout, array->data};
    struct ndp_npy_array next = {0};
    FUZZ_HOLDS(ndp_npy_encode_buffer(&elements, 0, out, NULL) == NDP_OK);
    const struct ndp_bytes made = ndp_buffer_view(out);
    const enum ndp_status got = ndp_npy_decode_memory(arena, made, &lenient, &next, NULL);
    if (got == NDP_OK) {
        const bool is_c = fuzz_is_contiguous(&array->layout, elements.dtype->itemsize_bytes, false);
        FUZZ_HOLDS(fuzz_is_written(made, &next.header) && fuzz_file_says(made, &next));
        FUZZ_HOLDS(!next.header.is_fortran_order || !is_c);
    }
    fuzz_same_array("encoded again", NDP_OK, array, got, &next);
}
