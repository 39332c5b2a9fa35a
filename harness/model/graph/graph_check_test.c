/* graph_check_test.c: graphs with one error each, and the node that the message names. */
#include "base/suite.h"
#include "model/graph/graph.h"

enum { ARENA_BYTES = 1 << 20 };

#define WORD(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }
#define EDGE(r, n)                                                                                                     \
    { .role = NDP_EDGE_##r, .to = (n) }
#define NAMED(r, word, n)                                                                                              \
    { .role = NDP_EDGE_##r, .name = WORD(word), .to = (n) }
#define EDGES(...)                                                                                                     \
    .edges = (const struct ndp_edge[]){__VA_ARGS__},                                                                   \
    .edge_count = (uint32_t)(sizeof((const struct ndp_edge[]){__VA_ARGS__}) / sizeof(struct ndp_edge))
#define NODE(k, ...)                                                                                                   \
    { .kind = NDP_NODE_##k, __VA_ARGS__ }
#define BASE(type, extents) .base = {.dtype = &(type), .ndim = 1, .shape = (extents)}
#define NAME(text)          .name = WORD(text)

static const struct ndp_dtype u1 = {.kind = NDP_KIND_UINT, .itemsize_bytes = 1};
static const struct ndp_dtype b1 = {.kind = NDP_KIND_BOOL, .itemsize_bytes = 1};
static const struct ndp_dtype wrong = {.kind = NDP_KIND_UINT, .itemsize_bytes = 3};
static const struct ndp_field numbers[] = {{.name = WORD("a"), .dtype = &u1}};
static const struct ndp_dtype record = {
    .kind = NDP_KIND_STRUCT, .itemsize_bytes = 2, .fields = numbers, .field_count = 1};
static const struct ndp_field truths[] = {{.name = WORD("a"), .dtype = &b1}};
static const struct ndp_dtype mask = {.kind = NDP_KIND_STRUCT, .itemsize_bytes = 1, .fields = truths, .field_count = 1};
static const int64_t two[] = {2};
static const int64_t three[] = {3};

#define ARRAY                NODE(ARRAY, .array = {BASE(u1, two)})
#define MASKED               .array = {BASE(u1, two), .class_name = WORD("MaskedArray")}
#define INT(digits)          NODE(INT, .text = WORD(digits))
#define PAIRS(first, second) NODE(DICT, EDGES(EDGE(KEY, first), EDGE(KEY, second), EDGE(VALUE, 0), EDGE(VALUE, 0)))
#define FIELDS               .array = {BASE(record, two), .class_name = WORD("MaskedArray")}

/* Valid graphs. */
static const struct {
    struct ndp_node nodes[3];
    uint32_t count;
} good[] = {
    {{ARRAY}, 1},
    {{NODE(NONE, .edge_count = 0)}, 1},
    {{NODE(LIST, EDGES(EDGE(ITEM, 0), EDGE(ITEM, 0)))}, 1},
    {{NODE(DICT, EDGES(EDGE(KEY, 1), EDGE(VALUE, 0))), NODE(TEXT, .text = WORD("k"))}, 2},
    {{PAIRS(1, 2), INT("1"), NODE(TEXT, .text = WORD("1"))}, 3},
    {{PAIRS(1, 2), NODE(BYTES, .text = WORD("1")), NODE(TEXT, .text = WORD("1"))}, 3},
    {{PAIRS(1, 2), INT("2"), NODE(BOOL, .truth = true)}, 3},
    {{PAIRS(1, 2), NODE(BOOL, .truth = false), NODE(BOOL, .truth = true)}, 3},
    {{PAIRS(1, 2), NODE(BOOL, .truth = false), NODE(NONE, .edge_count = 0)}, 3},
    {{NODE(FUNCTION, NAME("f"), EDGES(EDGE(CELL, 1))), NODE(CELL, EDGES(EDGE(CONTENT, 0)))}, 2},
    {{NODE(FUNCTION, NAME("<lambda>"), .edge_count = 0)}, 1},
    {{NODE(FUNCTION, NAME("const"), .code = NDP_CODE_CONST, .is_importable = true)}, 1},
    {{NODE(FUNCTION, NAME("decorated"), .code = NDP_CODE_CALL, .is_importable = true)}, 1},
    {{NODE(FUNCTION, NAME("f"), .code = NDP_CODE_LATE, EDGES(EDGE(GLOBALS, 1))),
      NODE(GLOBALS, EDGES(NAMED(ENTRY, "late", 0)))},
     2},
    {{NODE(OBJECTS, .ndim = 1, .shape = two, EDGES(EDGE(ITEM, 1), EDGE(ITEM, 0))), NODE(NONE, .edge_count = 0)}, 2},
    {{NODE(ARRAY, MASKED, EDGES(EDGE(MASK, 1)), .fill_value = WORD("x")), NODE(ARRAY, .array = {BASE(b1, two)})}, 2},
    {{NODE(ARRAY, FIELDS, EDGES(EDGE(MASK, 1))), NODE(ARRAY, .array = {BASE(mask, two)})}, 2},
    {{NODE(ARRAY, .array = {BASE(u1, two), .class_name = WORD("plain")}, EDGES(NAMED(ATTRIBUTE, "x", 0)))}, 1},
    {{NODE(VECTORIZE, EDGES(EDGE(FUNCTION, 1)), .calls = NDP_MAX_CALLS), NODE(FUNCTION, NAME("f"), .edge_count = 0)},
     2},
};

/* Invalid graphs with their message. */
static const struct {
    const char *text;
    struct ndp_node nodes[3];
    uint32_t count;
    uint32_t root;
} bad[] = {
    {"1 to", {ARRAY}, 0, 0},
    {"1 to", {ARRAY}, 1, 1},
    {"nodes[0]: object of kind OTHER cannot be built", {NODE(OTHER, .text = WORD("x"))}, 1, 0},
    {"nodes[0]: edge to a node out of range", {NODE(LIST, EDGES(EDGE(ITEM, 1)))}, 1, 0},
    {"nodes[1]: unexpected edge for this kind", {NODE(LIST, .edge_count = 0), NODE(LIST, EDGES(EDGE(KEY, 0)))}, 2, 0},
    {"nodes[0]: edge to a node of the wrong kind",
     {NODE(LIST, EDGES(EDGE(ITEM, 1))), NODE(CELL, .edge_count = 0)},
     2,
     0},
    {"nodes[0]: edge to a node of the wrong kind", {NODE(DICT, EDGES(EDGE(KEY, 0), EDGE(VALUE, 0)))}, 1, 0},
    {"nodes[0]: edge to a node of the wrong kind", {NODE(FUNCTION, NAME("f"), EDGES(EDGE(CELL, 0)))}, 1, 0},
    {"nodes[0]: missing or duplicate name", {NODE(FUNCTION, NAME("f"), EDGES(NAMED(KWDEFAULT, "1a", 0)))}, 1, 0},
    {"nodes[0]: missing or duplicate name",
     {NODE(FUNCTION, NAME("f"), EDGES(NAMED(KWDEFAULT, "a", 0), NAMED(KWDEFAULT, "a", 0)))},
     1,
     0},
    {"nodes[0]: wrong number of edges of one role",
     {NODE(CELL, EDGES(EDGE(CONTENT, 1), EDGE(CONTENT, 1))), ARRAY},
     2,
     1},
    {"nodes[0]: wrong number of edges of one role", {NODE(METHOD, EDGES(EDGE(SELF, 0)))}, 1, 0},
    {"nodes[0]: edge to a node of the wrong kind",
     {NODE(METHOD, EDGES(EDGE(FUNCTION, 1), EDGE(SELF, 2))), NODE(FUNCTION, NAME("f")), NODE(NONE, .edge_count = 0)},
     3,
     0},
    {"nodes[0]: wrong number of edges of one role", {NODE(VIEW, .edge_count = 0)}, 1, 0},
    {"nodes[0]: wrong number of edges of one role", {NODE(VIEW, EDGES(EDGE(OF, 1), EDGE(OF, 1))), ARRAY}, 2, 0},
    {"nodes[0]: elements of a quantity are not floats",
     {NODE(ARRAY, .array = {BASE(u1, two), .class_name = WORD("Quantity")}, EDGES(NAMED(ATTRIBUTE, "unit", 1))),
      NODE(TEXT, .text = WORD("km"))},
     2,
     0},
    {"nodes[0]: number of keys differs from number of values",
     {NODE(DICT, EDGES(EDGE(KEY, 1))), NODE(NONE, .edge_count = 0)},
     2,
     0},
    {"nodes[0]: duplicate key", {PAIRS(1, 1), NODE(NONE, .edge_count = 0)}, 2, 0},
    {"nodes[0]: duplicate key", {PAIRS(1, 2), NODE(NONE, .edge_count = 0), NODE(NONE, .edge_count = 0)}, 3, 0},
    {"nodes[0]: duplicate key", {PAIRS(1, 2), INT("7"), INT("7")}, 3, 0},
    {"nodes[0]: duplicate key", {PAIRS(1, 2), INT("1"), NODE(BOOL, .truth = true)}, 3, 0},
    {"nodes[0]: duplicate key", {PAIRS(1, 2), NODE(BOOL, .truth = false), INT("0")}, 3, 0},
    {"nodes[0]: duplicate key", {PAIRS(1, 2), NODE(BOOL, .truth = true), NODE(BOOL, .truth = true)}, 3, 0},
    {"nodes[0]: duplicate key", {PAIRS(1, 2), NODE(TEXT, .text = WORD("1")), NODE(TEXT, .text = WORD("1"))}, 3, 0},
    {"nodes[0]: name of a function is invalid", {NODE(FUNCTION, NAME("a b"))}, 1, 0},
    {"nodes[0]: code needs a cell", {NODE(FUNCTION, NAME("f"), .code = NDP_CODE_COUNTER)}, 1, 0},
    {"nodes[0]: code needs globals", {NODE(FUNCTION, NAME("f"), .code = NDP_CODE_LATE)}, 1, 0},
    {"nodes[0]: no module has this function", {NODE(FUNCTION, NAME("f"), .is_importable = true)}, 1, 0},
    {"nodes[0]: no module has this function",
     {NODE(FUNCTION, NAME("decorated"), .is_importable = true, .code = NDP_CODE_ADD)},
     1,
     0},
    {"nodes[0]: function of a module has extra edges",
     {NODE(FUNCTION, NAME("const"), .is_importable = true, EDGES(EDGE(DEFAULT, 0)))},
     1,
     0},
    {"nodes[1]: duplicate function of a module",
     {NODE(FUNCTION, NAME("add"), .code = NDP_CODE_ADD, .is_importable = true),
      NODE(FUNCTION, NAME("add"), .code = NDP_CODE_ADD, .is_importable = true)},
     2,
     0},
    {"nodes[0]: number of items differs from the shape",
     {NODE(OBJECTS, .ndim = 1, .shape = two, EDGES(EDGE(ITEM, 0)))},
     1,
     0},
    {"nodes[0]: too many calls",
     {NODE(VECTORIZE, EDGES(EDGE(FUNCTION, 1)), .calls = NDP_MAX_CALLS + 1),
      NODE(FUNCTION, NAME("f"), .edge_count = 0)},
     2,
     0},
    {"nodes[0]: otypes are empty",
     {NODE(VECTORIZE, EDGES(EDGE(FUNCTION, 1)), .has_otypes = true), NODE(FUNCTION, NAME("f"), .edge_count = 0)},
     2,
     0},
    {"nodes[0]: base has no dtype", {NODE(ARRAY, .edge_count = 0)}, 1, 0},
    {"", {NODE(ARRAY, .array = {BASE(wrong, two)})}, 1, 0},
    {"nodes[0]: unknown class", {NODE(ARRAY, .array = {BASE(u1, two), .class_name = WORD("other")})}, 1, 0},
    {"nodes[0]: unknown class", {NODE(ARRAY, .array = {BASE(u1, two), .class_name = WORD("a..B")})}, 1, 0},
    {"nodes[0]: class does not have this attribute",
     {NODE(ARRAY, .array = {BASE(u1, two)}, EDGES(NAMED(ATTRIBUTE, "x", 0)))},
     1,
     0},
    {"nodes[0]: promised attribute of the class is missing",
     {NODE(ARRAY, .array = {BASE(u1, two), .class_name = WORD("slots")})},
     1,
     0},
    {"nodes[0]: target of a proxy is not an array",
     {NODE(ARRAY, .array = {BASE(u1, two), .class_name = WORD("proxy")}, EDGES(NAMED(ATTRIBUTE, "wrapped", 1))),
      NODE(NONE, .edge_count = 0)},
     2,
     0},
    {"nodes[0]: attribute of a rebuilt class is the object itself",
     {NODE(ARRAY, .array = {BASE(u1, two), .class_name = WORD("reduce_ex")}, EDGES(NAMED(ATTRIBUTE, "extra", 0)))},
     1,
     0},
    {"nodes[1]: root is not an object", {ARRAY, NODE(CELL, .edge_count = 0)}, 2, 1},
    {"nodes[0]: mask of a class other than MaskedArray",
     {NODE(ARRAY, .array = {BASE(u1, two)}, .has_hard_mask = true)},
     1,
     0},
    {"nodes[0]: size of the fill value differs from the dtype", {NODE(ARRAY, MASKED, .fill_value = WORD("xy"))}, 1, 0},
    {"nodes[0]: mask is not bool with the fields of its array",
     {NODE(ARRAY, MASKED, EDGES(EDGE(MASK, 1))), ARRAY},
     2,
     0},
    {"nodes[0]: mask is not bool with the fields of its array",
     {NODE(ARRAY, FIELDS, EDGES(EDGE(MASK, 1))), NODE(ARRAY, .array = {BASE(b1, two)})},
     2,
     0},
    {"nodes[0]: structured array without a mask", {NODE(ARRAY, FIELDS, .edge_count = 0)}, 1, 0},
    {"nodes[0]: shape of the mask differs from the array",
     {NODE(ARRAY, MASKED, EDGES(EDGE(MASK, 1))), NODE(ARRAY, .array = {BASE(b1, three)})},
     2,
     0},
};

static void valid_graphs_pass(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(good); i++) {
        const struct ndp_graph graph = {.count = good[i].count, .nodes = good[i].nodes};
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (ndp_graph_check(&arena, &graph, &error) != NDP_OK) fail_msg("row %zu: %s", i, error.text);
    }
}

static void invalid_graphs_are_refused_by_node(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(bad); i++) {
        const struct ndp_graph graph = {.root = bad[i].root, .count = bad[i].count, .nodes = bad[i].nodes};
        struct ndp_error error = {.status = NDP_OK};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (ndp_graph_check(&arena, &graph, &error) != NDP_INVALID || strstr(error.text, bad[i].text) == NULL)
            fail_msg("row %zu, %s: %s", i, bad[i].text, error.text);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    const struct ndp_graph graph = {.count = good[15].count, .nodes = good[15].nodes};
    uint64_t call = 0;
    for (enum ndp_status status = NDP_NOMEM; status != NDP_OK;) {
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_arena_fail_at(&arena, ++call);
        status = ndp_graph_check(&arena, &graph, NULL);
        assert_int_equal(status, status == NDP_OK ? NDP_OK : NDP_NOMEM);
    }
    assert_true(call > 5);
}

NDP_SUITE(graph_check_test, NDP_TEST(valid_graphs_pass), NDP_TEST(invalid_graphs_are_refused_by_node),
          NDP_TEST(every_failing_allocation_is_reported));
