/* compress.h: compressed streams through their libraries: zlib and gzip (zlib), bz2 (libbz2), lzma and xz (liblzma),
 * lz4 frames (liblz4), as joblib.dump(compress=...) writes and joblib.load detects them.
 *
 * A reader stops after the first stream. The total output, the ratio of output to input, and memory that a header makes
 * the library allocate are limited, and limits apply before output is returned. Checksums are verified if the format
 * has them, and a stream without its end is TRUNCATED. Source: RFC 1950, 1952; joblib, compressor.py.
 */
#ifndef NDP_COMPRESS_H
#define NDP_COMPRESS_H

#include "base/block_pool.h"
#include "codec/source.h"
#include "codec/strided.h"

/* enum name, joblib's name, magic bytes, number of bytes that joblib compares */
#define NDP_COMPRESS_LIST(X)                                                                                           \
    X(ZLIB, "zlib", "\x78", 1)                                                                                         \
    X(GZIP, "gzip", "\x1f\x8b", 2)                                                                                     \
    X(BZ2, "bz2", "BZ", 2)                                                                                             \
    X(LZMA, "lzma", "\x5d\x00", 2)                                                                                     \
    X(XZ, "xz", "\xfd\x37zXZ", 5)                                                                                      \
    X(LZ4, "lz4", "\x04\x22\x4d\x18", 4)

enum ndp_compress_method {
    NDP_COMPRESS_NONE,
#define NDP_COMPRESS_ENUM(name, word, magic, size) NDP_COMPRESS_##name,
    NDP_COMPRESS_LIST(NDP_COMPRESS_ENUM) NDP_COMPRESS_COUNT
};

/* Returns the method whose magic is a prefix of `start`, or NONE. `start` is the first 5 bytes, or fewer of a shorter
 * input. */
enum ndp_compress_method ndp_compress_detect(struct ndp_bytes start);

/* Returns the method with joblib's name `word`, or NONE. */
enum ndp_compress_method ndp_compress_find(const char *word);

/* "zlib"; "none" for NONE. Never NULL. */
const char *ndp_compress_word(enum ndp_compress_method method);

/* 0 stands for the default in brackets. */
struct ndp_compress_limits {
    uint64_t output_bytes;       /* [2^63 - 1] */
    uint64_t ratio;              /* output to input, for output above free_bytes [32768: bz2 of zeros has 23000] */
    uint64_t free_bytes;         /* [64 MiB] */
    uint64_t memory_bytes;       /* memory of the library, as requested by headers [128 MiB: xz level 9 takes 65] */
    struct ndp_block_pool *pool; /* borrowed; memory of the library; NULL means malloc */
};

struct ndp_decompressor; /* owned; free with ndp_decompress_free */

/* Gives a reader of `method` (not NONE) over `read` and `from` (borrowed). `limits` may be NULL. Does not read yet.
 * Errors: NOMEM. */
enum ndp_status ndp_decompress_new(enum ndp_compress_method method, ndp_read_bytes *read, void *from,
                                   const struct ndp_compress_limits *limits, struct ndp_decompressor **out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* An ndp_read_bytes for a struct ndp_decompressor. 0 bytes mean the end of a stream with a correct checksum. Errors:
 * TRUNCATED, INVALID, LIMIT, NOMEM, those of `read`. An error repeats in later calls. */
enum ndp_status ndp_decompress_read(void *decompressor, void *to, uint64_t room_bytes,
                                    uint64_t *got_bytes) NDP_MUST_USE;

/* Reads and discards the rest of the stream. Errors as above. */
enum ndp_status ndp_decompress_drain(struct ndp_decompressor *decompressor) NDP_MUST_USE;

/* Returns the error of the reader, with the number of consumed input bytes as its offset, or NULL. Borrows. */
const struct ndp_error *ndp_decompress_error(const struct ndp_decompressor *decompressor);

/* NULL does nothing. */
void ndp_decompress_free(struct ndp_decompressor *decompressor);

struct ndp_compressor; /* owned; free with ndp_compress_free */

/* Gives a writer of `method` (not NONE) to `write` and `sink` (borrowed). `level` is joblib's; lz4 uses 0 for its
 * default. Memory comes from `pool` (borrowed; may be NULL). Errors: INVALID (level), NOMEM. */
enum ndp_status ndp_compress_new(enum ndp_compress_method method, int level, struct ndp_block_pool *pool,
                                 ndp_write_bytes *write, void *sink, struct ndp_compressor **out,
                                 struct ndp_error *error) NDP_MUST_USE;

/* An ndp_write_bytes for a struct ndp_compressor. Errors: NOMEM, those of `write`. */
enum ndp_status ndp_compress_write(void *compressor, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;

/* Writes pending output and the end of the stream. Errors as above. */
enum ndp_status ndp_compress_finish(struct ndp_compressor *compressor) NDP_MUST_USE;

/* NULL does nothing. Without ndp_compress_finish the output is not a valid stream. */
void ndp_compress_free(struct ndp_compressor *compressor);

#endif
