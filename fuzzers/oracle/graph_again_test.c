/* A graph comes out of every container as it went in, and the oracle sees when it does not. The pickle is that of
 * CPython 3.11: pickle.dumps([1, 2.0], 2). */
#include "oracle/graph_again.h"

#include "base/suite.h"
#include "codec/graph/graph_stream.h"
#include "codec/npy/npy_header.h"
#include "runtime/hits_fixture.h"

static const char list_pickle[] = "\x80\x02]q\0(K\1G@\0\0\0\0\0\0\0e.";

/* How often the oracle finds fault with the list, written in every form, with this text for its first item. */
static uint64_t hits(enum fuzz_container in, const char *number, bool is_told) {
    struct ndp_arena arena = {.limit_bytes = 1 << 24};
    const struct ndp_bytes bytes = {(const uint8_t *)list_pickle, sizeof list_pickle - 1};
    struct ndp_graph graph;
    struct ndp_node nodes[3];
    assert_int_equal(fuzz_graph_decode(&arena, FUZZ_PICKLE, bytes, &graph, NULL), NDP_OK);
    assert_int_equal(graph.count, NDP_ARRAY_LEN(nodes));
    memcpy(nodes, graph.nodes, sizeof nodes);
    for (size_t i = 0; i < NDP_ARRAY_LEN(nodes); i++) {
        if (nodes[i].kind == NDP_NODE_INT) nodes[i].text = ndp_bytes_view(number);
    }
    graph.nodes = nodes;
    const uint64_t before = fuzz_hits();
    const int loud = be_quiet();
    for (uint32_t form = 0; form < FUZZ_GRAPH_FORMS; form++) fuzz_graph_again(&arena, &graph, in, form, is_told);
    be_loud(loud);
    ndp_arena_clear(&arena);
    return fuzz_hits() - before;
}

static void graphs_come_out_as_they_went_in(void **state) {
    (void)state;
    for (int is_told = 0; is_told < 2; is_told++) {
        assert_int_equal(hits(FUZZ_PICKLE, "1", is_told), 0);
        assert_int_equal(hits(FUZZ_DUMP, "1", is_told), 0);
    }
}

/* A number in digits that none is written in is another one when it comes back. */
static void another_graph_is_told(void **state) {
    (void)state;
    assert_int_equal(hits(FUZZ_PICKLE, "01", true), FUZZ_GRAPH_FORMS);
}

/* Expected: numpy.save of arrays of objects, whose order is said where they have but one. */
static void a_header_of_another_order_is_seen(void **state) {
    (void)state;
    static const struct ndp_dtype type = {.kind = NDP_KIND_OBJECT, .itemsize_bytes = 8};
    static const int64_t shapes[][2] = {{2, 3}, {2, 1}, {0, 3}, {3, 2}};
    static const struct {
        uint32_t shape, said;
        bool is_fortran, says_fortran, is_right;
    } rows[] = {{0, 0, true, true, true},   {0, 0, false, false, true}, {0, 0, true, false, false},
                {0, 0, false, true, false}, {1, 1, true, false, true},  {1, 1, false, true, false},
                {2, 2, false, false, true}, {2, 2, true, true, false},  {0, 3, false, false, false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_buffer file = {.max_bytes = 1 << 12};
        struct ndp_node node = {
            .kind = NDP_NODE_OBJECTS, .ndim = 2, .shape = shapes[rows[i].shape], .is_fortran = rows[i].is_fortran};
        const struct ndp_graph graph = {0, 1, &node};
        assert_int_equal(ndp_npy_header_add(&file, &type, rows[i].says_fortran, shapes[rows[i].said], 2, 0, NULL),
                         NDP_OK);
        if (fuzz_graph_is_announced(&arena, ndp_buffer_view(&file), &graph) != rows[i].is_right) fail_msg("row %zu", i);
        ndp_buffer_clear(&file);
        ndp_arena_clear(&arena);
    }
}

/* An array that ends behind its memory is written, and comes back as none. */
static void a_stream_that_is_not_read_again_is_seen(void **state) {
    (void)state;
    static const struct ndp_dtype byte = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
    uint8_t memory[3] = {1, 2, 3};
    for (int64_t moved = 0; moved < 2; moved++) {
        struct ndp_arena arena = {.limit_bytes = 1 << 20};
        struct ndp_node node = {
            .kind = NDP_NODE_ARRAY,
            .has_model = true,
            .model = {.dtype = &byte,
                      .class_name = ndp_bytes_view("ndarray"),
                      .layout = {.ndim = 1, .shape = {3}, .strides_bytes = {1}, .offset_bytes = moved},
                      .buffer = memory,
                      .buffer_bytes = sizeof memory,
                      .owns_data = true}};
        const struct ndp_graph graph = {0, 1, &node};
        assert_int_equal(fuzz_graph_is_streamed(&arena, &graph), moved == 0);
        ndp_arena_clear(&arena);
    }
}

static void names_are_those_of_a_release(void **state) {
    (void)state;
    static const struct {
        const char *text, *body, *pickle;
        bool is_of_1, is_of_2;
    } rows[] = {{"a", "", "cnumpy.core.multiarray\n", true, false},
                {"a", "", "cnumpy._core.multiarray\n", false, true},
                {"numpy.core", "", "cnumpy.core.multiarray\n", true, true},
                {"a", "N.", "cnumpy.core.multiarray\n", true, true},
                {"a", "", "cnumpy\nnumpy.cor", true, true},
                {"a", "", "", true, true}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_node node = {
            .kind = NDP_NODE_TEXT, .text = ndp_bytes_view(rows[i].text), .body = ndp_bytes_view(rows[i].body)};
        const struct ndp_graph graph = {0, 1, &node};
        const struct ndp_bytes pickle = ndp_bytes_view(rows[i].pickle);
        assert_int_equal(fuzz_graph_is_of_release(&graph, pickle, true), rows[i].is_of_1);
        assert_int_equal(fuzz_graph_is_of_release(&graph, pickle, false), rows[i].is_of_2);
    }
}

/* Nothing is no graph, and is not streamed; what has no words in a stream need not be. */
static void what_a_stream_does_not_take_is_seen(void **state) {
    (void)state;
    static const struct ndp_node nodes[] = {{.kind = NDP_NODE_OTHER, .is_opaque = true}};
    static const struct ndp_graph none = {0, 0, nodes}, opaque = {0, 1, nodes};
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    assert_false(fuzz_graph_is_streamed(&arena, &none));
    assert_true(fuzz_graph_is_streamed(&arena, &opaque));
    ndp_arena_clear(&arena);
}

static void a_stream_that_ends_is_refused(void **state) {
    (void)state;
    static const struct ndp_edge edges[] = {{NDP_EDGE_ITEM, {NULL, 0}, 1}, {NDP_EDGE_ITEM, {NULL, 0}, 0}};
    static const struct ndp_node nodes[] = {{.kind = NDP_NODE_LIST, .edges = edges, .edge_count = 2},
                                            {.kind = NDP_NODE_NONE}};
    static const struct ndp_graph graph = {0, 2, nodes};
    struct ndp_arena arena = {.limit_bytes = 1 << 20};
    struct ndp_buffer stream = {.max_bytes = 1 << 12};
    assert_int_equal(ndp_graph_stream_add(&stream, &graph), NDP_OK);
    for (uint64_t at = 0; at <= stream.size_bytes; at++)
        assert_int_equal(fuzz_graph_is_cut(&arena, ndp_buffer_view(&stream), at), at < stream.size_bytes);
    ndp_buffer_clear(&stream);
    ndp_arena_clear(&arena);
}

NDP_SUITE(graph_again_test, cmocka_unit_test(graphs_come_out_as_they_went_in), cmocka_unit_test(another_graph_is_told),
          cmocka_unit_test(a_header_of_another_order_is_seen),
          cmocka_unit_test(a_stream_that_is_not_read_again_is_seen), cmocka_unit_test(names_are_those_of_a_release),
          cmocka_unit_test(what_a_stream_does_not_take_is_seen), cmocka_unit_test(a_stream_that_ends_is_refused));
