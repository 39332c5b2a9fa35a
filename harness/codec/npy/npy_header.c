/* npy_header.c: reader of NPY headers.
 *
 * Problem: accept the headers that NumPy accepts, refuse the others with the offset of the error, and bound the work
 * before the length is known to be honest.
 *
 * Method: the fixed prefix gives version and length, which are checked against the limit. The text is parsed as a
 * Python literal (py_literal.c), never evaluated; then keys, descr, order, shape and total size are checked in this
 * order.
 *
 * Cost: linear in the header. Limits: header_chars, max_nesting and max_ndim of the options. References: NEP 1;
 * numpy/lib/_format_impl.py.
 */
#include "codec/npy/npy_header.h"

#include <string.h>

#include "base/byteorder.h"
#include "base/checked.h"
#include "base/text.h"
#include "codec/npy/npy_descr.h"

static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
static const struct ndp_npy_options defaults = {0};

static uint32_t header_chars(const struct ndp_npy_options *o) {
    return o->header_chars == 0 ? 10000 : o->header_chars;
}

enum ndp_status ndp_npy_prefix_read(struct ndp_bytes prefix, const struct ndp_npy_options *options,
                                    uint64_t *text_offset_bytes, uint64_t *text_bytes, struct ndp_error *error) {
    const struct ndp_npy_options *o = options == NULL ? &defaults : options;
    const uint8_t *p = prefix.data;
    const uint64_t size = prefix.size_bytes;
    for (uint64_t i = 0; i < sizeof(magic) && i < size; i++)
        if (p[i] != magic[i]) return ndp_error_set(error, NDP_INVALID, i, "the magic of NPY is missing");
    if (size < 8) return ndp_error_set(error, NDP_TRUNCATED, size, "input ends within the magic or the version");
    if (p[6] < 1 || p[6] > 3 || p[7] != 0)
        return ndp_error_set(error, NDP_INVALID, 6, "version %d.%d is not 1.0, 2.0 or 3.0", p[6], p[7]);
    const uint64_t start = p[6] == 1 ? 10 : 12;
    if (size < start) return ndp_error_set(error, NDP_TRUNCATED, size, "input ends within the header length");
    const uint64_t length = p[6] == 1 ? ndp_load_u16le(p + 8) : ndp_load_u32le(p + 8);
    /* A character has at most four bytes, so a longer text exceeds the limit regardless of its content. */
    const uint64_t most = (uint64_t)header_chars(o) * (p[6] == 3 ? 4 : 1);
    if (length > most)
        return ndp_error_set(error, NDP_LIMIT, 8, "header of %llu bytes exceeds the limit of %u characters",
                             (unsigned long long)length, header_chars(o));
    *text_offset_bytes = start;
    *text_bytes = length;
    return NDP_OK;
}

/* Counts the characters. Version 3 is strict UTF-8, without surrogates, unlike ndp_text. */
static enum ndp_status check_text(struct ndp_bytes text, uint64_t start, bool is_utf8, uint32_t limit,
                                  struct ndp_error *error) {
    uint64_t chars = text.size_bytes;
    struct ndp_cursor cursor = ndp_cursor_view(text);
    for (chars = is_utf8 ? 0 : chars; is_utf8 && ndp_cursor_left(&cursor) > 0; chars++) {
        uint32_t code_point = 0;
        const uint64_t at = start + cursor.at_bytes;
        if (ndp_text_next(&cursor, &code_point) != NDP_OK || (code_point >= 0xd800 && code_point <= 0xdfff))
            return ndp_error_set(error, NDP_INVALID, at, "header text is not valid UTF-8");
    }
    if (chars > limit)
        return ndp_error_set(error, NDP_LIMIT, 8, "header of %llu characters exceeds the limit of %u",
                             (unsigned long long)chars, limit);
    return NDP_OK;
}

/* Values of the three keys. As in Python, the last of several equal keys counts. */
struct keys {
    const struct ndp_literal *descr;
    const struct ndp_literal *order;
    const struct ndp_literal *shape;
};

static bool text_is(struct ndp_bytes text, const char *word) {
    return text.size_bytes == strlen(word) && memcmp(text.data, word, (size_t)text.size_bytes) == 0;
}

static enum ndp_status find_keys(const struct ndp_literal *root, struct keys *keys, struct ndp_error *error) {
    if (root->kind != NDP_LITERAL_DICT)
        return ndp_error_set(error, NDP_INVALID, root->offset_bytes, "header is not a dictionary");
    for (const struct ndp_literal *key = root->first; key != NULL; key = key->next->next) {
        if (text_is(key->text, "descr")) {
            keys->descr = key->next;
        } else if (text_is(key->text, "fortran_order")) {
            keys->order = key->next;
        } else if (text_is(key->text, "shape")) {
            keys->shape = key->next;
        } else {
            return ndp_error_set(error, NDP_INVALID, key->offset_bytes,
                                 "key other than descr, fortran_order and shape");
        }
    }
    if (keys->descr == NULL || keys->order == NULL || keys->shape == NULL)
        return ndp_error_set(error, NDP_INVALID, root->offset_bytes, "header lacks descr, fortran_order or shape");
    return NDP_OK;
}

static enum ndp_status read_shape(const struct ndp_literal *node, uint32_t max_ndim, struct ndp_npy_header *header,
                                  struct ndp_error *error) {
    if (node->kind != NDP_LITERAL_TUPLE)
        return ndp_error_set(error, NDP_INVALID, node->offset_bytes, "shape is not a tuple");
    for (const struct ndp_literal *item = node->first; item != NULL; item = item->next) {
        if (item->kind != NDP_LITERAL_INT)
            return ndp_error_set(error, NDP_INVALID, item->offset_bytes, "extent is not an integer");
        if (!item->integer_fits || item->integer < 0)
            return ndp_error_set(error, NDP_INVALID, item->offset_bytes, "extent is negative or exceeds 2^63 - 1");
    }
    if (node->count > max_ndim)
        return ndp_error_set(error, NDP_LIMIT, node->offset_bytes, "%llu axes exceed the limit of %u",
                             (unsigned long long)node->count, max_ndim);
    for (const struct ndp_literal *item = node->first; item != NULL; item = item->next)
        header->shape[header->ndim++] = item->integer;
    return NDP_OK;
}

static enum ndp_status check_sizes(const struct ndp_literal *at, const struct ndp_npy_options *o,
                                   struct ndp_npy_header *header, struct ndp_error *error) {
    uint64_t end = 0;
    if (!ndp_checked_extents_fit(header->shape, header->ndim, header->dtype->itemsize_bytes, &header->count_elems,
                                 &header->size_bytes) ||
        !ndp_checked_add_u64(header->data_offset_bytes, header->size_bytes, &end) || end > INT64_MAX)
        return ndp_error_set(error, NDP_INVALID, at->offset_bytes, "the array exceeds 2^63 - 1 bytes");
    if (o->data_bytes != 0 && header->size_bytes > o->data_bytes)
        return ndp_error_set(error, NDP_LIMIT, at->offset_bytes, "data of %llu bytes exceed the limit of %llu",
                             (unsigned long long)header->size_bytes, (unsigned long long)o->data_bytes);
    return NDP_OK;
}

static enum ndp_status read_text(struct ndp_arena *arena, struct ndp_bytes text, const struct ndp_npy_options *o,
                                 struct ndp_npy_header *header, struct ndp_error *error) {
    const struct ndp_literal *root = NULL;
    struct keys keys = {0};
    const struct ndp_literal_options options = {.start_bytes = header->data_offset_bytes - text.size_bytes,
                                                .is_utf8 = header->major == 3,
                                                .allows_long = header->major < 3,
                                                .is_lenient = o->is_lenient,
                                                .max_nesting = o->max_nesting == 0 ? 100 : o->max_nesting};
    NDP_TRY(check_text(text, options.start_bytes, options.is_utf8, header_chars(o), error));
    NDP_TRY(ndp_py_literal_read(arena, text, &options, &root, error));
    NDP_TRY(find_keys(root, &keys, error));
    if (keys.order->kind != NDP_LITERAL_TRUE && keys.order->kind != NDP_LITERAL_FALSE)
        return ndp_error_set(error, NDP_INVALID, keys.order->offset_bytes, "fortran_order is neither True nor False");
    header->is_fortran_order = keys.order->kind == NDP_LITERAL_TRUE;
    NDP_TRY(read_shape(keys.shape, o->max_ndim == 0 ? NDP_MAX_NDIM : o->max_ndim, header, error));
    NDP_TRY(ndp_npy_descr_read(arena, keys.descr, o->is_lenient, &header->dtype, error));
    return check_sizes(keys.shape, o, header, error);
}

enum ndp_status ndp_npy_header_read(struct ndp_arena *arena, struct ndp_bytes bytes,
                                    const struct ndp_npy_options *options, struct ndp_npy_header *out,
                                    struct ndp_error *error) {
    const struct ndp_npy_options *o = options == NULL ? &defaults : options;
    uint64_t start = 0;
    uint64_t length = 0;
    NDP_TRY(ndp_npy_prefix_read(bytes, o, &start, &length, error));
    if (bytes.size_bytes - start < length)
        return ndp_error_set(error, NDP_TRUNCATED, bytes.size_bytes, "input ends within the header");
    struct ndp_npy_header header = {.major = bytes.data[6], .data_offset_bytes = start + length};
    NDP_TRY(read_text(arena, (struct ndp_bytes){bytes.data + start, length}, o, &header, error));
    *out = header;
    return NDP_OK;
}
