#include "codec/raw/raw.h"

#include <errno.h>
#include <string.h>

#include "base/checked.h"
#include "codec/data_memory.h"
#include "codec/npy/npy_encode.h"
#include "codec/regular_file.h"

static enum ndp_status check_elements(const struct ndp_elements *elements, uint64_t offset_bytes, uint64_t *all_bytes,
                                      struct ndp_error *error) {
    uint64_t count = 0;
    uint64_t data_bytes = 0;
    if (ndp_dtype_has_object(elements->dtype))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "raw cannot encode objects");
    if (!ndp_checked_extents_fit(elements->layout->shape, elements->layout->ndim, elements->dtype->itemsize_bytes,
                                 &count, &data_bytes) ||
        !ndp_checked_add_u64(offset_bytes, data_bytes, all_bytes) || *all_bytes > INT64_MAX)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the array exceeds 2^63 - 1 bytes");
    return NDP_OK;
}

static void start_walk(const struct ndp_elements *elements, struct ndp_walk *walk) {
    ndp_strided_walk_init(walk, elements, ndp_npy_is_fortran_order(elements) ? NDP_MEMORY_F : NDP_MEMORY_C);
}

static enum ndp_status write_filler(uint64_t left_bytes, ndp_write_bytes *write, void *sink) {
    uint8_t filler[4096];
    memset(filler, NDP_RAW_FILLER, sizeof(filler));
    while (left_bytes > 0) {
        const uint64_t piece = left_bytes < sizeof(filler) ? left_bytes : sizeof(filler);
        NDP_TRY(write(sink, filler, piece));
        left_bytes -= piece;
    }
    return NDP_OK;
}

enum ndp_status ndp_raw_encode(const struct ndp_elements *elements, uint64_t offset_bytes, ndp_write_bytes *write,
                               void *sink, struct ndp_error *error) {
    struct ndp_walk walk;
    uint64_t all_bytes = 0;
    NDP_TRY(check_elements(elements, offset_bytes, &all_bytes, error));
    start_walk(elements, &walk);
    enum ndp_status status = write_filler(offset_bytes, write, sink);
    if (status == NDP_OK) status = ndp_strided_walk_write(&walk, write, sink);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "writing: %s", ndp_status_text(status));
}

enum ndp_status ndp_raw_encode_mapped(const struct ndp_elements *elements, uint64_t offset_bytes, const char *path,
                                      struct ndp_error *error) {
    struct ndp_walk walk;
    struct ndp_map map = {0};
    uint64_t all_bytes = 0;
    NDP_TRY(check_elements(elements, offset_bytes, &all_bytes, error));
    NDP_TRY(ndp_map_open(path, NDP_MAP_WRITE, 0, all_bytes, &map, error));
    start_walk(elements, &walk);
    enum ndp_status status = ndp_map_check(&map, error);
    if (status == NDP_OK) {
        if (offset_bytes > 0) memset(map.data, NDP_RAW_FILLER, (size_t)offset_bytes);
        (void)ndp_strided_walk_copy(&walk, map.data + offset_bytes, walk.left_elems);
    }
    ndp_map_close(&map);
    return status;
}

/* Checks everything that does not depend on the bytes. */
static enum ndp_status start_array(const struct ndp_raw_form *form, struct ndp_npy_array *array,
                                   struct ndp_error *error) {
    struct ndp_npy_header *header = &array->header;
    if (ndp_dtype_has_object(form->dtype))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "raw cannot decode objects");
    if (form->ndim > NDP_MAX_NDIM) return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "too many axes");
    if (!ndp_checked_extents_fit(form->shape, form->ndim, form->dtype->itemsize_bytes, &header->count_elems,
                                 &header->size_bytes) ||
        !ndp_checked_add_u64(form->offset_bytes, header->size_bytes, &array->consumed_bytes) ||
        array->consumed_bytes > INT64_MAX)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the range ends after offset 2^63 - 1");
    header->is_fortran_order = form->order == NDP_MEMORY_F;
    header->dtype = form->dtype;
    header->ndim = form->ndim;
    header->data_offset_bytes = form->offset_bytes;
    for (uint32_t k = 0; k < form->ndim; k++) header->shape[k] = form->shape[k];
    const enum ndp_status status =
        ndp_layout_contiguous(&array->layout, form->shape, form->ndim, form->dtype->itemsize_bytes, form->order, 0);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "the strides overflow");
}

static enum ndp_status check_contains(const struct ndp_npy_array *array, uint64_t have_bytes, struct ndp_error *error) {
    if (have_bytes >= array->consumed_bytes) return NDP_OK;
    return ndp_error_set(error, NDP_TRUNCATED, have_bytes, "the input has %llu bytes, but the array ends at %llu",
                         (unsigned long long)have_bytes, (unsigned long long)array->consumed_bytes);
}

/* Copies the data from memory or a private map. */
static enum ndp_status copy_data(struct ndp_npy_array *array, const uint8_t *from, struct ndp_error *error) {
    array->data = ndp_data_new(array->header.size_bytes);
    if (array->data == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the data");
    array->owns_data = true;
    if (array->header.size_bytes > 0) memcpy(array->data, from, (size_t)array->header.size_bytes);
    return NDP_OK;
}

enum ndp_status ndp_raw_decode_memory(const struct ndp_raw_form *form, struct ndp_bytes bytes,
                                      struct ndp_npy_array *out, struct ndp_error *error) {
    struct ndp_npy_array array = {0};
    NDP_TRY(start_array(form, &array, error));
    NDP_TRY(check_contains(&array, bytes.size_bytes, error));
    /* NULL plus an offset is undefined, so an empty input is not advanced. */
    NDP_TRY(copy_data(&array, bytes.size_bytes == 0 ? bytes.data : bytes.data + form->offset_bytes, error));
    *out = array;
    return NDP_OK;
}

/* A short read means that the file shrank after its size was checked. */
static enum ndp_status read_at(int fd, struct ndp_npy_array *array, struct ndp_error *error) {
    const uint64_t start = array->header.data_offset_bytes;
    uint64_t got = 0;
    if (ndp_fd_read_at(fd, array->data, array->header.size_bytes, start, &got) != NDP_OK)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "reading: %s", strerror(errno));
    return check_contains(array, start + got, error);
}

/* Opens a file by path, or by descriptor if the path is NULL. */
static enum ndp_status open_range(const char *path, int fd, enum ndp_map_mode mode, uint64_t offset_bytes,
                                  uint64_t size_bytes, struct ndp_map *out, struct ndp_error *error) {
    return path != NULL ? ndp_map_open(path, mode, offset_bytes, size_bytes, out, error)
                        : ndp_map_open_fd(fd, mode, offset_bytes, size_bytes, out, error);
}

/* An empty map performs all checks of a file without touching its pages. */
static enum ndp_status decode_file(const struct ndp_raw_form *form, const char *path, int fd, struct ndp_npy_array *out,
                                   struct ndp_error *error) {
    struct ndp_npy_array array = {0};
    struct ndp_map file = {0};
    NDP_TRY(start_array(form, &array, error));
    NDP_TRY(open_range(path, fd, NDP_MAP_READ, array.consumed_bytes, 0, &file, error));
    array.data = ndp_data_new(array.header.size_bytes);
    array.owns_data = true;
    const enum ndp_status status = array.data == NULL ? ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory")
                                                      : read_at(file.fd, &array, error);
    ndp_map_close(&file);
    if (status == NDP_OK) {
        *out = array;
    } else {
        ndp_npy_array_clear(&array);
    }
    return status;
}

static enum ndp_status decode_mapped(const struct ndp_raw_form *form, const char *path, int fd, enum ndp_map_mode mode,
                                     struct ndp_npy_array *out, struct ndp_error *error) {
    struct ndp_npy_array array = {0};
    if (mode == NDP_MAP_WRITE)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "mode w+ would truncate the file before it is read");
    NDP_TRY(start_array(form, &array, error));
    NDP_TRY(open_range(path, fd, mode, form->offset_bytes, array.header.size_bytes, &array.map, error));
    array.data = array.map.data;
    *out = array;
    return NDP_OK;
}

enum ndp_status ndp_raw_decode_file(const struct ndp_raw_form *form, const char *path, struct ndp_npy_array *out,
                                    struct ndp_error *error) {
    return decode_file(form, path, -1, out, error);
}

enum ndp_status ndp_raw_decode_fd(const struct ndp_raw_form *form, int fd, struct ndp_npy_array *out,
                                  struct ndp_error *error) {
    return decode_file(form, NULL, fd, out, error);
}

enum ndp_status ndp_raw_decode_mapped(const struct ndp_raw_form *form, const char *path, enum ndp_map_mode mode,
                                      struct ndp_npy_array *out, struct ndp_error *error) {
    return decode_mapped(form, path, -1, mode, out, error);
}

enum ndp_status ndp_raw_decode_mapped_fd(const struct ndp_raw_form *form, int fd, enum ndp_map_mode mode,
                                         struct ndp_npy_array *out, struct ndp_error *error) {
    return decode_mapped(form, NULL, fd, mode, out, error);
}
