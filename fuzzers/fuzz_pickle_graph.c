/* fuzz_pickle_graph.c: graphs out of pickles, of joblib's dumps and of NPY files.
 * Oracle: a graph that came out, written in the form that the input's hash says, is refused or gives a graph that is
 * written to the same bytes again. Time is in proportion to the input, which is why packed dumps are fuzz_joblib's. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "base/rng.h"
#include "codec/compress.h"
#include "codec/joblib_graph.h"
#include "codec/joblib_legacy.h"
#include "codec/npy_encode.h"
#include "codec/npy_graph.h"
#include "fuzz.h"

enum container { PICKLE, JOBLIB, NPY, CONTAINERS };

static enum ndp_status decode(struct ndp_arena *arena, enum container in, struct ndp_bytes bytes,
                              struct ndp_graph *out) {
    if (in == JOBLIB && (ndp_compress_detect(bytes) != NDP_COMPRESS_NONE || ndp_zfile_detect(bytes)))
        return NDP_UNSUPPORTED;
    if (in == JOBLIB) return ndp_joblib_graph_decode(arena, bytes, out, NULL);
    return in == NPY ? ndp_npy_graph_decode(arena, bytes, NULL, out, NULL)
                     : ndp_pickle_graph_decode(arena, bytes, out, NULL);
}

static enum ndp_status encode(struct ndp_arena *arena, enum container in, uint32_t hash, const struct ndp_graph *graph,
                              struct ndp_buffer *out) {
    /* NumPy 1 loses the order of axes in protocol 5, and then writes another pickle of what is left. */
    const bool is_old = hash % 6 < 5 && hash / 6 % 2 == 0;
    const struct ndp_graph_form form = {.protocol = hash % 6, .release = is_old ? NDP_NUMPY_1 : NDP_NUMPY_2_3};
    const struct ndp_joblib_output dump = {.form = {.protocol = hash % 6, .alignment_bytes = 16},
                                           .release = NDP_NUMPY_2_3};
    if (in == JOBLIB) return ndp_joblib_graph_encode(arena, graph, &dump, ndp_write_to_buffer, out, NULL);
    return in == NPY ? ndp_npy_graph_encode(arena, graph, &form, ndp_write_to_buffer, out, NULL)
                     : ndp_pickle_graph_encode(arena, graph, &form, ndp_write_to_buffer, out, NULL);
}

static void check(struct ndp_arena *arena, enum container in, uint32_t hash, const struct ndp_graph *graph) {
    struct ndp_buffer first = {.max_bytes = 1 << 26}, second = {.max_bytes = 1 << 26};
    struct ndp_graph again;
    if (encode(arena, in, hash, graph, &first) == NDP_OK &&
        FUZZ_HOLDS(decode(arena, in, ndp_buffer_view(&first), &again) == NDP_OK) &&
        FUZZ_HOLDS(encode(arena, in, hash, &again, &second) == NDP_OK))
        FUZZ_HOLDS(ndp_bytes_is_equal(ndp_buffer_view(&first), ndp_buffer_view(&second)));
    ndp_buffer_clear(&first);
    ndp_buffer_clear(&second);
    fuzz_valid(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t hash = (uint32_t)ndp_hash_bytes(data, size, NDP_HASH_START);
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    struct ndp_graph graph;
    for (uint32_t i = 0; i < CONTAINERS; i++) {
        const enum container in = (enum container)i;
        if (decode(&arena, in, (struct ndp_bytes){data, size}, &graph) == NDP_OK) check(&arena, in, hash, &graph);
        ndp_arena_reset(&arena);
    }
    return 0;
}
