#include "oracle/streamed.h"

#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_read.h"
#include "codec/pickle/pickle_write.h"
#include "form/breaking.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/apart.h"
#include "oracle/read_as.h"
#include "oracle/same_array.h"

enum { BREAKS_ONE_IN = 8 };

/* What an encoder is to write, to sinks of two sizes: that of all of it, and less. */
struct encoding {
    struct ndp_arena *arena;
    const struct ndp_elements *elements;
    uint64_t pick;
};

typedef enum ndp_status encode_to(const struct encoding *encoding, void *sink);

static enum ndp_status encode_npy(const struct encoding *encoding, void *sink) {
    return ndp_npy_encode(encoding->elements, 0, fuzz_write_breaking, sink, NULL);
}

static enum ndp_status encode_joblib(const struct encoding *encoding, void *sink) {
    static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
    const enum ndp_compress_method method = (enum ndp_compress_method)(encoding->pick / 6 % NDP_COMPRESS_COUNT);
    const struct ndp_joblib_output form = {
        {(uint32_t)(encoding->pick % 6), 16, false, NULL}, NDP_NUMPY_1, method, 1, &pool};
    return ndp_joblib_encode(encoding->arena, encoding->elements, &form, fuzz_write_breaking, sink, NULL);
}

static void check_sink(encode_to *encode, const struct ndp_npy_array *array, struct ndp_arena *arena, uint64_t pick) {
    const struct ndp_elements elements = {array->header.dtype, &array->layout, array->data};
    /* What lies apart is written in more than one piece. */
    const bool is_apart = (pick >> 40) % 2 == 1;
    const struct encoding encoding = {arena, is_apart ? fuzz_lay_apart(arena, &elements) : &elements, pick};
    struct fuzz_breaking whole = {.left_bytes = UINT64_MAX};
    if (!FUZZ_HOLDS(encode(&encoding, &whole) == NDP_OK)) return;
    struct fuzz_breaking part = {.left_bytes = pick / 64 % (UINT64_MAX - whole.left_bytes)};
    FUZZ_HOLDS(encode(&encoding, &part) == NDP_IO);
}

void fuzz_npy_streamed(struct ndp_arena *arena, struct ndp_bytes bytes, enum ndp_status want,
                       const struct ndp_npy_array *first, uint64_t pick) {
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    struct fuzz_breaking broken = fuzz_breaking_stream(bytes, pick / BREAKS_ONE_IN);
    struct ndp_npy_array next = {0};
    enum ndp_status got = ndp_npy_decode_stream(arena, fuzz_read_pieces, &cursor, NULL, &next, fuzz_refusal());
    if (want != NDP_UNSUPPORTED) fuzz_says_refusal(got);
    fuzz_same_file("stream", want, first, got, &next);
    if (pick % BREAKS_ONE_IN == 0) {
        got = ndp_npy_decode_stream(arena, fuzz_read_breaking, &broken, NULL, &next, NULL);
        FUZZ_HOLDS(fuzz_is_told(&broken, got, want));
        ndp_npy_array_clear(&next);
    }
    if (pick % BREAKS_ONE_IN == 1 && want == NDP_OK) check_sink(encode_npy, first, arena, pick / BREAKS_ONE_IN);
}

void fuzz_joblib_streamed(struct ndp_arena *arena, struct ndp_bytes bytes, const struct ndp_joblib_options *options,
                          enum ndp_status want, const struct ndp_npy_array *first, uint64_t pick) {
    const enum ndp_compress_method method = ndp_compress_detect(bytes);
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    struct fuzz_breaking broken = fuzz_breaking_stream(bytes, pick / BREAKS_ONE_IN);
    struct ndp_npy_array next = {0};
    enum ndp_status got = ndp_joblib_decode_stream(arena, fuzz_read_pieces, &cursor, options, &next, fuzz_refusal());
    if (method == NDP_COMPRESS_NONE) fuzz_says_refusal(got);
    /* liblzma may give what stands behind the end of a part of its own: the pieces decide what is wrong first. */
    const bool is_lzma = method == NDP_COMPRESS_XZ || method == NDP_COMPRESS_LZMA;
    if (!is_lzma || want == NDP_OK || got == NDP_OK) fuzz_same_file("stream", want, first, got, &next);
    if (pick % BREAKS_ONE_IN == 0) {
        got = ndp_joblib_decode_stream(arena, fuzz_read_breaking, &broken, options, &next, NULL);
        FUZZ_HOLDS(fuzz_is_told(&broken, got, want) || (is_lzma && !broken.has_failed));
        ndp_npy_array_clear(&next);
    }
    if (pick % BREAKS_ONE_IN == 1 && want == NDP_OK) check_sink(encode_joblib, first, arena, pick / BREAKS_ONE_IN);
}

static enum ndp_status rewrite(struct ndp_arena *arena, struct ndp_source source, uint32_t protocol, void *sink) {
    const struct ndp_pickle_options options = {.opcodes_max = 1 << 20};
    const struct ndp_pickle_form form = {.protocol = protocol};
    struct ndp_objects objects;
    struct ndp_pickle pickle;
    ndp_objects_init(&objects, arena);
    enum ndp_status status = ndp_pickle_read(&objects, &source, &options, &pickle, NULL);
    if (status == NDP_OK) status = ndp_pickle_write(&objects, pickle.root, &form, fuzz_write_breaking, sink, NULL);
    ndp_source_clear(&source);
    ndp_objects_clear(&objects);
    ndp_arena_reset(arena);
    return status;
}

void fuzz_check_pickle_breaks(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, uint64_t made_bytes,
                              uint64_t pick) {
    struct fuzz_breaking from = fuzz_breaking_stream(pickle, pick / 2);
    struct fuzz_breaking sink = {.left_bytes = pick % 2 == 0 ? UINT64_MAX : pick / 2 % made_bytes};
    const struct ndp_source source =
        pick % 2 == 0 ? ndp_source_stream(fuzz_read_breaking, &from, UINT64_MAX) : ndp_source_memory(pickle);
    const enum ndp_status got = rewrite(arena, source, protocol, &sink);
    FUZZ_HOLDS(pick % 2 != 0 || fuzz_is_told(&from, got, NDP_OK));
    FUZZ_HOLDS(pick % 2 == 0 || fuzz_is_told(&sink, got, NDP_IO));
}
