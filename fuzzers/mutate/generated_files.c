#include "mutate/generated_files.h"

#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_codec.h"
#include "codec/pickle/pickle_graph.h"
#include "model/array.h"
#include "target/live_graph.h"

static enum ndp_status generate_array(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_array *out) {
    const struct ndp_generate_limits limits = {.without_objects = true};
    struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
    NDP_TRY(ndp_generate_value(arena, choices, &limits, &value));
    if (value.kind != NDP_VALUE_ARRAY) return NDP_UNSUPPORTED;
    NDP_TRY(ndp_array_build(arena, &value.array, true, out, NULL));
    return ndp_dtype_has_object(out->dtype) ? NDP_UNSUPPORTED : NDP_OK;
}

static enum ndp_numpy_release generate_release(struct ndp_choices *choices) {
    static const enum ndp_numpy_release releases[] = {NDP_NUMPY_1, NDP_NUMPY_2_0, NDP_NUMPY_2_3};
    return releases[ndp_choose(choices, NDP_ARRAY_LEN(releases))];
}

enum ndp_status fuzz_generate_pickle(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_buffer *out) {
    struct ndp_array array;
    NDP_TRY(generate_array(arena, choices, &array));
    const struct ndp_elements elements = {array.dtype, &array.layout, array.buffer};
    const struct ndp_array_form form = {.protocol = (uint32_t)ndp_choose(choices, 6),
                                        .is_readonly = ndp_choose_rarely(choices, 4)};
    return ndp_pickle_codec_encode(arena, &elements, &form, generate_release(choices), ndp_write_to_buffer, out, NULL,
                                   NULL);
}

/* Whether a pickle can contain the graph: functions need a library's own form. */
static bool has_functions(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const enum ndp_node_kind kind = graph->nodes[i].kind;
        if (kind == NDP_NODE_FUNCTION || kind == NDP_NODE_CELL || kind == NDP_NODE_GLOBALS) return true;
    }
    return false;
}

enum ndp_status fuzz_generate_graph(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_buffer *out) {
    enum { MAX_TRIES = 8 };
    struct ndp_value value;
    struct ndp_graph graph;
    NDP_TRY(ndp_generate_graph(arena, choices, &value));
    for (int i = 0; i < MAX_TRIES && has_functions(value.graph); i++)
        NDP_TRY(ndp_generate_graph(arena, choices, &value));
    NDP_TRY(ndp_live_graph_build(arena, value.graph, &graph, NULL));
    const struct ndp_graph_form form = {.protocol = (uint32_t)ndp_choose(choices, 6),
                                        .release = generate_release(choices)};
    return ndp_pickle_graph_encode(arena, &graph, &form, ndp_write_to_buffer, out, NULL);
}
