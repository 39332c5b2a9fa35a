/* judgement.h: functions for properties: reading slots, finding promises, comparing by field, adding differences. */
#ifndef NDP_JUDGEMENT_H
#define NDP_JUDGEMENT_H

#include "property/property.h"

/* Sets of fields: 1 << enum ndp_contract_field. */
#define NDP_FIELD_BIT(name) (UINT32_C(1) << NDP_FIELD_##name)
#define NDP_SLOT_BIT(name)  (UINT32_C(1) << NDP_SLOT_##name)

/* All fields of an observation but the backing file. */
#define NDP_FIELDS_OBSERVED                                                                                            \
    (NDP_FIELD_BIT(VALUES) | NDP_FIELD_BIT(BYTE_ORDER) | NDP_FIELD_BIT(SHAPE) | NDP_FIELD_BIT(MEMORY_ORDER) |          \
     NDP_FIELD_BIT(STRIDES) | NDP_FIELD_BIT(DTYPE) | NDP_FIELD_BIT(ALIGNED_STRUCT) | NDP_FIELD_BIT(METADATA) |         \
     NDP_FIELD_BIT(WRITEABLE) | NDP_FIELD_BIT(ALIGNMENT) | NDP_FIELD_BIT(CLASS))

/* Fills *out with PASS and no comparisons. */
void ndp_judgement_init(struct ndp_judgement *out);

/* The record of `slot`, from the outcome of the side that fills it; NULL if that side did not run. Borrows. */
const struct ndp_slot_record *ndp_judgement_slot(const struct ndp_trial *trial, enum ndp_slot slot);

/* Whether the slot was filled, or refused. Both are false if it is absent or unsupported, or its side did not run. */
bool ndp_judgement_is_filled(const struct ndp_trial *trial, enum ndp_slot slot);
bool ndp_judgement_is_refused(const struct ndp_trial *trial, enum ndp_slot slot);

/* The row of `field` for the trial's route. */
const struct ndp_contract_row *ndp_judgement_row(const struct ndp_trial *trial, enum ndp_contract_field field);

/* Fills the contract of the trial's value through other entry points of the same targets; NULL: those of the route. */
void ndp_judgement_peer_contract(const struct ndp_trial *trial, const char *encode_entry, const char *decode_entry,
                                 struct ndp_contract *out);

/* Whether the promise lets the target refuse. */
bool ndp_judgement_may_refuse(const struct ndp_contract_row *row);

/* The same for the refusal of this trial: some rows allow only the encoder to refuse. */
bool ndp_judgement_may_refuse_here(const struct ndp_trial *trial, const struct ndp_contract_row *row);

/* The row that a wrong acceptance of `record` breaks, for a decoder with `contract`: that of truncation if the array
 * needs more bytes than the input has, else that of acceptance. */
const struct ndp_contract_row *ndp_judgement_broken_acceptance(const struct ndp_trial *trial,
                                                               const struct ndp_slot_record *record,
                                                               const struct ndp_contract *contract);

/* The observation of the result if its fields must be judged. Otherwise NULL, with the reason in *out: UNSUPPORTED,
 * REJECTS (a refusal that the contract allows), or unchanged (a refusal or acceptance that breaks the contract: only
 * the property `values`, or `picklability` for graphs, reports it). */
const struct ndp_observation *ndp_judgement_result(const struct ndp_trial *trial, struct ndp_judgement *out);

/* Adds the comparisons and differences of `part`, about the field of `row`, to the judgement. The first defect decides
 * `name`, row and library; differences in a LOST field are a documented loss, which a defect replaces. `where` is a
 * prefix of the paths, "" for none. */
void ndp_judgement_add(const struct ndp_trial *trial, const struct ndp_contract_row *row, const char *name,
                       const char *where, const struct ndp_comparison *part, struct ndp_judgement *out);

/* Adds one comparison, and a difference with these texts if `is_kept` is false. */
void ndp_judgement_add_check(const struct ndp_trial *trial, const struct ndp_contract_row *row, const char *name,
                             bool is_kept, const char *expected, const char *got, struct ndp_judgement *out);

/* Compares `fields` of the result with the promises of the trial's route. Fields with the promise ANY are skipped. */
void ndp_judgement_compare_promised(const struct ndp_trial *trial, uint32_t fields,
                                    const struct ndp_observation *expected, const struct ndp_observation *got,
                                    struct ndp_judgement *out);

/* The same for the result of the trial against trial->promised; does nothing without a model or a result to judge. */
void ndp_judgement_compare_result(const struct ndp_trial *trial, uint32_t fields, struct ndp_judgement *out);

/* Compares two results of one decoder in those of `fields` for which the route's entry point and `decode_entry`, with
 * the contract `peer`, have equal promises. `where` is the prefix of the paths. */
void ndp_judgement_compare_peers(const struct ndp_trial *trial, uint32_t fields, const char *decode_entry,
                                 const struct ndp_contract *peer, const char *where,
                                 const struct ndp_observation *first, const struct ndp_observation *second,
                                 struct ndp_judgement *out);

/* Fills "ValueError: message", cut to the length of a difference. */
void ndp_judgement_refusal_text(const struct ndp_refusal *refusal, char out[NDP_DIFFERENCE_TEXT_BYTES]);

#endif
