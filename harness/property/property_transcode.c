/* property_transcode.c: a target encodes its result in a second format and decodes it again.
 *
 * Problem. An array in memory may depend on the format that it came from in ways that observations do not show, and
 * that only an encoder of another format reveals.
 *
 * Method. The second trip has the result of the first as its source and is judged under its own contract. If the target
 * shows the same divergence when it encodes the original source in the second format, the properties of that format
 * report it, not this one.
 *
 * Limits. One second format per case. For graphs only acceptance is judged. */
#include "property/judgement.h"

#include <stdio.h>

/* A trip to the second format: its source and its slots. */
struct trip {
    const struct ndp_array *source; /* NULL for graphs */
    uint64_t features;
    enum ndp_slot encoded;
    enum ndp_slot result;
};

static const struct ndp_refusal *refusal_of(const struct ndp_trial *trial, const struct trip *trip) {
    if (ndp_judgement_is_refused(trial, trip->encoded)) return &ndp_judgement_slot(trial, trip->encoded)->refusal;
    if (ndp_judgement_is_refused(trial, trip->result)) return &ndp_judgement_slot(trial, trip->result)->refusal;
    return NULL;
}

/* The properties of the fields report documented losses. */
static uint32_t kept_fields(const struct ndp_contract *contract) {
    uint32_t fields = NDP_FIELDS_OBSERVED;
    for (uint32_t field = 0; field < NDP_FIELD_ATTRIBUTES; field++)
        if (contract->rows[field]->promise == NDP_PROMISE_LOST) fields &= ~(UINT32_C(1) << field);
    return fields;
}

static void judge_array(struct ndp_trial *trial, const struct trip *trip, struct ndp_judgement *out) {
    const struct ndp_slot_record *result = ndp_judgement_slot(trial, trip->result);
    if (!result->has_observation || trip->source == NULL) return;
    if (ndp_contract_apply(trial->arena, trip->source, trial->route, trial->decoder, trip->features, trial->contract,
                           &trial->promised) != NDP_OK) {
        out->verdict = NDP_VERDICT_FAULT;
        return;
    }
    ndp_judgement_compare_promised(trial, kept_fields(trial->contract), &trial->promised, &result->observation, out);
}

static void judge_acceptance(const struct ndp_trial *trial, const struct ndp_contract_row *row,
                             const struct ndp_refusal *refusal, struct ndp_judgement *out) {
    struct ndp_comparison comparison;
    char text[NDP_DIFFERENCE_TEXT_BYTES];
    ndp_equality_clear(&comparison);
    comparison.comparisons = 1;
    if (refusal != NULL) {
        ndp_judgement_refusal_text(refusal, text);
        ndp_equality_add(&comparison, "accepted", "accepted", text);
    }
    ndp_judgement_add(trial, row, "accepted", trial->where, &comparison, out);
}

static void judge_trip(const struct ndp_trial *trial, const struct trip *trip, struct ndp_judgement *out) {
    struct ndp_contract contract;
    struct ndp_trial second = *trial;
    second.route = trial->second;
    second.features = trip->features;
    second.contract = &contract;
    if (trip->source != NULL) second.model = trip->source;
    ndp_contract_fill_cached(trial->memory, second.route, second.encoder, second.decoder, trip->features, &contract);
    const struct ndp_contract_row *row = contract.rows[NDP_FIELD_ACCEPTED];
    const struct ndp_refusal *refusal = refusal_of(trial, trip);
    ndp_judgement_init(out);
    if (ndp_judgement_may_refuse(row) || (refusal == NULL && !ndp_judgement_is_filled(trial, trip->result))) return;
    char where[NDP_ROUTE_TEXT_BYTES];
    ndp_descriptor_print_route(second.route, where);
    second.where = where;
    judge_acceptance(&second, row, refusal, out);
    if (ndp_judgement_is_refused(trial, trip->encoded)) out->operation = "encode";
    if (refusal == NULL) judge_array(&second, trip, out);
}

/* Fills the source of the second trip from the result of the first; false if it cannot be one. */
static bool fill_source(const struct ndp_trial *trial, struct ndp_array *held, struct trip *out) {
    const struct ndp_slot_record *result = ndp_judgement_slot(trial, NDP_SLOT_RESULT);
    const struct ndp_target_info *info = trial->decoder;
    *out = (struct trip){.encoded = NDP_SLOT_TRANSCODED, .result = NDP_SLOT_TRANSCODED_RESULT};
    out->features = trial->features;
    if (trial->graph != NULL) return result->graph != NULL;
    if (!result->has_observation ||
        ndp_array_from_observation(trial->arena, &result->observation, info->is_little_endian,
                                   info->longdouble_alignment_bytes, held) != NDP_OK)
        return false;
    out->source = held;
    out->features = ndp_contract_features(held, trial->second);
    return true;
}

static bool is_shown_directly(const struct ndp_trial *trial) {
    struct ndp_judgement judgement;
    const struct trip direct = {
        .source = trial->model,
        .features = trial->model != NULL ? ndp_contract_features(trial->model, trial->second) : trial->features,
        .encoded = NDP_SLOT_DIRECT,
        .result = NDP_SLOT_DIRECT_RESULT,
    };
    judge_trip(trial, &direct, &judgement);
    return judgement.verdict == NDP_VERDICT_DIVERGES;
}

static void judge_transcode(const struct ndp_trial *trial, struct ndp_judgement *out) {
    struct ndp_array held;
    struct trip trip;
    ndp_judgement_init(out);
    if (trial->second == NULL || !ndp_judgement_is_filled(trial, NDP_SLOT_RESULT)) return;
    if (ndp_judgement_row(trial, NDP_FIELD_ACCEPTED)->promise == NDP_PROMISE_REFUSED) return;
    if (!fill_source(trial, &held, &trip)) return;
    judge_trip(trial, &trip, out);
    if (out->verdict != NDP_VERDICT_DIVERGES) return;
    if (is_shown_directly(trial)) {
        ndp_judgement_init(out);
        return;
    }
    /* The name includes the second format, because the route does not. */
    char field[NDP_WORD_BYTES];
    snprintf(field, sizeof field, "%.15s.%.15s", out->field, trial->second->format);
    snprintf(out->field, sizeof out->field, "%s", field);
}

const struct ndp_property ndp_property_transcode = {
    .name = "transcode",
    .statement =
        "A target can encode an array that it decoded in a second format, and decode it from there as promised.",
    .needs = NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(TRANSCODED) | NDP_SLOT_BIT(TRANSCODED_RESULT) | NDP_SLOT_BIT(DIRECT) |
             NDP_SLOT_BIT(DIRECT_RESULT),
    .values = NDP_VALUE_BIT(ARRAY) | NDP_VALUE_BIT(GRAPH),
    .for_round_trip = true,
    .judge = judge_transcode,
};
