/* property_class.c: an array of a subclass keeps the attributes of its class, or is refused. An object that arrives
 * must be usable. */
#include "model/graph/graph_compare.h"
#include "property/graph_judgement.h"

#include <stdio.h>
#include <string.h>

static enum ndp_node_kind kind_of(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return trial->graph->nodes[finding->expected].kind;
}

static bool is_of_class(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    if (finding->what == NDP_GRAPH_SPLIT || finding->what == NDP_GRAPH_MERGED) return false;
    return kind_of(trial, finding) == NDP_NODE_ARRAY || kind_of(trial, finding) == NDP_NODE_INSTANCE;
}

/* The name of a class without its module. */
static struct ndp_bytes name_of(struct ndp_bytes import) {
    uint64_t start = import.size_bytes;
    while (start > 0 && import.data[start - 1] != ':' && import.data[start - 1] != '.') start--;
    return (struct ndp_bytes){import.data + start, import.size_bytes - start};
}

/* Fills the name of the field: the broken part and the class, because each class has its own defects. A documented loss
 * has one name for all classes. */
static void name_field(const struct ndp_trial *trial, const struct ndp_contract_row *row, const char *word,
                       uint32_t node, char out[NDP_WORD_BYTES]) {
    const struct ndp_node *of = &trial->graph->nodes[node];
    struct ndp_bytes class = {NULL, 0};
    if (of->kind == NDP_NODE_ARRAY) class = of->array.class_name;
    if (of->kind == NDP_NODE_INSTANCE) class = name_of(of->import);
    bool is_named = row->promise != NDP_PROMISE_LOST && class.size_bytes > 0;
    snprintf(out, NDP_WORD_BYTES, "%s%s%.*s", word, is_named ? "." : "", is_named ? (int)class.size_bytes : 0,
             (const char *)class.data);
}

/* Judges every object that is not usable, under the row of its class. */
static void judge_whole(const struct ndp_trial *trial, const struct ndp_graph *got,
                        const struct ndp_graph_compare *match, struct ndp_judgement *out) {
    for (uint32_t i = 0; i < match->pair_count; i++) {
        const struct ndp_graph_compare one = {.pairs = &match->pairs[i], .pair_count = 1};
        struct ndp_comparison part;
        ndp_equality_clear(&part);
        char name[NDP_WORD_BYTES];
        const struct ndp_contract_row *row = ndp_graph_judgement_row(trial, NDP_FIELD_WHOLE, one.pairs->expected);
        if (row->promise == NDP_PROMISE_ANY) continue;
        ndp_graph_compare_complete(trial->graph, got, &one, &part);
        name_field(trial, row, "whole", one.pairs->expected, name);
        ndp_judgement_add(trial, row, name, "", &part, out);
    }
}

/* The part that differs: the role of the edge, or the last word of the path. Each part has its own name. */
static const char *part_of(const struct ndp_graph_finding *finding) {
    const char *dot = strrchr(finding->path, '.');
    const char *kept = strstr(finding->path, ".keep.");
    if (finding->role == NDP_EDGE_KEPT && kept != NULL) return kept + strlen(".keep.");
    if (finding->role != NDP_EDGE_COUNT) return ndp_graph_words_edge(finding->role);
    return dot != NULL ? dot + 1 : "attributes";
}

static void judge_attributes(const struct ndp_trial *trial, const struct ndp_graph_compare *match,
                             struct ndp_judgement *out) {
    struct ndp_comparison walked = {.comparisons = match->pair_count};
    ndp_judgement_add(trial, ndp_judgement_row(trial, NDP_FIELD_ATTRIBUTES), "attributes", "", &walked, out);
    for (uint32_t i = 0; i < match->finding_count; i++) {
        const struct ndp_graph_finding *finding = &match->findings[i];
        if (!is_of_class(trial, finding)) continue;
        const struct ndp_contract_row *row = ndp_graph_judgement_row(trial, NDP_FIELD_ATTRIBUTES, finding->expected);
        struct ndp_comparison part;
        ndp_equality_clear(&part);
        char name[NDP_WORD_BYTES];
        if (row->promise == NDP_PROMISE_ANY) continue;
        ndp_equality_add(&part, finding->path, finding->expected_text, finding->got_text);
        name_field(trial, row, part_of(finding), finding->expected, name);
        ndp_judgement_add(trial, row, name, "", &part, out);
    }
}

static void judge_class(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct ndp_graph_compare match;
    ndp_judgement_init(out);
    const struct ndp_graph *got = ndp_graph_judgement_match(trial, &match, out);
    if (got == NULL) return;
    judge_whole(trial, got, &match, out);
    judge_attributes(trial, &match, out);
}

const struct ndp_property ndp_property_class = {
    .name = "class",
    .statement = "An instance of a subclass keeps its attributes or is refused; no object arrives half-initialised.",
    .needs = NDP_SLOT_BIT(RESULT),
    .for_round_trip = true,
    .values = NDP_VALUE_BIT(GRAPH),
    .judge = judge_class,
};
