#include "engine/retell.h"
#include "model/graph_compare.h"

/* An array node as the middle has it, when it can be told: plain, or a map. */
static void retell_node(struct ndp_arena *arena, const struct ndp_node *seen, struct ndp_node *node) {
    const struct ndp_observation *observed = &seen->observation;
    struct ndp_array_value value;
    if (seen->kind != NDP_NODE_ARRAY || !seen->has_observation) return;
    const bool is_map = ndp_bytes_is_word(observed->class_name, "memmap");
    if (!is_map && !ndp_bytes_is_word(observed->class_name, "ndarray")) return;
    if (ndp_array_retell(arena, observed, &value) != NDP_OK || value.base.has_map != is_map) return;
    value.class_name = observed->class_name;
    *node = (struct ndp_node){.kind = NDP_NODE_ARRAY, .array = value};
}

static bool retell_graph(struct ndp_arena *arena, const struct ndp_graph *sent, const struct ndp_graph *got,
                         struct ndp_value *out) {
    struct ndp_error error = {0};
    struct ndp_graph expected;
    struct ndp_graph_match match;
    struct ndp_graph *told = NDP_ARENA_NEW(arena, struct ndp_graph);
    struct ndp_node *nodes = ndp_arena_copy(arena, sent->nodes, sent->count * sizeof *nodes);
    if (told == NULL || nodes == NULL || ndp_graph_expect(arena, sent, true, &expected, &error) != NDP_OK ||
        ndp_graph_match(arena, &expected, got, &match) != NDP_OK)
        return false;
    for (uint32_t i = 0; i < match.pair_count; i++)
        retell_node(arena, &got->nodes[match.pairs[i].got], &nodes[match.pairs[i].expected]);
    *told = (struct ndp_graph){sent->root, sent->count, nodes};
    *out = (struct ndp_value){.kind = NDP_VALUE_GRAPH, .graph = told};
    return ndp_graph_check(arena, told, &error) == NDP_OK;
}

bool ndp_retell(struct ndp_arena *arena, const struct ndp_descriptor *descriptor, const struct ndp_result *result,
                struct ndp_value *out) {
    const struct ndp_value *value = &descriptor->value;
    if (result == NULL) return false;
    if (value->kind == NDP_VALUE_GRAPH)
        return result->relayed_graph != NULL && retell_graph(arena, value->graph, result->relayed_graph, out);
    if (value->kind != NDP_VALUE_ARRAY || !result->has_relayed) return false;
    *out = (struct ndp_value){.kind = NDP_VALUE_ARRAY};
    return ndp_array_retell(arena, &result->relayed, &out->array) == NDP_OK;
}
