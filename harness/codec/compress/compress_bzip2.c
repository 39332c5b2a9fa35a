/* compress_bzip2.c: bz2 streams through libbz2. */
#include <bzlib.h>

#include "codec/compress/compress_coder.h"

static enum ndp_status status_of(int code) {
    return code >= BZ_OK ? NDP_OK : code == BZ_MEM_ERROR ? NDP_NOMEM : NDP_INVALID;
}

static void give_output(bz_stream *stream, const struct ndp_coder_io *io) {
    stream->next_in = (char *)(uintptr_t)io->in;
    stream->avail_in = (unsigned)io->in_bytes;
    stream->next_out = (char *)io->out;
    stream->avail_out = (unsigned)io->out_bytes;
}

static enum ndp_status take_input(const bz_stream *stream, struct ndp_coder_io *io, int code) {
    io->in = (const uint8_t *)stream->next_in;
    io->in_bytes = stream->avail_in;
    io->out = (uint8_t *)stream->next_out;
    io->out_bytes = stream->avail_out;
    io->is_end = code == BZ_STREAM_END;
    return status_of(code);
}

static enum ndp_status read_step(void *state, struct ndp_coder_io *io) {
    give_output(state, io);
    return take_input(state, io, BZ2_bzDecompress(state));
}

/* BZ_RUN without input is an error. */
static enum ndp_status write_step(void *state, struct ndp_coder_io *io) {
    if (!io->is_last && io->in_bytes == 0) return NDP_OK;
    give_output(state, io);
    return take_input(state, io, BZ2_bzCompress(state, io->is_last ? BZ_FINISH : BZ_RUN));
}

/* libbz2 passes its `opaque`, the pool. */
static void *take_block(void *pool, int count, int size_bytes) {
    return count < 0 || size_bytes < 0 ? NULL : ndp_block_pool_take(pool, (uint64_t)count * (uint64_t)size_bytes);
}

static void give_block(void *pool, void *block) {
    ndp_block_pool_give(pool, block);
}

static bz_stream *new_stream(struct ndp_block_pool *pool) {
    bz_stream *stream = ndp_block_pool_take_zeroed(pool, 1, sizeof(*stream));
    if (stream == NULL) return NULL;
    stream->bzalloc = take_block;
    stream->bzfree = give_block;
    stream->opaque = pool;
    return stream;
}

static void free_stream(bz_stream *stream) {
    ndp_block_pool_give(stream->opaque, stream);
}

static void free_reader(void *state) {
    (void)BZ2_bzDecompressEnd(state);
    free_stream(state);
}

static void free_writer(void *state) {
    (void)BZ2_bzCompressEnd(state);
    free_stream(state);
}

enum ndp_status ndp_compress_bzip2_reader(struct ndp_block_pool *pool, struct ndp_coder *out) {
    bz_stream *stream = new_stream(pool);
    if (stream == NULL) return NDP_NOMEM;
    const int code = BZ2_bzDecompressInit(stream, 0, 0);
    if (code == BZ_OK) *out = (struct ndp_coder){stream, read_step, free_reader};
    if (code != BZ_OK) free_stream(stream);
    return status_of(code);
}

enum ndp_status ndp_compress_bzip2_writer(struct ndp_block_pool *pool, int level, struct ndp_coder *out) {
    bz_stream *stream = new_stream(pool);
    if (stream == NULL) return NDP_NOMEM;
    const int code = BZ2_bzCompressInit(stream, level, 0, 0);
    if (code == BZ_OK) *out = (struct ndp_coder){stream, write_step, free_writer};
    if (code != BZ_OK) free_stream(stream);
    return status_of(code);
}
