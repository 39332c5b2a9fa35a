/* property_idempotence.c: a second round trip returns the result of the first and, if the contract promises stable
 * bytes, has the same encoding. */
#include "property/judgement.h"

#include <string.h>

/* Encodings are comparable only if one target made both. */
static void judge_bytes(const struct ndp_trial *trial, struct ndp_judgement *out) {
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ENCODING);
    if (row->promise != NDP_PROMISE_SAME || strcmp(trial->encoder->name, trial->decoder->name) != 0) return;
    const struct ndp_slot_record *first = ndp_judgement_slot(trial, NDP_SLOT_ENCODED);
    const struct ndp_slot_record *second = ndp_judgement_slot(trial, NDP_SLOT_REENCODED);
    if (first == NULL || second == NULL || !first->has_bytes || !second->has_bytes) return;
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    ndp_equality_compare_bytes("reencoded", first->bytes, second->bytes, &comparison);
    ndp_judgement_add(trial, row, "reencoded", "", &comparison, out);
}

/* A refusal in the second trip after a successful first one. */
static void judge_refusal(const struct ndp_trial *trial, enum ndp_slot slot, const char *name,
                          struct ndp_judgement *out) {
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ACCEPTED);
    if (!ndp_judgement_is_refused(trial, slot) || ndp_judgement_may_refuse(row)) return;
    char text[NDP_DIFFERENCE_TEXT_BYTES];
    ndp_judgement_refusal_text(&ndp_judgement_slot(trial, slot)->refusal, text);
    ndp_judgement_add_check(trial, row, name, false, "accepted", text, out);
}

static void judge_idempotence(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    if (trial->model == NULL) return;
    const struct ndp_observation *result = ndp_judgement_result(trial, out);
    if (result == NULL) return;
    judge_refusal(trial, NDP_SLOT_REENCODED, "reencoded", out);
    judge_refusal(trial, NDP_SLOT_AGAIN, "again", out);
    judge_bytes(trial, out);
    const struct ndp_slot_record *again = ndp_judgement_slot(trial, NDP_SLOT_AGAIN);
    if (again == NULL || again->state != NDP_SLOT_FILLED || !again->has_observation) return;
    struct ndp_contract contract;
    ndp_judgement_peer_contract(trial, NULL, NULL, &contract);
    ndp_judgement_compare_peers(trial, NDP_FIELDS_OBSERVED, trial->route->decode, &contract, "again", result,
                                &again->observation, out);
}

const struct ndp_property ndp_property_idempotence = {
    .name = "idempotence",
    .statement = "A second round trip returns the result of the first, and its encoding has the same bytes.",
    .needs = NDP_SLOT_BIT(ENCODED) | NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(REENCODED) | NDP_SLOT_BIT(AGAIN),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_idempotence,
};
