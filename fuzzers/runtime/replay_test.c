/* Without an engine, a target reports broken promises, speed, and the cost of each file. */
#include "base/status.h"

int replay_main(int argc, char **argv);
#define main replay_main
#include "replay.c" /* NOLINT(bugprone-suspicious-include): its main is what is tested */

#include <fcntl.h>

#include "base/suite.h"

enum { SLOW_NS = 2000000, PRINTED_BYTES = 4096 };

const char fuzz_name[] = "replay_test";
const unsigned fuzz_hashes_per_byte = 0;

static uint32_t due_count;
static uint64_t runs;
static char folder[] = "/tmp/ndproof-replay-XXXXXX", paths[4][64], counters[64];
static void wait_own_time(void) {
    const double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    while (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start < SLOW_NS / 1e9) continue;
}

/* "s..." is slow; "b..." breaks a promise. */
int fuzz_one_input(const uint8_t *data, size_t size) {
    due_count += fuzz_is_due(1, FUZZ_TURNS);
    runs++;
    fuzz_valid(1);
    if (size > 0 && data[0] == 's') wait_own_time();
    FUZZ_HOLDS(size == 0 || data[0] != 'b');
    return 0;
}

/* Calls main() with an option, which may be NULL, and files; returns its exit code and fills `out` with its output. */
static int call(const char *option, const char *first, const char *second, char *out) {
    char name[] = "replay", *words[5] = {name}, text[16];
    int count = 1;
    if (option) words[count++] = strcpy(text, option);
    words[count++] = (char *)(uintptr_t)first;
    if (second) words[count++] = (char *)(uintptr_t)second;
    FILE *printed = tmpfile();
    assert_non_null(printed);
    fflush(stdout);
    const int before = dup(STDOUT_FILENO), loud = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    assert_true(dup2(fileno(printed), STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0);
    const int code = replay_main(count, words);
    fflush(stdout);
    assert_true(dup2(before, STDOUT_FILENO) >= 0 && dup2(loud, STDERR_FILENO) >= 0);
    close(before);
    close(loud);
    close(nowhere);
    rewind(printed);
    out[fread(out, 1, PRINTED_BYTES - 1, printed)] = '\0';
    fclose(printed);
    return code;
}

/* The shared counters, in the order in which .ci/fuzz.py reads them. */
enum { AT_EXECUTIONS, AT_VALID, AT_FEEDBACK = 10, NUMBERS };

static void read_counters(uint64_t out[NUMBERS]) {
    const int fd = open(counters, O_RDONLY);
    assert_true(fd >= 0 && read(fd, out, NUMBERS * sizeof out[0]) == (ssize_t)(NUMBERS * sizeof out[0]));
    close(fd);
}

/* This test comes first, because measuring runs each input in one turn. */
static void test_a_file_runs_in_all_turns_and_its_copy_in_one(void **state) {
    char out[PRINTED_BYTES];
    uint64_t counted[NUMBERS];
    runs = due_count = 0;
    assert_int_equal(call(NULL, paths[0], NULL, out), 0);
    assert_int_equal(runs, FUZZ_TURNS);
    assert_int_equal(due_count, 1);
    assert_int_equal(call(NULL, paths[0], paths[1], out), 0);
    assert_int_equal(runs, FUZZ_TURNS + 1 + FUZZ_TURNS);
    read_counters(counted);
    assert_int_equal(counted[AT_EXECUTIONS], runs);
    assert_int_equal(counted[AT_VALID], runs);
}

/* The statistics of a run show it where an engine hides the output. */
static void test_live_feedback_is_stored(void **state) {
    uint64_t counted[NUMBERS];
    read_counters(counted);
    assert_int_equal(counted[AT_FEEDBACK], 0);
    fuzz_has_feedback(117);
    read_counters(counted);
    assert_int_equal(counted[AT_FEEDBACK], 117);
}

static void test_costs_are_printed_for_each_file(void **state) {
    char out[PRINTED_BYTES], names[2][64] = {"", ""};
    double quick = 0, slow = 0;
    assert_int_equal(call("-costs", paths[0], paths[1], out), 0);
    assert_int_equal(sscanf(out, "%lf %63s\n%lf %63s\n", &quick, names[0], &slow, names[1]), 4);
    assert_string_equal(names[0], paths[0]);
    assert_string_equal(names[1], paths[1]);
    assert_true(quick > 0 && quick < slow && slow >= SLOW_NS);
    assert_int_equal(call("-costs", paths[0], "/nowhere/at/all", out), 1);
}

static void test_speed_is_printed_by_the_clock_and_by_own_time(void **state) {
    char out[PRINTED_BYTES];
    double rate = 0, own = 0;
    assert_int_equal(call("-seconds=0.05", paths[1], NULL, out), 0);
    assert_int_equal(sscanf(out, "%lf %lf\n", &rate, &own), 2);
    assert_true(rate > 0 && own > 0 && own <= 1e9 / SLOW_NS);
}

static void test_a_broken_promise_ends_with_1(void **state) {
    char out[PRINTED_BYTES];
    assert_int_equal(call(NULL, paths[0], paths[1], out), 0);
    assert_int_equal(call(NULL, paths[0], "/nowhere/at/all", out), 1);
    assert_int_equal(call(NULL, paths[0], folder, out), 1);
    assert_int_equal(call(NULL, paths[0], paths[2], out), 1);
}

static int make_files(void **state) {
    static const char *const contents[] = {"quick", "slow", "broken", "other"};
    if (!mkdtemp(folder)) return -1;
    snprintf(counters, sizeof counters, "%s/counters", folder);
    if (setenv("NDP_FUZZ_STATS", counters, 1) != 0) return -1;
    for (size_t i = 0; i < NDP_ARRAY_LEN(paths); i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, contents[i]);
        FILE *file = fopen(paths[i], "wb");
        if (!file || fputs(contents[i], file) < 0 || fclose(file) != 0) return -1;
    }
    return 0;
}

static int remove_files(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(paths); i++) unlink(paths[i]);
    unlink(counters);
    return rmdir(folder);
}

NDP_SUITE_FIXTURE(replay_test, make_files, remove_files, NDP_TEST(test_a_file_runs_in_all_turns_and_its_copy_in_one),
                  NDP_TEST(test_live_feedback_is_stored), NDP_TEST(test_costs_are_printed_for_each_file),
                  NDP_TEST(test_speed_is_printed_by_the_clock_and_by_own_time),
                  NDP_TEST(test_a_broken_promise_ends_with_1));
