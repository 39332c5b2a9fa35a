#include "property/judgement.h"

static void judge(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    if (trial->model == NULL) return;
    const struct ndp_observation *result = ndp_judge_result(trial, out);
    if (result == NULL) return;
    ndp_judge_promised(trial, NDP_FIELD_BIT(MEMORY_ORDER) | NDP_FIELD_BIT(STRIDES), &trial->promised, result, out);
}

const struct ndp_property ndp_property_memory_order = {
    .name = "memory_order",
    .statement = "The contiguity flags and strides are those of the memory order that the route promises.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge,
};
