#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_idempotence;

static void start(struct fixture *f) {
    fixture_trip(f);
    fixture_bytes(f, NDP_SLOT_REENCODED, f->outcome.slots[NDP_SLOT_ENCODED].bytes);
    fixture_observe(f, NDP_SLOT_AGAIN, &f->outcome.slots[NDP_SLOT_RESULT].observation);
}

static void kept(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f);
    expect_pass(&f, &ndp_property_idempotence);
    fixture_clear(&f);
}

static void other_bytes_are_seen_where_they_are_promised(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f);
    fixture_bytes(&f, NDP_SLOT_REENCODED, ndp_bytes_view("other"));
    expect_broken(&f, &ndp_property_idempotence, "reencoded");
    fixture_clear(&f);
}

static void other_bytes_are_a_pickles_right(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "pickle", "c", "c", 4);
    start(&f);
    fixture_bytes(&f, NDP_SLOT_REENCODED, ndp_bytes_view("other"));
    expect_pass(&f, &ndp_property_idempotence);
    fixture_clear(&f);
}

static void a_second_trip_that_changes_is_seen(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "pickle", "c", "c", 4);
    start(&f);
    fixture_elements(&f, NDP_SLOT_AGAIN)[0] ^= 1;
    expect_broken(&f, &ndp_property_idempotence, "values");
    fixture_observe(&f, NDP_SLOT_AGAIN, &f.outcome.slots[NDP_SLOT_RESULT].observation)->flags ^= NDP_FLAG_WRITEABLE;
    expect_broken(&f, &ndp_property_idempotence, "flags.writeable");
    fixture_clear(&f);
}

static void a_second_refusal_is_seen(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    start(&f);
    fixture_refuse(&f, NDP_SLOT_REENCODED);
    memset(&f.outcome.slots[NDP_SLOT_AGAIN], 0, sizeof f.outcome.slots[NDP_SLOT_AGAIN]);
    expect_broken(&f, &ndp_property_idempotence, "reencoded");
    fixture_clear(&f);
}

static void nothing_is_said_of_a_trip_that_failed(void **state) {
    struct fixture f;
    fixture_init(&f, "<f8", "npy", "memory", "memory", 0);
    fixture_trip(&f);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_nothing(&f, &ndp_property_idempotence);
    fixture_clear(&f);
}

NDP_SUITE(property_idempotence_test, cmocka_unit_test(kept),
          cmocka_unit_test(other_bytes_are_seen_where_they_are_promised),
          cmocka_unit_test(other_bytes_are_a_pickles_right), cmocka_unit_test(a_second_trip_that_changes_is_seen),
          cmocka_unit_test(a_second_refusal_is_seen), cmocka_unit_test(nothing_is_said_of_a_trip_that_failed));
