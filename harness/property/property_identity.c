/* property_identity.c: one object stays one and two stay two, objects and their memory alike. */
#include "property/graph_judgement.h"

static bool is_split(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return finding->what == NDP_GRAPH_SPLIT && !ndp_node_is_of_functions(trial->graph->nodes[finding->expected].kind);
}

/* Two variables or functions that became one are told here as well: what is written to one reaches the other. */
static bool is_merged(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    (void)trial;
    return finding->what == NDP_GRAPH_MERGED;
}

static void judge(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct ndp_graph_match match;
    struct ndp_comparison lost = {0};
    struct ndp_comparison fresh = {0};
    ndp_judgement_init(out);
    const struct ndp_graph *got = ndp_judge_graph(trial, &match, out);
    if (got == NULL) return;
    ndp_judge_findings(trial, &match, is_split, NDP_FIELD_IDENTITY, "identity", out);
    ndp_judge_findings(trial, &match, is_merged, NDP_FIELD_DISTINCT, "distinct", out);
    ndp_compare_aliasing(trial->graph, got, &match, &lost, &fresh);
    const struct ndp_contract_row *row = ndp_judge_row(trial, NDP_FIELD_ALIASING);
    if (row->promise != NDP_PROMISE_ANY) ndp_judge_add(trial, row, "aliasing", "", &lost, out);
    ndp_judge_add(trial, ndp_judge_row(trial, NDP_FIELD_DISTINCT), "aliasing.new", "", &fresh, out);
}

const struct ndp_property ndp_property_identity = {
    .name = "identity",
    .statement =
        "What was one object or one memory stays one where that is promised, and what was two never becomes one.",
    .needs = NDP_SLOT_BIT(RESULT),
    .for_round_trip = true,
    .for_graph = true,
    .judge = judge,
};
