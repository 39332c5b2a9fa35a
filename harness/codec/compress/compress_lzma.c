/* compress_lzma.c: xz files and legacy .lzma files ("alone") through liblzma. The xz check is CRC64, as in Python's
 * lzma module (CPython, Modules/_lzmamodule.c). */
#include <lzma.h>
#include <string.h>

#include "base/checked.h"
#include "codec/compress/compress_coder.h"

static enum ndp_status status_of(lzma_ret code) {
    switch ((int)code) {
    case LZMA_OK:
    case LZMA_STREAM_END:
    case LZMA_NO_CHECK:
    case LZMA_GET_CHECK:
    case LZMA_BUF_ERROR: /* no progress: the caller detects that */
        return NDP_OK;
    case LZMA_MEM_ERROR:
        return NDP_NOMEM;
    case LZMA_MEMLIMIT_ERROR:
        return NDP_LIMIT;
    default:
        return NDP_INVALID;
    }
}

static enum ndp_status run_lzma_step(lzma_stream *stream, struct ndp_coder_io *io) {
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

/* liblzma passes its `opaque`, the pool. */
static void *take_block(void *pool, size_t count, size_t size_bytes) {
    uint64_t all_bytes;
    return ndp_checked_mul_u64(count, size_bytes, &all_bytes) ? ndp_block_pool_take(pool, all_bytes) : NULL;
}

static void give_block(void *pool, void *block) {
    ndp_block_pool_give(pool, block);
}

static void start_stream(struct ndp_block_pool *pool, lzma_stream *stream, lzma_allocator *allocator) {
    const lzma_stream empty = LZMA_STREAM_INIT;
    *allocator = (lzma_allocator){take_block, give_block, pool};
    *stream = empty;
    stream->allocator = allocator;
}

struct reader {
    lzma_stream stream;
    lzma_allocator allocator;
};

static enum ndp_status read_step(void *state, struct ndp_coder_io *io) {
    struct reader *reader = state;
    return run_lzma_step(&reader->stream, io);
}

static void free_reader(void *state) {
    struct reader *reader = state;
    lzma_end(&reader->stream);
    ndp_block_pool_give(reader->allocator.opaque, reader);
}

enum ndp_status ndp_compress_lzma_reader(struct ndp_block_pool *pool, bool is_xz, uint64_t memory_bytes,
                                         struct ndp_coder *out) {
    struct reader *reader = ndp_block_pool_take(pool, sizeof(*reader));
    if (reader == NULL) return NDP_NOMEM;
    start_stream(pool, &reader->stream, &reader->allocator);
    const lzma_ret code = is_xz ? lzma_stream_decoder(&reader->stream, memory_bytes, 0)
                                : lzma_alone_decoder(&reader->stream, memory_bytes);
    if (code == LZMA_OK) *out = (struct ndp_coder){reader, read_step, free_reader};
    if (code != LZMA_OK) free_reader(reader);
    return status_of(code);
}

/* A writer delays the start of its input. If that is the whole input, a dictionary of its size suffices. An encoder
 * first clears tables of four times the dictionary's size, which takes a hundred times as long as a small array. */
enum { DELAYED_BYTES = 1 << 16 };

struct writer {
    lzma_stream stream;
    lzma_allocator allocator;
    lzma_options_lzma options;
    bool is_xz;
    bool is_begun;
    size_t delayed_bytes;
    size_t delayed_at;
    uint8_t delayed[DELAYED_BYTES];
};

static enum ndp_status start_encoder(struct writer *writer, bool is_all) {
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &writer->options}, {LZMA_VLI_UNKNOWN, NULL}};
    lzma_options_lzma *options = &writer->options;
    if (is_all && writer->delayed_bytes < options->dict_size)
        options->dict_size = writer->delayed_bytes < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : DELAYED_BYTES;
    const lzma_ret code = writer->is_xz ? lzma_stream_encoder(&writer->stream, filters, LZMA_CHECK_CRC64)
                                        : lzma_alone_encoder(&writer->stream, options);
    writer->is_begun = code == LZMA_OK;
    return status_of(code);
}

static void delay_input(struct writer *writer, struct ndp_coder_io *io) {
    const size_t room = DELAYED_BYTES - writer->delayed_bytes;
    const size_t taken = io->in_bytes < room ? io->in_bytes : room;
    if (taken == 0) return;
    memcpy(writer->delayed + writer->delayed_bytes, io->in, taken);
    writer->delayed_bytes += taken;
    io->in += taken;
    io->in_bytes -= taken;
}

/* Writes the delayed input first. */
static enum ndp_status write_delayed(struct writer *writer, struct ndp_coder_io *io) {
    struct ndp_coder_io delayed = *io;
    delayed.in = writer->delayed + writer->delayed_at;
    delayed.in_bytes = writer->delayed_bytes - writer->delayed_at;
    delayed.is_last = io->is_last && io->in_bytes == 0;
    NDP_TRY(run_lzma_step(&writer->stream, &delayed));
    writer->delayed_at = writer->delayed_bytes - delayed.in_bytes;
    io->out = delayed.out;
    io->out_bytes = delayed.out_bytes;
    io->is_end = delayed.is_end;
    return NDP_OK;
}

static enum ndp_status write_step(void *state, struct ndp_coder_io *io) {
    struct writer *writer = state;
    if (!writer->is_begun) {
        delay_input(writer, io);
        const bool is_all = io->in_bytes == 0;
        if (is_all && !io->is_last) return NDP_OK;
        NDP_TRY(start_encoder(writer, is_all));
    }
    if (writer->delayed_at < writer->delayed_bytes) NDP_TRY(write_delayed(writer, io));
    if (writer->delayed_at < writer->delayed_bytes || io->is_end) return NDP_OK;
    return run_lzma_step(&writer->stream, io);
}

static void free_writer(void *state) {
    struct writer *writer = state;
    lzma_end(&writer->stream);
    ndp_block_pool_give(writer->allocator.opaque, writer);
}

enum ndp_status ndp_compress_lzma_writer(struct ndp_block_pool *pool, bool is_xz, int level, struct ndp_coder *out) {
    lzma_options_lzma options;
    if (level < 0 || lzma_lzma_preset(&options, (uint32_t)level)) return NDP_INVALID;
    struct writer *writer = ndp_block_pool_take(pool, sizeof(*writer));
    if (writer == NULL) return NDP_NOMEM;
    start_stream(pool, &writer->stream, &writer->allocator);
    writer->options = options;
    writer->is_xz = is_xz;
    writer->is_begun = false;
    writer->delayed_bytes = 0;
    writer->delayed_at = 0;
    *out = (struct ndp_coder){writer, write_step, free_writer};
    return NDP_OK;
}
