/* compress_zlib.c: zlib and gzip streams through zlib. Window and memory level are those of Python's zlib module, so
 * that the same level gives the same bytes (CPython, Lib/gzip.py and Modules/zlibmodule.c). */
#include <zlib.h>

#include "codec/compress/compress_coder.h"

enum { WINDOW_BITS = 15, GZIP_BITS = 16, MEMORY_LEVEL = 8 };

static enum ndp_status status_of(int code) {
    return code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END ? NDP_OK
           : code == Z_MEM_ERROR                                       ? NDP_NOMEM
                                                                       : NDP_INVALID;
}

/* zlib does not write through next_in; its type is const only with ZLIB_CONST. */
static int run_step(z_stream *stream, struct ndp_coder_io *io, int (*step)(z_stream *stream, int flush), int flush) {
    stream->next_in = (Bytef *)(uintptr_t)io->in;
    stream->avail_in = (uInt)io->in_bytes;
    stream->next_out = io->out;
    stream->avail_out = (uInt)io->out_bytes;
    const int code = step(stream, flush);
    io->in = stream->next_in;
    io->in_bytes = stream->avail_in;
    io->out = stream->next_out;
    io->out_bytes = stream->avail_out;
    io->is_end = code == Z_STREAM_END;
    return code;
}

static enum ndp_status read_step(void *state, struct ndp_coder_io *io) {
    const int code = run_step(state, io, inflate, Z_NO_FLUSH);
    return code == Z_NEED_DICT ? NDP_INVALID : status_of(code);
}

static enum ndp_status write_step(void *state, struct ndp_coder_io *io) {
    return status_of(run_step(state, io, deflate, io->is_last ? Z_FINISH : Z_NO_FLUSH));
}

/* zlib passes its `opaque`, the pool. */
static void *take_block(void *pool, unsigned count, unsigned size_bytes) {
    return ndp_block_pool_take(pool, (uint64_t)count * size_bytes);
}

static void give_block(void *pool, void *block) {
    ndp_block_pool_give(pool, block);
}

static z_stream *new_stream(struct ndp_block_pool *pool) {
    z_stream *stream = ndp_block_pool_take_zeroed(pool, 1, sizeof(*stream));
    if (stream == NULL) return NULL;
    stream->zalloc = take_block;
    stream->zfree = give_block;
    stream->opaque = pool;
    return stream;
}

static void free_stream(z_stream *stream) {
    ndp_block_pool_give(stream->opaque, stream);
}

static void free_reader(void *state) {
    (void)inflateEnd(state);
    free_stream(state);
}

static void free_writer(void *state) {
    (void)deflateEnd(state);
    free_stream(state);
}

enum ndp_status ndp_compress_zlib_reader(struct ndp_block_pool *pool, bool is_gzip, struct ndp_coder *out) {
    z_stream *stream = new_stream(pool);
    if (stream == NULL) return NDP_NOMEM;
    const int code = inflateInit2(stream, WINDOW_BITS + (is_gzip ? GZIP_BITS : 0));
    if (code == Z_OK) *out = (struct ndp_coder){stream, read_step, free_reader};
    if (code != Z_OK) free_stream(stream);
    return status_of(code);
}

enum ndp_status ndp_compress_zlib_writer(struct ndp_block_pool *pool, bool is_gzip, int level, struct ndp_coder *out) {
    z_stream *stream = new_stream(pool);
    if (stream == NULL) return NDP_NOMEM;
    const int code = deflateInit2(stream, level, Z_DEFLATED, WINDOW_BITS + (is_gzip ? GZIP_BITS : 0), MEMORY_LEVEL,
                                  Z_DEFAULT_STRATEGY);
    if (code == Z_OK) *out = (struct ndp_coder){stream, write_step, free_writer};
    if (code != Z_OK) free_stream(stream);
    return status_of(code);
}
