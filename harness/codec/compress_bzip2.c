/* compress_bzip2.c: bz2 streams through libbz2. */
#include <bzlib.h>
#include <stdlib.h>

#include "codec/compress_coder.h"

static enum ndp_status status_of(int code) {
    return code >= BZ_OK ? NDP_OK : code == BZ_MEM_ERROR ? NDP_NOMEM : NDP_INVALID;
}

static void give(bz_stream *stream, const struct ndp_coder_io *io) {
    stream->next_in = (char *)(uintptr_t)io->in;
    stream->avail_in = (unsigned)io->in_bytes;
    stream->next_out = (char *)io->out;
    stream->avail_out = (unsigned)io->out_bytes;
}

static enum ndp_status take(const bz_stream *stream, struct ndp_coder_io *io, int code) {
    io->in = (const uint8_t *)stream->next_in;
    io->in_bytes = stream->avail_in;
    io->out = (uint8_t *)stream->next_out;
    io->out_bytes = stream->avail_out;
    io->is_end = code == BZ_STREAM_END;
    return status_of(code);
}

static enum ndp_status read_step(void *state, struct ndp_coder_io *io) {
    give(state, io);
    return take(state, io, BZ2_bzDecompress(state));
}

/* With nothing to write BZ_RUN is an error. */
static enum ndp_status write_step(void *state, struct ndp_coder_io *io) {
    if (!io->is_last && io->in_bytes == 0) return NDP_OK;
    give(state, io);
    return take(state, io, BZ2_bzCompress(state, io->is_last ? BZ_FINISH : BZ_RUN));
}

static void free_reader(void *state) {
    (void)BZ2_bzDecompressEnd(state);
    free(state);
}

static void free_writer(void *state) {
    (void)BZ2_bzCompressEnd(state);
    free(state);
}

enum ndp_status ndp_bzip2_reader(struct ndp_coder *out) {
    bz_stream *stream = calloc(1, sizeof(*stream));
    if (stream == NULL) return NDP_NOMEM;
    const int code = BZ2_bzDecompressInit(stream, 0, 0);
    if (code == BZ_OK) *out = (struct ndp_coder){stream, read_step, free_reader};
    if (code != BZ_OK) free(stream);
    return status_of(code);
}

enum ndp_status ndp_bzip2_writer(int level, struct ndp_coder *out) {
    bz_stream *stream = calloc(1, sizeof(*stream));
    if (stream == NULL) return NDP_NOMEM;
    const int code = BZ2_bzCompressInit(stream, level, 0, 0);
    if (code == BZ_OK) *out = (struct ndp_coder){stream, write_step, free_writer};
    if (code != BZ_OK) free(stream);
    return status_of(code);
}
