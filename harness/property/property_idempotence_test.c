#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_idempotence;

static void make_trial(struct fixture *f) {
    fixture_trip(f);
    fixture_bytes(f, NDP_SLOT_REENCODED, f->outcome.slots[NDP_SLOT_ENCODED].bytes);
    fixture_observe(f, NDP_SLOT_AGAIN, &f->outcome.slots[NDP_SLOT_RESULT].observation);
}

static void a_correct_result_passes(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    expect_pass(&f, &ndp_property_idempotence);
}

static void different_promised_bytes_are_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    fixture_bytes(&f, NDP_SLOT_REENCODED, ndp_bytes_view("other"));
    expect_broken(&f, &ndp_property_idempotence, "reencoded");
}

static void pickles_may_differ(void **state) {
    FIXTURE(f, "<f8", "pickle", "c", "c", 4);
    make_trial(&f);
    fixture_bytes(&f, NDP_SLOT_REENCODED, ndp_bytes_view("other"));
    expect_pass(&f, &ndp_property_idempotence);
}

static void a_change_in_the_second_trip_is_reported(void **state) {
    FIXTURE(f, "<f8", "pickle", "c", "c", 4);
    make_trial(&f);
    fixture_elements(&f, NDP_SLOT_AGAIN)[0] ^= 1;
    expect_broken(&f, &ndp_property_idempotence, "values");
    fixture_observe(&f, NDP_SLOT_AGAIN, &f.outcome.slots[NDP_SLOT_RESULT].observation)->flags ^= NDP_FLAG_WRITEABLE;
    expect_broken(&f, &ndp_property_idempotence, "flags.writeable");
}

static void a_refusal_in_the_second_trip_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    fixture_refuse(&f, NDP_SLOT_REENCODED);
    memset(&f.outcome.slots[NDP_SLOT_AGAIN], 0, sizeof f.outcome.slots[NDP_SLOT_AGAIN]);
    expect_broken(&f, &ndp_property_idempotence, "reencoded");
}

static void a_failed_first_trip_is_not_judged(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_nothing(&f, &ndp_property_idempotence);
}

NDP_SUITE(property_idempotence_test, NDP_TEST(a_correct_result_passes), NDP_TEST(different_promised_bytes_are_reported),
          NDP_TEST(pickles_may_differ), NDP_TEST(a_change_in_the_second_trip_is_reported),
          NDP_TEST(a_refusal_in_the_second_trip_is_reported), NDP_TEST(a_failed_first_trip_is_not_judged));
