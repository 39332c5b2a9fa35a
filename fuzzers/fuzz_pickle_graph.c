/* fuzz_pickle_graph.c: graphs out of pickles, of joblib's dumps and of NPY files.
 * Oracle: in turns, a graph out of a pickle is what another reader sees; written in any form, in CPython's opcodes, it
 * is the same graph (but of a dump), as another reader sees it, or the same bytes again, or has no words there. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "codec/joblib_graph.h"
#include "codec/joblib_legacy.h"
#include "codec/npy_encode.h"
#include "codec/npy_graph.h"
#include "form/pieces.h"
#include "fuzz.h"
#include "oracle/same_graph.h"
#include "reader/told_graph.h"

enum container { PICKLE, JOBLIB, NPY };
enum { LOOKS = 5, TOLD = 2, TURNS = 2 * 6 * 2 * 3 * LOOKS }; /* containers, protocols, releases of NumPy, libraries */
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

static enum ndp_status decode(enum container in, struct ndp_bytes bytes, struct ndp_graph *out) {
    if (in == PICKLE) return ndp_pickle_graph_decode(&arena, bytes, out, NULL);
    if (in == NPY) return ndp_npy_graph_decode(&arena, bytes, NULL, out, NULL);
    if (ndp_compress_detect(bytes) != NDP_COMPRESS_NONE || ndp_zfile_detect(bytes)) return NDP_UNSUPPORTED;
    return ndp_joblib_graph_decode(&arena, bytes, NULL, out, NULL);
}

static enum ndp_status encode(enum container in, uint32_t hash, const struct ndp_graph *graph, ndp_write_bytes *write,
                              void *sink) {
    /* NumPy 1 loses the order of axes in protocol 5, and then writes another pickle of what is left. */
    const enum ndp_numpy_release release = hash % 6 < 5 && hash / 6 % 2 == 0 ? NDP_NUMPY_1 : NDP_NUMPY_2_3;
    const struct ndp_graph_form form = {hash % 6, release, (enum ndp_function_form)(hash / 12)};
    const struct ndp_joblib_output dump = {.form = {hash % 6, .alignment_bytes = 16}, .release = NDP_NUMPY_2_3};
    if (in == JOBLIB) return ndp_joblib_graph_encode(&arena, graph, &dump, write, sink, NULL);
    return (in == NPY ? ndp_npy_graph_encode : ndp_pickle_graph_encode)(&arena, graph, &form, write, sink, NULL);
}

static void check(enum container in, uint32_t hash, bool is_told, const struct ndp_graph *graph) {
    static struct ndp_buffer first = {.max_bytes = 1 << 26};
    first.size_bytes = 0;
    const enum ndp_status status = encode(in, hash, graph, ndp_write_to_buffer, &first);
    if (!fuzz_is_encoded(status, graph, &first, in == PICKLE, hash % 6, in == JOBLIB ? 0 : hash / 12)) return;
    const struct ndp_bytes bytes = {ndp_arena_copy(&arena, first.data, first.size_bytes), first.size_bytes};
    struct fuzz_expected second = {bytes, false};
    struct ndp_graph again;
    if (!FUZZ_HOLDS(decode(in, bytes, &again) == NDP_OK)) return;
    FUZZ_HOLDS(in == JOBLIB || fuzz_is_same_graph(&arena, hash % 6, graph, &again));
    FUZZ_HOLDS(!is_told || in != PICKLE || fuzz_graph_is_told(&arena, bytes, &again));
    if (is_told || (hash % 6 == 5 && fuzz_has_loose_axes(&again)) || (in == JOBLIB && fuzz_has_maps(graph))) return;
    FUZZ_HOLDS(encode(in, hash, &again, fuzz_write_expected, &second) == NDP_OK && fuzz_is_expected(&second));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t turn = fuzz_way(data, size, TURNS), look = turn % LOOKS;
    const struct ndp_bytes bytes = {data, size};
    const enum container other = fuzz_is_dump(bytes) ? JOBLIB : (enum container)(turn % 2);
    const enum container in = size > 0 && data[0] == 0x93 ? NPY : other; /* which no pickle begins with */
    struct ndp_graph graph;
    const bool is_taken = decode(in, bytes, &graph) == NDP_OK;
    FUZZ_HOLDS(!is_taken || look >= TOLD || in != PICKLE || fuzz_graph_is_told(&arena, bytes, &graph));
    if (is_taken && look >= TOLD) check(in, turn / 2 % (TURNS / 2 / LOOKS), look == TOLD, &graph);
    return is_taken ? fuzz_valid(2) : (void)0, ndp_arena_reset(&arena), 0;
}
