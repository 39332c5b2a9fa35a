#include "base/rng.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/schedule.h"

static const char *const npy[] = {"npy"};
enum { MOST_GROUPS = 128 };

struct world {
    struct fixture fixture;
    struct ndp_schedule schedule;
};

static void open_world(struct world *world, const struct ndp_sweep_options *options) {
    fixture_open(&world->fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_schedule_init(&world->schedule, &world->fixture.bench, options), NDP_OK);
    assert_in_range(world->schedule.routes.count, 1, MOST_GROUPS);
}

static void close_world(struct world *world) {
    ndp_schedule_clear(&world->schedule);
    fixture_close(&world->fixture);
}

#define WORLD(name, options)                                                                                           \
    struct world name __attribute__((cleanup(close_world)));                                                           \
    open_world(&name, options)

static struct ndp_work_unit next_unit(struct world *world) {
    struct ndp_work_unit unit;
    assert_true(ndp_schedule_next(&world->schedule, NDP_LANE_COUNT, &unit));
    return unit;
}

static const struct ndp_batch *fill_batch(struct world *world, const struct ndp_work_unit *unit) {
    struct ndp_batch *batch = world->fixture.batch;
    const struct ndp_schedule_deaths none = {NULL, 0};
    struct ndp_covering_row features[NDP_BATCH_CASES];
    struct ndp_error error = {0};
    if (ndp_schedule_fill(&world->schedule, unit, none, batch, features, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_int_equal(ndp_batch_count(batch), unit->count);
    return batch;
}

static uint64_t mark_of(const struct ndp_batch *batch) {
    NDP_BUFFER_SCOPED(text, 1 << 26);
    for (uint32_t i = 0; i < ndp_batch_count(batch); i++)
        assert_int_equal(ndp_descriptor_print(&text, ndp_batch_descriptor(batch, i)), NDP_OK);
    return ndp_hash_bytes(text.data, text.size_bytes, NDP_HASH_START);
}

static uint32_t per_unit_of(const struct world *world, uint32_t group) {
    return ndp_group_cases_per_unit(world->schedule.groups[group].cases);
}

/* The units of a group follow each other without gaps, each within a multiple of its size; the first one is short. */
static void units_cover_all_numbers(void **state) {
    const struct ndp_sweep_options options = {.seed = 5};
    uint64_t next[MOST_GROUPS] = {0};
    WORLD(world, &options);
    for (int i = 0; i < 2000; i++) {
        const struct ndp_work_unit unit = next_unit(&world);
        const uint32_t per_unit = per_unit_of(&world, unit.group);
        assert_true(unit.first == next[unit.group]);
        assert_in_range(unit.count, 1, NDP_BATCH_CASES);
        assert_true(unit.first / per_unit == (unit.first + unit.count - 1) / per_unit);
        if (unit.first == 0) assert_int_equal(unit.count, per_unit < 16 ? per_unit : 16);
        if (unit.first >= per_unit) assert_int_equal(unit.count, per_unit);
        next[unit.group] += unit.count;
    }
    for (uint32_t i = 0; i < world.schedule.routes.count; i++) assert_true(next[i] > 0);
}

/* Every group gets a unit before any gets two, in every lane. */
static void all_groups_start_early(void **state) {
    const struct ndp_sweep_options options = {.seed = 5};
    WORLD(world, &options);
    for (int lane = 0; lane < NDP_LANE_COUNT; lane++) {
        uint32_t expected = 0;
        bool has_started[MOST_GROUPS] = {false};
        for (uint32_t i = 0; i < world.schedule.routes.count; i++)
            expected += world.schedule.groups[i].lane == (enum ndp_lane)lane;
        for (uint32_t i = 0; i < expected; i++) {
            struct ndp_work_unit unit;
            assert_true(ndp_schedule_next(&world.schedule, (enum ndp_lane)lane, &unit));
            assert_int_equal(world.schedule.groups[unit.group].lane, lane);
            assert_false(has_started[unit.group]);
            has_started[unit.group] = true;
        }
        struct ndp_work_unit unit;
        if (expected == 0) assert_false(ndp_schedule_next(&world.schedule, (enum ndp_lane)lane, &unit));
    }
}

/* No group falls behind another by more than a unit of the more expensive one. */
static void groups_share_the_time(void **state) {
    const struct ndp_sweep_options options = {.seed = 5};
    WORLD(world, &options);
    for (int i = 0; i < 5000; i++) (void)next_unit(&world);
    uint64_t least = UINT64_MAX, most = 0, largest = 0;
    for (uint32_t i = 0; i < world.schedule.routes.count; i++) {
        const struct ndp_schedule_group *group = &world.schedule.groups[i];
        const uint64_t unit = group->share * group->case_cost * per_unit_of(&world, i);
        if (unit > largest) largest = unit;
        if (group->spent < least) least = group->spent;
        if (group->spent > most) most = group->spent;
    }
    assert_in_range(most - least, 0, largest);
}

/* Cases are numbered by group; a bounded run has as many as it asks for, whatever the lanes. */
static void a_bounded_run_has_its_number_of_cases(void **state) {
    static const uint64_t bounds[] = {1, 15, 16, 17, 700, 1234};
    for (size_t k = 0; k < NDP_ARRAY_LEN(bounds); k++) {
        const struct ndp_sweep_options options = {.seed = 5, .cases = bounds[k]};
        struct ndp_work_unit unit;
        uint64_t cases = 0;
        WORLD(world, &options);
        while (ndp_schedule_next(&world.schedule, NDP_LANE_COUNT, &unit)) {
            const struct ndp_batch *batch = fill_batch(&world, &unit);
            for (uint32_t i = 0; i < unit.count; i++)
                assert_true(ndp_batch_case_id(batch, i) == ndp_case_id(unit.group, unit.first + i));
            cases += unit.count;
        }
        assert_int_equal(cases, bounds[k]);
        for (int lane = 0; lane <= NDP_LANE_COUNT; lane++)
            assert_false(ndp_schedule_next(&world.schedule, (enum ndp_lane)lane, &unit));
    }
}

enum { SHARDS = 3 };

/* Adds the hash of all cases of a unit to those of its group. */
static void add_unit(struct world *world, const struct ndp_work_unit *unit, uint64_t *cases, uint64_t *marks) {
    cases[unit->group] += unit->count;
    marks[unit->group] += ndp_rng_mix(unit->first, mark_of(fill_batch(world, unit)));
}

/* Every unit of a bounded run is in exactly one shard. */
static void shards_together_are_the_whole(void **state) {
    uint64_t cases[2][MOST_GROUPS] = {{0}}, marks[2][MOST_GROUPS] = {{0}};
    uint64_t of_shard[SHARDS] = {0};
    for (uint32_t i = 0; i <= SHARDS; i++) {
        const struct ndp_sweep_options options = {
            .seed = 5, .cases = 6000, .shard = i < SHARDS ? i : 0, .shard_count = i < SHARDS ? SHARDS : 0};
        struct ndp_work_unit unit;
        WORLD(world, &options);
        while (ndp_schedule_next(&world.schedule, NDP_LANE_COUNT, &unit)) {
            add_unit(&world, &unit, cases[i == SHARDS], marks[i == SHARDS]);
            if (i < SHARDS) of_shard[i] += unit.count;
        }
    }
    assert_memory_equal(cases[0], cases[1], sizeof cases[0]);
    assert_memory_equal(marks[0], marks[1], sizeof marks[0]);
    for (int i = 0; i < SHARDS; i++) assert_true(of_shard[i] > 0);
}

/* A run without a bound never ends, and its shards share the units evenly. */
static void unbounded_shards_share_the_units(void **state) {
    for (uint32_t shard = 0; shard < SHARDS; shard++) {
        const struct ndp_sweep_options options = {.seed = 5, .shard = shard, .shard_count = SHARDS};
        WORLD(world, &options);
        for (int i = 0; i < 500; i++) {
            const struct ndp_work_unit unit = next_unit(&world);
            assert_int_equal(unit.first / per_unit_of(&world, unit.group) % SHARDS, shard);
        }
    }
}

static void equal_seeds_give_equal_cases(void **state) {
    const struct ndp_sweep_options options[] = {{.seed = 5}, {.seed = 5, .cases = 9999}, {.seed = 6}};
    WORLD(first, &options[0]);
    WORLD(second, &options[1]);
    WORLD(third, &options[2]);
    struct world *const worlds[] = {&first, &second, &third};
    for (int round = 0; round < 30; round++) {
        uint64_t marks[3];
        for (int i = 0; i < 3; i++) {
            const struct ndp_work_unit unit = next_unit(worlds[i]);
            marks[i] = mark_of(fill_batch(worlds[i], &unit));
        }
        assert_true(marks[0] == marks[1]);
        assert_true(marks[0] != marks[2]);
    }
}

/* A case depends on its number, not on the cases that were made before it. */
static void a_case_can_be_made_alone(void **state) {
    const struct ndp_sweep_options options = {.seed = 5};
    WORLD(world, &options);
    WORLD(fresh, &options);
    for (uint32_t i = 0; i < 200; i++) {
        const struct ndp_work_unit unit = next_unit(&world);
        const struct ndp_work_unit last = {.group = unit.group, .first = unit.first + unit.count - 1, .count = 1};
        if (i % 10 != 9) continue;
        (void)mark_of(fill_batch(&world, &unit));
        assert_true(mark_of(fill_batch(&world, &last)) == mark_of(fill_batch(&fresh, &last)));
    }
}

static void count_routes(const struct ndp_batch *batch, const struct ndp_route_group *group, uint32_t *counts) {
    for (uint32_t i = 0; i < ndp_batch_count(batch); i++) {
        char text[NDP_ROUTE_TEXT_BYTES], other[NDP_ROUTE_TEXT_BYTES];
        struct ndp_route route = ndp_batch_descriptor(batch, i)->route;
        uint32_t k = 0;
        route.offset_bytes = 0;
        route.level = 0;
        route.history = NDP_HISTORY_NONE;
        ndp_descriptor_print_route(&route, text);
        for (; k < group->count; k++) {
            ndp_descriptor_print_route(&group->routes[k], other);
            if (strcmp(text, other) == 0) break;
        }
        if (k == group->count) fail_msg("no route %s in %s", text, group->name);
        counts[k]++;
    }
}

/* In every group, each route gets cases. */
static void routes_of_every_format_get_turns(void **state) {
    enum { UNITS = 64, MOST_ROUTES = 256 };
    const struct ndp_sweep_options options = {.seed = 1};
    WORLD(world, &options);
    for (uint32_t i = 0; i < world.schedule.routes.count; i++) {
        const struct ndp_route_group *group = &world.schedule.routes.groups[i];
        uint32_t counts[MOST_ROUTES] = {0}, least = UINT32_MAX, most = 0;
        if (group->is_transport) continue;
        assert_in_range(group->count, 1, MOST_ROUTES);
        for (uint32_t u = 0; u < UNITS; u++) {
            const struct ndp_work_unit unit = {
                .group = i, .first = (uint64_t)u * NDP_BATCH_CASES, .count = NDP_BATCH_CASES};
            count_routes(fill_batch(&world, &unit), group, counts);
        }
        for (uint32_t k = 0; k < group->count; k++) {
            if (counts[k] < least) least = counts[k];
            if (counts[k] > most) most = counts[k];
        }
        if (least == 0) fail_msg("%s: a route has no case, another has %u", group->name, (unsigned)most);
    }
}

/* Routes of an entry point that claims no functions get graphs without any; other routes get both kinds. */
static void functions_go_where_they_are_claimed(void **state) {
    const struct ndp_sweep_options options = {.seed = 1};
    uint32_t graphs[2] = {0}, with_functions[2] = {0};
    WORLD(world, &options);
    for (uint32_t i = 0; i < 400; i++) {
        const struct ndp_work_unit unit = next_unit(&world);
        const struct ndp_batch *batch = fill_batch(&world, &unit);
        for (uint32_t k = 0; k < ndp_batch_count(batch); k++) {
            const struct ndp_descriptor *descriptor = ndp_batch_descriptor(batch, k);
            const bool is_claimed = strcmp(descriptor->route.format, "graph") == 0;
            if (descriptor->value.kind != NDP_VALUE_GRAPH) continue;
            graphs[is_claimed]++;
            with_functions[is_claimed] += (ndp_graph_features(descriptor->value.graph) & NDP_GRAPH_FUNCTIONS) != 0;
        }
    }
    assert_true(graphs[false] > 100 && with_functions[false] == 0);
    assert_true(with_functions[true] > 0 && with_functions[true] < graphs[true]);
}

/* The bases of a few views are large all the same. */
static void a_run_can_limit_the_size_of_arrays(void **state) {
    const struct ndp_sweep_options options[] = {{.seed = 1}, {.seed = 1, .value_bytes = 4096}};
    uint32_t large[2] = {0};
    for (int limited = 0; limited < 2; limited++) {
        WORLD(world, &options[limited]);
        for (uint32_t i = 0; i < 100; i++) {
            const struct ndp_work_unit unit = next_unit(&world);
            const struct ndp_batch *batch = fill_batch(&world, &unit);
            for (uint32_t k = 0; k < ndp_batch_count(batch); k++) {
                const struct ndp_base *base = &ndp_batch_descriptor(batch, k)->value.array.base;
                uint64_t bytes = base->dtype != NULL ? base->dtype->itemsize_bytes : 0;
                for (uint32_t axis = 0; axis < base->ndim; axis++) bytes *= (uint64_t)base->shape[axis];
                large[limited] += bytes > 256 * 1024;
            }
        }
    }
    assert_true(large[0] > 10 && large[1] * 4 < large[0]);
}

static void unjudged_kinds_have_no_routes(void **state) {
    const struct ndp_sweep_options options = {
        .seed = 1, .properties = property_named("strictness"), .filter = {.formats = npy, .format_count = 1}};
    WORLD(world, &options);
    for (uint32_t i = 0; i < world.schedule.routes.count; i++)
        assert_int_equal(world.schedule.routes.groups[i].kind, NDP_CASE_DECODE);
}

NDP_SUITE(schedule_test, NDP_TEST(units_cover_all_numbers), NDP_TEST(all_groups_start_early),
          NDP_TEST(groups_share_the_time), NDP_TEST(a_bounded_run_has_its_number_of_cases),
          NDP_TEST(shards_together_are_the_whole), NDP_TEST(unbounded_shards_share_the_units),
          NDP_TEST(equal_seeds_give_equal_cases), NDP_TEST(a_case_can_be_made_alone),
          NDP_TEST(routes_of_every_format_get_turns), NDP_TEST(functions_go_where_they_are_claimed),
          NDP_TEST(a_run_can_limit_the_size_of_arrays), NDP_TEST(unjudged_kinds_have_no_routes));
