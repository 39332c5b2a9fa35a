/* What an input leaves behind each time is told; what a pool comes to keep in its first few runs is not. Counted by the
 * sanitizer, where there is one. */
#include <dirent.h>
#include <sys/wait.h>

#include "base/suite.h"
#include "fuzz.h"

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

/* How many signatures a process files that keeps so many blocks, one a run. */
static int count_findings(int limit) {
    char folder[] = "/tmp/ndproof-held-XXXXXX", prefix[sizeof folder + 1];
    int status = -1, count = 0;
    assert_non_null(mkdtemp(folder));
    snprintf(prefix, sizeof prefix, "%s/", folder);
    const pid_t child = fork();
    if (child == 0) {
        static const uint8_t input[] = "input";
        kept_limit = limit;
        if (setenv("NDP_FUZZ_ARTIFACTS", prefix, 1) != 0 || !freopen("/dev/null", "w", stderr)) _exit(9);
        _exit(LLVMFuzzerTestOneInput(input, sizeof input - 1));
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (entry->d_name[0] == '.') continue;
        count += strstr(entry->d_name, ".signature") != NULL;
        assert_int_equal(unlinkat(dirfd(entries), entry->d_name, 0), 0);
    }
    closedir(entries);
    rmdir(folder);
    return count;
}

static void what_is_left_each_time_is_told(void **state) {
    assert_int_equal(count_findings(KEPT_MAX), IS_WATCHED);
}

static void what_a_pool_keeps_is_not(void **state) {
    for (int limit = 0; limit <= 8; limit++) assert_int_equal(count_findings(limit), 0);
}

NDP_SUITE(runtime_memory_test, cmocka_unit_test(what_is_left_each_time_is_told),
          cmocka_unit_test(what_a_pool_keeps_is_not));
