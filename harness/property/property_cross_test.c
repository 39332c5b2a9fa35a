#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_cross;

static void make_trial(struct fixture *f) {
    f->other = f->target;
    snprintf(f->other.name, NDP_WORD_BYTES, "reference");
    snprintf(f->other.implementation, NDP_WORD_BYTES, "reference");
    f->other.entry_count = 0;
    fixture_trip(f);
    f->trial.encoder = &f->other;
}

static void a_correct_result_passes(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    expect_pass(&f, &ndp_property_cross);
}

static void without_a_witness_the_decoder_is_wrong(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    expect_broken(&f, &ndp_property_cross, "values");
}

static void the_encoder_is_wrong_if_all_decoders_agree(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    fixture_observe(&f, NDP_SLOT_PEER0, &f.outcome.slots[NDP_SLOT_RESULT].observation);
    ndp_property_cross.judge(&f.trial, &f.judgement);
    assert_string_equal(f.judgement.outlier, "reference");
    fixture_observe(&f, NDP_SLOT_PEER1, &f.trial.promised);
    expect_broken(&f, &ndp_property_cross, "values");
}

static void the_reference_is_a_sufficient_witness(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    f.trial.is_read_by_oracle = true;
    ndp_property_cross.judge(&f.trial, &f.judgement);
    assert_string_equal(f.judgement.outlier, f.other.implementation);
}

static void one_target_is_not_judged(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    expect_nothing(&f, &ndp_property_cross);
}

NDP_SUITE(property_cross_test, NDP_TEST(a_correct_result_passes), NDP_TEST(without_a_witness_the_decoder_is_wrong),
          NDP_TEST(the_encoder_is_wrong_if_all_decoders_agree), NDP_TEST(the_reference_is_a_sufficient_witness),
          NDP_TEST(one_target_is_not_judged));
