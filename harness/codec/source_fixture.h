/* source_fixture.h: test helper: bytes in memory, read as a stream. */
#ifndef NDP_SOURCE_FIXTURE_H
#define NDP_SOURCE_FIXTURE_H

#include <string.h>

#include "base/bytes.h"

/* Delivers at most `piece_bytes` per call, then returns `end`; OK is a normal end. */
struct source {
    struct ndp_cursor cursor;
    uint64_t piece_bytes;
    enum ndp_status end;
};

static inline enum ndp_status read_source(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct source *source = from;
    struct ndp_bytes taken;
    uint64_t size = ndp_cursor_left(&source->cursor);
    if (size == 0 && source->end != NDP_OK) return source->end;
    if (size > room_bytes) size = room_bytes;
    if (size > source->piece_bytes) size = source->piece_bytes;
    NDP_TRY(ndp_cursor_take(&source->cursor, size, &taken));
    if (size > 0) memcpy(to, taken.data, size);
    *got_bytes = size;
    return NDP_OK;
}

#endif
