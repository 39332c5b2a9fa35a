#include "oracle/npy_extent.h"

#include <string.h>

#include "base/byteorder.h"
#include "fuzz.h"

/* The type's own text, between the two that stand around it in every header: what a name holds is not the last. */
static struct ndp_bytes type_text(struct ndp_bytes file) {
    static const char before[] = "{'descr': ", behind[] = ", 'fortran_order': ";
    const uint64_t first = file.data[6] == 1 ? 10 : 12;
    const uint64_t length = first == 10 ? ndp_load_u16le(file.data + 8) : ndp_load_u32le(file.data + 8);
    const uint64_t start = first + sizeof before - 1, size = sizeof behind - 1;
    uint64_t at = first + length - size;
    while (at > start && memcmp(file.data + at, behind, (size_t)size) != 0) at--;
    return (struct ndp_bytes){file.data + start, at - start};
}

/* What stands before the extent in question: nothing, an axis without elements, or as many axes of one as there is
 * room for. */
enum before { NOTHING, EMPTY, MOST, BEFORES };

static enum ndp_status add_axes(enum before before, uint32_t most, struct ndp_buffer *out) {
    NDP_TRY(ndp_buffer_printf(out, before == EMPTY ? "(0, " : "("));
    for (uint32_t i = 1; before == MOST && i < most; i++) NDP_TRY(ndp_buffer_printf(out, "1, "));
    return NDP_OK;
}

/* A file of no element of that type, of at most so many axes. Errors: LIMIT, NOMEM. */
static enum ndp_status add_file(struct ndp_bytes type, uint8_t major, enum before before, uint32_t most, int64_t extent,
                                struct ndp_buffer *out) {
    static const uint8_t prefix[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, 0, 0, 0, 0};
    out->size_bytes = 0;
    NDP_TRY(ndp_buffer_add(out, prefix, sizeof prefix));
    NDP_TRY(ndp_buffer_printf(out, "{'descr': [('a', "));
    NDP_TRY(ndp_buffer_add(out, type.data, type.size_bytes));
    NDP_TRY(ndp_buffer_printf(out, ", "));
    NDP_TRY(add_axes(before, most, out));
    NDP_TRY(ndp_buffer_printf(out, "%lld,))], 'fortran_order': False, 'shape': (0,), }\n", (long long)extent));
    out->data[6] = major == 3 ? 3 : 2;
    ndp_store_u32le(out->data + 8, (uint32_t)(out->size_bytes - sizeof prefix));
    return NDP_OK;
}

/* Whether the file is taken, and its one field has that extent. */
static bool is_taken(struct ndp_arena *arena, const struct ndp_buffer *file, int64_t extent) {
    static const struct ndp_npy_options options = {.is_lenient = true, .header_chars = 1 << 20};
    struct ndp_npy_array array = {0};
    if (ndp_npy_decode_memory(arena, ndp_buffer_view(file), &options, &array, NULL) != NDP_OK) return false;
    const struct ndp_dtype *dtype = array.header.dtype;
    const struct ndp_dtype *many = dtype->field_count == 1 ? dtype->fields->dtype : NULL;
    const bool is_sub_array = FUZZ_HOLDS(many && many->kind == NDP_KIND_SUBARRAY && many->ndim > 0);
    if (is_sub_array) {
        const uint64_t each = many->shape[0] == 0 ? 0 : many->base->itemsize_bytes;
        FUZZ_HOLDS(many->shape[many->ndim - 1] == extent);
        FUZZ_HOLDS(dtype->itemsize_bytes == each * (uint64_t)extent);
    }
    ndp_npy_array_clear(&array);
    return true;
}

void fuzz_npy_extent(struct ndp_arena *arena, struct ndp_bytes file, const struct ndp_dtype *dtype, uint64_t pick) {
    struct ndp_buffer other = {.max_bytes = UINT64_MAX};
    const struct ndp_bytes type = type_text(file);
    const enum before before = (enum before)(pick % BEFORES);
    const uint64_t each = before == EMPTY || dtype->itemsize_bytes == 0 ? 1 : dtype->itemsize_bytes;
    const int64_t most = INT32_MAX / (int64_t)each;
    FUZZ_CHECK(add_file(type, file.data[6], before, 1, 1, &other) == NDP_OK);
    /* A string of no characters is no field's, and brackets have a limit. */
    if (most > 0 && is_taken(arena, &other, 1)) {
        FUZZ_CHECK(add_file(type, file.data[6], before, NDP_MAX_NDIM, most, &other) == NDP_OK);
        FUZZ_HOLDS(is_taken(arena, &other, most));
        FUZZ_CHECK(add_file(type, file.data[6], before, NDP_MAX_NDIM, most + 1, &other) == NDP_OK);
        FUZZ_HOLDS(!is_taken(arena, &other, most + 1));
        FUZZ_CHECK(add_file(type, file.data[6], MOST, NDP_MAX_NDIM + 1, 1, &other) == NDP_OK);
        FUZZ_HOLDS(!is_taken(arena, &other, 1));
    }
    ndp_buffer_clear(&other);
}
