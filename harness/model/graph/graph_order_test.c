#include "base/suite.h"
#include "model/graph/graph.h"

enum { MOST_EDGES = 3 };

/* Nodes are identified by their digits: node k of the numbered graph has the digit k. */
struct sample {
    uint32_t root;
    uint32_t count;
    uint32_t edges[5][MOST_EDGES + 1]; /* node number + 1; 0 terminates */
    const char *order;                 /* digits of the result */
    uint32_t got[5][MOST_EDGES + 1];   /* edges of the result, in the same form */
};

static const struct sample samples[] = {
    {0, 1, {{0}}, "0", {{0}}},
    {2, 3, {{0}, {0}, {1, 2}}, "201", {{2, 3}, {0}, {0}}},
    /* An edge is followed to its end before the next. */
    {0, 5, {{2, 4}, {3}, {0}, {5}, {0}}, "01234", {{2, 4}, {3}, {0}, {5}, {0}}},
    {0, 4, {{4, 2}, {3}, {0}, {2}}, "0312", {{2, 3}, {3}, {4}, {0}}},
    /* Cycles and shared nodes keep their edges. */
    {1, 2, {{2, 1}, {1, 1}}, "10", {{2, 2}, {1, 2}}},
    /* Unreachable nodes are dropped. */
    {3, 5, {{2}, {0}, {5}, {2, 2}, {3}}, "31", {{2, 2}, {0}}},
};

static const char *const digits[] = {"0", "1", "2", "3", "4"};

static void make_graph(const struct sample *sample, struct ndp_node nodes[5], struct ndp_edge edges[5][MOST_EDGES]) {
    memset(nodes, 0, 5 * sizeof *nodes);
    for (uint32_t i = 0; i < sample->count; i++) {
        nodes[i] = (struct ndp_node){.kind = NDP_NODE_LIST, .text = ndp_bytes_view(digits[i]), .edges = edges[i]};
        for (; sample->edges[i][nodes[i].edge_count] != 0; nodes[i].edge_count++)
            edges[i][nodes[i].edge_count] =
                (struct ndp_edge){.role = NDP_EDGE_ITEM, .to = sample->edges[i][nodes[i].edge_count] - 1};
    }
}

static void nodes_are_numbered_in_pre_order(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(samples); i++) {
        const struct sample *sample = &samples[i];
        struct ndp_node nodes[5];
        struct ndp_edge edges[5][MOST_EDGES];
        struct ndp_graph out;
        make_graph(sample, nodes, edges);
        const struct ndp_graph graph = {sample->root, sample->count, nodes};
        NDP_ARENA_SCOPED(arena, 1 << 20);
        assert_int_equal(ndp_graph_in_order(&arena, &graph, &out), NDP_OK);
        assert_int_equal(out.root, 0);
        assert_int_equal(out.count, strlen(sample->order));
        for (uint32_t k = 0; k < out.count; k++) {
            assert_int_equal(out.nodes[k].text.data[0], sample->order[k]);
            for (uint32_t e = 0; e < out.nodes[k].edge_count; e++)
                assert_int_equal(out.nodes[k].edges[e].to + 1, sample->got[k][e]);
            assert_int_equal(sample->got[k][out.nodes[k].edge_count], 0);
        }
    }
}

/* A chain of the maximal number of nodes that ends at its own start. */
static void the_deepest_graph_is_walked(void **state) {
    static struct ndp_node nodes[NDP_MAX_NODES];
    static struct ndp_edge edges[NDP_MAX_NODES];
    struct ndp_graph out;
    for (uint32_t i = 0; i < NDP_MAX_NODES; i++) {
        edges[i].to = (i + NDP_MAX_NODES - 1) % NDP_MAX_NODES;
        nodes[i] = (struct ndp_node){.kind = NDP_NODE_LIST, .edges = &edges[i], .edge_count = 1};
    }
    const struct ndp_graph graph = {7, NDP_MAX_NODES, nodes};
    NDP_ARENA_SCOPED(arena, 1 << 24);
    assert_int_equal(ndp_graph_in_order(&arena, &graph, &out), NDP_OK);
    assert_int_equal(out.count, NDP_MAX_NODES);
    for (uint32_t i = 0; i < out.count; i++) assert_int_equal(out.nodes[i].edges[0].to, (i + 1) % NDP_MAX_NODES);
}

static void every_failing_allocation_is_reported(void **state) {
    struct ndp_node nodes[5];
    struct ndp_edge edges[5][MOST_EDGES];
    enum ndp_status status = NDP_NOMEM;
    uint64_t call = 0;
    make_graph(&samples[2], nodes, edges);
    const struct ndp_graph graph = {samples[2].root, samples[2].count, nodes};
    while (status != NDP_OK) {
        struct ndp_graph out;
        NDP_ARENA_SCOPED(arena, 1 << 20);
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_graph_in_order(&arena, &graph, &out);
        assert_true(status == NDP_OK || status == NDP_NOMEM);
    }
    assert_true(call > 3);
}

NDP_SUITE(graph_order_test, NDP_TEST(nodes_are_numbered_in_pre_order), NDP_TEST(the_deepest_graph_is_walked),
          NDP_TEST(every_failing_allocation_is_reported));
