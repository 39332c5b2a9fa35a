/* property_cross.c: an array that one implementation encodes arrives at another one. The result is compared with the
 * model of the source under the contract of both. */
#include "property/judgement.h"

#include <string.h>

static void judge_cross(const struct ndp_trial *trial, struct ndp_judgement *out) {
    static const uint32_t fields = NDP_FIELD_BIT(VALUES) | NDP_FIELD_BIT(BYTE_ORDER) | NDP_FIELD_BIT(SHAPE) |
                                   NDP_FIELD_BIT(MEMORY_ORDER) | NDP_FIELD_BIT(DTYPE);
    ndp_judgement_init(out);
    if (trial->model == NULL || strcmp(trial->encoder->name, trial->decoder->name) == 0) return;
    /* The property of the field reports a documented loss. */
    bool is_lossy = ndp_judgement_row(trial, NDP_FIELD_DTYPE)->promise == NDP_PROMISE_LOST;
    ndp_judgement_compare_result(trial, is_lossy ? fields & ~NDP_FIELD_BIT(DTYPE) : fields, out);
}

const struct ndp_property ndp_property_cross = {
    .name = "cross",
    .statement = "An array that one implementation encodes decodes to the same array in another.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge_cross,
};
