#include "property/judgement.h"

static void judge_memory_order(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    ndp_judgement_compare_result(trial, NDP_FIELD_BIT(MEMORY_ORDER) | NDP_FIELD_BIT(STRIDES), out);
}

const struct ndp_property ndp_property_memory_order = {
    .name = "memory_order",
    .statement = "The contiguity flags and strides are those of the memory order that the route promises.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_memory_order,
};
