#include "base/suite.h"
#include "model/graph/graph_compare.h"
#include "property/graph_fixture.h"

static void nodes_of_both_graphs_are_matched(void **state) {
    struct ndp_graph_compare match;
    struct ndp_judgement out;
    TRIP(t, "plain", "cloudpickle");
    ndp_judgement_init(&out);
    assert_ptr_equal(ndp_graph_judgement_match(&t.fixture.trial, &match, &out), &t.got);
    assert_int_equal(match.pair_count, NODES);
    assert_int_equal(match.finding_count, 0);
}

static void a_missing_graph_is_not_judged(void **state) {
    struct ndp_graph_compare match;
    struct ndp_judgement out;
    TRIP(t, "plain", "cloudpickle");
    fixture_refuse(&t.fixture, NDP_SLOT_RESULT);
    ndp_judgement_init(&out);
    assert_null(ndp_graph_judgement_match(&t.fixture.trial, &match, &out));
    t.fixture.outcome.slots[NDP_SLOT_RESULT].state = NDP_SLOT_UNSUPPORTED;
    ndp_judgement_init(&out);
    assert_null(ndp_graph_judgement_match(&t.fixture.trial, &match, &out));
    assert_int_equal(out.verdict, NDP_VERDICT_UNSUPPORTED);
}

static void a_failed_allocation_is_a_fault(void **state) {
    struct ndp_graph_compare match;
    struct ndp_judgement out;
    TRIP(t, "plain", "cloudpickle");
    NDP_ARENA_SCOPED(none, 16);
    t.fixture.trial.arena = &none;
    ndp_judgement_init(&out);
    assert_null(ndp_graph_judgement_match(&t.fixture.trial, &match, &out));
    assert_int_equal(out.verdict, NDP_VERDICT_FAULT);
}

/* numpy.ndarray's documentation promises nothing about attributes of subclasses. */
static void the_row_is_that_of_the_node(void **state) {
    TRIP(t, "plain", "cloudpickle");
    assert_int_equal(ndp_graph_judgement_row(&t.fixture.trial, NDP_FIELD_ATTRIBUTES, CLASS_ARRAY)->promise,
                     NDP_PROMISE_LOST);
    assert_int_equal(ndp_graph_judgement_row(&t.fixture.trial, NDP_FIELD_ATTRIBUTES, PLAIN_ARRAY)->promise,
                     NDP_PROMISE_SAME);
}

static bool take_all(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    (void)trial;
    (void)finding;
    return true;
}

static bool take_none(const struct ndp_trial *trial, const struct ndp_graph_finding *finding) {
    return !take_all(trial, finding);
}

static void findings_are_filtered_and_named_by_edge(void **state) {
    struct ndp_graph_compare match;
    struct ndp_judgement out;
    TRIP(t, "plain", "cloudpickle");
    t.arrived[CELL].edge_count = 0;
    ndp_judgement_init(&out);
    assert_non_null(ndp_graph_judgement_match(&t.fixture.trial, &match, &out));
    ndp_graph_judgement_add_findings(&t.fixture.trial, &match, take_none, NDP_FIELD_STRUCTURE, "structure", &out);
    assert_int_equal(out.verdict, NDP_VERDICT_PASS);
    assert_int_equal(out.comparison.comparisons, match.pair_count);
    ndp_graph_judgement_add_findings(&t.fixture.trial, &match, take_all, NDP_FIELD_STRUCTURE, "structure", &out);
    assert_int_equal(out.verdict, NDP_VERDICT_DIVERGES);
    assert_string_equal(out.field, "structure.content");
}

/* cloudpickle promises nothing about globals: no finding, no comparison. */
static void fields_without_promise_are_not_counted(void **state) {
    struct ndp_graph_compare match;
    struct ndp_judgement out;
    TRIP(t, "plain", "cloudpickle");
    t.arrived[CELL].edge_count = 0;
    ndp_judgement_init(&out);
    assert_non_null(ndp_graph_judgement_match(&t.fixture.trial, &match, &out));
    ndp_graph_judgement_add_findings(&t.fixture.trial, &match, take_all, NDP_FIELD_GLOBALS, "globals", &out);
    assert_int_equal(out.verdict, NDP_VERDICT_PASS);
    assert_int_equal(out.comparison.comparisons, 0);
}

/* An array of an archive has the rows of one that is sent alone, and one that may be refused makes the archive so.
 * Source: rows of contract.table for numpy.savez and numpy.lib.format. */
static void members_of_an_archive_are_sent_alone(void **state) {
    struct ndp_contract contract;
    TRIP(t, "plain", "npz");
    struct ndp_trial *trial = &t.fixture.trial;
    const struct ndp_node *sent = &t.expected.nodes[PLAIN_ARRAY];
    assert_true((ndp_graph_judgement_array_features(trial, sent) & NDP_FEATURE_IN_GRAPH) != 0);
    trial->features |= NDP_GRAPH_MEMBERS;
    assert_true((ndp_graph_judgement_array_features(trial, sent) & NDP_FEATURE_IN_GRAPH) == 0);
    assert_int_equal(ndp_judgement_row(trial, NDP_FIELD_IDENTITY)->promise, NDP_PROMISE_LOST);
    ndp_contract_fill(trial->route, trial->encoder, trial->decoder, trial->features, &contract);
    ndp_graph_judgement_accept_members(trial, &contract);
    assert_int_equal(contract.rows[NDP_FIELD_ACCEPTED]->promise, NDP_PROMISE_SAME);
    static const struct ndp_dtype object = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    struct ndp_node *nodes = trip_copy(&t, t.expected.nodes);
    nodes[PLAIN_ARRAY].model.dtype = &object;
    const struct ndp_graph graph = {LIST, NODES, nodes};
    trial->graph = &graph;
    ndp_graph_judgement_accept_members(trial, &contract);
    assert_int_equal(contract.rows[NDP_FIELD_ACCEPTED]->promise, NDP_PROMISE_MAY_REFUSE);
}

/* A scalar adds its features to the row of the object that contains it. */
static void a_finding_has_the_row_of_its_scalar(void **state) {
    static const struct {
        struct ndp_bytes text;
        enum ndp_severity severity;
    } rows[] = {{{(const uint8_t *)"ab", 2}, NDP_SEVERITY_DEFECT},
                {{(const uint8_t *)"a\0", 2}, NDP_SEVERITY_DOCUMENTED_LOSS}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_graph_compare match;
        struct ndp_judgement out;
        TRIP(t, "plain", "shared_memory.ShareableList");
        struct ndp_node *sent = trip_copy(&t, t.expected.nodes);
        sent[UNIT].kind = t.arrived[UNIT].kind = NDP_NODE_TEXT;
        sent[UNIT].text = rows[i].text;
        t.arrived[UNIT].text = ndp_bytes_view("a");
        const struct ndp_graph graph = {LIST, NODES, sent};
        t.fixture.trial.graph = &graph;
        ndp_judgement_init(&out);
        assert_non_null(ndp_graph_judgement_match(&t.fixture.trial, &match, &out));
        ndp_graph_judgement_add_findings(&t.fixture.trial, &match, take_all, NDP_FIELD_STRUCTURE, "structure", &out);
        assert_int_equal(out.verdict, NDP_VERDICT_DIVERGES);
        assert_int_equal(out.severity, rows[i].severity);
    }
}

static void parts_of_functions_belong_to_functions(void **state) {
    assert_true(ndp_graph_judgement_is_of_functions(NDP_NODE_FUNCTION));
    assert_true(ndp_graph_judgement_is_of_functions(NDP_NODE_CELL));
    assert_true(ndp_graph_judgement_is_of_functions(NDP_NODE_FROMPYFUNC));
    assert_false(ndp_graph_judgement_is_of_functions(NDP_NODE_OBJECTS));
    assert_false(ndp_graph_judgement_is_of_functions(NDP_NODE_LIST));
}

NDP_SUITE(graph_judgement_test, NDP_TEST(nodes_of_both_graphs_are_matched), NDP_TEST(a_missing_graph_is_not_judged),
          NDP_TEST(a_failed_allocation_is_a_fault), NDP_TEST(the_row_is_that_of_the_node),
          NDP_TEST(findings_are_filtered_and_named_by_edge), NDP_TEST(fields_without_promise_are_not_counted),
          NDP_TEST(members_of_an_archive_are_sent_alone), NDP_TEST(a_finding_has_the_row_of_its_scalar),
          NDP_TEST(parts_of_functions_belong_to_functions));
