#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_cross;

static void start(struct fixture *f) {
    f->other = f->target;
    snprintf(f->other.name, NDP_WORD_BYTES, "reference");
    snprintf(f->other.implementation, NDP_WORD_BYTES, "reference");
    f->other.entry_count = 0;
    fixture_trip(f);
    f->trial.encoder = &f->other;
}

static void kept(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f);
    expect_pass(&f, &ndp_property_cross);
    fixture_clear(&f);
}

static void another_value_is_the_decoders_fault_without_witness(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    expect_broken(&f, &ndp_property_cross, "values");
    fixture_clear(&f);
}

static void the_encoder_is_wrong_when_all_readers_agree(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    fixture_observe(&f, NDP_SLOT_PEER0, &f.outcome.slots[NDP_SLOT_RESULT].observation);
    ndp_property_cross.judge(&f.trial, &f.judgement);
    assert_string_equal(f.judgement.outlier, "reference");
    fixture_observe(&f, NDP_SLOT_PEER1, &f.trial.promised);
    expect_broken(&f, &ndp_property_cross, "values");
    fixture_clear(&f);
}

static void the_word_of_the_reference_is_enough(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    f.trial.is_read_by_oracle = true;
    ndp_property_cross.judge(&f.trial, &f.judgement);
    assert_string_equal(f.judgement.outlier, f.other.implementation);
    fixture_clear(&f);
}

static void one_target_has_nothing_to_say(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    expect_nothing(&f, &ndp_property_cross);
    fixture_clear(&f);
}

NDP_SUITE(property_cross_test, cmocka_unit_test(kept),
          cmocka_unit_test(another_value_is_the_decoders_fault_without_witness),
          cmocka_unit_test(the_encoder_is_wrong_when_all_readers_agree),
          cmocka_unit_test(the_word_of_the_reference_is_enough), cmocka_unit_test(one_target_has_nothing_to_say));
