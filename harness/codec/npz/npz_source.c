#include "codec/npz/npz_source.h"

#include <errno.h>
#include <string.h>

#include "codec/regular_file.h"

static zip_int64_t set_source_error(struct ndp_npz_source *source, int code, int system_code) {
    zip_error_set(&source->error, code, system_code);
    return -1;
}

enum ndp_status ndp_npz_source_read(const struct ndp_npz_source *source, void *to, uint64_t room_bytes,
                                    uint64_t at_bytes, uint64_t *got_bytes) {
    const uint64_t left = at_bytes < source->size_bytes ? source->size_bytes - at_bytes : 0;
    uint64_t size = room_bytes < left ? room_bytes : left;
    *got_bytes = size;
    if (size == 0) return NDP_OK;
    if (source->tail.size_bytes > 0 && at_bytes >= source->tail_at_bytes) {
        memcpy(to, source->tail.data + (at_bytes - source->tail_at_bytes), (size_t)size);
        return NDP_OK;
    }
    if (source->fd >= 0) return ndp_fd_read_at(source->fd, to, size, at_bytes, got_bytes);
    memcpy(to, source->bytes.data + at_bytes, (size_t)size);
    return NDP_OK;
}

static zip_int64_t read_some(struct ndp_npz_source *source, void *to, zip_uint64_t room_bytes) {
    uint64_t got = 0;
    if (ndp_npz_source_read(source, to, room_bytes, source->at_bytes, &got) != NDP_OK) {
        source->is_broken = true;
        return set_source_error(source, ZIP_ER_READ, errno);
    }
    if (got == 0) return 0;
    source->last_read_bytes = source->at_bytes;
    source->at_bytes += got;
    return (zip_int64_t)got;
}

static zip_int64_t seek_to(struct ndp_npz_source *source, void *data, zip_uint64_t size_bytes) {
    const zip_int64_t at =
        zip_source_seek_compute_offset(source->at_bytes, source->size_bytes, data, size_bytes, &source->error);
    if (at < 0) return -1;
    source->at_bytes = (uint64_t)at;
    return 0;
}

static zip_int64_t tell_size(const struct ndp_npz_source *source, zip_stat_t *stat) {
    zip_stat_init(stat);
    stat->valid = ZIP_STAT_SIZE;
    stat->size = source->size_bytes;
    return (zip_int64_t)sizeof(*stat);
}

/* `command` is cast to int because newer versions of libzip have commands that older ones lack. */
static zip_int64_t run_command(void *user, void *data, zip_uint64_t size_bytes, zip_source_cmd_t command) {
    struct ndp_npz_source *source = user;
    switch ((int)command) {
    case ZIP_SOURCE_OPEN:
        source->at_bytes = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return read_some(source, data, size_bytes);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_STAT:
        return tell_size(source, data);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&source->error, data, size_bytes);
    case ZIP_SOURCE_SEEK:
        return seek_to(source, data, size_bytes);
    case ZIP_SOURCE_TELL:
        return (zip_int64_t)source->at_bytes;
    case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    default:
        return set_source_error(source, ZIP_ER_OPNOTSUPP, 0);
    }
}

zip_source_t *ndp_npz_source_new(struct ndp_npz_source *source) {
    zip_error_init(&source->error);
    return zip_source_function_create(run_command, source, NULL);
}

enum ndp_status ndp_npz_status(const zip_error_t *error) {
    switch (zip_error_code_zip(error)) {
    case ZIP_ER_EOF:
        return NDP_TRUNCATED;
    case ZIP_ER_MEMORY:
        return NDP_NOMEM;
    case ZIP_ER_SEEK:
        /* An impossible file offset comes from the archive. */
        return zip_error_code_system(error) == EFBIG || zip_error_code_system(error) == EOVERFLOW ? NDP_INVALID
                                                                                                  : NDP_IO;
    case ZIP_ER_READ:
    case ZIP_ER_OPEN:
    case ZIP_ER_WRITE:
    case ZIP_ER_CLOSE:
        return NDP_IO;
    case ZIP_ER_MULTIDISK:
    case ZIP_ER_COMPNOTSUPP:
    case ZIP_ER_ENCRNOTSUPP:
    case ZIP_ER_NOPASSWD:
        return NDP_UNSUPPORTED;
    case ZIP_ER_ZLIB:
        return zip_error_code_system(error) == -4 /* Z_MEM_ERROR */ ? NDP_NOMEM : NDP_INVALID;
    default:
        return NDP_INVALID;
    }
}
