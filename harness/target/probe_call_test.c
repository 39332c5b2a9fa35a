/* Expected results were computed by hand from the code templates in harness/testees/README.md, for the argument 3. */
#include "base/suite.h"
#include "describe/descriptor.h"
#include "target/live_graph.h"
#include "target/probe_call.h"

enum { ARENA_BYTES = 1 << 24, CALLS = 2 };

static const struct {
    const char *nodes; /* node 0 is the root */
    uint32_t number;
    const char *results[CALLS];
} rows[] = {
    {"{\"function\":{\"code\":\"identity\",\"name\":\"f\"}}", 0, {"3", "3"}},
    {"{\"function\":{\"code\":\"add\",\"name\":\"f\",\"cells\":[1],\"defaults\":[2],\"kwdefaults\":{\"k\":2}}},"
     "{\"cell\":2},{\"int\":\"10\"}",
     0,
     {"33", "33"}},
    {"{\"function\":{\"code\":\"const\",\"name\":\"f\",\"cells\":[1,1]}},{\"cell\":2},{\"int\":\"-1\"}",
     0,
     {"18446744073709551614", "18446744073709551614"}},
    {"{\"function\":{\"code\":\"const\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":null}", 0, {"NameError", "NameError"}},
    {"{\"list\":[1,2]},{\"function\":{\"code\":\"counter\",\"name\":\"f\",\"cells\":[3]}},"
     "{\"function\":{\"code\":\"counter\",\"name\":\"g\",\"cells\":[3]}},{\"cell\":4},{\"int\":\"7\"}",
     2,
     {"10", "11"}},
    {"{\"function\":{\"code\":\"recurse\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":0}", 0, {"3", "3"}},
    {"{\"function\":{\"code\":\"mutual\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":0}", 0, {"7", "7"}},
    {"{\"function\":{\"code\":\"call\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":0}",
     0,
     {"RecursionError", "RecursionError"}},
    {"{\"function\":{\"code\":\"call\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":2},{\"int\":\"1\"}",
     0,
     {"TypeError", "TypeError"}},
    {"{\"function\":{\"code\":\"late\",\"name\":\"f\",\"globals\":1}},{\"globals\":{\"late\":2}},{\"int\":\"4\"}",
     0,
     {"7", "7"}},
    {"{\"function\":{\"code\":\"late\",\"name\":\"f\",\"globals\":1}},{\"globals\":{}}", 0, {"NameError", "NameError"}},
    {"{\"vectorize\":{\"function\":1,\"otypes\":\"d\"}},{\"function\":{\"code\":\"identity\",\"name\":\"f\"}}",
     0,
     {"3.0", "3.0"}},
    {"{\"partial\":{\"function\":1,\"args\":[2]}},{\"function\":{\"code\":\"identity\",\"name\":\"f\"}},"
     "{\"int\":\"5\"}",
     0,
     {"5", "5"}},
    {"{\"function\":{\"code\":\"const\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":2},{\"array\":{\"base\":{\"dtype\":"
     "\"|u1\",\"shape\":[3],\"data\":{\"pattern\":\"index\"}}}}",
     0,
     {"8", "8"}}, /* 1 * 0 + 2 * 1 + 3 * 2 */
};

static void read_graph(struct ndp_arena *arena, const char *nodes, struct ndp_graph *live) {
    struct ndp_buffer text;
    struct ndp_descriptor descriptor;
    struct ndp_error error = {.text = ""};
    ndp_buffer_init(&text, ARENA_BYTES);
    assert_int_equal(
        ndp_buffer_printf(&text, "{\"ndproof\":1,\"value\":{\"graph\":{\"root\":0,\"nodes\":[%s]}}}", nodes), NDP_OK);
    const enum ndp_status status =
        ndp_descriptor_read(arena, ndp_buffer_view(&text), &ndp_describe_default_limits, &descriptor, &error);
    if (status != NDP_OK) fail_msg("%s: %s %s", nodes, error.path, error.text);
    assert_int_equal(ndp_live_graph_build(arena, descriptor.value.graph, live, NULL), NDP_OK);
    ndp_buffer_clear(&text);
}

static void calls_return_the_results_of_templates(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_graph live, observed;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        read_graph(&arena, rows[i].nodes, &live);
        assert_null(ndp_live_graph_check(&live));
        assert_int_equal(ndp_live_graph_observe(&arena, &live, &observed), NDP_OK);
        const struct ndp_node *node = &observed.nodes[rows[i].number];
        assert_int_equal(node->result_count, CALLS);
        for (uint32_t k = 0; k < CALLS; k++) {
            if (!ndp_bytes_is_equal(node->results[k], ndp_bytes_view(rows[i].results[k])))
                fail_msg("row %u, call %u: %.*s", (unsigned)i, k, (int)node->results[k].size_bytes,
                         (const char *)node->results[k].data);
        }
    }
}

#define ARRAY "{\"array\":{\"base\":{\"dtype\":\"<i4\",\"shape\":[4]},\"class\":{\"name\":\"plain\"}}}"

static void results_depend_on_shared_memory(void **state) {
    struct ndp_graph live, observed;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    read_graph(&arena, "{\"list\":[1,2,3]}," ARRAY ",{\"view\":{\"of\":1,\"views\":[{\"slice\":[[1,1,3]]}]}}," ARRAY,
               &live);
    assert_int_equal(ndp_live_graph_observe(&arena, &live, &observed), NDP_OK);
    assert_int_equal(observed.nodes[1].memory_group, observed.nodes[2].memory_group);
    assert_int_not_equal(observed.nodes[1].memory_group, observed.nodes[3].memory_group);
    assert_int_equal(observed.nodes[2].memory_offset_bytes, 4);
}

static void an_unset_cell_raises(void **state) {
    struct ndp_graph live, observed;
    const struct ndp_edge nowhere = {NDP_EDGE_ATTRIBUTE, ndp_bytes_view("extra"), NDP_GRAPH_UNSET};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    read_graph(&arena, ARRAY, &live);
    struct ndp_node node = live.nodes[0];
    node.edges = &nowhere;
    node.edge_count = 1;
    live.nodes = &node;
    assert_null(ndp_live_graph_check(&live));
    assert_int_equal(ndp_live_graph_observe(&arena, &live, &observed), NDP_OK);
    assert_int_equal(observed.nodes[0].edge_count, 0);
    assert_true(observed.nodes[0].trouble.size_bytes > 0);
}

/* Invalid graphs that a plugin may return. */
static void invalid_graphs_are_survived(void **state) {
    struct ndp_graph live;
    const struct ndp_edge far = {NDP_EDGE_ITEM, {NULL, 0}, 5}, nowhere = {NDP_EDGE_ITEM, {NULL, 0}, NDP_GRAPH_UNSET};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    read_graph(&arena, ARRAY, &live);
    struct ndp_node node = live.nodes[0];
    struct ndp_graph wrong = {0, 1, &node};
    assert_null(ndp_live_graph_check(&wrong));
    wrong.root = 1;
    assert_non_null(ndp_live_graph_check(&wrong));
    wrong.root = 0;
    node.model.layout.offset_bytes = 1;
    assert_non_null(ndp_live_graph_check(&wrong));
    node = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = &far, .edge_count = 1};
    assert_non_null(ndp_live_graph_check(&wrong));
    node.edges = &nowhere;
    assert_non_null(ndp_live_graph_check(&wrong));
}

NDP_SUITE(probe_call_test, NDP_TEST(calls_return_the_results_of_templates), NDP_TEST(results_depend_on_shared_memory),
          NDP_TEST(an_unset_cell_raises), NDP_TEST(invalid_graphs_are_survived));
