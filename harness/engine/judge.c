/* judge.c: from the outcomes of a case to its verdict and divergences.
 *
 * Problem. A case has up to three outcomes: of the encoder's program, of the decoder's and of the oracle's. Any of them
 * may be missing or end in a process death, and a testee may be wrong itself.
 *
 * Method. In this order, and the first that applies ends the judging: the death of a target is a divergence; a testee
 * that does not build the value is UNSUPPORTED; a source that is not as the model says is a FAULT of the testee,
 * because nothing can be judged by it (a memory map of the library as the base is the exception: then the map is
 * wrong); at last every property of the case judges the trial. The verdict of the case is the worst of all.
 *
 * Cost. One comparison of the source with the model, and what the properties cost.
 *
 * Limits. NDP_MAX_DIVERGENCES divergences are kept; the verdict and the counts include the others.
 */
#include <stdio.h>
#include <string.h>

#include "engine/case.h"
#include "model/graph_compare.h"
#include "property/attribute.h"

#define COMPARED_FLAGS (NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED)

static void fail(struct ndp_result *result, const char *name, const char *reason) {
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

static void sign(const struct ndp_case *item, struct ndp_divergence *divergence, const char *outlier) {
    ndp_divergence_sign(divergence, outlier, item->has_model ? &item->model : NULL,
                        item->has_graph ? item->features : 0);
}

/* ---- deaths ---- */

/* How bad a process death is that no row of the contract covers. No library documents a bound for the memory that a
 * file makes it take: a file that nobody vouches for and that asks for more than there is, is a hazard to the reader of
 * foreign files, as it is where the peak is measured (property_strictness.c). A memo of CPython is as long as its
 * highest index, which takes five bytes (3.11, Modules/_pickle.c, _Unpickler_MemoPut). The reference has bounds. */
static enum ndp_severity severity_of_death(const struct ndp_case *item, enum ndp_verdict ended,
                                           const struct ndp_target_info *info) {
    const struct ndp_descriptor *descriptor = &item->descriptor;
    const bool is_unbounded = ended == NDP_VERDICT_OOM && !ndp_word_is(info->implementation, "reference");
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
    sign(item, divergence, ndp_attribute_process(info, route, end));
}

/* Judges a program that its target did not answer in full. Whether it did not. */
static bool judge_end(const struct ndp_batch *batch, struct ndp_case *item, const struct ndp_outcome *outcome,
                      enum ndp_end end) {
    const struct ndp_target *target = end == NDP_END_ENCODER ? batch->encoder : batch->decoder;
    if (outcome->ended == NDP_VERDICT_PASS) return false;
    item->result.stderr_tail = outcome->stderr_tail;
    if (outcome->ended == NDP_VERDICT_FAULT) {
        fail(&item->result, target->info.name, outcome->fault);
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
    ndp_compare_shape(expected, got, out);
    ndp_compare_dtype(expected, got, UINT32_MAX, out);
    if (out->total == 0) ndp_compare_values(expected, got, NDP_MASK_NONE, out);
    ndp_compare_strides(expected, got, out);
    ndp_compare_flags(expected, got, COMPARED_FLAGS, out);
    ndp_compare_class(expected, got, out);
    ndp_compare_backing(expected, got, out);
}

static bool fail_source(struct ndp_result *result, const char *name, const char *path, const char *got,
                        const char *expected) {
    result->verdict = NDP_VERDICT_FAULT;
    snprintf(result->detail, sizeof result->detail, "%s built another source: %s is %s, the model says %s", name, path,
             got, expected);
    return false;
}

static bool is_as_modelled(struct ndp_case *item, const struct ndp_target_info *info,
                           const struct ndp_comparison *comparison) {
    const struct ndp_difference *first = &comparison->list[0];
    return comparison->total == 0 || fail_source(&item->result, info->name, first->path, first->got, first->expected);
}

static bool judge_source_graph(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_target_info *info) {
    const struct ndp_graph *got = item->first->slots[NDP_SLOT_SOURCE].graph;
    struct ndp_graph_match match;
    if (got == NULL) {
        fail(&item->result, info->name, "sent no observation of the source");
        return false;
    }
    if (ndp_graph_match(&batch->arena, &item->graph, got, &match) != NDP_OK) {
        fail(&item->result, info->name, "sent a graph that leaves no memory to compare it");
        return false;
    }
    if (match.finding_count > 0) {
        const struct ndp_graph_finding *first = &match.findings[0];
        return fail_source(&item->result, info->name, first->path, first->got_text, first->expected_text);
    }
    struct ndp_comparison comparison;
    ndp_comparison_clear(&comparison);
    for (uint32_t i = 0; i < match.pair_count && comparison.total == 0; i++) {
        const struct ndp_node *want = &item->graph.nodes[match.pairs[i].expected];
        if (want->kind == NDP_NODE_ARRAY && want->has_observation)
            compare_observed(&want->observation, &got->nodes[match.pairs[i].got].observation, &comparison);
    }
    ndp_compare_aliasing(&item->graph, got, &match, &comparison, &comparison);
    ndp_compare_whole(&item->graph, got, &match, &comparison);
    return is_as_modelled(item, info, &comparison);
}

/* A base that is a map was opened by the library's own memory map of a file that the testee wrote: when it, or a view
 * of it, is not as the model says, the map is wrong and not the testee. Nothing else can be judged by it. */
static bool judge_source_map(struct ndp_case *item, const struct ndp_target_info *info,
                             const struct ndp_comparison *comparison) {
    if (comparison->total == 0) return true;
    struct ndp_divergence *divergence = add_divergence(item, NDP_VERDICT_DIVERGES);
    if (divergence == NULL) return false;
    divergence->property = ndp_property_find("memmap");
    divergence->judgement = (struct ndp_judgement){
        .verdict = NDP_VERDICT_DIVERGES, .severity = NDP_SEVERITY_DEFECT, .comparison = *comparison};
    snprintf(divergence->judgement.field, sizeof divergence->judgement.field, "source");
    sign(item, divergence, ndp_attribute_process(info, &item->descriptor.route, NDP_END_ENCODER));
    return false;
}

/* Whether the rest of the case can be judged by its source. */
static bool judge_source(struct ndp_batch *batch, struct ndp_case *item) {
    const struct ndp_target_info *info = &batch->encoder->info;
    const struct ndp_slot_record *record = &item->first->slots[NDP_SLOT_SOURCE];
    struct ndp_result *result = &item->result;
    if (record->state == NDP_SLOT_REFUSED || record->state == NDP_SLOT_UNSUPPORTED) {
        result->verdict = NDP_VERDICT_UNSUPPORTED;
        snprintf(result->detail, sizeof result->detail, "%s does not build this value: %s %s", info->name,
                 record->refusal.type, record->refusal.message);
        return false;
    }
    if (item->has_graph) return judge_source_graph(batch, item, info);
    if (!record->has_observation) {
        fail(result, info->name, "sent no observation of the source");
        return false;
    }
    struct ndp_comparison comparison;
    ndp_comparison_clear(&comparison);
    compare_observed(&item->expected, &record->observation, &comparison);
    if (item->descriptor.value.array.base.has_map) return judge_source_map(item, info, &comparison);
    return is_as_modelled(item, info, &comparison);
}

/* ---- properties ---- */

static void count_judgement(struct ndp_result *result, uint32_t index, const struct ndp_judgement *judgement) {
    const bool is_first = !result->by_property[index].is_judged;
    result->comparisons += judgement->comparison.comparisons;
    result->by_property[index].is_judged = true;
    result->by_property[index].comparisons += judgement->comparison.comparisons;
    if (is_first || ndp_verdict_is_worse(judgement->verdict, result->by_property[index].verdict))
        result->by_property[index].verdict = judgement->verdict;
}

static void judge_property(struct ndp_case *item, const struct ndp_trial *trial, const struct ndp_property *property,
                           uint32_t index) {
    struct ndp_judgement judgement;
    if (!ndp_property_applies(property, item->descriptor.kind, item->descriptor.value.kind)) return;
    property->judge(trial, &judgement);
    if (judgement.verdict == NDP_VERDICT_PASS && judgement.comparison.comparisons == 0) return;
    count_judgement(&item->result, index, &judgement);
    if (judgement.verdict == NDP_VERDICT_FAULT) {
        fail(&item->result, property->name, "cannot judge this trial");
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
    sign(item, divergence, judgement.outlier);
}

static void judge_properties(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_outcome *decoded) {
    const struct ndp_target *oracle = batch->bench->oracle;
    const struct ndp_target_info *encoder = &batch->encoder->info, *decoder = &batch->decoder->info;
    const struct ndp_property *property;
    struct ndp_contract contract = item->contract;
    if (!item->has_contract)
        ndp_contract_recall(&batch->memory, &item->descriptor.route, encoder, decoder, item->features, &contract);
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
        .is_read_by_oracle = oracle != NULL && ndp_word_is(oracle->info.implementation, decoder->implementation),
        .input = item->bytes,
        .oracle = item->oracle != NULL ? &item->oracle->slots[NDP_SLOT_RESULT] : NULL,
        .left = item->left,
        .arena = &batch->arena,
    };
    memcpy(trial.peer_entries, item->peers.decode, sizeof trial.peer_entries);
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
