/* property_class.c: a class keeps what it adds to an array, or says loudly that it cannot: never an object that looks
 * right and breaks when it is used. */
#include "property/graph_judgement.h"

static enum ndp_node_kind kind_of(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return trial->graph->nodes[finding->expected].kind;
}

static bool is_of_class(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    if (finding->what == NDP_GRAPH_SPLIT || finding->what == NDP_GRAPH_MERGED) return false;
    return kind_of(trial, finding) == NDP_NODE_ARRAY;
}

/* Each object that is not whole, by the promise to its own class. */
static void judge_whole(const struct ndp_trial *trial, const struct ndp_graph *got, const struct ndp_graph_match *match,
                        struct ndp_judgement *out) {
    for (uint32_t i = 0; i < match->pair_count; i++) {
        const struct ndp_graph_match one = {.pairs = &match->pairs[i], .pair_count = 1};
        struct ndp_comparison part = {0};
        const struct ndp_contract_row *row = ndp_judge_node_row(trial, NDP_FIELD_WHOLE, one.pairs->expected);
        if (row->promise == NDP_PROMISE_ANY) continue;
        ndp_compare_whole(trial->graph, got, &one, &part);
        ndp_judge_add(trial, row, "whole", "", &part, out);
    }
}

static void judge(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct ndp_graph_match match;
    ndp_judgement_init(out);
    const struct ndp_graph *got = ndp_judge_graph(trial, &match, out);
    if (got == NULL) return;
    judge_whole(trial, got, &match, out);
    ndp_judge_findings(trial, &match, is_of_class, NDP_FIELD_ATTRIBUTES, "attributes", out);
}

const struct ndp_property ndp_property_class = {
    .name = "class",
    .statement = "A class keeps its attributes or refuses; no object arrives half-initialised.",
    .needs = NDP_SLOT_BIT(RESULT),
    .for_round_trip = true,
    .for_graph = true,
    .judge = judge,
};
