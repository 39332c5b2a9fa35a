#include "engine/group_cases.h"

#include "base/rng.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "generate/pair_coverage.h"
#include "model/graph/graph_features.h"

enum { SEED = 5, CASE_BYTES = 1 << 26 };

/* The groups of one or two targets, and the cases of one group. */
struct world {
    struct fixture fixture;
    struct ndp_route_list routes;
    struct ndp_group_cases *cases;
};

static const struct ndp_route_group *find_group(const struct world *world, enum ndp_case_kind kind,
                                                const char *format) {
    for (uint32_t i = 0; i < world->routes.count; i++)
        if (world->routes.groups[i].kind == kind && strcmp(world->routes.groups[i].format, format) == 0)
            return &world->routes.groups[i];
    fail_msg("no group of %s", format);
    return NULL;
}

static void start(struct world *world, enum ndp_case_kind kind, const char *format) {
    const struct ndp_route_filter filter = {.is_generated = true};
    fixture_open(&world->fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_routes_list(&world->fixture.bench, &filter, &world->routes), NDP_OK);
    assert_int_equal(
        ndp_group_cases_new(find_group(world, kind, format), SEED, (struct ndp_property_set){0}, &world->cases),
        NDP_OK);
}

static void end(struct world *world) {
    ndp_group_cases_free(world->cases);
    ndp_routes_clear(&world->routes);
    fixture_close(&world->fixture);
}

/* The text and the features of a case. */
static uint64_t mark_of(struct ndp_group_cases *cases, uint64_t number) {
    struct ndp_group_case made;
    NDP_ARENA_SCOPED(arena, CASE_BYTES);
    NDP_BUFFER_SCOPED(text, 1 << 22);
    assert_int_equal(ndp_group_cases_make(cases, &arena, number, &made), NDP_OK);
    assert_int_equal(ndp_descriptor_check(&arena, &made.descriptor, NULL), NDP_OK);
    assert_int_equal(ndp_descriptor_print(&text, &made.descriptor), NDP_OK);
    const uint64_t hash = ndp_hash_bytes(text.data, text.size_bytes, NDP_HASH_START);
    return ndp_hash_bytes(&made.features, sizeof made.features,
                          ndp_hash_bytes(&made.properties, sizeof made.properties, hash));
}

static void a_case_depends_on_its_number_alone(void **state) {
    struct world world;
    struct ndp_group_cases *other = NULL;
    start(&world, NDP_CASE_ROUND_TRIP, "npy");
    assert_int_equal(
        ndp_group_cases_new(find_group(&world, NDP_CASE_ROUND_TRIP, "npy"), SEED, (struct ndp_property_set){0}, &other),
        NDP_OK);
    for (uint64_t i = 0; i < 60; i++) assert_int_equal(mark_of(world.cases, i), mark_of(other, i));
    ndp_group_cases_free(other);
    assert_int_equal(
        ndp_group_cases_new(find_group(&world, NDP_CASE_ROUND_TRIP, "npy"), SEED, (struct ndp_property_set){0}, &other),
        NDP_OK);
    for (uint64_t i = 60; i > 0; i -= 10) assert_int_equal(mark_of(world.cases, i), mark_of(other, i));
    ndp_group_cases_free(other);
    end(&world);
}

/* Counts the combinations of the first cases. */
static void count_cases(struct ndp_group_cases *cases, uint64_t count, struct ndp_coverage_counts *out) {
    struct ndp_coverage *coverage = NULL;
    assert_int_equal(ndp_coverage_new(ndp_group_cases_model(cases), &coverage), NDP_OK);
    for (uint64_t i = 0; i < count; i++) {
        struct ndp_group_case made;
        NDP_ARENA_SCOPED(arena, CASE_BYTES);
        assert_int_equal(ndp_group_cases_make(cases, &arena, i, &made), NDP_OK);
        ndp_coverage_add(coverage, &made.features);
    }
    ndp_coverage_count(coverage, out);
    ndp_coverage_free(coverage);
}

static void cases_cover_pairs(void **state) {
    struct world world;
    struct ndp_coverage_counts counts;
    start(&world, NDP_CASE_ROUND_TRIP, "npy");
    count_cases(world.cases, 600, &counts);
    assert_true(counts.possible_pairs > 3000 && counts.possible_triples > 50000);
    if (counts.pairs * 100 < counts.possible_pairs * 98)
        fail_msg("%d of %d pairs", (int)counts.pairs, (int)counts.possible_pairs);
    end(&world);
}

/* Every fault meets every kind of value that fits it. */
static void decode_cases_cover_faults(void **state) {
    struct world world;
    struct ndp_coverage_counts counts;
    start(&world, NDP_CASE_DECODE, "npy");
    count_cases(world.cases, 4000, &counts);
    if (counts.pairs * 100 < counts.possible_pairs * 97)
        fail_msg("%d of %d pairs", (int)counts.pairs, (int)counts.possible_pairs);
    end(&world);
}

/* Routes of an entry point that claims no functions get graphs without any; other routes get both kinds. */
static void functions_go_where_they_are_claimed(void **state) {
    struct world world;
    uint32_t graphs = 0, with_functions = 0;
    start(&world, NDP_CASE_ROUND_TRIP, "graph");
    for (uint64_t i = 0; i < 200; i++) {
        struct ndp_group_case made;
        NDP_ARENA_SCOPED(arena, CASE_BYTES);
        assert_int_equal(ndp_group_cases_make(world.cases, &arena, i, &made), NDP_OK);
        if (made.descriptor.value.kind != NDP_VALUE_GRAPH) continue;
        graphs++;
        with_functions += (ndp_graph_features(made.descriptor.value.graph) & NDP_GRAPH_FUNCTIONS) != 0;
    }
    assert_true(with_functions > 0 && with_functions < graphs);
    end(&world);
}

static void a_limit_keeps_large_arrays_away(void **state) {
    struct world world;
    uint64_t largest[2] = {0};
    start(&world, NDP_CASE_ROUND_TRIP, "npy");
    for (uint32_t limited = 0; limited < 2; limited++) {
        if (limited) assert_int_equal(ndp_group_cases_set_largest(world.cases, 4096), NDP_OK);
        for (uint64_t i = 0; i < 200; i++) {
            struct ndp_group_case made;
            NDP_ARENA_SCOPED(arena, CASE_BYTES);
            assert_int_equal(ndp_group_cases_make(world.cases, &arena, i, &made), NDP_OK);
            const struct ndp_base *base = &made.descriptor.value.array.base;
            uint64_t bytes = base->dtype != NULL ? base->dtype->itemsize_bytes : 0;
            for (uint32_t k = 0; k < base->ndim; k++) bytes *= (uint64_t)base->shape[k];
            if (bytes > largest[limited]) largest[limited] = bytes;
        }
    }
    assert_true(largest[0] > 1 << 20);
    assert_true(largest[1] < 64 * 1024 + 4096);
    end(&world);
}

/* A row with the features of another contains it, whatever else it has; simplest values do not matter. */
static void features_contain_others(void **state) {
    struct ndp_covering_row few, more;
    memset(&few, NDP_COVERING_FREE, sizeof few);
    memset(&more, NDP_COVERING_FREE, sizeof more);
    assert_false(ndp_group_cases_contain(&more, &few));
    few.values[1] = more.values[1] = 3;
    few.values[2] = 0;
    more.values[2] = 5;
    assert_true(ndp_group_cases_contain(&more, &few));
    few.values[4] = 1;
    assert_false(ndp_group_cases_contain(&more, &few));
}

NDP_SUITE(group_cases_test, NDP_TEST(a_case_depends_on_its_number_alone), NDP_TEST(cases_cover_pairs),
          NDP_TEST(decode_cases_cover_faults), NDP_TEST(functions_go_where_they_are_claimed),
          NDP_TEST(a_limit_keeps_large_arrays_away), NDP_TEST(features_contain_others));
