#include "base/rng.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/schedule.h"

static const char *const npy[] = {"npy"};

static void fill(struct ndp_schedule *schedule, struct ndp_batch *batch) {
    struct ndp_error error = {0};
    if (ndp_schedule_fill(schedule, batch, &error) != NDP_OK) fail_msg("%s", error.text);
}

static uint64_t mark_of(const struct ndp_batch *batch) {
    struct ndp_buffer text;
    ndp_buffer_init(&text, 1 << 26);
    for (uint32_t i = 0; i < ndp_batch_count(batch); i++)
        assert_int_equal(ndp_descriptor_print(&text, ndp_batch_descriptor(batch, i)), NDP_OK);
    const uint64_t mark = ndp_hash_bytes(text.data, text.size_bytes, NDP_HASH_START);
    ndp_buffer_clear(&text);
    return mark;
}

/* Numbers go up by one, whatever is drawn, until their bound; a batch behind that is empty. */
static void cases_are_numbered_up_to_their_bound(void **state) {
    struct fixture fixture;
    struct ndp_schedule schedule;
    const struct ndp_sweep_options options = {.seed = 5, .cases = 700};
    fixture_open(&fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_schedule_init(&schedule, &fixture.bench, &options), NDP_OK);
    uint64_t next = 0;
    do {
        fill(&schedule, fixture.batch);
        for (uint32_t i = 0; i < ndp_batch_count(fixture.batch); i++)
            assert_int_equal(ndp_batch_case_id(fixture.batch, i), next++);
    } while (ndp_batch_count(fixture.batch) > 0);
    assert_int_equal(next, 700);
    assert_int_equal(schedule.next_case, 700);
    ndp_schedule_clear(&schedule);
    fixture_close(&fixture);
}

static void a_seed_says_what_is_drawn(void **state) {
    struct fixture fixture;
    static struct ndp_schedule schedules[3];
    const struct ndp_sweep_options options[] = {{.seed = 5}, {.seed = 5, .cases = 9999}, {.seed = 6}};
    fixture_open(&fixture, reference_plugin(), NULL);
    for (int i = 0; i < 3; i++) assert_int_equal(ndp_schedule_init(&schedules[i], &fixture.bench, &options[i]), NDP_OK);
    for (int round = 0; round < 9; round++) {
        uint64_t marks[3];
        for (int i = 0; i < 3; i++) {
            fill(&schedules[i], fixture.batch);
            marks[i] = mark_of(fixture.batch);
        }
        assert_true(marks[0] == marks[1]);
        assert_true(marks[0] != marks[2]);
    }
    for (int i = 0; i < 3; i++) ndp_schedule_clear(&schedules[i]);
    fixture_close(&fixture);
}

/* Every route of a format has its turn, four cases at a time. */
static void routes_take_turns(void **state) {
    struct fixture fixture;
    struct ndp_schedule schedule;
    char routes[NDP_BATCH_CASES][NDP_ROUTE_TEXT_BYTES];
    const struct ndp_sweep_options options = {.seed = 1, .filter = {.formats = npy, .format_count = 1}};
    fixture_open(&fixture, reference_plugin(), NULL);
    assert_int_equal(ndp_schedule_init(&schedule, &fixture.bench, &options), NDP_OK);
    fill(&schedule, fixture.batch);
    assert_int_equal(ndp_batch_count(fixture.batch), NDP_BATCH_CASES);
    const uint32_t count = schedule.routes.groups[0].count;
    for (uint32_t i = 0; i < NDP_BATCH_CASES; i++) {
        ndp_route_print(&ndp_batch_descriptor(fixture.batch, i)->route, routes[i]);
        if (i == 0) continue;
        const bool is_turn = i % NDP_CASES_PER_ROUTE_TURN == 0 && count > 1;
        assert_int_equal(strcmp(routes[i], routes[i - 1]) != 0, is_turn);
        if (i / NDP_CASES_PER_ROUTE_TURN >= count)
            assert_string_equal(routes[i], routes[i - (size_t)NDP_CASES_PER_ROUTE_TURN * count]);
    }
    ndp_schedule_clear(&schedule);
    fixture_close(&fixture);
}

/* What no property would judge is no route at all. */
static void kinds_that_nobody_judges_are_left_out(void **state) {
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

NDP_SUITE(schedule_test, cmocka_unit_test(cases_are_numbered_up_to_their_bound),
          cmocka_unit_test(a_seed_says_what_is_drawn), cmocka_unit_test(routes_take_turns),
          cmocka_unit_test(kinds_that_nobody_judges_are_left_out));
