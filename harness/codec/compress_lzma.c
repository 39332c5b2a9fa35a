/* compress_lzma.c: xz files and the older .lzma files ("alone") through liblzma. The checks of xz are the ones that
 * Python's lzma module chooses: CRC64 (CPython, Modules/_lzmamodule.c). */
#include <lzma.h>
#include <stdlib.h>

#include "codec/compress_coder.h"

static enum ndp_status status_of(lzma_ret code) {
    switch ((int)code) {
    case LZMA_OK:
    case LZMA_STREAM_END:
    case LZMA_NO_CHECK:
    case LZMA_GET_CHECK:
    case LZMA_BUF_ERROR: /* nothing could move: the caller sees that */
        return NDP_OK;
    case LZMA_MEM_ERROR:
        return NDP_NOMEM;
    case LZMA_MEMLIMIT_ERROR:
        return NDP_LIMIT;
    default:
        return NDP_INVALID;
    }
}

static enum ndp_status step(void *state, struct ndp_coder_io *io) {
    lzma_stream *stream = state;
    stream->next_in = io->in;
    stream->avail_in = io->in_bytes;
    stream->next_out = io->out;
    stream->avail_out = io->out_bytes;
    const lzma_ret code = lzma_code(stream, io->is_last ? LZMA_FINISH : LZMA_RUN);
    io->in = stream->next_in;
    io->in_bytes = stream->avail_in;
    io->out = stream->next_out;
    io->out_bytes = stream->avail_out;
    io->is_end = code == LZMA_STREAM_END;
    return status_of(code);
}

static void free_stream(void *state) {
    lzma_end(state);
    free(state);
}

static enum ndp_status finish(lzma_stream *stream, lzma_ret code, struct ndp_coder *out) {
    if (code == LZMA_OK) *out = (struct ndp_coder){stream, step, free_stream};
    if (code != LZMA_OK) free_stream(stream);
    return status_of(code);
}

static lzma_stream *new_stream(void) {
    const lzma_stream empty = LZMA_STREAM_INIT;
    lzma_stream *stream = malloc(sizeof(*stream));
    if (stream != NULL) *stream = empty;
    return stream;
}

enum ndp_status ndp_lzma_reader(bool is_xz, uint64_t memory_bytes, struct ndp_coder *out) {
    lzma_stream *stream = new_stream();
    if (stream == NULL) return NDP_NOMEM;
    const lzma_ret code =
        is_xz ? lzma_stream_decoder(stream, memory_bytes, 0) : lzma_alone_decoder(stream, memory_bytes);
    return finish(stream, code, out);
}

enum ndp_status ndp_lzma_writer(bool is_xz, int level, struct ndp_coder *out) {
    lzma_options_lzma options;
    if (level < 0 || lzma_lzma_preset(&options, (uint32_t)level)) return NDP_INVALID;
    lzma_stream *stream = new_stream();
    if (stream == NULL) return NDP_NOMEM;
    const lzma_ret code =
        is_xz ? lzma_easy_encoder(stream, (uint32_t)level, LZMA_CHECK_CRC64) : lzma_alone_encoder(stream, &options);
    return finish(stream, code, out);
}
