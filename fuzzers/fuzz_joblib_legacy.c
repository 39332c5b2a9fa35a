/* fuzz_joblib_legacy.c: dumps of joblib up to 0.9 whose array is in a companion file: what follows the pickle's STOP.
 * Oracle: memory and one way of five give one array, or refuse for one reason: a stream in small pieces, the file, its
 * map (of bombs one in eight), a dump of today. It is what another reader sees in dump and companion, of which there is
 * one by one name; it is read within exactly its limits, and not without a folder; a z-file that zlib takes is none
 * that is refused. */
#include "codec/joblib/joblib_legacy.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/companion.h"
#include "oracle/dump_again.h"
#include "oracle/read_as.h"
#include "oracle/same_array.h"
#include "reader/said.h"

enum way { STREAM, FILED, MAPPED, AGAIN, LIMITED, WAYS };
static struct ndp_block_pool pool = {.limit_bytes = 1 << 25};
static struct ndp_joblib_options options = {.compress = {1 << 13, .memory_bytes = 1 << 24, .pool = &pool}};
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

/* The dump by another way in. */
static enum ndp_status decode(enum way way, struct ndp_bytes dump, struct ndp_npy_array *out) {
    struct ndp_cursor cursor = ndp_cursor_view(dump);
    if (way == STREAM) return ndp_joblib_decode_stream(&arena, fuzz_read_pieces, &cursor, &options, out, NULL);
    const char *path = fuzz_companion_dump(dump);
    return way == FILED ? ndp_joblib_decode_file(&arena, path, &options, out, NULL)
                        : ndp_joblib_decode_mapped(&arena, path, NDP_MAP_READ, &options, out, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint64_t dump_bytes = fuzz_dump_bytes((struct ndp_bytes){data, size});
    const struct ndp_bytes dump = {ndp_arena_copy(&arena, data, dump_bytes), dump_bytes};
    const struct ndp_bytes companion = {data + dump_bytes, size - dump_bytes};
    const uint32_t pick = (uint32_t)fuzz_pick(data, size);
    struct ndp_npy_array first = {0}, next = {0};
    struct ndp_error error = {.text = ""};
    options.folder_fd = fuzz_companion_folder(companion), options.has_folder = true;
    const enum ndp_status want = ndp_joblib_decode_memory(&arena, dump, &options, &first, &error);
    fuzz_answers(0, want);
    if (!ndp_zfile_detect(companion) && ndp_compress_detect(dump) == NDP_COMPRESS_NONE) fuzz_says_error(want, &error);
    /* Of bombs one in eight is read twice. */
    const bool is_slow = want == NDP_LIMIT && ndp_compress_detect(dump) != NDP_COMPRESS_NONE && pick % 8 > 0;
    const enum way way = is_slow ? WAYS : (enum way)fuzz_way(data, size, WAYS);
    if (way <= FILED || (way == MAPPED && want == NDP_OK))
        fuzz_same_file("way", want, &first, decode(way, dump, &next), &next);
    const bool is_zfile = strstr(error.text, "z-file") != NULL && fuzz_is_zfile(companion);
    FUZZ_HOLDS(want != NDP_NOMEM && (!is_zfile || want == NDP_OK || want == NDP_LIMIT));
    if (want == NDP_OK) {
        fuzz_says_array(&first);
        const bool is_fortran = first.header.is_fortran_order;
        fuzz_check_companion(&arena, dump, companion, &options, way == LIMITED, &first);
        if (way == AGAIN && fuzz_is_contiguous(&first.layout, first.header.dtype->itemsize_bytes, is_fortran))
            fuzz_dump_again(&arena, &first, pick, false, &pool);
        fuzz_valid(2);
    }
    ndp_npy_array_clear(&first), ndp_arena_reset(&arena);
    return 0;
}
