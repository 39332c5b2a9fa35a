#include "engine/relay_draw.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"
#include "engine/claims_fixture.h"

enum { DRAWS = 400 };

/* Two targets which both do npy: four groups of legs, of which each has two that go on from it. */
static void make(struct world *world) {
    memset(world, 0, sizeof *world);
    for (int i = 0; i < 2; i++) {
        struct ndp_target *target = add_target(world, i == 0 ? "a" : "b", "library");
        claim(target, "npy", "memory", "ed");
        claim(target, "pool", "threads", "t");
    }
}

static void every_two_groups_that_meet_come_in_turn(void **state) {
    (void)state;
    struct world world;
    struct ndp_route_list list;
    struct ndp_relay_groups groups[16];
    make(&world);
    list_all(&world, &everything, &list);
    for (uint32_t i = 0; i < 16; i++) {
        assert_true(ndp_relay_draw_groups(&list, i, &groups[i]));
        assert_ptr_equal(groups[i].first->decoder, groups[i].second->encoder);
        assert_true(ndp_routes_are_legs(groups[i].first) && ndp_routes_are_legs(groups[i].second));
        for (uint32_t k = 0; k < i; k++) {
            const bool is_same = groups[i].first == groups[k].first && groups[i].second == groups[k].second;
            assert_int_equal(is_same, i == k + 8);
        }
    }
    ndp_routes_clear(&list);
}

/* Transports and decode cases are no legs, and what one target encodes the other must decode. */
static void there_may_be_none(void **state) {
    (void)state;
    struct world world = {.bench = {.count = 0}};
    struct ndp_route_list list;
    struct ndp_relay_groups groups;
    struct ndp_target *from = add_target(&world, "a", "a"), *to = add_target(&world, "b", "b");
    claim(from, "npy", "memory", "e");
    claim(to, "npy", "memory", "d");
    claim(to, "pool", "threads", "t");
    list_all(&world, &everything, &list);
    assert_int_equal(list.count, 3);
    assert_false(ndp_relay_draw_groups(&list, 0, &groups));
    ndp_routes_clear(&list);
    assert_false(ndp_relay_draw_groups(&list, 7, &groups));
}

/* What was drawn in so many draws, each from a seed of its own. */
struct drawn {
    uint32_t count;
    uint32_t graphs;
    uint32_t first_is_raw;
    uint32_t second_is_raw;
};

static struct drawn draw_often(const struct ndp_relay_groups *groups) {
    struct drawn drawn = {0};
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct ndp_choices choices;
        struct ndp_route legs[2];
        bool is_graph;
        ndp_choices_init_seed(&choices, seed);
        if (!ndp_relay_draw_legs(groups, &choices, legs, &is_graph)) continue;
        drawn.count++;
        drawn.graphs += is_graph;
        drawn.first_is_raw += strcmp(legs[0].format, "raw") == 0;
        drawn.second_is_raw += strcmp(legs[1].format, "raw") == 0;
        for (int i = 0; i < 2; i++) {
            assert_string_not_equal(legs[i].encode, "never");
            assert_string_not_equal(legs[i].decode, "never");
        }
    }
    return drawn;
}

/* Draws from the relays of one target with itself. */
static struct drawn draw_alone(const struct world *world) {
    struct ndp_route_list list;
    struct ndp_relay_groups groups;
    list_all(world, &everything, &list);
    assert_true(ndp_relay_draw_groups(&list, 0, &groups));
    const struct drawn drawn = draw_often(&groups);
    ndp_routes_clear(&list);
    return drawn;
}

static void a_format_is_drawn_before_an_entry(void **state) {
    (void)state;
    static const char *const entries[] = {"memory", "file", "mapped", "mmap:r", "mmap:c", "other"};
    struct world world = {.bench = {.count = 0}};
    struct ndp_target *target = add_target(&world, "a", "a");
    for (size_t i = 0; i < NDP_ARRAY_LEN(entries); i++) claim(target, "npy", entries[i], "ed");
    claim(target, "raw", "memory", "ed");
    const struct drawn drawn = draw_alone(&world);
    assert_int_equal(drawn.count, DRAWS);
    assert_int_equal(drawn.graphs, 0);
    assert_in_range(drawn.first_is_raw, DRAWS / 3, DRAWS * 2 / 3);
    assert_in_range(drawn.second_is_raw, DRAWS / 3, DRAWS * 2 / 3);
}

/* What takes the time of several cases, or means something in one process alone, is left to routes without a middle. */
static void costly_and_local_ways_are_never_drawn(void **state) {
    (void)state;
    struct world world = {.bench = {.count = 0}};
    struct ndp_target *target = add_target(&world, "a", "a");
    claim(target, "npy", "never", "e")->cost = 2;
    claim(target, "npy", "memory", "ed")->cost = 1;
    claim(target, "npy", "never", "d")->is_local = true;
    claim(target, "npz", "never", "ed")->cost = 16;
    claim(target, "raw", "memory", "e");
    claim(target, "raw", "never", "d")->cost = 2;
    assert_int_equal(draw_alone(&world).count, DRAWS);
    target->info.entries[1].cost = 2;
    assert_int_equal(draw_alone(&world).count, 0);
}

/* A relay carries what both of its legs take. */
static void the_kind_of_the_value_fits_both_legs(void **state) {
    (void)state;
    static const struct {
        bool graphs[2], no_arrays[2];
        bool are_arrays, are_graphs;
    } rows[] = {
        {{false, false}, {false, false}, true, false}, {{true, false}, {false, false}, true, false},
        {{true, true}, {false, false}, true, true},    {{true, true}, {true, false}, false, true},
        {{true, false}, {true, false}, false, false},  {{true, true}, {true, true}, false, true},
    };
    for (size_t row = 0; row < NDP_ARRAY_LEN(rows); row++) {
        struct world world = {.bench = {.count = 0}};
        struct ndp_route_list list;
        struct ndp_target *ends[] = {add_target(&world, "a", "a"), add_target(&world, "b", "b")};
        static const char *const formats[] = {"npy", "raw"};
        for (int i = 0; i < 2; i++) {
            for (int end = 0; end < 2; end++) {
                struct ndp_entry *entry = claim(ends[end], formats[i], "memory", end == i ? "e" : "d");
                entry->takes_graphs = rows[row].graphs[i];
                entry->takes_no_arrays = rows[row].no_arrays[i];
            }
        }
        /* "a" writes npy, "b" writes raw: there and back. */
        list_all(&world, &everything, &list);
        const struct ndp_relay_groups groups = {&list.groups[0], &list.groups[1]};
        assert_ptr_equal(groups.first->encoder, ends[0]);
        assert_ptr_equal(groups.second->encoder, ends[1]);
        const struct drawn drawn = draw_often(&groups);
        assert_int_equal(drawn.count, rows[row].are_arrays || rows[row].are_graphs ? DRAWS : 0);
        assert_int_equal(drawn.graphs > 0, rows[row].are_graphs);
        assert_int_equal(drawn.graphs < drawn.count, rows[row].are_arrays);
        ndp_routes_clear(&list);
    }
}

NDP_SUITE(relay_draw_test, cmocka_unit_test(every_two_groups_that_meet_come_in_turn),
          cmocka_unit_test(there_may_be_none), cmocka_unit_test(a_format_is_drawn_before_an_entry),
          cmocka_unit_test(costly_and_local_ways_are_never_drawn),
          cmocka_unit_test(the_kind_of_the_value_fits_both_legs));
