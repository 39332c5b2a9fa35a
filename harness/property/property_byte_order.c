#include "property/judgement.h"

static void judge_byte_order(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    ndp_judgement_compare_result(trial, NDP_FIELD_BIT(BYTE_ORDER), out);
}

const struct ndp_property ndp_property_byte_order = {
    .name = "byte_order",
    .statement = "Every leaf has the byte order that the route promises: that of the source, or native.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_byte_order,
};
