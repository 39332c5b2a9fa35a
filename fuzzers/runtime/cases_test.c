/* Bytes and graphs that the reference accepts count as valid; refused ones do not. */
#include "base/suite.h"
#include "runtime/cases.h"
#include "runtime/hits_fixture.h"
#include "runtime/routes_by_cost.h"
#include "runtime/stats.h"

enum { ROUNDS = 64 };

static const char *const formats[] = {"npy", "pickle", NULL};
static const struct fuzz_cases cases = {.formats = formats};

static uint64_t compared(void) {
    return fuzz_stats_get(&fuzz_stats()->comparisons);
}

static void test_bytes_take_every_entry_point(void **state) {
    const uint64_t before = compared();
    for (int round = 0; round < ROUNDS; round++, fuzz_next_round())
        fuzz_run_bytes(&cases, "npy", npy_bytes.data, (size_t)npy_bytes.size_bytes);
    assert_true(compared() > before + ROUNDS);
    assert_int_equal(fuzz_hits(), 0);
}

static void test_a_graph_makes_a_second_trip(void **state) {
    static const uint8_t list[] = "]q\1(K\1h\1e.";
    const uint64_t before = compared();
    for (int round = 0; round < ROUNDS; round++, fuzz_next_round())
        fuzz_run_graph(&cases, "pickle", list, sizeof list - 1);
    /* Two pairs of nodes in each round, and one for the input. */
    assert_true(compared() >= before + 3 * ROUNDS);
    assert_int_equal(fuzz_hits(), 0);
}

static void test_refused_bytes_are_no_finding(void **state) {
    for (size_t size = 0; size < npy_bytes.size_bytes; size++) fuzz_run_bytes(&cases, "npy", npy_bytes.data, size);
    fuzz_run_graph(&cases, "pickle", (const uint8_t *)"(", 1);
    assert_int_equal(fuzz_hits(), 0);
}

static void test_cost_of_routes(void **state) {
    struct ndp_descriptor decode = {.kind = NDP_CASE_DECODE, .route = {.format = "npy"}};
    uint32_t files = 0;
    assert_int_equal(fuzz_routes_cost("memory"), FUZZ_COST_MEMORY);
    assert_int_equal(fuzz_routes_cost("mmap:r"), FUZZ_COST_FILE);
    assert_int_equal(fuzz_routes_cost("fresh"), FUZZ_COST_PROCESS);
    assert_int_equal(fuzz_routes_cost("zlib"), FUZZ_COST_PROCESS);
    (void)fuzz_bench(&cases);
    for (uint64_t pick = 0; pick < ROUNDS; pick++) {
        assert_string_equal(fuzz_routes_pick(&decode, FUZZ_COST_MEMORY, pick)->decode, "memory");
        files += strcmp(fuzz_routes_pick(&decode, FUZZ_COST_FILE, pick)->decode, "memory") != 0;
    }
    assert_true(files > ROUNDS / 2 && files < ROUNDS);
}

NDP_SUITE(cases_test, NDP_TEST(test_bytes_take_every_entry_point), NDP_TEST(test_a_graph_makes_a_second_trip),
          NDP_TEST(test_refused_bytes_are_no_finding), NDP_TEST(test_cost_of_routes));
