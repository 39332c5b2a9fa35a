#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_closure;

static void a_faithful_trip_is_compared_and_passes(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_closure);
    trip_clear(&t);
}

static void a_cell_that_is_emptied(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[CELL].edge_count = 0;
    expect_broken(&t.fixture, &ndp_property_closure, "structure.content");
    trip_clear(&t);
}

static void a_function_of_another_name(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[FUNCTION].name = ndp_bytes_view("g");
    expect_broken(&t.fixture, &ndp_property_closure, "structure");
    trip_clear(&t);
}

static void a_list_that_is_shorter(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[LIST].edge_count = 3;
    expect_broken(&t.fixture, &ndp_property_closure, "structure.items");
    trip_clear(&t);
}

/* What a function says of itself, each part by its name; dill is documented not to send it before 0.3.5 (issue 420). */
static void a_function_that_says_something_else(void **state) {
    static const struct {
        const char *name, *library, *version;
    } rows[] = {{"__qualname__", "cloudpickle", "1.6.0"},
                {"__module__", "cloudpickle", "3.1.2"},
                {"__doc__", "dill", "0.3.5"},
                {"__annotations__", "dill", "0.3.4"},
                {"__doc__", "multiprocess", "0.70.12.2"},
                {"__doc__", "multiprocess", "0.70.13"}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct trip t;
        char field[64];
        trip_init(&t, "plain", rows[i].library);
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
        trip_clear(&t);
    }
}

static void one_function_becomes_two(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    trip_split_function(&t);
    expect_broken(&t.fixture, &ndp_property_closure, "recursion");
    trip_clear(&t);
}

static void a_call_gives_something_else(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[FUNCTION].results[0] = ndp_bytes_view("NameError");
    expect_broken(&t.fixture, &ndp_property_closure, "results");
    trip_clear(&t);
}

static void who_tells_no_results_is_not_compared_in_them(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[FUNCTION].result_count = 0;
    expect_pass(&t.fixture, &ndp_property_closure);
    trip_clear(&t);
}

static void a_lost_attribute_of_an_array_is_not_its_business(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].edge_count = 0;
    expect_pass(&t.fixture, &ndp_property_closure);
    trip_clear(&t);
}

NDP_SUITE(property_closure_test, cmocka_unit_test(a_faithful_trip_is_compared_and_passes),
          cmocka_unit_test(a_cell_that_is_emptied), cmocka_unit_test(a_function_of_another_name),
          cmocka_unit_test(a_list_that_is_shorter), cmocka_unit_test(a_function_that_says_something_else),
          cmocka_unit_test(one_function_becomes_two), cmocka_unit_test(a_call_gives_something_else),
          cmocka_unit_test(who_tells_no_results_is_not_compared_in_them),
          cmocka_unit_test(a_lost_attribute_of_an_array_is_not_its_business));
