#include "generate/array_plan.h"

#include <string.h>

#include "base/suite.h"
#include "generate/pair_coverage.h"

enum { SEED = 11, ROWS = 3000, ARENA_BYTES = 1 << 27 };

/* Generates the value of a row, checks its descriptor, and fills its features. */
static void generate(const struct ndp_array_plan *plan, const struct ndp_covering_row *row, uint64_t seed,
                     struct ndp_covering_row *features) {
    struct ndp_choices choices;
    struct ndp_descriptor descriptor = {0};
    struct ndp_error error = {0};
    uint64_t size_bytes = 0;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    ndp_choices_init_seed(&choices, seed);
    assert_int_equal(ndp_generate_array_by_plan(&arena, &choices, plan, row, &descriptor.value), NDP_OK);
    if (ndp_descriptor_check(&arena, &descriptor, &error) != NDP_OK) {
        NDP_BUFFER_SCOPED(text, 1 << 20);
        assert_int_equal(ndp_descriptor_print(&text, &descriptor), NDP_OK);
        fail_msg("%s: %s: %.*s", error.path, error.text, (int)text.size_bytes, (const char *)text.data);
    }
    memset(features->values, NDP_COVERING_FREE, sizeof features->values);
    assert_int_equal(ndp_array_plan_features(&descriptor.value.array, features, &size_bytes), NDP_OK);
}

static void fill_model(const struct ndp_array_plan *plan, struct ndp_covering_model *model) {
    *model = (struct ndp_covering_model){
        .rule = ndp_array_plan_permits, .further_rule = ndp_array_plan_permits_triples, .context = plan};
    ndp_array_plan_add_parameters(model);
    assert_int_equal(model->count, NDP_PLAN_PARAMETERS);
}

/* Nearly every wished value of every parameter is there. */
static void check_wishes(const struct ndp_array_plan *plan, uint32_t rows) {
    static struct ndp_covering_model model;
    struct ndp_covering *covering = NULL;
    uint32_t missed[NDP_PLAN_PARAMETERS] = {0};
    fill_model(plan, &model);
    assert_int_equal(ndp_covering_new(&model, SEED, &covering), NDP_OK);
    for (uint64_t i = 0; i < rows; i++) {
        struct ndp_covering_row row, features;
        assert_int_equal(ndp_covering_row(covering, i, &row), NDP_OK);
        generate(plan, &row, i, &features);
        for (uint32_t p = 0; p < NDP_PLAN_PARAMETERS; p++) missed[p] += row.values[p] != features.values[p];
    }
    ndp_covering_free(covering);
    for (uint32_t p = 0; p < NDP_PLAN_PARAMETERS; p++)
        if (missed[p] > rows * 3 / 100)
            fail_msg("%s: %u of %u wishes were missed", model.parameters[p].name, missed[p], rows);
}

static void wishes_come_true(void **state) {
    struct ndp_array_plan plan;
    ndp_array_plan_init(UINT64_C(1) << 20, &plan);
    check_wishes(&plan, ROWS);
    ndp_array_plan_init_for_faults(&plan);
    check_wishes(&plan, 120);
}

/* The cases that rows make have every pair that the rule permits soon; few pairs wait for later rows. */
static void pairs_are_there_early(void **state) {
    static struct ndp_covering_model model;
    struct ndp_array_plan plan;
    struct ndp_covering *covering = NULL;
    struct ndp_coverage *coverage = NULL;
    struct ndp_coverage_counts counts;
    uint32_t costly = 0;
    ndp_array_plan_init(UINT64_C(1) << 20, &plan);
    fill_model(&plan, &model);
    assert_int_equal(ndp_covering_new(&model, SEED, &covering), NDP_OK);
    assert_int_equal(ndp_coverage_new(&model, &coverage), NDP_OK);
    for (uint64_t i = 0; i < 500; i++) {
        struct ndp_covering_row row, features;
        assert_int_equal(ndp_covering_row(covering, i, &row), NDP_OK);
        generate(&plan, &row, i, &features);
        ndp_coverage_add(coverage, &features);
        costly += features.values[NDP_PLAN_SIZE] >= NDP_SIZE_256K && features.values[NDP_PLAN_SIZE] < NDP_SIZE_COUNT;
    }
    ndp_coverage_count(coverage, &counts);
    assert_true(counts.possible_pairs > 3000);
    assert_true(counts.pairs * 100 > counts.possible_pairs * 99);
    assert_true(costly < 60);
    ndp_coverage_free(coverage);
    ndp_covering_free(covering);
}

NDP_SUITE(array_plan_test, NDP_TEST(pairs_are_there_early), NDP_TEST(wishes_come_true));
