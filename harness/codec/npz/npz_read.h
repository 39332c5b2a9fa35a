/* npz_read.h: NPZ archives: ZIP files whose members are NPY files. Source: APPNOTE.TXT 6.3; numpy/lib/_npyio_impl.py.
 *
 * libzip reads the container: the central directory is authoritative, the local header of a member only determines the
 * start of its data. Supported are stored and deflated members, and further methods of the installed libzip (Debian 12:
 * bzip2; others LZMA, XZ, from 1.8 on Zstandard), with and without ZIP64, in any order, from bytes or from a file.
 *
 * Names are data: raw bytes, including duplicates, separators, dots and invalid UTF-8; libzip replaces NULs by spaces.
 * Names are never used as paths. Every read continues to the end of the member, so that its CRC and size are verified
 * even if bytes follow the array.
 *
 * Additions to libzip: limits apply to the directory before decompression and to the decompressed data, because libzip
 * does not bound sizes; members that share bytes are refused, because small archives could otherwise expand without
 * limit; an archive must start with PK (libzip accepts a prefix, NumPy does not); the offset of a member's data, which
 * libzip does not expose, is found from its reads. Encrypted members and archives on several disks are UNSUPPORTED.
 */
#ifndef NDP_NPZ_READ_H
#define NDP_NPZ_READ_H

#include "codec/npy/npy_decode.h"

/* 0 stands for the default in brackets. */
struct ndp_npz_limits {
    uint64_t members;      /* [1048576] */
    uint64_t member_bytes; /* decompressed size of each [2^63 - 1] */
    uint64_t total_bytes;  /* decompressed size of all in the directory [2^63 - 1] */
    uint64_t ratio; /* decompressed to compressed, for members above free_bytes [1100: deflate's maximum is 1032] */
    uint64_t free_bytes; /* a member up to this size may have any ratio [64 MiB] */
};

struct ndp_npz_member {
    struct ndp_bytes name; /* borrowed from the archive, without a terminating NUL */
    uint16_t method;       /* 0 stored, 8 deflated ... */
    bool is_encrypted;
    uint32_t crc;
    uint64_t size_bytes; /* decompressed */
    uint64_t packed_bytes;
};

struct ndp_npz; /* owned; free with ndp_npz_free */

/* Gives an open archive; `limits` may be NULL. Borrows `bytes` until the archive is freed. Errors: INVALID (not an
 * archive, members that overlap), TRUNCATED, LIMIT, UNSUPPORTED, NOMEM, IO. */
enum ndp_status ndp_npz_open_memory(struct ndp_bytes bytes, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                    struct ndp_error *error) NDP_MUST_USE;

/* As above, for the regular file at `path`. Never blocks, like ndp_npy_decode_file. */
enum ndp_status ndp_npz_open_file(const char *path, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                  struct ndp_error *error) NDP_MUST_USE;

/* As above, for a file that is open for reading (borrowed). Does not use or change its position. */
enum ndp_status ndp_npz_open_fd(int fd, const struct ndp_npz_limits *limits, struct ndp_npz **out,
                                struct ndp_error *error) NDP_MUST_USE;

/* NULL does nothing. */
void ndp_npz_free(struct ndp_npz *npz);

uint64_t ndp_npz_count(const struct ndp_npz *npz);

/* Fills *out with member `index`, which must be below the count, in directory order. */
void ndp_npz_member(const struct ndp_npz *npz, uint64_t index, struct ndp_npz_member *out);

/* Fills the index of NumPy's member for `key`: the last one with that name, else the last one with that name and
 * ".npy". Errors: INVALID if there is none. */
enum ndp_status ndp_npz_find(const struct ndp_npz *npz, struct ndp_bytes key, uint64_t *index,
                             struct ndp_error *error) NDP_MUST_USE;

/* Appends the content of the member. On an error `buffer` may contain a part. Errors: INVALID (CRC, different sizes,
 * corrupt compressed data), TRUNCATED, LIMIT, UNSUPPORTED, NOMEM, IO. */
enum ndp_status ndp_npz_read(struct ndp_npz *npz, uint64_t index, struct ndp_buffer *buffer,
                             struct ndp_error *error) NDP_MUST_USE;

/* Fills *out with the member as an array. Error offsets of the NPY decoder count from the start of the member. */
enum ndp_status ndp_npz_read_array(struct ndp_npz *npz, struct ndp_arena *arena, uint64_t index,
                                   const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* Maps the data of a stored member of a file in place, with its alignment in the file. READ or COPY only, because
 * writes would invalidate the CRC. Does not read the data or verify their CRC. Errors: also UNSUPPORTED (compressed, or
 * not from a file). */
enum ndp_status ndp_npz_map_array(struct ndp_npz *npz, struct ndp_arena *arena, uint64_t index, enum ndp_map_mode mode,
                                  const struct ndp_npy_options *options, struct ndp_npy_array *out,
                                  struct ndp_error *error) NDP_MUST_USE;

#endif
