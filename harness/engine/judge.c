/* judge.c: computes the verdict and the divergences of a case from its outcomes.
 *
 * Problem. A case has up to three outcomes: of the encoder's program, the decoder's and the oracle's. Each may be
 * missing or end in a process death, and the testee itself may be wrong.
 *
 * Method. The checks run in this order, and the first that fails ends the judging:
 *   1. A process death of a target is a divergence.
 *   2. A value that the testee cannot build is UNSUPPORTED.
 *   3. A source that differs from the model is a FAULT of the testee, because no result can be compared with it. If the
 *      base is a memory map that the library made, the map is wrong: a divergence of property memmap.
 *   4. Every property of the case judges the trial and may report a divergence.
 * The verdict of the case is the worst one.
 *
 * Cost. One comparison of the source with the model, and the comparisons of the properties.
 *
 * Limits. NDP_MAX_DIVERGENCES divergences are stored; the verdict and the counts include the others.
 */
#include <stdio.h>
#include <string.h>

#include "engine/case.h"
#include "model/graph/graph.h"
#include "model/graph/graph_features.h"
#include "property/attribute.h"
#include "property/graph_judgement.h"

#define COMPARED_FLAGS (NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED)

static void set_fault(struct ndp_result *result, const char *name, const char *reason) {
    result->verdict = NDP_VERDICT_FAULT;
    snprintf(result->detail, sizeof result->detail, "%s: %s", name, reason);
}

static struct ndp_divergence *add_divergence(struct ndp_case *item, enum ndp_verdict verdict) {
    struct ndp_result *result = &item->result;
    ndp_result_worsen(result, verdict);
    if (result->divergence_count == NDP_MAX_DIVERGENCES) return NULL;
    struct ndp_divergence *divergence = &result->divergences[result->divergence_count++];
    memset(divergence, 0, sizeof *divergence);
    divergence->verdict = verdict;
    divergence->route = item->descriptor.route;
    return divergence;
}

static void sign_divergence(const struct ndp_case *item, struct ndp_divergence *divergence, const char *outlier) {
    ndp_result_sign_divergence(divergence, outlier, item->has_model ? &item->model : NULL,
                               item->has_graph ? item->features : 0);
}

/* ---- deaths ---- */

/* The severity of a process death that no row of the contract covers. No library documents a bound for the memory that
 * decoding takes, so an out-of-memory death on input that is not known to be valid is a hazard, as in
 * property_strictness.c. Example: five bytes of a pickle can make CPython's memo arbitrarily long (3.11,
 * Modules/_pickle.c, _Unpickler_MemoPut). The reference has bounds, so its death is a defect. */
static enum ndp_severity severity_of_death(const struct ndp_case *item, enum ndp_verdict ended,
                                           const struct ndp_target_info *info) {
    const struct ndp_descriptor *descriptor = &item->descriptor;
    const bool is_unbounded = ended == NDP_VERDICT_OOM && !ndp_bytes_word_is(info->implementation, "reference");
    const bool is_foreign = descriptor->kind == NDP_CASE_DECODE && descriptor->expect != NDP_EXPECT_ACCEPT;
    return is_unbounded && is_foreign ? NDP_SEVERITY_HAZARD : NDP_SEVERITY_DEFECT;
}

static void add_death(const struct ndp_batch *batch, struct ndp_case *item, const struct ndp_outcome *outcome,
                      enum ndp_end end) {
    const struct ndp_route *route = &item->descriptor.route;
    const struct ndp_target_info *encoder = &batch->encoder->info, *decoder = &batch->decoder->info;
    const struct ndp_target_info *info = end == NDP_END_ENCODER ? encoder : decoder;
    struct ndp_divergence *divergence = add_divergence(item, outcome->ended);
    if (divergence == NULL) return;
    divergence->death = outcome->death;
    divergence->judgement.severity = severity_of_death(item, outcome->ended, info);
    const struct ndp_contract_row *row = ndp_contract_find(NDP_FIELD_PROCESS, route, encoder, decoder, item->features);
    if (row->promise == NDP_PROMISE_HAZARD) {
        divergence->judgement.severity = NDP_SEVERITY_HAZARD;
        divergence->judgement.row = row;
    }
    snprintf(divergence->judgement.field, sizeof divergence->judgement.field, "process");
    sign_divergence(item, divergence, ndp_attribute_process(info, route, end));
}

/* Judges a program that did not end normally; false if it did. */
static bool judge_end(const struct ndp_batch *batch, struct ndp_case *item, const struct ndp_outcome *outcome,
                      enum ndp_end end) {
    const struct ndp_target *target = end == NDP_END_ENCODER ? batch->encoder : batch->decoder;
    if (outcome->ended == NDP_VERDICT_PASS) return false;
    item->result.stderr_tail = outcome->stderr_tail;
    if (outcome->ended == NDP_VERDICT_FAULT) {
        set_fault(&item->result, target->info.name, outcome->fault);
    } else if (outcome->ended == NDP_VERDICT_UNSUPPORTED) {
        item->result.verdict = NDP_VERDICT_UNSUPPORTED;
        snprintf(item->result.detail, sizeof item->result.detail, "%s: %s", target->info.name, outcome->fault);
    } else {
        add_death(batch, item, outcome, end);
    }
    return true;
}

/* ---- the source ---- */

static void compare_observed(const struct ndp_observation *expected, const struct ndp_observation *got,
                             struct ndp_comparison *out) {
    ndp_equality_compare_shape(expected, got, out);
    ndp_equality_compare_dtype(expected, got, UINT32_MAX, out);
    if (out->total == 0) ndp_equality_compare_values(expected, got, NDP_MASK_NONE, out);
    ndp_equality_compare_strides(expected, got, out);
    ndp_equality_compare_flags(expected, got, COMPARED_FLAGS, out);
    ndp_equality_compare_class(expected, got, out);
    ndp_equality_compare_backing(expected, got, out);
}

static bool fail_source(struct ndp_result *result, const char *name, const char *path, const char *got,
                        const char *expected) {
    result->verdict = NDP_VERDICT_FAULT;
    snprintf(result->detail, sizeof result->detail, "%s built a wrong source: %s: expected %s, got %s", name, path,
             expected, got);
    return false;
}

static bool is_as_modelled(struct ndp_case *item, const struct ndp_target_info *info,
                           const struct ndp_comparison *comparison) {
    const struct ndp_difference *first = &comparison->list[0];
    return comparison->total == 0 || fail_source(&item->result, info->name, first->path, first->got, first->expected);
}

/* From here on, what instances keep in the source is expected of the result. */
static bool complete_graph(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_graph_compare *match) {
    if ((item->features & NDP_GRAPH_INSTANCE) == 0) return true;
    const struct ndp_target_info *info = &batch->encoder->info;
    if (ndp_graph_complete(&batch->arena, &item->graph, item->first->slots[NDP_SLOT_SOURCE].graph, match->pairs,
                           match->pair_count, info->is_little_endian, &item->graph) == NDP_OK)
        return true;
    set_fault(&item->result, info->name, "what the instances of the source keep is too large to compare");
    return false;
}

static bool judge_source_graph(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_target_info *info) {
    const struct ndp_graph *got = item->first->slots[NDP_SLOT_SOURCE].graph;
    struct ndp_graph_compare match;
    if (got == NULL) {
        set_fault(&item->result, info->name, "the answer has no observation of the source");
        return false;
    }
    if (ndp_graph_compare(&batch->arena, &item->graph, got, &match) != NDP_OK) {
        set_fault(&item->result, info->name, "the graph of the source is too large to compare");
        return false;
    }
    if (match.finding_count > 0) {
        const struct ndp_graph_finding *first = &match.findings[0];
        return fail_source(&item->result, info->name, first->path, first->got_text, first->expected_text);
    }
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    for (uint32_t i = 0; i < match.pair_count && comparison.total == 0; i++) {
        const struct ndp_node *want = &item->graph.nodes[match.pairs[i].expected];
        if (want->kind == NDP_NODE_ARRAY && want->has_observation)
            compare_observed(&want->observation, &got->nodes[match.pairs[i].got].observation, &comparison);
    }
    ndp_graph_compare_aliasing(&item->graph, got, &match, &comparison, &comparison);
    ndp_graph_compare_complete(&item->graph, got, &match, &comparison);
    return is_as_modelled(item, info, &comparison) && complete_graph(batch, item, &match);
}

/* The library itself mapped the file of such a base, which the testee wrote. A source that differs from the model is
 * therefore a divergence of the library; nothing else can be compared with it. */
static bool judge_source_map(struct ndp_case *item, const struct ndp_target_info *info,
                             const struct ndp_comparison *comparison) {
    if (comparison->total == 0) return true;
    struct ndp_divergence *divergence = add_divergence(item, NDP_VERDICT_DIVERGES);
    if (divergence == NULL) return false;
    divergence->property = ndp_property_find("memmap");
    divergence->judgement = (struct ndp_judgement){
        .verdict = NDP_VERDICT_DIVERGES, .severity = NDP_SEVERITY_DEFECT, .comparison = *comparison};
    snprintf(divergence->judgement.field, sizeof divergence->judgement.field, "source");
    sign_divergence(item, divergence, ndp_attribute_process(info, &item->descriptor.route, NDP_END_ENCODER));
    return false;
}

/* A class may refuse what it is called with. If the contract has a promise that it takes this, the refusal is a
 * divergence, and nothing can be sent. Returns whether it is one. */
static bool judge_built(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_slot_record *record) {
    const struct ndp_target_info *encoder = &batch->encoder->info, *decoder = &batch->decoder->info;
    const struct ndp_contract_row *row =
        ndp_contract_find(NDP_FIELD_BUILT, &item->descriptor.route, encoder, decoder, item->features);
    if (row->promise != NDP_PROMISE_SAME) return false;
    struct ndp_divergence *divergence = add_divergence(item, NDP_VERDICT_DIVERGES);
    if (divergence == NULL) return true;
    char text[NDP_DIFFERENCE_TEXT_BYTES];
    divergence->property = ndp_property_find("class");
    divergence->judgement = (struct ndp_judgement){
        .verdict = NDP_VERDICT_DIVERGES, .severity = NDP_SEVERITY_DEFECT, .row = row, .operation = "build"};
    snprintf(divergence->judgement.field, sizeof divergence->judgement.field, "built");
    ndp_judgement_refusal_text(&record->refusal, text);
    ndp_equality_add(&divergence->judgement.comparison, "built", "accepted", text);
    ndp_failure_fill(&divergence->judgement, text, "", divergence->failure);
    sign_divergence(item, divergence, ndp_attribute_process(encoder, &item->descriptor.route, NDP_END_ENCODER));
    return true;
}

/* Whether the source is as the model requires, so that results can be compared with it. */
static bool judge_source(struct ndp_batch *batch, struct ndp_case *item) {
    const struct ndp_target_info *info = &batch->encoder->info;
    const struct ndp_slot_record *record = &item->first->slots[NDP_SLOT_SOURCE];
    struct ndp_result *result = &item->result;
    if (record->state == NDP_SLOT_REFUSED && judge_built(batch, item, record)) return false;
    if (record->state == NDP_SLOT_REFUSED || record->state == NDP_SLOT_UNSUPPORTED) {
        result->verdict = NDP_VERDICT_UNSUPPORTED;
        snprintf(result->detail, sizeof result->detail, "%s cannot build the value: %s: %s", info->name,
                 record->refusal.type, record->refusal.message);
        return false;
    }
    if (item->has_graph) return judge_source_graph(batch, item, info);
    if (!record->has_observation) {
        set_fault(result, info->name, "the answer has no observation of the source");
        return false;
    }
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    compare_observed(&item->expected, &record->observation, &comparison);
    if (item->descriptor.value.array.base.has_map) return judge_source_map(item, info, &comparison);
    return is_as_modelled(item, info, &comparison);
}

/* ---- properties ---- */

static void count_judgement(struct ndp_result *result, uint32_t index, const struct ndp_judgement *judgement) {
    const bool is_first = !result->by_property[index].is_judged;
    /* A property that does not support the case has compared nothing that counts. */
    const uint64_t comparisons = judgement->verdict == NDP_VERDICT_UNSUPPORTED ? 0 : judgement->comparison.comparisons;
    result->comparisons += comparisons;
    result->by_property[index].is_judged = true;
    result->by_property[index].comparisons += comparisons;
    if (is_first || ndp_result_is_worse_verdict(judgement->verdict, result->by_property[index].verdict))
        result->by_property[index].verdict = judgement->verdict;
}

/* The clause of the format that crafted bytes violate, in the words of the reference, or else their named fault. */
static const char *clause_of(const struct ndp_case *item) {
    const struct ndp_slot_record *oracle = item->oracle != NULL ? &item->oracle->slots[NDP_SLOT_RESULT] : NULL;
    const bool is_refused = oracle != NULL && oracle->state == NDP_SLOT_REFUSED;
    return is_refused ? oracle->refusal.message : item->descriptor.fault.name;
}

static bool is_encoded(enum ndp_slot slot) {
    return slot == NDP_SLOT_ENCODED || slot == NDP_SLOT_REENCODED || slot == NDP_SLOT_PEER_ENCODED ||
           slot == NDP_SLOT_CALLED_ENCODED || slot == NDP_SLOT_TRANSCODED || slot == NDP_SLOT_DIRECT ||
           slot == NDP_SLOT_TOUCHED_ENCODED;
}

/* Fills the text of the refusal that the first difference begins with, and gives its slot; NONE if no refusal fits. Any
 * fits if one entry point refuses what another accepts. */
static enum ndp_slot find_error(const struct ndp_trial *trial, const char *got, char *out, size_t out_bytes) {
    const struct ndp_outcome *const outcomes[] = {trial->encoded, trial->decoded};
    const bool is_any = strcmp(got, "refused") == 0 || strcmp(got, "accepted") == 0;
    for (uint32_t i = 0; i < NDP_SLOT_COUNT * NDP_ARRAY_LEN(outcomes); i++) {
        const struct ndp_outcome *outcome = outcomes[i / NDP_SLOT_COUNT];
        const enum ndp_slot slot = (enum ndp_slot)(i % NDP_SLOT_COUNT);
        if (outcome == NULL || outcome->slots[slot].state != NDP_SLOT_REFUSED) continue;
        const struct ndp_refusal *refusal = &outcome->slots[slot].refusal;
        snprintf(out, out_bytes, "%s: %s", refusal->type, refusal->message);
        if (is_any || (got[0] != '\0' && strncmp(out, got, strlen(got)) == 0)) return slot;
    }
    out[0] = '\0';
    return NDP_SLOT_NONE;
}

static void set_failure(const struct ndp_case *item, const struct ndp_trial *trial, struct ndp_divergence *divergence) {
    char error[NDP_REFUSAL_TEXT_BYTES];
    struct ndp_judgement *judgement = &divergence->judgement;
    const enum ndp_slot slot = find_error(trial, judgement->comparison.list[0].got, error, sizeof error);
    if (slot != NDP_SLOT_NONE && !trial->route->is_transport)
        judgement->operation = is_encoded(slot) ? "encode" : "decode";
    ndp_failure_fill(judgement, error[0] != '\0' ? error : NULL, clause_of(item), divergence->failure);
    memcpy(divergence->error, error, sizeof divergence->error);
}

static void judge_property(struct ndp_case *item, const struct ndp_trial *trial, const struct ndp_property *property,
                           uint32_t index) {
    struct ndp_judgement judgement;
    if (!ndp_property_applies(property, item->descriptor.kind, item->descriptor.value.kind)) return;
    property->judge(trial, &judgement);
    if (judgement.verdict == NDP_VERDICT_PASS && judgement.comparison.comparisons == 0) return;
    count_judgement(&item->result, index, &judgement);
    if (judgement.verdict == NDP_VERDICT_FAULT) {
        set_fault(&item->result, property->name, "memory ran out while judging");
        return;
    }
    if (judgement.verdict != NDP_VERDICT_DIVERGES) {
        ndp_result_worsen(&item->result, judgement.verdict);
        return;
    }
    struct ndp_divergence *divergence = add_divergence(item, NDP_VERDICT_DIVERGES);
    if (divergence == NULL) return;
    divergence->property = property;
    divergence->judgement = judgement;
    set_failure(item, trial, divergence);
    sign_divergence(item, divergence, judgement.outlier);
}

static void judge_properties(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_outcome *decoded) {
    const struct ndp_target *oracle = batch->bench->oracle;
    const struct ndp_target_info *encoder = &batch->encoder->info, *decoder = &batch->decoder->info;
    const struct ndp_property *property;
    struct ndp_contract contract = item->contract;
    if (!item->has_contract)
        ndp_contract_fill_cached(&batch->memory, &item->descriptor.route, encoder, decoder, item->features, &contract);
    struct ndp_trial trial = {
        .contract = &contract,
        .memory = &batch->memory,
        .descriptor = &item->descriptor,
        .model = item->has_model ? &item->model : NULL,
        .graph = item->has_graph ? &item->graph : NULL,
        .features = item->features,
        .route = &item->descriptor.route,
        .encoder = encoder,
        .decoder = decoder,
        .encoded = item->first,
        .decoded = decoded,
        .peer_encode_entry = item->peers.encode,
        .peer_transport = item->peers.transport,
        .second = item->peers.has_second ? &item->peers.second : NULL,
        .expected = item->expected,
        .promised = item->promised,
        .is_read_by_oracle = oracle != NULL && ndp_bytes_word_is(oracle->info.implementation, decoder->implementation),
        .input = item->bytes,
        .oracle = item->oracle != NULL ? &item->oracle->slots[NDP_SLOT_RESULT] : NULL,
        .left = item->left,
        .arena = &batch->arena,
    };
    memcpy(trial.peer_entries, item->peers.decode, sizeof trial.peer_entries);
    ndp_graph_judgement_accept_members(&trial, &contract);
    for (uint32_t at = 0; (property = ndp_property_set_next(item->properties, &at)) != NULL; at++)
        judge_property(item, &trial, property, at);
}

/* ---- evidence ---- */

static void keep_promised(struct ndp_case *item) {
    const struct ndp_slot_record *oracle = item->oracle != NULL ? &item->oracle->slots[NDP_SLOT_RESULT] : NULL;
    const bool is_of_oracle = oracle != NULL && oracle->has_observation;
    item->result.has_promised = is_of_oracle || item->has_model;
    if (item->has_model) item->result.promised = item->promised;
    if (is_of_oracle) item->result.promised = oracle->observation;
}

static void keep_observations(struct ndp_case *item, const struct ndp_outcome *decoded) {
    const struct ndp_slot_record *source = &item->first->slots[NDP_SLOT_SOURCE];
    const struct ndp_slot_record *encoded = &item->first->slots[NDP_SLOT_ENCODED];
    const struct ndp_slot_record *result = &decoded->slots[NDP_SLOT_RESULT];
    item->result.has_source = source->has_observation;
    if (source->has_observation) item->result.source = source->observation;
    item->result.has_result = result->has_observation;
    if (result->has_observation) item->result.result = result->observation;
    if (result->state == NDP_SLOT_REFUSED) item->result.refusal = &result->refusal;
    if (encoded->state == NDP_SLOT_REFUSED) item->result.refusal = &encoded->refusal;
    item->result.is_unread = encoded->state == NDP_SLOT_FILLED && result->state == NDP_SLOT_UNSUPPORTED;
    item->result.encoding = encoded;
    item->result.decoding = result;
    item->result.oracle = item->oracle != NULL ? &item->oracle->slots[NDP_SLOT_RESULT] : NULL;
    item->result.encoded = encoded->has_bytes ? encoded->bytes : item->bytes;
    item->result.second = item->peers.second;
    keep_promised(item);
}

void ndp_case_judge(struct ndp_batch *batch, struct ndp_case *item) {
    if (item->first == NULL) return;
    const struct ndp_outcome *decoded = item->second != NULL ? item->second : item->first;
    const bool has_source =
        item->descriptor.kind == NDP_CASE_ROUND_TRIP && item->descriptor.value.kind != NDP_VALUE_DICT;
    keep_observations(item, decoded);
    if (judge_end(batch, item, item->first, NDP_END_ENCODER)) return;
    if (has_source && !judge_source(batch, item)) return;
    if (item->second != NULL && judge_end(batch, item, item->second, NDP_END_DECODER)) return;
    judge_properties(batch, item, decoded);
}
