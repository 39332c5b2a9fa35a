/* npy_header_add.c: writer of NPY headers, like NumPy >= 1.24. Source: NumPy 1.24 to 2.4: lib/format.py,
 * _write_array_header, _wrap_header, _wrap_header_guess_version. */
#include "base/byteorder.h"
#include "codec/npy/npy_descr.h"
#include "codec/npy/npy_header.h"
#include "codec/npy/py_repr.h"

#include <string.h>

enum { ALIGN_BYTES = 64, GROWTH_DIGITS = 21, LATIN1_LAST = 0xff };

/* Adds spaces that let the growing axis reach the largest number without moving the data. */
static enum ndp_status add_spare(struct ndp_buffer *text, int64_t extent) {
    static const char spaces[GROWTH_DIGITS + 1] = "                     ";
    const uint64_t before = text->size_bytes;
    NDP_TRY(ndp_py_repr_int(text, extent));
    const uint64_t digits = text->size_bytes - before;
    text->size_bytes = before;
    return ndp_buffer_add(text, spaces, GROWTH_DIGITS - digits);
}

static enum ndp_status add_dictionary(struct ndp_buffer *text, const struct ndp_dtype *dtype, bool is_fortran_order,
                                      const int64_t *shape, uint32_t ndim, uint32_t *highest, struct ndp_error *error) {
    static const char order_false[] = ", 'fortran_order': False, 'shape': ";
    static const char order_true[] = ", 'fortran_order': True, 'shape': ";
    NDP_TRY(ndp_buffer_add(text, "{'descr': ", 10));
    NDP_TRY(ndp_npy_descr_add(text, dtype, highest, error));
    NDP_TRY(is_fortran_order ? ndp_buffer_add(text, order_true, sizeof(order_true) - 1)
                             : ndp_buffer_add(text, order_false, sizeof(order_false) - 1));
    NDP_TRY(ndp_py_repr_shape(text, shape, ndim));
    NDP_TRY(ndp_buffer_add(text, ", }", 3));
    return ndim == 0 ? NDP_OK : add_spare(text, is_fortran_order ? shape[ndim - 1] : shape[0]);
}

/* Converts UTF-8 to latin-1 in place. Every code point is known to fit. */
static void make_latin1(struct ndp_buffer *text) {
    uint64_t to = 0;
    for (uint64_t from = 0; from < text->size_bytes; from++, to++) {
        const uint8_t c = text->data[from];
        if (c >= 0x80) from++;
        text->data[to] = (uint8_t)(c < 0x80 ? c : c << 6 | (text->data[from] & 0x3f));
    }
    text->size_bytes = to;
}

/* Returns the header length for a prefix of `prefix_bytes`, with 1 to 64 bytes of padding. */
static uint64_t padded_length(uint64_t text_bytes, uint64_t prefix_bytes) {
    const uint64_t length = text_bytes + 1;
    return length + ALIGN_BYTES - (prefix_bytes + length) % ALIGN_BYTES;
}

static enum ndp_status choose_version(uint64_t text_bytes, bool is_latin1, uint8_t major, uint8_t *out,
                                      struct ndp_error *error) {
    const bool fits1 = is_latin1 && padded_length(text_bytes, 10) <= UINT16_MAX;
    const bool fits2 = is_latin1 && padded_length(text_bytes, 12) <= UINT32_MAX;
    const bool fits3 = padded_length(text_bytes, 12) <= UINT32_MAX;
    *out = major != 0 ? major : fits1 ? 1 : fits2 ? 2 : 3;
    if ((*out == 1 && fits1) || (*out == 2 && fits2) || (*out == 3 && fits3)) return NDP_OK;
    return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the header does not fit version %d.0", *out);
}

static enum ndp_status add_wrapped(struct ndp_buffer *out, struct ndp_buffer *text, uint32_t highest, uint8_t major,
                                   struct ndp_error *error) {
    uint8_t prefix[12] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    uint64_t text_bytes = text->size_bytes;
    const bool is_latin1 = highest <= LATIN1_LAST && major != 3;
    if (is_latin1 && highest >= 0x80) {
        make_latin1(text);
        text_bytes = text->size_bytes;
    }
    NDP_TRY(choose_version(text_bytes, highest <= LATIN1_LAST, major, &prefix[6], error));
    const uint64_t prefix_bytes = prefix[6] == 1 ? 10 : 12;
    const uint64_t length = padded_length(text_bytes, prefix_bytes);
    if (prefix[6] == 1) {
        ndp_store_u16le(prefix + 8, (uint16_t)length);
    } else {
        ndp_store_u32le(prefix + 8, (uint32_t)length);
    }
    uint8_t *room = NULL;
    NDP_TRY(ndp_buffer_extend(out, prefix_bytes + length, &room));
    memcpy(room, prefix, (size_t)prefix_bytes);
    memcpy(room + prefix_bytes, text->data, (size_t)text_bytes);
    memset(room + prefix_bytes + text_bytes, ' ', (size_t)(length - text_bytes));
    room[prefix_bytes + length - 1] = '\n';
    return NDP_OK;
}

enum ndp_status ndp_npy_header_add(struct ndp_buffer *buffer, const struct ndp_dtype *dtype, bool is_fortran_order,
                                   const int64_t *shape, uint32_t ndim, uint8_t major, struct ndp_error *error) {
    if (major > 3) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "version %d.0 does not exist", major);
    if (ndp_dtype_has_order(dtype, NDP_ORDER_NATIVE))
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the byte order of the dtype is not resolved");
    for (uint32_t k = 0; k < ndim; k++)
        if (shape[k] < 0) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "negative extent");
    struct ndp_buffer text;
    uint32_t highest = 0;
    struct ndp_error detail = {0};
    ndp_buffer_init(&text, UINT32_MAX);
    enum ndp_status status = add_dictionary(&text, dtype, is_fortran_order, shape, ndim, &highest, &detail);
    if (status == NDP_OK) status = add_wrapped(buffer, &text, highest, major, &detail);
    ndp_buffer_clear(&text);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "%s",
                         detail.text[0] != '\0' ? detail.text : ndp_status_text(status));
}
