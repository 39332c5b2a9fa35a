#include "pieces.h"

#include <string.h>

enum { LARGEST_BYTES = 37 };

enum ndp_status fuzz_read_pieces(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_cursor *cursor = source;
    const uint64_t left = ndp_cursor_left(cursor);
    uint64_t size = 1 + cursor->at_bytes % LARGEST_BYTES;
    struct ndp_bytes piece;
    if (size > room_bytes) size = room_bytes;
    if (size > left) size = left;
    NDP_TRY(ndp_cursor_take(cursor, size, &piece));
    if (size > 0) memcpy(to, piece.data, (size_t)size);
    *got_bytes = size;
    return NDP_OK;
}
