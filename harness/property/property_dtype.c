#include "property/judgement.h"

static void judge_dtype(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    ndp_judgement_compare_result(trial, NDP_FIELD_BIT(DTYPE) | NDP_FIELD_BIT(ALIGNED_STRUCT) | NDP_FIELD_BIT(METADATA),
                                 out);
}

const struct ndp_property ndp_property_dtype = {
    .name = "dtype",
    .statement =
        "The dtype keeps its names, titles, offsets, itemsize, units and sub-array shapes, and the aligned flag "
        "and metadata as the route promises.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_dtype,
};
