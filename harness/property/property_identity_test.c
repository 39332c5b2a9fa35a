#include "base/suite.h"
#include "property/graph_fixture.h"

extern const struct ndp_property ndp_property_identity;

/* What is there after element 0 of the first array has been inverted, when that changed array `changed`. */
static void write_through(struct trip *t, uint32_t changed, enum ndp_slot after) {
    struct ndp_node *nodes = trip_copy(t, t->arrived);
    trip_change_element(t, &nodes[changed]);
    t->fixture.outcome.slots[NDP_SLOT_POKED].state = NDP_SLOT_FILLED;
    trip_fill(t, after, nodes);
}

static void a_faithful_trip_is_compared_and_passes(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    expect_pass(&t.fixture, &ndp_property_identity);
    trip_clear(&t);
}

static void two_arrays_become_one(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    trip_redirect(&t, 0, CLASS_ARRAY);
    expect_broken(&t.fixture, &ndp_property_identity, "distinct");
    trip_clear(&t);
}

static void two_memories_become_one(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].memory_group = t.arrived[PLAIN_ARRAY].memory_group;
    expect_broken(&t.fixture, &ndp_property_identity, "aliasing.new");
    trip_clear(&t);
}

static void a_function_that_is_split_is_told_by_closure(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    trip_split_function(&t);
    expect_pass(&t.fixture, &ndp_property_identity);
    trip_clear(&t);
}

static void what_is_written_to_one_array_reaches_another(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    write_through(&t, CLASS_ARRAY, NDP_SLOT_RESULT_AFTER);
    expect_broken(&t.fixture, &ndp_property_identity, "written");
    trip_clear(&t);
}

static void what_is_written_to_the_copy_reaches_the_source(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    write_through(&t, PLAIN_ARRAY, NDP_SLOT_SOURCE_AFTER);
    expect_broken(&t.fixture, &ndp_property_identity, "written.source");
    trip_clear(&t);
}

static void what_is_written_to_one_array_changes_that_one(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    write_through(&t, PLAIN_ARRAY, NDP_SLOT_RESULT_AFTER);
    expect_pass(&t.fixture, &ndp_property_identity);
    trip_clear(&t);
}

static void what_shares_memory_changes_together(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[CLASS_ARRAY].memory_group = t.arrived[PLAIN_ARRAY].memory_group;
    t.expected.nodes = trip_copy(&t, t.arrived);
    write_through(&t, CLASS_ARRAY, NDP_SLOT_RESULT_AFTER);
    expect_pass(&t.fixture, &ndp_property_identity);
    trip_clear(&t);
}

/* joblib's threads share the memory of the caller: what is written to what comes back is there in what was sent. */
static void what_threads_give_back_is_what_was_sent(void **state) {
    for (int is_kept = 0; is_kept < 2; is_kept++) {
        struct trip t;
        trip_init(&t, "plain", "joblib.Parallel");
        snprintf(t.fixture.route.encode, sizeof t.fixture.route.encode, "threading:return");
        write_through(&t, PLAIN_ARRAY, NDP_SLOT_RESULT_AFTER);
        if (is_kept) write_through(&t, PLAIN_ARRAY, NDP_SLOT_SOURCE_AFTER);
        if (!is_kept) trip_fill(&t, NDP_SLOT_SOURCE_AFTER, t.expected.nodes);
        if (!is_kept) expect_broken(&t.fixture, &ndp_property_identity, "together");
        if (is_kept) expect_pass(&t.fixture, &ndp_property_identity);
        trip_clear(&t);
    }
}

NDP_SUITE(property_identity_test, cmocka_unit_test(a_faithful_trip_is_compared_and_passes),
          cmocka_unit_test(two_arrays_become_one), cmocka_unit_test(two_memories_become_one),
          cmocka_unit_test(a_function_that_is_split_is_told_by_closure),
          cmocka_unit_test(what_is_written_to_one_array_reaches_another),
          cmocka_unit_test(what_is_written_to_the_copy_reaches_the_source),
          cmocka_unit_test(what_is_written_to_one_array_changes_that_one),
          cmocka_unit_test(what_shares_memory_changes_together),
          cmocka_unit_test(what_threads_give_back_is_what_was_sent));
