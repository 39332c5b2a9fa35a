/* judgement.c: compares observations with promises, field by field.
 *
 * Problem. A result may differ from its expectation in many fields, each with its own promise, and one cause may show
 * in several fields. A divergence needs one name that stays the same while the case is minimised.
 *
 * Method. A table lists the comparisons in order of importance: shape, type, byte order, values, memory order, flags,
 * class, backing. A comparison runs only if the observations agree in the fields that it needs (values need equal shape
 * and type), so one wrong shape is reported once. The first difference that is a defect gives the divergence its name,
 * row and library; documented losses count only if there is no defect.
 *
 * Cost. One pass over the elements for each comparison of values.
 *
 * Limits. The stored differences are bounded (struct ndp_comparison); the total counts all.
 */
#include "property/judgement.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "property/attribute.h"

void ndp_judgement_init(struct ndp_judgement *out) {
    out->verdict = NDP_VERDICT_PASS;
    out->severity = NDP_SEVERITY_DEFECT;
    memset(out->field, 0, sizeof out->field);
    out->row = NULL;
    out->outlier = NULL;
    out->operation = NULL;
    ndp_equality_clear(&out->comparison);
}

static bool is_of_encoder(enum ndp_slot slot) {
    return slot == NDP_SLOT_SOURCE || slot == NDP_SLOT_ENCODED || slot == NDP_SLOT_PEER_ENCODED ||
           slot == NDP_SLOT_SOURCE_AFTER || slot == NDP_SLOT_CALLED || slot == NDP_SLOT_CALLED_ENCODED ||
           slot == NDP_SLOT_CALLED_RESULT || slot == NDP_SLOT_TOUCHED || slot == NDP_SLOT_TOUCHED_SOURCE ||
           slot == NDP_SLOT_TOUCHED_ENCODED || slot == NDP_SLOT_TOUCHED_RESULT;
}

const struct ndp_slot_record *ndp_judgement_slot(const struct ndp_trial *trial, enum ndp_slot slot) {
    const struct ndp_outcome *outcome = is_of_encoder(slot) ? trial->encoded : trial->decoded;
    return outcome == NULL ? NULL : &outcome->slots[slot];
}

static enum ndp_slot_state state_of(const struct ndp_trial *trial, enum ndp_slot slot) {
    const struct ndp_slot_record *record = ndp_judgement_slot(trial, slot);
    return record == NULL ? NDP_SLOT_ABSENT : record->state;
}

bool ndp_judgement_is_filled(const struct ndp_trial *trial, enum ndp_slot slot) {
    return state_of(trial, slot) == NDP_SLOT_FILLED;
}

bool ndp_judgement_is_refused(const struct ndp_trial *trial, enum ndp_slot slot) {
    return state_of(trial, slot) == NDP_SLOT_REFUSED;
}

const struct ndp_contract_row *ndp_judgement_row(const struct ndp_trial *trial, enum ndp_contract_field field) {
    if (trial->contract != NULL) return trial->contract->rows[field];
    return ndp_contract_find_cached(trial->memory, field, trial->route, trial->encoder, trial->decoder,
                                    trial->features);
}

void ndp_judgement_peer_contract(const struct ndp_trial *trial, const char *encode_entry, const char *decode_entry,
                                 struct ndp_contract *out) {
    struct ndp_route route = *trial->route;
    if (encode_entry != NULL) snprintf(route.encode, sizeof route.encode, "%s", encode_entry);
    if (decode_entry != NULL) snprintf(route.decode, sizeof route.decode, "%s", decode_entry);
    ndp_contract_fill_cached(trial->memory, &route, trial->encoder, trial->decoder, trial->features, out);
}

void ndp_judgement_refusal_text(const struct ndp_refusal *refusal, char out[NDP_DIFFERENCE_TEXT_BYTES]) {
    int size = snprintf(out, NDP_DIFFERENCE_TEXT_BYTES, "%s: %s", refusal->type, refusal->message);
    if (size < 0) out[0] = '\0';
}

bool ndp_judgement_may_refuse(const struct ndp_contract_row *row) {
    return row->promise == NDP_PROMISE_REFUSED || row->promise == NDP_PROMISE_MAY_REFUSE ||
           row->promise == NDP_PROMISE_MAY_NOT_ENCODE || row->promise == NDP_PROMISE_LOST ||
           row->promise == NDP_PROMISE_ANY;
}

bool ndp_judgement_may_refuse_here(const struct ndp_trial *trial, const struct ndp_contract_row *row) {
    if (row->promise != NDP_PROMISE_MAY_NOT_ENCODE) return ndp_judgement_may_refuse(row);
    if (ndp_judgement_is_refused(trial, NDP_SLOT_ENCODED)) return true;
    const struct ndp_slot_record *result = ndp_judgement_slot(trial, NDP_SLOT_RESULT);
    /* A result may be too large for an observation. */
    return result != NULL && result->state == NDP_SLOT_REFUSED && result->refusal.reason == NDP_REFUSAL_LIMIT;
}

const struct ndp_contract_row *ndp_judgement_broken_acceptance(const struct ndp_trial *trial,
                                                               const struct ndp_slot_record *record,
                                                               const struct ndp_contract *contract) {
    const struct ndp_observation *observation = &record->observation;
    uint64_t end_bytes = 0;
    bool is_short =
        record->has_observation && observation->backing.has_offset &&
        (!ndp_checked_add_u64(observation->backing.offset_bytes, observation->elements.size_bytes, &end_bytes) ||
         end_bytes > trial->input.size_bytes);
    return contract->rows[is_short ? NDP_FIELD_TRUNCATION : NDP_FIELD_ACCEPTED];
}

const struct ndp_observation *ndp_judgement_result(const struct ndp_trial *trial, struct ndp_judgement *out) {
    static const enum ndp_slot way[] = {NDP_SLOT_SOURCE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT};
    const struct ndp_contract_row *row = ndp_judgement_row(trial, NDP_FIELD_ACCEPTED);
    for (size_t i = 0; i < NDP_ARRAY_LEN(way); i++) {
        if (state_of(trial, way[i]) == NDP_SLOT_UNSUPPORTED) {
            out->verdict = NDP_VERDICT_UNSUPPORTED;
            return NULL;
        }
        if (ndp_judgement_is_refused(trial, way[i])) {
            if (way[i] != NDP_SLOT_SOURCE && ndp_judgement_may_refuse_here(trial, row)) {
                out->verdict = NDP_VERDICT_REJECTS;
                out->row = row;
            }
            return NULL;
        }
    }
    const struct ndp_slot_record *result = ndp_judgement_slot(trial, NDP_SLOT_RESULT);
    if (result == NULL || result->state != NDP_SLOT_FILLED || !result->has_observation) return NULL;
    return row->promise == NDP_PROMISE_REFUSED ? NULL : &result->observation;
}

static const char *operation_of(const struct ndp_trial *trial) {
    if (trial->route->is_transport) return "transport";
    return ndp_judgement_is_refused(trial, NDP_SLOT_ENCODED) ? "encode" : "decode";
}

static void keep_differences(const char *where, const struct ndp_comparison *part, struct ndp_judgement *out) {
    for (uint32_t i = 0; i < part->count; i++) {
        const struct ndp_difference *difference = &part->list[i];
        char path[NDP_DIFFERENCE_TEXT_BYTES];
        int needed = where[0] == '\0' ? snprintf(path, sizeof path, "%s", difference->path)
                                      : snprintf(path, sizeof path, "%s: %s", where, difference->path);
        if (needed < 0) path[0] = '\0';
        ndp_equality_add(&out->comparison, path, difference->expected, difference->got);
    }
    uint64_t left_out = part->total - part->count;
    out->comparison.total += left_out;
}

/* The severity of a broken promise. That of a stand-in class is a hazard, see attribute.c. */
static enum ndp_severity severity_of(enum ndp_promise promise) {
    if (promise == NDP_PROMISE_LOST) return NDP_SEVERITY_DOCUMENTED_LOSS;
    const bool is_hazard = promise == NDP_PROMISE_HAZARD || promise == NDP_PROMISE_EXPOSED;
    return is_hazard ? NDP_SEVERITY_HAZARD : NDP_SEVERITY_DEFECT;
}

void ndp_judgement_add(const struct ndp_trial *trial, const struct ndp_contract_row *row, const char *name,
                       const char *where, const struct ndp_comparison *part, struct ndp_judgement *out) {
    const enum ndp_severity severity = severity_of(row->promise);
    out->comparison.comparisons += part->comparisons;
    if (part->total == 0) return;
    bool is_first = out->verdict != NDP_VERDICT_DIVERGES;
    if (!is_first && severity != NDP_SEVERITY_DEFECT && out->severity == NDP_SEVERITY_DEFECT) return;
    if (is_first || (severity == NDP_SEVERITY_DEFECT && out->severity != NDP_SEVERITY_DEFECT)) {
        out->verdict = NDP_VERDICT_DIVERGES;
        out->severity = severity;
        out->row = row;
        out->outlier = ndp_attribute_divergence(trial);
        out->operation = operation_of(trial);
        out->comparison.count = 0;
        out->comparison.total = 0;
        snprintf(out->field, sizeof out->field, "%s", name);
    }
    keep_differences(where, part, out);
}

void ndp_judgement_add_check(const struct ndp_trial *trial, const struct ndp_contract_row *row, const char *name,
                             bool is_kept, const char *expected, const char *got, struct ndp_judgement *out) {
    struct ndp_comparison part;
    ndp_equality_clear(&part);
    part.comparisons = 1;
    if (!is_kept) ndp_equality_add(&part, name, expected, got);
    ndp_judgement_add(trial, row, name, "", &part, out);
}

/* A comparison of a field. A field has one or more, each with its name in reports and signatures. */
typedef void compare_part(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                          struct ndp_comparison *out);

static void compare_shape(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                          struct ndp_comparison *out) {
    (void)mask;
    ndp_equality_compare_shape(expected, got, out);
}

static void compare_itemsize(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                             struct ndp_comparison *out) {
    uint64_t left = expected->dtype->itemsize_bytes;
    uint64_t right = got->dtype->itemsize_bytes;
    (void)mask;
    out->comparisons++;
    if (left == right) return;
    char texts[2][24];
    snprintf(texts[0], sizeof texts[0], "%llu", (unsigned long long)left);
    snprintf(texts[1], sizeof texts[1], "%llu", (unsigned long long)right);
    ndp_equality_add(out, "itemsize", texts[0], texts[1]);
}

static void compare_strides(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                            struct ndp_comparison *out) {
    (void)mask;
    ndp_equality_compare_strides(expected, got, out);
}

/* Flags that are expected and missing. */
static void compare_lost_flags(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                               struct ndp_comparison *out) {
    ndp_equality_compare_flags(expected, got, mask & expected->flags, out);
}

static void compare_gained_flags(const struct ndp_observation *expected, const struct ndp_observation *got,
                                 uint32_t mask, struct ndp_comparison *out) {
    ndp_equality_compare_flags(expected, got, mask & ~expected->flags, out);
}

static void compare_class(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                          struct ndp_comparison *out) {
    (void)mask;
    ndp_equality_compare_class(expected, got, out);
}

static void compare_backing(const struct ndp_observation *expected, const struct ndp_observation *got, uint32_t mask,
                            struct ndp_comparison *out) {
    (void)mask;
    ndp_equality_compare_backing(expected, got, out);
}

/* In the order of judging: the first difference names the divergence. */
static const struct part {
    enum ndp_contract_field field;
    const char *name;
    uint32_t mask;
    compare_part *compare;
} parts[] = {
    {NDP_FIELD_SHAPE, "shape", 0, compare_shape},
    {NDP_FIELD_SHAPE, "itemsize", 0, compare_itemsize},
    {NDP_FIELD_DTYPE, "dtype.kind", NDP_DTYPE_KIND, ndp_equality_compare_dtype},
    {NDP_FIELD_DTYPE, "dtype.names", NDP_DTYPE_NAMES, ndp_equality_compare_dtype},
    {NDP_FIELD_DTYPE, "dtype.titles", NDP_DTYPE_TITLES, ndp_equality_compare_dtype},
    {NDP_FIELD_DTYPE, "dtype.offsets", NDP_DTYPE_OFFSETS, ndp_equality_compare_dtype},
    {NDP_FIELD_DTYPE, "dtype.shape", NDP_DTYPE_SHAPE, ndp_equality_compare_dtype},
    {NDP_FIELD_BYTE_ORDER, "dtype.order", NDP_DTYPE_ORDER, ndp_equality_compare_dtype},
    {NDP_FIELD_ALIGNED_STRUCT, "dtype.aligned", NDP_DTYPE_ALIGNED, ndp_equality_compare_dtype},
    {NDP_FIELD_METADATA, "dtype.metadata", NDP_DTYPE_METADATA, ndp_equality_compare_dtype},
    {NDP_FIELD_VALUES, "values", NDP_MASK_NONE, ndp_equality_compare_values},
    /* Lost contiguity first: F instead of C and C instead of F are different divergences. */
    {NDP_FIELD_MEMORY_ORDER, "flags.c_contiguous", NDP_FLAG_C_CONTIGUOUS, compare_lost_flags},
    {NDP_FIELD_MEMORY_ORDER, "flags.f_contiguous", NDP_FLAG_F_CONTIGUOUS, compare_lost_flags},
    {NDP_FIELD_MEMORY_ORDER, "flags.contiguous", NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS, compare_gained_flags},
    {NDP_FIELD_STRIDES, "strides", 0, compare_strides},
    {NDP_FIELD_WRITEABLE, "flags.writeable", NDP_FLAG_WRITEABLE, ndp_equality_compare_flags},
    {NDP_FIELD_ALIGNMENT, "flags.aligned", NDP_FLAG_ALIGNED, ndp_equality_compare_flags},
    {NDP_FIELD_CLASS, "class", 0, compare_class},
    {NDP_FIELD_BACKING, "backing", 0, compare_backing},
};

/* Agreement that other comparisons need, so that a wrong shape or type is reported once, by its own property. */
enum { COMMON_SHAPE = 1 << 0, COMMON_KIND = 1 << 1 };

static uint32_t common_of(const struct ndp_observation *expected, const struct ndp_observation *got) {
    struct ndp_comparison shape, kind;
    ndp_equality_clear(&shape);
    ndp_equality_clear(&kind);
    ndp_equality_compare_shape(expected, got, &shape);
    ndp_equality_compare_dtype(expected, got, NDP_DTYPE_KIND | NDP_DTYPE_SHAPE, &kind);
    return (shape.total == 0 ? (uint32_t)COMMON_SHAPE : 0) | (kind.total == 0 ? (uint32_t)COMMON_KIND : 0);
}

static uint32_t needed_by(const struct part *part) {
    if (part->field == NDP_FIELD_VALUES) return COMMON_SHAPE | COMMON_KIND;
    if (part->field == NDP_FIELD_STRIDES || part->field == NDP_FIELD_MEMORY_ORDER) return COMMON_SHAPE;
    if (part->compare == ndp_equality_compare_dtype && part->mask != NDP_DTYPE_KIND && part->mask != NDP_DTYPE_SHAPE)
        return COMMON_KIND;
    return 0;
}

static void compare_part_of(const struct ndp_trial *trial, const struct part *part, const struct ndp_contract_row *row,
                            const char *where, const struct ndp_observation *expected,
                            const struct ndp_observation *got, struct ndp_judgement *out) {
    struct ndp_comparison comparison;
    ndp_equality_clear(&comparison);
    part->compare(expected, got, part->mask, &comparison);
    ndp_judgement_add(trial, row, part->name, where, &comparison, out);
}

/* Strides follow from the memory order: without a promise for it there is none for them. */
static bool are_strides_promised(const struct ndp_trial *trial, const struct part *part) {
    if (part->field != NDP_FIELD_STRIDES) return true;
    return ndp_judgement_row(trial, NDP_FIELD_MEMORY_ORDER)->promise != NDP_PROMISE_ANY;
}

void ndp_judgement_compare_promised(const struct ndp_trial *trial, uint32_t fields,
                                    const struct ndp_observation *expected, const struct ndp_observation *got,
                                    struct ndp_judgement *out) {
    uint32_t common = common_of(expected, got);
    for (size_t i = 0; i < NDP_ARRAY_LEN(parts); i++) {
        if ((fields & UINT32_C(1) << parts[i].field) == 0) continue;
        if ((needed_by(&parts[i]) & ~common) != 0) continue;
        const struct ndp_contract_row *row = ndp_judgement_row(trial, parts[i].field);
        if (row->promise == NDP_PROMISE_ANY || !are_strides_promised(trial, &parts[i])) continue;
        compare_part_of(trial, &parts[i], row, trial->where != NULL ? trial->where : "", expected, got, out);
    }
}

void ndp_judgement_compare_result(const struct ndp_trial *trial, uint32_t fields, struct ndp_judgement *out) {
    if (trial->model == NULL) return;
    const struct ndp_observation *result = ndp_judgement_result(trial, out);
    if (result != NULL) ndp_judgement_compare_promised(trial, fields, &trial->promised, result, out);
}

/* Whether two entry points must have equal results: equal promises that do not depend on the entry point. */
static bool is_same_promise(const struct ndp_trial *trial, const struct ndp_contract_row *own,
                            const struct ndp_contract_row *peer, const char *decode_entry) {
    if (own->promise != peer->promise) return false;
    if (own->promise == NDP_PROMISE_ANY || own->promise == NDP_PROMISE_LOST) return false;
    if (ndp_bytes_word_is(trial->route->decode, decode_entry)) return true;
    return own->promise != NDP_PROMISE_MODE && own->promise != NDP_PROMISE_MAPPED && own->promise != NDP_PROMISE_PLACE;
}

void ndp_judgement_compare_peers(const struct ndp_trial *trial, uint32_t fields, const char *decode_entry,
                                 const struct ndp_contract *peer, const char *where,
                                 const struct ndp_observation *first, const struct ndp_observation *second,
                                 struct ndp_judgement *out) {
    uint32_t common = common_of(first, second);
    for (size_t i = 0; i < NDP_ARRAY_LEN(parts); i++) {
        if ((fields & UINT32_C(1) << parts[i].field) == 0) continue;
        if ((needed_by(&parts[i]) & ~common) != 0) continue;
        const struct ndp_contract_row *row = ndp_judgement_row(trial, parts[i].field);
        if (!is_same_promise(trial, row, peer->rows[parts[i].field], decode_entry)) continue;
        compare_part_of(trial, &parts[i], row, where, first, second, out);
    }
}
