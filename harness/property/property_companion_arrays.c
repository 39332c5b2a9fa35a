/* property_companion_arrays.c: judges the arrays of a graph under the contract of an equal array that is sent alone:
 * class, shape, type and values. Byte order, memory order, write permission and backing are judged only if the array is
 * encoded like one that is sent alone. */
#include "model/graph/graph_compare.h"
#include "model/graph/graph_features.h"
#include "property/graph_judgement.h"

#include <stdio.h>
#include <string.h>

/* Whether the array is encoded like one that is sent alone: it is not part of another array's state (a mask) or of an
 * instance, not in the pickle of an object array, and copied if the route copies. */
static bool is_encoded_like_one(const struct ndp_trial *trial, uint32_t number) {
    const uint64_t apart = NDP_GRAPH_OBJECTS | NDP_GRAPH_OWN_PICKLING | NDP_GRAPH_INSTANCE;
    const uint64_t held = NDP_GRAPH_FUNCTIONS | NDP_GRAPH_ATTRIBUTES;
    const uint64_t all = ndp_graph_features(trial->graph);
    const struct ndp_bytes class = trial->graph->nodes[number].model.class_name;
    const bool is_copied = strcmp(trial->route->format, "copy") == 0;
    if (is_copied && (strcmp(trial->route->encode, "deepcopy") != 0 || (all & held) != 0)) return false;
    if ((all & apart & ~NDP_GRAPH_VALUE) != 0) return false;
    return ndp_bytes_is_word(class, "ndarray") || ndp_bytes_is_word(class, "memmap");
}

/* The position in a file depends on the other arrays of the graph, so the observed one is taken. */
static void take_position(struct ndp_observation *promised, const struct ndp_observation *got) {
    const struct ndp_backing *backing = &got->backing;
    promised->backing.has_offset = backing->has_offset;
    promised->backing.offset_bytes = backing->offset_bytes;
    promised->backing.has_position = backing->has_position;
    promised->backing.position_bytes = backing->position_bytes;
    if (promised->elements.size_bytes == 0) promised->backing.is_mapped = backing->is_mapped;
}

static void judge_array(const struct ndp_trial *trial, const struct ndp_node *sent, const struct ndp_observation *got,
                        uint32_t number, struct ndp_judgement *out) {
    struct ndp_trial alone = *trial;
    struct ndp_contract contract;
    char where[24];
    snprintf(where, sizeof where, "nodes[%u]", number);
    alone.graph = NULL;
    alone.model = &sent->model;
    alone.features = ndp_graph_judgement_array_features(trial, sent);
    alone.expected = sent->observation;
    alone.where = where;
    ndp_contract_fill_cached(trial->memory, trial->route, trial->encoder, trial->decoder, alone.features, &contract);
    alone.contract = &contract;
    if (ndp_contract_apply(trial->arena, &sent->model, trial->route, trial->decoder, alone.features, &contract,
                           &alone.promised) != NDP_OK) {
        out->verdict = NDP_VERDICT_FAULT;
        return;
    }
    uint32_t fields = NDP_FIELD_BIT(SHAPE) | NDP_FIELD_BIT(DTYPE) | NDP_FIELD_BIT(VALUES);
    /* Mapping depends on the parent: a mask, for example, is pickled with its array. */
    const bool is_alone = is_encoded_like_one(trial, number);
    if (is_alone || contract.rows[NDP_FIELD_CLASS]->promise != NDP_PROMISE_MEMMAP) fields |= NDP_FIELD_BIT(CLASS);
    if (is_alone) {
        fields |= NDP_FIELD_BIT(BYTE_ORDER) | NDP_FIELD_BIT(MEMORY_ORDER) | NDP_FIELD_BIT(WRITEABLE);
        fields |= NDP_FIELD_BIT(BACKING);
        take_position(&alone.promised, got);
    }
    ndp_judgement_compare_promised(&alone, fields, &alone.promised, got, out);
}

static void judge_company(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct ndp_graph_compare match;
    ndp_judgement_init(out);
    const struct ndp_graph *got = ndp_graph_judgement_match(trial, &match, out);
    for (uint32_t i = 0; got != NULL && i < match.pair_count && out->verdict != NDP_VERDICT_FAULT; i++) {
        const struct ndp_node *sent = &trial->graph->nodes[match.pairs[i].expected];
        const struct ndp_node *arrived = &got->nodes[match.pairs[i].got];
        /* Property `class` reports unusable objects. */
        if (ndp_graph_node_model(sent) == NULL || !arrived->has_observation || arrived->trouble.size_bytes != 0)
            continue;
        judge_array(trial, sent, &arrived->observation, match.pairs[i].expected, out);
    }
}

const struct ndp_property ndp_property_companion_arrays = {
    .name = "company",
    .statement = "An array inside another object keeps its class, shape, type, values, byte order, memory order, write "
                 "permission and backing, like an array that is sent alone.",
    .needs = NDP_SLOT_BIT(RESULT),
    .for_round_trip = true,
    .values = NDP_VALUE_BIT(GRAPH),
    .judge = judge_company,
};
