/* npy_decode.c: NPY decoders for memory, streams, files and maps.
 *
 * Problem: a header may claim any size; memory must stay in proportion to the input, and truncated input must be
 * refused.
 *
 * Method: each entry point reads the header, derives the layout, and compares the claimed size with the available bytes
 * before it allocates. From a stream of unknown size, the buffer starts small and doubles as data arrive.
 *
 * Cost: one copy of the data, none for maps. Limits: objects are UNSUPPORTED.
 */
#include "codec/npy/npy_decode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/portion.h"
#include "codec/data_memory.h"
#include "codec/regular_file.h"

/* Small files are read with a single call; the headers of others rarely exceed START_BYTES. */
enum { FIRST_GROWTH_BYTES = NDP_PORTION_BYTES(1 << 16), SMALL_BYTES = NDP_PORTION_BYTES(1 << 16), START_BYTES = 512 };

static enum ndp_status set_truncated(struct ndp_error *error, const struct ndp_npy_header *header,
                                     uint64_t have_bytes) {
    return ndp_error_set(error, NDP_TRUNCATED, header->data_offset_bytes + have_bytes,
                         "expected %llu bytes of data, got %llu", (unsigned long long)header->size_bytes,
                         (unsigned long long)have_bytes);
}

/* Common to all entry points after the header: sets the layout and refuses objects. */
enum ndp_status ndp_npy_array_start(struct ndp_npy_array *array, struct ndp_error *error) {
    const struct ndp_npy_header *header = &array->header;
    array->consumed_bytes = header->data_offset_bytes + header->size_bytes;
    if (ndp_dtype_has_object(header->dtype))
        return ndp_error_set(error, NDP_UNSUPPORTED, header->data_offset_bytes, "object arrays are a pickle");
    const enum ndp_memory_order order = header->is_fortran_order ? NDP_MEMORY_F : NDP_MEMORY_C;
    const enum ndp_status status =
        ndp_layout_contiguous(&array->layout, header->shape, header->ndim, header->dtype->itemsize_bytes, order, 0);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "the strides overflow");
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
    if (have_bytes < header.size_bytes) return set_truncated(error, &header, have_bytes);
    NDP_TRY(allocate(&array, header.size_bytes, error));
    if (header.size_bytes > 0) memcpy(array.data, bytes.data + header.data_offset_bytes, (size_t)header.size_bytes);
    *out = array;
    return NDP_OK;
}

/* Reads until `room_bytes` are read or the stream ends. */
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

/* Reads exactly the header. */
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

/* Reads the data of a stream in which at least `known_bytes` remain. If they do not suffice, memory doubles as bytes
 * arrive. */
static enum ndp_status read_data(ndp_read_bytes *read, void *source, uint64_t known_bytes, struct ndp_npy_array *array,
                                 struct ndp_error *error) {
    const uint64_t size = array->header.size_bytes;
    uint64_t have = 0;
    uint64_t room = size <= known_bytes || size < FIRST_GROWTH_BYTES ? size : FIRST_GROWTH_BYTES;
    NDP_TRY(allocate(array, room, error));
    for (;;) {
        uint64_t got = 0;
        const enum ndp_status status = read_full(read, source, array->data + have, room - have, &got);
        if (status != NDP_OK) return read_error(error, status);
        have += got;
        if (have < room) return set_truncated(error, &array->header, have);
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
    if (status == NDP_OK) status = read_data(read, source, 0, &array, error);
    if (status == NDP_OK) {
        *out = array;
    } else {
        ndp_npy_array_clear(&array);
    }
    return status;
}

enum ndp_status ndp_npy_decode_fd(struct ndp_arena *arena, int fd, const struct ndp_npy_options *options,
                                  struct ndp_npy_array *out, struct ndp_error *error) {
    struct ndp_npy_header header;
    struct ndp_npy_array array = {0};
    uint64_t rest = 0;
    NDP_TRY(read_header(arena, ndp_fd_read, &fd, options, &header, error));
    enum ndp_status status = start_array(&header, &array, error);
    const bool is_file = status == NDP_OK && ndp_regular_knows_rest(fd, &rest);
    if (is_file && rest < header.size_bytes) status = set_truncated(error, &header, rest);
    if (status == NDP_OK) status = read_data(ndp_fd_read, &fd, rest, &array, error);
    if (status == NDP_OK) {
        *out = array;
    } else {
        ndp_npy_array_clear(&array);
    }
    return status;
}

static enum ndp_status read_failed(struct ndp_error *error) {
    return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "reading: %s", strerror(errno));
}

static enum ndp_status decode_small(struct ndp_arena *arena, int fd, uint64_t size_bytes,
                                    const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                    struct ndp_error *error) {
    uint8_t *bytes = malloc(size_bytes == 0 ? 1 : (size_t)size_bytes);
    uint64_t got = 0;
    if (bytes == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the file");
    const enum ndp_status status =
        ndp_fd_read_at(fd, bytes, size_bytes, 0, &got) == NDP_OK
            ? ndp_npy_decode_memory(arena, (struct ndp_bytes){bytes, got}, options, out, error)
            : read_failed(error);
    free(bytes);
    return status;
}

enum ndp_status ndp_npy_decode_file(struct ndp_arena *arena, const char *path, const struct ndp_npy_options *options,
                                    struct ndp_npy_array *out, struct ndp_error *error) {
    int fd = -1;
    uint64_t size = 0;
    NDP_TRY(ndp_regular_open(AT_FDCWD, path, O_RDONLY, &fd, &size, error));
    const enum ndp_status status = size <= SMALL_BYTES ? decode_small(arena, fd, size, options, out, error)
                                                       : ndp_npy_decode_fd(arena, fd, options, out, error);
    (void)close(fd);
    return status;
}

static enum ndp_status read_long_start(struct ndp_arena *arena, int fd, uint64_t size_bytes,
                                       const struct ndp_npy_options *options, struct ndp_npy_header *header,
                                       struct ndp_error *error) {
    uint8_t *start = malloc((size_t)size_bytes);
    uint64_t got = 0;
    if (start == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the header");
    const enum ndp_status status =
        ndp_fd_read_at(fd, start, size_bytes, 0, &got) == NDP_OK
            ? ndp_npy_header_read(arena, (struct ndp_bytes){start, got}, options, header, error)
            : read_failed(error);
    free(start);
    return status;
}

/* Reads the header at the start of a file, usually with one call. */
static enum ndp_status read_start(struct ndp_arena *arena, int fd, const struct ndp_npy_options *options,
                                  struct ndp_npy_header *header, struct ndp_error *error) {
    uint8_t start[START_BYTES];
    uint64_t got = 0;
    uint64_t text_offset = 0;
    uint64_t text_bytes = 0;
    if (ndp_fd_read_at(fd, start, sizeof(start), 0, &got) != NDP_OK) return read_failed(error);
    const struct ndp_bytes bytes = {start, got};
    NDP_TRY(ndp_npy_prefix_read(bytes, options, &text_offset, &text_bytes, error));
    return got < sizeof(start) || text_offset + text_bytes <= got
               ? ndp_npy_header_read(arena, bytes, options, header, error)
               : read_long_start(arena, fd, text_offset + text_bytes, options, header, error);
}

static enum ndp_status map_data(struct ndp_arena *arena, int fd, enum ndp_map_mode mode,
                                const struct ndp_npy_options *options, struct ndp_npy_array *array,
                                struct ndp_error *error) {
    struct ndp_npy_header header;
    NDP_TRY(read_start(arena, fd, options, &header, error));
    NDP_TRY(start_array(&header, array, error));
    NDP_TRY(ndp_map_open_fd(fd, mode, header.data_offset_bytes, header.size_bytes, &array->map, error));
    array->data = array->map.data;
    return NDP_OK;
}

enum ndp_status ndp_npy_decode_mapped_fd(struct ndp_arena *arena, int fd, enum ndp_map_mode mode,
                                         const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                         struct ndp_error *error) {
    struct ndp_npy_array array = {0};
    const enum ndp_status status = map_data(arena, fd, mode, options, &array, error);
    if (status == NDP_OK) *out = array;
    return status;
}

enum ndp_status ndp_npy_decode_mapped(struct ndp_arena *arena, const char *path, enum ndp_map_mode mode,
                                      const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                      struct ndp_error *error) {
    int fd = -1;
    uint64_t size = 0;
    if (mode == NDP_MAP_WRITE)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "mode w+ would truncate the file before it is read");
    const int flags = mode == NDP_MAP_READ_WRITE ? O_RDWR : O_RDONLY;
    NDP_TRY(ndp_regular_open(AT_FDCWD, path, flags, &fd, &size, error));
    const enum ndp_status status = ndp_npy_decode_mapped_fd(arena, fd, mode, options, out, error);
    (void)close(fd);
    return status;
}

void ndp_npy_array_clear(struct ndp_npy_array *array) {
    if (array->owns_data) ndp_data_free(array->data);
    ndp_map_close(&array->map);
    *array = (struct ndp_npy_array){0};
}
