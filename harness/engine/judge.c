#include <stdio.h>
#include <string.h>

#include "engine/batch.h"
#include "engine/signature.h"
#include "model/graph_compare.h"

/* How bad a verdict is; the worst one is the case's. */
static int badness(enum ndp_verdict verdict) {
    switch (verdict) {
    case NDP_VERDICT_PASS:
        return 0;
    case NDP_VERDICT_UNSUPPORTED:
        return 1;
    case NDP_VERDICT_REJECTS:
        return 2;
    case NDP_VERDICT_FLAKY:
        return 3;
    case NDP_VERDICT_DIVERGES:
        return 4;
    case NDP_VERDICT_TIMEOUT:
        return 5;
    case NDP_VERDICT_OOM:
        return 6;
    case NDP_VERDICT_CRASH:
        return 7;
    case NDP_VERDICT_FAULT:
        return 8;
    case NDP_VERDICT_COUNT:
        break;
    }
    return 0;
}

static void worsen(struct ndp_result *result, enum ndp_verdict verdict) {
    if (badness(verdict) > badness(result->verdict)) result->verdict = verdict;
}

static void fail(struct ndp_result *result, const char *who, const char *what) {
    result->verdict = NDP_VERDICT_FAULT;
    snprintf(result->detail, sizeof result->detail, "%s: %s", who, what);
}

static void set_outlier(struct ndp_divergence *divergence, const char *library) {
    snprintf(divergence->outlier, sizeof divergence->outlier, "%s", library);
}

/* The library behind an entry of a target; the target's main one where the entry names none. */
static const char *library_of(const struct ndp_target_info *info, const struct ndp_route *route) {
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (strcmp(entry->format, route->format) == 0 && entry->library[0] != '\0') return entry->library;
    }
    return info->implementation;
}

/* One leg of a case on its way to being judged: all of it, unless the case is a relay. */
struct leg {
    uint32_t number;
    const struct ndp_route *route;
    const struct ndp_target_info *from;
    const struct ndp_target_info *to;
};

static struct leg leg_of(const struct ndp_batch *batch, const struct ndp_case *item, uint32_t number) {
    const struct ndp_target_info *encoder = &batch->encoder->info;
    const struct ndp_target_info *decoder = &batch->decoder->info;
    const struct ndp_target_info *middle = batch->middle != NULL ? &batch->middle->info : NULL;
    return (struct leg){.number = number,
                        .route = &item->legs[number],
                        .from = number == 0 ? encoder : middle,
                        .to = number == 0 && middle != NULL ? middle : decoder};
}

static struct ndp_divergence *add_divergence(struct ndp_case *item, const struct leg *leg, enum ndp_verdict verdict) {
    struct ndp_result *result = &item->result;
    worsen(result, verdict);
    if (result->divergence_count == NDP_MAX_DIVERGENCES) return NULL;
    struct ndp_divergence *divergence = &result->divergences[result->divergence_count++];
    memset(divergence, 0, sizeof *divergence);
    divergence->verdict = verdict;
    divergence->route = *leg->route;
    return divergence;
}

static void sign(struct ndp_case *item, struct ndp_divergence *divergence) {
    ndp_signature_fill(divergence, item->has_model ? &item->model : NULL, item->has_graph ? item->features : 0);
}

/* What shows behind the first leg of a relay is the relay's, unless a leg shows it alone: what that would be called
 * there is kept. `legs` is a mask of 1 << number. */
static void sign_of_relay(struct ndp_case *item, struct ndp_divergence *divergence, uint32_t legs) {
    for (uint32_t i = 0; i < 2; i++) {
        if ((legs & (1u << i)) == 0) continue;
        divergence->route = item->legs[i];
        sign(item, divergence);
        memcpy(divergence->alone[i], divergence->core, sizeof divergence->alone[i]);
    }
    divergence->route = item->descriptor.route;
    sign(item, divergence);
}

/* How bad an end is that no row of the contract speaks of. No library documents a bound for what a file makes it take:
 * one that nobody vouches for and that asks for more than there is, is a hazard to whoever reads files of others, as it
 * is where the peak is measured (property_strictness.c). A memo of CPython is as long as its highest index, which five
 * bytes say (3.11, Modules/_pickle.c, _Unpickler_MemoPut). The reference has bounds. */
static enum ndp_severity severity_of_end(const struct ndp_case *item, enum ndp_verdict ended,
                                         const struct ndp_target_info *info) {
    const struct ndp_descriptor *descriptor = &item->descriptor;
    const bool is_unbounded = ended == NDP_VERDICT_OOM && !ndp_word_is(info->implementation, "reference");
    const bool is_foreign = descriptor->kind == NDP_CASE_DECODE && descriptor->expect != NDP_EXPECT_ACCEPT;
    return is_unbounded && is_foreign ? NDP_SEVERITY_HAZARD : NDP_SEVERITY_DEFECT;
}

/* A target that did not answer in full: its end is the finding. Whether it did. A middle may have died of either leg.
 */
static bool judge_end(struct ndp_case *item, const struct ndp_outcome *outcome, const struct leg *leg,
                      const struct ndp_target_info *info) {
    if (outcome->ended == NDP_VERDICT_PASS) return false;
    item->result.stderr_tail = outcome->stderr_tail;
    if (outcome->ended == NDP_VERDICT_FAULT) {
        fail(&item->result, info->name, outcome->fault);
        return true;
    }
    if (outcome->ended == NDP_VERDICT_UNSUPPORTED) {
        item->result.verdict = NDP_VERDICT_UNSUPPORTED;
        snprintf(item->result.detail, sizeof item->result.detail, "%s: %s", info->name, outcome->fault);
        return true;
    }
    struct ndp_divergence *divergence = add_divergence(item, leg, outcome->ended);
    if (divergence == NULL) return true;
    divergence->death = outcome->death;
    divergence->judgement.severity = severity_of_end(item, outcome->ended, info);
    const struct ndp_contract_row *row =
        ndp_contract_find(NDP_FIELD_PROCESS, leg->route, leg->from, leg->to, item->features);
    if (row->promise == NDP_PROMISE_HAZARD) {
        divergence->judgement.severity = NDP_SEVERITY_HAZARD;
        divergence->judgement.row = row;
    }
    snprintf(divergence->judgement.field, sizeof divergence->judgement.field, "process");
    set_outlier(divergence, library_of(info, leg->route));
    if (outcome == item->relayed) {
        sign_of_relay(item, divergence, 3);
    } else if (leg->number == 1) {
        sign_of_relay(item, divergence, 2);
    } else {
        sign(item, divergence);
    }
    return true;
}

static void compare_observed(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t flags,
                             struct ndp_comparison *out) {
    ndp_compare_shape(expected, got, out);
    ndp_compare_dtype(expected, got, UINT32_MAX, out);
    if (out->total == 0) ndp_compare_values(expected, got, NDP_MASK_NONE, out);
    ndp_compare_strides(expected, got, out);
    ndp_compare_flags(expected, got, flags, out);
    ndp_compare_class(expected, got, out);
    ndp_compare_backing(expected, got, out);
}

static bool is_as_modelled(struct ndp_case *item, const struct ndp_target_info *info,
                           const struct ndp_comparison *comparison) {
    if (comparison->total == 0) return true;
    const struct ndp_difference *first = &comparison->list[0];
    item->result.verdict = NDP_VERDICT_FAULT;
    snprintf(item->result.detail, sizeof item->result.detail, "%s built another source: %s is %s, the model says %s",
             info->name, first->path, first->got, first->expected);
    return false;
}

/* The source's graph must be the model's, before anything is said of what became of it. */
static bool judge_source_graph(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_target_info *info) {
    const struct ndp_graph *got = item->first->slots[NDP_SLOT_SOURCE].graph;
    struct ndp_result *result = &item->result;
    struct ndp_graph_match match;
    if (got == NULL) {
        fail(result, info->name, "sent no observation of the source");
        return false;
    }
    if (ndp_graph_match(&batch->arena, &item->graph, got, &match) != NDP_OK) {
        fail(result, info->name, "sent a graph that leaves no memory to compare it");
        return false;
    }
    if (match.finding_count > 0) {
        const struct ndp_graph_finding *first = &match.findings[0];
        result->verdict = NDP_VERDICT_FAULT;
        snprintf(result->detail, sizeof result->detail, "%s built another source: %s is %s, the model says %s",
                 info->name, first->path, first->got_text, first->expected_text);
        return false;
    }
    struct ndp_comparison comparison;
    ndp_comparison_clear(&comparison);
    const uint32_t flags = NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED;
    for (uint32_t i = 0; i < match.pair_count && comparison.total == 0; i++) {
        const struct ndp_node *want = &item->graph.nodes[match.pairs[i].expected];
        const struct ndp_node *have = &got->nodes[match.pairs[i].got];
        if (want->kind != NDP_NODE_ARRAY || !want->has_observation) continue;
        compare_observed(&want->observation, &have->observation, flags, &comparison);
    }
    ndp_compare_aliasing(&item->graph, got, &match, &comparison, &comparison);
    ndp_compare_whole(&item->graph, got, &match, &comparison);
    return is_as_modelled(item, info, &comparison);
}

/* A base that is a map was opened by the library's own memory map of a file that the testee wrote: when it, or a view
 * of it, is not what the model says, the map is wrong and not the testee. Nothing else can be judged by it. */
static bool judge_source_map(struct ndp_case *item, const struct leg *leg, const struct ndp_comparison *comparison) {
    if (comparison->total == 0) return true;
    struct ndp_divergence *divergence = add_divergence(item, leg, NDP_VERDICT_DIVERGES);
    if (divergence == NULL) return false;
    divergence->property = ndp_property_find("memmap");
    divergence->judgement = (struct ndp_judgement){
        .verdict = NDP_VERDICT_DIVERGES,
        .severity = NDP_SEVERITY_DEFECT,
        .comparison = *comparison,
    };
    snprintf(divergence->judgement.field, sizeof divergence->judgement.field, "source");
    set_outlier(divergence, library_of(leg->from, leg->route));
    sign(item, divergence);
    return false;
}

/* The source comes first: a testee that built another array than the model has nothing to be judged by. */
static bool judge_source(struct ndp_batch *batch, struct ndp_case *item, const struct leg *leg) {
    const struct ndp_target_info *info = leg->from;
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
    const uint32_t flags = NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED;
    compare_observed(&item->expected, &record->observation, flags, &comparison);
    if (item->descriptor.value.array.base.has_map) return judge_source_map(item, leg, &comparison);
    return is_as_modelled(item, info, &comparison);
}

static void judge_property(struct ndp_case *item, const struct ndp_trial *trial, const struct leg *leg,
                           uint32_t index) {
    const struct ndp_property *property = ndp_properties(&(uint32_t){0})[index];
    if (!ndp_property_applies(property, item->descriptor.kind, item->descriptor.value.kind)) return;
    struct ndp_judgement judgement;
    property->judge(trial, &judgement);
    struct ndp_result *result = &item->result;
    result->comparisons += judgement.comparison.comparisons;
    if (judgement.verdict == NDP_VERDICT_PASS && judgement.comparison.comparisons == 0) return;
    const bool is_judged = result->by_property[index].is_judged;
    const enum ndp_verdict verdict = result->by_property[index].verdict;
    result->by_property[index].is_judged = true;
    if (!is_judged || badness(judgement.verdict) > badness(verdict))
        result->by_property[index].verdict = judgement.verdict;
    result->by_property[index].comparisons += judgement.comparison.comparisons;
    if (judgement.verdict == NDP_VERDICT_FAULT) {
        fail(result, property->name, "cannot judge this trial");
        return;
    }
    if (judgement.verdict != NDP_VERDICT_DIVERGES) {
        worsen(result, judgement.verdict);
        return;
    }
    struct ndp_divergence *divergence = add_divergence(item, leg, NDP_VERDICT_DIVERGES);
    if (divergence == NULL) return;
    divergence->property = property;
    divergence->judgement = judgement;
    if (leg->number == 1) {
        /* Where the second leg alone is right, what came before it makes the difference, and that the middle alone has
         * seen; where it is not, the finding is that leg's and names its own. */
        set_outlier(divergence, library_of(leg->from, leg->route));
        sign_of_relay(item, divergence, 2);
        return;
    }
    set_outlier(divergence, judgement.outlier != NULL ? judgement.outlier : library_of(leg->to, leg->route));
    sign(item, divergence);
}

static void judge_properties(struct ndp_case *item, const struct ndp_trial *trial, const struct leg *leg) {
    uint32_t count;
    (void)ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) {
        if ((item->properties & (1u << i)) != 0) judge_property(item, trial, leg, i);
    }
}

static void keep_promised(struct ndp_case *item) {
    const struct ndp_slot_record *oracle = item->oracle != NULL ? &item->oracle->slots[NDP_SLOT_RESULT] : NULL;
    bool is_oracles = oracle != NULL && oracle->has_observation;
    item->result.has_promised = is_oracles || item->has_model;
    if (item->has_model) item->result.promised = item->promised;
    if (is_oracles) item->result.promised = oracle->observation;
}

static void keep_observations(struct ndp_case *item, const struct ndp_outcome *decoded) {
    const struct ndp_slot_record *source = &item->first->slots[NDP_SLOT_SOURCE];
    const struct ndp_slot_record *result = &decoded->slots[NDP_SLOT_RESULT];
    item->result.has_source = source->has_observation;
    if (source->has_observation) item->result.source = source->observation;
    item->result.has_result = result->has_observation;
    if (result->has_observation) item->result.result = result->observation;
    const struct ndp_slot_record *encoded = &item->first->slots[NDP_SLOT_ENCODED];
    if (encoded->state == NDP_SLOT_REFUSED)
        item->result.refusal = &encoded->refusal;
    else if (result->state == NDP_SLOT_REFUSED)
        item->result.refusal = &result->refusal;
    item->result.is_unread = encoded->state == NDP_SLOT_FILLED && result->state == NDP_SLOT_UNSUPPORTED;
    keep_promised(item);
    item->result.encoded = encoded->has_bytes ? encoded->bytes : item->bytes;
}

/* What became of the value in the middle, and the bytes that it made of it. */
static void keep_relayed(struct ndp_case *item) {
    const struct ndp_slot_record *got = &item->relayed->slots[NDP_SLOT_RESULT];
    const struct ndp_slot_record *encoded = &item->relayed->slots[NDP_SLOT_REENCODED];
    item->result.has_relayed = got->has_observation;
    if (got->has_observation) item->result.relayed = got->observation;
    item->result.relayed_graph = got->graph;
    item->result.relayed_from = item->result.encoded;
    item->result.encoded = encoded->has_bytes ? encoded->bytes : (struct ndp_bytes){NULL, 0};
    if (got->state == NDP_SLOT_REFUSED)
        item->result.refusal = &got->refusal;
    else if (encoded->state == NDP_SLOT_REFUSED)
        item->result.refusal = &encoded->refusal;
}

/* What all trials of a case have in common, and what those of its first leg, or of a case without a middle, have. */
static struct ndp_trial start_trial(struct ndp_batch *batch, const struct ndp_case *item, const struct leg *leg,
                                    const struct ndp_contract *contract) {
    const struct ndp_target *oracle = batch->bench->oracle;
    return (struct ndp_trial){
        .contract = contract,
        .memory = &batch->memory,
        .descriptor = &item->descriptor,
        .model = item->has_model ? &item->model : NULL,
        .graph = item->has_graph ? &item->graph : NULL,
        .features = item->features,
        .route = leg->route,
        .encoder = leg->from,
        .decoder = leg->to,
        .encoded = item->first,
        .expected = item->expected,
        .promised = item->promised,
        .is_read_by_oracle = oracle != NULL && strcmp(oracle->info.implementation, leg->to->implementation) == 0,
        .input = item->bytes,
        .arena = &batch->arena,
    };
}

static void judge_first_leg(struct ndp_batch *batch, struct ndp_case *item, const struct ndp_outcome *decoded) {
    const struct leg leg = leg_of(batch, item, 0);
    struct ndp_contract contract = item->contract;
    if (!item->has_contract)
        ndp_contract_recall(&batch->memory, leg.route, leg.from, leg.to, item->features, &contract);
    struct ndp_trial trial = start_trial(batch, item, &leg, &contract);
    trial.decoded = decoded;
    trial.peer_encode_entry = item->peers.encode;
    trial.peer_transport = item->peers.transport;
    trial.oracle = item->oracle != NULL ? &item->oracle->slots[NDP_SLOT_RESULT] : NULL;
    trial.left = item->left;
    memcpy(trial.peer_entries, item->peers.decode, sizeof trial.peer_entries);
    judge_properties(item, &trial, &leg);
}

/* The second leg of a relay, when its middle got something. */
static void judge_second_leg(struct ndp_batch *batch, struct ndp_case *item) {
    const struct leg leg = leg_of(batch, item, 1);
    struct ndp_relay_source source;
    struct ndp_contract contract;
    const enum ndp_status status = ndp_relay_source(batch, item, &source);
    if (status == NDP_UNSUPPORTED || status == NDP_LIMIT) return;
    if (status != NDP_OK) {
        fail(&item->result, leg.from->name, "got what leaves no memory to judge it");
        return;
    }
    ndp_contract_recall(&batch->memory, leg.route, leg.from, leg.to, source.features, &contract);
    struct ndp_trial trial = start_trial(batch, item, &leg, &contract);
    trial.encoded = source.encoded;
    trial.decoded = item->second != NULL ? item->second : source.encoded;
    trial.features = source.features;
    if (item->has_model) trial.model = &source.model;
    if (item->has_graph) trial.graph = &source.graph;
    trial.expected = source.encoded->slots[NDP_SLOT_SOURCE].observation;
    trial.promised = source.promised;
    if (item->has_model) item->result.promised = source.promised;
    judge_properties(item, &trial, &leg);
}

static void judge_relay(struct ndp_batch *batch, struct ndp_case *item) {
    const struct leg legs[] = {leg_of(batch, item, 0), leg_of(batch, item, 1)};
    if (!judge_source(batch, item, &legs[0])) return;
    if (item->relayed == NULL) {
        judge_first_leg(batch, item, item->first);
        return;
    }
    keep_relayed(item);
    if (judge_end(item, item->relayed, &legs[0], legs[0].to)) return;
    judge_first_leg(batch, item, item->relayed);
    if (item->relayed->slots[NDP_SLOT_RESULT].state != NDP_SLOT_FILLED) return;
    if (item->second != NULL && judge_end(item, item->second, &legs[1], legs[1].to)) return;
    judge_second_leg(batch, item);
}

void ndp_case_judge(struct ndp_batch *batch, struct ndp_case *item) {
    if (item->first == NULL) return;
    const bool is_relayed = item->descriptor.route.is_relayed;
    const struct ndp_outcome *decoded = item->second != NULL ? item->second : item->first;
    bool is_decode = item->descriptor.kind == NDP_CASE_DECODE;
    const struct leg leg = leg_of(batch, item, 0);
    keep_observations(item, decoded);
    if (judge_end(item, item->first, &leg, leg.from)) return;
    if (is_relayed) {
        judge_relay(batch, item);
        return;
    }
    bool is_dict = item->descriptor.value.kind == NDP_VALUE_DICT;
    if (!is_decode && !is_dict && !judge_source(batch, item, &leg)) return;
    if (item->second != NULL && judge_end(item, item->second, &leg, leg.to)) return;
    judge_first_leg(batch, item, decoded);
}
