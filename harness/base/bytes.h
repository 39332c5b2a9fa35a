/* bytes.h: byte strings, the growable buffer and the input cursor. A pointer and its length always travel together. */
#ifndef NDP_BYTES_H
#define NDP_BYTES_H

#include "base/arena.h"
#include "base/status.h"

/* A view that borrows. `data` may be NULL only if `size_bytes` is 0. */
struct ndp_bytes {
    const uint8_t *data;
    uint64_t size_bytes;
};

bool ndp_bytes_is_equal(struct ndp_bytes a, struct ndp_bytes b);

/* Gives a view of a C string without its NUL. Borrows `text`. */
struct ndp_bytes ndp_bytes_view(const char *text);

/* Reports whether two C strings are equal. Compares the first characters before it calls strcmp: most table words
 * differ there, and sanitizers make the call expensive. */
static inline bool ndp_bytes_word_is(const char *word, const char *other) {
    for (; *word == *other && *word != '\0'; word++) other++;
    return *word == *other;
}

/* Reports whether `bytes` equals the C string `word`. Reads `word` only as far as both agree. */
static inline bool ndp_bytes_is_word(struct ndp_bytes bytes, const char *word) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++)
        if (word[i] == '\0' || bytes.data[i] != (uint8_t)word[i]) return false;
    return word[bytes.size_bytes] == '\0';
}

/* A growable buffer that never exceeds its maximum. Owns `data` (heap). */
struct ndp_buffer {
    uint8_t *data;
    uint64_t size_bytes;
    uint64_t capacity_bytes;
    uint64_t max_bytes;
};

void ndp_buffer_init(struct ndp_buffer *buffer, uint64_t max_bytes);
void ndp_buffer_clear(struct ndp_buffer *buffer);

/* Declares and initialises a buffer that the end of its block clears. */
#define NDP_BUFFER_SCOPED(name, max)                                                                                   \
    __attribute__((cleanup(ndp_buffer_clear))) struct ndp_buffer name = {.max_bytes = (max)}

/* Appends a copy of `bytes` (borrowed). Appends nothing on errors: LIMIT past max_bytes, NOMEM. */
enum ndp_status ndp_buffer_add(struct ndp_buffer *buffer, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;

/* Appends formatted text without a NUL. Errors as ndp_buffer_add. */
enum ndp_status ndp_buffer_printf(struct ndp_buffer *buffer, const char *format, ...) NDP_PRINTF(2, 3) NDP_MUST_USE;

/* Appends `size_bytes` zeroed bytes and fills `*room` with their address, which the next change of the buffer
 * invalidates. Errors as ndp_buffer_add. */
enum ndp_status ndp_buffer_extend(struct ndp_buffer *buffer, uint64_t size_bytes, uint8_t **room) NDP_MUST_USE;

struct ndp_bytes ndp_buffer_view(const struct ndp_buffer *buffer);

/* A cursor over bounded input. A read past the end returns NDP_TRUNCATED and leaves the position unchanged. */
struct ndp_cursor {
    const uint8_t *data;
    uint64_t size_bytes;
    uint64_t at_bytes;
};

static inline struct ndp_cursor ndp_cursor_view(struct ndp_bytes bytes) {
    return (struct ndp_cursor){bytes.data, bytes.size_bytes, 0};
}
static inline uint64_t ndp_cursor_left(const struct ndp_cursor *cursor) {
    return cursor->size_bytes - cursor->at_bytes;
}

/* Fills `*out` with a view of the next `size_bytes` input bytes and advances past them. */
enum ndp_status ndp_cursor_take(struct ndp_cursor *cursor, uint64_t size_bytes, struct ndp_bytes *out) NDP_MUST_USE;
enum ndp_status ndp_cursor_u8(struct ndp_cursor *cursor, uint8_t *out) NDP_MUST_USE;
enum ndp_status ndp_cursor_u32le(struct ndp_cursor *cursor, uint32_t *out) NDP_MUST_USE;
enum ndp_status ndp_cursor_u64le(struct ndp_cursor *cursor, uint64_t *out) NDP_MUST_USE;

/* Reports whether `c` is an ASCII digit. */
static inline bool ndp_bytes_is_digit(uint8_t c) {
    return c >= '0' && c <= '9';
}

/* Returns the value of a hexadecimal digit, or -1. */
static inline int ndp_hex_value(uint8_t c) {
    if (ndp_bytes_is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Hexadecimal text with two digits per byte: the writer emits lower case, the reader accepts both. Errors of the
 * reader: INVALID with the offset of the digit, NOMEM. */
enum ndp_status ndp_hex_add(struct ndp_buffer *buffer, struct ndp_bytes bytes) NDP_MUST_USE;
enum ndp_status ndp_hex_read(struct ndp_arena *arena, const char *digits, struct ndp_bytes *out,
                             struct ndp_error *error) NDP_MUST_USE;

/* Copies the next bytes of a struct ndp_cursor, at most room_bytes, and moves past them; *got_bytes is 0 at the end.
 * The form is that of a reader of a stream (codec/source.h). */
enum ndp_status ndp_cursor_read(void *cursor, void *to, uint64_t room_bytes, uint64_t *got_bytes) NDP_MUST_USE;

#endif
