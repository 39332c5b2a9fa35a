/* fuzz_pickle_graph.c: graphs out of pickles and out of joblib's dumps.
 * Oracle: a graph that came out, written in the form that the input's hash says, is refused or gives a graph that is
 * written to the same bytes again. */
#include "base/rng.h"
#include "codec/joblib_graph.h"
#include "codec/npy_encode.h"
#include "codec/pickle_graph.h"
#include "fuzz.h"

struct form {
    struct ndp_graph_form pickle;
    struct ndp_joblib_output joblib;
    bool is_joblib;
};

static enum ndp_status decode(struct ndp_arena *arena, const struct form *form, struct ndp_bytes bytes,
                              struct ndp_graph *out) {
    return form->is_joblib ? ndp_joblib_graph_decode(arena, bytes, out, NULL)
                           : ndp_pickle_graph_decode(arena, bytes, out, NULL);
}

static enum ndp_status encode(struct ndp_arena *arena, const struct form *form, const struct ndp_graph *graph,
                              struct ndp_buffer *out) {
    return form->is_joblib ? ndp_joblib_graph_encode(arena, graph, &form->joblib, ndp_write_to_buffer, out, NULL)
                           : ndp_pickle_graph_encode(arena, graph, &form->pickle, ndp_write_to_buffer, out, NULL);
}

static void check(struct ndp_arena *arena, const struct form *form, const struct ndp_graph *graph) {
    struct ndp_buffer first = {.max_bytes = 1 << 26}, second = {.max_bytes = 1 << 26};
    struct ndp_graph again;
    if (encode(arena, form, graph, &first) == NDP_OK &&
        FUZZ_HOLDS(decode(arena, form, ndp_buffer_view(&first), &again) == NDP_OK) &&
        FUZZ_HOLDS(encode(arena, form, &again, &second) == NDP_OK))
        FUZZ_HOLDS(ndp_bytes_is_equal(ndp_buffer_view(&first), ndp_buffer_view(&second)));
    ndp_buffer_clear(&first);
    ndp_buffer_clear(&second);
    fuzz_valid(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t hash = (uint32_t)ndp_hash_bytes(data, size, NDP_HASH_START);
    struct form form = {.pickle = {.protocol = hash % 6, .release = hash / 6 % 2 == 0 ? NDP_NUMPY_1 : NDP_NUMPY_2_3},
                        .joblib = {.form = {.protocol = hash % 6, .alignment_bytes = 16}, .release = NDP_NUMPY_2_3}};
    static struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    struct ndp_graph graph;
    for (uint32_t i = 0; i < 2; i++) {
        form.is_joblib = i == 1;
        if (decode(&arena, &form, (struct ndp_bytes){data, size}, &graph) == NDP_OK) check(&arena, &form, &graph);
        ndp_arena_reset(&arena);
    }
    return 0;
}
