/* npz_read.h: NPZ archives: ZIP files whose members are NPY files. Source: APPNOTE.TXT 6.3; numpy/lib/_npyio_impl.py.
 *
 * The container is read by libzip: the central directory is the authority, the local header of a member only says
 * where its data start. Stored and deflated members, and what else the libzip at hand inflates (Debian 12: bzip2;
 * others LZMA, XZ, from 1.8 on Zstandard), with and without zip64, in any order, from bytes or from a file.
 *
 * Names are data: raw bytes, in which libzip makes spaces of NULs; duplicates, separators, dots and bytes that are no
 * UTF-8 included; nothing here makes a path of one. Every read goes to the end of the member, so that its CRC and its
 * size are checked whatever stands behind the array.
 *
 * What libzip does not do, and what is done here: it does not bound sizes, so limits are held against the directory
 * before a byte is inflated, and against what comes out; members that share bytes are refused, because that is how
 * small archives grow without end; an archive must start with PK (libzip takes junk in front, NumPy does not); the
 * place of a member's data, which libzip keeps to itself, is learned from where it reads. Encrypted members and
 * archives on several disks are UNSUPPORTED.
 */
#ifndef NDP_NPZ_READ_H
#define NDP_NPZ_READ_H

#include "codec/npy/npy_decode.h"

/* 0 anywhere is the default in brackets. */
struct ndp_npz_limits {
    uint64_t members;      /* [1048576] */
    uint64_t member_bytes; /* inflated, each [2^63 - 1] */
    uint64_t total_bytes;  /* inflated, all that the directory lists [2^63 - 1] */
    uint64_t ratio;        /* inflated to packed, where a member is over free_bytes [1100: deflate cannot pass 1032] */
    uint64_t free_bytes;   /* a member up to this size may have any ratio [64 MiB] */
};

struct ndp_npz_member {
    struct ndp_bytes name; /* borrowed from the archive, without NUL */
    uint16_t method;       /* 0 stored, 8 deflated ... */
    bool is_encrypted;
    uint32_t crc;
    uint64_t size_bytes; /* inflated */
    uint64_t packed_bytes;
};

struct ndp_npz; /* owned; to be freed with ndp_npz_free */

/* Open archives; `limits` may be NULL. `bytes` are borrowed until the archive is freed. Errors: INVALID (no archive,
 * members that overlap), TRUNCATED, LIMIT, UNSUPPORTED, NOMEM, IO. */
enum ndp_status ndp_npz_open_memory(struct ndp_bytes bytes, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* The regular file at `path`; never waits, as ndp_npy_decode_file. */
enum ndp_status ndp_npz_open_file(const char *path, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                  struct ndp_error *error) NDP_MUST_USE;

/* The same of a file that is open for reading (borrowed). Its position is neither asked for nor moved. */
enum ndp_status ndp_npz_open_fd(int fd, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                struct ndp_error *error) NDP_MUST_USE;

/* NULL is nothing. */
void ndp_npz_free(struct ndp_npz *npz);

uint64_t ndp_npz_count(const struct ndp_npz *npz);

/* `index` is below the count, in the order of the directory. */
void ndp_npz_member(const struct ndp_npz *npz, uint64_t index, struct ndp_npz_member *out);

/* The member that NumPy gives for `key`: the last one of that very name, else the last one named `key` and ".npy".
 * Errors: INVALID when there is none. */
enum ndp_status ndp_npz_find(const struct ndp_npz *npz, struct ndp_bytes key, uint64_t *index,
                             struct ndp_error *error) NDP_MUST_USE;

/* Appends the content of the member. On an error `buffer` may hold a part. Errors: INVALID (CRC, sizes that differ,
 * broken packed data), TRUNCATED, LIMIT, UNSUPPORTED, NOMEM, IO. */
enum ndp_status ndp_npz_read(struct ndp_npz *npz, uint64_t index, struct ndp_buffer *buffer,
                             struct ndp_error *error) NDP_MUST_USE;

/* The member as an array; offsets in errors of the NPY decoder count from the start of the member. */
enum ndp_status ndp_npz_read_array(struct ndp_npz *npz, struct ndp_arena *arena, uint64_t index,
                                   const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* Maps the data of a stored member of an archive that is a file, in place, at whatever alignment it has. READ or COPY:
 * written bytes would no longer meet the CRC. The data are not read and their CRC is not checked. Errors: also
 * UNSUPPORTED (packed, or no file). */
enum ndp_status ndp_npz_map_array(struct ndp_npz *npz, struct ndp_arena *arena, uint64_t index, enum ndp_map_mode mode,
                                  const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                  struct ndp_error *error) NDP_MUST_USE;

#endif
