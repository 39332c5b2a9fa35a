#include "engine/blame_fixture.h"
#include "engine/importable.h"
#include "engine/without_numpy.h"

static void one_of_two_picklers_is_of_cpython(void **state) {
    WORLD(world, "numpy");
    run_python(&world, 0);
    add_rule(&world.faulty[0], (struct rule){"pickle", "python", "", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, PICKLED_ARRAY, NULL);
    expect_blame(&seen, "CPython", "pickle",
                 "CPython's pickler \"python\" fails where its other one, \"c\", passes with the same value and calls "
                 "the same methods of NumPy.");
}

static void a_failure_of_both_picklers_is_of_numpy(void **state) {
    WORLD(world, "numpy");
    run_python(&world, 0);
    add_rule(&world.faulty[0], (struct rule){"pickle", "", "", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, PICKLED_ARRAY, NULL);
    assert_string_equal(seen.library, "numpy");
}

static void another_language_has_no_picklers_of_cpython(void **state) {
    WORLD(world, "numpy");
    add_rule(&world.faulty[0], (struct rule){"pickle", "python", "", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, PICKLED_ARRAY, NULL);
    assert_string_equal(seen.library, "numpy");
}

static void a_failure_without_arrays_is_of_cpython(void **state) {
    WORLD(world, "numpy");
    run_python(&world, 0);
    add_rule(&world.faulty[0], (struct rule){"pickle", "", "", NDP_NODE_DICT});
    const struct ndp_blame seen =
        blame(&world, GRAPH("[{\"list\":[1,2]}," SMALL_ARRAY ",{\"dict\":[[3,1]]},{\"int\":\"0\"}]"), NULL);
    expect_blame(&seen, "CPython", "pickle",
                 "The same failure shows when numbers and lists replace all objects of NumPy.");
}

static void a_failure_of_arrays_only_is_of_numpy(void **state) {
    WORLD(world, "numpy");
    run_python(&world, 0);
    add_rule(&world.faulty[0], (struct rule){"pickle", "", "", NDP_NODE_ARRAY});
    const struct ndp_blame seen = blame(&world, GRAPH("[{\"list\":[1]}," SMALL_ARRAY "]"), NULL);
    assert_string_equal(seen.library, "numpy");
}

/* Without its arrays, the value is a list whose items keep their number, their sharing and their cycles. */
static void arrays_become_numbers_and_lists(void **state) {
    WORLD(world, "numpy");
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor;
    const char *text = GRAPH("[{\"objects\":{\"shape\":[3],\"items\":[1,2,0]}}," SMALL_ARRAY
                             ",{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]},\"class\":{\"name\":\"plain\"}},"
                             "\"attributes\":{\"note\":1}}]");
    if (ndp_descriptor_read(&world.arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) !=
        NDP_OK)
        fail_msg("%s: %s", error.path, error.text);
    const struct ndp_graph *plain = NULL;
    assert_int_equal(ndp_without_numpy_graph(&world.arena, descriptor.value.graph, &plain), NDP_OK);
    assert_non_null(plain);
    assert_int_equal(plain->nodes[0].kind, NDP_NODE_LIST);
    assert_int_equal(plain->nodes[0].edge_count, 3);
    assert_int_equal(plain->nodes[0].edges[2].to, 0);
    assert_int_equal(plain->nodes[1].kind, NDP_NODE_INT);
    assert_int_equal(plain->nodes[2].kind, NDP_NODE_LIST);
    assert_int_equal(plain->nodes[2].edges[0].to, 1);
    const struct ndp_graph lonely = {.root = 1, .count = 2, .nodes = descriptor.value.graph->nodes};
    assert_int_equal(ndp_without_numpy_graph(&world.arena, &lonely, &plain), NDP_OK);
    assert_null(plain);
}

/* A graph whose functions are local becomes one with a function of a module. */
static void local_functions_become_one_of_a_module(void **state) {
    WORLD(world, "numpy");
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor;
    const char *text = GRAPH("[{\"list\":[1,2]},{\"function\":{\"code\":\"const\",\"name\":\"f\",\"cells\":[3]}},"
                             "{\"vectorize\":{\"function\":4}},{\"cell\":0},"
                             "{\"function\":{\"code\":\"add\",\"name\":\"g\"}}]");
    if (ndp_descriptor_read(&world.arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) !=
        NDP_OK)
        fail_msg("%s: %s", error.path, error.text);
    const struct ndp_graph *changed = NULL, *again = NULL;
    assert_int_equal(ndp_importable_graph(&world.arena, descriptor.value.graph, &changed), NDP_OK);
    assert_non_null(changed);
    assert_int_equal(changed->nodes[0].edges[0].to, 1);
    assert_int_equal(changed->nodes[2].edges[0].to, 1);
    assert_true(changed->nodes[1].is_importable && changed->nodes[1].edge_count == 0);
    assert_int_equal(ndp_importable_graph(&world.arena, changed, &again), NDP_OK);
    assert_null(again);
}

NDP_SUITE(without_numpy_test, NDP_TEST(one_of_two_picklers_is_of_cpython),
          NDP_TEST(a_failure_of_both_picklers_is_of_numpy), NDP_TEST(another_language_has_no_picklers_of_cpython),
          NDP_TEST(a_failure_without_arrays_is_of_cpython), NDP_TEST(a_failure_of_arrays_only_is_of_numpy),
          NDP_TEST(arrays_become_numbers_and_lists), NDP_TEST(local_functions_become_one_of_a_module));
