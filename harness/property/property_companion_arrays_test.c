#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_companion_arrays;

static void a_correct_trip_passes(void **state) {
    TRIP(t, "plain", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_companion_arrays);
}

static void a_changed_element_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_change_element(&t, &t.arrived[PLAIN_ARRAY]);
    expect_broken(&t.fixture, &ndp_property_companion_arrays, "values");
    assert_non_null(strstr(t.fixture.judgement.comparison.list[0].path, "nodes[1]"));
}

static void a_changed_shape_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    static const int64_t turned[] = {3, 2};
    t.arrived[CLASS_ARRAY].observation.shape = turned;
    expect_broken(&t.fixture, &ndp_property_companion_arrays, "shape");
}

static void a_changed_class_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].observation.class_name = ndp_bytes_view("ndarray");
    expect_broken(&t.fixture, &ndp_property_companion_arrays, "class");
}

/* Up to protocol 4, NumPy's pickles decode to writeable arrays and keep C order; nothing is promised for subclasses. */
static void write_permission_of_plain_arrays_is_judged(void **state) {
    struct trip t;
    trip_init(&t, "plain", "pickle");
    t.arrived[PLAIN_ARRAY].observation.flags ^= NDP_FLAG_WRITEABLE;
    expect_broken(&t.fixture, &ndp_property_companion_arrays, "flags.writeable");
    trip_clear(&t);
    trip_init(&t, "plain", "pickle");
    t.arrived[CLASS_ARRAY].observation.flags ^= NDP_FLAG_WRITEABLE;
    expect_pass(&t.fixture, &ndp_property_companion_arrays);
    trip_clear(&t);
}

static void a_false_claim_of_a_map_is_reported(void **state) {
    TRIP(t, "plain", "pickle");
    t.arrived[PLAIN_ARRAY].observation.backing.claims = NDP_BACKING_CASE;
    expect_broken(&t.fixture, &ndp_property_companion_arrays, "backing");
}

static void an_unusable_object_is_left_to_class(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_change_element(&t, &t.arrived[CLASS_ARRAY]);
    t.arrived[CLASS_ARRAY].trouble = ndp_bytes_view("AttributeError: extra");
    expect_pass(&t.fixture, &ndp_property_companion_arrays);
}

static void a_missing_graph_is_not_compared(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_lose_result(&t);
    ndp_property_companion_arrays.judge(&t.fixture.trial, &t.fixture.judgement);
    assert_int_equal(t.fixture.judgement.comparison.comparisons, 0);
}

NDP_SUITE(property_companion_arrays_test, NDP_TEST(a_correct_trip_passes), NDP_TEST(a_changed_element_is_reported),
          NDP_TEST(a_changed_shape_is_reported), NDP_TEST(a_changed_class_is_reported),
          NDP_TEST(write_permission_of_plain_arrays_is_judged), NDP_TEST(a_false_claim_of_a_map_is_reported),
          NDP_TEST(an_unusable_object_is_left_to_class), NDP_TEST(a_missing_graph_is_not_compared));
