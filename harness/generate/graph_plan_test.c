/* graph_plan_test.c: a graph has the features that its row wishes, can be built, and every possible pair of values is
 * reached. */
#include "base/suite.h"
#include "generate/graph_plan_values.h"
#include "model/graph/graph.h"

enum { ARENA_BYTES = 1 << 26, ROWS = 4000 };

static void free_row(struct ndp_covering_row *row) {
    memset(row->values, NDP_COVERING_FREE, sizeof row->values);
}

/* Wishes for `wishes` random values that can occur together. */
static void draw_row(struct ndp_rng *rng, const struct ndp_covering_model *model, uint32_t wishes,
                     struct ndp_covering_row *row) {
    free_row(row);
    while (wishes > 0) {
        const uint32_t parameter = (uint32_t)(ndp_rng_next(rng) % model->count);
        const uint8_t before = row->values[parameter];
        row->values[parameter] = (uint8_t)(ndp_rng_next(rng) % model->parameters[parameter].count);
        if (model->rule(model->context, row))
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

NDP_SUITE(graph_plan_test, NDP_TEST(wishes_are_met), NDP_TEST(wishes_are_met_in_object_arrays_and_without_functions));
