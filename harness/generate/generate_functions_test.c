/* generate_functions_test.c: arguments bound to functions are of every kind, some of them false in Python. */
#include "base/rng.h"
#include "base/suite.h"
#include "generate/graph_plan_values.h"

enum { CASES = 8000, ARENA_BYTES = 1 << 23 };

/* Generates a graph whose root is a function or its caller. */
static void generate(struct ndp_arena *arena, uint64_t seed, struct ndp_graph *out) {
    struct ndp_choices choices;
    struct ndp_covering_row row;
    struct ndp_value value;
    memset(row.values, NDP_COVERING_FREE, sizeof row.values);
    row.values[NDP_PLAN_ROOT] = NDP_ROOT_FUNCTION;
    ndp_choices_init_seed(&choices, seed);
    assert_int_equal(ndp_generate_graph_by_plan(arena, &choices, &row, false, &value), NDP_OK);
    *out = *value.graph;
}

/* Source: The Python Language Reference, 3.3.1, object.__bool__; The Python Standard Library, "Truth Value Testing". */
static bool is_false(const struct ndp_node *node) {
    if (node->kind == NDP_NODE_BOOL) return !node->truth;
    if (node->kind == NDP_NODE_INT) return ndp_bytes_is_equal(node->text, ndp_bytes_view("0"));
    if (node->kind == NDP_NODE_TEXT) return node->text.size_bytes == 0;
    return node->kind == NDP_NODE_NONE || (node->kind == NDP_NODE_LIST && node->edge_count == 0);
}

static void objects_of_every_kind_are_bound_to_functions(void **state) {
    static const enum ndp_edge_role roles[] = {NDP_EDGE_SELF, NDP_EDGE_ARGUMENT, NDP_EDGE_KEYWORD, NDP_EDGE_CONTENT};
    static const enum ndp_node_kind kinds[] = {NDP_NODE_NONE,  NDP_NODE_BOOL,  NDP_NODE_INT,
                                               NDP_NODE_FLOAT, NDP_NODE_TEXT,  NDP_NODE_BYTES,
                                               NDP_NODE_LIST,  NDP_NODE_ARRAY, NDP_NODE_FUNCTION};
    uint32_t seen[NDP_EDGE_COUNT][NDP_NODE_COUNT] = {{0}}, wrong[NDP_EDGE_COUNT] = {0};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_graph graph;
        generate(&arena, ndp_rng_mix(2, i), &graph);
        for (uint32_t n = 0; n < graph.count; n++) {
            for (uint32_t k = 0; k < graph.nodes[n].edge_count; k++) {
                const struct ndp_edge *edge = &graph.nodes[n].edges[k];
                seen[edge->role][graph.nodes[edge->to].kind]++;
                wrong[edge->role] += is_false(&graph.nodes[edge->to]);
            }
        }
        ndp_arena_reset(&arena);
    }
    for (size_t r = 0; r < NDP_ARRAY_LEN(roles); r++) {
        const enum ndp_edge_role role = roles[r];
        if (wrong[role] < 10)
            fail_msg("%s: only %u objects are false", ndp_graph_words_edge(role), (unsigned)wrong[role]);
        for (size_t k = 0; k < NDP_ARRAY_LEN(kinds); k++) {
            const bool is_none_as_self = role == NDP_EDGE_SELF && kinds[k] == NDP_NODE_NONE;
            const bool is_list_in_cell = role == NDP_EDGE_CONTENT && kinds[k] == NDP_NODE_LIST;
            if ((seen[role][kinds[k]] > 0) == !(is_none_as_self || is_list_in_cell)) continue;
            fail_msg("%s to %s: %u", ndp_graph_words_edge(role), ndp_graph_words_node(kinds[k]),
                     (unsigned)seen[role][kinds[k]]);
        }
    }
}

/* Number of functions by number of edges of a role, and of functions that reference a function that references
 * another. */
struct tally {
    uint32_t with[3][8];
    uint32_t in_two;
};

/* Returns the function in the first cell of `node`, or NULL. */
static const struct ndp_node *wrapped_by(const struct ndp_graph *graph, const struct ndp_node *node) {
    const struct ndp_edge *cell = ndp_graph_node_edge(node, NDP_EDGE_CELL, 0);
    const struct ndp_edge *referenced =
        cell == NULL ? NULL : ndp_graph_node_edge(&graph->nodes[cell->to], NDP_EDGE_CONTENT, 0);
    return referenced != NULL && graph->nodes[referenced->to].kind == NDP_NODE_FUNCTION ? &graph->nodes[referenced->to]
                                                                                        : NULL;
}

static void count_function(const struct ndp_graph *graph, const struct ndp_node *node, struct tally *tally) {
    static const enum ndp_edge_role roles[] = {NDP_EDGE_DEFAULT, NDP_EDGE_KWDEFAULT, NDP_EDGE_CELL};
    for (size_t r = 0; r < NDP_ARRAY_LEN(roles); r++) {
        const uint32_t count = ndp_graph_node_count_edges(node, roles[r]);
        assert_true(count < NDP_ARRAY_LEN(tally->with[r]));
        tally->with[r][count]++;
    }
    const struct ndp_node *inner = wrapped_by(graph, node);
    if (node->code == NDP_CODE_CALL && inner != NULL && wrapped_by(graph, inner) != NULL) tally->in_two++;
}

/* Each count up to three occurs in at least one of 250 functions. */
static void functions_have_none_one_or_several(void **state) {
    struct tally tally = {0};
    uint32_t count = 0;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_graph graph;
        generate(&arena, ndp_rng_mix(3, i), &graph);
        for (uint32_t n = 0; n < graph.count; n++) {
            if (graph.nodes[n].kind != NDP_NODE_FUNCTION) continue;
            count_function(&graph, &graph.nodes[n], &tally);
            count++;
        }
        ndp_arena_reset(&arena);
    }
    for (size_t r = 0; r < NDP_ARRAY_LEN(tally.with); r++)
        for (size_t k = 0; k < 4; k++)
            if (tally.with[r][k] * 250 < count)
                fail_msg("role %zu: %zu edges %u times of %u", r, k, (unsigned)tally.with[r][k], (unsigned)count);
    assert_true(tally.in_two * 200 > count);
}

NDP_SUITE(generate_functions_test, NDP_TEST(objects_of_every_kind_are_bound_to_functions),
          NDP_TEST(functions_have_none_one_or_several));
