#include "engine/group_cases.h"

#include "base/rng.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "generate/array_plan.h"
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

/* Three in four cases of the group are arrays, the others graphs; each kind has pairs of its own. One in four has a
 * history. */
static void cases_cover_pairs(void **state) {
    struct world world;
    struct ndp_coverage_counts counts;
    start(&world, NDP_CASE_ROUND_TRIP, "npy");
    count_cases(world.cases, 1600, &counts);
    assert_true(counts.possible_pairs > 3000 && counts.possible_triples > 50000);
    if (counts.pairs * 100 < counts.possible_pairs * 98)
        fail_msg("%d of %d pairs", (int)counts.pairs, (int)counts.possible_pairs);
    end(&world);
}

static void every_eighth_case_has_a_history(void **state) {
    struct world world;
    uint32_t counts[NDP_HISTORY_COUNT] = {0};
    start(&world, NDP_CASE_ROUND_TRIP, "npy");
    for (uint64_t i = 0; i < 320; i++) {
        struct ndp_group_case made;
        NDP_ARENA_SCOPED(arena, CASE_BYTES);
        assert_int_equal(ndp_group_cases_make(world.cases, &arena, i, &made), NDP_OK);
        counts[made.descriptor.route.history]++;
    }
    assert_int_equal(counts[NDP_HISTORY_NONE], 280);
    assert_int_equal(counts[NDP_HISTORY_FORKED], 0); /* the reference claims all others */
    for (int i = NDP_HISTORY_REUSED; i < NDP_HISTORY_FORKED; i++) assert_true(counts[i] >= 4);
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
    assert_true(largest[1] < 1 << 20); /* one item may be long */
    end(&world);
}

/* Large arrays are there early; no property with many steps judges them, and no history repeats the calls
 * of the largest. */
static void large_arrays_get_quick_properties(void **state) {
    struct world world;
    uint32_t large = 0, largest = 0, slow = 0;
    const struct ndp_property *entry_points = ndp_property_find("entry_points");
    start(&world, NDP_CASE_ROUND_TRIP, "npy");
    for (uint64_t i = 0; i < 400; i++) {
        struct ndp_group_case made;
        NDP_ARENA_SCOPED(arena, CASE_BYTES);
        assert_int_equal(ndp_group_cases_make(world.cases, &arena, i, &made), NDP_OK);
        const uint8_t size = made.features.values[NDP_PLAN_SIZE];
        const bool is_large = size >= NDP_SIZE_1M && size < NDP_SIZE_COUNT;
        const bool is_slow = ndp_property_set_has(made.properties, entry_points);
        assert_false(is_large && is_slow);
        if (size == NDP_SIZE_16M) assert_int_equal(made.descriptor.route.history, NDP_HISTORY_NONE);
        largest += size == NDP_SIZE_16M;
        large += is_large;
        slow += is_slow;
    }
    assert_true(large >= 10 && large < 40 && slow > 40 && largest > 0);
    end(&world);
}

/* Arrays of 16 MiB come rarely, in C order, strided and in Fortran order, and not under a limit. */
static void the_largest_arrays_come_in_every_order(void **state) {
    enum { CASES = 3 * 512, LAYOUTS = 3 };
    static const uint8_t layouts[LAYOUTS] = {NDP_LAYOUT_C, NDP_LAYOUT_STRIDED, NDP_LAYOUT_F};
    struct world world;
    uint32_t found = 0, orders = 0;
    start(&world, NDP_CASE_ROUND_TRIP, "npy");
    for (uint64_t i = 0; i < CASES; i++) {
        struct ndp_group_case made;
        NDP_ARENA_SCOPED(arena, CASE_BYTES);
        assert_int_equal(ndp_group_cases_make(world.cases, &arena, i, &made), NDP_OK);
        if (made.features.values[NDP_PLAN_SIZE] != NDP_SIZE_16M) continue;
        for (uint32_t k = 0; k < LAYOUTS; k++)
            if (made.features.values[NDP_PLAN_LAYOUT] == layouts[k]) orders |= 1U << k;
        found++;
    }
    assert_int_equal(found, LAYOUTS);
    assert_int_equal(orders, (1U << LAYOUTS) - 1);
    end(&world);
}

/* All cases of a unit have one route and one setting; the first units have every pair of them. */
static void units_of_transports_have_one_setting(void **state) {
    static struct ndp_target target = {
        .info = {.name = "t", .entry_count = 2, .kinds = "biufcSUVMmRA", .max_ndim = 64, .max_value_bytes = 1 << 30}};
    struct ndp_route routes[2];
    const struct ndp_route_group group = {.name = "t>t pool",
                                          .format = "pool",
                                          .is_transport = true,
                                          .encoder = &target,
                                          .decoder = &target,
                                          .routes = routes,
                                          .count = 2};
    struct ndp_group_cases *cases = NULL;
    bool has[2][5] = {{false}};
    for (uint32_t i = 0; i < 2; i++) {
        struct ndp_entry *entry = &target.info.entries[i];
        *entry = (struct ndp_entry){.format = "pool", .transports = true, .takes_settings = true, .cost = 5};
        entry->entry[0] = (char)('a' + i);
        routes[i] = (struct ndp_route){.format = "pool", .is_transport = true, .encoder = "t", .decoder = "t"};
        routes[i].encode[0] = routes[i].decode[0] = entry->entry[0];
    }
    assert_int_equal(ndp_group_cases_new(&group, SEED, (struct ndp_property_set){0}, &cases), NDP_OK);
    const uint32_t per_unit = ndp_group_cases_per_unit(cases);
    uint32_t near = 0, with_bound = 0;
    struct ndp_route first = {0};
    for (uint64_t i = 0; i < 60 * per_unit; i++) {
        struct ndp_group_case made;
        NDP_ARENA_SCOPED(arena, CASE_BYTES);
        assert_int_equal(ndp_group_cases_make(cases, &arena, i, &made), NDP_OK);
        const struct ndp_route *route = &made.descriptor.route;
        if (i % per_unit == 0) first = *route;
        assert_memory_equal(&first, route, sizeof first);
        has[route->encode[0] - 'a'][strlen(route->map_mode)] = true;
        const uint8_t size = made.features.values[NDP_PLAN_SIZE];
        with_bound += route->max_nbytes == 64;
        near += route->max_nbytes == 64 && size == NDP_SIZE_64;
    }
    /* The modes "", "c", "r+" and "none" have different lengths. */
    for (uint32_t i = 0; i < 2; i++) assert_true(has[i][0] && has[i][1] && has[i][2] && has[i][4]);
    assert_true(with_bound > 0 && near * 4 > with_bound);
    ndp_group_cases_free(cases);
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
          NDP_TEST(every_eighth_case_has_a_history), NDP_TEST(decode_cases_cover_faults),
          NDP_TEST(functions_go_where_they_are_claimed), NDP_TEST(a_limit_keeps_large_arrays_away),
          NDP_TEST(units_of_transports_have_one_setting), NDP_TEST(large_arrays_get_quick_properties),
          NDP_TEST(the_largest_arrays_come_in_every_order), NDP_TEST(features_contain_others));
