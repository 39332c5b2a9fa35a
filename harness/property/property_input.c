/* property_input.c: a call leaves its input unchanged.
 *
 * The source is observed before and after all encodings and transports of the case, and both observations are compared:
 * elements, shape, strides, flags, type, class and backing file; of a graph also its objects, attributes, shared
 * objects and shared memory. After a write to a result that may share its memory, elements are not compared, nor the
 * objects of a graph with instances, which may compute what they keep from elements.
 */
#include "model/graph/graph_compare.h"
#include "model/graph/graph_features.h"
#include "property/graph_judgement.h"

#include <stdio.h>

/* Whether a write to the result may have reached the source. Rows of `apart` are complete for graphs only. */
static bool is_written(const struct ndp_trial *trial) {
    return ndp_judgement_is_filled(trial, NDP_SLOT_POKED) &&
           (trial->graph == NULL || ndp_judgement_row(trial, NDP_FIELD_APART)->promise == NDP_PROMISE_ANY);
}

/* `where` is the prefix of paths. */
static void compare_arrays(const struct ndp_trial *trial, const struct ndp_observation *before,
                           const struct ndp_observation *after, const char *where, struct ndp_judgement *out) {
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_INPUT);
    struct ndp_comparison part;
    ndp_equality_clear(&part);
    ndp_equality_compare_class(before, after, &part);
    ndp_equality_compare_dtype(before, after, UINT32_MAX, &part);
    ndp_equality_compare_shape(before, after, &part);
    ndp_equality_compare_strides(before, after, &part);
    ndp_equality_compare_flags(before, after, UINT32_MAX, &part);
    ndp_equality_compare_backing(before, after, &part);
    if (part.total == 0 && !is_written(trial)) ndp_equality_compare_values(before, after, NDP_MASK_NONE, &part);
    ndp_judgement_add(trial, row, "input", where, &part, out);
}

/* The objects of a graph, and then its arrays. */
static void compare_graphs(const struct ndp_trial *trial, const struct ndp_graph *before, const struct ndp_graph *after,
                           struct ndp_judgement *out) {
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_INPUT);
    struct ndp_graph_compare match;
    struct ndp_comparison part;
    ndp_equality_clear(&part);
    if (ndp_graph_compare(trial->arena, before, after, &match) != NDP_OK) {
        out->verdict = NDP_VERDICT_FAULT;
        return;
    }
    part.comparisons = match.pair_count;
    const bool is_computed = is_written(trial) && (ndp_graph_features(before) & NDP_GRAPH_INSTANCE) != 0;
    for (uint32_t i = 0; i < match.finding_count && !is_computed; i++)
        ndp_equality_add(&part, match.findings[i].path, match.findings[i].expected_text, match.findings[i].got_text);
    ndp_graph_compare_aliasing(before, after, &match, &part, &part);
    ndp_judgement_add(trial, row, "input", "source_after", &part, out);
    for (uint32_t i = 0; i < match.pair_count; i++) {
        const struct ndp_node *left = &before->nodes[match.pairs[i].expected];
        const struct ndp_node *right = &after->nodes[match.pairs[i].got];
        char where[NDP_WORD_BYTES];
        if (left->kind != NDP_NODE_ARRAY || right->kind != NDP_NODE_ARRAY) continue;
        if (!left->has_observation || !right->has_observation) continue;
        snprintf(where, sizeof where, "source_after: nodes[%u]", match.pairs[i].expected);
        compare_arrays(trial, &left->observation, &right->observation, where, out);
    }
}

static void judge_input(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    /* A trip that nothing completed tests nothing. */
    if (!ndp_judgement_is_filled(trial, NDP_SLOT_RESULT) || !ndp_judgement_is_filled(trial, NDP_SLOT_SOURCE) ||
        !ndp_judgement_is_filled(trial, NDP_SLOT_SOURCE_AFTER) ||
        ndp_judgement_row(trial, NDP_FIELD_INPUT)->promise == NDP_PROMISE_ANY)
        return;
    const struct ndp_slot_record *before = ndp_judgement_slot(trial, NDP_SLOT_SOURCE);
    const struct ndp_slot_record *after = ndp_judgement_slot(trial, NDP_SLOT_SOURCE_AFTER);
    if (before->graph != NULL && after->graph != NULL) compare_graphs(trial, before->graph, after->graph, out);
    if (before->has_observation && after->has_observation)
        compare_arrays(trial, &before->observation, &after->observation, "source_after", out);
}

const struct ndp_property ndp_property_input = {
    .name = "input",
    .statement = "A call leaves its input unchanged: elements, layout, flags, type, class, attributes and file.",
    .needs = NDP_SLOT_BIT(SOURCE) | NDP_SLOT_BIT(ENCODED) | NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(SOURCE_AFTER),
    .for_round_trip = true,
    .values = NDP_VALUE_BIT(ARRAY) | NDP_VALUE_BIT(GRAPH),
    .judge = judge_input,
};
