/* graph_plan_test.c: a graph has the features that its row wishes, can be built, and every possible pair of values is
 * reached. */
#include "base/suite.h"
#include "generate/graph_plan_values.h"
#include "model/graph/graph.h"

enum { ARENA_BYTES = 1 << 26, ROWS = 4000 };

static void free_row(struct ndp_covering_row *row) {
    memset(row->values, NDP_COVERING_FREE, sizeof row->values);
}

/* Whether some graph has the features of the row. */
static bool is_possible(const struct ndp_covering_model *model, const struct ndp_covering_row *row) {
    struct ndp_choices choices;
    struct ndp_covering_row whole = *row;
    ndp_choices_init_seed(&choices, 1);
    if (!model->rule(model->context, row)) return false;
    if (model == ndp_graph_plan_model(false, true)) ndp_graph_plan_without_functions(&whole);
    return ndp_plan_complete(&choices, &whole);
}

/* Wishes for `wishes` random values that can occur together. */
static void draw_row(struct ndp_rng *rng, const struct ndp_covering_model *model, uint32_t wishes,
                     struct ndp_covering_row *row) {
    free_row(row);
    while (wishes > 0) {
        const uint32_t parameter = (uint32_t)(ndp_rng_next(rng) % model->count);
        const uint8_t before = row->values[parameter];
        row->values[parameter] = (uint8_t)(ndp_rng_next(rng) % model->parameters[parameter].count);
        if (is_possible(model, row))
            wishes--;
        else
            row->values[parameter] = before;
    }
}

struct tally {
    uint32_t wished, met;
};

static void fail_for(const struct ndp_covering_model *model, const struct ndp_covering_row *row, const char *text) {
    char shown[1024] = "";
    for (uint32_t i = 0; i < model->count; i++) {
        const struct ndp_covering_parameter *parameter = &model->parameters[i];
        const size_t at = strlen(shown);
        if (row->values[i] != NDP_COVERING_FREE)
            snprintf(shown + at, sizeof shown - at, " %s=%s", parameter->name, parameter->values[row->values[i]]);
    }
    fail_msg("%s:%s", text, shown);
}

static void generate(const struct ndp_covering_model *model, const struct ndp_covering_row *row, bool for_objects,
                     uint64_t seed, struct ndp_arena *arena, struct ndp_covering_row *got) {
    struct ndp_choices choices;
    struct ndp_descriptor made = {.kind = NDP_CASE_ROUND_TRIP};
    struct ndp_error error = {.text = ""};
    struct ndp_graph built;
    ndp_choices_init_seed(&choices, seed);
    assert_int_equal(ndp_generate_graph_by_plan(arena, &choices, row, for_objects, &made.value), NDP_OK);
    if (ndp_descriptor_check(arena, &made, &error) != NDP_OK) fail_for(model, row, error.text);
    assert_int_equal(ndp_graph_expect(arena, made.value.graph, true, &built, &error), NDP_OK);
    if (for_objects) assert_int_equal(made.value.graph->nodes[made.value.graph->root].kind, NDP_NODE_OBJECTS);
    ndp_graph_plan_features(made.value.graph, got);
}

static void check_wishes(bool for_objects, bool without_functions, uint32_t wishes, uint32_t rows) {
    const struct ndp_covering_model *model = ndp_graph_plan_model(for_objects, without_functions);
    struct tally tallies[NDP_PLAN_COUNT] = {{0, 0}};
    struct ndp_rng rng;
    ndp_rng_init(&rng, wishes);
    for (uint32_t n = 0; n < rows; n++) {
        struct ndp_covering_row row, got;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        draw_row(&rng, model, wishes, &row);
        if (without_functions) ndp_graph_plan_without_functions(&row);
        generate(model, &row, for_objects, ndp_rng_mix(wishes, n), &arena, &got);
        for (uint32_t i = 0; i < model->count; i++) {
            if (row.values[i] == NDP_COVERING_FREE) continue;
            tallies[i].wished++;
            tallies[i].met += got.values[i] == row.values[i];
        }
    }
    for (uint32_t i = 0; i < model->count; i++) {
        if (tallies[i].met * 1000 < tallies[i].wished * 995)
            fail_msg("%s: %u of %u wishes are met", model->parameters[i].name, tallies[i].met, tallies[i].wished);
        assert_true(tallies[i].wished * 10 > rows / model->count);
    }
}

static void wishes_are_met(void **state) {
    check_wishes(false, false, 2, ROWS);
    check_wishes(false, false, 5, ROWS);
    check_wishes(false, false, 30, ROWS / 2);
}

static void wishes_are_met_in_object_arrays_and_without_functions(void **state) {
    check_wishes(true, false, 3, ROWS / 4);
    check_wishes(false, true, 3, ROWS / 4);
    check_wishes(true, true, 3, ROWS / 4);
}

/* Source: the definition of a covering array. A greedy choice of each row needs fewer rows than cases of a short run.
 */
enum { MOST_ROWS = 540, ALL_PAIRS = 16384 };

struct pair {
    uint8_t parameters[2], values[2];
};

static bool has_pair(const struct ndp_covering_row *row, const struct pair *pair) {
    return row->values[pair->parameters[0]] == pair->values[0] && row->values[pair->parameters[1]] == pair->values[1];
}

static uint32_t list_pairs(const struct ndp_covering_model *model, struct pair *pairs) {
    uint32_t count = 0;
    for (uint8_t a = 0; a < model->count; a++)
        for (uint8_t b = (uint8_t)(a + 1); b < model->count; b++)
            for (uint32_t n = 0; n < model->parameters[a].count * model->parameters[b].count; n++) {
                const uint32_t width = model->parameters[b].count;
                const struct pair pair = {{a, b}, {(uint8_t)(n / width), (uint8_t)(n % width)}};
                struct ndp_covering_row row;
                free_row(&row);
                row.values[a] = pair.values[0];
                row.values[b] = pair.values[1];
                if (!is_possible(model, &row)) continue;
                assert_true(count < ALL_PAIRS);
                pairs[count++] = pair;
            }
    return count;
}

/* Adds open pairs to the row as long as some fit, from a random one on. */
static void fill_row(struct ndp_rng *rng, const struct ndp_covering_model *model, const struct pair *pairs,
                     uint32_t count, struct ndp_covering_row *row) {
    const uint64_t first = ndp_rng_next(rng);
    free_row(row);
    for (uint32_t i = 0; i < count; i++) {
        const struct pair *pair = &pairs[(first + i) % count];
        struct ndp_covering_row next = *row;
        bool fits = true;
        for (int k = 0; k < 2; k++) {
            uint8_t *value = &next.values[pair->parameters[k]];
            fits = fits && (*value == NDP_COVERING_FREE || *value == pair->values[k]);
            *value = pair->values[k];
        }
        if (fits && is_possible(model, &next)) *row = next;
    }
}

/* Every possible pair is in a generated graph, after a few hundred. */
static void every_pair_is_reached(void **state) {
    static struct pair pairs[ALL_PAIRS];
    const struct ndp_covering_model *model = ndp_graph_plan_model(false, false);
    uint32_t left = list_pairs(model, pairs), rows = 0;
    struct ndp_rng rng;
    ndp_rng_init(&rng, 1);
    for (; left > 0 && rows < MOST_ROWS; rows++) {
        struct ndp_covering_row row, got;
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        fill_row(&rng, model, pairs, left, &row);
        generate(model, &row, false, rows, &arena, &got);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < left; i++)
            if (!has_pair(&got, &pairs[i])) pairs[kept++] = pairs[i];
        left = kept;
    }
    if (left > 0) fail_msg("%u pairs are left after %u graphs", left, rows);
}

static void an_impossible_row_is_refused(void **state) {
    const struct ndp_covering_model *model = ndp_graph_plan_model(false, false);
    struct ndp_covering_row row;
    struct ndp_choices choices;
    struct ndp_value value;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    free_row(&row);
    row.values[NDP_PLAN_CLASS] = NDP_PLANNED_NDARRAY;
    row.values[NDP_PLAN_EXTRA] = NDP_EXTRA_HARD_MASK;
    assert_false(model->rule(model->context, &row));
    ndp_choices_init_seed(&choices, 1);
    assert_int_equal(ndp_generate_graph_by_plan(&arena, &choices, &row, false, &value), NDP_INVALID);
    /* No line of the table forbids this, but no position is left for the array. */
    free_row(&row);
    row.values[NDP_PLAN_ROOT] = NDP_ROOT_FUNCTION;
    row.values[NDP_PLAN_CLASS] = NDP_PLANNED_NDARRAY;
    row.values[NDP_PLAN_FUNCTION] = NDP_PLAN_FUNCTION_MODULE;
    assert_int_equal(ndp_generate_graph_by_plan(&arena, &choices, &row, false, &value), NDP_OK);
    row.values[NDP_PLAN_CALLER] = NDP_CALLER_NONE;
    assert_true(model->rule(model->context, &row));
    assert_int_equal(ndp_generate_graph_by_plan(&arena, &choices, &row, false, &value), NDP_INVALID);
}

/* A triple is impossible by the rule alone. */
static void the_further_rule_is_about_triples(void **state) {
    const struct ndp_covering_model *model = ndp_graph_plan_model(false, false);
    struct ndp_covering_row row;
    free_row(&row);
    row.values[NDP_PLAN_ROOT] = NDP_ROOT_FUNCTION;
    row.values[NDP_PLAN_POSITION] = NDP_POSITION_ITEM;
    assert_true(model->rule(model->context, &row) && model->further_rule(model->context, &row));
    row.values[NDP_PLAN_CLASS] = NDP_PLANNED_NDARRAY;
    assert_false(model->rule(model->context, &row));
    assert_false(model->further_rule(model->context, &row));
    row.values[NDP_PLAN_CLASS] = NDP_PLANNED_NONE;
    assert_true(model->rule(model->context, &row) && model->further_rule(model->context, &row));
}

/* Only the features that need a function are lost. */
static void a_function_can_be_removed_from_a_row(void **state) {
    struct ndp_covering_row row;
    free_row(&row);
    row.values[NDP_PLAN_FUNCTION] = NDP_PLAN_FUNCTION_ADD;
    row.values[NDP_PLAN_ROOT] = NDP_ROOT_FUNCTION;
    row.values[NDP_PLAN_CLOSURE] = NDP_CLOSURE_TWO;
    row.values[NDP_PLAN_CLASS] = NDP_PLANNED_MASKED;
    row.values[NDP_PLAN_CALLER] = NDP_CALLER_NONE;
    ndp_graph_plan_without_functions(&row);
    assert_int_equal(row.values[NDP_PLAN_FUNCTION], NDP_PLAN_FUNCTION_NONE);
    assert_int_equal(row.values[NDP_PLAN_ROOT], NDP_COVERING_FREE);
    assert_int_equal(row.values[NDP_PLAN_CLOSURE], NDP_COVERING_FREE);
    assert_int_equal(row.values[NDP_PLAN_CLASS], NDP_PLANNED_MASKED);
    assert_int_equal(row.values[NDP_PLAN_CALLER], NDP_CALLER_NONE);
}

static void a_model_without_functions_has_none(void **state) {
    const struct ndp_covering_model *model = ndp_graph_plan_model(false, true);
    struct ndp_covering_row row;
    free_row(&row);
    assert_true(model->rule(model->context, &row));
    row.values[NDP_PLAN_FUNCTION] = NDP_PLAN_FUNCTION_ADD;
    assert_false(model->rule(model->context, &row));
    free_row(&row);
    row.values[NDP_PLAN_ROOT] = NDP_ROOT_FUNCTION;
    assert_false(model->rule(model->context, &row));
}

/* Graphs of every kind report that an allocation failed, whichever it was. */
static void every_failing_allocation_is_reported(void **state) {
    for (uint64_t seed = 0; seed < 100; seed++) {
        enum ndp_status status = NDP_NOMEM;
        for (uint64_t call = 1; status != NDP_OK; call++) {
            struct ndp_choices choices;
            struct ndp_value value;
            NDP_ARENA_SCOPED(arena, ARENA_BYTES);
            ndp_arena_fail_at(&arena, call);
            ndp_choices_init_seed(&choices, seed);
            status = ndp_generate_graph(&arena, &choices, &value);
            assert_true(status == NDP_OK || status == NDP_NOMEM);
        }
    }
}

/* Features of graphs that no plan made. Each row: a graph in JSON, a parameter and its value. */
static void features_of_any_graph_are_measured(void **state) {
#define GRAPH(nodes) "{\"ndproof\":1,\"value\":{\"graph\":{\"root\":0,\"nodes\":[" nodes "]}}}"
    static const struct {
        const char *text;
        enum ndp_plan_parameter parameter;
        uint8_t value;
    } rows[] = {
        {GRAPH("{\"list\":[]}"), NDP_PLAN_ROOT, NDP_ROOT_LIST},
        {GRAPH("{\"list\":[0]}"), NDP_PLAN_SHARING, NDP_SHARING_CYCLE},
        {GRAPH("{\"list\":[1]},{\"tuple\":[2]},{\"int\":\"5\"}"), NDP_PLAN_ROOT, NDP_ROOT_NESTED},
        {GRAPH("{\"list\":[1]},{\"tuple\":[2]},{\"int\":\"5\"}"), NDP_PLAN_SCALAR, NDP_SCALAR_INT},
        {GRAPH("{\"objects\":{\"shape\":[1],\"items\":[1]}},{\"tuple\":[]}"), NDP_PLAN_ROOT, NDP_ROOT_TUPLE},
        {GRAPH("{\"array\":{\"base\":{\"dtype\":\">f8\",\"shape\":[2]}}}"), NDP_PLAN_ELEMENT, NDP_ELEMENT_FLOAT_BIG},
        {GRAPH("{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1001]}}}"), NDP_PLAN_SIZE, NDP_SIZE_LARGE},
        {GRAPH("{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1000]}}}"), NDP_PLAN_SIZE, NDP_SIZE_SMALL},
        {GRAPH("{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[0,4]}}}"), NDP_PLAN_SIZE, NDP_SIZE_EMPTY},
        {GRAPH("{\"list\":[1,1]},{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[]}}}"), NDP_PLAN_SHARING,
         NDP_SHARING_TWICE},
        {GRAPH("{\"list\":[1,2]},{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[]}}},{\"view\":{\"of\":1}}"),
         NDP_PLAN_SHARING, NDP_SHARING_VIEW},
        {GRAPH("{\"function\":{\"code\":\"recurse\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":0}"), NDP_PLAN_FUNCTION,
         NDP_PLAN_FUNCTION_RECURSE},
        {GRAPH("{\"function\":{\"code\":\"add\",\"name\":\"f\",\"cells\":[1]}},{\"cell\":null}"), NDP_PLAN_CLOSURE,
         NDP_CLOSURE_EMPTY},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_descriptor read;
        struct ndp_covering_row got;
        struct ndp_error error = {.text = ""};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        if (ndp_descriptor_read(&arena, ndp_bytes_view(rows[i].text), &ndp_describe_default_limits, &read, &error) !=
            NDP_OK)
            fail_msg("%s: %s", rows[i].text, error.text);
        ndp_graph_plan_features(read.value.graph, &got);
        if (got.values[rows[i].parameter] != rows[i].value)
            fail_msg("%s: %u", rows[i].text, got.values[rows[i].parameter]);
    }
}

NDP_SUITE(graph_plan_test, NDP_TEST(wishes_are_met), NDP_TEST(wishes_are_met_in_object_arrays_and_without_functions),
          NDP_TEST(every_pair_is_reached), NDP_TEST(an_impossible_row_is_refused),
          NDP_TEST(a_model_without_functions_has_none), NDP_TEST(the_further_rule_is_about_triples),
          NDP_TEST(a_function_can_be_removed_from_a_row), NDP_TEST(every_failing_allocation_is_reported),
          NDP_TEST(features_of_any_graph_are_measured));
