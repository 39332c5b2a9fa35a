/* Expected text: harness/testees/README.md, "graph". */
#include "base/suite.h"
#include "target/protocol/wire_fixture.h"
#include "target/protocol/wire_graph.h"

static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .order = NDP_ORDER_NONE, .itemsize_bytes = 1};
static const int64_t shape[] = {2};
static const struct ndp_edge items[] = {{.role = NDP_EDGE_ITEM, .to = 1}, {.role = NDP_EDGE_ITEM, .to = 2}};

static void fill(struct ndp_node nodes[3]) {
    memset(nodes, 0, 3 * sizeof *nodes);
    nodes[0] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = items, .edge_count = 2};
    for (int i = 1; i < 3; i++) {
        nodes[i].kind = NDP_NODE_ARRAY;
        nodes[i].array.base.dtype = &byte;
        nodes[i].array.base.ndim = 1;
        nodes[i].array.base.shape = shape;
        nodes[i].array.class_name = ndp_bytes_view("ndarray");
        nodes[i].data = ndp_bytes_view(i == 1 ? "ab" : "cd");
    }
}

/* Array data follow in the order of the nodes, after the existing bytes. */
static void a_graph_states_the_offsets_of_its_data(void **state) {
    struct ndp_node nodes[3];
    uint64_t binary_bytes = 10;
    fill(nodes);
    const struct ndp_graph graph = {0, 3, nodes};
    NDP_BUFFER_SCOPED(out, OUT_BYTES);
    assert_int_equal(ndp_buffer_add(&out, "{\"id\":1", 7), NDP_OK);
    assert_int_equal(ndp_wire_graph_add(&out, &graph, &binary_bytes), NDP_OK);
    assert_int_equal(ndp_buffer_add(&out, "}", 1), NDP_OK);
    assert_int_equal(binary_bytes, 14);
    assert_json(ndp_buffer_view(&out), "{\"id\":1,\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[1,2]},"
                                       "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]}},\"data\":[10,2]},"
                                       "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]}},\"data\":[12,2]}]}}}");
}

static void instances_state_what_they_keep(void **state) {
    struct ndp_node nodes[3];
    struct ndp_bytes names[] = {ndp_bytes_view("mask"), ndp_bytes_view("copy()")};
    fill(nodes);
    const struct ndp_edge argument = {.role = NDP_EDGE_ARGUMENT, .to = 1};
    nodes[0] = (struct ndp_node){.kind = NDP_NODE_INSTANCE, .edges = &argument, .edge_count = 1};
    nodes[0].import = ndp_bytes_view("a.b:C");
    nodes[0].keep = names;
    nodes[0].keep_count = 2;
    const struct ndp_graph graph = {0, 3, nodes};
    NDP_BUFFER_SCOPED(out, OUT_BYTES);
    assert_int_equal(ndp_buffer_add(&out, "{\"id\":1", 7), NDP_OK);
    assert_int_equal(ndp_wire_graph_add_kept(&out, &graph), NDP_OK);
    assert_int_equal(ndp_buffer_add(&out, "}", 1), NDP_OK);
    assert_json(ndp_buffer_view(&out), "{\"id\":1,\"keep\":[{\"import\":\"a.b:C\",\"keep\":[\"mask\",\"copy()\"]}]}");
}

static void what_does_not_fit_is_an_error(void **state) {
    struct ndp_node nodes[3];
    fill(nodes);
    const struct ndp_graph graph = {0, 3, nodes};
    enum ndp_status status = NDP_LIMIT;
    uint64_t max_bytes = 0;
    for (; status != NDP_OK; max_bytes += 16) {
        uint64_t binary_bytes = 0;
        NDP_BUFFER_SCOPED(out, max_bytes);
        status = ndp_wire_graph_add(&out, &graph, &binary_bytes);
        assert_true(status == NDP_OK || status == NDP_LIMIT);
    }
    assert_true(max_bytes > 100);
}

NDP_SUITE(wire_graph_test, NDP_TEST(a_graph_states_the_offsets_of_its_data), NDP_TEST(instances_state_what_they_keep),
          NDP_TEST(what_does_not_fit_is_an_error));
