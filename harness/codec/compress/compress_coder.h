/* compress_coder.h: interface to one library behind compress.h, in either direction. Private to compress*.c. */
#ifndef NDP_COMPRESS_CODER_H
#define NDP_COMPRESS_CODER_H

#include "codec/compress/compress.h"

/* Input and output of a step, which advances the pointers and reduces the sizes. */
struct ndp_coder_io {
    const uint8_t *in;
    size_t in_bytes;
    uint8_t *out;
    size_t out_bytes;
    bool is_last; /* `in` is the end of the input */
    bool is_end;  /* out: the stream is complete */
};

/* A step proceeds as far as input and room allow. Errors: INVALID, LIMIT, NOMEM. A step without progress needs more
 * input or room. */
typedef enum ndp_status ndp_compress_coder_step(void *state, struct ndp_coder_io *io);

struct ndp_coder {
    void *state;
    ndp_compress_coder_step *step;
    void (*free)(void *state);
};

/* Fill `out`. All memory, including the library's, comes from `pool` (borrowed; may be NULL). Errors: INVALID (level),
 * NOMEM. */
enum ndp_status ndp_compress_zlib_reader(struct ndp_block_pool *pool, bool is_gzip, struct ndp_coder *out) NDP_MUST_USE;
enum ndp_status ndp_compress_zlib_writer(struct ndp_block_pool *pool, bool is_gzip, int level,
                                         struct ndp_coder *out) NDP_MUST_USE;
enum ndp_status ndp_compress_bzip2_reader(struct ndp_block_pool *pool, struct ndp_coder *out) NDP_MUST_USE;
enum ndp_status ndp_compress_bzip2_writer(struct ndp_block_pool *pool, int level, struct ndp_coder *out) NDP_MUST_USE;
enum ndp_status ndp_compress_lzma_reader(struct ndp_block_pool *pool, bool is_xz, uint64_t memory_bytes,
                                         struct ndp_coder *out) NDP_MUST_USE;
enum ndp_status ndp_compress_lzma_writer(struct ndp_block_pool *pool, bool is_xz, int level,
                                         struct ndp_coder *out) NDP_MUST_USE;
enum ndp_status ndp_compress_lz4_reader(struct ndp_block_pool *pool, struct ndp_coder *out) NDP_MUST_USE;
enum ndp_status ndp_compress_lz4_writer(struct ndp_block_pool *pool, int level, struct ndp_coder *out) NDP_MUST_USE;

#endif
