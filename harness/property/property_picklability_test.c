#include "base/suite.h"
#include "model/graph_features.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_picklability;

static void judge_a_call(struct trip *t, enum ndp_slot refused) {
    fixture_refuse(&t->fixture, refused);
    expect_broken(&t->fixture, &ndp_property_picklability, "history");
}

static void what_is_sent_before_and_after_a_call_passes(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_picklability);
    trip_clear(&t);
}

static void refused_after_a_call(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    judge_a_call(&t, NDP_SLOT_CALLED_ENCODED);
    trip_clear(&t);
}

static void encoded_after_a_call_and_not_decoded(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    judge_a_call(&t, NDP_SLOT_CALLED_RESULT);
    trip_clear(&t);
}

static void refused_at_all(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    fixture_refuse(&t.fixture, NDP_SLOT_ENCODED);
    expect_broken(&t.fixture, &ndp_property_picklability, "accepted.ValueError");
    trip_clear(&t);
}

static void a_refusal_of_what_was_called_is_of_its_history(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    fixture_refuse(&t.fixture, NDP_SLOT_ENCODED);
    t.fixture.trial.features |= NDP_GRAPH_CALLED;
    expect_broken(&t.fixture, &ndp_property_picklability, "history");
    trip_clear(&t);
}

static void pickle_may_refuse_functions_by_name(void **state) {
    struct trip t;
    trip_init(&t, "plain", "pickle");
    fixture_refuse(&t.fixture, NDP_SLOT_ENCODED);
    fixture_refuse(&t.fixture, NDP_SLOT_CALLED_ENCODED);
    trip_lose_result(&t);
    ndp_property_picklability.judge(&t.fixture.trial, &t.fixture.judgement);
    assert_int_equal(t.fixture.judgement.verdict, NDP_VERDICT_REJECTS);
    trip_clear(&t);
}

static void nobody_called_it_nothing_is_compared(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.fixture.outcome.slots[NDP_SLOT_CALLED].state = NDP_SLOT_ABSENT;
    expect_nothing(&t.fixture, &ndp_property_picklability);
    trip_clear(&t);
}

NDP_SUITE(property_picklability_test, cmocka_unit_test(what_is_sent_before_and_after_a_call_passes),
          cmocka_unit_test(refused_after_a_call), cmocka_unit_test(encoded_after_a_call_and_not_decoded),
          cmocka_unit_test(refused_at_all), cmocka_unit_test(a_refusal_of_what_was_called_is_of_its_history),
          cmocka_unit_test(pickle_may_refuse_functions_by_name),
          cmocka_unit_test(nobody_called_it_nothing_is_compared));
