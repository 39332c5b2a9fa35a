#include "form/pieces.h"

#include <string.h>

#include "codec/compress/compress.h"
#include "fuzz.h"

enum { LARGEST_BYTES = 37 };

enum ndp_status fuzz_read_pieces(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = source;
    const uint64_t left = ndp_cursor_left(cursor);
    /* Inputs of other sizes are cut at other places. */
    uint64_t size = 1 + (cursor->at_bytes + cursor->size_bytes) % LARGEST_BYTES;
    struct ndp_bytes piece;
    if (size > room_bytes) size = room_bytes;
    if (size > left) size = left;
    NDP_TRY(ndp_cursor_take(cursor, size, &piece));
    if (size > 0) memcpy(to, piece.data, (size_t)size);
    *got_bytes = size;
    return NDP_OK;
}

enum ndp_status fuzz_write_expected(void *sink, const void *bytes, uint64_t size_bytes) {
    struct fuzz_expected *expected = sink;
    struct ndp_bytes *left = &expected->left;
    if (size_bytes > left->size_bytes || (size_bytes > 0 && memcmp(left->data, bytes, (size_t)size_bytes) != 0)) {
        *expected = (struct fuzz_expected){.is_other = true};
        return NDP_OK;
    }
    if (size_bytes > 0) left->data += size_bytes;
    left->size_bytes -= size_bytes;
    return NDP_OK;
}

bool fuzz_is_expected(const struct fuzz_expected *expected) {
    return !expected->is_other && expected->left.size_bytes == 0;
}

enum ndp_status fuzz_unpack_within(struct ndp_bytes bytes, const struct ndp_compress_limits *given,
                                   uint64_t *size_bytes) {
    static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
    struct ndp_compress_limits limits = *given;
    const enum ndp_compress_method method = ndp_compress_detect(bytes);
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    struct ndp_decompressor *stream = NULL;
    uint8_t piece[4096];
    uint64_t got = 1;
    enum ndp_status status = NDP_OK;
    *size_bytes = 0;
    limits.pool = &pool;
    if (method == NDP_COMPRESS_NONE) return NDP_OK;
    FUZZ_CHECK(ndp_decompress_new(method, fuzz_read_pieces, &cursor, &limits, &stream, NULL) == NDP_OK);
    while (got > 0 && (status = ndp_decompress_read(stream, piece, sizeof piece, &got)) == NDP_OK) *size_bytes += got;
    ndp_decompress_free(stream);
    return status;
}

bool fuzz_unpack(struct ndp_bytes bytes, uint64_t *size_bytes) {
    const struct ndp_compress_limits none = {0};
    return fuzz_unpack_within(bytes, &none, size_bytes) == NDP_OK;
}
