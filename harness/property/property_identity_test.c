#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_identity;

/* Fills the slots after a write to the first array that changed array `changed`. */
static void write_through(struct trip *t, uint32_t changed, enum ndp_slot after) {
    struct ndp_node *nodes = trip_copy(t, t->arrived);
    trip_change_element(t, &nodes[changed]);
    t->fixture.outcome.slots[NDP_SLOT_POKED].state = NDP_SLOT_FILLED;
    trip_fill(t, after, nodes);
}

static void a_correct_trip_passes(void **state) {
    TRIP(t, "plain", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_identity);
}

static void merged_arrays_are_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_redirect(&t, 0, CLASS_ARRAY);
    expect_broken(&t.fixture, &ndp_property_identity, "distinct");
}

static void merged_memory_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].memory_group = t.arrived[PLAIN_ARRAY].memory_group;
    expect_broken(&t.fixture, &ndp_property_identity, "aliasing.new");
}

static void a_split_function_is_left_to_closure(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_split_function(&t);
    expect_pass(&t.fixture, &ndp_property_identity);
}

static void a_write_that_reaches_another_array_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    write_through(&t, CLASS_ARRAY, NDP_SLOT_RESULT_AFTER);
    expect_broken(&t.fixture, &ndp_property_identity, "written");
}

static void a_write_that_reaches_the_source_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    write_through(&t, PLAIN_ARRAY, NDP_SLOT_SOURCE_AFTER);
    expect_broken(&t.fixture, &ndp_property_identity, "written.source");
}

static void a_write_may_change_its_array(void **state) {
    TRIP(t, "plain", "cloudpickle");
    write_through(&t, PLAIN_ARRAY, NDP_SLOT_RESULT_AFTER);
    expect_pass(&t.fixture, &ndp_property_identity);
}

static void arrays_of_one_memory_change_together(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].memory_group = t.arrived[PLAIN_ARRAY].memory_group;
    t.expected.nodes = trip_copy(&t, t.arrived);
    write_through(&t, CLASS_ARRAY, NDP_SLOT_RESULT_AFTER);
    expect_pass(&t.fixture, &ndp_property_identity);
}

/* joblib's threads share the memory of the caller: a write to the result must change the source. */
static void threads_return_the_same_memory(void **state) {
    for (int is_kept = 0; is_kept < 2; is_kept++) {
        TRIP(t, "plain", "joblib.Parallel");
        snprintf(t.fixture.route.encode, sizeof t.fixture.route.encode, "threading:return");
        write_through(&t, PLAIN_ARRAY, NDP_SLOT_RESULT_AFTER);
        if (is_kept) write_through(&t, PLAIN_ARRAY, NDP_SLOT_SOURCE_AFTER);
        if (!is_kept) trip_fill(&t, NDP_SLOT_SOURCE_AFTER, t.expected.nodes);
        if (!is_kept) expect_broken(&t.fixture, &ndp_property_identity, "together");
        if (is_kept) expect_pass(&t.fixture, &ndp_property_identity);
    }
}

NDP_SUITE(property_identity_test, NDP_TEST(a_correct_trip_passes), NDP_TEST(merged_arrays_are_reported),
          NDP_TEST(merged_memory_is_reported), NDP_TEST(a_split_function_is_left_to_closure),
          NDP_TEST(a_write_that_reaches_another_array_is_reported),
          NDP_TEST(a_write_that_reaches_the_source_is_reported), NDP_TEST(a_write_may_change_its_array),
          NDP_TEST(arrays_of_one_memory_change_together), NDP_TEST(threads_return_the_same_memory));
