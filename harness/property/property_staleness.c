/* property_staleness.c: an object that is sent again after it changed arrives with its new contents.
 *
 * Problem. A library may remember an object that it sent: its encoding, its file, its hash. If it finds the object by
 * identity, shape or type, the receiver silently gets the old contents.
 *
 * Method. After the first trip, POKE inverts element 0 of the source and, in a graph, the first integer of the first
 * list, dict or cell that has one, and the same object travels once more through the
 * same entry points in the same process. The changed source, as observed, is the expected result; byte order and layout
 * are those that other properties judge in the first trip. A value that a first trip does not keep is not judged here.
 * A source that is read-only stays as it is, and must arrive twice. If the contract promises stable bytes, a changed
 * source also needs another encoding.
 *
 * Cost. One more trip, and three comparisons of each array.
 *
 * Limits. Only one target alone: the decoder of a pair sees the first encoding only. POKE changes one element of one
 * array and one integer of a graph.
 */
#include "model/graph/graph_compare.h"
#include "property/graph_judgement.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* An array before and after it changed, on both sides. */
struct change {
    const struct ndp_observation *sent, *arrived;             /* in the first trip */
    const struct ndp_observation *sent_after, *arrived_after; /* in the second */
};

static bool has_equal_values(const struct ndp_observation *left, const struct ndp_observation *right) {
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    ndp_equality_compare_values(left, right, NDP_MASK_NONE, &comparison);
    return comparison.total == 0;
}

static void judge_change(const struct ndp_trial *trial, const struct change *change, const struct ndp_contract_row *row,
                         const char *where, struct ndp_judgement *out) {
    struct ndp_comparison comparison;
    if (row->promise == NDP_PROMISE_ANY || !has_equal_values(change->sent, change->arrived)) return;
    ndp_equality_clear(&comparison);
    ndp_equality_compare_values(change->sent_after, change->arrived_after, NDP_MASK_NONE, &comparison);
    ndp_judgement_add(trial, row, "values", where, &comparison, out);
}

/* A refusal in the second trip after a successful first one. Property picklability judges refusals after a call. */
static void judge_refusal(const struct ndp_trial *trial, struct ndp_judgement *out) {
    static const enum ndp_slot way[] = {NDP_SLOT_TOUCHED_ENCODED, NDP_SLOT_TOUCHED_RESULT};
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_HISTORY);
    if (ndp_judgement_is_filled(trial, NDP_SLOT_CALLED) || row->promise == NDP_PROMISE_ANY ||
        ndp_judgement_may_refuse(ndp_judgement_row(trial, NDP_FIELD_ACCEPTED)))
        return;
    for (size_t i = 0; i < NDP_ARRAY_LEN(way); i++) {
        if (!ndp_judgement_is_refused(trial, way[i])) continue;
        char text[NDP_DIFFERENCE_TEXT_BYTES];
        ndp_judgement_refusal_text(&ndp_judgement_slot(trial, way[i])->refusal, text);
        ndp_judgement_add_check(trial, row, "touched", false, "accepted", text, out);
        return;
    }
}

/* ---- arrays ---- */

static const struct ndp_observation *observed(const struct ndp_trial *trial, enum ndp_slot slot) {
    const struct ndp_slot_record *record = ndp_judgement_slot(trial, slot);
    const bool is_there = record != NULL && record->state == NDP_SLOT_FILLED && record->has_observation;
    return is_there ? &record->observation : NULL;
}

/* Equal encodings of different contents, where equal contents must have equal encodings. */
static void judge_encoding(const struct ndp_trial *trial, const struct change *change, struct ndp_judgement *out) {
    const struct ndp_slot_record *first = ndp_judgement_slot(trial, NDP_SLOT_ENCODED);
    const struct ndp_slot_record *second = ndp_judgement_slot(trial, NDP_SLOT_TOUCHED_ENCODED);
    if (ndp_judgement_row(trial, NDP_FIELD_ENCODING)->promise != NDP_PROMISE_SAME || first == NULL || second == NULL ||
        !first->has_bytes || !second->has_bytes || has_equal_values(change->sent, change->sent_after) ||
        !has_equal_values(change->sent, change->arrived))
        return;
    const bool is_new = !ndp_bytes_is_equal(first->bytes, second->bytes);
    ndp_judgement_add_check(trial, ndp_judgement_row(trial, NDP_FIELD_HISTORY), "touched_encoded", is_new, "changed",
                            is_new ? "changed" : "unchanged", out);
}

static void judge_array(const struct ndp_trial *trial, struct ndp_judgement *out) {
    const struct change change = {.sent = observed(trial, NDP_SLOT_SOURCE),
                                  .arrived = ndp_judgement_result(trial, out),
                                  .sent_after = observed(trial, NDP_SLOT_TOUCHED_SOURCE),
                                  .arrived_after = observed(trial, NDP_SLOT_TOUCHED_RESULT)};
    if (change.sent == NULL || change.arrived == NULL || change.sent_after == NULL) return;
    judge_refusal(trial, out);
    if (change.arrived_after == NULL) return;
    judge_change(trial, &change, ndp_judgement_row(trial, NDP_FIELD_HISTORY), "touched", out);
    judge_encoding(trial, &change, out);
}

/* ---- graphs ---- */

/* The nodes of a graph that match those of the graph that was sent. */
struct match {
    const struct ndp_graph *graph;
    struct ndp_graph_compare pairs;
};

/* Whether the slot has a graph; fills *out. */
static bool match_slot(const struct ndp_trial *trial, enum ndp_slot slot, struct match *out,
                       struct ndp_judgement *judgement) {
    const struct ndp_slot_record *record = ndp_judgement_slot(trial, slot);
    if (record == NULL || record->state != NDP_SLOT_FILLED || record->graph == NULL) return false;
    out->graph = record->graph;
    if (ndp_graph_compare(trial->arena, trial->graph, record->graph, &out->pairs) == NDP_OK) return true;
    judgement->verdict = NDP_VERDICT_FAULT;
    return false;
}

/* The array that matches node `number` of the graph that was sent, or NULL. */
static const struct ndp_observation *array_at(const struct match *match, uint32_t number) {
    for (uint32_t i = 0; i < match->pairs.pair_count; i++) {
        const struct ndp_node *node = &match->graph->nodes[match->pairs.pairs[i].got];
        if (match->pairs.pairs[i].expected == number && node->has_observation && node->trouble.size_bytes == 0)
            return &node->observation;
    }
    return NULL;
}

/* The row for an array of the graph: that of an equal array that is sent alone. */
static const struct ndp_contract_row *row_of(const struct ndp_trial *trial, const struct ndp_node *sent) {
    return ndp_contract_find_cached(trial->memory, NDP_FIELD_HISTORY, trial->route, trial->encoder, trial->decoder,
                                    ndp_graph_judgement_array_features(trial, sent));
}

/* The node that matches node `number` of the graph that was sent, or NULL. */
static const struct ndp_node *node_at(const struct match *match, uint32_t number) {
    for (uint32_t i = 0; i < match->pairs.pair_count; i++)
        if (match->pairs.pairs[i].expected == number) return &match->graph->nodes[match->pairs.pairs[i].got];
    return NULL;
}

/* The target of an edge of the node if it is an integer, or else NULL. */
static const struct ndp_node *number_of(const struct match *match, const struct ndp_node *node, uint32_t edge) {
    if (node == NULL || edge >= node->edge_count) return NULL;
    const struct ndp_node *target = &match->graph->nodes[node->edges[edge].to];
    return target->kind == NDP_NODE_INT ? target : NULL;
}

/* An integer in node `number`, a list, dict or cell, that arrived in the first trip. */
static void judge_number(const struct ndp_trial *trial, const struct match matches[3], uint32_t number, uint32_t edge,
                         struct ndp_judgement *out) {
    const struct ndp_node *owner = &trial->graph->nodes[number], *ints[3];
    const struct ndp_node *sent = &trial->graph->nodes[owner->edges[edge].to];
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(ints); i++)
        ints[i] = number_of(&matches[i], node_at(&matches[i], number), edge);
    if (ints[0] == NULL || ints[1] == NULL || ints[2] == NULL || !ndp_bytes_is_equal(ints[0]->text, sent->text)) return;
    char path[NDP_DIFFERENCE_TEXT_BYTES], texts[2][NDP_DIFFERENCE_TEXT_BYTES];
    struct ndp_comparison comparison;
    uint32_t ordinal = 0;
    for (uint32_t i = 0; i < edge; i++) ordinal += owner->edges[i].role == owner->edges[edge].role;
    snprintf(path, sizeof path, "nodes[%u].%s[%u]", number, ndp_graph_words_edge(owner->edges[edge].role), ordinal);
    ndp_text_show(ints[1]->text, texts[0], sizeof texts[0]);
    ndp_text_show(ints[2]->text, texts[1], sizeof texts[1]);
    ndp_equality_clear(&comparison);
    if (!ndp_bytes_is_equal(ints[1]->text, ints[2]->text)) ndp_equality_add(&comparison, path, texts[0], texts[1]);
    ndp_judgement_add(trial, ndp_judgement_row(trial, NDP_FIELD_HISTORY), "values", "touched", &comparison, out);
}

static void judge_numbers(const struct ndp_trial *trial, const struct match matches[3], struct ndp_judgement *out) {
    if (ndp_judgement_row(trial, NDP_FIELD_HISTORY)->promise == NDP_PROMISE_ANY) return;
    for (uint32_t i = 0; i < trial->graph->count; i++) {
        const struct ndp_node *owner = &trial->graph->nodes[i];
        if (owner->kind != NDP_NODE_LIST && owner->kind != NDP_NODE_DICT && owner->kind != NDP_NODE_CELL) continue;
        for (uint32_t k = 0; k < owner->edge_count; k++)
            if (owner->edges[k].role != NDP_EDGE_KEY && trial->graph->nodes[owner->edges[k].to].kind == NDP_NODE_INT)
                judge_number(trial, matches, i, k, out);
    }
}

static void judge_graph(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct match matches[3] = {0}, *first = &matches[0], *source = &matches[1], *second = &matches[2];
    first->graph = ndp_graph_judgement_match(trial, &first->pairs, out);
    if (first->graph == NULL || !match_slot(trial, NDP_SLOT_TOUCHED_SOURCE, source, out)) return;
    judge_refusal(trial, out);
    if (!match_slot(trial, NDP_SLOT_TOUCHED_RESULT, second, out)) return;
    judge_numbers(trial, matches, out);
    for (uint32_t i = 0; i < trial->graph->count; i++) {
        const struct ndp_node *sent = &trial->graph->nodes[i];
        const struct change change = {.sent = sent->has_observation ? &sent->observation : NULL,
                                      .arrived = array_at(first, i),
                                      .sent_after = array_at(source, i),
                                      .arrived_after = array_at(second, i)};
        char where[NDP_WORD_BYTES];
        if (ndp_graph_node_model(sent) == NULL || change.sent == NULL || change.arrived == NULL ||
            change.sent_after == NULL || change.arrived_after == NULL)
            continue;
        snprintf(where, sizeof where, "touched: nodes[%u]", i);
        judge_change(trial, &change, row_of(trial, sent), where, out);
    }
}

static void judge_staleness(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    if (trial->graph != NULL)
        judge_graph(trial, out);
    else if (trial->model != NULL)
        judge_array(trial, out);
}

const struct ndp_property ndp_property_staleness = {
    .name = "staleness",
    .statement = "An object that is sent again after it changed arrives with its new contents.",
    .needs = NDP_SLOT_BIT(SOURCE) | NDP_SLOT_BIT(ENCODED) | NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(TOUCHED) |
             NDP_SLOT_BIT(TOUCHED_SOURCE) | NDP_SLOT_BIT(TOUCHED_ENCODED) | NDP_SLOT_BIT(TOUCHED_RESULT),
    .for_round_trip = true,
    .values = NDP_VALUE_BIT(ARRAY) | NDP_VALUE_BIT(GRAPH),
    .judge = judge_staleness,
};
