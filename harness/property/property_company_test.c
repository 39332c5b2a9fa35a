#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_company;

static void a_faithful_trip_is_compared_and_passes(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_company);
    trip_clear(&t);
}

static void an_element_of_one_array(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    trip_change_element(&t, &t.arrived[PLAIN_ARRAY]);
    expect_broken(&t.fixture, &ndp_property_company, "values");
    assert_non_null(strstr(t.fixture.judgement.comparison.list[0].path, "nodes[1]"));
    trip_clear(&t);
}

static void the_shape_of_one_array(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    static const int64_t turned[] = {3, 2};
    t.arrived[CLASS_ARRAY].observation.shape = turned;
    expect_broken(&t.fixture, &ndp_property_company, "shape");
    trip_clear(&t);
}

static void the_class_of_one_array(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].observation.class_name = ndp_bytes_view("ndarray");
    expect_broken(&t.fixture, &ndp_property_company, "class");
    trip_clear(&t);
}

/* NumPy's pickles of protocol 4 and below give arrays that can be written to, in C order when they were; of a class of
 * its own nothing of the kind is known. */
static void write_permission_of_what_is_an_array_alone(void **state) {
    struct trip t;
    trip_init(&t, "plain", "pickle");
    t.arrived[PLAIN_ARRAY].observation.flags ^= NDP_FLAG_WRITEABLE;
    expect_broken(&t.fixture, &ndp_property_company, "flags.writeable");
    trip_clear(&t);
    trip_init(&t, "plain", "pickle");
    t.arrived[CLASS_ARRAY].observation.flags ^= NDP_FLAG_WRITEABLE;
    expect_pass(&t.fixture, &ndp_property_company);
    trip_clear(&t);
}

static void what_claims_to_be_a_map(void **state) {
    struct trip t;
    trip_init(&t, "plain", "pickle");
    t.arrived[PLAIN_ARRAY].observation.backing.claims = NDP_BACKING_CASE;
    expect_broken(&t.fixture, &ndp_property_company, "backing");
    trip_clear(&t);
}

static void what_is_not_whole_is_told_by_class(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    trip_change_element(&t, &t.arrived[CLASS_ARRAY]);
    t.arrived[CLASS_ARRAY].trouble = ndp_bytes_view("AttributeError: extra");
    expect_pass(&t.fixture, &ndp_property_company);
    trip_clear(&t);
}

static void nothing_arrived_nothing_is_compared(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    trip_lose_result(&t);
    ndp_property_company.judge(&t.fixture.trial, &t.fixture.judgement);
    assert_int_equal(t.fixture.judgement.comparison.comparisons, 0);
    trip_clear(&t);
}

NDP_SUITE(property_company_test, cmocka_unit_test(a_faithful_trip_is_compared_and_passes),
          cmocka_unit_test(an_element_of_one_array), cmocka_unit_test(the_shape_of_one_array),
          cmocka_unit_test(the_class_of_one_array), cmocka_unit_test(write_permission_of_what_is_an_array_alone),
          cmocka_unit_test(what_claims_to_be_a_map), cmocka_unit_test(what_is_not_whole_is_told_by_class),
          cmocka_unit_test(nothing_arrived_nothing_is_compared));
