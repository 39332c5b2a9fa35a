#include "property/graph_judgement.h"
#include "model/graph/graph_compare.h"
#include "model/graph/graph_features.h"

#include <stdio.h>

const struct ndp_graph *ndp_graph_judgement_match(const struct ndp_trial *trial, struct ndp_graph_compare *match,
                                                  struct ndp_judgement *out) {
    if (trial->graph == NULL) return NULL;
    (void)ndp_judgement_result(trial, out);
    const struct ndp_slot_record *record = ndp_judgement_slot(trial, NDP_SLOT_RESULT);
    if (out->verdict != NDP_VERDICT_PASS || record == NULL || record->state != NDP_SLOT_FILLED || record->graph == NULL)
        return NULL;
    if (ndp_judgement_row(trial, NDP_FIELD_ACCEPTED)->promise == NDP_PROMISE_REFUSED) return NULL;
    if (ndp_graph_compare(trial->arena, trial->graph, record->graph, match) == NDP_OK) return record->graph;
    out->verdict = NDP_VERDICT_FAULT;
    return NULL;
}

/* The row of `field` for a node, which has `more` features. */
static const struct ndp_contract_row *find_row(const struct ndp_trial *trial, enum ndp_contract_field field,
                                               uint32_t node, uint64_t more) {
    /* Identity depends on all nodes that refer to the object. */
    const uint64_t others = NDP_GRAPH_FUNCTIONS | NDP_GRAPH_ATTRIBUTES | NDP_GRAPH_CYCLE;
    uint64_t features = more | ndp_graph_features_of_node(trial->graph, node);
    if (field == NDP_FIELD_IDENTITY) features |= ndp_graph_features(trial->graph) & others;
    return ndp_contract_find_cached(trial->memory, field, trial->route, trial->encoder, trial->decoder, features);
}

const struct ndp_contract_row *ndp_graph_judgement_row(const struct ndp_trial *trial, enum ndp_contract_field field,
                                                       uint32_t node) {
    return find_row(trial, field, node, 0);
}

/* The row of `field` for a finding: that of its node, with the features of a scalar in it that differs. */
static const struct ndp_contract_row *row_of(const struct ndp_trial *trial, enum ndp_contract_field field,
                                             const struct ndp_graph_finding *finding) {
    const struct ndp_node *item = &trial->graph->nodes[finding->item];
    const uint64_t more =
        ndp_graph_node_has_identity(item) ? 0 : ndp_graph_features_of_node(trial->graph, finding->item);
    return find_row(trial, field, finding->expected, more);
}

static bool has_members(const struct ndp_trial *trial) {
    return (trial->features & NDP_GRAPH_MEMBERS) != 0 && ndp_bytes_word_is(trial->route->format, "npz");
}

uint64_t ndp_graph_judgement_array_features(const struct ndp_trial *trial, const struct ndp_node *sent) {
    return ndp_contract_features(&sent->model, trial->route) | (has_members(trial) ? 0 : NDP_FEATURE_IN_GRAPH);
}

void ndp_graph_judgement_accept_members(const struct ndp_trial *trial, struct ndp_contract *contract) {
    for (uint32_t i = 0; trial->graph != NULL && has_members(trial) && i < trial->graph->count; i++) {
        const struct ndp_node *sent = &trial->graph->nodes[i];
        if (ndp_graph_node_model(sent) == NULL) continue;
        const struct ndp_contract_row *row =
            ndp_contract_find_cached(trial->memory, NDP_FIELD_ACCEPTED, trial->route, trial->encoder, trial->decoder,
                                     ndp_graph_judgement_array_features(trial, sent));
        if (ndp_judgement_may_refuse(row)) contract->rows[NDP_FIELD_ACCEPTED] = row;
    }
}

void ndp_graph_judgement_add_findings(const struct ndp_trial *trial, const struct ndp_graph_compare *match,
                                      ndp_graph_judgement_filter *filter, enum ndp_contract_field field,
                                      const char *name, struct ndp_judgement *out) {
    struct ndp_comparison pairs = {.comparisons = match->pair_count};
    bool is_promised = false;
    for (uint32_t i = 0; i < match->pair_count && !is_promised; i++)
        is_promised = ndp_graph_judgement_row(trial, field, match->pairs[i].expected)->promise != NDP_PROMISE_ANY;
    if (is_promised) ndp_judgement_add(trial, ndp_judgement_row(trial, field), name, "", &pairs, out);
    for (uint32_t i = 0; i < match->finding_count; i++) {
        const struct ndp_graph_finding *finding = &match->findings[i];
        if (!filter(trial, finding)) continue;
        const struct ndp_contract_row *row = row_of(trial, field, finding);
        if (row->promise == NDP_PROMISE_ANY) continue;
        struct ndp_comparison part;
        ndp_equality_clear(&part);
        ndp_equality_add(&part, finding->path, finding->expected_text, finding->got_text);
        char field_name[NDP_WORD_BYTES];
        const char *of = finding->described;
        if (of == NULL && finding->role != NDP_EDGE_COUNT) of = ndp_graph_words_edge(finding->role);
        snprintf(field_name, sizeof field_name, "%s%s%s", name, of != NULL ? "." : "", of != NULL ? of : "");
        ndp_judgement_add(trial, row, field_name, "", &part, out);
    }
}

bool ndp_graph_judgement_is_of_functions(enum ndp_node_kind kind) {
    return kind >= NDP_NODE_FUNCTION && kind <= NDP_NODE_FROMPYFUNC;
}
