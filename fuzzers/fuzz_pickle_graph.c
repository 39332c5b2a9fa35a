/* fuzz_pickle_graph.c: graphs out of pickles, of joblib's dumps and of NPY files.
 * Oracle: in turns, a graph out of a pickle is what another reader sees, however it is spelled; written in any form, in
 * CPython's opcodes, it is the same graph (but of a dump), as another reader sees it, or the same bytes again, or has
 * no words there. A dump is the same graph out of its file, where its arrays are mapped in any mode, too. */
#define FUZZ_HASHES_PER_BYTE 4000
#include "fuzz.h"
#include "oracle/failing.h"
#include "oracle/graph_again.h"
#include "oracle/graph_mapped.h"
#include "oracle/graph_spelling.h"
#include "oracle/read_as.h"
#include "oracle/same_array.h"
#include "reader/told_graph.h"

/* In one look of five another reader sees what was read, in one it is spelled otherwise, in one that reader sees what
 * is written of it, and in two it is written, read and written again, once with other values that it may have. */
enum { READ, SPELLED, TOLD, AGAIN, VARIED, LOOKS, TURNS = 2 * FUZZ_GRAPH_FORMS * LOOKS };
static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};

/* Only an NPY file begins so, and only a dump of arrays has to name joblib; any pickle may be one. */
static enum fuzz_container container_of(struct ndp_bytes bytes, uint32_t turn) {
    if (fuzz_is_npy(bytes)) return FUZZ_NPY;
    return fuzz_is_dump(bytes) || turn % 2 != 0 ? FUZZ_DUMP : FUZZ_PICKLE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t turn = fuzz_way(data, size, TURNS), look = turn % LOOKS;
    const struct ndp_bytes bytes = {data, size};
    const enum fuzz_container in = container_of(bytes, turn);
    struct ndp_graph graph;
    const enum ndp_status status = fuzz_graph_decode(&arena, in, bytes, &graph, fuzz_refusal());
    fuzz_answers(in == FUZZ_DUMP, status);
    if (in != FUZZ_DUMP || fuzz_is_dump(bytes)) fuzz_says_refusal(status);
    if (status == NDP_OK) {
        if (in != FUZZ_DUMP || fuzz_is_dump(bytes)) fuzz_says_graph(&graph);
        if (look == READ) (void)fuzz_check_failing(fuzz_decodes_graph, bytes, in, fuzz_pick(data, size));
        if (look == READ && in == FUZZ_DUMP)
            FUZZ_HOLDS(fuzz_graph_is_mapped(&arena, bytes, fuzz_mode_of(turn / LOOKS), &graph));
        if (look == VARIED) graph = fuzz_vary_graph(&arena, &graph, turn / LOOKS);
        if (look == READ)
            FUZZ_HOLDS(in != FUZZ_PICKLE || fuzz_graph_is_told(&arena, bytes, &graph));
        else if (look == SPELLED)
            fuzz_graph_spelling(&arena, bytes, in == FUZZ_DUMP, &graph, fuzz_pick(data, size));
        else
            fuzz_graph_again(&arena, &graph, in, turn / 2 % FUZZ_GRAPH_FORMS, look == TOLD);
        fuzz_valid(2);
    }
    ndp_arena_reset(&arena);
    return 0;
}
