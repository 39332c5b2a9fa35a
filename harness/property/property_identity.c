/* property_identity.c: shared objects and memory stay shared, and separate ones stay separate. This is observed
 * directly, and by a write: POKE inverts element 0 of the first writeable array, and all other arrays are observed
 * again. */
#include <stdio.h>

#include "model/graph/graph_compare.h"
#include "property/graph_judgement.h"

static bool is_split(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return finding->what == NDP_GRAPH_SPLIT &&
           !ndp_graph_judgement_is_of_functions(trial->graph->nodes[finding->expected].kind);
}

/* Includes merged variables and functions, because a write to one reaches the other. */
static bool is_merged(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    (void)trial;
    return finding->what == NDP_GRAPH_MERGED;
}

static const struct ndp_node *elements_of(const struct ndp_graph *graph, uint32_t number) {
    const struct ndp_node *node = number < graph->count ? &graph->nodes[number] : NULL;
    if (node == NULL || node->kind != NDP_NODE_ARRAY || !node->has_observation) return NULL;
    return node->observation.elements.size_bytes > 0 ? node : NULL;
}

/* The index of the array that POKE wrote to, or the count of nodes. */
static uint32_t find_poked(const struct ndp_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_node *node = elements_of(graph, i);
        if (node != NULL && (node->observation.flags & NDP_FLAG_WRITEABLE) != 0) return i;
    }
    return graph->count;
}

/* Marks what instances keep: their classes may compute it from what was written to. */
static void mark_kept(const struct ndp_graph *graph, bool *is_kept) {
    uint32_t stack[NDP_MAX_NODES], count = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].kind == NDP_NODE_INSTANCE) stack[count++] = i;
    while (count > 0) {
        const struct ndp_node *node = &graph->nodes[stack[--count]];
        for (uint32_t i = 0; i < node->edge_count; i++) {
            const uint32_t to = node->edges[i].to;
            if (is_kept[to] || graph->nodes[to].kind == NDP_NODE_INSTANCE) continue;
            is_kept[to] = true;
            stack[count++] = to;
        }
    }
}

/* Compares all arrays before and after the write, except `poked`, arrays in its memory and those that instances keep.
 */
static void judge_untouched(const struct ndp_trial *trial, enum ndp_slot before, enum ndp_slot after, uint32_t poked,
                            enum ndp_contract_field field, const char *name, struct ndp_judgement *out) {
    const struct ndp_slot_record *first = ndp_judgement_slot(trial, before);
    const struct ndp_slot_record *second = ndp_judgement_slot(trial, after);
    const struct ndp_contract_row *row = ndp_judgement_row(trial, field);
    if (row->promise == NDP_PROMISE_ANY || first == NULL || second == NULL) return;
    if (first->graph == NULL || second->graph == NULL || first->graph->count != second->graph->count) return;
    const struct ndp_node *written = elements_of(first->graph, poked);
    bool is_kept[NDP_MAX_NODES] = {false};
    mark_kept(first->graph, is_kept);
    for (uint32_t i = 0; i < first->graph->count; i++) {
        const struct ndp_node *left = elements_of(first->graph, i);
        const struct ndp_node *right = elements_of(second->graph, i);
        struct ndp_comparison part;
        ndp_equality_clear(&part);
        if (left == NULL || right == NULL || i == poked || is_kept[i]) continue;
        if (written != NULL && left->memory_group == written->memory_group) continue;
        ndp_equality_compare_bytes(name, left->observation.elements, right->observation.elements, &part);
        ndp_judgement_add(trial, row, name, "", &part, out);
    }
}

/* The node of `after` that corresponds to node `number` of the result, through the sent graph; or NULL. */
static const struct ndp_node *partner_of(const struct ndp_trial *trial, const struct ndp_graph_compare *match,
                                         uint32_t number, const struct ndp_graph *graph,
                                         const struct ndp_graph *after) {
    struct ndp_graph_compare sent;
    uint32_t expected = NDP_GRAPH_UNSET;
    for (uint32_t i = 0; i < match->pair_count; i++) {
        if (match->pairs[i].got == number) expected = match->pairs[i].expected;
    }
    if (ndp_graph_compare(trial->arena, trial->graph, graph, &sent) != NDP_OK || after->count != graph->count)
        return NULL;
    for (uint32_t i = 0; i < sent.pair_count; i++) {
        if (sent.pairs[i].expected == expected) return elements_of(after, sent.pairs[i].got);
    }
    return NULL;
}

/* A write to the result must change the source, if the route shares memory. */
static void judge_together(const struct ndp_trial *trial, const struct ndp_graph_compare *match, uint32_t poked,
                           struct ndp_judgement *out) {
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_TOGETHER);
    const struct ndp_slot_record *written = ndp_judgement_slot(trial, NDP_SLOT_RESULT_AFTER);
    const struct ndp_slot_record *before = ndp_judgement_slot(trial, NDP_SLOT_SOURCE);
    const struct ndp_slot_record *after = ndp_judgement_slot(trial, NDP_SLOT_SOURCE_AFTER);
    struct ndp_comparison part;
    ndp_equality_clear(&part);
    if (row->promise != NDP_PROMISE_SAME || written == NULL || before == NULL || after == NULL) return;
    if (written->graph == NULL || before->graph == NULL || after->graph == NULL) return;
    const struct ndp_node *here = elements_of(written->graph, poked);
    const struct ndp_node *there = partner_of(trial, match, poked, before->graph, after->graph);
    if (here == NULL || there == NULL) return;
    ndp_equality_compare_bytes("together", here->observation.elements, there->observation.elements, &part);
    ndp_judgement_add(trial, row, "together", "", &part, out);
}

static void judge_write(const struct ndp_trial *trial, const struct ndp_graph *got,
                        const struct ndp_graph_compare *match, struct ndp_judgement *out) {
    if (!ndp_judgement_is_filled(trial, NDP_SLOT_POKED)) return;
    judge_together(trial, match, find_poked(got), out);
    judge_untouched(trial, NDP_SLOT_RESULT, NDP_SLOT_RESULT_AFTER, find_poked(got), NDP_FIELD_DISTINCT, "written", out);
    judge_untouched(trial, NDP_SLOT_SOURCE, NDP_SLOT_SOURCE_AFTER, UINT32_MAX, NDP_FIELD_APART, "written.source", out);
}

/* Whether an object of the node can change. Instances decide that themselves. */
static bool is_mutable(const struct ndp_node *node) {
    if (node->kind == NDP_NODE_ARRAY) return !ndp_graph_node_is_scalar(node);
    return node->kind == NDP_NODE_LIST || node->kind == NDP_NODE_DICT || node->kind == NDP_NODE_OBJECTS ||
           node->kind == NDP_NODE_CELL;
}

/* No mutable object of the result is one of those that were sent, if the route keeps both apart. */
static void judge_apart(const struct ndp_trial *trial, const struct ndp_graph *got,
                        const struct ndp_graph_compare *match, struct ndp_judgement *out) {
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_APART);
    for (uint32_t i = 0; i < match->pair_count && row->promise != NDP_PROMISE_ANY; i++) {
        const struct ndp_node *node = &got->nodes[match->pairs[i].got];
        struct ndp_comparison part = {.comparisons = 1};
        char path[NDP_DIFFERENCE_TEXT_BYTES];
        if (!is_mutable(node)) continue;
        snprintf(path, sizeof path, "nodes[%u]", match->pairs[i].expected);
        if (node->is_sent) ndp_equality_add(&part, path, "a new object", "the object that was sent");
        ndp_judgement_add(trial, row, "apart", "", &part, out);
    }
}

static void judge_identity(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct ndp_graph_compare match;
    struct ndp_comparison lost;
    ndp_equality_clear(&lost);
    struct ndp_comparison fresh;
    ndp_equality_clear(&fresh);
    ndp_judgement_init(out);
    const struct ndp_graph *got = ndp_graph_judgement_match(trial, &match, out);
    if (got == NULL) return;
    ndp_graph_judgement_add_findings(trial, &match, is_split, NDP_FIELD_IDENTITY, "identity", out);
    ndp_graph_judgement_add_findings(trial, &match, is_merged, NDP_FIELD_DISTINCT, "distinct", out);
    ndp_graph_compare_aliasing(trial->graph, got, &match, &lost, &fresh);
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ALIASING);
    if (row->promise != NDP_PROMISE_ANY) ndp_judgement_add(trial, row, "aliasing", "", &lost, out);
    ndp_judgement_add(trial, ndp_judgement_row(trial, NDP_FIELD_DISTINCT), "aliasing.new", "", &fresh, out);
    judge_apart(trial, got, &match, out);
    judge_write(trial, got, &match, out);
}

const struct ndp_property ndp_property_identity = {
    .name = "identity",
    .statement = "Shared objects and memory stay shared as the route promises, also between source and result, and "
                 "separate ones stay separate.",
    .needs = NDP_SLOT_BIT(SOURCE) | NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(POKED) | NDP_SLOT_BIT(RESULT_AFTER) |
             NDP_SLOT_BIT(SOURCE_AFTER),
    .for_round_trip = true,
    .values = NDP_VALUE_BIT(GRAPH),
    .judge = judge_identity,
};
