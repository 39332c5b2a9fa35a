#include "form/streams.h"

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

struct fuzz_failing fuzz_failing_stream(struct ndp_bytes bytes, uint64_t pick) {
    return (struct fuzz_failing){.from = ndp_cursor_view(bytes), .left_bytes = pick % (bytes.size_bytes + 1)};
}

enum ndp_status fuzz_read_failing(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct fuzz_failing *failing = from;
    if (failing->has_failed) return fuzz_read_chunks(&failing->from, to, room_bytes, got_bytes);
    const uint64_t room = room_bytes < failing->left_bytes ? room_bytes : failing->left_bytes;
    if (failing->left_bytes == 0 && room_bytes > 0 && ndp_cursor_left(&failing->from) > 0) {
        failing->has_failed = true;
        return NDP_IO;
    }
    NDP_TRY(fuzz_read_chunks(&failing->from, to, room, got_bytes));
    failing->left_bytes -= *got_bytes;
    return NDP_OK;
}

enum ndp_status fuzz_write_failing(void *sink, const void *bytes, uint64_t size_bytes) {
    struct fuzz_failing *failing = sink;
    (void)bytes;
    if (failing->has_failed) return NDP_OK;
    if (size_bytes > failing->left_bytes) {
        failing->has_failed = true;
        return NDP_IO;
    }
    failing->left_bytes -= size_bytes;
    return NDP_OK;
}

bool fuzz_is_reported(const struct fuzz_failing *failing, enum ndp_status got, enum ndp_status want) {
    return got == (failing->has_failed ? NDP_IO : want);
}
