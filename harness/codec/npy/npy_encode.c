#include "codec/npy/npy_encode.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "codec/npy/npy_header.h"

/* Below Linux's maximum for one write. */
enum { WRITE_BYTES_MAX = 1 << 30 };

bool ndp_npy_is_fortran_order(const struct ndp_elements *elements) {
    const uint64_t itemsize = elements->dtype->itemsize_bytes;
    return ndp_layout_is_f_contiguous(elements->layout, itemsize) &&
           !ndp_layout_is_c_contiguous(elements->layout, itemsize);
}

static enum ndp_status make_header(const struct ndp_elements *elements, uint8_t major, struct ndp_buffer *header,
                                   uint64_t *data_bytes, struct ndp_error *error) {
    const struct ndp_layout *layout = elements->layout;
    uint64_t count = 0;
    if (ndp_dtype_has_object(elements->dtype))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET,
                             "object arrays are a pickle (codec/graph/npy_graph.h)");
    if (!ndp_checked_extents_fit(layout->shape, layout->ndim, elements->dtype->itemsize_bytes, &count, data_bytes))
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the array exceeds 2^63 - 1 bytes");
    return ndp_npy_header_add(header, elements->dtype, ndp_npy_is_fortran_order(elements), layout->shape, layout->ndim,
                              major, error);
}

static void start_walk(const struct ndp_elements *elements, struct ndp_walk *walk) {
    ndp_strided_walk_init(walk, elements, ndp_npy_is_fortran_order(elements) ? NDP_MEMORY_F : NDP_MEMORY_C);
}

enum ndp_status ndp_npy_encode(const struct ndp_elements *elements, uint8_t major, ndp_write_bytes *write, void *sink,
                               struct ndp_error *error) {
    struct ndp_buffer header;
    struct ndp_walk walk;
    uint64_t data_bytes = 0;
    ndp_buffer_init(&header, INT64_MAX);
    enum ndp_status status = make_header(elements, major, &header, &data_bytes, error);
    if (status == NDP_OK) {
        start_walk(elements, &walk);
        status = write(sink, header.data, header.size_bytes);
        if (status == NDP_OK) status = ndp_strided_walk_write(&walk, write, sink);
        if (status != NDP_OK) (void)ndp_error_set(error, status, NDP_NO_OFFSET, "writing: %s", ndp_status_text(status));
    }
    ndp_buffer_clear(&header);
    return status;
}

enum ndp_status ndp_write_to_buffer(void *sink, const void *bytes, uint64_t size_bytes) {
    return ndp_buffer_add(sink, bytes, size_bytes);
}

enum ndp_status ndp_write_to_fd(void *sink, const void *bytes, uint64_t size_bytes) {
    const int fd = *(const int *)sink;
    const uint8_t *at = bytes;
    while (size_bytes > 0) {
        const ssize_t written = write(fd, at, size_bytes < WRITE_BYTES_MAX ? (size_t)size_bytes : WRITE_BYTES_MAX);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return NDP_IO;
        at += written;
        size_bytes -= (uint64_t)written;
    }
    return NDP_OK;
}

/* Header and elements are appended directly, without an intermediate copy. */
enum ndp_status ndp_npy_encode_buffer(const struct ndp_elements *elements, uint8_t major, struct ndp_buffer *buffer,
                                      struct ndp_error *error) {
    struct ndp_walk walk;
    struct ndp_bytes run;
    uint64_t data_bytes = 0;
    NDP_TRY(make_header(elements, major, buffer, &data_bytes, error));
    start_walk(elements, &walk);
    enum ndp_status status;
    if (ndp_strided_walk_is_contiguous(&walk, &run)) {
        status = ndp_buffer_add(buffer, run.data, run.size_bytes);
    } else {
        uint8_t *room = NULL;
        status = ndp_buffer_extend(buffer, data_bytes, &room);
        if (status == NDP_OK) (void)ndp_strided_walk_copy(&walk, room, walk.left_elems);
    }
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "encoding into memory: %s", ndp_status_text(status));
}

enum ndp_status ndp_npy_encode_fd(const struct ndp_elements *elements, uint8_t major, int fd, struct ndp_error *error) {
    return ndp_npy_encode(elements, major, ndp_write_to_fd, &fd, error);
}

enum ndp_status ndp_npy_encode_file(const struct ndp_elements *elements, uint8_t major, const char *path,
                                    struct ndp_error *error) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "creating the file: %s", strerror(errno));
    enum ndp_status status = ndp_npy_encode_fd(elements, major, fd, error);
    if (close(fd) != 0 && status == NDP_OK)
        status = ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "closing the file: %s", strerror(errno));
    return status;
}

static enum ndp_status fill_map(const struct ndp_elements *elements, const struct ndp_buffer *header,
                                struct ndp_map *map, struct ndp_error *error) {
    struct ndp_walk walk;
    start_walk(elements, &walk);
    NDP_TRY(ndp_map_check(map, error));
    memcpy(map->data, header->data, (size_t)header->size_bytes);
    (void)ndp_strided_walk_copy(&walk, map->data + header->size_bytes, walk.left_elems);
    return NDP_OK;
}

enum ndp_status ndp_npy_encode_mapped(const struct ndp_elements *elements, uint8_t major, const char *path,
                                      struct ndp_error *error) {
    struct ndp_buffer header;
    struct ndp_map map = {0};
    uint64_t data_bytes = 0;
    uint64_t all_bytes = 0;
    ndp_buffer_init(&header, INT64_MAX);
    enum ndp_status status = make_header(elements, major, &header, &data_bytes, error);
    if (status == NDP_OK && !ndp_checked_add_u64(header.size_bytes, data_bytes, &all_bytes))
        status = ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the file exceeds 2^64 - 1 bytes");
    if (status == NDP_OK) status = ndp_map_open(path, NDP_MAP_WRITE, 0, all_bytes, &map, error);
    if (status == NDP_OK) {
        status = fill_map(elements, &header, &map, error);
        ndp_map_close(&map);
    }
    ndp_buffer_clear(&header);
    return status;
}
