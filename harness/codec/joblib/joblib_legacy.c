#include "codec/joblib/joblib_legacy.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "codec/data_memory.h"
#include "codec/regular_file.h"

enum { DIGITS_BYTES = 19, NAME_BYTES_MAX = 255 };

bool ndp_zfile_detect(struct ndp_bytes start) {
    return start.size_bytes >= NDP_ZFILE_START_BYTES && memcmp(start.data, "ZF", NDP_ZFILE_START_BYTES) == 0;
}

static int digit_of(uint8_t c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

/* "0x" and digits, perhaps the L of a long of Python 2, and spaces. */
static bool read_size(const uint8_t *text, uint64_t *size_bytes) {
    uint64_t size = 0;
    uint32_t at = 2;
    if (text[0] != '0' || text[1] != 'x') return false;
    for (; at < DIGITS_BYTES && digit_of(text[at]) >= 0; at++) {
        if (size > UINT64_MAX / 16) return false;
        size = size * 16 + (uint64_t)digit_of(text[at]);
    }
    const bool has_digits = at > 2;
    if (at < DIGITS_BYTES && text[at] == 'L') at++;
    while (at < DIGITS_BYTES && text[at] == ' ') at++;
    *size_bytes = size;
    return has_digits && at == DIGITS_BYTES;
}

/* Moves past what the source has, up to `room_bytes`; a byte that is not there makes it look for more. */
static enum ndp_status take_some(struct ndp_source *source, uint64_t room_bytes, struct ndp_bytes *out) {
    uint64_t have = source->size_bytes - source->at_bytes;
    if (have == 0) have = 1;
    const enum ndp_status status = ndp_source_take(source, have < room_bytes ? have : room_bytes, out);
    if (status == NDP_TRUNCATED) *out = (struct ndp_bytes){NULL, 0};
    return status == NDP_TRUNCATED ? NDP_OK : status;
}

/* A ndp_read_bytes for what follows the header. joblib up to 0.8.4 under Python 2 wrote one space more there, with
 * which no zlib stream starts. */
static enum ndp_status read_packed(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_zfile *zfile = from;
    struct ndp_bytes bytes;
    NDP_TRY(take_some(zfile->source, room_bytes, &bytes));
    if (!zfile->is_started && bytes.size_bytes > 0 && bytes.data[0] == ' ') {
        bytes = (struct ndp_bytes){bytes.data + 1, bytes.size_bytes - 1};
        if (bytes.size_bytes == 0) NDP_TRY(take_some(zfile->source, room_bytes, &bytes));
    }
    zfile->is_started = true;
    if (bytes.size_bytes > 0) memcpy(to, bytes.data, (size_t)bytes.size_bytes);
    *got_bytes = bytes.size_bytes;
    return NDP_OK;
}

enum ndp_status ndp_zfile_open(struct ndp_zfile *zfile, struct ndp_source *source,
                               const struct ndp_compress_limits *limits, struct ndp_error *error) {
    struct ndp_bytes start;
    uint64_t size = 0;
    const enum ndp_status status = ndp_source_take(source, NDP_ZFILE_START_BYTES + DIGITS_BYTES, &start);
    if (status != NDP_OK)
        return ndp_error_set(error, status, ndp_source_offset(source), "z-file: header: %s", ndp_status_text(status));
    if (!ndp_zfile_detect(start) || !read_size(start.data + NDP_ZFILE_START_BYTES, &size))
        return ndp_error_set(error, NDP_INVALID, 0, "z-file: the header has no size");
    struct ndp_decompressor *stream = NULL;
    NDP_TRY(ndp_decompress_new(NDP_COMPRESS_ZLIB, read_packed, zfile, limits, &stream, error));
    *zfile = (struct ndp_zfile){.stream = stream, .source = source, .size_bytes = size, .left_bytes = size};
    return NDP_OK;
}

enum ndp_status ndp_zfile_read(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_zfile *zfile = from;
    uint64_t got = 0;
    if (zfile->is_over) return NDP_INVALID;
    NDP_TRY(ndp_decompress_read(zfile->stream, to, room_bytes, &got));
    if (got == 0 && room_bytes > 0 && zfile->left_bytes > 0) return NDP_INVALID;
    /* What the header promises is given first, so that pieces of any size give the same. */
    if (got > zfile->left_bytes) {
        zfile->is_over = true;
        got = zfile->left_bytes;
        if (got == 0) return NDP_INVALID;
    }
    zfile->left_bytes -= got;
    *got_bytes = got;
    return NDP_OK;
}

void ndp_zfile_close(struct ndp_zfile *zfile) {
    ndp_decompress_free(zfile->stream);
    *zfile = (struct ndp_zfile){0};
}

bool ndp_companion_is_name(const struct ndp_object *name) {
    if (!ndp_object_is(name, NDP_OBJECT_TEXT) && !ndp_object_is(name, NDP_OBJECT_STRING)) return false;
    const struct ndp_bytes bytes = name->bytes;
    if (bytes.size_bytes == 0 || bytes.size_bytes > NAME_BYTES_MAX) return false;
    for (uint64_t i = 0; i < bytes.size_bytes; i++) {
        const uint8_t c = bytes.data[i];
        if (c == '/' || c == '\\' || c == ':' || c == 0) return false;
    }
    return !ndp_object_is_text(name, ".") && !ndp_object_is_text(name, "..");
}

static enum ndp_status open_companion(int folder_fd, const struct ndp_object *name, int *out, uint64_t *size_bytes,
                                      struct ndp_error *error) {
    char text[NAME_BYTES_MAX + 1];
    if (!ndp_companion_is_name(name))
        return ndp_error_set(error, NDP_INVALID, name == NULL ? NDP_NO_OFFSET : name->offset_bytes,
                             "companion file: no name of a file in this folder");
    memcpy(text, name->bytes.data, (size_t)name->bytes.size_bytes);
    text[name->bytes.size_bytes] = '\0';
    struct ndp_error detail;
    const enum ndp_status status = ndp_regular_open(folder_fd, text, O_RDONLY | O_NOFOLLOW, out, size_bytes, &detail);
    if (status == NDP_OK) return NDP_OK;
    return ndp_error_set(error, status, name->offset_bytes, "companion file: %s", detail.text);
}

static enum ndp_status read_zfile(struct ndp_source *file, uint64_t max_bytes, const struct ndp_compress_limits *limits,
                                  struct ndp_blob *out, struct ndp_error *error) {
    struct ndp_zfile zfile = {0};
    uint8_t more = 0;
    uint64_t got = 0;
    NDP_TRY(ndp_zfile_open(&zfile, file, limits, error));
    const uint64_t size = zfile.size_bytes;
    enum ndp_status status = size > max_bytes ? NDP_LIMIT : NDP_OK;
    struct ndp_source content = ndp_source_stream(ndp_zfile_read, &zfile, UINT64_MAX);
    if (status == NDP_OK) status = ndp_source_blob(&content, size, out);
    if (status == NDP_OK && (status = ndp_zfile_read(&zfile, &more, 1, &got)) != NDP_OK) ndp_data_free(out->owned);
    if (status != NDP_OK) {
        const struct ndp_error *detail = ndp_decompress_error(zfile.stream);
        (void)ndp_error_set(error, status, NDP_NO_OFFSET, "companion z-file: %s",
                            detail != NULL ? detail->text : ndp_status_text(status));
    }
    ndp_source_clear(&content);
    ndp_zfile_close(&zfile);
    return status;
}

enum ndp_status ndp_companion_read(int folder_fd, const struct ndp_object *name, bool is_zfile, uint64_t max_bytes,
                                   const struct ndp_compress_limits *limits, struct ndp_blob *out,
                                   struct ndp_error *error) {
    int fd = -1;
    uint64_t size = 0;
    NDP_TRY(open_companion(folder_fd, name, &fd, &size, error));
    enum ndp_status status = NDP_OK;
    struct ndp_source source = ndp_source_stream(ndp_fd_read, &fd, UINT64_MAX);
    if (is_zfile) {
        status = read_zfile(&source, max_bytes, limits, out, error);
    } else {
        status = size > max_bytes ? NDP_LIMIT : ndp_source_blob(&source, size, out);
        if (status != NDP_OK)
            (void)ndp_error_set(error, status, NDP_NO_OFFSET, "companion file: %s", ndp_status_text(status));
    }
    ndp_source_clear(&source);
    (void)close(fd);
    return status;
}
