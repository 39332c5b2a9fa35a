/* Tests which inputs that reach rare places are stored, and which of them the mutators start from. Each test runs in
 * its own process, because a process has one table. */
#include <sys/wait.h>

#include "base/suite.h"
#include "runtime/counters.h"
#include "runtime/hits_fixture.h"
#include "runtime/rare_inputs.h"

enum { MANY = 400, ANOTHER_WITHIN = 64 };

static struct ndp_choices choices;
static struct ndp_arena arena;

/* Reports one input that reaches these places; returns whether it was stored. */
static bool run(const char *text, const uint32_t *places, uint32_t count) {
    static uint8_t counters[FUZZ_COUNTERS];
    struct fuzz_reach reach;
    memset(counters, 0, sizeof counters);
    for (uint32_t i = 0; i < count; i++) counters[places[i]] = 1;
    const bool is_kept = fuzz_rare_reach((struct ndp_bytes){counters, sizeof counters}, &reach);
    if (is_kept) fuzz_rare_keep(&reach, ndp_bytes_view(text));
    return is_kept;
}

static bool run_at(const char *text, uint32_t place) {
    return run(text, &place, 1);
}

static bool is_text(struct ndp_bytes bytes, const char *text) {
    return bytes.size_bytes == strlen(text) && memcmp(bytes.data, text, strlen(text)) == 0;
}

/* Counts how many of `picks` gave this text. */
static uint32_t picks_of(const char *text, uint32_t picks) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < picks; i++) {
        struct ndp_bytes picked;
        while (!fuzz_rare_pick(&arena, &choices, NULL, &picked)) continue;
        count += is_text(picked, text);
    }
    return count;
}

static bool keeps_what_is_new(void) {
    struct fuzz_beginning graph = {"g", true};
    struct ndp_bytes picked;
    if (fuzz_rare_pick(&arena, &choices, NULL, &picked)) return false;
    if (!run_at("a", 7) || run_at("b", 7) || !run("c", (const uint32_t[]){7, FUZZ_COUNTERS - 1}, 2)) return false;
    while (!fuzz_rare_pick(&arena, &choices, NULL, &picked)) continue;
    if (!is_text(picked, "c")) return false;
    for (int i = 0; i < MANY; i++)
        if (fuzz_rare_pick(&arena, &choices, &graph, &picked)) return false;
    return true;
}

/* A place that many inputs reach gets no attention, even if its first input was unlikely. */
static bool starts_from_what_is_rare(void) {
    run_at("common", 1);
    for (uint32_t i = 0; i < MANY; i++) run_at("common, too", 1);
    run_at("rare", 2);
    for (uint32_t i = 0; i < MANY / 4; i++) {
        if (picks_of("rare", 1) != 1) return false;
        run_at("rare", 2);
    }
    return true;
}

/* The children of one entry reach its place again, those of the other never do. */
static bool gives_luck_less(void) {
    uint32_t lucky = 0;
    run_at("held", 1);
    run_at("lucky", 2);
    for (uint32_t i = 0; i < MANY; i++) {
        if (picks_of("lucky", 1) == 1)
            lucky++;
        else
            run_at("child", 1);
    }
    return lucky > 0 && lucky < MANY / 4;
}

static bool starts_from_another_that_reaches_as_much(void) {
    run_at("first", 1);
    for (uint32_t i = 0; i < ANOTHER_WITHIN; i++) run_at("another", 1);
    const uint32_t others = picks_of("another", MANY);
    return others > MANY / 4 && others < MANY * 3 / 4;
}

/* The entry that was tried most often is replaced, and its places have no owner afterwards. */
static bool makes_room(void) {
    char text[16];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "%u", (unsigned)i);
        if (!run_at(text, i)) return false;
        for (uint32_t again = 0; i == 3 && again < MANY; again++) run_at("often", 3);
    }
    for (uint32_t i = 0; i < MANY; i++)
        if (run_at("often", 3)) return false;
    return picks_of("3", MANY) == 0 && picks_of("399", MANY) > 0;
}

static bool holds(bool (*test)(void)) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        arena.limit_bytes = 1 << 24;
        ndp_choices_init_seed(&choices, 1);
        _exit(test() ? 0 : 1);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_inputs_with_new_places_are_stored(void **state) {
    assert_true(holds(keeps_what_is_new));
}

static void test_rare_places_are_selected_first(void **state) {
    assert_true(holds(starts_from_what_is_rare));
    assert_true(holds(gives_luck_less));
}

static void test_a_place_has_two_inputs(void **state) {
    assert_true(holds(starts_from_another_that_reaches_as_much));
}

static void test_a_full_table_replaces_an_entry(void **state) {
    assert_true(holds(makes_room));
}

NDP_SUITE(rare_inputs_test, NDP_TEST(test_inputs_with_new_places_are_stored),
          NDP_TEST(test_rare_places_are_selected_first), NDP_TEST(test_a_place_has_two_inputs),
          NDP_TEST(test_a_full_table_replaces_an_entry));
