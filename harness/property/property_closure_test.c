#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_closure;

static void a_correct_trip_passes(void **state) {
    TRIP(t, "plain", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_closure);
}

static void an_emptied_cell_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[CELL].edge_count = 0;
    expect_broken(&t.fixture, &ndp_property_closure, "structure.content");
}

static void a_renamed_function_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[FUNCTION].name = ndp_bytes_view("g");
    expect_broken(&t.fixture, &ndp_property_closure, "structure");
}

static void a_lost_item_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[LIST].edge_count = 3;
    expect_broken(&t.fixture, &ndp_property_closure, "structure.items");
}

/* Each part has its name; dill before 0.3.5 is documented not to send descriptions (issue 420). */
static void a_changed_description_is_reported(void **state) {
    static const struct {
        const char *name, *library, *version;
    } rows[] = {{"__qualname__", "cloudpickle", "1.6.0"},
                {"__module__", "cloudpickle", "3.1.2"},
                {"__doc__", "dill", "0.3.5"},
                {"__annotations__", "dill", "0.3.4"},
                {"__doc__", "multiprocess", "0.70.12.2"},
                {"__doc__", "multiprocess", "0.70.13"}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char field[64];
        TRIP(t, "plain", rows[i].library);
        const struct ndp_edge edges[] = {
            trip_cell, {.role = NDP_EDGE_ATTRIBUTE, .name = ndp_bytes_view(rows[i].name), .to = UNIT}};
        struct ndp_library *library = &t.fixture.target.libraries[0];
        snprintf(library->name, NDP_WORD_BYTES, "%s", rows[i].library);
        snprintf(library->version, NDP_WORD_BYTES, "%s", rows[i].version);
        snprintf(t.fixture.target.entries[0].library, NDP_WORD_BYTES, "%s", rows[i].library);
        snprintf(field, sizeof field, "description.%s", rows[i].name);
        t.arrived[FUNCTION].edges = edges;
        t.arrived[FUNCTION].edge_count = 2;
        if (i == 3 || i == 4) expect_loss(&t.fixture, &ndp_property_closure, field);
        if (i != 3 && i != 4) expect_broken(&t.fixture, &ndp_property_closure, field);
    }
}

static void a_split_function_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    trip_split_function(&t);
    expect_broken(&t.fixture, &ndp_property_closure, "recursion");
}

static void a_changed_result_is_reported(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[FUNCTION].results[0] = ndp_bytes_view("NameError");
    expect_broken(&t.fixture, &ndp_property_closure, "results");
}

static void missing_results_are_not_compared(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[FUNCTION].result_count = 0;
    expect_pass(&t.fixture, &ndp_property_closure);
}

static void a_lost_attribute_is_left_to_class(void **state) {
    TRIP(t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].edge_count = 0;
    expect_pass(&t.fixture, &ndp_property_closure);
}

NDP_SUITE(property_closure_test, NDP_TEST(a_correct_trip_passes), NDP_TEST(an_emptied_cell_is_reported),
          NDP_TEST(a_renamed_function_is_reported), NDP_TEST(a_lost_item_is_reported),
          NDP_TEST(a_changed_description_is_reported), NDP_TEST(a_split_function_is_reported),
          NDP_TEST(a_changed_result_is_reported), NDP_TEST(missing_results_are_not_compared),
          NDP_TEST(a_lost_attribute_is_left_to_class));
