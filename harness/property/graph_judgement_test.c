#include "base/suite.h"
#include "model/graph_compare.h"
#include "property/graph_fixture.h"

static void what_arrived_is_walked_beside_what_was_sent(void **state) {
    struct trip t;
    struct ndp_graph_match match;
    struct ndp_judgement out;
    trip_init(&t, "plain", "cloudpickle");
    ndp_judgement_init(&out);
    assert_ptr_equal(ndp_judge_graph(&t.fixture.trial, &match, &out), &t.got);
    assert_int_equal(match.pair_count, NODES);
    assert_int_equal(match.finding_count, 0);
    trip_clear(&t);
}

static void what_did_not_arrive_is_not_judged(void **state) {
    struct trip t;
    struct ndp_graph_match match;
    struct ndp_judgement out;
    trip_init(&t, "plain", "cloudpickle");
    fixture_refuse(&t.fixture, NDP_SLOT_RESULT);
    ndp_judgement_init(&out);
    assert_null(ndp_judge_graph(&t.fixture.trial, &match, &out));
    t.fixture.outcome.slots[NDP_SLOT_RESULT].state = NDP_SLOT_UNSUPPORTED;
    ndp_judgement_init(&out);
    assert_null(ndp_judge_graph(&t.fixture.trial, &match, &out));
    assert_int_equal(out.verdict, NDP_VERDICT_UNSUPPORTED);
    trip_clear(&t);
}

static void without_memory_to_walk_in_it_is_a_fault_of_ours(void **state) {
    struct trip t;
    struct ndp_graph_match match;
    struct ndp_judgement out;
    struct ndp_arena none;
    trip_init(&t, "plain", "cloudpickle");
    ndp_arena_init(&none, 16);
    t.fixture.trial.arena = &none;
    ndp_judgement_init(&out);
    assert_null(ndp_judge_graph(&t.fixture.trial, &match, &out));
    assert_int_equal(out.verdict, NDP_VERDICT_FAULT);
    ndp_arena_clear(&none);
    trip_clear(&t);
}

/* Each node has the promise of what it is: numpy.ndarray's documentation promises nothing of what a class adds. */
static void a_promise_is_that_of_its_node(void **state) {
    struct trip t;
    trip_init(&t, "plain", "cloudpickle");
    assert_int_equal(ndp_judge_node_row(&t.fixture.trial, NDP_FIELD_ATTRIBUTES, CLASS_ARRAY)->promise,
                     NDP_PROMISE_LOST);
    assert_int_equal(ndp_judge_node_row(&t.fixture.trial, NDP_FIELD_ATTRIBUTES, PLAIN_ARRAY)->promise,
                     NDP_PROMISE_SAME);
    trip_clear(&t);
}

static bool take_all(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    (void)trial;
    (void)finding;
    return true;
}

static bool take_none(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return !take_all(trial, finding);
}

static void findings_are_taken_by_the_filter_and_named_by_the_edge(void **state) {
    struct trip t;
    struct ndp_graph_match match;
    struct ndp_judgement out;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[CELL].edge_count = 0;
    ndp_judgement_init(&out);
    assert_non_null(ndp_judge_graph(&t.fixture.trial, &match, &out));
    ndp_judge_findings(&t.fixture.trial, &match, take_none, NDP_FIELD_STRUCTURE, "structure", &out);
    assert_int_equal(out.verdict, NDP_VERDICT_PASS);
    assert_int_equal(out.comparison.comparisons, match.pair_count);
    ndp_judge_findings(&t.fixture.trial, &match, take_all, NDP_FIELD_STRUCTURE, "structure", &out);
    assert_int_equal(out.verdict, NDP_VERDICT_DIVERGES);
    assert_string_equal(out.field, "structure.content");
    trip_clear(&t);
}

/* Of globals nothing is promised by cloudpickle: nothing is found, and nothing is counted as compared. */
static void where_nothing_is_promised_nothing_counts(void **state) {
    struct trip t;
    struct ndp_graph_match match;
    struct ndp_judgement out;
    trip_init(&t, "plain", "cloudpickle");
    t.arrived[CELL].edge_count = 0;
    ndp_judgement_init(&out);
    assert_non_null(ndp_judge_graph(&t.fixture.trial, &match, &out));
    ndp_judge_findings(&t.fixture.trial, &match, take_all, NDP_FIELD_GLOBALS, "globals", &out);
    assert_int_equal(out.verdict, NDP_VERDICT_PASS);
    assert_int_equal(out.comparison.comparisons, 0);
    trip_clear(&t);
}

static void functions_are_what_they_are_made_of(void **state) {
    assert_true(ndp_node_is_of_functions(NDP_NODE_FUNCTION));
    assert_true(ndp_node_is_of_functions(NDP_NODE_CELL));
    assert_true(ndp_node_is_of_functions(NDP_NODE_FROMPYFUNC));
    assert_false(ndp_node_is_of_functions(NDP_NODE_OBJECTS));
    assert_false(ndp_node_is_of_functions(NDP_NODE_LIST));
}

NDP_SUITE(graph_judgement_test, cmocka_unit_test(what_arrived_is_walked_beside_what_was_sent),
          cmocka_unit_test(what_did_not_arrive_is_not_judged),
          cmocka_unit_test(without_memory_to_walk_in_it_is_a_fault_of_ours),
          cmocka_unit_test(a_promise_is_that_of_its_node),
          cmocka_unit_test(findings_are_taken_by_the_filter_and_named_by_the_edge),
          cmocka_unit_test(where_nothing_is_promised_nothing_counts),
          cmocka_unit_test(functions_are_what_they_are_made_of));
