/* source.h: input of a decoder: memory, or a stream with a window.
 *
 * Memory is borrowed and never copied. Small pieces of a stream are borrowed from the window until the next call. Large
 * ones are read into separate memory, which doubles as bytes arrive, so that a length claimed by the input is never
 * allocated in advance.
 */
#ifndef NDP_SOURCE_H
#define NDP_SOURCE_H

#include "base/bytes.h"

/* Reads the next bytes of a stream: 1 to `room_bytes`, or 0 at its end. Errors: specific to the stream. */
typedef enum ndp_status ndp_read_bytes(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes);

struct ndp_source {
    const uint8_t *data;   /* memory: all bytes; stream: the window */
    uint64_t size_bytes;   /* of `data` */
    uint64_t at_bytes;     /* in `data` */
    uint64_t passed_bytes; /* of the input, before `data` */
    uint64_t known_bytes;  /* stream: number of input bytes known to exist, from its start; 0 if unknown */
    uint64_t unread_bytes; /* stream: remaining limit */
    ndp_read_bytes *read;  /* NULL for memory */
    void *from;            /* borrowed */
    uint8_t *window;       /* owned; NULL for memory */
    uint64_t capacity_bytes;
};

/* Bytes, either owned or borrowed from the input. */
struct ndp_blob {
    struct ndp_bytes bytes;
    uint8_t *owned; /* from codec/data_memory.h, or NULL */
};

/* Returns a source over `bytes` (borrowed). It needs no clear. */
struct ndp_source ndp_source_memory(struct ndp_bytes bytes);

/* Returns a source over at most `limit_bytes` of a stream. Clear it with ndp_source_clear. */
struct ndp_source ndp_source_stream(ndp_read_bytes *read, void *from, uint64_t limit_bytes);

void ndp_source_clear(struct ndp_source *source);

/* Returns the offset of the next byte from the start of the input. */
static inline uint64_t ndp_source_offset(const struct ndp_source *source) {
    return source->passed_bytes + source->at_bytes;
}

/* Borrows the next `size_bytes` bytes (of a stream, until the next call) and advances. Errors: TRUNCATED (does not
 * advance), NOMEM, errors of the stream. */
enum ndp_status ndp_source_take(struct ndp_source *source, uint64_t size_bytes, struct ndp_bytes *out) NDP_MUST_USE;

/* As above, up to the next newline, which is skipped. Errors: TRUNCATED if there is none. */
enum ndp_status ndp_source_line(struct ndp_source *source, struct ndp_bytes *out) NDP_MUST_USE;

/* Gives the next `size_bytes` bytes permanently: borrowed from memory, or from a stream in new memory that the caller
 * frees. Errors: TRUNCATED, NOMEM, errors of the stream. */
enum ndp_status ndp_source_blob(struct ndp_source *source, uint64_t size_bytes, struct ndp_blob *out) NDP_MUST_USE;

#endif
