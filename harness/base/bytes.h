/* bytes.h: byte strings, the growable buffer and the reading cursor. Pointer and length travel together. */
#ifndef NDP_BYTES_H
#define NDP_BYTES_H

#include "base/arena.h"
#include "base/status.h"

/* A view: borrows. `data` may be NULL only when `size_bytes` is 0. */
struct ndp_bytes {
    const uint8_t *data;
    uint64_t size_bytes;
};

bool ndp_bytes_is_equal(struct ndp_bytes a, struct ndp_bytes b);

/* A view of a C string without its NUL. Borrows `text`. */
struct ndp_bytes ndp_bytes_view(const char *text);

/* Whether two C strings are equal. For words of tables: most differ in their first characters, where a call that a
 * sanitizer watches takes longer than the answer. */
static inline bool ndp_word_is(const char *word, const char *other) {
    for (; *word == *other && *word != '\0'; word++) other++;
    return *word == *other;
}

/* Whether bytes are those of a C string, which is measured only as far as they agree. */
static inline bool ndp_bytes_is_word(struct ndp_bytes bytes, const char *word) {
    for (uint64_t i = 0; i < bytes.size_bytes; i++)
        if (word[i] == '\0' || bytes.data[i] != (uint8_t)word[i]) return false;
    return word[bytes.size_bytes] == '\0';
}

/* A growable buffer with a maximum that it never passes. Owns `data` (heap). */
struct ndp_buffer {
    uint8_t *data;
    uint64_t size_bytes;
    uint64_t capacity_bytes;
    uint64_t max_bytes;
};

void ndp_buffer_init(struct ndp_buffer *buffer, uint64_t max_bytes);
void ndp_buffer_clear(struct ndp_buffer *buffer);

/* Appends a copy of `bytes` (borrowed). Errors: LIMIT past max_bytes, NOMEM; then nothing is appended. */
enum ndp_status ndp_buffer_add(struct ndp_buffer *buffer, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;

/* Appends formatted text without a NUL. Errors as ndp_buffer_add. */
enum ndp_status ndp_buffer_printf(struct ndp_buffer *buffer, const char *format, ...) NDP_PRINTF(2, 3) NDP_MUST_USE;

/* Gives room for `size_bytes` more at the end, zeroed and counted as used, through `*room` (borrows the
 * buffer until its next change). */
enum ndp_status ndp_buffer_extend(struct ndp_buffer *buffer, uint64_t size_bytes, uint8_t **room) NDP_MUST_USE;

struct ndp_bytes ndp_buffer_view(const struct ndp_buffer *buffer);

/* A cursor over bounded input. Reading past the end is NDP_TRUNCATED and moves nothing. */
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

/* Borrows the next `size_bytes` bytes of the input into `*out` and moves past them. */
enum ndp_status ndp_cursor_take(struct ndp_cursor *cursor, uint64_t size_bytes, struct ndp_bytes *out) NDP_MUST_USE;
enum ndp_status ndp_cursor_u8(struct ndp_cursor *cursor, uint8_t *out) NDP_MUST_USE;
enum ndp_status ndp_cursor_u32le(struct ndp_cursor *cursor, uint32_t *out) NDP_MUST_USE;
enum ndp_status ndp_cursor_u64le(struct ndp_cursor *cursor, uint64_t *out) NDP_MUST_USE;

/* Hexadecimal, two digits a byte: written in lower case, read in both. Errors of the reader: INVALID with the
 * offset of the digit, NOMEM. */
enum ndp_status ndp_hex_add(struct ndp_buffer *buffer, struct ndp_bytes bytes) NDP_MUST_USE;
enum ndp_status ndp_hex_read(struct ndp_arena *arena, const char *digits, struct ndp_bytes *out,
                             struct ndp_error *error) NDP_MUST_USE;

#endif
