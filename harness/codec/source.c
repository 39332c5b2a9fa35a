/* source.c: reads pieces, lines and blobs from memory or a stream.
 *
 * Problem: decoders need contiguous pieces, and a stream must not make them allocate memory for a length that it only
 * claims.
 *
 * Method: memory is borrowed. A stream is read through a window, which grows only if a single piece exceeds it. A blob
 * bypasses the window, and its memory doubles as bytes arrive unless the size of the input is known.
 *
 * Cost: none for memory; for a stream, a copy of the bytes that pass through the window. Limits: a borrowed piece is
 * valid until the next call.
 */
#include "codec/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/portion.h"
#include "codec/data_memory.h"

/* Window sizes of a stream: a short stream needs only the first. */
enum { FIRST_WINDOW_BYTES = NDP_PORTION_BYTES(1 << 12), WINDOW_BYTES = NDP_PORTION_BYTES(1 << 16) };

struct ndp_source ndp_source_memory(struct ndp_bytes bytes) {
    return (struct ndp_source){.data = bytes.data, .size_bytes = bytes.size_bytes};
}

struct ndp_source ndp_source_stream(ndp_read_bytes *read, void *from, uint64_t limit_bytes) {
    return (struct ndp_source){.read = read, .from = from, .unread_bytes = limit_bytes};
}

void ndp_source_clear(struct ndp_source *source) {
    free(source->window);
    *source = (struct ndp_source){0};
}

static uint64_t unread_window_bytes(const struct ndp_source *source) {
    return source->size_bytes - source->at_bytes;
}

/* Reads until `room_bytes` are read or the stream or its limit ends. */
static enum ndp_status read_full(struct ndp_source *source, uint8_t *to, uint64_t room_bytes, uint64_t *got_bytes) {
    *got_bytes = 0;
    while (*got_bytes < room_bytes && source->unread_bytes > 0) {
        const uint64_t wanted = room_bytes - *got_bytes;
        uint64_t got = 0;
        NDP_TRY(source->read(source->from, to + *got_bytes,
                             wanted < source->unread_bytes ? wanted : source->unread_bytes, &got));
        if (got == 0) break;
        *got_bytes += got;
        source->unread_bytes -= got;
    }
    return NDP_OK;
}

/* Moves unread bytes to the front of the window, and grows it if they fill it. */
static enum ndp_status make_room(struct ndp_source *source) {
    const uint64_t have = unread_window_bytes(source);
    const bool is_outgrown = source->size_bytes == source->capacity_bytes && source->capacity_bytes < WINDOW_BYTES;
    if (have == source->capacity_bytes || is_outgrown) {
        const uint64_t least = source->capacity_bytes == 0 ? FIRST_WINDOW_BYTES : WINDOW_BYTES;
        const uint64_t capacity = have * 2 < least ? least : have * 2;
        uint8_t *window = capacity > SIZE_MAX / 2 ? NULL : realloc(source->window, (size_t)capacity);
        if (window == NULL) return NDP_NOMEM;
        source->window = window;
        source->capacity_bytes = capacity;
    }
    /* A long line is read in many pieces: without the second condition each would move all before it. */
    if (have > 0 && source->at_bytes > 0) memmove(source->window, source->window + source->at_bytes, (size_t)have);
    source->passed_bytes += source->at_bytes;
    source->at_bytes = 0;
    source->size_bytes = have;
    source->data = source->window;
    return NDP_OK;
}

/* Reads at least one more byte of a stream. */
static enum ndp_status read_more(struct ndp_source *source) {
    uint64_t got = 0;
    if (source->read == NULL) return NDP_TRUNCATED;
    NDP_TRY(make_room(source));
    /* A single read, because a pipe may already have delivered all the bytes that are needed. */
    const uint64_t room = source->capacity_bytes - source->size_bytes;
    if (source->unread_bytes > 0)
        NDP_TRY(source->read(source->from, source->window + source->size_bytes,
                             room < source->unread_bytes ? room : source->unread_bytes, &got));
    source->unread_bytes -= got;
    source->size_bytes += got;
    return got == 0 ? NDP_TRUNCATED : NDP_OK;
}

enum ndp_status ndp_source_take(struct ndp_source *source, uint64_t size_bytes, struct ndp_bytes *out) {
    while (unread_window_bytes(source) < size_bytes) NDP_TRY(read_more(source));
    *out = (struct ndp_bytes){source->data + source->at_bytes, size_bytes};
    if (size_bytes == 0) *out = (struct ndp_bytes){(const uint8_t *)"", 0};
    source->at_bytes += size_bytes;
    return NDP_OK;
}

enum ndp_status ndp_source_line(struct ndp_source *source, struct ndp_bytes *out) {
    uint64_t searched = 0;
    for (;;) {
        const uint64_t have = unread_window_bytes(source);
        const uint8_t *start = source->data + source->at_bytes;
        const uint8_t *end = have > searched ? memchr(start + searched, '\n', (size_t)(have - searched)) : NULL;
        if (end != NULL) {
            *out = (struct ndp_bytes){start, (uint64_t)(end - start)};
            source->at_bytes += out->size_bytes + 1;
            return NDP_OK;
        }
        searched = have;
        NDP_TRY(read_more(source));
    }
}

/* Copies from the window first; further bytes bypass it. */
static enum ndp_status read_blob(struct ndp_source *source, uint64_t size_bytes, uint8_t **data) {
    const uint64_t at = ndp_source_offset(source);
    const bool is_known = source->known_bytes > at && size_bytes <= source->known_bytes - at;
    uint64_t room = is_known || size_bytes < WINDOW_BYTES ? size_bytes : WINDOW_BYTES;
    uint64_t have = unread_window_bytes(source) < room ? unread_window_bytes(source) : room;
    *data = ndp_data_new(room);
    if (*data == NULL) return NDP_NOMEM;
    if (have > 0) memcpy(*data, source->data + source->at_bytes, (size_t)have);
    source->at_bytes += have;
    for (;;) {
        uint64_t got = unread_window_bytes(source) < room - have ? unread_window_bytes(source) : room - have;
        if (got > 0) memcpy(*data + have, source->data + source->at_bytes, (size_t)got);
        source->at_bytes += got;
        have += got;
        NDP_TRY(read_full(source, *data + have, room - have, &got));
        source->passed_bytes += got;
        have += got;
        if (have < room) return NDP_TRUNCATED;
        if (have == size_bytes) return NDP_OK;
        room = size_bytes - room < room ? size_bytes : room * 2;
        uint8_t *grown = ndp_data_grow(*data, room);
        if (grown == NULL) return NDP_NOMEM;
        *data = grown;
    }
}

enum ndp_status ndp_source_blob(struct ndp_source *source, uint64_t size_bytes, struct ndp_blob *out) {
    uint8_t *data = NULL;
    if (source->read == NULL) {
        struct ndp_bytes bytes;
        NDP_TRY(ndp_source_take(source, size_bytes, &bytes));
        *out = (struct ndp_blob){.bytes = bytes};
        return NDP_OK;
    }
    const enum ndp_status status = read_blob(source, size_bytes, &data);
    if (status != NDP_OK) {
        ndp_data_free(data);
        return status;
    }
    *out = (struct ndp_blob){{data, size_bytes}, data};
    return NDP_OK;
}
