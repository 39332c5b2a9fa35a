#include "oracle/npy_name.h"

#include <string.h>

#include "codec/npy/npy_encode.h"
#include "fuzz.h"
#include "oracle/same_array.h"
#include "reader/said.h"
#include "reader/written.h"

/* NumPy leaves room behind the text for an axis of 21 digits, where there is one. */
enum { BORDER_BYTES = 1 << 16, PREFIX_BYTES = 10, SPARE_BYTES = 24, GROWTH_BYTES = 20 };

/* How long the text of a header is: what stands before its padding. */
static uint64_t text_bytes(const struct ndp_buffer *file, const struct ndp_npy_header *header) {
    uint64_t end = header->data_offset_bytes - 1;
    while (file->data[end - 1] == ' ') end--;
    return end - (header->major == 1 ? PREFIX_BYTES : PREFIX_BYTES + 2);
}

/* Encodes and decodes the array; gives how long the header's text was, 0 where there is none. */
static uint64_t check(struct ndp_arena *arena, const struct ndp_npy_array *array) {
    /* A type with all the brackets that are taken by default has two more in a structure. */
    static const struct ndp_npy_options options = {.is_lenient = true, .header_chars = 1 << 20, .max_nesting = 200};
    const struct ndp_elements elements = {array->header.dtype, &array->layout, array->data};
    struct ndp_buffer file = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    uint64_t size = 0;
    FUZZ_HOLDS(ndp_npy_encode_buffer(&elements, 0, &file, NULL) == NDP_OK);
    const enum ndp_status got = ndp_npy_decode_memory(arena, ndp_buffer_view(&file), &options, &next, NULL);
    if (got == NDP_OK) {
        FUZZ_HOLDS(fuzz_is_written(ndp_buffer_view(&file), &next.header) &&
                   fuzz_header_says(ndp_buffer_view(&file), &next.header));
        size = text_bytes(&file, &next.header);
    }
    fuzz_same_array("long name", NDP_OK, array, got, &next);
    ndp_buffer_clear(&file);
    return size;
}

void fuzz_npy_name(struct ndp_arena *arena, const struct ndp_npy_array *array, uint64_t way) {
    if (way >= FUZZ_NPY_NAMES) return;
    struct ndp_field *field = NDP_ARENA_NEW(arena, struct ndp_field);
    struct ndp_dtype *dtype = NDP_ARENA_NEW(arena, struct ndp_dtype);
    uint8_t *letters = ndp_arena_alloc(arena, BORDER_BYTES);
    struct ndp_npy_array named = *array;
    if (!field || !dtype || !letters) return;
    memset(letters, 'a', BORDER_BYTES);
    *field = (struct ndp_field){.name = {letters, 1}, .dtype = array->header.dtype};
    *dtype = (struct ndp_dtype){.kind = NDP_KIND_STRUCT,
                                .itemsize_bytes = array->header.dtype->itemsize_bytes,
                                .fields = field,
                                .field_count = 1};
    named.header.dtype = dtype;
    if (ndp_dtype_check(dtype, NULL) == NDP_LIMIT) return; /* too deep */
    const uint64_t short_bytes = check(arena, &named),
                   spare = array->header.ndim == 0 ? SPARE_BYTES - GROWTH_BYTES : SPARE_BYTES;
    const uint64_t end = BORDER_BYTES - PREFIX_BYTES - spare + way;
    if (short_bytes == 0 || short_bytes > end) return;
    field->name.size_bytes = 1 + end - short_bytes;
    (void)check(arena, &named);
    fuzz_valid(4);
}
