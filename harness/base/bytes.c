#include "base/bytes.h"

#include "base/byteorder.h"
#include "base/checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most formatted text fits into this without growing. */
enum { FIRST_CAPACITY_BYTES = 512 };

bool ndp_bytes_is_equal(struct ndp_bytes a, struct ndp_bytes b) {
    if (a.size_bytes != b.size_bytes) return false;
    return a.size_bytes == 0 || memcmp(a.data, b.data, (size_t)a.size_bytes) == 0;
}

struct ndp_bytes ndp_bytes_view(const char *text) {
    return (struct ndp_bytes){(const uint8_t *)text, strlen(text)};
}

void ndp_buffer_init(struct ndp_buffer *buffer, uint64_t max_bytes) {
    *buffer = (struct ndp_buffer){.max_bytes = max_bytes};
}

void ndp_buffer_clear(struct ndp_buffer *buffer) {
    free(buffer->data);
    buffer->data = NULL;
    buffer->size_bytes = 0;
    buffer->capacity_bytes = 0;
}

/* Ensures capacity for `more_bytes` after the used part. */
static enum ndp_status buffer_reserve(struct ndp_buffer *buffer, uint64_t more_bytes) {
    uint64_t needed_bytes;
    if (!ndp_checked_add_u64(buffer->size_bytes, more_bytes, &needed_bytes)) return NDP_LIMIT;
    if (needed_bytes > buffer->max_bytes || needed_bytes > SIZE_MAX) return NDP_LIMIT;
    if (needed_bytes <= buffer->capacity_bytes && buffer->data) return NDP_OK;
    uint64_t capacity_bytes = buffer->capacity_bytes > 0 ? buffer->capacity_bytes : FIRST_CAPACITY_BYTES;
    while (capacity_bytes < needed_bytes && capacity_bytes <= SIZE_MAX / 2) capacity_bytes *= 2;
    if (capacity_bytes < needed_bytes || capacity_bytes > buffer->max_bytes) capacity_bytes = needed_bytes;
    /* realloc of 0 bytes may return NULL without a failure, so an empty buffer has one byte. */
    uint8_t *data = realloc(buffer->data, capacity_bytes > 0 ? (size_t)capacity_bytes : 1);
    if (!data) return NDP_NOMEM;
    buffer->data = data;
    buffer->capacity_bytes = capacity_bytes;
    return NDP_OK;
}

enum ndp_status ndp_buffer_add(struct ndp_buffer *buffer, const void *bytes, uint64_t size_bytes) {
    NDP_TRY(buffer_reserve(buffer, size_bytes));
    if (size_bytes > 0) memcpy(buffer->data + buffer->size_bytes, bytes, (size_t)size_bytes);
    buffer->size_bytes += size_bytes;
    return NDP_OK;
}

enum ndp_status ndp_buffer_printf(struct ndp_buffer *buffer, const char *format, ...) {
    char small[128];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length < 0) return NDP_INVALID;
    if ((size_t)length < sizeof small) return ndp_buffer_add(buffer, small, (uint64_t)length);

    /* vsnprintf also writes a NUL, which must not count towards the maximum. */
    char *large = malloc((size_t)length + 1);
    if (!large) return NDP_NOMEM;
    va_start(arguments, format);
    (void)vsnprintf(large, (size_t)length + 1, format, arguments);
    va_end(arguments);
    const enum ndp_status status = ndp_buffer_add(buffer, large, (uint64_t)length);
    free(large);
    return status;
}

enum ndp_status ndp_buffer_extend(struct ndp_buffer *buffer, uint64_t size_bytes, uint8_t **room) {
    NDP_TRY(buffer_reserve(buffer, size_bytes));
    uint8_t *start = buffer->data + buffer->size_bytes;
    if (size_bytes > 0) memset(start, 0, (size_t)size_bytes);
    buffer->size_bytes += size_bytes;
    *room = start;
    return NDP_OK;
}

struct ndp_bytes ndp_buffer_view(const struct ndp_buffer *buffer) {
    return (struct ndp_bytes){buffer->data, buffer->size_bytes};
}

enum ndp_status ndp_cursor_take(struct ndp_cursor *cursor, uint64_t size_bytes, struct ndp_bytes *out) {
    if (size_bytes > ndp_cursor_left(cursor)) return NDP_TRUNCATED;
    *out = (struct ndp_bytes){cursor->data ? cursor->data + cursor->at_bytes : NULL, size_bytes};
    cursor->at_bytes += size_bytes;
    return NDP_OK;
}

enum ndp_status ndp_cursor_u8(struct ndp_cursor *cursor, uint8_t *out) {
    struct ndp_bytes bytes;
    NDP_TRY(ndp_cursor_take(cursor, 1, &bytes));
    *out = bytes.data[0];
    return NDP_OK;
}

enum ndp_status ndp_cursor_u32le(struct ndp_cursor *cursor, uint32_t *out) {
    struct ndp_bytes bytes;
    NDP_TRY(ndp_cursor_take(cursor, 4, &bytes));
    *out = ndp_load_u32le(bytes.data);
    return NDP_OK;
}

enum ndp_status ndp_cursor_u64le(struct ndp_cursor *cursor, uint64_t *out) {
    struct ndp_bytes bytes;
    NDP_TRY(ndp_cursor_take(cursor, 8, &bytes));
    *out = ndp_load_u64le(bytes.data);
    return NDP_OK;
}

enum ndp_status ndp_hex_add(struct ndp_buffer *buffer, struct ndp_bytes bytes) {
    static const char digits[] = "0123456789abcdef";
    uint64_t size_bytes;
    if (!ndp_checked_mul_u64(bytes.size_bytes, 2, &size_bytes)) return NDP_LIMIT;
    uint8_t *room;
    NDP_TRY(ndp_buffer_extend(buffer, size_bytes, &room));
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        room[2 * i] = (uint8_t)digits[bytes.data[i] >> 4];
        room[2 * i + 1] = (uint8_t)digits[bytes.data[i] & 15];
    }
    return NDP_OK;
}

enum ndp_status ndp_hex_read(struct ndp_arena *arena, const char *digits, struct ndp_bytes *out,
                             struct ndp_error *error) {
    const size_t length = strlen(digits);
    for (size_t i = 0; i < length; i++) {
        if (ndp_hex_value((uint8_t)digits[i]) < 0)
            return ndp_error_set(error, NDP_INVALID, i, "not a hexadecimal digit");
    }
    if (length % 2 != 0) return ndp_error_set(error, NDP_INVALID, length, "odd number of hexadecimal digits");
    uint8_t *data = ndp_arena_alloc(arena, length / 2);
    if (!data) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for %zu bytes", length / 2);
    for (size_t i = 0; i < length / 2; i++)
        data[i] = (uint8_t)(ndp_hex_value((uint8_t)digits[2 * i]) * 16 + ndp_hex_value((uint8_t)digits[2 * i + 1]));
    *out = (struct ndp_bytes){data, length / 2};
    return NDP_OK;
}

enum ndp_status ndp_cursor_read(void *cursor, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_bytes bytes;
    const uint64_t left = ndp_cursor_left(cursor);
    NDP_TRY(ndp_cursor_take(cursor, left < room_bytes ? left : room_bytes, &bytes));
    if (bytes.size_bytes > 0) memcpy(to, bytes.data, (size_t)bytes.size_bytes);
    *got_bytes = bytes.size_bytes;
    return NDP_OK;
}
