#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_staleness;

/* The second trip of a fixture: element 0 of the source is inverted, and arrives. */
static void send_changed(struct fixture *f) {
    fixture_trip(f);
    f->outcome.slots[NDP_SLOT_TOUCHED].state = NDP_SLOT_FILLED;
    fixture_observe(f, NDP_SLOT_TOUCHED_SOURCE, &f->outcome.slots[NDP_SLOT_SOURCE].observation);
    fixture_observe(f, NDP_SLOT_TOUCHED_RESULT, &f->outcome.slots[NDP_SLOT_RESULT].observation);
    fixture_elements(f, NDP_SLOT_TOUCHED_SOURCE)[0] ^= 0xff;
    fixture_elements(f, NDP_SLOT_TOUCHED_RESULT)[0] ^= 0xff;
    fixture_bytes(f, NDP_SLOT_TOUCHED_ENCODED, f->outcome.slots[NDP_SLOT_TOUCHED_SOURCE].observation.elements);
}

/* The second trip returns the result of the first. */
static void arrive_stale(struct fixture *f) {
    fixture_observe(f, NDP_SLOT_TOUCHED_RESULT, &f->outcome.slots[NDP_SLOT_RESULT].observation);
}

static void new_contents_pass(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    send_changed(&f);
    expect_pass(&f, &ndp_property_staleness);
}

static void old_contents_are_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    send_changed(&f);
    arrive_stale(&f);
    expect_broken(&f, &ndp_property_staleness, "values");
    assert_string_equal(f.judgement.comparison.list[0].path, "touched: [0,0]");
}

/* A source that is read-only stays as it is, and must arrive twice. */
static void an_unchanged_source_arrives_again(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    send_changed(&f);
    f.outcome.slots[NDP_SLOT_TOUCHED].state = NDP_SLOT_REFUSED;
    fixture_observe(&f, NDP_SLOT_TOUCHED_SOURCE, &f.outcome.slots[NDP_SLOT_SOURCE].observation);
    fixture_bytes(&f, NDP_SLOT_TOUCHED_ENCODED, f.outcome.slots[NDP_SLOT_ENCODED].bytes);
    expect_broken(&f, &ndp_property_staleness, "values");
    arrive_stale(&f);
    expect_pass(&f, &ndp_property_staleness);
}

static void an_old_encoding_is_reported_if_bytes_are_promised(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    send_changed(&f);
    fixture_bytes(&f, NDP_SLOT_TOUCHED_ENCODED, f.outcome.slots[NDP_SLOT_ENCODED].bytes);
    expect_broken(&f, &ndp_property_staleness, "touched_encoded");
    FIXTURE(pickled, "<f8", "pickle", "c", "c", 4);
    send_changed(&pickled);
    fixture_bytes(&pickled, NDP_SLOT_TOUCHED_ENCODED, pickled.outcome.slots[NDP_SLOT_ENCODED].bytes);
    expect_pass(&pickled, &ndp_property_staleness);
}

static void a_refusal_of_the_changed_source_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    send_changed(&f);
    memset(&f.outcome.slots[NDP_SLOT_TOUCHED_RESULT], 0, sizeof f.outcome.slots[NDP_SLOT_TOUCHED_RESULT]);
    fixture_refuse(&f, NDP_SLOT_TOUCHED_ENCODED);
    expect_broken(&f, &ndp_property_staleness, "touched");
}

/* Property `values` reports a first trip that loses values. */
static void a_wrong_first_result_is_not_judged(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    send_changed(&f);
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    arrive_stale(&f);
    expect_nothing(&f, &ndp_property_staleness);
}

/* Workers map the file, which a write to a map of mode c does not reach. Source: numpy.memmap documentation. */
static void a_private_map_may_stay_behind(void **state) {
    FIXTURE(f, "<f8", "joblib.Parallel", "loky", "loky", 0);
    f.route.is_transport = true;
    snprintf(f.target.entries[0].library, NDP_WORD_BYTES, "joblib");
    send_changed(&f);
    arrive_stale(&f);
    expect_broken(&f, &ndp_property_staleness, "values");
    f.trial.features |= NDP_FEATURE_MAP | NDP_FEATURE_AS_FILE | NDP_FEATURE_PRIVATE_MAP;
    expect_loss(&f, &ndp_property_staleness, "values");
}

/* ---- graphs ---- */

/* Fills the second trip: one array of the source changes, and arrives changed. */
static void trip_change(struct trip *t) {
    struct ndp_node *source = trip_copy(t, t->expected.nodes), *result = trip_copy(t, t->expected.nodes);
    trip_change_element(t, &source[PLAIN_ARRAY]);
    trip_change_element(t, &result[PLAIN_ARRAY]);
    trip_fill(t, NDP_SLOT_TOUCHED_SOURCE, source);
    trip_fill(t, NDP_SLOT_TOUCHED_RESULT, result);
}

static void a_changed_graph_passes(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_change(&t);
    expect_pass(&t.fixture, &ndp_property_staleness);
}

static void an_old_array_in_a_graph_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_change(&t);
    trip_fill(&t, NDP_SLOT_TOUCHED_RESULT, t.arrived);
    expect_broken(&t.fixture, &ndp_property_staleness, "values");
    assert_string_equal(t.fixture.judgement.comparison.list[0].path, "touched: nodes[1]: [0,0]");
}

static void an_old_number_in_a_cell_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_change(&t);
    struct ndp_node *source = trip_copy(&t, t.expected.nodes), *result = trip_copy(&t, t.expected.nodes);
    source[UNIT].text = result[UNIT].text = ndp_bytes_view("-8");
    trip_fill(&t, NDP_SLOT_TOUCHED_SOURCE, source);
    trip_fill(&t, NDP_SLOT_TOUCHED_RESULT, result);
    expect_pass(&t.fixture, &ndp_property_staleness);
    trip_fill(&t, NDP_SLOT_TOUCHED_RESULT, t.arrived);
    expect_broken(&t.fixture, &ndp_property_staleness, "values");
    assert_string_equal(t.fixture.judgement.comparison.list[0].path, "touched: nodes[5].content[0]");
}

/* Property picklability reports a function that cannot be sent after a call. */
static void a_refusal_after_a_call_is_not_judged(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_change(&t);
    memset(&t.fixture.outcome.slots[NDP_SLOT_TOUCHED_RESULT], 0, sizeof(struct ndp_slot_record));
    fixture_refuse(&t.fixture, NDP_SLOT_TOUCHED_ENCODED);
    expect_nothing(&t.fixture, &ndp_property_staleness);
    t.fixture.outcome.slots[NDP_SLOT_CALLED].state = NDP_SLOT_ABSENT;
    expect_broken(&t.fixture, &ndp_property_staleness, "touched");
}

static void a_graph_that_was_not_sent_again_is_not_judged(void **state) {
    TRIP(t, "plain", "cloudpickle");
    expect_nothing(&t.fixture, &ndp_property_staleness);
}

NDP_SUITE(property_staleness_test, NDP_TEST(new_contents_pass), NDP_TEST(old_contents_are_reported),
          NDP_TEST(an_unchanged_source_arrives_again), NDP_TEST(an_old_encoding_is_reported_if_bytes_are_promised),
          NDP_TEST(a_refusal_of_the_changed_source_is_reported), NDP_TEST(a_wrong_first_result_is_not_judged),
          NDP_TEST(a_private_map_may_stay_behind), NDP_TEST(a_changed_graph_passes),
          NDP_TEST(a_refusal_after_a_call_is_not_judged), NDP_TEST(an_old_array_in_a_graph_is_reported),
          NDP_TEST(an_old_number_in_a_cell_is_reported), NDP_TEST(a_graph_that_was_not_sent_again_is_not_judged));
