#include "property/judgement.h"

static void judge_shape(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    ndp_judgement_compare_result(trial, NDP_FIELD_BIT(SHAPE), out);
}

const struct ndp_property ndp_property_shape = {
    .name = "shape",
    .statement = "Shape and itemsize are kept, including 0-d arrays, zero extents and itemsize 0.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_shape,
};
