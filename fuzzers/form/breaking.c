#include "form/breaking.h"

#include "form/pieces.h"

struct fuzz_breaking fuzz_breaking_stream(struct ndp_bytes bytes, uint64_t pick) {
    return (struct fuzz_breaking){.from = ndp_cursor_view(bytes), .left_bytes = pick % (bytes.size_bytes + 1)};
}

enum ndp_status fuzz_read_breaking(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct fuzz_breaking *breaking = from;
    if (breaking->has_failed) return fuzz_read_pieces(&breaking->from, to, room_bytes, got_bytes);
    const uint64_t room = room_bytes < breaking->left_bytes ? room_bytes : breaking->left_bytes;
    if (breaking->left_bytes == 0 && room_bytes > 0 && ndp_cursor_left(&breaking->from) > 0) {
        breaking->has_failed = true;
        return NDP_IO;
    }
    NDP_TRY(fuzz_read_pieces(&breaking->from, to, room, got_bytes));
    breaking->left_bytes -= *got_bytes;
    return NDP_OK;
}

enum ndp_status fuzz_write_breaking(void *sink, const void *bytes, uint64_t size_bytes) {
    struct fuzz_breaking *breaking = sink;
    (void)bytes;
    if (breaking->has_failed) return NDP_OK;
    if (size_bytes > breaking->left_bytes) {
        breaking->has_failed = true;
        return NDP_IO;
    }
    breaking->left_bytes -= size_bytes;
    return NDP_OK;
}

bool fuzz_is_told(const struct fuzz_breaking *breaking, enum ndp_status got, enum ndp_status want) {
    return got == (breaking->has_failed ? NDP_IO : want);
}
