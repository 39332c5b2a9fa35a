#include "form/failing_stream.h"

#include "form/chunked_stream.h"

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
