/* property_closure.c: functions arrive with their cells, defaults, attributes and recursion, and calls return the same
 * results. The expected results are those of the source in the process that built it. */
#include "model/graph/graph_compare.h"
#include "property/graph_judgement.h"

static enum ndp_node_kind kind_of(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return trial->graph->nodes[finding->expected].kind;
}

static bool is_cell(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return finding->what == NDP_GRAPH_SPLIT && kind_of(trial, finding) == NDP_NODE_CELL;
}

static bool is_function(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return finding->what == NDP_GRAPH_SPLIT && kind_of(trial, finding) == NDP_NODE_FUNCTION;
}

static bool is_scope(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return finding->what == NDP_GRAPH_SPLIT && kind_of(trial, finding) == NDP_NODE_GLOBALS;
}

static bool is_of_globals(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    if (is_scope(trial, finding)) return false;
    return kind_of(trial, finding) == NDP_NODE_GLOBALS || finding->role == NDP_EDGE_GLOBALS;
}

/* Name, module, documentation and annotations, which do not change the results of calls. */
static bool is_description(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    (void)trial;
    return finding->described != NULL;
}

/* Edges of containers and functions; property `class` judges arrays, instances and their attributes. */
static bool is_structure(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    if (finding->what == NDP_GRAPH_SPLIT || finding->what == NDP_GRAPH_MERGED) return false;
    if (is_description(trial, finding)) return false;
    if (kind_of(trial, finding) == NDP_NODE_ARRAY || kind_of(trial, finding) == NDP_NODE_INSTANCE) return false;
    return !is_of_globals(trial, finding);
}

/* Fills `numbers` with the nodes of the sent graph that those of the observed source match. */
static enum ndp_status number_as_sent(const struct ndp_trial *trial, const struct ndp_graph *source,
                                      uint32_t *numbers) {
    struct ndp_graph_compare match;
    NDP_TRY(ndp_graph_compare(trial->arena, trial->graph, source, &match));
    for (uint32_t i = 0; i < source->count; i++) numbers[i] = i;
    for (uint32_t i = match.pair_count; i-- > 0;) numbers[match.pairs[i].got] = match.pairs[i].expected;
    return NDP_OK;
}

static void judge_results(const struct ndp_trial *trial, const struct ndp_graph *got, struct ndp_judgement *out) {
    const struct ndp_slot_record *source = ndp_judgement_slot(trial, NDP_SLOT_SOURCE);
    struct ndp_graph_compare match;
    struct ndp_comparison part;
    uint32_t numbers[NDP_MAX_NODES];
    ndp_equality_clear(&part);
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_RESULTS);
    if (source == NULL || source->graph == NULL || row->promise == NDP_PROMISE_ANY) return;
    if (ndp_graph_compare(trial->arena, source->graph, got, &match) != NDP_OK ||
        number_as_sent(trial, source->graph, numbers) != NDP_OK) {
        out->verdict = NDP_VERDICT_FAULT;
        return;
    }
    ndp_graph_compare_results(source->graph, got, &match, numbers, &part);
    ndp_judgement_add(trial, row, "results", "", &part, out);
}

static void judge_closure(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct ndp_graph_compare match;
    ndp_judgement_init(out);
    const struct ndp_graph *got = ndp_graph_judgement_match(trial, &match, out);
    if (got == NULL) return;
    ndp_graph_judgement_add_findings(trial, &match, is_structure, NDP_FIELD_STRUCTURE, "structure", out);
    ndp_graph_judgement_add_findings(trial, &match, is_function, NDP_FIELD_IDENTITY, "recursion", out);
    ndp_graph_judgement_add_findings(trial, &match, is_cell, NDP_FIELD_CELLS, "cells", out);
    ndp_graph_judgement_add_findings(trial, &match, is_scope, NDP_FIELD_SCOPE, "scope", out);
    ndp_graph_judgement_add_findings(trial, &match, is_of_globals, NDP_FIELD_GLOBALS, "globals", out);
    judge_results(trial, got, out);
    ndp_graph_judgement_add_findings(trial, &match, is_description, NDP_FIELD_DESCRIPTION, "description", out);
}

const struct ndp_property ndp_property_closure = {
    .name = "closure",
    .statement = "A function arrives with its cells, defaults, attributes and recursion, and returns the same results.",
    .needs = NDP_SLOT_BIT(SOURCE) | NDP_SLOT_BIT(RESULT),
    .for_round_trip = true,
    .values = NDP_VALUE_BIT(GRAPH),
    .judge = judge_closure,
};
