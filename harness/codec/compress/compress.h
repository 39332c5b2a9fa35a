/* compress.h: compressed streams, each through its own library: zlib and gzip (zlib), bz2 (libbz2), lzma and xz
 * (liblzma), lz4 frames (liblz4). What joblib.dump(compress=...) writes and joblib.load detects.
 *
 * Reading gives what the first stream holds and stops there. Output is bounded, in all and in proportion to what went
 * in, before it is handed out, and so is what a header may make a library allocate. Where a format has a checksum it
 * is checked, and a stream that ends before its own end is TRUNCATED. Source: RFC 1950, 1952; joblib, compressor.py.
 */
#ifndef NDP_COMPRESS_H
#define NDP_COMPRESS_H

#include "base/block_pool.h"
#include "codec/source.h"
#include "codec/strided.h"

/* enum name, joblib's word, first bytes, how many of them joblib looks at */
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
    NDP_COMPRESS_LIST(NDP_COMPRESS_ENUM)
#undef NDP_COMPRESS_ENUM
        NDP_COMPRESS_COUNT
};

/* The method whose first bytes `start` begins with, or NONE. `start` is the first 5 bytes, or fewer of a shorter
 * input. */
enum ndp_compress_method ndp_compress_detect(struct ndp_bytes start);

/* The method that joblib calls `word`; NONE for any other word. */
enum ndp_compress_method ndp_compress_find(const char *word);

/* "zlib"; "none" for NONE. Never NULL. */
const char *ndp_compress_word(enum ndp_compress_method method);

/* 0 anywhere is the default in brackets. */
struct ndp_compress_limits {
    uint64_t output_bytes;       /* [2^63 - 1] */
    uint64_t ratio;              /* output to input, where output is over free_bytes [32768: bz2 of zeros has 23000] */
    uint64_t free_bytes;         /* [64 MiB] */
    uint64_t memory_bytes;       /* of the library's own, as headers ask for it [128 MiB: xz level 9 takes 65] */
    struct ndp_block_pool *pool; /* borrowed; where the library's memory is from; NULL is malloc */
};

struct ndp_decompressor; /* owned; to be freed */

/* Reads a stream of `method`, which is not NONE, from `read` and `from` (borrowed). `limits` may be NULL. Nothing is
 * read yet. Errors: NOMEM. */
enum ndp_status ndp_decompress_new(enum ndp_compress_method method, ndp_read_bytes *read, void *from,
                                   const struct ndp_compress_limits *limits, struct ndp_decompressor **out,
                                   struct ndp_error *error) NDP_MUST_USE;

/* A ndp_read_bytes for a struct ndp_decompressor. 0 bytes are the end of the stream, whose checksum was right. Errors:
 * TRUNCATED, INVALID, LIMIT, NOMEM, what reading gives; they stay. */
enum ndp_status ndp_decompress_read(void *decompressor, void *to, uint64_t room_bytes,
                                    uint64_t *got_bytes) NDP_MUST_USE;

/* Reads on to the end of the stream and throws away what comes. Errors as above. */
enum ndp_status ndp_decompress_drain(struct ndp_decompressor *decompressor) NDP_MUST_USE;

/* What reading said went wrong, with how many bytes of the input the library had taken; or NULL. Borrows. */
const struct ndp_error *ndp_decompress_error(const struct ndp_decompressor *decompressor);

/* NULL is nothing. */
void ndp_decompress_free(struct ndp_decompressor *decompressor);

struct ndp_compressor; /* owned; to be freed */

/* Writes a stream of `method`, which is not NONE, through `write` and `sink` (borrowed). `level` as joblib gives it to
 * the library; lz4 takes 0 for its default. Its memory is from `pool` (borrowed; may be NULL). Errors: INVALID (level),
 * NOMEM. */
enum ndp_status ndp_compress_new(enum ndp_compress_method method, int level, struct ndp_block_pool *pool,
                                 ndp_write_bytes *write, void *sink, struct ndp_compressor **out,
                                 struct ndp_error *error) NDP_MUST_USE;

/* A ndp_write_bytes for a struct ndp_compressor. Errors: NOMEM, what writing gives. */
enum ndp_status ndp_compress_write(void *compressor, const void *bytes, uint64_t size_bytes) NDP_MUST_USE;

/* Writes what is left, and the end of the stream. Errors as above. */
enum ndp_status ndp_compress_finish(struct ndp_compressor *compressor) NDP_MUST_USE;

/* NULL is nothing. What was not finished is no stream. */
void ndp_compress_free(struct ndp_compressor *compressor);

#endif
