/* compress_lz4.c: LZ4 frames through liblz4. Its encoder needs room for the worst case in advance, so output is
 * buffered here until the caller takes it. Frames have linked blocks of 64 KiB without checksums, as those of Python's
 * lz4.frame. */
#define LZ4F_STATIC_LINKING_ONLY /* for custom memory, exported since 1.9.4 */
#include <lz4.h>
#include <lz4frame.h>
#include <string.h>

#include "base/portion.h"
#include "codec/compress/compress_coder.h"

/* Input per call of the encoder. */
enum { PIECE_BYTES = NDP_PORTION_BYTES(1 << 16) };

/* Size field of a block: LZ4 frame format 1.6.3. */
enum { SIZE_FIELD_BYTES = 4 };

static enum ndp_status status_of(size_t code) {
    if (!LZ4F_isError(code)) return NDP_OK;
    return strcmp(LZ4F_getErrorName(code), "ERROR_allocation_failed") == 0 ? NDP_NOMEM : NDP_INVALID;
}

/* liblz4 passes its opaque state, the pool. Before 1.9.4 it uses its own memory. */
#if LZ4_VERSION_NUMBER >= 10904
static void *take_block(void *pool, size_t size_bytes) {
    return ndp_block_pool_take(pool, size_bytes);
}

static void *take_zeroed(void *pool, size_t size_bytes) {
    return ndp_block_pool_take_zeroed(pool, 1, size_bytes);
}

static void give_block(void *pool, void *block) {
    ndp_block_pool_give(pool, block);
}

static LZ4F_dctx *new_decoder(struct ndp_block_pool *pool) {
    return LZ4F_createDecompressionContext_advanced((LZ4F_CustomMem){take_block, take_zeroed, give_block, pool},
                                                    LZ4F_VERSION);
}

static LZ4F_cctx *new_encoder(struct ndp_block_pool *pool) {
    return LZ4F_createCompressionContext_advanced((LZ4F_CustomMem){take_block, take_zeroed, give_block, pool},
                                                  LZ4F_VERSION);
}
#else
static LZ4F_dctx *new_decoder(struct ndp_block_pool *pool) {
    LZ4F_dctx *made = NULL;
    (void)pool;
    return LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) ? NULL : made;
}

static LZ4F_cctx *new_encoder(struct ndp_block_pool *pool) {
    LZ4F_cctx *made = NULL;
    (void)pool;
    return LZ4F_isError(LZ4F_createCompressionContext(&made, LZ4F_VERSION)) ? NULL : made;
}
#endif

/* Number of bytes that the decoder requests next: the rest of a block and the size of the next one. */
struct reader {
    struct ndp_block_pool *pool;
    LZ4F_dctx *context;
    size_t wanted_bytes;
    bool may_have_output; /* output that did not fit may be pending */
};

/* A failing call does not report the output it made. A call therefore gets at most one block, and only when no output
 * is pending, so that output before a corrupt block is complete regardless of the size of pieces. */
static enum ndp_status decode_block(struct reader *reader, size_t most_bytes, struct ndp_coder_io *io) {
    size_t taken = io->in_bytes < most_bytes ? io->in_bytes : most_bytes;
    size_t given = io->out_bytes;
    const size_t code = LZ4F_decompress(reader->context, io->out, &given, io->in, &taken, NULL);
    NDP_TRY(status_of(code));
    reader->wanted_bytes = code;
    io->in += taken;
    io->in_bytes -= taken;
    io->out += given;
    io->out_bytes -= given;
    io->is_end = code == 0;
    reader->may_have_output = io->out_bytes == 0;
    return NDP_OK;
}

static enum ndp_status read_step(void *state, struct ndp_coder_io *io) {
    struct reader *reader = state;
    const size_t room = io->out_bytes;
    if (reader->may_have_output) NDP_TRY(decode_block(reader, 0, io));
    if (io->out_bytes < room || io->is_end) return NDP_OK;
    const size_t wanted = reader->wanted_bytes;
    return decode_block(reader, wanted > SIZE_FIELD_BYTES ? wanted - SIZE_FIELD_BYTES : SIZE_FIELD_BYTES, io);
}

static void free_reader(void *state) {
    struct reader *reader = state;
    (void)LZ4F_freeDecompressionContext(reader->context);
    ndp_block_pool_give(reader->pool, reader);
}

enum ndp_status ndp_compress_lz4_reader(struct ndp_block_pool *pool, struct ndp_coder *out) {
    struct reader *reader = ndp_block_pool_take_zeroed(pool, 1, sizeof *reader);
    if (reader == NULL) return NDP_NOMEM;
    reader->pool = pool;
    reader->context = new_decoder(pool);
    if (reader->context == NULL) {
        ndp_block_pool_give(pool, reader);
        return NDP_NOMEM;
    }
    *out = (struct ndp_coder){reader, read_step, free_reader};
    return NDP_OK;
}

struct writer {
    struct ndp_block_pool *pool;
    LZ4F_cctx *context;
    LZ4F_preferences_t preferences;
    bool is_begun;
    bool is_ended;
    size_t waiting_at;
    size_t waiting_bytes;
    size_t room_bytes;
    uint8_t *room;
};

static void hand_over(struct writer *writer, struct ndp_coder_io *io) {
    size_t size = writer->waiting_bytes - writer->waiting_at;
    if (size > io->out_bytes) size = io->out_bytes;
    memcpy(io->out, writer->room + writer->waiting_at, size);
    writer->waiting_at += size;
    io->out += size;
    io->out_bytes -= size;
    io->is_end = writer->is_ended && writer->waiting_at == writer->waiting_bytes;
}

/* Makes more output: the start of the frame, a piece of the input, or the end. */
static enum ndp_status encode_next(struct writer *writer, struct ndp_coder_io *io) {
    size_t code;
    if (!writer->is_begun) {
        code = LZ4F_compressBegin(writer->context, writer->room, writer->room_bytes, &writer->preferences);
        writer->is_begun = true;
    } else if (io->in_bytes > 0) {
        const size_t piece = io->in_bytes < PIECE_BYTES ? io->in_bytes : PIECE_BYTES;
        code = LZ4F_compressUpdate(writer->context, writer->room, writer->room_bytes, io->in, piece, NULL);
        io->in += piece;
        io->in_bytes -= piece;
    } else {
        code = LZ4F_compressEnd(writer->context, writer->room, writer->room_bytes, NULL);
        writer->is_ended = true;
    }
    NDP_TRY(status_of(code));
    writer->waiting_at = 0;
    writer->waiting_bytes = code;
    return NDP_OK;
}

static enum ndp_status write_step(void *state, struct ndp_coder_io *io) {
    struct writer *writer = state;
    while (io->out_bytes > 0) {
        hand_over(writer, io);
        if (writer->waiting_at < writer->waiting_bytes || io->is_end) break;
        if (writer->is_begun && io->in_bytes == 0 && !io->is_last) break;
        NDP_TRY(encode_next(writer, io));
    }
    return NDP_OK;
}

static void free_writer(void *state) {
    struct writer *writer = state;
    (void)LZ4F_freeCompressionContext(writer->context);
    ndp_block_pool_give(writer->pool, writer->room);
    ndp_block_pool_give(writer->pool, writer);
}

enum ndp_status ndp_compress_lz4_writer(struct ndp_block_pool *pool, int level, struct ndp_coder *out) {
    struct writer *writer = ndp_block_pool_take_zeroed(pool, 1, sizeof(*writer));
    if (writer == NULL) return NDP_NOMEM;
    writer->pool = pool;
    writer->preferences.compressionLevel = level;
    writer->room_bytes = LZ4F_compressBound(PIECE_BYTES, &writer->preferences) + LZ4F_HEADER_SIZE_MAX;
    writer->room = ndp_block_pool_take(pool, writer->room_bytes);
    writer->context = new_encoder(pool);
    if (writer->room == NULL || writer->context == NULL) {
        free_writer(writer);
        return NDP_NOMEM;
    }
    *out = (struct ndp_coder){writer, write_step, free_writer};
    return NDP_OK;
}
