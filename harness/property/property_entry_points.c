/* property_entry_points.c: the entry points of one library for one format accept the same bytes and return the same
 * array. Only fields with equal promises for both entry points are compared. */
#include "property/corpus_index.h"
#include "property/judgement.h"

#include <string.h>

static const char *state_word(bool is_filled) {
    return is_filled ? "accepted" : "refused";
}

/* Whether both entry points must agree: both must accept, or both must refuse. */
static bool must_agree(const struct ndp_contract_row *own, const struct ndp_contract_row *peer) {
    if (own->promise != peer->promise) return false;
    return own->promise == NDP_PROMISE_SAME || own->promise == NDP_PROMISE_REFUSED;
}

/* Whether the corpus index allows entry points to differ for this file. */
static bool may_differ(const struct ndp_trial *trial, const char *entry) {
    const char *file = trial->descriptor->file;
    if (trial->descriptor->expect != NDP_EXPECT_OPEN) return false;
    if (strcmp(trial->decoder->implementation, "reference") == 0) return false;
    return ndp_corpus_index_find_library(file, trial->route->decode) != NULL ||
           ndp_corpus_index_find_library(file, entry) != NULL;
}

/* Whether the entry point refused for lack of memory. The need differs between entry points: _pickle.c has a memo as
 * long as its highest index, pickle.py a dict. The available memory depends on the machine and the limit of the testee.
 */
static bool lacks_memory(const struct ndp_trial *trial, enum ndp_slot slot) {
    return ndp_judgement_is_refused(trial, slot) &&
           ndp_judgement_slot(trial, slot)->refusal.reason == NDP_REFUSAL_MEMORY;
}

/* If only one entry point accepted bare bytes, its acceptance decides which row is broken. */
static void judge_agreement(const struct ndp_trial *trial, enum ndp_slot slot, const char *entry,
                            const struct ndp_contract *peer, struct ndp_judgement *out) {
    bool is_peer_filled = ndp_judgement_is_filled(trial, slot);
    bool is_filled = ndp_judgement_is_filled(trial, NDP_SLOT_RESULT);
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ACCEPTED);
    if (!must_agree(row, peer->rows[NDP_FIELD_ACCEPTED]) || may_differ(trial, entry)) return;
    const bool is_bare = trial->descriptor->kind == NDP_CASE_DECODE;
    if (is_bare && (lacks_memory(trial, NDP_SLOT_RESULT) || lacks_memory(trial, slot))) return;
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    comparison.comparisons = 1;
    if (is_filled != is_peer_filled)
        ndp_equality_add(&comparison, "accepted", state_word(is_filled), state_word(is_peer_filled));
    if (is_filled != is_peer_filled && is_bare) {
        struct ndp_contract own;
        ndp_judgement_peer_contract(trial, NULL, NULL, &own);
        row = is_filled ? ndp_judgement_broken_acceptance(trial, ndp_judgement_slot(trial, NDP_SLOT_RESULT), &own)
                        : ndp_judgement_broken_acceptance(trial, ndp_judgement_slot(trial, slot), peer);
        if (row->promise == NDP_PROMISE_ANY) return;
    }
    ndp_judgement_add(trial, row, "accepted", entry, &comparison, out);
}

static void judge_peer(const struct ndp_trial *trial, enum ndp_slot slot, const char *entry, bool is_transport,
                       struct ndp_judgement *out) {
    bool is_peer_filled = ndp_judgement_is_filled(trial, slot);
    bool is_filled = ndp_judgement_is_filled(trial, NDP_SLOT_RESULT);
    if (!is_peer_filled && !ndp_judgement_is_refused(trial, slot)) return;
    if (!is_filled && !ndp_judgement_is_refused(trial, NDP_SLOT_RESULT)) return;
    struct ndp_contract contract;
    ndp_judgement_peer_contract(trial, is_transport ? entry : NULL, is_transport ? NULL : entry, &contract);
    judge_agreement(trial, slot, entry, &contract, out);
    if (!is_filled || !is_peer_filled) return;
    const struct ndp_slot_record *result = ndp_judgement_slot(trial, NDP_SLOT_RESULT);
    const struct ndp_slot_record *peer = ndp_judgement_slot(trial, slot);
    if (!result->has_observation || !peer->has_observation) return;
    /* Only an encoder aligns the data and chooses an order for items of zero bytes; bare bytes promise neither. */
    bool is_bare = trial->descriptor->kind == NDP_CASE_DECODE;
    uint32_t fields = NDP_FIELDS_OBSERVED;
    if (is_bare) fields &= ~NDP_FIELD_BIT(ALIGNMENT);
    /* Shared memory keeps the strides, address and file of the source; sent values do not. */
    if (is_transport) fields &= ~(NDP_FIELD_BIT(STRIDES) | NDP_FIELD_BIT(ALIGNMENT) | NDP_FIELD_BIT(BACKING));
    if (is_bare && result->observation.dtype->itemsize_bytes == 0) fields &= ~NDP_FIELD_BIT(MEMORY_ORDER);
    ndp_judgement_compare_peers(trial, fields, entry, &contract, entry, &result->observation, &peer->observation, out);
}

/* The other encoder refuses the same values and, if one row covers both, writes the same bytes. */
static void judge_peer_encoder(const struct ndp_trial *trial, struct ndp_judgement *out) {
    if (trial->peer_encode_entry == NULL) return;
    struct ndp_contract contract;
    ndp_judgement_peer_contract(trial, trial->peer_encode_entry, NULL, &contract);
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ACCEPTED);
    bool is_filled = ndp_judgement_is_filled(trial, NDP_SLOT_ENCODED);
    bool is_peer_filled = ndp_judgement_is_filled(trial, NDP_SLOT_PEER_ENCODED);
    bool is_known = is_filled || ndp_judgement_is_refused(trial, NDP_SLOT_ENCODED);
    bool is_peer_known = is_peer_filled || ndp_judgement_is_refused(trial, NDP_SLOT_PEER_ENCODED);
    /* A promise to refuse may be the decoder's, so encoders may differ. */
    bool is_promised =
        row->promise == NDP_PROMISE_SAME && contract.rows[NDP_FIELD_ACCEPTED]->promise == NDP_PROMISE_SAME;
    if (is_known && is_peer_known && is_promised) {
        ndp_judgement_add_check(trial, row, "encoder.accepted", is_filled == is_peer_filled, state_word(is_filled),
                                state_word(is_peer_filled), out);
    }
    if (!is_filled || !is_peer_filled) return;
    row = ndp_judgement_row(trial, NDP_FIELD_ENCODING);
    const struct ndp_slot_record *first = ndp_judgement_slot(trial, NDP_SLOT_ENCODED);
    const struct ndp_slot_record *second = ndp_judgement_slot(trial, NDP_SLOT_PEER_ENCODED);
    if (row != contract.rows[NDP_FIELD_ENCODING] || row->promise != NDP_PROMISE_SAME || !first->has_bytes ||
        !second->has_bytes)
        return;
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    ndp_equality_compare_bytes("encoded", first->bytes, second->bytes, &comparison);
    ndp_judgement_add(trial, row, "encoded", trial->peer_encode_entry, &comparison, out);
}

static void judge_entry_points(const struct ndp_trial *trial, struct ndp_judgement *out) {
    ndp_judgement_init(out);
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(trial->peer_entries); i++) {
        if (trial->peer_entries[i] == NULL) continue;
        judge_peer(trial, (enum ndp_slot)(NDP_SLOT_PEER0 + i), trial->peer_entries[i], false, out);
    }
    /* The backends of a transport are entry points, too. */
    if (trial->peer_transport != NULL) judge_peer(trial, NDP_SLOT_PEER0, trial->peer_transport, true, out);
    if (trial->model != NULL) judge_peer_encoder(trial, out);
}

const struct ndp_property ndp_property_entry_points = {
    .name = "entry_points",
    .statement =
        "All entry points of a library for a format accept or refuse the same bytes and return the same array.",
    .needs = NDP_SLOT_BIT(ENCODED) | NDP_SLOT_BIT(RESULT) | NDP_SLOT_BIT(PEER_ENCODED) | NDP_SLOT_BIT(PEER0) |
             NDP_SLOT_BIT(PEER1) | NDP_SLOT_BIT(PEER2) | NDP_SLOT_BIT(PEER3),
    .values = NDP_VALUE_BIT(ARRAY),
    .for_round_trip = true,
    .for_decode = true,
    .judge = judge_entry_points,
};
