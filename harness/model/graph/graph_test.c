#include "base/suite.h"
#include "model/graph/array_class.h"
#include "model/graph/graph.h"

enum { ARENA_BYTES = 1 << 20 };

#define WORD(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }
#define EDGE(r, n)                                                                                                     \
    { .role = NDP_EDGE_##r, .to = (n) }
#define EDGES(list) .edges = (list), .edge_count = (uint32_t)NDP_ARRAY_LEN(list)

/* A class of the testee replaces a class whose library is missing, and is always available. */
static void replacement_classes_are_always_available(void **state) {
    for (uint32_t i = 0; i < NDP_CLASS_COUNT; i++) {
        enum ndp_array_class class = NDP_CLASS_COUNT;
        const char *stand_in = ndp_class_stand_in((enum ndp_array_class)i);
        assert_int_equal(stand_in[0] != '\0', ndp_class_library((enum ndp_array_class)i)[0] != '\0');
        assert_true(ndp_class_find(ndp_bytes_view(stand_in), &class));
        assert_string_equal(ndp_class_library(class), "");
        assert_true(stand_in[0] == '\0' || ndp_class_defines_pickling(class));
        if (stand_in[0] == '\0') continue;
        assert_int_equal(ndp_class_stands_for(class), i);
        assert_int_equal(ndp_class_hides_pickling(class), ndp_class_hides_pickling((enum ndp_array_class)i));
    }
}

/* Python, language reference, Identifiers; and the classes of the list, which have dots, too. */
static void an_import_path_has_a_module(void **state) {
    static const struct {
        const char *name;
        bool is_path;
    } rows[] = {{"module.Class", true}, {"a.b2._C", true},  {"Class", false},      {"", false},
                {".Class", false},      {"module.", false}, {"a..B", false},       {"a.2b", false},
                {"a.b c", false},       {"plain", false},   {"cudf.pandas", false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++)
        assert_int_equal(ndp_class_is_path(ndp_bytes_view(rows[i].name)), rows[i].is_path);
}

static void words_round_trip(void **state) {
    enum ndp_array_class class = NDP_CLASS_CUDF;
    for (uint32_t i = 0; i < NDP_CLASS_COUNT; i++) {
        assert_true(ndp_class_find(ndp_bytes_view(ndp_class_word((enum ndp_array_class)i)), &class));
        assert_int_equal(class, i);
    }
    assert_true(ndp_class_find((struct ndp_bytes){NULL, 0}, &class));
    assert_int_equal(class, NDP_CLASS_NDARRAY);
    assert_false(ndp_class_find(ndp_bytes_view("maskedarray"), &class));
    assert_string_equal(ndp_graph_words_node(NDP_NODE_FROMPYFUNC), "frompyfunc");
    assert_string_equal(ndp_graph_words_edge(NDP_EDGE_KWDEFAULT), "kwdefaults");
    assert_string_equal(ndp_graph_words_code(NDP_CODE_LATE), "late");
    /* A kind beyond the last has a word and no promised attribute. */
    assert_non_null(ndp_graph_words_node(NDP_NODE_COUNT));
    assert_non_null(ndp_graph_words_edge(NDP_EDGE_COUNT));
    assert_non_null(ndp_graph_words_code(NDP_CODE_COUNT));
    assert_non_null(ndp_class_word(NDP_CLASS_COUNT));
    assert_string_equal(ndp_class_promised(NDP_CLASS_COUNT), "");
    assert_string_equal(ndp_class_library(NDP_CLASS_COUNT), "");
    assert_string_equal(ndp_class_stand_in(NDP_CLASS_COUNT), "");
    assert_false(ndp_class_defines_pickling(NDP_CLASS_COUNT) || ndp_class_takes_attributes(NDP_CLASS_COUNT));
    assert_false(ndp_class_hides_pickling(NDP_CLASS_COUNT));
    assert_int_equal(ndp_class_stands_for(NDP_CLASS_MASKED), NDP_CLASS_COUNT);
    assert_false(ndp_graph_words_edge_is_named(NDP_EDGE_COUNT));
}

/* Python: copy.copy returns scalars and tuples of them unchanged; callable() decides the rest. */
static void kinds_have_identity_and_callability(void **state) {
    static const struct {
        enum ndp_node_kind kind;
        bool has_identity;
        bool is_callable;
    } rows[] = {
        {NDP_NODE_NONE, false, false},     {NDP_NODE_FLOAT, false, false},  {NDP_NODE_BYTES, false, false},
        {NDP_NODE_TUPLE, false, false},    {NDP_NODE_LIST, true, false},    {NDP_NODE_ARRAY, true, false},
        {NDP_NODE_CELL, true, false},      {NDP_NODE_GLOBALS, true, false}, {NDP_NODE_FUNCTION, true, true},
        {NDP_NODE_METHOD, true, true},     {NDP_NODE_PARTIAL, true, true},  {NDP_NODE_VECTORIZE, true, true},
        {NDP_NODE_FROMPYFUNC, true, true},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        if (ndp_graph_words_has_identity(rows[i].kind) != rows[i].has_identity ||
            ndp_graph_words_is_callable(rows[i].kind) != rows[i].is_callable)
            fail_msg("%s", ndp_graph_words_node(rows[i].kind));
    }
}

static void edges_are_counted_by_role(void **state) {
    static const struct ndp_edge edges[] = {EDGE(KEY, 5), EDGE(VALUE, 6), EDGE(KEY, 7), EDGE(VALUE, 8)};
    const struct ndp_node node = {.kind = NDP_NODE_DICT, EDGES(edges)};
    assert_int_equal(ndp_graph_node_count_edges(&node, NDP_EDGE_KEY), 2);
    assert_int_equal(ndp_graph_node_count_edges(&node, NDP_EDGE_ITEM), 0);
    assert_int_equal(ndp_graph_node_edge(&node, NDP_EDGE_KEY, 0)->to, 5);
    assert_int_equal(ndp_graph_node_edge(&node, NDP_EDGE_VALUE, 1)->to, 8);
    assert_null(ndp_graph_node_edge(&node, NDP_EDGE_VALUE, 2));
    assert_null(ndp_graph_node_edge(&node, NDP_EDGE_ITEM, 0));
}

static const struct ndp_dtype u1 = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
static const int64_t six[] = {6};
static const int64_t two_three[] = {2, 3};
static const uint32_t turned[] = {1, 0};
static const struct ndp_slice every_second[] = {{1, 2, 3}};
static const struct ndp_view slice = {.op = NDP_VIEW_SLICE, .ndim = 1, .slices = every_second};
static const struct ndp_view reshape = {.op = NDP_VIEW_RESHAPE, .ndim = 2, .shape = two_three};
static const struct ndp_view transpose = {.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = turned};
static const struct ndp_edge of_base[] = {EDGE(OF, 1)};
static const struct ndp_edge of_view[] = {EDGE(OF, 2)};
static const struct ndp_edge items[] = {EDGE(ITEM, 1), EDGE(ITEM, 2), EDGE(ITEM, 3), EDGE(ITEM, 4)};

/* [a, a.reshape(2, 3), that.T, a[1::2]] of a = numpy.arange(6, dtype="u1"). */
static const struct ndp_node nodes[] = {
    {.kind = NDP_NODE_LIST, EDGES(items)},
    {.kind = NDP_NODE_ARRAY,
     .array = {.base = {.dtype = &u1, .ndim = 1, .shape = six, .data = {.pattern = NDP_PATTERN_INDEX}}}},
    {.kind = NDP_NODE_VIEW, .array = {.views = &reshape, .view_count = 1}, EDGES(of_base)},
    {.kind = NDP_NODE_VIEW, .array = {.views = &transpose, .view_count = 1}, EDGES(of_view)},
    {.kind = NDP_NODE_VIEW, .array = {.views = &slice, .view_count = 1}, EDGES(of_base)},
};
static const struct ndp_graph graph = {.count = NDP_ARRAY_LEN(nodes), .nodes = nodes};

/* Elements in C order: tolist() of NumPy 2.4.6, flattened. */
static void views_share_the_memory_of_their_array(void **state) {
    static const struct {
        uint32_t ndim;
        int64_t shape[2];
        uint64_t count;
        uint8_t elements[6];
        int64_t memory_offset_bytes;
    } rows[] = {{0, {0}, 0, {0}, 0},
                {1, {6}, 6, {0, 1, 2, 3, 4, 5}, 0},
                {2, {2, 3}, 6, {0, 1, 2, 3, 4, 5}, 0},
                {2, {3, 2}, 6, {0, 3, 1, 4, 2, 5}, 0},
                {1, {3}, 3, {1, 3, 5}, 1}};
    struct ndp_graph expected;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_graph_expect(&arena, &graph, true, &expected, NULL), NDP_OK);
    assert_int_equal(expected.count, graph.count);
    assert_int_equal(expected.nodes[0].kind, NDP_NODE_LIST);
    for (uint32_t i = 1; i < graph.count; i++) {
        const struct ndp_node *node = &expected.nodes[i];
        assert_int_equal(node->kind, NDP_NODE_ARRAY);
        assert_true(node->has_model && node->has_observation && node->has_memory);
        assert_int_equal(node->memory_group, 1);
        assert_int_equal(node->memory_offset_bytes, rows[i].memory_offset_bytes);
        assert_int_equal(node->observation.ndim, rows[i].ndim);
        for (uint32_t k = 0; k < rows[i].ndim; k++) assert_int_equal(node->observation.shape[k], rows[i].shape[k]);
        assert_true(
            ndp_bytes_is_equal(node->observation.elements, (struct ndp_bytes){rows[i].elements, rows[i].count}));
        assert_int_equal(node->edge_count, 0);
    }
    assert_true(ndp_bytes_is_equal(expected.nodes[1].data, (struct ndp_bytes){rows[1].elements, 6}));
}

/* c = a.T.reshape(6), which has to copy; d = c[...]; e = d.reshape(2, 3); f = e.T.reshape(6), another copy;
 * f.reshape(6). */
static void views_of_copies_share_the_memory_of_the_copy(void **state) {
    static const struct ndp_view flat = {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape = six};
    static const struct ndp_view both[] = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = turned},
                                           {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape = six}};
    static const struct ndp_edge of_array[] = {EDGE(OF, 0)}, of_copy[] = {EDGE(OF, 1)}, of_rest[] = {EDGE(OF, 2)},
                                 of_last[] = {EDGE(OF, 3)};
    static const struct ndp_node copies[] = {
        {.kind = NDP_NODE_ARRAY,
         .array = {.base = {.dtype = &u1, .ndim = 2, .shape = two_three, .data = {.pattern = NDP_PATTERN_INDEX}},
                   .views = both,
                   .view_count = 2}},
        {.kind = NDP_NODE_VIEW, EDGES(of_array)},
        {.kind = NDP_NODE_VIEW, .array = {.views = &reshape, .view_count = 1}, EDGES(of_copy)},
        {.kind = NDP_NODE_VIEW, .array = {.views = both, .view_count = 2}, EDGES(of_rest)},
        {.kind = NDP_NODE_VIEW, .array = {.views = &flat, .view_count = 1}, EDGES(of_last)},
    };
    static const uint32_t groups[] = {0, 0, 0, 3, 3};
    const struct ndp_graph recipe = {.count = NDP_ARRAY_LEN(copies), .nodes = copies};
    struct ndp_graph expected;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_graph_expect(&arena, &recipe, true, &expected, NULL), NDP_OK);
    for (uint32_t i = 0; i < recipe.count; i++) assert_int_equal(expected.nodes[i].memory_group, groups[i]);
}

/* Items of size 0: filled strides have one order, a view of them has both. */
static void views_begin_as_plain_views(void **state) {
    static const struct ndp_dtype s0 = {.kind = NDP_KIND_BYTES};
    static const struct ndp_view copy[] = {{.op = NDP_VIEW_TRANSPOSE, .ndim = 2, .axes = turned},
                                           {.op = NDP_VIEW_RESHAPE, .ndim = 1, .shape = six}};
    static const struct ndp_edge of_empty[] = {EDGE(OF, 0)}, of_matrix[] = {EDGE(OF, 2)};
    static const struct ndp_node made[] = {
        {.kind = NDP_NODE_ARRAY, .array = {.base = {.dtype = &s0, .ndim = 2, .shape = two_three}}},
        {.kind = NDP_NODE_VIEW, EDGES(of_empty)},
        {.kind = NDP_NODE_ARRAY,
         .array = {.base = {.dtype = &u1, .ndim = 2, .shape = two_three},
                   .class_name = WORD("matrix"),
                   .is_readonly = true}},
        {.kind = NDP_NODE_VIEW, .array = {.views = copy, .view_count = 2}, EDGES(of_matrix)},
        {.kind = NDP_NODE_VIEW, EDGES(of_matrix)},
    };
    static const uint32_t flags[] = {
        NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED,
        NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED,
        NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_ALIGNED,
        NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_F_CONTIGUOUS | NDP_FLAG_WRITEABLE | NDP_FLAG_ALIGNED,
        NDP_FLAG_C_CONTIGUOUS | NDP_FLAG_ALIGNED,
    };
    const struct ndp_graph recipe = {.count = NDP_ARRAY_LEN(made), .nodes = made};
    struct ndp_graph expected;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_graph_expect(&arena, &recipe, true, &expected, NULL), NDP_OK);
    for (uint32_t i = 0; i < recipe.count; i++) {
        const struct ndp_observation *observed = &expected.nodes[i].observation;
        assert_int_equal(observed->flags, flags[i]);
        assert_true(ndp_bytes_is_word(observed->class_name, i == 2 ? "matrix" : "ndarray"));
    }
}

static void chains_without_an_array_are_refused(void **state) {
    static const struct ndp_edge of_itself[] = {EDGE(OF, 0)};
    static const struct ndp_edge of_nothing[] = {EDGE(OF, 9)};
    static const struct ndp_node rows[][2] = {
        {{.kind = NDP_NODE_VIEW, .array = {.views = &slice, .view_count = 1}, EDGES(of_itself)}},
        {{.kind = NDP_NODE_VIEW, .array = {.views = &slice, .view_count = 1}, EDGES(of_nothing)}},
        {{.kind = NDP_NODE_VIEW, .array = {.views = &slice, .view_count = 1}}},
        {{.kind = NDP_NODE_VIEW, .array = {.views = &slice, .view_count = 1}, EDGES(of_base)}, {.kind = NDP_NODE_LIST}},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_graph wrong = {.count = 2, .nodes = rows[i]};
        struct ndp_graph expected = {.count = 77};
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(ndp_graph_expect(&arena, &wrong, true, &expected, &error), NDP_INVALID);
        assert_non_null(strstr(error.text, "nodes[0]"));
        assert_int_equal(expected.count, 77);
    }
}

/* A target reports globals only of code that reads some, and of a ufunc only the name of its function. */
static void functions_report_observable_edges(void **state) {
    static const struct ndp_edge function_edges[] = {EDGE(CELL, 1), EDGE(GLOBALS, 1), EDGE(DEFAULT, 1)};
    static const struct ndp_edge to_function[] = {EDGE(FUNCTION, 0)};
    const struct ndp_node made[] = {
        {.kind = NDP_NODE_FUNCTION, .name = WORD("f"), EDGES(function_edges)},
        {.kind = NDP_NODE_FROMPYFUNC, EDGES(to_function)},
    };
    const struct ndp_graph functions = {.count = 2, .nodes = made};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    for (int is_late = 0; is_late < 2; is_late++) {
        struct ndp_node node = made[0];
        node.code = is_late ? NDP_CODE_LATE : NDP_CODE_ADD;
        assert_int_equal(ndp_graph_report_edges(&arena, &functions, &node), NDP_OK);
        assert_int_equal(node.edge_count, is_late ? 3 : 2);
        assert_int_equal(ndp_graph_node_count_edges(&node, NDP_EDGE_GLOBALS), is_late);
        assert_int_equal(node.edges[node.edge_count - 1].role, NDP_EDGE_DEFAULT);
    }
    struct ndp_node ufunc = made[1];
    assert_int_equal(ndp_graph_report_edges(&arena, &functions, &ufunc), NDP_OK);
    assert_int_equal(ufunc.edge_count, 0);
    assert_true(ndp_bytes_is_equal(ufunc.name, ndp_bytes_view("f")));
}

static void every_failing_allocation_is_reported(void **state) {
    uint64_t call = 0;
    for (enum ndp_status status = NDP_NOMEM; status != NDP_OK;) {
        struct ndp_graph expected = {.count = 77};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_graph_expect(&arena, &graph, true, &expected, NULL);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
        assert_int_equal(expected.count, status == NDP_OK ? graph.count : 77);
    }
    assert_true(call > 10);
}

/* Python, "Special writable attributes" of user-defined functions, except code, name, defaults and the dict. */
static void descriptions_differ_from_attributes(void **state) {
    static const char *const words[] = {"__doc__", "__annotations__", "__qualname__", "__module__"};
    static const char *const others[] = {"__wrapped__", "__doc", "__doc__s", "note", ""};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        assert_string_equal(ndp_graph_words_description(ndp_bytes_view(words[i])), words[i]);
    for (size_t i = 0; i < NDP_ARRAY_LEN(others); i++)
        assert_null(ndp_graph_words_description(ndp_bytes_view(others[i])));
}

NDP_SUITE(graph_test, NDP_TEST(an_import_path_has_a_module), NDP_TEST(words_round_trip),
          NDP_TEST(replacement_classes_are_always_available), NDP_TEST(kinds_have_identity_and_callability),
          NDP_TEST(descriptions_differ_from_attributes), NDP_TEST(edges_are_counted_by_role),
          NDP_TEST(views_share_the_memory_of_their_array), NDP_TEST(views_of_copies_share_the_memory_of_the_copy),
          NDP_TEST(views_begin_as_plain_views), NDP_TEST(chains_without_an_array_are_refused),
          NDP_TEST(functions_report_observable_edges), NDP_TEST(every_failing_allocation_is_reported));
