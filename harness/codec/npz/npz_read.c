#include "codec/npz/npz_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/portion.h"
#include "codec/npz/npz_end.h"
#include "codec/regular_file.h"

#define FREE_BYTES (UINT64_C(64) << 20)

enum {
    MEMBERS_MAX = 1 << 20,
    RATIO_MAX = 1100,
    PIECE_BYTES = NDP_PORTION_BYTES(1 << 16),
    SPARE_BYTES = 1 << 12,
    LOCAL_HEADER_BYTES = 30,
    UTF8_BYTES = 4
};

struct ndp_npz {
    zip_t *archive;
    struct ndp_npz_source source;
    uint8_t *tail;                  /* of a file */
    struct ndp_npz_member *members; /* cached, because libzip converts dates on every query */
    struct ndp_npz_limits limits;
    uint64_t count;
};

/* Takes the text of `failed`. */
static enum ndp_status zip_failure(const struct ndp_npz *npz, struct ndp_error *error, zip_error_t *failed,
                                   const char *what) {
    const enum ndp_status status = npz->source.is_broken ? NDP_IO : ndp_npz_status(failed);
    return ndp_error_set(error, status, NDP_NO_OFFSET, "%s: %s", what, zip_error_strerror(failed));
}

static uint64_t or_default(uint64_t limit, uint64_t otherwise) {
    return limit == 0 ? otherwise : limit;
}

static struct ndp_npz_limits fill_limits(const struct ndp_npz_limits *limits) {
    const struct ndp_npz_limits given = limits != NULL ? *limits : (struct ndp_npz_limits){0};
    return (struct ndp_npz_limits){.members = or_default(given.members, MEMBERS_MAX),
                                   .member_bytes = or_default(given.member_bytes, INT64_MAX),
                                   .total_bytes = or_default(given.total_bytes, INT64_MAX),
                                   .ratio = or_default(given.ratio, RATIO_MAX),
                                   .free_bytes = or_default(given.free_bytes, FREE_BYTES)};
}

uint64_t ndp_npz_count(const struct ndp_npz *npz) {
    return npz->count;
}

void ndp_npz_member(const struct ndp_npz *npz, uint64_t index, struct ndp_npz_member *out) {
    *out = npz->members[index];
}

/* libzip read the whole directory on opening, so the query cannot fail. */
static void ask_member(const struct ndp_npz *npz, uint64_t index, struct ndp_npz_member *out) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    (void)zip_stat_index(npz->archive, index, ZIP_FL_UNCHANGED, &stat);
    const char *name = zip_get_name(npz->archive, index, ZIP_FL_ENC_RAW | ZIP_FL_UNCHANGED);
    *out = (struct ndp_npz_member){.name = ndp_bytes_view(name != NULL ? name : ""),
                                   .method = stat.comp_method,
                                   .is_encrypted = stat.encryption_method != ZIP_EM_NONE,
                                   .crc = stat.crc,
                                   .size_bytes = stat.size,
                                   .packed_bytes = stat.comp_size};
}

static enum ndp_status check_member(const struct ndp_npz_limits *limits, const struct ndp_npz_member *member,
                                    uint64_t index, struct ndp_error *error) {
    uint64_t allowed = 0;
    if (!ndp_checked_mul_u64(member->packed_bytes, limits->ratio, &allowed)) allowed = UINT64_MAX;
    if (member->size_bytes > limits->member_bytes)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "member %llu of %llu bytes exceeds the limit",
                             (unsigned long long)index, (unsigned long long)member->size_bytes);
    if (member->size_bytes > limits->free_bytes && member->size_bytes > allowed)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET,
                             "member %llu claims %llu bytes from %llu compressed bytes", (unsigned long long)index,
                             (unsigned long long)member->size_bytes, (unsigned long long)member->packed_bytes);
    if (member->method == ZIP_CM_STORE && member->size_bytes != member->packed_bytes)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "stored member %llu has different sizes",
                             (unsigned long long)index);
    return NDP_OK;
}

/* Members must be disjoint: their data, local headers and names must fit in the file. */
static enum ndp_status read_directory(struct ndp_npz *npz, struct ndp_error *error) {
    uint64_t inflated = 0;
    uint64_t packed = 0;
    if (npz->count > npz->limits.members)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "%llu members", (unsigned long long)npz->count);
    npz->members = calloc((size_t)npz->count + 1, sizeof(*npz->members));
    if (npz->members == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the directory");
    for (uint64_t i = 0; i < npz->count; i++) {
        struct ndp_npz_member *member = &npz->members[i];
        ask_member(npz, i, member);
        NDP_TRY(check_member(&npz->limits, member, i, error));
        if (!ndp_checked_add_u64(inflated, member->size_bytes, &inflated) || inflated > npz->limits.total_bytes)
            return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the total size of the members exceeds the limit");
        if (!ndp_checked_add_u64(packed, member->packed_bytes, &packed) ||
            !ndp_checked_add_u64(packed, LOCAL_HEADER_BYTES + member->name.size_bytes, &packed) ||
            packed > npz->source.size_bytes)
            return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET,
                                 "members overlap: their total size exceeds the archive");
    }
    return NDP_OK;
}

/* Reads the tail of a file into memory. A file that shrank after its size was queried ends earlier. */
static enum ndp_status load_tail(struct ndp_npz *npz, struct ndp_error *error) {
    struct ndp_npz_source *source = &npz->source;
    const uint64_t size = source->size_bytes < NDP_NPZ_TAIL_BYTES ? source->size_bytes : NDP_NPZ_TAIL_BYTES;
    const uint64_t at = source->size_bytes - size;
    uint64_t got = size;
    if (source->fd < 0) {
        source->tail = (struct ndp_bytes){source->bytes.data == NULL ? NULL : source->bytes.data + at, size};
    } else if (size > 0) {
        npz->tail = malloc((size_t)size);
        if (npz->tail == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the archive");
        if (ndp_fd_read_at(source->fd, npz->tail, size, at, &got) != NDP_OK)
            return ndp_error_set(error, NDP_IO, at, "reading the file: %s", strerror(errno));
        source->tail = (struct ndp_bytes){npz->tail, got};
    }
    source->tail_at_bytes = at;
    source->size_bytes = at + got;
    return NDP_OK;
}

/* NumPy detects an archive by these bytes (numpy/lib/_npyio_impl.py, load): its first member, or the end record of an
 * empty one. */
static enum ndp_status check_magic(const struct ndp_npz_source *source, struct ndp_error *error) {
    uint8_t magic[4] = {0};
    uint64_t got = 0;
    if (ndp_npz_source_read(source, magic, sizeof(magic), 0, &got) != NDP_OK)
        return ndp_error_set(error, NDP_IO, 0, "reading the file: %s", strerror(errno));
    if (got == sizeof(magic) && (memcmp(magic, "PK\3\4", 4) == 0 || memcmp(magic, "PK\5\6", 4) == 0)) return NDP_OK;
    if (got < sizeof(magic)) return ndp_error_set(error, NDP_TRUNCATED, got, "the archive is shorter than 22 bytes");
    return ndp_error_set(error, NDP_INVALID, 0, "not an archive: it does not start with PK");
}

static enum ndp_status open_archive(struct ndp_npz *npz, struct ndp_error *error) {
    zip_error_t failed;
    NDP_TRY(load_tail(npz, error));
    NDP_TRY(check_magic(&npz->source, error));
    NDP_TRY(ndp_npz_end_check(&npz->source, error));
    zip_source_t *source = ndp_npz_source_new(&npz->source);
    if (source == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the archive");
    zip_error_init(&failed);
    npz->archive = zip_open_from_source(source, ZIP_RDONLY, &failed);
    if (npz->archive == NULL) {
        const enum ndp_status status = zip_failure(npz, error, &failed, "opening the archive");
        zip_error_fini(&failed);
        zip_source_free(source);
        return status;
    }
    const zip_int64_t count = zip_get_num_entries(npz->archive, ZIP_FL_UNCHANGED);
    npz->count = count < 0 ? 0 : (uint64_t)count;
    return read_directory(npz, error);
}

/* Takes `source->fd`. */
static enum ndp_status open_source(const struct ndp_npz_source *source, const struct ndp_npz_limits *limits,
                                   struct ndp_npz **out, struct ndp_error *error) {
    struct ndp_npz *npz = calloc(1, sizeof(*npz));
    if (npz == NULL) {
        if (source->fd >= 0) (void)close(source->fd);
        return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the archive");
    }
    npz->source = *source;
    npz->limits = fill_limits(limits);
    const enum ndp_status status = open_archive(npz, error);
    if (status == NDP_OK) {
        *out = npz;
    } else {
        ndp_npz_free(npz);
    }
    return status;
}

enum ndp_status ndp_npz_open_memory(struct ndp_bytes bytes, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                    struct ndp_error *error) {
    const struct ndp_npz_source source = {.bytes = bytes, .fd = -1, .size_bytes = bytes.size_bytes};
    return open_source(&source, limits, out, error);
}

enum ndp_status ndp_npz_open_file(const char *path, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                  struct ndp_error *error) {
    int fd = -1;
    uint64_t size = 0;
    NDP_TRY(ndp_regular_open(AT_FDCWD, path, O_RDONLY, &fd, &size, error));
    const struct ndp_npz_source source = {.fd = fd, .size_bytes = size};
    return open_source(&source, limits, out, error);
}

enum ndp_status ndp_npz_open_fd(int fd, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                struct ndp_error *error) {
    uint64_t size = 0;
    NDP_TRY(ndp_regular_size(fd, &size, error));
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "duplicating the file descriptor: %s", strerror(errno));
    const struct ndp_npz_source source = {.fd = own, .size_bytes = size};
    return open_source(&source, limits, out, error);
}

void ndp_npz_free(struct ndp_npz *npz) {
    if (npz == NULL) return;
    if (npz->archive != NULL) zip_discard(npz->archive);
    zip_error_fini(&npz->source.error);
    if (npz->source.fd >= 0) (void)close(npz->source.fd);
    free(npz->members);
    free(npz->tail);
    free(npz);
}

static bool is_name(struct ndp_bytes name, struct ndp_bytes key, const char *ending) {
    const uint64_t length = strlen(ending);
    if (name.size_bytes < length || memcmp(name.data + name.size_bytes - length, ending, (size_t)length) != 0)
        return false;
    return ndp_bytes_is_equal((struct ndp_bytes){name.data, name.size_bytes - length}, key);
}

enum ndp_status ndp_npz_find(const struct ndp_npz *npz, struct ndp_bytes key, uint64_t *index,
                             struct ndp_error *error) {
    static const char *const endings[] = {"", ".npy"};
    for (uint32_t k = 0; k < NDP_ARRAY_LEN(endings); k++) {
        for (uint64_t i = npz->count; i-- > 0;) {
            if (!is_name(npz->members[i].name, key, endings[k])) continue;
            *index = i;
            return NDP_OK;
        }
    }
    return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "no member of that name among %llu",
                         (unsigned long long)npz->count);
}

/* A member that is being read. libzip checks size and CRC only at the end of the member; reading stops earlier if the
 * data exceed the size in the directory. */
struct reading {
    struct ndp_npz *npz;
    zip_file_t *file;
    uint64_t left_bytes;
    struct ndp_error *error;
    enum ndp_status status; /* the first failure */
};

/* libzip ignores the compression method of an empty member. */
static enum ndp_status check_packing(const struct ndp_npz_member *member, struct ndp_error *error) {
    if (member->is_encrypted) return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "the member is encrypted");
    if (!zip_compression_method_supported(member->method, 0))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "compression method %d is not supported",
                             member->method);
    return NDP_OK;
}

static enum ndp_status start_reading(struct ndp_npz *npz, uint64_t index, struct reading *reading,
                                     struct ndp_error *error) {
    const struct ndp_npz_member *member = &npz->members[index];
    NDP_TRY(check_packing(member, error));
    /* libzip does not verify the checksum of an empty member. */
    if (member->size_bytes == 0 && member->crc != 0)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the CRC of an empty member is %#x instead of 0",
                             member->crc);
    zip_file_t *file = zip_fopen_index(npz->archive, index, ZIP_FL_UNCHANGED);
    if (file == NULL) return zip_failure(npz, error, zip_get_error(npz->archive), "opening the member");
    *reading = (struct reading){.npz = npz, .file = file, .left_bytes = member->size_bytes, .error = error};
    return NDP_OK;
}

/* An ndp_read_bytes. */
static enum ndp_status read_member(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct reading *reading = source;
    if (reading->status != NDP_OK) return reading->status;
    const zip_int64_t got = zip_fread(reading->file, to, room_bytes < INT64_MAX ? room_bytes : INT64_MAX);
    if (got < 0 || reading->npz->source.is_broken) {
        reading->status =
            zip_failure(reading->npz, reading->error, zip_file_get_error(reading->file), "reading the member");
        return reading->status;
    }
    if ((uint64_t)got > reading->left_bytes) {
        reading->status = ndp_error_set(reading->error, NDP_INVALID, NDP_NO_OFFSET,
                                        "the member decompresses to more than its size in the directory");
        return reading->status;
    }
    reading->left_bytes -= (uint64_t)got;
    *got_bytes = (uint64_t)got;
    return NDP_OK;
}

/* Reads one piece, into `buffer` if there is one and bytes are expected. */
static enum ndp_status read_more(struct reading *reading, struct ndp_buffer *buffer, uint64_t *got_bytes) {
    uint8_t spare[SPARE_BYTES];
    if (buffer == NULL || reading->left_bytes == 0) return read_member(reading, spare, sizeof(spare), got_bytes);
    const uint64_t before_bytes = buffer->size_bytes;
    const uint64_t room_bytes = reading->left_bytes < PIECE_BYTES ? reading->left_bytes : PIECE_BYTES;
    uint8_t *room = NULL;
    enum ndp_status status = ndp_buffer_extend(buffer, room_bytes, &room);
    if (status != NDP_OK)
        return ndp_error_set(reading->error, status, NDP_NO_OFFSET, "reading the member: %s", ndp_status_text(status));
    status = read_member(reading, room, room_bytes, got_bytes);
    buffer->size_bytes = before_bytes + (status == NDP_OK ? *got_bytes : 0);
    return status;
}

/* Reads to the end of the member, so that its CRC and size are verified. */
static enum ndp_status read_rest(struct reading *reading, struct ndp_buffer *buffer) {
    uint64_t got = 1;
    while (got > 0) NDP_TRY(read_more(reading, buffer, &got));
    if (reading->left_bytes == 0) return NDP_OK;
    return ndp_error_set(reading->error, NDP_TRUNCATED, NDP_NO_OFFSET,
                         "the member is %llu bytes shorter than its size in the directory",
                         (unsigned long long)reading->left_bytes);
}

enum ndp_status ndp_npz_read(struct ndp_npz *npz, uint64_t index, struct ndp_buffer *buffer, struct ndp_error *error) {
    struct reading reading;
    NDP_TRY(start_reading(npz, index, &reading, error));
    const enum ndp_status status = read_rest(&reading, buffer);
    (void)zip_fclose(reading.file);
    return status;
}

/* An error of the archive takes precedence over an error of the NPY decoder. */
enum ndp_status ndp_npz_read_array(struct ndp_npz *npz, struct ndp_arena *arena, uint64_t index,
                                   const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                   struct ndp_error *error) {
    struct ndp_error of_member = {.offset_bytes = NDP_NO_OFFSET};
    struct ndp_npy_array array = {0};
    struct reading reading;
    NDP_TRY(start_reading(npz, index, &reading, error));
    reading.error = &of_member;
    enum ndp_status status = ndp_npy_decode_stream(arena, read_member, &reading, options, &array, error);
    if (status == NDP_OK) status = read_rest(&reading, NULL);
    if (of_member.status != NDP_OK && error != NULL) *error = of_member;
    (void)zip_fclose(reading.file);
    if (status == NDP_OK) {
        *out = array;
    } else {
        ndp_npy_array_clear(&array);
    }
    return status;
}

/* Finds the offset of the member's data from libzip's first read of it. */
static enum ndp_status find_data(struct ndp_npz *npz, uint64_t index, uint64_t *at_bytes, struct ndp_error *error) {
    struct reading reading;
    uint8_t first = 0;
    uint64_t got = 0;
    NDP_TRY(start_reading(npz, index, &reading, error));
    const enum ndp_status status = read_member(&reading, &first, sizeof(first), &got);
    (void)zip_fclose(reading.file);
    if (status != NDP_OK) return status;
    if (got != 1) return ndp_error_set(error, NDP_TRUNCATED, 0, "the member is empty");
    *at_bytes = npz->source.last_read_bytes;
    return NDP_OK;
}

/* Reads the NPY header at `at_bytes` of the file. */
static enum ndp_status read_header(const struct ndp_npz *npz, struct ndp_arena *arena, uint64_t at_bytes,
                                   uint64_t size_bytes, const struct ndp_npy_options *options,
                                   struct ndp_npy_header *header, struct ndp_error *error) {
    uint64_t room = NDP_NPY_LONG_PREFIX_BYTES + UINT64_C(10000) * UTF8_BYTES;
    if (options != NULL && options->header_chars > 0)
        room = NDP_NPY_LONG_PREFIX_BYTES + (uint64_t)options->header_chars * UTF8_BYTES;
    if (room > size_bytes) room = size_bytes;
    uint8_t *text = malloc((size_t)room);
    if (text == NULL) return ndp_error_set(error, NDP_NOMEM, NDP_NO_OFFSET, "no memory for the header");
    uint64_t got = 0;
    enum ndp_status status = ndp_npz_source_read(&npz->source, text, room, at_bytes, &got);
    status = status == NDP_OK ? ndp_npy_header_read(arena, (struct ndp_bytes){text, got}, options, header, error)
                              : ndp_error_set(error, status, NDP_NO_OFFSET, "reading: %s", strerror(errno));
    free(text);
    return status;
}

enum ndp_status ndp_npz_map_array(struct ndp_npz *npz, struct ndp_arena *arena, uint64_t index, enum ndp_map_mode mode,
                                  const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                  struct ndp_error *error) {
    struct ndp_npy_array array = {0};
    struct ndp_npz_member member;
    uint64_t at = 0;
    ndp_npz_member(npz, index, &member);
    if (mode != NDP_MAP_READ && mode != NDP_MAP_COPY)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET,
                             "a writable map would invalidate the CRC of the member");
    if (npz->source.fd < 0 || member.method != ZIP_CM_STORE)
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "only stored members of files can be mapped");
    NDP_TRY(find_data(npz, index, &at, error));
    NDP_TRY(read_header(npz, arena, at, member.size_bytes, options, &array.header, error));
    if (array.header.data_offset_bytes + array.header.size_bytes > member.size_bytes)
        return ndp_error_set(error, NDP_TRUNCATED, member.size_bytes, "the data extend past the end of the member");
    NDP_TRY(ndp_npy_array_start(&array, error));
    NDP_TRY(ndp_map_open_fd(npz->source.fd, mode, at + array.header.data_offset_bytes, array.header.size_bytes,
                            &array.map, error));
    array.data = array.map.data;
    *out = array;
    return NDP_OK;
}
