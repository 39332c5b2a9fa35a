/* property_fixture.h: hand-made trials. The array has shape (2, 3), or (2, 3, 4) permuted, and element k is k. One
 * target named numpy 2.4.6 on a little-endian machine is encoder and decoder.
 */
#ifndef NDP_PROPERTY_FIXTURE_H
#define NDP_PROPERTY_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "property/judgement.h"

struct fixture {
    struct ndp_arena arena;
    struct ndp_dtype dtype;
    struct ndp_view view;
    struct ndp_array_value value;
    struct ndp_array model;
    struct ndp_descriptor descriptor;
    struct ndp_route route;
    struct ndp_target_info target;
    struct ndp_target_info other;
    struct ndp_outcome outcome;
    struct ndp_trial trial;
    struct ndp_judgement judgement;
};

static inline void fixture_init(struct fixture *f, const char *dtype, const char *format, const char *encode,
                                const char *decode, int32_t protocol) {
    static const int64_t shape[] = {2, 3, 4};
    memset(f, 0, sizeof *f);
    ndp_arena_init(&f->arena, UINT64_C(1) << 24);
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view(dtype), &f->dtype, NULL), NDP_OK);
    f->value.base.dtype = &f->dtype;
    f->value.base.ndim = 2;
    f->value.base.shape = shape;
    f->value.base.data.pattern = NDP_PATTERN_INDEX;
    f->value.class_name = ndp_bytes_view("ndarray");
    snprintf(f->route.format, NDP_WORD_BYTES, "%s", format);
    snprintf(f->route.encode, NDP_WORD_BYTES, "%s", encode);
    snprintf(f->route.decode, NDP_WORD_BYTES, "%s", decode);
    f->route.protocol = protocol;
    f->target = (struct ndp_target_info){.name = "numpy", .implementation = "numpy", .version = "2.4.6"};
    f->target.is_little_endian = true;
    f->target.libraries[0] = (struct ndp_library){.name = "numpy", .version = "2.4.6"};
    f->target.library_count = 1;
    f->target.entries[0] = (struct ndp_entry){.protocol = protocol, .library = "numpy", .encodes = true};
    f->target.entries[1] = (struct ndp_entry){.protocol = protocol, .library = "numpy", .decodes = true};
    for (int i = 0; i < 2; i++) snprintf(f->target.entries[i].format, NDP_WORD_BYTES, "%s", format);
    snprintf(f->target.entries[0].entry, NDP_WORD_BYTES, "%s", encode);
    snprintf(f->target.entries[1].entry, NDP_WORD_BYTES, "%s", decode);
    f->target.entry_count = 2;
}

static inline void fixture_clear(struct fixture *f) {
    ndp_arena_clear(&f->arena);
}

/* Declares and initialises a fixture that is cleared at the end of its block. */
#define FIXTURE(name, ...)                                                                                             \
    struct fixture name __attribute__((cleanup(fixture_clear)));                                                       \
    fixture_init(&name, __VA_ARGS__)

/* Makes the value contiguous only under a permutation of its axes. */
static inline void fixture_permute(struct fixture *f) {
    static const uint32_t axes[] = {1, 0, 2};
    f->value.base.ndim = 3;
    f->view = (struct ndp_view){.op = NDP_VIEW_TRANSPOSE, .ndim = 3, .axes = axes};
    f->value.views = &f->view;
    f->value.view_count = 1;
}

/* Builds the model and the trial; no slot is filled yet. */
static inline void fixture_build(struct fixture *f) {
    struct ndp_trial *trial = &f->trial;
    assert_int_equal(ndp_array_build(&f->arena, &f->value, f->target.is_little_endian, &f->model, NULL), NDP_OK);
    trial->descriptor = &f->descriptor;
    trial->model = &f->model;
    trial->features = ndp_contract_features(&f->model, &f->route);
    trial->route = &f->route;
    trial->encoder = trial->decoder = &f->target;
    trial->encoded = trial->decoded = &f->outcome;
    trial->arena = &f->arena;
    assert_int_equal(ndp_array_observe(&f->arena, &f->model, &trial->expected), NDP_OK);
    assert_int_equal(ndp_contract_expect(&f->arena, &f->model, &f->route, &f->target, &f->target, &trial->promised),
                     NDP_OK);
}

/* Fills a slot with an observation whose elements may be changed, or with bytes. */
static inline struct ndp_observation *fixture_observe(struct fixture *f, enum ndp_slot slot,
                                                      const struct ndp_observation *observation) {
    struct ndp_slot_record *record = &f->outcome.slots[slot];
    record->state = NDP_SLOT_FILLED;
    record->has_observation = true;
    record->observation = *observation;
    record->observation.elements.data =
        ndp_arena_copy(&f->arena, observation->elements.data, observation->elements.size_bytes);
    assert_non_null(record->observation.elements.data);
    return &record->observation;
}

static inline uint8_t *fixture_bytes(struct fixture *f, enum ndp_slot slot, struct ndp_bytes bytes) {
    struct ndp_slot_record *record = &f->outcome.slots[slot];
    uint8_t *copy = ndp_arena_copy(&f->arena, bytes.data, bytes.size_bytes);
    assert_non_null(copy);
    record->state = NDP_SLOT_FILLED;
    record->has_bytes = true;
    record->bytes = (struct ndp_bytes){copy, bytes.size_bytes};
    return copy;
}

static inline void fixture_refuse(struct fixture *f, enum ndp_slot slot) {
    memset(&f->outcome.slots[slot], 0, sizeof f->outcome.slots[slot]);
    f->outcome.slots[slot].state = NDP_SLOT_REFUSED;
    snprintf(f->outcome.slots[slot].refusal.type, sizeof f->outcome.slots[slot].refusal.type, "ValueError");
    snprintf(f->outcome.slots[slot].refusal.message, sizeof f->outcome.slots[slot].refusal.message, "no");
}

/* Builds, and fills source, encoding and result like a correct target. Returns the result, to be changed. */
static inline struct ndp_observation *fixture_trip(struct fixture *f) {
    fixture_build(f);
    fixture_observe(f, NDP_SLOT_SOURCE, &f->trial.expected);
    fixture_bytes(f, NDP_SLOT_ENCODED, f->trial.expected.elements);
    return fixture_observe(f, NDP_SLOT_RESULT, &f->trial.promised);
}

/* The elements of a slot, to be changed. */
static inline uint8_t *fixture_elements(struct fixture *f, enum ndp_slot slot) {
    return (uint8_t *)(uintptr_t)f->outcome.slots[slot].observation.elements.data;
}

static inline void expect_pass(struct fixture *f, const struct ndp_property *property) {
    property->judge(&f->trial, &f->judgement);
    assert_int_equal(f->judgement.verdict, NDP_VERDICT_PASS);
    assert_true(f->judgement.comparison.comparisons > 0);
    assert_int_equal(f->judgement.comparison.total, 0);
}

static inline void expect_nothing(struct fixture *f, const struct ndp_property *property) {
    property->judge(&f->trial, &f->judgement);
    assert_int_equal(f->judgement.verdict, NDP_VERDICT_PASS);
    assert_int_equal(f->judgement.comparison.comparisons, 0);
}

static inline void expect_verdict(struct fixture *f, const struct ndp_property *property, enum ndp_verdict verdict) {
    property->judge(&f->trial, &f->judgement);
    assert_int_equal(f->judgement.verdict, verdict);
    assert_int_equal(f->judgement.comparison.comparisons, 0);
}

static inline void expect_broken(struct fixture *f, const struct ndp_property *property, const char *field) {
    property->judge(&f->trial, &f->judgement);
    assert_int_equal(f->judgement.verdict, NDP_VERDICT_DIVERGES);
    assert_int_equal(f->judgement.severity, NDP_SEVERITY_DEFECT);
    assert_string_equal(f->judgement.field, field);
    assert_true(f->judgement.comparison.count > 0);
    assert_non_null(f->judgement.row);
    assert_string_equal(f->judgement.outlier, "numpy");
}

#endif
