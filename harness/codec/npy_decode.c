#include "codec/npy_decode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "codec/data_memory.h"

enum { FIRST_GROWTH_BYTES = 1 << 16, READ_BYTES_MAX = 1 << 30 };

static enum ndp_status truncated(struct ndp_error *error, const struct ndp_npy_header *header, uint64_t have_bytes) {
    return ndp_error_set(error, NDP_TRUNCATED, header->data_offset_bytes + have_bytes,
                         "data of %llu bytes end after %llu", (unsigned long long)header->size_bytes,
                         (unsigned long long)have_bytes);
}

/* What every way in does once the header is known: the layout, and no objects. */
enum ndp_status ndp_npy_array_start(struct ndp_npy_array *array, struct ndp_error *error) {
    const struct ndp_npy_header *header = &array->header;
    array->consumed_bytes = header->data_offset_bytes + header->size_bytes;
    if (ndp_dtype_has_object(header->dtype))
        return ndp_error_set(error, NDP_UNSUPPORTED, header->data_offset_bytes, "objects are a pickle");
    const enum ndp_memory_order order = header->is_fortran_order ? NDP_MEMORY_F : NDP_MEMORY_C;
    const enum ndp_status status =
        ndp_layout_contiguous(&array->layout, header->shape, header->ndim, header->dtype->itemsize_bytes, order, 0);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "strides do not fit");
}

static enum ndp_status start_array(const struct ndp_npy_header *header, struct ndp_npy_array *array,
                                   struct ndp_error *error) {
    array->header = *header;
    return ndp_npy_array_start(array, error);
}

static enum ndp_status allocate(struct ndp_npy_array *array, uint64_t size_bytes, struct ndp_error *error) {
    array->data = ndp_data_new(size_bytes);
    if (array->data == NULL)
        return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for %llu bytes of data",
                             (unsigned long long)size_bytes);
    array->owns_data = true;
    return NDP_OK;
}

enum ndp_status ndp_npy_decode_memory(struct ndp_arena *arena, struct ndp_bytes bytes,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) {
    struct ndp_npy_header header;
    struct ndp_npy_array array = {0};
    NDP_TRY(ndp_npy_header_read(arena, bytes, options, &header, error));
    NDP_TRY(start_array(&header, &array, error));
    const uint64_t have_bytes = bytes.size_bytes - header.data_offset_bytes;
    if (have_bytes < header.size_bytes) return truncated(error, &header, have_bytes);
    NDP_TRY(allocate(&array, header.size_bytes, error));
    if (header.size_bytes > 0) memcpy(array.data, bytes.data + header.data_offset_bytes, (size_t)header.size_bytes);
    *out = array;
    return NDP_OK;
}

/* Reads until `room_bytes` are there or the stream ends. */
static enum ndp_status read_full(ndp_read_bytes *read, void *source, uint8_t *to, uint64_t room_bytes,
                                 uint64_t *got_bytes) {
    *got_bytes = 0;
    while (*got_bytes < room_bytes) {
        uint64_t got = 0;
        NDP_TRY(read(source, to + *got_bytes, room_bytes - *got_bytes, &got));
        if (got == 0) break;
        *got_bytes += got;
    }
    return NDP_OK;
}

static enum ndp_status read_error(struct ndp_error *error, enum ndp_status status) {
    return ndp_error_set(error, status, NDP_NO_OFFSET, "reading: %s", ndp_status_text(status));
}

/* Magic, length and text, and not a byte more. */
static enum ndp_status read_header(struct ndp_arena *arena, ndp_read_bytes *read, void *source,
                                   const struct ndp_npy_options *options, struct ndp_npy_header *header,
                                   struct ndp_error *error) {
    uint8_t prefix[NDP_NPY_LONG_PREFIX_BYTES];
    uint64_t have = 0;
    uint64_t got = 0;
    uint64_t start = 0;
    uint64_t length = 0;
    enum ndp_status status = read_full(read, source, prefix, NDP_NPY_PREFIX_BYTES, &have);
    if (status == NDP_OK && have == NDP_NPY_PREFIX_BYTES && prefix[6] > 1 && prefix[6] <= 3) {
        status = read_full(read, source, prefix + have, sizeof(prefix) - have, &got);
        have += got;
    }
    if (status != NDP_OK) return read_error(error, status);
    NDP_TRY(ndp_npy_prefix_read((struct ndp_bytes){prefix, have}, options, &start, &length, error));
    uint8_t *text = malloc((size_t)(start + length));
    if (text == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the header");
    memcpy(text, prefix, (size_t)start);
    status = read_full(read, source, text + start, length, &got);
    status = status != NDP_OK
                 ? read_error(error, status)
                 : ndp_npy_header_read(arena, (struct ndp_bytes){text, start + got}, options, header, error);
    free(text);
    return status;
}

/* The data of a stream whose length nobody knows: memory doubles as bytes arrive. */
static enum ndp_status read_growing(ndp_read_bytes *read, void *source, struct ndp_npy_array *array,
                                    struct ndp_error *error) {
    const uint64_t size = array->header.size_bytes;
    uint64_t have = 0;
    uint64_t room = size < FIRST_GROWTH_BYTES ? size : FIRST_GROWTH_BYTES;
    NDP_TRY(allocate(array, room, error));
    for (;;) {
        uint64_t got = 0;
        const enum ndp_status status = read_full(read, source, array->data + have, room - have, &got);
        if (status != NDP_OK) return read_error(error, status);
        have += got;
        if (have < room) return truncated(error, &array->header, have);
        if (have == size) return NDP_OK;
        const uint64_t more = size - room < room ? size : room * 2;
        uint8_t *grown = ndp_data_grow(array->data, more);
        if (grown == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the data");
        array->data = grown;
        room = more;
    }
}

enum ndp_status ndp_npy_decode_stream(struct ndp_arena *arena, ndp_read_bytes *read, void *source,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) {
    struct ndp_npy_header header;
    struct ndp_npy_array array = {0};
    NDP_TRY(read_header(arena, read, source, options, &header, error));
    enum ndp_status status = start_array(&header, &array, error);
    if (status == NDP_OK) status = read_growing(read, source, &array, error);
    if (status == NDP_OK) {
        *out = array;
    } else {
        ndp_npy_array_clear(&array);
    }
    return status;
}

static enum ndp_status read_fd(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    const int fd = *(const int *)source;
    for (;;) {
        const ssize_t got = read(fd, to, room_bytes < READ_BYTES_MAX ? (size_t)room_bytes : READ_BYTES_MAX);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return NDP_IO;
        *got_bytes = (uint64_t)got;
        return NDP_OK;
    }
}

/* What a regular file still holds behind its position. */
static enum ndp_status bytes_left(int fd, uint64_t *left_bytes, struct ndp_error *error) {
    struct stat status;
    const off_t at = lseek(fd, 0, SEEK_CUR);
    if (fstat(fd, &status) != 0 || at < 0)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "asking for the file's size: %s", strerror(errno));
    *left_bytes = status.st_size > at ? (uint64_t)(status.st_size - at) : 0;
    return NDP_OK;
}

static enum ndp_status read_sized(int fd, struct ndp_npy_array *array, struct ndp_error *error) {
    uint64_t left = 0;
    uint64_t got = 0;
    NDP_TRY(bytes_left(fd, &left, error));
    if (left < array->header.size_bytes) return truncated(error, &array->header, left);
    NDP_TRY(allocate(array, array->header.size_bytes, error));
    const enum ndp_status status = read_full(read_fd, &fd, array->data, array->header.size_bytes, &got);
    if (status != NDP_OK) return read_error(error, status);
    return got == array->header.size_bytes ? NDP_OK : truncated(error, &array->header, got);
}

static bool is_regular(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

enum ndp_status ndp_npy_decode_fd(struct ndp_arena *arena, int fd, const struct ndp_npy_options *options,
                                  struct ndp_npy_array *out, struct ndp_error *error) {
    if (!is_regular(fd)) return ndp_npy_decode_stream(arena, read_fd, &fd, options, out, error);
    struct ndp_npy_header header;
    struct ndp_npy_array array = {0};
    NDP_TRY(read_header(arena, read_fd, &fd, options, &header, error));
    enum ndp_status status = start_array(&header, &array, error);
    if (status == NDP_OK) status = read_sized(fd, &array, error);
    if (status == NDP_OK) {
        *out = array;
    } else {
        ndp_npy_array_clear(&array);
    }
    return status;
}

/* Opening a FIFO must not wait for its other end, hence O_NONBLOCK. */
static enum ndp_status open_regular(const char *path, int flags, int *out, struct ndp_error *error) {
    const int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return ndp_error_set(error, errno == EISDIR || errno == ENXIO ? NDP_INVALID : NDP_IO, NDP_NO_OFFSET,
                             "opening the file: %s", strerror(errno));
    if (!is_regular(fd)) {
        (void)close(fd);
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "not a regular file");
    }
    *out = fd;
    return NDP_OK;
}

enum ndp_status ndp_npy_decode_file(struct ndp_arena *arena, const char *path, const struct ndp_npy_options *options,
                                    struct ndp_npy_array *out, struct ndp_error *error) {
    int fd = -1;
    NDP_TRY(open_regular(path, O_RDONLY, &fd, error));
    const enum ndp_status status = ndp_npy_decode_fd(arena, fd, options, out, error);
    (void)close(fd);
    return status;
}

static enum ndp_status map_data(struct ndp_arena *arena, int fd, enum ndp_map_mode mode,
                                const struct ndp_npy_options *options, struct ndp_npy_array *array,
                                struct ndp_error *error) {
    struct ndp_npy_header header;
    NDP_TRY(read_header(arena, read_fd, &fd, options, &header, error));
    NDP_TRY(start_array(&header, array, error));
    NDP_TRY(ndp_map_open_fd(fd, mode, header.data_offset_bytes, header.size_bytes, &array->map, error));
    array->data = array->map.data;
    return NDP_OK;
}

enum ndp_status ndp_npy_decode_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) {
    struct ndp_npy_array array = {0};
    int fd = -1;
    if (mode == NDP_MAP_WRITE)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "mode w+ would empty the file that is to be read");
    NDP_TRY(open_regular(path, mode == NDP_MAP_READ_WRITE ? O_RDWR : O_RDONLY, &fd, error));
    const enum ndp_status status = map_data(arena, fd, mode, options, &array, error);
    (void)close(fd);
    if (status == NDP_OK) *out = array;
    return status;
}

void ndp_npy_array_clear(struct ndp_npy_array *array) {
    if (array->owns_data) ndp_data_free(array->data);
    ndp_map_close(&array->map);
    *array = (struct ndp_npy_array){0};
}
