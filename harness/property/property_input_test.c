#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_input;

static struct ndp_observation *make_trial(struct fixture *f) {
    fixture_trip(f);
    return fixture_observe(f, NDP_SLOT_SOURCE_AFTER, &f->outcome.slots[NDP_SLOT_SOURCE].observation);
}

static void an_unchanged_source_passes(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    expect_pass(&f, &ndp_property_input);
}

static void a_changed_element_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f);
    fixture_elements(&f, NDP_SLOT_SOURCE_AFTER)[0] ^= 1;
    expect_broken(&f, &ndp_property_input, "input");
}

static void a_changed_flag_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f)->flags ^= NDP_FLAG_WRITEABLE;
    expect_broken(&f, &ndp_property_input, "input");
}

/* A shallow copy of an array is an array of its own, a threading backend sends the array itself. */
static void a_write_to_shared_memory_explains_other_elements(void **state) {
    FIXTURE(f, "<f8", "joblib.Parallel", "threading:return", "threading:return", 5);
    make_trial(&f);
    f.outcome.slots[NDP_SLOT_POKED].state = NDP_SLOT_FILLED;
    fixture_elements(&f, NDP_SLOT_SOURCE_AFTER)[0] ^= 1;
    expect_pass(&f, &ndp_property_input);
    fixture_observe(&f, NDP_SLOT_SOURCE_AFTER, &f.outcome.slots[NDP_SLOT_SOURCE].observation)->flags ^=
        NDP_FLAG_ALIGNED;
    expect_broken(&f, &ndp_property_input, "input");
}

NDP_SUITE(property_input_test, NDP_TEST(an_unchanged_source_passes), NDP_TEST(a_changed_element_is_reported),
          NDP_TEST(a_changed_flag_is_reported), NDP_TEST(a_write_to_shared_memory_explains_other_elements));
