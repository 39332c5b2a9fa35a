/* The engine sees one run of an input, however often it is repeated for a check, and every turn of a seed. */
#include <time.h>

#include "base/suite.h"
#include "fuzz.h"

enum { WAYS = 2, PLACES = 8, FORGOTTEN = WAYS, AGAIN, WAIT_NS = 6000000, EACH = FUZZ_TURNS / WAYS };

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 4000;

/* The section of libFuzzer's counters; the linker defines its bounds. */
__attribute__((section("__sancov_cntrs"), used)) static uint8_t counters[PLACES];
static int runs, kept_count;
static bool waits;
static void *kept[WAYS];

/* The fake clock makes wall time long and processor time short. */
static void wait_for_others(void) {
    const struct timespec pause = {.tv_nsec = WAIT_NS};
    (void)nanosleep(&pause, NULL);
}

/* Counts forgotten coverage, a due check, and whether the input runs more often than it has turns. */
int fuzz_one_input(const uint8_t *data, size_t size) {
    const uint32_t way = fuzz_is_due(0, WAYS);
    (void)size;
    counters[FORGOTTEN] = 1;
    fuzz_forget_coverage();
    counters[way]++;
    fuzz_valid(1);
    if (++runs > FUZZ_TURNS) counters[AGAIN] = 1;
    if (data[0] == 'k' && kept_count < WAYS) kept[kept_count++] = malloc(1);
    if (waits) wait_for_others();
    return 0;
}

static void run_seed(const char *input) {
    memset(counters, 0, sizeof counters);
    runs = 0;
    assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)input, 2), 0);
}

/* Coverage that a turn forgets is that of this turn alone. */
static void test_a_seed_shows_all_of_its_turns(void **state) {
    const uint8_t each[PLACES] = {EACH, EACH};
    run_seed("a1");
    assert_int_equal(runs, FUZZ_TURNS);
    assert_memory_equal(counters, each, sizeof each);
}

static void test_load_does_not_change_coverage(void **state) {
    uint8_t each[PLACES] = {EACH, EACH};
    waits = true;
    run_seed("a2");
    waits = false;
    assert_in_range(runs, FUZZ_TURNS + 1, FUZZ_TURNS * 4);
    each[AGAIN] = counters[AGAIN]; /* later turns run after the repeated ones */
    assert_memory_equal(counters, each, sizeof each);
}

/* A turn that is repeated because a pool keeps memory is shown to the engine once. */
static void test_kept_memory_hides_no_turn(void **state) {
    uint8_t each[PLACES] = {EACH, EACH};
    run_seed("k1");
    assert_int_equal(kept_count, WAYS);
    each[AGAIN] = counters[AGAIN];
    assert_memory_equal(counters, each, sizeof each);
    for (int i = 0; i < kept_count; i++) free(kept[i]);
}

/* An input of the engine runs in one turn. */
static void test_an_input_of_the_engine_shows_one_run(void **state) {
    fuzz_mutated(NULL, 0);
    for (int i = 0; i < 2; i++) {
        waits = i == 1;
        memset(counters, 0, sizeof counters);
        runs = FUZZ_TURNS - 1;
        assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)"b", 1), 0);
        assert_int_equal(counters[AGAIN] + counters[FORGOTTEN], 0);
        int counted = 0;
        for (int way = 0; way < WAYS; way++) counted += counters[way];
        assert_int_equal(counted, 1);
        assert_int_equal(runs > FUZZ_TURNS, waits);
    }
}

NDP_SUITE(coverage_test, NDP_TEST(test_a_seed_shows_all_of_its_turns), NDP_TEST(test_load_does_not_change_coverage),
          NDP_TEST(test_kept_memory_hides_no_turn), NDP_TEST(test_an_input_of_the_engine_shows_one_run));
