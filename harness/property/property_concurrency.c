/* property_concurrency.c: threads share a dict. Every round is judged; the first wrong one is reported. */
#include <stdio.h>
#include <string.h>

#include "property/judgement.h"

static void add_complaint(const struct ndp_slot_record *record, uint32_t round,
                          const struct ndp_dict_complaint *complaint, struct ndp_comparison *part) {
    char path[NDP_DIFFERENCE_TEXT_BYTES], got[NDP_DIFFERENCE_TEXT_BYTES];
    snprintf(path, sizeof path, "rounds[%u].%.60s", round, complaint->path);
    bool is_error = strcmp(complaint->path, "errors") == 0 && record->dict->error[0] != '\0';
    snprintf(got, sizeof got, "%.90s", is_error ? record->dict->error : complaint->got);
    ndp_equality_add(part, path, complaint->expected, got);
}

static void judge_rounds(const struct ndp_trial *trial, const struct ndp_slot_record *record,
                         struct ndp_judgement *out) {
    const struct ndp_dict_value *value = trial->descriptor->value.dict;
    struct ndp_comparison part;
    ndp_equality_clear(&part);
    part.comparisons = 1;
    if (record->dict->round_count != value->rounds) {
        char texts[2][16];
        snprintf(texts[0], sizeof texts[0], "%u", (unsigned)value->rounds);
        snprintf(texts[1], sizeof texts[1], "%u", (unsigned)record->dict->round_count);
        ndp_equality_add(&part, "rounds", texts[0], texts[1]);
    }
    for (uint32_t i = 0; i < record->dict->round_count && part.total == 0; i++) {
        struct ndp_dict_complaint complaint;
        part.comparisons++;
        if (!ndp_dict_round_is_allowed(value, record->dict->rounds[i], &complaint))
            add_complaint(record, i, &complaint, &part);
    }
    ndp_judgement_add(trial, ndp_judgement_row(trial, NDP_FIELD_PROCESS), "concurrency", "", &part, out);
}

static void judge_concurrency(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    const struct ndp_slot_record *record = ndp_judgement_slot(trial, NDP_SLOT_RESULT);
    if (record == NULL || trial->descriptor->value.kind != NDP_VALUE_DICT) return;
    if (record->state == NDP_SLOT_UNSUPPORTED) out->verdict = NDP_VERDICT_UNSUPPORTED;
    if (record->state == NDP_SLOT_REFUSED) {
        char text[NDP_DIFFERENCE_TEXT_BYTES];
        ndp_judgement_refusal_text(&record->refusal, text);
        ndp_judgement_add_check(trial, ndp_judgement_row(trial, NDP_FIELD_PROCESS), "accepted", false, "accepted", text,
                                out);
    }
    if (record->dict != NULL) judge_rounds(trial, record, out);
}

const struct ndp_property ndp_property_concurrency = {
    .name = "concurrency",
    .statement =
        "A dict that threads share ends in a state that some order of their operations produces: each key once, "
        "with an item that was set last, and the right length.",
    .needs = NDP_SLOT_BIT(RESULT),
    .for_round_trip = true,
    .values = NDP_VALUE_BIT(DICT),
    .judge = judge_concurrency,
};
