#include "property/judgement.h"

static void judge_flags(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    ndp_judgement_compare_result(trial, NDP_FIELD_BIT(WRITEABLE) | NDP_FIELD_BIT(ALIGNMENT), out);
}

const struct ndp_property ndp_property_flags = {
    .name = "flags",
    .statement = "The writeable and aligned flags are as the route promises.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_flags,
};
