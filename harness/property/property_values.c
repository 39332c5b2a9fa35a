/* property_values.c: every element arrives with its value. Only this property reports the refusal of an array that no
 * row allows, and an acceptance that a row forbids. */
#include "property/judgement.h"

static const struct ndp_refusal *refusal_of(const struct ndp_trial *trial) {
    static const enum ndp_slot way[] = {NDP_SLOT_ENCODED, NDP_SLOT_RESULT};
    for (size_t i = 0; i < NDP_ARRAY_LEN(way); i++)
        if (ndp_judgement_is_refused(trial, way[i])) return &ndp_judgement_slot(trial, way[i])->refusal;
    return NULL;
}

/* Whether the array was accepted or refused as promised; otherwise adds the difference to *out. */
static bool judge_accepted(const struct ndp_trial *trial, struct ndp_judgement *out) {
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ACCEPTED);
    const struct ndp_refusal *refusal = refusal_of(trial);
    if (refusal != NULL && !ndp_judgement_may_refuse_here(trial, row)) {
        char text[NDP_DIFFERENCE_TEXT_BYTES];
        ndp_judgement_refusal_text(refusal, text);
        ndp_judgement_add_check(trial, row, "accepted", false, "accepted", text, out);
        return false;
    }
    if (refusal == NULL && row->promise == NDP_PROMISE_REFUSED && ndp_judgement_is_filled(trial, NDP_SLOT_RESULT)) {
        ndp_judgement_add_check(trial, row, "accepted", false, "refused", "accepted", out);
        return false;
    }
    return true;
}

static void judge_values(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    if (trial->model != NULL && judge_accepted(trial, out))
        ndp_judgement_compare_result(trial, NDP_FIELD_BIT(VALUES), out);
}

const struct ndp_property ndp_property_values = {
    .name = "values",
    .statement = "Every element keeps its value bit for bit, and no value is refused unless the contract allows it.",
    .needs = NDP_SLOT_BIT(ENCODED) | NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_values,
};
