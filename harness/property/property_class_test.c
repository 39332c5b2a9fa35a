#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_class;

static void a_faithful_trip_is_compared_and_passes(void **state) {
    struct trip t;
    trip_init(&t, "reduce_setstate", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_class);
    trip_clear(&t);
}

static void an_attribute_that_is_gone(void **state) {
    struct trip t;
    trip_init(&t, "reduce_setstate", "cloudpickle");
    t.arrived[CLASS_ARRAY].edge_count = 0;
    expect_broken(&t.fixture, &ndp_property_class, "attributes.reduce_setstate");
    trip_clear(&t);
}

static void an_attribute_of_another_value(void **state) {
    struct trip t;
    trip_init(&t, "reduce_pair", "cloudpickle");
    t.arrived[UNIT].text = ndp_bytes_view("8");
    expect_broken(&t.fixture, &ndp_property_class, "attributes.reduce_pair");
    trip_clear(&t);
}

static void each_part_of_a_masked_array_is_a_matter_of_its_own(void **state) {
    struct trip t;
    trip_init(&t, "reduce_setstate", "cloudpickle");
    struct ndp_node *masked = trip_copy(&t, t.expected.nodes);
    masked[CLASS_ARRAY].array.class_name = ndp_bytes_view("MaskedArray");
    t.expected.nodes = masked;
    t.arrived[CLASS_ARRAY].has_hard_mask = true;
    expect_broken(&t.fixture, &ndp_property_class, "hard_mask.MaskedArray");
    trip_clear(&t);
}

static void an_object_that_breaks_when_used(void **state) {
    struct trip t;
    trip_init(&t, "reduce_setstate", "cloudpickle");
    t.arrived[CLASS_ARRAY].trouble = ndp_bytes_view("AttributeError: extra");
    expect_broken(&t.fixture, &ndp_property_class, "whole.reduce_setstate");
    trip_clear(&t);
}

static void a_class_without_pickling_loses_by_design(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].edge_count = 0;
    expect_loss(&t.fixture, &ndp_property_class, "attributes");
    trip_clear(&t);
}

static void the_control_format_loses_nothing_by_design(void **state) {
    struct trip t;
    trip_init(&t, "plain", "graph");
    t.arrived[CLASS_ARRAY].edge_count = 0;
    expect_broken(&t.fixture, &ndp_property_class, "attributes.plain");
    trip_clear(&t);
}

static void a_list_that_lost_an_item_is_not_its_business(void **state) {
    struct trip t;
    trip_init(&t, "reduce_setstate", "cloudpickle");
    t.arrived[LIST].edge_count = 3;
    expect_pass(&t.fixture, &ndp_property_class);
    trip_clear(&t);
}

static void a_refusal_is_the_business_of_picklability(void **state) {
    struct trip t;
    trip_init(&t, "reduce_setstate", "cloudpickle");
    fixture_refuse(&t.fixture, NDP_SLOT_RESULT);
    expect_nothing(&t.fixture, &ndp_property_class);
    trip_clear(&t);
}

NDP_SUITE(property_class_test, cmocka_unit_test(a_faithful_trip_is_compared_and_passes),
          cmocka_unit_test(an_attribute_that_is_gone), cmocka_unit_test(an_attribute_of_another_value),
          cmocka_unit_test(each_part_of_a_masked_array_is_a_matter_of_its_own),
          cmocka_unit_test(an_object_that_breaks_when_used), cmocka_unit_test(a_class_without_pickling_loses_by_design),
          cmocka_unit_test(the_control_format_loses_nothing_by_design),
          cmocka_unit_test(a_list_that_lost_an_item_is_not_its_business),
          cmocka_unit_test(a_refusal_is_the_business_of_picklability));
