#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_values;

static void kept(void **state) {
    struct fixture f;
    fixture_init(&f, ">f8", "pickle", "c", "c", 4);
    fixture_trip(&f);
    expect_pass(&f, &ndp_property_values);
    fixture_clear(&f);
}

static void one_bit_is_seen(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[3 * 8] ^= 1;
    expect_broken(&f, &ndp_property_values, "values");
    assert_string_equal(f.judgement.comparison.list[0].path, "[1,0]");
    fixture_clear(&f);
}

static void an_unexpected_refusal_is_told_here(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_broken(&f, &ndp_property_values, "accepted");
    fixture_refuse(&f, NDP_SLOT_ENCODED);
    memset(&f.outcome.slots[NDP_SLOT_RESULT], 0, sizeof f.outcome.slots[NDP_SLOT_RESULT]);
    expect_broken(&f, &ndp_property_values, "accepted");
    fixture_clear(&f);
}

static void an_allowed_refusal_is_no_divergence(void **state) {
    struct fixture f;
    fixture_init(&f, "|O", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_verdict(&f, &ndp_property_values, NDP_VERDICT_REJECTS);
    fixture_clear(&f);
}

static void an_acceptance_that_is_forbidden_is_told_here(void **state) {
    struct fixture f;
    fixture_init(&f, "|O", "npy", "memory", "mmap:r", 0);
    fixture_trip(&f);
    expect_broken(&f, &ndp_property_values, "accepted");
    fixture_clear(&f);
}

static void what_is_not_claimed_is_unsupported(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    f.outcome.slots[NDP_SLOT_RESULT].state = NDP_SLOT_UNSUPPORTED;
    expect_verdict(&f, &ndp_property_values, NDP_VERDICT_UNSUPPORTED);
    fixture_clear(&f);
}

static void bare_bytes_are_nothing_to_say(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    f.trial.model = NULL;
    expect_nothing(&f, &ndp_property_values);
    fixture_clear(&f);
}

NDP_SUITE(property_values_test, cmocka_unit_test(kept), cmocka_unit_test(one_bit_is_seen),
          cmocka_unit_test(an_unexpected_refusal_is_told_here), cmocka_unit_test(an_allowed_refusal_is_no_divergence),
          cmocka_unit_test(an_acceptance_that_is_forbidden_is_told_here),
          cmocka_unit_test(what_is_not_claimed_is_unsupported), cmocka_unit_test(bare_bytes_are_nothing_to_say));
