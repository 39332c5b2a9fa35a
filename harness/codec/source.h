/* source.h: the input of a decoder: memory, or a stream seen through a window.
 *
 * From memory everything is borrowed and nothing is copied. From a stream small pieces are borrowed from the window
 * until the next call, and large ones are read straight into memory of their own, which doubles as bytes arrive: no
 * length that the input only claims is ever allocated.
 */
#ifndef NDP_SOURCE_H
#define NDP_SOURCE_H

#include "base/bytes.h"

/* Gives the next bytes of a stream: at least 1 and at most `room_bytes`, 0 at its end. Errors: its own. */
typedef enum ndp_status ndp_read_bytes(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes);

struct ndp_source {
    const uint8_t *data;   /* memory: all of it; stream: what the window holds */
    uint64_t size_bytes;   /* of `data` */
    uint64_t at_bytes;     /* in `data` */
    uint64_t passed_bytes; /* of the input, before `data` */
    uint64_t known_bytes;  /* stream: what surely is there: of the input, from its start; 0 is not known */
    uint64_t unread_bytes; /* stream: what may still be read */
    ndp_read_bytes *read;  /* NULL for memory */
    void *from;            /* borrowed */
    uint8_t *window;       /* owned; NULL for memory */
    uint64_t capacity_bytes;
};

/* Bytes in memory of their own, or borrowed from the input. */
struct ndp_blob {
    struct ndp_bytes bytes;
    uint8_t *owned; /* codec/data_memory.h, or NULL */
};

/* The bytes (borrowed) as a source; nothing to clear. */
struct ndp_source ndp_source_memory(struct ndp_bytes bytes);

/* At most `limit_bytes` of a stream. To be cleared. */
struct ndp_source ndp_source_stream(ndp_read_bytes *read, void *from, uint64_t limit_bytes);

void ndp_source_clear(struct ndp_source *source);

/* Where the next byte stands, from the start of the input. */
static inline uint64_t ndp_source_offset(const struct ndp_source *source) {
    return source->passed_bytes + source->at_bytes;
}

/* Borrows the next `size_bytes` bytes, until the next call when it is a stream, and moves past them. Errors: TRUNCATED
 * (nothing is moved), NOMEM, what the stream gives. */
enum ndp_status ndp_source_take(struct ndp_source *source, uint64_t size_bytes, struct ndp_bytes *out) NDP_MUST_USE;

/* As above up to the next newline, which is passed and not given. Errors: TRUNCATED when there is none. */
enum ndp_status ndp_source_line(struct ndp_source *source, struct ndp_bytes *out) NDP_MUST_USE;

/* Gives the next `size_bytes` bytes so that they stay: borrowed from memory; from a stream in new memory, which the
 * caller frees. Errors: TRUNCATED, NOMEM, what the stream gives. */
enum ndp_status ndp_source_blob(struct ndp_source *source, uint64_t size_bytes, struct ndp_blob *out) NDP_MUST_USE;

#endif
