/* graph_features_test.c: features of graphs, derived by hand from the words in model/graph/graph.h. */
#include "base/suite.h"
#include "model/graph/graph.h"
#include "model/graph/graph_features.h"

#define WORD(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }
#define EDGE(r, n)                                                                                                     \
    { .role = NDP_EDGE_##r, .to = (n) }
#define EDGES(list) .edges = (list), .edge_count = (uint32_t)NDP_ARRAY_LEN(list)
#define NODE(k, ...)                                                                                                   \
    { .kind = NDP_NODE_##k, __VA_ARGS__ }
#define CLASS(word) .array = {.class_name = WORD(word)}

static const struct ndp_edge one[] = {EDGE(ITEM, 1)};
static const struct ndp_edge twice[] = {EDGE(ITEM, 1), EDGE(ITEM, 1)};
static const struct ndp_edge to_root[] = {EDGE(ITEM, 0)};
static const struct ndp_edge cell[] = {EDGE(CELL, 1)};
static const struct ndp_edge cells[] = {EDGE(CELL, 1), EDGE(CELL, 1)};
static const struct ndp_edge of[] = {EDGE(OF, 1)};
static const struct ndp_edge items_and_view[] = {EDGE(ITEM, 1), EDGE(ITEM, 2)};
static const struct ndp_edge mask[] = {EDGE(MASK, 1)};
static const struct ndp_edge attribute[] = {{.role = NDP_EDGE_ATTRIBUTE, .name = WORD("x"), .to = 1}};

enum { LOCAL = NDP_GRAPH_FUNCTIONS | NDP_GRAPH_LOCAL_FUNCTION };

static const struct {
    const char *what;
    struct ndp_node nodes[3];
    uint32_t count;
    uint64_t features;
} rows[] = {
    {"an array", {NODE(ARRAY, .edge_count = 0)}, 1, 0},
    {"an array over a file", {NODE(ARRAY, .array = {.base = {.has_map = true}})}, 1, NDP_GRAPH_MAPS},
    {"a list of one", {NODE(LIST, EDGES(one)), NODE(LIST, .edge_count = 0)}, 2, 0},
    {"a list of one list twice", {NODE(LIST, EDGES(twice)), NODE(LIST, .edge_count = 0)}, 2, NDP_GRAPH_SHARED},
    {"a list of one tuple twice", {NODE(LIST, EDGES(twice)), NODE(TUPLE, .edge_count = 0)}, 2, 0},
    {"a list of one number twice", {NODE(LIST, EDGES(twice)), NODE(INT, .text = WORD("7"))}, 2, 0},
    {"a list that contains itself", {NODE(LIST, EDGES(to_root))}, 1, NDP_GRAPH_CYCLE},
    {"a cycle of two", {NODE(LIST, EDGES(one)), NODE(LIST, EDGES(to_root))}, 2, NDP_GRAPH_CYCLE},
    {"an object array", {NODE(OBJECTS, EDGES(one)), NODE(NONE, .edge_count = 0)}, 2, NDP_GRAPH_OBJECTS},
    {"a function of a module", {NODE(FUNCTION, .is_importable = true)}, 1, NDP_GRAPH_FUNCTIONS},
    {"a local function", {NODE(FUNCTION, .edge_count = 0)}, 1, LOCAL},
    {"a function wrapped by a decorator",
     {NODE(FUNCTION, .is_importable = true, .code = NDP_CODE_IDENTITY, .name = WORD("decorated"))},
     1,
     LOCAL},
    {"a closure",
     {NODE(FUNCTION, EDGES(cell)), NODE(CELL, EDGES(to_root))},
     2,
     LOCAL | NDP_GRAPH_CELLS | NDP_GRAPH_CYCLE},
    {"an empty cell",
     {NODE(FUNCTION, EDGES(cell)), NODE(CELL, .edge_count = 0)},
     2,
     LOCAL | NDP_GRAPH_CELLS | NDP_GRAPH_EMPTY_CELL},
    {"a shared cell",
     {NODE(FUNCTION, EDGES(cells)), NODE(CELL, .edge_count = 0)},
     2,
     LOCAL | NDP_GRAPH_CELLS | NDP_GRAPH_EMPTY_CELL | NDP_GRAPH_SHARED_CELL},
    {"a method", {NODE(METHOD, .edge_count = 0)}, 1, NDP_GRAPH_METHOD},
    {"numpy.vectorize that was called", {NODE(VECTORIZE, .calls = 1)}, 1, NDP_GRAPH_VECTORIZE | NDP_GRAPH_CALLED},
    {"numpy.frompyfunc", {NODE(FROMPYFUNC, .edge_count = 0)}, 1, NDP_GRAPH_FROMPYFUNC},
    {"a masked array",
     {NODE(ARRAY, CLASS("MaskedArray"), EDGES(mask)), NODE(ARRAY, .edge_count = 0)},
     2,
     NDP_GRAPH_MASKED | NDP_GRAPH_OWN_PICKLING | NDP_GRAPH_MASK},
    {"a class without its own pickling", {NODE(ARRAY, CLASS("plain"))}, 1, NDP_GRAPH_NO_PICKLING},
    {"a class with its own pickling and an attribute",
     {NODE(ARRAY, CLASS("reduce_ex"), EDGES(attribute)), NODE(NONE, .edge_count = 0)},
     2,
     NDP_GRAPH_OWN_PICKLING | NDP_GRAPH_ATTRIBUTES},
    {"NumPy's own matrix", {NODE(ARRAY, CLASS("matrix"))}, 1, 0},
    {"an unknown class", {NODE(ARRAY, CLASS("other"))}, 1, 0},
    /* The edge from a view to its base does not count as an edge between objects. */
    {"an array and its view",
     {NODE(LIST, EDGES(items_and_view)), NODE(ARRAY, .edge_count = 0), NODE(VIEW, EDGES(of))},
     3,
     NDP_GRAPH_VIEWS},
};

static void graphs_have_the_features_of_their_nodes(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_graph graph = {.count = rows[i].count, .nodes = rows[i].nodes};
        const uint64_t features = ndp_graph_features(&graph);
        if (features != (rows[i].features | NDP_GRAPH_VALUE))
            fail_msg("%s: %llx, not %llx", rows[i].what, (unsigned long long)features,
                     (unsigned long long)rows[i].features);
        for (uint32_t k = 0; k < graph.count; k++) {
            const uint64_t own = ndp_graph_features_of_node(&graph, k);
            assert_true((own & NDP_GRAPH_VALUE) != 0);
            assert_true((own & ~features) == 0);
        }
    }
}

/* Only a dict of plain arrays under text keys has members. */
static void archives_have_members(void **state) {
    static const struct ndp_edge text_key[] = {{.role = NDP_EDGE_KEY, .to = 1}, {.role = NDP_EDGE_VALUE, .to = 2}};
    static const struct ndp_edge array_key[] = {{.role = NDP_EDGE_KEY, .to = 2}, {.role = NDP_EDGE_VALUE, .to = 2}};
    static const struct ndp_edge text_value[] = {{.role = NDP_EDGE_KEY, .to = 1}, {.role = NDP_EDGE_VALUE, .to = 1}};
    static const struct {
        enum ndp_node_kind root;
        const struct ndp_edge *edges;
        const char *class;
        bool has_members;
    } cases[] = {{NDP_NODE_DICT, text_key, "ndarray", true},    {NDP_NODE_DICT, text_key, "memmap", true},
                 {NDP_NODE_DICT, text_key, "matrix", false},    {NDP_NODE_DICT, array_key, "ndarray", false},
                 {NDP_NODE_DICT, text_value, "ndarray", false}, {NDP_NODE_LIST, text_key, "ndarray", false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        const struct ndp_node nodes[] = {
            {.kind = cases[i].root, .edges = cases[i].edges, .edge_count = 2},
            {.kind = NDP_NODE_TEXT, .text = ndp_bytes_view("a")},
            {.kind = NDP_NODE_ARRAY, .array = {.class_name = ndp_bytes_view(cases[i].class)}},
        };
        const struct ndp_graph graph = {.count = 3, .nodes = nodes};
        for (uint32_t k = 0; k < graph.count; k++)
            assert_int_equal((ndp_graph_features_of_node(&graph, k) & NDP_GRAPH_MEMBERS) != 0, cases[i].has_members);
        assert_int_equal((ndp_graph_features(&graph) & NDP_GRAPH_MEMBERS) != 0, cases[i].has_members);
    }
}

/* Only members are marked; another dict may have any keys. */
static void names_of_parameters_are_marked(void **state) {
    static const struct ndp_edge pair[] = {{.role = NDP_EDGE_KEY, .to = 1}, {.role = NDP_EDGE_VALUE, .to = 2}};
    static const struct {
        const char *name;
        const char *class;
        bool is_marked;
    } cases[] = {{"file", "ndarray", true},
                 {"allow_pickle", "memmap", true},
                 {"files", "ndarray", false},
                 {"", "ndarray", false},
                 {"file", "matrix", false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        const struct ndp_node nodes[] = {
            {.kind = NDP_NODE_DICT, .edges = pair, .edge_count = 2},
            {.kind = NDP_NODE_TEXT, .text = ndp_bytes_view(cases[i].name)},
            {.kind = NDP_NODE_ARRAY, .array = {.class_name = ndp_bytes_view(cases[i].class)}},
        };
        const struct ndp_graph graph = {.count = 3, .nodes = nodes};
        assert_int_equal((ndp_graph_features(&graph) & NDP_GRAPH_CALL_NAMES) != 0, cases[i].is_marked);
    }
}

/* Limits of 64 bits with sign; a lone surrogate is three bytes, and another character may begin with the same one. */
static void scalars_at_the_limits_of_encodings_are_marked(void **state) {
    static const struct {
        enum ndp_node_kind kind;
        struct ndp_bytes text;
        uint64_t features;
    } cases[] = {{NDP_NODE_INT, {(const uint8_t *)"9223372036854775807", 19}, 0},
                 {NDP_NODE_INT, {(const uint8_t *)"9223372036854775808", 19}, NDP_GRAPH_LONG_INT},
                 {NDP_NODE_INT, {(const uint8_t *)"-9223372036854775808", 20}, 0},
                 {NDP_NODE_INT, {(const uint8_t *)"-9223372036854775809", 20}, NDP_GRAPH_LONG_INT},
                 {NDP_NODE_INT, {(const uint8_t *)"10000000000000000000", 20}, NDP_GRAPH_LONG_INT},
                 {NDP_NODE_TEXT, {(const uint8_t *)"a\0b", 3}, 0},
                 {NDP_NODE_TEXT, {(const uint8_t *)"a\0", 2}, NDP_GRAPH_NUL_END},
                 {NDP_NODE_BYTES, {(const uint8_t *)"\0", 1}, NDP_GRAPH_NUL_END},
                 {NDP_NODE_FLOAT, {(const uint8_t *)"\0\0\0\0\0\0\0\0", 8}, 0},
                 {NDP_NODE_TEXT, {(const uint8_t *)"\xed\xa0\x80", 3}, NDP_GRAPH_SURROGATE},
                 {NDP_NODE_TEXT, {(const uint8_t *)"\xed\x9f\xbf", 3}, 0},
                 {NDP_NODE_BYTES, {(const uint8_t *)"\xed\xa0\x80", 3}, 0}};
    static const struct ndp_edge item[] = {{.role = NDP_EDGE_ITEM, .to = 1}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        const struct ndp_node nodes[] = {{.kind = NDP_NODE_LIST, .edges = item, .edge_count = 1},
                                         {.kind = cases[i].kind, .text = cases[i].text}};
        const struct ndp_graph graph = {.count = 2, .nodes = nodes};
        assert_int_equal(ndp_graph_features_of_node(&graph, 1), NDP_GRAPH_VALUE | cases[i].features);
        assert_int_equal(ndp_graph_features_of_node(&graph, 0), NDP_GRAPH_VALUE);
        assert_int_equal(ndp_graph_features(&graph), NDP_GRAPH_VALUE | cases[i].features);
        assert_true(ndp_graph_is_scalars(&graph));
    }
}

static void other_graphs_are_no_lists_of_scalars(void **state) {
    static const struct ndp_edge item[] = {{.role = NDP_EDGE_ITEM, .to = 1}};
    static const struct {
        enum ndp_node_kind root, item;
        bool is_scalars;
    } cases[] = {{NDP_NODE_LIST, NDP_NODE_NONE, true},
                 {NDP_NODE_LIST, NDP_NODE_BYTES, true},
                 {NDP_NODE_LIST, NDP_NODE_TUPLE, false},
                 {NDP_NODE_LIST, NDP_NODE_ARRAY, false},
                 {NDP_NODE_TUPLE, NDP_NODE_INT, false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        const struct ndp_node nodes[] = {{.kind = cases[i].root, .edges = item, .edge_count = 1},
                                         {.kind = cases[i].item}};
        const struct ndp_graph graph = {.count = 2, .nodes = nodes};
        assert_int_equal(ndp_graph_is_scalars(&graph), cases[i].is_scalars);
    }
}

static void every_feature_has_a_unique_word(void **state) {
    for (uint32_t i = 0; i < NDP_GRAPH_FEATURE_COUNT; i++) {
        assert_true(ndp_graph_features_word(i)[0] != '\0');
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(ndp_graph_features_word(i), ndp_graph_features_word(k));
    }
    assert_string_equal(ndp_graph_features_word(NDP_GRAPH_BIT_CYCLE), "cycle");
    assert_string_equal(ndp_graph_features_word(NDP_GRAPH_FEATURE_COUNT), "");
    assert_string_equal(ndp_graph_features_word(UINT32_MAX), "");
}

NDP_SUITE(graph_features_test, NDP_TEST(graphs_have_the_features_of_their_nodes), NDP_TEST(archives_have_members),
          NDP_TEST(names_of_parameters_are_marked), NDP_TEST(scalars_at_the_limits_of_encodings_are_marked),
          NDP_TEST(other_graphs_are_no_lists_of_scalars), NDP_TEST(every_feature_has_a_unique_word));
