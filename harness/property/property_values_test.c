#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_values;

static void a_correct_result_passes(void **state) {
    FIXTURE(f, ">f8", "pickle", "c", "c", 4);
    fixture_trip(&f);
    expect_pass(&f, &ndp_property_values);
}

static void one_changed_bit_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[3 * 8] ^= 1;
    expect_broken(&f, &ndp_property_values, "values");
    assert_string_equal(f.judgement.comparison.list[0].path, "[1,0]");
}

static void a_forbidden_refusal_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_broken(&f, &ndp_property_values, "accepted");
    fixture_refuse(&f, NDP_SLOT_ENCODED);
    memset(&f.outcome.slots[NDP_SLOT_RESULT], 0, sizeof f.outcome.slots[NDP_SLOT_RESULT]);
    expect_broken(&f, &ndp_property_values, "accepted");
}

static void an_allowed_refusal_is_not_a_divergence(void **state) {
    FIXTURE(f, "|O", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_verdict(&f, &ndp_property_values, NDP_VERDICT_REJECTS);
}

static void a_forbidden_acceptance_is_reported(void **state) {
    FIXTURE(f, "|O", "npy", "memory", "mmap:r", 0);
    fixture_trip(&f);
    expect_broken(&f, &ndp_property_values, "accepted");
}

static void an_unclaimed_value_is_unsupported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    f.outcome.slots[NDP_SLOT_RESULT].state = NDP_SLOT_UNSUPPORTED;
    expect_verdict(&f, &ndp_property_values, NDP_VERDICT_UNSUPPORTED);
}

static void bare_bytes_are_not_judged(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    f.trial.model = NULL;
    expect_nothing(&f, &ndp_property_values);
}

NDP_SUITE(property_values_test, NDP_TEST(a_correct_result_passes), NDP_TEST(one_changed_bit_is_reported),
          NDP_TEST(a_forbidden_refusal_is_reported), NDP_TEST(an_allowed_refusal_is_not_a_divergence),
          NDP_TEST(a_forbidden_acceptance_is_reported), NDP_TEST(an_unclaimed_value_is_unsupported),
          NDP_TEST(bare_bytes_are_not_judged));
