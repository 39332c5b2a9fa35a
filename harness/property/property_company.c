/* property_company.c: every array of a graph has its class, shape, type and values, by the promise that its route makes
 * to an array like it that travels alone. */
#include "property/graph_judgement.h"

#include <stdio.h>

static void judge_array(const struct ndp_trial *trial, const struct ndp_node *sent, const struct ndp_observation *got,
                        uint32_t number, struct ndp_judgement *out) {
    struct ndp_trial alone = *trial;
    struct ndp_contract contract;
    char where[24];
    snprintf(where, sizeof where, "nodes[%u]", number);
    alone.graph = NULL;
    alone.model = &sent->model;
    alone.features = ndp_contract_features(&sent->model, trial->route) | NDP_FEATURE_IN_GRAPH;
    alone.expected = sent->observation;
    alone.where = where;
    ndp_contract_fill(trial->route, trial->encoder, trial->decoder, alone.features, &contract);
    alone.contract = &contract;
    if (ndp_contract_apply(trial->arena, &sent->model, trial->route, trial->decoder, alone.features, &contract,
                           &alone.promised) != NDP_OK) {
        out->verdict = NDP_VERDICT_FAULT;
        return;
    }
    uint32_t fields = NDP_FIELD_BIT(SHAPE) | NDP_FIELD_BIT(DTYPE) | NDP_FIELD_BIT(VALUES);
    /* Whether it is mapped depends on what it is a part of: a mask, say, is pickled with the array that it masks. */
    if (contract.rows[NDP_FIELD_CLASS]->promise != NDP_PROMISE_MEMMAP) fields |= NDP_FIELD_BIT(CLASS);
    ndp_judge_promised(&alone, fields, &alone.promised, got, out);
}

static void judge(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct ndp_graph_match match;
    ndp_judgement_init(out);
    const struct ndp_graph *got = ndp_judge_graph(trial, &match, out);
    for (uint32_t i = 0; got != NULL && i < match.pair_count && out->verdict != NDP_VERDICT_FAULT; i++) {
        const struct ndp_node *sent = &trial->graph->nodes[match.pairs[i].expected];
        const struct ndp_node *arrived = &got->nodes[match.pairs[i].got];
        /* What is not whole is told by `class`. */
        if (!sent->has_model || !arrived->has_observation || arrived->trouble.size_bytes != 0) continue;
        judge_array(trial, sent, &arrived->observation, match.pairs[i].expected, out);
    }
}

const struct ndp_property ndp_property_company = {
    .name = "company",
    .statement = "An array that travels with other objects keeps its class, shape, type and values as one alone does.",
    .needs = NDP_SLOT_BIT(RESULT),
    .for_round_trip = true,
    .for_graph = true,
    .judge = judge,
};
