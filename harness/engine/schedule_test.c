#include "base/rng.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/schedule.h"

static const char *const npy[] = {"npy"};

static void fill_batch(struct ndp_schedule *schedule, struct ndp_batch *batch) {
    struct ndp_error error = {0};
    if (ndp_schedule_fill(schedule, batch, &error) != NDP_OK) fail_msg("%s", error.text);
}

static uint64_t mark_of(const struct ndp_batch *batch) {
    NDP_BUFFER_SCOPED(text, 1 << 26);
    for (uint32_t i = 0; i < ndp_batch_count(batch); i++)
        assert_int_equal(ndp_descriptor_print(&text, ndp_batch_descriptor(batch, i)), NDP_OK);
    const uint64_t mark = ndp_hash_bytes(text.data, text.size_bytes, NDP_HASH_START);
    return mark;
}

/* Case numbers increase by one up to the bound; the next batch is empty. */
static void cases_are_numbered_up_to_their_bound(void **state) {
    struct fixture fixture;
    struct ndp_schedule schedule;
    const struct ndp_sweep_options options = {.seed = 5, .cases = 700};
    fixture_open(&fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_schedule_init(&schedule, &fixture.bench, &options), NDP_OK);
    uint64_t next = 0;
    do {
        fill_batch(&schedule, fixture.batch);
        for (uint32_t i = 0; i < ndp_batch_count(fixture.batch); i++)
            assert_int_equal(ndp_batch_case_id(fixture.batch, i), next++);
    } while (ndp_batch_count(fixture.batch) > 0);
    assert_int_equal(next, 700);
    assert_int_equal(schedule.next_case, 700);
    ndp_schedule_clear(&schedule);
    fixture_close(&fixture);
}

static void equal_seeds_give_equal_cases(void **state) {
    struct fixture fixture;
    static struct ndp_schedule schedules[3];
    const struct ndp_sweep_options options[] = {{.seed = 5}, {.seed = 5, .cases = 9999}, {.seed = 6}};
    fixture_open(&fixture, reference_plugin(), NULL);
    for (int i = 0; i < 3; i++) assert_int_equal(ndp_schedule_init(&schedules[i], &fixture.bench, &options[i]), NDP_OK);
    for (int round = 0; round < 9; round++) {
        uint64_t marks[3];
        for (int i = 0; i < 3; i++) {
            fill_batch(&schedules[i], fixture.batch);
            marks[i] = mark_of(fixture.batch);
        }
        assert_true(marks[0] == marks[1]);
        assert_true(marks[0] != marks[2]);
    }
    for (int i = 0; i < 3; i++) ndp_schedule_clear(&schedules[i]);
    fixture_close(&fixture);
}

/* Every route gets four cases in a row. */
static void routes_take_turns(void **state) {
    struct fixture fixture;
    struct ndp_schedule schedule;
    char routes[NDP_BATCH_CASES][NDP_ROUTE_TEXT_BYTES];
    const struct ndp_sweep_options options = {.seed = 1, .filter = {.formats = npy, .format_count = 1}};
    fixture_open(&fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_schedule_init(&schedule, &fixture.bench, &options), NDP_OK);
    fill_batch(&schedule, fixture.batch);
    assert_int_equal(ndp_batch_count(fixture.batch), NDP_BATCH_CASES);
    const uint32_t count = schedule.routes.groups[0].count;
    for (uint32_t i = 0; i < NDP_BATCH_CASES; i++) {
        ndp_descriptor_print_route(&ndp_batch_descriptor(fixture.batch, i)->route, routes[i]);
        if (i == 0) continue;
        const bool is_turn = i % NDP_CASES_PER_ROUTE_TURN == 0 && count > 1;
        assert_int_equal(strcmp(routes[i], routes[i - 1]) != 0, is_turn);
        if (i / NDP_CASES_PER_ROUTE_TURN >= count)
            assert_string_equal(routes[i], routes[i - (size_t)NDP_CASES_PER_ROUTE_TURN * count]);
    }
    ndp_schedule_clear(&schedule);
    fixture_close(&fixture);
}

/* Routes of an entry point that claims no functions get graphs without any; other routes get both kinds. */
static void functions_go_where_they_are_claimed(void **state) {
    struct fixture fixture;
    struct ndp_schedule schedule;
    uint32_t graphs[2] = {0}, with_functions[2] = {0};
    const struct ndp_sweep_options options = {.seed = 1};
    fixture_open(&fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_schedule_init(&schedule, &fixture.bench, &options), NDP_OK);
    for (uint32_t batch = 0; batch < 200; batch++) {
        fill_batch(&schedule, fixture.batch);
        for (uint32_t i = 0; i < ndp_batch_count(fixture.batch); i++) {
            const struct ndp_descriptor *descriptor = ndp_batch_descriptor(fixture.batch, i);
            const bool is_claimed = strcmp(descriptor->route.format, "graph") == 0;
            if (descriptor->value.kind != NDP_VALUE_GRAPH) continue;
            graphs[is_claimed]++;
            with_functions[is_claimed] += (ndp_graph_features(descriptor->value.graph) & NDP_GRAPH_FUNCTIONS) != 0;
        }
    }
    assert_true(graphs[false] > 100 && with_functions[false] == 0);
    assert_true(with_functions[true] > 0 && with_functions[true] < graphs[true]);
    ndp_schedule_clear(&schedule);
    fixture_close(&fixture);
}

static void unjudged_kinds_have_no_routes(void **state) {
    struct fixture fixture;
    struct ndp_schedule schedule;
    const struct ndp_sweep_options options = {.seed = 1, .properties = property_named("strictness")};
    fixture_open(&fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_schedule_init(&schedule, &fixture.bench, &options), NDP_OK);
    assert_true(schedule.routes.count > 0);
    for (uint32_t i = 0; i < schedule.routes.count; i++)
        assert_int_equal(schedule.routes.groups[i].kind, NDP_CASE_DECODE);
    ndp_schedule_clear(&schedule);
    fixture_close(&fixture);
}

NDP_SUITE(schedule_test, NDP_TEST(cases_are_numbered_up_to_their_bound), NDP_TEST(equal_seeds_give_equal_cases),
          NDP_TEST(routes_take_turns), NDP_TEST(functions_go_where_they_are_claimed),
          NDP_TEST(unjudged_kinds_have_no_routes));
