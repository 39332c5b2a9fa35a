#include "form/chunked_stream.h"

#include <string.h>

enum { LARGEST_BYTES = 37 };

enum ndp_status fuzz_read_chunks(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = source;
    const uint64_t left = ndp_cursor_left(cursor);
    /* Chunk sizes depend on the size of the input. */
    uint64_t size = 1 + (cursor->at_bytes + cursor->size_bytes) % LARGEST_BYTES;
    struct ndp_bytes chunk;
    if (size > room_bytes) size = room_bytes;
    if (size > left) size = left;
    NDP_TRY(ndp_cursor_take(cursor, size, &chunk));
    if (size > 0) memcpy(to, chunk.data, (size_t)size);
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
