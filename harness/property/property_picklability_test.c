#include "base/suite.h"
#include "model/graph/graph_features.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_picklability;

static void judge_a_call(struct trip *t, enum ndp_slot refused) {
    fixture_refuse(&t->fixture, refused);
    expect_broken(&t->fixture, &ndp_property_picklability, "history");
}

static void sending_before_and_after_a_call_passes(void **state) {
    TRIP(t, "plain", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_picklability);
}

static void a_refusal_after_a_call_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    judge_a_call(&t, NDP_SLOT_CALLED_ENCODED);
}

static void an_encoding_after_a_call_is_enough(void **state) {
    TRIP(t, "plain", "cloudpickle");
    judge_a_call(&t, NDP_SLOT_CALLED_RESULT);
}

static void a_refusal_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    fixture_refuse(&t.fixture, NDP_SLOT_ENCODED);
    expect_broken(&t.fixture, &ndp_property_picklability, "accepted.ValueError");
}

static void a_refusal_of_a_called_function_is_history(void **state) {
    TRIP(t, "plain", "cloudpickle");
    fixture_refuse(&t.fixture, NDP_SLOT_ENCODED);
    t.fixture.trial.features |= NDP_GRAPH_CALLED;
    expect_broken(&t.fixture, &ndp_property_picklability, "history");
}

static void pickle_may_refuse_functions_by_name(void **state) {
    TRIP(t, "plain", "pickle");
    fixture_refuse(&t.fixture, NDP_SLOT_ENCODED);
    fixture_refuse(&t.fixture, NDP_SLOT_CALLED_ENCODED);
    trip_lose_result(&t);
    ndp_property_picklability.judge(&t.fixture.trial, &t.fixture.judgement);
    assert_int_equal(t.fixture.judgement.verdict, NDP_VERDICT_REJECTS);
}

static void without_a_call_nothing_is_compared(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.fixture.outcome.slots[NDP_SLOT_CALLED].state = NDP_SLOT_ABSENT;
    expect_nothing(&t.fixture, &ndp_property_picklability);
}

NDP_SUITE(property_picklability_test, NDP_TEST(sending_before_and_after_a_call_passes),
          NDP_TEST(a_refusal_after_a_call_is_reported), NDP_TEST(an_encoding_after_a_call_is_enough),
          NDP_TEST(a_refusal_is_reported), NDP_TEST(a_refusal_of_a_called_function_is_history),
          NDP_TEST(pickle_may_refuse_functions_by_name), NDP_TEST(without_a_call_nothing_is_compared));
