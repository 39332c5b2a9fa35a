/* property_leaks.c: a case releases the system resources that it takes. A cache or pool grows once; a resource that
 * grows by at least one per run between all samples is a leak. */
#include <inttypes.h>
#include <stdio.h>

#include "property/attribute.h"
#include "property/judgement.h"

/* Whether a count grew by at least one per run between all samples. */
static bool grows(const struct ndp_property_samples *left, uint32_t side, uint32_t resource) {
    for (uint32_t i = 1; i < NDP_PROPERTY_SAMPLES; i++) {
        const uint64_t before = left->looks[side][i - 1].counts[resource];
        const uint64_t after = left->looks[side][i].counts[resource];
        if (after < before || after - before < left->runs) return false;
    }
    return true;
}

static void judge_side(const struct ndp_trial *trial, uint32_t side, struct ndp_judgement *out) {
    const bool was_right = out->verdict != NDP_VERDICT_DIVERGES;
    for (uint32_t i = 0; i < NDP_RESOURCE_COUNT; i++) {
        const uint64_t first = trial->left->looks[side][0].counts[i];
        const uint64_t last = trial->left->looks[side][NDP_PROPERTY_SAMPLES - 1].counts[i];
        const struct ndp_contract_row *row =
            ndp_judgement_row(trial, i == NDP_RESOURCE_FILES ? NDP_FIELD_FILES : NDP_FIELD_RESOURCES);
        char texts[2][NDP_DIFFERENCE_TEXT_BYTES];
        if (row->promise == NDP_PROMISE_ANY) continue;
        snprintf(texts[0], sizeof texts[0], "%" PRIu64 " %s, as at the first sample", first,
                 ndp_resource_snapshot_text((enum ndp_resource)i));
        snprintf(texts[1], sizeof texts[1], "%" PRIu64 " after %u more runs", last,
                 (unsigned)((NDP_PROPERTY_SAMPLES - 1) * trial->left->runs));
        ndp_judgement_add_check(trial, row, ndp_resource_snapshot_word((enum ndp_resource)i),
                                !grows(trial->left, side, i), texts[0], texts[1], out);
    }
    if (!was_right || out->verdict != NDP_VERDICT_DIVERGES) return;
    out->outlier = ndp_attribute_process(side == 0 ? trial->encoder : trial->decoder, trial->route,
                                         side == 0 ? NDP_END_ENCODER : NDP_END_DECODER);
}

/* Whether a step that leads to the result is unsupported, so that its repetition repeated nothing. */
static bool is_unsupported(const struct ndp_trial *trial) {
    static const enum ndp_slot way[] = {NDP_SLOT_ENCODED, NDP_SLOT_RESULT};
    for (size_t i = 0; i < NDP_ARRAY_LEN(way); i++) {
        const struct ndp_slot_record *record = ndp_judgement_slot(trial, way[i]);
        if (record != NULL && record->state == NDP_SLOT_UNSUPPORTED) return true;
    }
    return false;
}

static void judge_leaks(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    if (trial->left == NULL) return;
    if (is_unsupported(trial)) {
        out->verdict = NDP_VERDICT_UNSUPPORTED;
        return;
    }
    for (uint32_t side = 0; side < 2; side++)
        if (trial->left->is_known[side]) judge_side(trial, side, out);
}

const struct ndp_property ndp_property_leaks = {
    .name = "leaks",
    .statement =
        "A case releases the system resources that it takes: descriptors, maps, shared memory, temporary files, "
        "child processes.",
    .needs = NDP_SLOT_BIT(SOURCE) | NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(ENCODED) | NDP_SLOT_BIT(REENCODED) |
             NDP_SLOT_BIT(AGAIN) | NDP_SLOT_BIT(POKED) | NDP_SLOT_BIT(FILE_AFTER),
    .for_round_trip = true,
    .for_decode = true,
    .values = NDP_VALUE_BIT(ARRAY) | NDP_VALUE_BIT(GRAPH),
    .by_repetition = true,
    .judge = judge_leaks,
};
