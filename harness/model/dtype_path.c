#include "model/dtype_path.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ndp_dtype_path_add(struct ndp_dtype_path *path, const char *format, ...) {
    const size_t room = sizeof path->text - path->length;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path->text + path->length, room, format, arguments);
    va_end(arguments);
    if (length < 0) path->text[path->length] = '\0';
    if (length > 0) path->length += (size_t)length < room ? (size_t)length : room - 1;
}

/* Every comparison passes through here for each field, so printf is too slow. */
static void add_bytes(struct ndp_dtype_path *path, const void *bytes, size_t size) {
    const size_t room = sizeof path->text - 1 - path->length;
    if (size > room) size = room;
    memcpy(path->text + path->length, bytes, size);
    path->length += size;
    path->text[path->length] = '\0';
}

/* Words are short; byte loops are faster than calls that a sanitizer checks. */
void ndp_dtype_path_add_word(struct ndp_dtype_path *path, const char *word) {
    size_t length = path->length;
    for (; *word != '\0' && length + 1 < sizeof path->text; word++) path->text[length++] = *word;
    path->text[length] = '\0';
    path->length = length;
}

void ndp_dtype_path_add_key(struct ndp_dtype_path *path, const char *word, uint64_t number) {
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    ndp_dtype_path_add_word(path, word);
    ndp_dtype_path_add_word(path, digits + at);
}

void ndp_dtype_path_cut(struct ndp_dtype_path *path, size_t length) {
    path->length = length;
    path->text[length] = '\0';
}

void ndp_dtype_path_add_name(struct ndp_dtype_path *path, struct ndp_bytes name) {
    if (path->length > 0) add_bytes(path, ".", 1);
    for (uint64_t i = 0; i < name.size_bytes && path->length + 1 < sizeof path->text; i++) {
        const uint8_t byte = name.data[i];
        if (byte > 0x20 && byte < 0x7f) {
            add_bytes(path, &byte, 1);
        } else {
            ndp_dtype_path_add(path, "\\x%02x", byte);
        }
    }
}

void ndp_dtype_path_add_index(struct ndp_dtype_path *path, const int64_t *shape, uint32_t ndim, uint64_t number) {
    int64_t index[NDP_MAX_NDIM];
    for (uint32_t axis = ndim; axis-- > 0;) {
        const uint64_t extent = shape[axis] > 0 ? (uint64_t)shape[axis] : 1;
        index[axis] = (int64_t)(number % extent);
        number /= extent;
    }
    ndp_dtype_path_add(path, "[");
    for (uint32_t axis = 0; axis < ndim; axis++)
        ndp_dtype_path_add(path, axis > 0 ? ",%lld" : "%lld", (long long)index[axis]);
    ndp_dtype_path_add(path, "]");
}
