/* judgement.h: what the properties share: which slot to look at, which promise holds, how findings add up. */
#ifndef NDP_JUDGEMENT_H
#define NDP_JUDGEMENT_H

#include "property/property.h"

/* Sets of fields: 1 << enum ndp_contract_field. */
#define NDP_FIELD_BIT(name) (UINT32_C(1) << NDP_FIELD_##name)
#define NDP_SLOT_BIT(name)  (UINT32_C(1) << NDP_SLOT_##name)

/* Everything that two observations can be compared in, but for what is told of the file behind them. */
#define NDP_FIELDS_OBSERVED                                                                                            \
    (NDP_FIELD_BIT(VALUES) | NDP_FIELD_BIT(BYTE_ORDER) | NDP_FIELD_BIT(SHAPE) | NDP_FIELD_BIT(MEMORY_ORDER) |          \
     NDP_FIELD_BIT(STRIDES) | NDP_FIELD_BIT(DTYPE) | NDP_FIELD_BIT(ALIGNED_STRUCT) | NDP_FIELD_BIT(METADATA) |         \
     NDP_FIELD_BIT(WRITEABLE) | NDP_FIELD_BIT(ALIGNMENT) | NDP_FIELD_BIT(CLASS))

/* Fills *out with a judgement that found nothing: PASS, no comparisons. */
void ndp_judgement_init(struct ndp_judgement *out);

/* The record of `slot`, from the outcome of the side that fills it. NULL when that side did not run. Borrows. */
const struct ndp_slot_record *ndp_judge_slot(const struct ndp_trial *trial, enum ndp_slot slot);

/* Whether the slot was filled, or refused. False when it is absent, unsupported, or nobody ran. */
bool ndp_judge_is_filled(const struct ndp_trial *trial, enum ndp_slot slot);
bool ndp_judge_is_refused(const struct ndp_trial *trial, enum ndp_slot slot);

/* The row of `field` for the trial's own route. */
const struct ndp_contract_row *ndp_judge_row(const struct ndp_trial *trial, enum ndp_contract_field field);

/* Fills the contract of the trial's value on another way in or out of the same targets; NULL is the own entry. */
void ndp_judge_peer_contract(const struct ndp_trial *trial, const char *encode_entry, const char *decode_entry,
                             struct ndp_contract *out);

/* Whether the promise lets the target refuse. */
bool ndp_judge_may_refuse(const struct ndp_contract_row *row);

/* The row to charge when `record`, decoded by an entry with `contract`, was accepted and should not have been: that
 * of truncation when the array needs more bytes than the input has, else that of acceptance. */
const struct ndp_contract_row *ndp_judge_charge(const struct ndp_trial *trial, const struct ndp_slot_record *record,
                                                const struct ndp_contract *contract);

/* The observation of the result, when it exists and is to be judged field by field. Otherwise NULL, and *out says
 * why: UNSUPPORTED, REJECTS (a refusal that the contract allows), or untouched (somebody else's business: a refusal
 * that is not allowed and an acceptance that is not are reported by the property `values` alone). */
const struct ndp_observation *ndp_judge_result(const struct ndp_trial *trial, struct ndp_judgement *out);

/* Adds what `part` found about `row`'s field under `name` to the judgement: comparisons always; the first defect
 * names the field; a difference in a field that is LOST is a documented loss, and a defect outweighs it. `where`
 * goes before the paths, "" is nothing. */
void ndp_judge_add(const struct ndp_trial *trial, const struct ndp_contract_row *row, const char *name,
                   const char *where, const struct ndp_comparison *part, struct ndp_judgement *out);

/* Adds one comparison, and a divergence with these texts when `is_kept` is false. */
void ndp_judge_say(const struct ndp_trial *trial, const struct ndp_contract_row *row, const char *name, bool is_kept,
                   const char *expected, const char *got, struct ndp_judgement *out);

/* Compares the fields in `fields` with what the trial's route promises. ANY is left out. */
void ndp_judge_promised(const struct ndp_trial *trial, uint32_t fields, const struct ndp_observation *expected,
                        const struct ndp_observation *got, struct ndp_judgement *out);

/* Compares two results of one decoder in those of `fields` that its own entry and `decode_entry` with its contract
 * `peer` promise alike. `where` names the second one in paths. */
void ndp_judge_alike(const struct ndp_trial *trial, uint32_t fields, const char *decode_entry,
                     const struct ndp_contract *peer, const char *where, const struct ndp_observation *first,
                     const struct ndp_observation *second, struct ndp_judgement *out);

/* "ValueError: message", cut to one line of a difference. */
void ndp_judge_refusal_text(const struct ndp_refusal *refusal, char out[NDP_DIFFERENCE_TEXT_BYTES]);

#endif
