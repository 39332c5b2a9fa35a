/* What an engine sees of an input: its one run, whatever else is run to look at it, and each of a seed's ways. */
#include <time.h>

#include "base/suite.h"
#include "fuzz.h"

enum { WAYS = 4, PLACES = 8, FORGOTTEN = WAYS, AGAIN, WAIT_NS = 6000000 };

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 4000;

/* Where libFuzzer's compiler puts its counters; the linker gives the section its names. */
__attribute__((section("__sancov_cntrs"), used)) static uint8_t counters[PLACES];
static int runs, kept_count;
static bool waits;
static void *kept[WAYS];

/* The system is slow, and this input is not: its own time is short. */
static void wait_for_others(void) {
    const struct timespec pause = {.tv_nsec = WAIT_NS};
    (void)nanosleep(&pause, NULL);
}

/* Counts what is forgotten, its way, and whether it runs more often than it has ways. */
int fuzz_one_input(const uint8_t *data, size_t size) {
    const uint32_t way = fuzz_way(data, size, WAYS);
    counters[FORGOTTEN] = 1;
    fuzz_forget_coverage();
    counters[way]++;
    fuzz_valid(1);
    if (++runs > WAYS) counters[AGAIN] = 1;
    if (data[0] == 'k' && kept_count < WAYS) kept[kept_count++] = malloc(1);
    if (waits) wait_for_others();
    return 0;
}

static void run_seed(const char *input) {
    memset(counters, 0, sizeof counters);
    runs = 0;
    assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)input, 2), 0);
}

/* What a way takes back is its own. */
static void a_seed_shows_all_of_its_ways(void **state) {
    (void)state;
    const uint8_t each[PLACES] = {1, 1, 1, 1};
    run_seed("a1");
    assert_int_equal(runs, WAYS);
    assert_memory_equal(counters, each, sizeof each);
}

static void who_is_kept_waiting_shows_the_same(void **state) {
    (void)state;
    uint8_t each[PLACES] = {1, 1, 1, 1};
    waits = true;
    run_seed("a2");
    waits = false;
    assert_in_range(runs, WAYS + 1, WAYS * 4);
    each[AGAIN] = counters[AGAIN]; /* of the later ways, the first run of each is behind those that looked again */
    assert_memory_equal(counters, each, sizeof each);
}

/* Where a pool comes to keep something, a way is run again, and is shown once. */
static void what_is_kept_hides_no_way(void **state) {
    (void)state;
    uint8_t each[PLACES] = {1, 1, 1, 1};
    run_seed("k1");
    assert_int_equal(kept_count, WAYS);
    each[AGAIN] = counters[AGAIN];
    assert_memory_equal(counters, each, sizeof each);
    for (int i = 0; i < kept_count; i++) free(kept[i]);
}

/* An input that an engine makes takes one way. */
static void what_is_made_shows_one_run(void **state) {
    (void)state;
    fuzz_mutated(NULL, 0);
    for (int i = 0; i < 2; i++) {
        waits = i == 1;
        memset(counters, 0, sizeof counters);
        runs = WAYS - 1;
        assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)"b", 1), 0);
        assert_int_equal(counters[AGAIN] + counters[FORGOTTEN], 0);
        int counted = 0;
        for (int way = 0; way < WAYS; way++) counted += counters[way];
        assert_int_equal(counted, 1);
        assert_int_equal(runs > WAYS, waits);
    }
}

NDP_SUITE(coverage_test, cmocka_unit_test(a_seed_shows_all_of_its_ways),
          cmocka_unit_test(who_is_kept_waiting_shows_the_same), cmocka_unit_test(what_is_kept_hides_no_way),
          cmocka_unit_test(what_is_made_shows_one_run));
