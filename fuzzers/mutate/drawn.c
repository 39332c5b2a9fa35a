#include "mutate/drawn.h"

#include <stdio.h>
#include <string.h>

#include "codec/npy/npy_encode.h"
#include "codec/pickle/pickle_codec.h"
#include "codec/pickle/pickle_graph.h"
#include "model/array.h"
#include "target/held_graph.h"

static enum ndp_status draw_array(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_array *out) {
    const struct ndp_generate_limits limits = {.without_objects = true};
    struct ndp_value value = {.kind = NDP_VALUE_ARRAY};
    NDP_TRY(ndp_generate_value(arena, choices, &limits, &value));
    if (value.kind != NDP_VALUE_ARRAY) return NDP_UNSUPPORTED;
    NDP_TRY(ndp_array_build(arena, &value.array, true, out, NULL));
    return ndp_dtype_has_object(out->dtype) ? NDP_UNSUPPORTED : NDP_OK;
}

static enum ndp_numpy_release draw_release(struct ndp_choices *choices) {
    static const enum ndp_numpy_release releases[] = {NDP_NUMPY_1, NDP_NUMPY_2_0, NDP_NUMPY_2_3};
    return releases[ndp_choose(choices, NDP_ARRAY_LEN(releases))];
}

enum ndp_status fuzz_draw_pickle(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_buffer *out) {
    struct ndp_array array;
    NDP_TRY(draw_array(arena, choices, &array));
    const struct ndp_elements elements = {array.dtype, &array.layout, array.buffer};
    const struct ndp_array_form form = {.protocol = (uint32_t)ndp_choose(choices, 6),
                                        .is_readonly = ndp_choose_rarely(choices, 4)};
    return ndp_pickle_encode(arena, &elements, &form, draw_release(choices), ndp_write_to_buffer, out, NULL, NULL);
}

/* What a function keeps of its code (codec/pickle/pickle_code.h), in protocol 0: a few arguments, and nothing beside.
 */
static enum ndp_status give_body(struct ndp_arena *arena, struct ndp_node *node) {
    char text[96];
    snprintf(text, sizeof text, "((I1\nI0\n(NVndproof:%s\nt(t(Vx\ntVf\nt(dt.", ndp_code_word(node->code));
    const char *copy = ndp_arena_copy(arena, text, strlen(text) + 1);
    if (!copy) return NDP_NOMEM;
    node->body = ndp_bytes_view(copy);
    return NDP_OK;
}

static enum ndp_status draw_graph(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_graph *out) {
    struct ndp_value value;
    NDP_TRY(ndp_generate_graph(arena, choices, &value));
    NDP_TRY(ndp_held_graph_build(arena, value.graph, out, NULL));
    struct ndp_node *nodes = ndp_arena_copy(arena, out->nodes, out->count * sizeof *nodes);
    if (!nodes) return NDP_NOMEM;
    for (uint32_t i = 0; i < out->count; i++)
        if (nodes[i].kind == NDP_NODE_FUNCTION && !nodes[i].is_importable) NDP_TRY(give_body(arena, &nodes[i]));
    out->nodes = nodes;
    return NDP_OK;
}

enum ndp_status fuzz_draw_graph(struct ndp_arena *arena, struct ndp_choices *choices, struct ndp_buffer *out) {
    struct ndp_graph graph;
    NDP_TRY(draw_graph(arena, choices, &graph));
    const struct ndp_graph_form form = {
        .protocol = (uint32_t)ndp_choose(choices, 6),
        .release = draw_release(choices),
        .library = ndp_choose_rarely(choices, 2) ? NDP_FUNCTION_DILL : NDP_FUNCTION_CLOUDPICKLE,
    };
    return ndp_pickle_graph_encode(arena, &graph, &form, ndp_write_to_buffer, out, NULL);
}
