/* graph_compare_test.c: small graphs, changed copies of them, and the expected findings. */
#include "base/suite.h"
#include "model/graph/graph.h"
#include "model/graph/graph_compare.h"

enum { ARENA_BYTES = 1 << 20 };

#define EDGE(r, n)                                                                                                     \
    { .role = NDP_EDGE_##r, .to = (n) }
#define EDGES(list) .edges = (list), .edge_count = (uint32_t)NDP_ARRAY_LEN(list)
#define NODE(k, ...)                                                                                                   \
    { .kind = NDP_NODE_##k, __VA_ARGS__ }
#define LEAF(k)                                                                                                        \
    { .kind = NDP_NODE_##k }
#define WORD(text)                                                                                                     \
    { (const uint8_t *)(text), sizeof(text) - 1 }

static const struct ndp_edge twice[] = {EDGE(ITEM, 1), EDGE(ITEM, 1)};
static const struct ndp_edge both[] = {EDGE(ITEM, 1), EDGE(ITEM, 2)};
static const struct ndp_edge once[] = {EDGE(ITEM, 1)};
static const struct ndp_edge extra[] = {{.role = NDP_EDGE_ATTRIBUTE, .name = WORD("extra"), .to = 1}};
static const struct ndp_edge qualname[] = {{.role = NDP_EDGE_ATTRIBUTE, .name = WORD("__qualname__"), .to = 1}};
static const struct ndp_edge mask[] = {EDGE(MASK, 1)};
static const struct ndp_edge content[] = {EDGE(CONTENT, 1)};
static const uint8_t clear[2], set[2] = {0, 1};

#define MASK_NODE(bytes) NODE(ARRAY, .has_observation = true, .observation = {.elements = {(bytes), 2}})
#define MASKED           NODE(ARRAY, .array = {.class_name = WORD("MaskedArray")})

static const struct ndp_dtype long_double = {.kind = NDP_KIND_FLOAT, .itemsize_bytes = 16};
static const uint8_t one[16] = {1}, one_padded[16] = {[0] = 1, [10] = 7, [15] = 7}, two[16] = {2};
#define FILLED(bytes)                                                                                                  \
    NODE(ARRAY, .array = {.class_name = WORD("MaskedArray")}, .has_model = true, .model = {.dtype = &long_double},     \
         .fill_value = {(bytes), 16})

struct row {
    const char *what;
    struct ndp_node expected[3], got[3];
    uint32_t counts[2];
    uint32_t findings;
    enum ndp_graph_difference first; /* of the first finding */
    uint32_t node;
    const char *path;
};

static const int64_t two_axes[] = {2, 2};
static const int64_t no_items[] = {0, 2};

static const struct row rows[] = {
    {"one list referenced twice",
     {NODE(LIST, EDGES(twice)), LEAF(LIST)},
     {NODE(LIST, EDGES(twice)), LEAF(LIST)},
     {2, 2},
     0,
     NDP_GRAPH_DIFFERENT_KIND,
     0,
     NULL},
    {"padding of a fill value", {FILLED(one)}, {FILLED(one_padded)}, {1, 1}, 0, NDP_GRAPH_DIFFERENT_KIND, 0, NULL},
    {"another fill value", {FILLED(one)}, {FILLED(two)}, {1, 1}, 1, NDP_GRAPH_DIFFERENT_TEXT, 0, "nodes[0].fill_value"},
    {"one object became two",
     {NODE(LIST, EDGES(twice)), LEAF(LIST)},
     {NODE(LIST, EDGES(both)), LEAF(LIST), LEAF(LIST)},
     {2, 3},
     1,
     NDP_GRAPH_SPLIT,
     1,
     "nodes[1]"},
    {"two objects became one",
     {NODE(LIST, EDGES(both)), LEAF(LIST), LEAF(LIST)},
     {NODE(LIST, EDGES(twice)), LEAF(LIST)},
     {3, 2},
     1,
     NDP_GRAPH_MERGED,
     2,
     "nodes[2]"},
    {"scalars may be shared or not",
     {NODE(LIST, EDGES(both)), LEAF(NONE), LEAF(NONE)},
     {NODE(LIST, EDGES(twice)), LEAF(NONE)},
     {3, 2},
     0,
     NDP_GRAPH_DIFFERENT_KIND,
     0,
     NULL},
    {"a different scalar is reported at its container",
     {NODE(LIST, EDGES(once)), NODE(INT, .text = WORD("5"))},
     {NODE(LIST, EDGES(once)), NODE(INT, .text = WORD("6"))},
     {2, 2},
     1,
     NDP_GRAPH_DIFFERENT_TEXT,
     0,
     "nodes[0].items[0]"},
    {"so is a different kind",
     {NODE(ARRAY, EDGES(extra)), NODE(INT, .text = WORD("5"))},
     {NODE(ARRAY, EDGES(extra)), LEAF(NONE)},
     {2, 2},
     1,
     NDP_GRAPH_DIFFERENT_KIND,
     0,
     "nodes[0].attributes.extra"},
    {"an attribute is gone",
     {NODE(ARRAY, EDGES(extra)), LEAF(NONE)},
     {LEAF(ARRAY)},
     {2, 1},
     1,
     NDP_GRAPH_MISSING,
     0,
     "nodes[0].attributes.extra"},
    {"no mask equals an all-False mask",
     {MASKED},
     {NODE(ARRAY, EDGES(mask)), MASK_NODE(clear)},
     {1, 2},
     0,
     NDP_GRAPH_DIFFERENT_KIND,
     0,
     NULL},
    {"no mask differs from a mask with True",
     {MASKED},
     {NODE(ARRAY, EDGES(mask)), MASK_NODE(set)},
     {1, 2},
     1,
     NDP_GRAPH_EXTRA,
     0,
     "nodes[0].mask[0]"},
    {"a mask is gone",
     {NODE(ARRAY, EDGES(mask), .array = {.class_name = WORD("MaskedArray")}), MASK_NODE(set)},
     {LEAF(ARRAY)},
     {2, 1},
     1,
     NDP_GRAPH_MISSING,
     0,
     "nodes[0].mask[0]"},
    {"a hard mask became soft",
     {NODE(ARRAY, .array = {.class_name = WORD("MaskedArray")}, .has_hard_mask = true)},
     {LEAF(ARRAY)},
     {1, 1},
     1,
     NDP_GRAPH_DIFFERENT_TEXT,
     0,
     "nodes[0].hard_mask"},
    {"objects in another memory order",
     {NODE(OBJECTS, .ndim = 2, .shape = two_axes, .is_fortran = true)},
     {NODE(OBJECTS, .ndim = 2, .shape = two_axes)},
     {1, 1},
     1,
     NDP_GRAPH_DIFFERENT_TEXT,
     0,
     "nodes[0].order"},
    {"no objects have every memory order",
     {NODE(OBJECTS, .ndim = 2, .shape = no_items, .is_fortran = true)},
     {NODE(OBJECTS, .ndim = 2, .shape = no_items)},
     {1, 1},
     0,
     NDP_GRAPH_DIFFERENT_KIND,
     0,
     NULL},
    {"a cell is empty now",
     {NODE(CELL, EDGES(content)), LEAF(NONE)},
     {LEAF(CELL)},
     {2, 1},
     1,
     NDP_GRAPH_MISSING,
     0,
     "nodes[0].content[0]"},
    {"another qualified name",
     {NODE(FUNCTION, EDGES(qualname)), NODE(TEXT, .text = WORD("f"))},
     {NODE(FUNCTION, EDGES(qualname)), NODE(TEXT, .text = WORD("made"))},
     {2, 2},
     1,
     NDP_GRAPH_DIFFERENT_TEXT,
     0,
     "nodes[0].attributes.__qualname__"},
    {"a ufunc with another name",
     {NODE(FROMPYFUNC, .name = WORD("f"))},
     {NODE(FROMPYFUNC, .name = WORD("g"))},
     {1, 1},
     1,
     NDP_GRAPH_DIFFERENT_TEXT,
     0,
     "nodes[0].name"},
};

static void each_difference_is_reported_at_its_node(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct row *row = &rows[i];
        const struct ndp_graph expected = {0, row->counts[0], row->expected};
        const struct ndp_graph got = {0, row->counts[1], row->got};
        struct ndp_graph_compare match;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(ndp_graph_compare(&arena, &expected, &got, &match), NDP_OK);
        if (match.finding_count != row->findings) fail_msg("%s: %u findings", row->what, match.finding_count);
        if (row->findings > 0) {
            const struct ndp_graph_finding *first = &match.findings[0];
            if (first->what != row->first || first->expected != row->node || strcmp(first->path, row->path) != 0)
                fail_msg("%s: %u at %u, %s", row->what, (unsigned)first->what, first->expected, first->path);
            const bool is_described = strstr(row->path, "__") != NULL;
            if (is_described != (first->described != NULL)) fail_msg("%s: %s", row->what, first->path);
        }
    }
}

/* The second copy of a split object must equal the first, although only the edges to the original lead to it. */
static void copies_of_split_objects_are_compared(void **state) {
    const struct ndp_node before[] = {NODE(LIST, EDGES(twice)), MASKED};
    const struct ndp_node after[] = {NODE(LIST, EDGES(both)), MASKED,
                                     NODE(ARRAY, .array = {.class_name = WORD("MaskedArray")}, .has_hard_mask = true)};
    const struct ndp_graph expected = {0, 2, before}, got = {0, 3, after};
    struct ndp_graph_compare match;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_int_equal(ndp_graph_compare(&arena, &expected, &got, &match), NDP_OK);
    assert_int_equal(match.pair_count, 3);
    assert_int_equal(match.pairs[2].expected, 1);
    assert_int_equal(match.pairs[2].got, 2);
    assert_int_equal(match.finding_count, 2);
    assert_int_equal(match.findings[0].what, NDP_GRAPH_SPLIT);
    assert_string_equal(match.findings[1].path, "nodes[1].hard_mask");
}

static const struct ndp_edge again[] = {EDGE(ITEM, 1), EDGE(ITEM, 2), EDGE(ITEM, 1)};
static const struct ndp_edge other_again[] = {EDGE(ITEM, 1), EDGE(ITEM, 2), EDGE(ITEM, 2)};
static const struct ndp_edge third[] = {EDGE(ITEM, 3)}, fourth[] = {EDGE(ITEM, 4)};

/* A list of two tuples, reached by these edges, with one item each. */
#define TUPLES(edges, item, other)                                                                                     \
    { NODE(LIST, EDGES(edges)), NODE(TUPLE, EDGES(third)), NODE(TUPLE, EDGES(fourth)), item, other }
#define FIVE NODE(INT, .text = WORD("5"))
#define SIX  NODE(INT, .text = WORD("6"))

/* Tuples may be copied or shared, but each must have equal items, and the same object where items have an identity. */
static void every_tuple_is_compared(void **state) {
    static const struct {
        struct ndp_node expected[5], got[5];
        uint32_t findings;
        enum ndp_graph_difference first;
        const char *path;
    } cases[] = {
        {TUPLES(twice, FIVE, FIVE), TUPLES(both, FIVE, FIVE), 0, NDP_GRAPH_DIFFERENT_KIND, ""},
        {TUPLES(twice, FIVE, FIVE), TUPLES(both, FIVE, SIX), 1, NDP_GRAPH_DIFFERENT_TEXT, "nodes[1].items[0]"},
        {TUPLES(both, FIVE, SIX), TUPLES(twice, FIVE, SIX), 1, NDP_GRAPH_DIFFERENT_TEXT, "nodes[2].items[0]"},
        {TUPLES(again, FIVE, FIVE), TUPLES(other_again, FIVE, FIVE), 0, NDP_GRAPH_DIFFERENT_KIND, ""},
        {TUPLES(again, FIVE, SIX), TUPLES(other_again, FIVE, SIX), 1, NDP_GRAPH_DIFFERENT_TEXT, "nodes[1].items[0]"},
        {TUPLES(twice, LEAF(LIST), FIVE), TUPLES(both, LEAF(LIST), LEAF(LIST)), 1, NDP_GRAPH_SPLIT, "nodes[3]"},
        {TUPLES(both, LEAF(LIST), LEAF(LIST)), TUPLES(twice, LEAF(LIST), FIVE), 1, NDP_GRAPH_MERGED, "nodes[4]"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(cases); i++) {
        const struct ndp_graph expected = {0, 5, cases[i].expected}, got = {0, 5, cases[i].got};
        struct ndp_graph_compare match;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(ndp_graph_compare(&arena, &expected, &got, &match), NDP_OK);
        if (match.finding_count != cases[i].findings) fail_msg("row %zu: %u findings", i, match.finding_count);
        if (cases[i].findings > 0) {
            assert_int_equal(match.findings[0].what, cases[i].first);
            assert_string_equal(match.findings[0].path, cases[i].path);
        }
    }
}

/* Without probe calls there are no results; otherwise one per probe. */
static void counts_of_results_are_compared(void **state) {
    for (uint32_t count = 0; count < 4; count++) {
        const struct ndp_node before = NODE(FUNCTION, .result_count = 2, .results = {WORD("1"), WORD("2")});
        const struct ndp_node after = NODE(FUNCTION, .result_count = count, .results = {WORD("1"), WORD("2")});
        const struct ndp_graph expected = {0, 1, &before}, got = {0, 1, &after};
        struct ndp_graph_compare match;
        struct ndp_comparison comparison;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        ndp_equality_clear(&comparison);
        assert_int_equal(ndp_graph_compare(&arena, &expected, &got, &match), NDP_OK);
        ndp_graph_compare_results(&expected, &got, &match, NULL, &comparison);
        assert_int_equal(comparison.comparisons, count < 2 ? count : 2);
        assert_int_equal(comparison.total, count == 1 || count == 3);
    }
}

/* An expectation contains only what a target can report: no opaque members, and nothing that is not sent. */
static void expectations_contain_only_reportable_members(void **state) {
    static const struct ndp_edge of[] = {EDGE(FUNCTION, 1)};
    static const struct ndp_edge own[] = {EDGE(GLOBALS, 2)};
    for (int is_late = 0; is_late < 2; is_late++) {
        const struct ndp_node nodes[] = {
            NODE(FROMPYFUNC, EDGES(of)),
            NODE(FUNCTION, EDGES(own), .name = WORD("f"), .code = is_late ? NDP_CODE_LATE : NDP_CODE_ADD),
            LEAF(GLOBALS),
        };
        const struct ndp_graph recipe = {0, 3, nodes};
        struct ndp_graph expected;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_int_equal(ndp_graph_expect(&arena, &recipe, true, &expected, NULL), NDP_OK);
        assert_int_equal(expected.nodes[0].edge_count, 0);
        assert_true(ndp_bytes_is_equal(expected.nodes[0].name, ndp_bytes_view("f")));
        assert_int_equal(expected.nodes[1].edge_count, is_late);
    }
}

/* Returns the least memory, in steps, with which two graphs can be compared; less memory must return NOMEM. */
static uint64_t least_bytes(const struct ndp_graph *expected, const struct ndp_graph *got) {
    for (uint64_t bytes = 0;; bytes += 64) {
        struct ndp_graph_compare match;
        NDP_ARENA_SCOPED(arena, bytes);
        enum ndp_status status = ndp_graph_compare(&arena, expected, got, &match);
        if (status == NDP_OK) return bytes;
        assert_int_equal(status, NDP_NOMEM);
        assert_true(bytes < ARENA_BYTES);
    }
}

static void every_failing_allocation_is_reported(void **state) {
    const struct row *row = &rows[2];
    const struct ndp_graph graph = {0, row->counts[0], row->expected}, other = {0, row->counts[1], row->got};
    assert_true(row->findings > 0);
    assert_true(least_bytes(&graph, &graph) < sizeof(struct ndp_graph_finding));
    assert_true(least_bytes(&graph, &other) > NDP_MAX_GRAPH_FINDINGS * sizeof(struct ndp_graph_finding));
}

NDP_SUITE(graph_compare_test, NDP_TEST(each_difference_is_reported_at_its_node),
          NDP_TEST(copies_of_split_objects_are_compared), NDP_TEST(every_tuple_is_compared),
          NDP_TEST(counts_of_results_are_compared), NDP_TEST(expectations_contain_only_reportable_members),
          NDP_TEST(every_failing_allocation_is_reported));
