#include "codec/npz/npz_write.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "codec/npz/npz_source.h"

/* 1980-01-01 00:00 and permissions 0600 of a regular file, as in CPython's zipfile. */
enum { DOS_TIME = 0, DOS_DATE = 0x0021, PERMISSIONS = 0x01800000, DEFLATE_LEVEL = 6, PIECE_BYTES = 1 << 16 };
enum { NAME_BYTES_MAX = UINT16_MAX, ENDING_BYTES = 4 };

static enum ndp_status zip_failure(struct ndp_error *error, zip_error_t *failed, const char *what) {
    enum ndp_status status = ndp_npz_status(failed);
    return ndp_error_set(error, status, NDP_NO_OFFSET, "%s: %s", what, zip_error_strerror(failed));
}

/* Gives the name with a terminating NUL in `name`. */
static enum ndp_status make_name(struct ndp_bytes key, struct ndp_buffer *name, struct ndp_error *error) {
    if (key.size_bytes > NAME_BYTES_MAX - ENDING_BYTES ||
        (key.size_bytes > 0 && memchr(key.data, 0, (size_t)key.size_bytes)))
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the key is too long or contains a NUL");
    enum ndp_status status = ndp_buffer_add(name, key.data, key.size_bytes);
    if (status == NDP_OK) status = ndp_buffer_add(name, ".npy", ENDING_BYTES + 1);
    return status == NDP_OK ? NDP_OK : ndp_error_set(error, status, NDP_NO_OFFSET, "no memory for a name");
}

/* Passes the member's bytes to the archive, which frees them. */
static enum ndp_status add_content(zip_t *archive, const char *name, struct ndp_buffer *content, zip_int64_t *index,
                                   struct ndp_error *error) {
    zip_source_t *source = zip_source_buffer(archive, content->data, content->size_bytes, 1);
    if (source == NULL) return zip_failure(error, zip_get_error(archive), "adding a member");
    content->data = NULL;
    *index = zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8);
    if (*index >= 0) return NDP_OK;
    zip_source_free(source);
    return zip_failure(error, zip_get_error(archive), "adding a member");
}

static enum ndp_status make_content(const struct ndp_npz_item *item, struct ndp_buffer *content,
                                    struct ndp_error *error) {
    if (item->npy.size_bytes == 0) return ndp_npy_encode_buffer(&item->elements, 0, content, error);
    const enum ndp_status status = ndp_buffer_add(content, item->npy.data, item->npy.size_bytes);
    return status == NDP_OK ? NDP_OK : ndp_error_set(error, status, NDP_NO_OFFSET, "no memory for a member");
}

static enum ndp_status add_item(zip_t *archive, const struct ndp_npz_item *item, bool is_deflated,
                                struct ndp_error *error) {
    struct ndp_buffer name, content;
    zip_int64_t added = -1;
    ndp_buffer_init(&name, NAME_BYTES_MAX + 1);
    ndp_buffer_init(&content, INT64_MAX);
    enum ndp_status status = make_name(item->key, &name, error);
    if (status == NDP_OK) status = make_content(item, &content, error);
    if (status == NDP_OK) status = add_content(archive, (const char *)name.data, &content, &added, error);
    if (status == NDP_OK) {
        const zip_uint64_t index = (zip_uint64_t)added;
        if (zip_set_file_compression(archive, index, is_deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                                     is_deflated ? DEFLATE_LEVEL : 0) != 0 ||
            zip_file_set_dostime(archive, index, DOS_TIME, DOS_DATE, 0) != 0 ||
            zip_file_set_external_attributes(archive, index, 0, ZIP_OPSYS_UNIX, PERMISSIONS) != 0)
            status = zip_failure(error, zip_get_error(archive), "describing a member");
    }
    ndp_buffer_clear(&name);
    ndp_buffer_clear(&content);
    return status;
}

/* Fills and closes the archive; libzip writes to `target` only on close. */
static enum ndp_status fill_archive(zip_source_t *target, const struct ndp_npz_item *items, uint64_t count,
                                    bool is_deflated, struct ndp_error *error) {
    zip_error_t failed;
    zip_error_init(&failed);
    zip_t *archive = zip_open_from_source(target, ZIP_TRUNCATE, &failed);
    enum ndp_status status = archive == NULL ? zip_failure(error, &failed, "creating the archive") : NDP_OK;
    zip_error_fini(&failed);
    if (archive == NULL) return status;
    zip_source_keep(target); /* closing releases one reference */
    for (uint64_t i = 0; i < count && status == NDP_OK; i++) status = add_item(archive, &items[i], is_deflated, error);
    if (status == NDP_OK && zip_close(archive) != 0)
        status = zip_failure(error, zip_get_error(archive), "writing");
    else if (status == NDP_OK)
        return NDP_OK;
    zip_discard(archive);
    return status;
}

static enum ndp_status copy_out(zip_source_t *target, ndp_write_bytes *write, void *sink, struct ndp_error *error) {
    zip_stat_t stat;
    const bool is_small = zip_source_stat(target, &stat) == 0 && (stat.valid & ZIP_STAT_SIZE) != 0 && stat.size > 0 &&
                          stat.size < PIECE_BYTES;
    const uint64_t room_bytes = is_small ? stat.size : PIECE_BYTES;
    uint8_t *piece = malloc((size_t)room_bytes);
    enum ndp_status status = piece == NULL ? NDP_NOMEM : NDP_OK;
    bool is_open = status == NDP_OK && zip_source_open(target) == 0;
    if (status == NDP_OK && !is_open) status = NDP_NOMEM;
    while (status == NDP_OK) {
        const zip_int64_t got = zip_source_read(target, piece, room_bytes);
        if (got == 0) break;
        status = got < 0 ? NDP_IO : write(sink, piece, (uint64_t)got);
    }
    if (is_open) (void)zip_source_close(target);
    free(piece);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, NDP_NO_OFFSET, "writing: %s", ndp_status_text(status));
}

enum ndp_status ndp_npz_encode(const struct ndp_npz_item *items, uint64_t count, bool is_deflated,
                               ndp_write_bytes *write, void *sink, struct ndp_error *error) {
    static const uint8_t empty[22] = {'P', 'K', 5, 6};
    if (count == 0) {
        const enum ndp_status status = write(sink, empty, sizeof(empty));
        return status == NDP_OK ? NDP_OK : ndp_error_set(error, status, NDP_NO_OFFSET, "writing");
    }
    zip_source_t *target = zip_source_buffer_create(NULL, 0, 0, NULL);
    if (target == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the archive");
    enum ndp_status status = fill_archive(target, items, count, is_deflated, error);
    if (status == NDP_OK) status = copy_out(target, write, sink, error);
    zip_source_free(target);
    return status;
}
