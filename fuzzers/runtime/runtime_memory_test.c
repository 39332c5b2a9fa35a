/* A leak in each run is reported; memory that a pool keeps after its first runs is not. The sanitizer counts, if there
 * is one. */
#include "base/suite.h"
#include "runtime/hits_fixture.h"

#ifdef __SANITIZE_ADDRESS__
#define IS_WATCHED true
#else
#define IS_WATCHED false
#endif

enum { KEPT_MAX = 1000 };

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 0;

static void *kept[KEPT_MAX];
static int kept_count, kept_limit;

int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)data, (void)size;
    if (kept_count == kept_limit) return 0;
    kept[kept_count] = malloc(1);
    return kept[kept_count++] ? 0 : 1;
}

static void run_input(void) {
    static const uint8_t input[] = "input";
    (void)LLVMFuzzerTestOneInput(input, sizeof input - 1);
}

/* Counts the signatures that a process files if it leaks this many blocks, one per run. */
static int count_findings(int limit) {
    char folder[] = "/tmp/ndproof-held-XXXXXX";
    int artifacts, signatures;
    kept_limit = limit;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(exit_code(run_input, folder), 0);
    take_files(folder, &artifacts, &signatures);
    rmdir(folder);
    return signatures;
}

static void test_a_leak_in_each_run_is_reported(void **state) {
    assert_int_equal(count_findings(KEPT_MAX), IS_WATCHED);
}

static void test_memory_of_a_pool_is_not_reported(void **state) {
    for (int limit = 0; limit <= 8; limit++) assert_int_equal(count_findings(limit), 0);
}

NDP_SUITE(runtime_memory_test, NDP_TEST(test_a_leak_in_each_run_is_reported),
          NDP_TEST(test_memory_of_a_pool_is_not_reported));
