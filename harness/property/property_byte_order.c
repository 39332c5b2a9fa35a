#include "property/judgement.h"

static void judge(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    if (trial->model == NULL) return;
    const struct ndp_observation *result = ndp_judge_result(trial, out);
    if (result == NULL) return;
    ndp_judge_promised(trial, NDP_FIELD_BIT(BYTE_ORDER), &trial->promised, result, out);
}

const struct ndp_property ndp_property_byte_order = {
    .name = "byte_order",
    .statement = "Every leaf has the byte order that the route promises: that of the source, or native.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge,
};
