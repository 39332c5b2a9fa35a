/* property_cross.c: what one implementation writes, another one reads. The whole value is compared at once: the model
 * stands for the encoder's side, the contract of both for what may change on the way. */
#include "property/judgement.h"

#include <string.h>

static void judge(const struct ndp_trial *trial, struct ndp_judgement *out) {
    static const uint32_t fields = NDP_FIELD_BIT(VALUES) | NDP_FIELD_BIT(BYTE_ORDER) | NDP_FIELD_BIT(SHAPE) |
                                   NDP_FIELD_BIT(MEMORY_ORDER) | NDP_FIELD_BIT(DTYPE);
    ndp_judgement_init(out);
    if (trial->model == NULL || strcmp(trial->encoder->name, trial->decoder->name) == 0) return;
    const struct ndp_observation *result = ndp_judge_result(trial, out);
    if (result == NULL) return;
    /* What is lost by design is told once, by the property of its field. */
    bool is_lossy = ndp_judge_row(trial, NDP_FIELD_DTYPE)->promise == NDP_PROMISE_LOST;
    uint32_t compared = is_lossy ? fields & ~NDP_FIELD_BIT(DTYPE) : fields;
    ndp_judge_promised(trial, compared, &trial->promised, result, out);
}

const struct ndp_property ndp_property_cross = {
    .name = "cross",
    .statement = "What one implementation encodes, another one decodes to the same array.",
    .needs = NDP_SLOT_BIT(RESULT),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .judge = judge,
};
