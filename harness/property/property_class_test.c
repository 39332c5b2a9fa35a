#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_class;

static void a_correct_trip_passes(void **state) {
    TRIP(t, "reduce_setstate", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_class);
}

static void a_lost_attribute_is_reported(void **state) {
    TRIP(t, "reduce_setstate", "cloudpickle");
    t.arrived[CLASS_ARRAY].edge_count = 0;
    expect_broken(&t.fixture, &ndp_property_class, "attributes.reduce_setstate");
}

static void a_changed_attribute_is_reported(void **state) {
    TRIP(t, "reduce_pair", "cloudpickle");
    t.arrived[UNIT].text = ndp_bytes_view("8");
    expect_broken(&t.fixture, &ndp_property_class, "attributes.reduce_pair");
}

static void parts_of_masked_arrays_have_separate_names(void **state) {
    TRIP(t, "reduce_setstate", "cloudpickle");
    struct ndp_node *masked = trip_copy(&t, t.expected.nodes);
    masked[CLASS_ARRAY].array.class_name = ndp_bytes_view("MaskedArray");
    t.expected.nodes = masked;
    t.arrived[CLASS_ARRAY].has_hard_mask = true;
    expect_broken(&t.fixture, &ndp_property_class, "hard_mask.MaskedArray");
}

static void an_unusable_object_is_reported(void **state) {
    TRIP(t, "reduce_setstate", "cloudpickle");
    t.arrived[CLASS_ARRAY].trouble = ndp_bytes_view("AttributeError: extra");
    expect_broken(&t.fixture, &ndp_property_class, "whole.reduce_setstate");
}

static void a_class_without_reduce_is_a_documented_loss(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].edge_count = 0;
    expect_loss(&t.fixture, &ndp_property_class, "attributes");
}

/* Gives the array of the trip another class, which the recipe could not have with these attributes. */
static void rename_class(struct trip *t, const char *class) {
    struct ndp_node *renamed = trip_copy(t, t->expected.nodes);
    renamed[CLASS_ARRAY].array.class_name = ndp_bytes_view(class);
    t->expected.nodes = renamed;
}

/* A stand-in whose pickling is hidden loses its attributes by itself; one with an effective __reduce__, and the real
 * classes, are promised them. */
static void the_loss_of_a_stand_in_is_a_hazard(void **state) {
    static const struct {
        const char *class;
        const char *format;
        enum ndp_severity severity;
    } rows[] = {{"proxy", "cloudpickle", NDP_SEVERITY_HAZARD},
                {"proxy", "joblib", NDP_SEVERITY_HAZARD},
                {"proxy", "graph", NDP_SEVERITY_DEFECT},
                {"cudf.pandas", "cloudpickle", NDP_SEVERITY_DEFECT},
                {"reduce_pair", "cloudpickle", NDP_SEVERITY_DEFECT},
                {"Quantity", "cloudpickle", NDP_SEVERITY_DEFECT},
                {"MaskedArray", "cloudpickle", NDP_SEVERITY_DEFECT}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        for (uint32_t whole = 0; whole < 2; whole++) {
            TRIP(t, "reduce_setstate", rows[i].format);
            char field[NDP_WORD_BYTES];
            rename_class(&t, rows[i].class);
            if (whole == 0) t.arrived[CLASS_ARRAY].edge_count = 0;
            if (whole == 1) t.arrived[CLASS_ARRAY].trouble = ndp_bytes_view("AttributeError: extra");
            snprintf(field, sizeof field, "%s.%s", whole == 0 ? "attributes" : "whole", rows[i].class);
            ndp_property_class.judge(&t.fixture.trial, &t.fixture.judgement);
            assert_int_equal(t.fixture.judgement.verdict, NDP_VERDICT_DIVERGES);
            assert_int_equal(t.fixture.judgement.severity, rows[i].severity);
            assert_string_equal(t.fixture.judgement.field, field);
        }
    }
}

static void the_graph_format_has_no_documented_loss(void **state) {
    TRIP(t, "plain", "graph");
    t.arrived[CLASS_ARRAY].edge_count = 0;
    expect_broken(&t.fixture, &ndp_property_class, "attributes.plain");
}

static void a_lost_item_is_left_to_closure(void **state) {
    TRIP(t, "reduce_setstate", "cloudpickle");
    t.arrived[LIST].edge_count = 3;
    expect_pass(&t.fixture, &ndp_property_class);
}

static void a_refusal_is_left_to_picklability(void **state) {
    TRIP(t, "reduce_setstate", "cloudpickle");
    fixture_refuse(&t.fixture, NDP_SLOT_RESULT);
    expect_nothing(&t.fixture, &ndp_property_class);
}

NDP_SUITE(property_class_test, NDP_TEST(a_correct_trip_passes), NDP_TEST(a_lost_attribute_is_reported),
          NDP_TEST(a_changed_attribute_is_reported), NDP_TEST(parts_of_masked_arrays_have_separate_names),
          NDP_TEST(an_unusable_object_is_reported), NDP_TEST(a_class_without_reduce_is_a_documented_loss),
          NDP_TEST(the_loss_of_a_stand_in_is_a_hazard), NDP_TEST(the_graph_format_has_no_documented_loss),
          NDP_TEST(a_lost_item_is_left_to_closure), NDP_TEST(a_refusal_is_left_to_picklability));
