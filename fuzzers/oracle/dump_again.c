#include "oracle/dump_again.h"

#include "codec/joblib/joblib_write.h"
#include "codec/npy/npy_encode.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/same_array.h"
#include "reader/said.h"
#include "reader/said_pickle.h"

/* Alignments near those that joblib has are drawn as often as all that a byte holds. */
static struct ndp_joblib_output form_of(uint32_t pick, bool is_packed, struct ndp_block_pool *pool) {
    const uint32_t alignment = pick % 4 == 0 ? pick / 4 % 256 : pick / 4 % 17;
    const uint32_t packed = 1 + pick / 102 % (NDP_COMPRESS_COUNT - 1);
    return (struct ndp_joblib_output){
        .form = {.protocol = pick % 6, .alignment_bytes = alignment, .is_unmappable = pick >> 31},
        .release = NDP_NUMPY_1,
        .method = is_packed ? (enum ndp_compress_method)packed : NDP_COMPRESS_NONE,
        .level = 1,
        .pool = pool};
}

/* What a stream gives is just enough, as it is without a limit of its ratio, and of one byte less it gives all. */
static void check_edge(struct ndp_bytes dump, uint64_t size, uint32_t which) {
    const struct ndp_compress_limits limits[] = {
        {.output_bytes = size}, {.output_bytes = size - 1}, {.ratio = 1, .free_bytes = size}};
    const bool is_less = which % NDP_ARRAY_LEN(limits) == 1;
    uint64_t got = 0;
    const enum ndp_status status = fuzz_unpack_within(dump, &limits[which % NDP_ARRAY_LEN(limits)], &got);
    FUZZ_HOLDS(status == (is_less ? NDP_LIMIT : NDP_OK) && got == size - is_less);
}

/* One of what a stream gives for what it takes, and one of memory, for which two of the coders ask by their headers. */
static void check_limits(struct ndp_arena *arena, struct ndp_bytes dump, enum ndp_compress_method method,
                         struct ndp_block_pool *pool, uint32_t which) {
    struct ndp_joblib_options options = {.compress = {.free_bytes = 1, .pool = pool}};
    struct ndp_npy_array next = {0};
    uint64_t size = 0;
    if (!FUZZ_HOLDS(fuzz_unpack(dump, &size))) return;
    check_edge(dump, size, which);
    options.compress.ratio = (size - 1) / dump.size_bytes;
    if (options.compress.ratio > 0)
        FUZZ_HOLDS(ndp_joblib_decode_memory(arena, dump, &options, &next, NULL) == NDP_LIMIT);
    options.compress = (struct ndp_compress_limits){.memory_bytes = 1, .pool = pool};
    if (method == NDP_COMPRESS_XZ || method == NDP_COMPRESS_LZMA)
        FUZZ_HOLDS(ndp_joblib_decode_memory(arena, dump, &options, &next, NULL) == NDP_LIMIT);
    ndp_npy_array_clear(&next);
}

void fuzz_dump_again(struct ndp_arena *arena, const struct ndp_npy_array *array, uint32_t pick, bool is_packed,
                     struct ndp_block_pool *pool) {
    const struct ndp_elements elements = {array->header.dtype, &array->layout, array->data};
    const struct ndp_joblib_output output = form_of(pick, is_packed, pool);
    const struct ndp_joblib_options options = {.compress = {.pool = pool}};
    static struct ndp_buffer made = {.max_bytes = UINT64_MAX};
    struct ndp_npy_array next = {0};
    made.size_bytes = 0;
    if (!FUZZ_HOLDS(ndp_joblib_encode(arena, &elements, &output, ndp_write_to_buffer, &made, NULL) == NDP_OK)) return;
    const struct ndp_bytes dump = {ndp_arena_copy(arena, made.data, made.size_bytes), made.size_bytes};
    const enum ndp_status got = ndp_joblib_decode_memory(arena, dump, &options, &next, NULL);
    const uint32_t alignment = output.form.alignment_bytes;
    const uint64_t itemsize = array->header.dtype->itemsize_bytes;
    if (!is_packed) {
        FUZZ_HOLDS(got || !alignment || fuzz_is_padded(dump, next.header.data_offset_bytes, alignment));
        FUZZ_HOLDS(fuzz_dump_is_mapped(arena, dump, !output.form.is_unmappable));
    }
    if (is_packed && got == NDP_OK) check_limits(arena, dump, output.method, pool, pick / 612);
    /* In C order, unless the other is all that it is in. */
    FUZZ_HOLDS(got != NDP_OK || !next.header.is_fortran_order || !fuzz_is_contiguous(&next.layout, itemsize, false));
    fuzz_same_array("again", NDP_OK, array, got, &next);
}
