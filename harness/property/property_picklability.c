/* property_picklability.c: calling a function does not change whether it can be sent. Only this property reports a
 * refusal of a graph that no row allows. */
#include "model/graph/graph_features.h"
#include "property/graph_judgement.h"

#include <stdio.h>

static const struct ndp_refusal *refusal_in(const struct ndp_trial *trial, enum ndp_slot encoded, enum ndp_slot got) {
    const enum ndp_slot way[] = {encoded, got};
    for (size_t i = 0; i < NDP_ARRAY_LEN(way); i++)
        if (ndp_judgement_is_refused(trial, way[i])) return &ndp_judgement_slot(trial, way[i])->refusal;
    return NULL;
}

static bool arrived(const struct ndp_trial *trial, enum ndp_slot encoded, enum ndp_slot got) {
    return ndp_judgement_is_filled(trial, encoded) || ndp_judgement_is_filled(trial, got);
}

/* The value is sent, all its functions are called, and it is sent again: both must arrive, or neither. */
static void judge_history(const struct ndp_trial *trial, struct ndp_judgement *out) {
    /* Another target decodes only the first encoding: then only the encodings are compared. */
    bool is_encoded_alone = ndp_judgement_is_filled(trial, NDP_SLOT_CALLED_ENCODED) &&
                            !ndp_judgement_is_filled(trial, NDP_SLOT_CALLED_RESULT) &&
                            !ndp_judgement_is_refused(trial, NDP_SLOT_CALLED_RESULT);
    const struct ndp_refusal *before =
        refusal_in(trial, NDP_SLOT_ENCODED, is_encoded_alone ? NDP_SLOT_ENCODED : NDP_SLOT_RESULT);
    const struct ndp_refusal *after = refusal_in(trial, NDP_SLOT_CALLED_ENCODED, NDP_SLOT_CALLED_RESULT);
    char texts[2][NDP_DIFFERENCE_TEXT_BYTES] = {"accepted", "accepted"};
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_HISTORY);
    if (row->promise == NDP_PROMISE_ANY || !ndp_judgement_is_filled(trial, NDP_SLOT_CALLED)) return;
    if (before == NULL && !arrived(trial, NDP_SLOT_ENCODED, NDP_SLOT_RESULT)) return;
    if (after == NULL && !arrived(trial, NDP_SLOT_CALLED_ENCODED, NDP_SLOT_CALLED_RESULT)) return;
    if (before != NULL) ndp_judgement_refusal_text(before, texts[0]);
    if (after != NULL) ndp_judgement_refusal_text(after, texts[1]);
    ndp_judgement_add_check(trial, row, "history", (before == NULL) == (after == NULL), texts[0], texts[1], out);
}

static void judge_picklability(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    if (trial->graph == NULL) return;
    const struct ndp_refusal *refusal = refusal_in(trial, NDP_SLOT_ENCODED, NDP_SLOT_RESULT);
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ACCEPTED);
    /* A recipe that calls before it sends has no uncalled state to compare with: its refusal counts as history. */
    bool is_called = (trial->features & NDP_GRAPH_CALLED) != 0;
    if (refusal != NULL && !ndp_judgement_may_refuse_here(trial, row)) {
        char text[NDP_DIFFERENCE_TEXT_BYTES];
        ndp_judgement_refusal_text(refusal, text);
        const struct ndp_contract_row *broken = is_called ? ndp_judgement_row(trial, NDP_FIELD_HISTORY) : row;
        /* Each type of error is a divergence of its own. */
        char name[NDP_WORD_BYTES];
        snprintf(name, sizeof name, is_called ? "history" : "accepted.%.40s", refusal->type);
        ndp_judgement_add_check(trial, broken, name, false, "accepted", text, out);
        return;
    }
    if (refusal != NULL) {
        out->verdict = NDP_VERDICT_REJECTS;
        out->row = row;
    } else if (!ndp_judgement_is_filled(trial, NDP_SLOT_RESULT)) {
        out->verdict = NDP_VERDICT_UNSUPPORTED;
    }
    judge_history(trial, out);
}

const struct ndp_property ndp_property_picklability = {
    .name = "picklability",
    .statement = "No object is refused unless the contract allows it, and calling an object does not change whether it "
                 "can be sent.",
    .needs = NDP_SLOT_BIT(ENCODED) | NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(CALLED) | NDP_SLOT_BIT(CALLED_ENCODED) |
             NDP_SLOT_BIT(CALLED_RESULT),
    .for_round_trip = true,
    .values = NDP_VALUE_BIT(GRAPH),
    .judge = judge_picklability,
};
