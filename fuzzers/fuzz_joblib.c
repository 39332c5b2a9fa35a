/* fuzz_joblib.c: joblib's dumps through every decode path of the reference.
 * Oracle: memory and one way of four give one array, or refuse for one reason: a stream in small pieces (of bombs one
 * in eight; of what is refused twice as often), a file or a map where it says so, a dump that it encodes to, plain or
 * packed; elements of a plain one are padded, and what another reader sees. A stream is whole, within its limits. */
#include "codec/joblib_read.h"
#include "codec/joblib_write.h"
#include "codec/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/same_array.h"
#include "reader/said_pickle.h"
#include "reader/whole.h"

enum way { STREAM, MAPPED, AGAIN, PACKED, WAYS };
static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
static const struct ndp_joblib_options options = {.compress = {1 << 13, .memory_bytes = 1 << 24, .pool = &pool}};
static const struct ndp_joblib_options own = {.compress = {.pool = &pool}};
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

static void check_again(const struct ndp_npy_array *first, uint32_t hash, bool is_packed) {
    const struct ndp_elements elements = {first->header.dtype, &first->layout, first->data};
    const uint32_t alignment = hash % 4 == 0 ? hash / 4 % 256 : hash / 4 % 17;
    const enum ndp_compress_method method = is_packed ? 1 + hash / 102 % (NDP_COMPRESS_COUNT - 1) : NDP_COMPRESS_NONE;
    const struct ndp_joblib_output form = {{hash % 6, alignment, hash >> 31, NULL}, NDP_NUMPY_1, method, 1, &pool};
    static struct ndp_buffer made = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    made.size_bytes = 0;
    if (!FUZZ_HOLDS(ndp_joblib_encode(&arena, &elements, &form, ndp_write_to_buffer, &made, NULL) == NDP_OK)) return;
    const struct ndp_bytes copy = {ndp_arena_copy(&arena, made.data, made.size_bytes), made.size_bytes};
    const enum ndp_status got = ndp_joblib_decode_memory(&arena, copy, &own, &next, NULL);
    FUZZ_HOLDS(got || method || !alignment || fuzz_is_padded(copy, next.header.data_offset_bytes, alignment));
    FUZZ_HOLDS(method || fuzz_dump_is_mapped(&arena, copy, !form.form.is_unmappable));
    fuzz_same_array("again", NDP_OK, first, got, &next);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ndp_npy_array first = {0}, next = {0};
    const uint32_t hash = (uint32_t)fuzz_pick(data, size), way = fuzz_way(data, size, WAYS);
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, data, size), size};
    const enum ndp_compress_method method = ndp_compress_detect(bytes);
    struct ndp_cursor cursor = ndp_cursor_view(bytes);
    enum ndp_status want = ndp_joblib_decode_memory(&arena, bytes, &options, &first, NULL), got = want;
    const bool is_streamed = (way == STREAM || (way == MAPPED && want)) && (want != NDP_LIMIT || hash % 8 == 0);
    if (is_streamed) got = ndp_joblib_decode_stream(&arena, fuzz_read_pieces, &cursor, &options, &next, NULL);
    /* liblzma may give what stands behind the end of a part of its own: the pieces decide what is wrong first. */
    if (is_streamed && ((method != NDP_COMPRESS_XZ && method != NDP_COMPRESS_LZMA) || want == NDP_OK || got == NDP_OK))
        fuzz_same_file("stream", want, &first, got, &next);
    FUZZ_HOLDS(want != NDP_OK || fuzz_dump_says(&arena, bytes, &first));
    FUZZ_HOLDS(want == NDP_OK ? !is_streamed || fuzz_has_whole_stream(bytes, &options.compress) : want != NDP_NOMEM);
    /* A pickle may keep any order of axes, which a dump does not. */
    if (want == NDP_OK && fuzz_is_in_order(&first)) {
        const enum ndp_map_mode mode = fuzz_mode_of(hash >> 16);
        if (way == MAPPED) got = ndp_joblib_decode_mapped(&arena, fuzz_path(data, size), mode, &options, &next, NULL);
        if (way == MAPPED) FUZZ_HOLDS(got || fuzz_dump_is_mapped(&arena, bytes, next.map.is_open));
        if (way == MAPPED) fuzz_same_map(mode, want, &first, got, &next);
        if (way == AGAIN || way == PACKED) check_again(&first, hash, way == PACKED);
        fuzz_valid(way == AGAIN || way == PACKED ? 2 : 1);
    }
    return ndp_npy_array_clear(&first), ndp_arena_reset(&arena), 0;
}
