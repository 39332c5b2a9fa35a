/* compress.c: bounded readers and writers of compressed streams.
 *
 * Problem: a small compressed stream can expand without limit, and the result must not depend on the sizes of the
 * pieces in which it is read.
 *
 * Method: one loop drives the coder of each library (compress_coder.h) over a window. After each step it checks the
 * total output, and above free_bytes its ratio to the input. Output before a limit or an error is returned first; the
 * error follows in the next call and repeats.
 *
 * Cost: that of the library, plus one window per stream. Limits: see struct ndp_compress_limits.
 */
#include "codec/compress/compress.h"

#include <string.h>

#include "base/checked.h"
#include "base/portion.h"
#include "codec/compress/compress_coder.h"

enum { WINDOW_BYTES = NDP_PORTION_BYTES(1 << 16), STEP_BYTES_MAX = 1 << 30 };

#define OUTPUT_BYTES INT64_MAX
#define RATIO        UINT64_C(32768)
#define FREE_BYTES   (UINT64_C(64) << 20)
#define MEMORY_BYTES (UINT64_C(128) << 20)

struct method_row {
    const char *word;
    const char *magic;
    uint64_t size_bytes;
};

static const struct method_row rows[] = {{"none", "", 0},
#define METHOD_ROW(name, word, magic, size) {word, magic, size},
                                         NDP_COMPRESS_LIST(METHOD_ROW)};

enum ndp_compress_method ndp_compress_detect(struct ndp_bytes start) {
    for (uint32_t i = 1; i < NDP_ARRAY_LEN(rows); i++) {
        if (start.size_bytes >= rows[i].size_bytes &&
            memcmp(start.data, rows[i].magic, (size_t)rows[i].size_bytes) == 0)
            return (enum ndp_compress_method)i;
    }
    return NDP_COMPRESS_NONE;
}

enum ndp_compress_method ndp_compress_find(const char *word) {
    for (uint32_t i = 1; i < NDP_ARRAY_LEN(rows); i++)
        if (ndp_bytes_word_is(word, rows[i].word)) return (enum ndp_compress_method)i;
    return NDP_COMPRESS_NONE;
}

const char *ndp_compress_word(enum ndp_compress_method method) {
    return rows[method].word;
}

struct ndp_decompressor {
    struct ndp_coder coder;
    struct ndp_block_pool *pool;
    ndp_read_bytes *read;
    void *from;
    struct ndp_compress_limits limits;
    const char *word;
    uint64_t in_bytes;
    uint64_t out_bytes;
    bool is_last;
    bool is_end;
    bool is_reported; /* the caller has received the error */
    struct ndp_error error;
    size_t window_at;
    size_t window_bytes;
    uint8_t window[WINDOW_BYTES];
};

static enum ndp_status new_reader(enum ndp_compress_method method, struct ndp_block_pool *pool, uint64_t memory_bytes,
                                  struct ndp_coder *out) {
    switch (method) {
    case NDP_COMPRESS_ZLIB:
    case NDP_COMPRESS_GZIP:
        return ndp_compress_zlib_reader(pool, method == NDP_COMPRESS_GZIP, out);
    case NDP_COMPRESS_BZ2:
        return ndp_compress_bzip2_reader(pool, out);
    case NDP_COMPRESS_LZMA:
    case NDP_COMPRESS_XZ:
        return ndp_compress_lzma_reader(pool, method == NDP_COMPRESS_XZ, memory_bytes, out);
    case NDP_COMPRESS_LZ4:
        return ndp_compress_lz4_reader(pool, out);
    case NDP_COMPRESS_NONE:
    case NDP_COMPRESS_COUNT:
        break;
    }
    return NDP_INVALID;
}

static uint64_t or_default(uint64_t limit, uint64_t otherwise) {
    return limit == 0 ? otherwise : limit;
}

enum ndp_status ndp_decompress_new(enum ndp_compress_method method, ndp_read_bytes *read, void *from,
                                   const struct ndp_compress_limits *limits, struct ndp_decompressor **out,
                                   struct ndp_error *error) {
    const struct ndp_compress_limits given = limits != NULL ? *limits : (struct ndp_compress_limits){0};
    struct ndp_decompressor *made = ndp_block_pool_take(given.pool, sizeof(*made));
    enum ndp_status status = made == NULL ? NDP_NOMEM : NDP_OK;
    if (made != NULL) {
        memset(made, 0, offsetof(struct ndp_decompressor, window));
        made->pool = given.pool;
        made->read = read;
        made->from = from;
        made->word = ndp_compress_word(method);
        made->limits.output_bytes = or_default(given.output_bytes, OUTPUT_BYTES);
        made->limits.ratio = or_default(given.ratio, RATIO);
        made->limits.free_bytes = or_default(given.free_bytes, FREE_BYTES);
        status = new_reader(method, given.pool, or_default(given.memory_bytes, MEMORY_BYTES), &made->coder);
    }
    if (status == NDP_OK) {
        *out = made;
        return NDP_OK;
    }
    ndp_block_pool_give(given.pool, made);
    return ndp_error_set(error, status, NDP_NO_OFFSET, "starting to decompress: %s", ndp_status_text(status));
}

static enum ndp_status set_stream_error(struct ndp_decompressor *d, enum ndp_status status, const char *what) {
    return ndp_error_set(&d->error, status, d->in_bytes, "%s stream: %s", d->word, what);
}

static enum ndp_status fill_window(struct ndp_decompressor *d) {
    uint64_t got = 0;
    const enum ndp_status status = d->read(d->from, d->window, WINDOW_BYTES, &got);
    if (status != NDP_OK) return set_stream_error(d, status, ndp_status_text(status));
    d->window_at = 0;
    d->window_bytes = (size_t)got;
    d->is_last = got == 0;
    return NDP_OK;
}

/* Output up to the limit is returned first, so that the result does not depend on the size of pieces. */
static enum ndp_status check_limit(struct ndp_decompressor *d, uint64_t *got_bytes) {
    const uint64_t beyond = d->out_bytes - d->limits.output_bytes;
    *got_bytes -= beyond < *got_bytes ? beyond : *got_bytes;
    (void)set_stream_error(d, NDP_LIMIT, "output exceeds the limit");
    return *got_bytes > 0 ? NDP_OK : NDP_LIMIT;
}

static enum ndp_status check_ratio(struct ndp_decompressor *d) {
    uint64_t allowed = 0;
    if (!ndp_checked_mul_u64(d->in_bytes, d->limits.ratio, &allowed)) allowed = UINT64_MAX;
    if (d->out_bytes > d->limits.free_bytes && d->out_bytes > allowed)
        return set_stream_error(d, NDP_LIMIT, "compression ratio exceeds the limit");
    return NDP_OK;
}

/* One step of the library over the window. */
static enum ndp_status read_window(struct ndp_decompressor *d, uint8_t *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_coder_io io = {.in = d->window + d->window_at,
                              .in_bytes = d->window_bytes - d->window_at,
                              .out = to,
                              .out_bytes = room_bytes < STEP_BYTES_MAX ? (size_t)room_bytes : STEP_BYTES_MAX,
                              .is_last = d->is_last};
    const enum ndp_status status = d->coder.step(d->coder.state, &io);
    const size_t taken = (size_t)(io.in - (d->window + d->window_at));
    *got_bytes = (uint64_t)(io.out - to);
    d->window_at += taken;
    d->in_bytes += taken;
    d->out_bytes += *got_bytes;
    d->is_end = io.is_end;
    NDP_TRY(check_ratio(d));
    if (d->out_bytes > d->limits.output_bytes) return check_limit(d, got_bytes);
    /* Output before the error is returned first, so that the result does not depend on the size of pieces. */
    if (status != NDP_OK) {
        (void)set_stream_error(d, status, ndp_status_text(status));
        return *got_bytes > 0 ? NDP_OK : status;
    }
    if (!d->is_end && d->is_last && *got_bytes == 0) return set_stream_error(d, NDP_TRUNCATED, "truncated");
    return NDP_OK;
}

enum ndp_status ndp_decompress_read(void *decompressor, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    struct ndp_decompressor *d = decompressor;
    uint64_t got = 0;
    enum ndp_status status = d->error.status;
    while (status == NDP_OK && got == 0 && room_bytes > 0 && !d->is_end) {
        if (d->window_at == d->window_bytes && !d->is_last) status = fill_window(d);
        if (status == NDP_OK) status = read_window(d, to, room_bytes, &got);
    }
    d->is_reported = status != NDP_OK;
    if (status == NDP_OK) *got_bytes = got;
    return status;
}

enum ndp_status ndp_decompress_drain(struct ndp_decompressor *decompressor) {
    uint8_t piece[4096];
    uint64_t got = 1;
    while (got > 0) NDP_TRY(ndp_decompress_read(decompressor, piece, sizeof(piece), &got));
    return NDP_OK;
}

const struct ndp_error *ndp_decompress_error(const struct ndp_decompressor *decompressor) {
    return decompressor->is_reported ? &decompressor->error : NULL;
}

void ndp_decompress_free(struct ndp_decompressor *decompressor) {
    if (decompressor == NULL) return;
    decompressor->coder.free(decompressor->coder.state);
    ndp_block_pool_give(decompressor->pool, decompressor);
}

struct ndp_compressor {
    struct ndp_coder coder;
    struct ndp_block_pool *pool;
    ndp_write_bytes *write;
    void *sink;
    uint8_t window[WINDOW_BYTES];
};

static enum ndp_status new_writer(enum ndp_compress_method method, struct ndp_block_pool *pool, int level,
                                  struct ndp_coder *out) {
    switch (method) {
    case NDP_COMPRESS_ZLIB:
    case NDP_COMPRESS_GZIP:
        return ndp_compress_zlib_writer(pool, method == NDP_COMPRESS_GZIP, level, out);
    case NDP_COMPRESS_BZ2:
        return ndp_compress_bzip2_writer(pool, level, out);
    case NDP_COMPRESS_LZMA:
    case NDP_COMPRESS_XZ:
        return ndp_compress_lzma_writer(pool, method == NDP_COMPRESS_XZ, level, out);
    case NDP_COMPRESS_LZ4:
        return ndp_compress_lz4_writer(pool, level, out);
    case NDP_COMPRESS_NONE:
    case NDP_COMPRESS_COUNT:
        break;
    }
    return NDP_INVALID;
}

enum ndp_status ndp_compress_new(enum ndp_compress_method method, int level, struct ndp_block_pool *pool,
                                 ndp_write_bytes *write, void *sink, struct ndp_compressor **out,
                                 struct ndp_error *error) {
    struct ndp_compressor *made = ndp_block_pool_take(pool, sizeof(*made));
    enum ndp_status status = made == NULL ? NDP_NOMEM : new_writer(method, pool, level, &made->coder);
    if (status != NDP_OK) {
        ndp_block_pool_give(pool, made);
        return ndp_error_set(error, status, NDP_NO_OFFSET, "starting to compress: %s", ndp_status_text(status));
    }
    made->pool = pool;
    made->write = write;
    made->sink = sink;
    *out = made;
    return NDP_OK;
}

/* Steps until the input is consumed or, at the end, the stream is complete. */
static enum ndp_status write_steps(struct ndp_compressor *c, struct ndp_coder_io *io) {
    do {
        io->out = c->window;
        io->out_bytes = WINDOW_BYTES;
        NDP_TRY(c->coder.step(c->coder.state, io));
        if (io->out > c->window) NDP_TRY(c->write(c->sink, c->window, (uint64_t)(io->out - c->window)));
    } while (io->is_last ? !io->is_end : io->in_bytes > 0);
    return NDP_OK;
}

enum ndp_status ndp_compress_write(void *compressor, const void *bytes, uint64_t size_bytes) {
    const uint8_t *at = bytes;
    while (size_bytes > 0) {
        const size_t piece = size_bytes < STEP_BYTES_MAX ? (size_t)size_bytes : STEP_BYTES_MAX;
        struct ndp_coder_io io = {.in = at, .in_bytes = piece};
        NDP_TRY(write_steps(compressor, &io));
        at += piece;
        size_bytes -= piece;
    }
    return NDP_OK;
}

enum ndp_status ndp_compress_finish(struct ndp_compressor *compressor) {
    static const uint8_t nothing[1] = {0};
    struct ndp_coder_io io = {.in = nothing, .is_last = true};
    return write_steps(compressor, &io);
}

void ndp_compress_free(struct ndp_compressor *compressor) {
    if (compressor == NULL) return;
    compressor->coder.free(compressor->coder.state);
    ndp_block_pool_give(compressor->pool, compressor);
}
