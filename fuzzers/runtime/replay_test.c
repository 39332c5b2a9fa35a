/* What a target without an engine says of files: whether they break something, how fast it runs them, what each
 * costs. */
#include "base/status.h"

int replay_main(int argc, char **argv);
#define main replay_main
#include "replay.c" /* NOLINT(bugprone-suspicious-include): its main is what is tested */
#undef main

#include <fcntl.h>

#include "base/suite.h"

enum { WAYS = 8, SLOW_NS = 2000000, PRINTED_BYTES = 4096 };

const char fuzz_name[] = "replay_test";
const unsigned fuzz_hashes_per_byte = 0;

static uint32_t ways_seen;
static uint64_t runs;
static char folder[] = "/tmp/ndproof-replay-XXXXXX", paths[4][64], counters[64];
static uint64_t listed[3] = {0, 0, UINT64_MAX};
const struct fuzz_known fuzz_known = {listed, NDP_ARRAY_LEN(listed)};
static unsigned answer = 3;
static uint64_t said;  /* 0 is nothing */
static uint32_t asked; /* runs */

static void wait_own_time(void) {
    const double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    while (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start < SLOW_NS / 1e9) continue;
}

/* "s..." is slow, "b..." breaks a promise, "r..." is refused on one of its ways. */
int fuzz_one_input(const uint8_t *data, size_t size) {
    ways_seen |= UINT32_C(1) << fuzz_way(data, size, WAYS);
    runs++;
    if (size == 0 || data[0] != 'r' || fuzz_way(data, size, WAYS) > 0) fuzz_valid(1);
    if (fuzz_way(data, size, WAYS) == 1) fuzz_answers(0, answer);
    asked += fuzz_is_asked();
    if (fuzz_is_asked() && said > 0) fuzz_says(said);
    if (size > 0 && data[0] == 'r') fuzz_answers(1, fuzz_way(data, size, WAYS) == 2);
    if (size > 0 && data[0] == 's') wait_own_time();
    FUZZ_HOLDS(size == 0 || data[0] != 'b');
    return 0;
}

/* Calls main() with an option, which may be NULL, and files; gives its exit code, and what it prints in `out`. */
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

/* The numbers that processes share, in the order in which .ci/fuzz.py reads them. */
enum { AT_EXECUTIONS, AT_VALID, AT_FEEDBACK = 10, NUMBERS };

static void read_counters(uint64_t out[NUMBERS]) {
    const int fd = open(counters, O_RDONLY);
    assert_true(fd >= 0 && read(fd, out, NUMBERS * sizeof out[0]) == (ssize_t)(NUMBERS * sizeof out[0]));
    close(fd);
}

/* Before anything is measured: who measures takes the ways one by one. */
static void a_file_takes_all_ways_and_its_copy_one(void **state) {
    (void)state;
    char out[PRINTED_BYTES];
    uint64_t counted[NUMBERS];
    runs = ways_seen = 0;
    assert_int_equal(call(NULL, paths[0], NULL, out), 0);
    assert_int_equal(runs, WAYS);
    assert_int_equal(ways_seen, (UINT32_C(1) << WAYS) - 1);
    assert_int_equal(call(NULL, paths[0], paths[1], out), 0);
    assert_int_equal(runs, WAYS + 1 + WAYS);
    read_counters(counted);
    assert_int_equal(counted[AT_EXECUTIONS], runs);
    assert_int_equal(counted[AT_VALID], runs);
}

/* What an engine hides of the output is told by the statistics of a run. */
static void feedback_that_is_alive_is_told(void **state) {
    (void)state;
    uint64_t counted[NUMBERS];
    read_counters(counted);
    assert_int_equal(counted[AT_FEEDBACK], 0);
    fuzz_has_feedback(117);
    read_counters(counted);
    assert_int_equal(counted[AT_FEEDBACK], 117);
}

static void costs_are_told_of_each_file_by_all_of_its_ways(void **state) {
    (void)state;
    char out[PRINTED_BYTES], names[2][64] = {"", ""};
    double quick = 0, slow = 0;
    ways_seen = 0;
    assert_int_equal(call("-costs", paths[0], paths[1], out), 0);
    assert_int_equal(sscanf(out, "%lf %63s\n%lf %63s\n", &quick, names[0], &slow, names[1]), 4);
    assert_string_equal(names[0], paths[0]);
    assert_string_equal(names[1], paths[1]);
    assert_true(quick > 0 && quick < slow && slow >= SLOW_NS);
    assert_int_equal(ways_seen, (UINT32_C(1) << WAYS) - 1);
    assert_int_equal(call("-costs", paths[0], "/nowhere/at/all", out), 1);
}

static void speed_is_told_by_the_clock_and_by_own_time(void **state) {
    (void)state;
    char out[PRINTED_BYTES];
    double rate = 0, own = 0;
    /* What was read is asked of no input: what an engine makes is not committed. */
    asked = 0;
    assert_int_equal(call("-seconds=0.05", paths[1], NULL, out), 0);
    assert_int_equal(sscanf(out, "%lf %lf\n", &rate, &own), 2);
    assert_true(rate > 0 && own > 0 && own <= 1e9 / SLOW_NS);
    assert_int_equal(asked, 0);
}

/* What is the same whatever way they go; and a target says so when one of them is answered otherwise. */
static void answers_are_told_and_held(void **state) {
    (void)state;
    char out[PRINTED_BYTES];
    unsigned long long refused_row = 0, row = 0;
    int end = 0;
    asked = 0;
    assert_int_equal(call("-answers", paths[3], paths[0], out), 0);
    assert_true(asked > 0);
    assert_int_equal(sscanf(out, "0x%16llx,\n0x%16llx,\n%n", &refused_row, &row, &end), 2);
    assert_int_equal(strlen(out), end);
    /* The first is refused one way, says 3 one way, and says two things; the other says one, and is accepted. */
    assert_int_equal(refused_row & 0x1ffff, 0x0ffe3);
    assert_int_equal(row & 0x1ffff, 0x1fff3);
    listed[1] = row;
    assert_int_equal(call("-answers", paths[0], NULL, out), 0);
    answer = 1;
    assert_int_equal(call("-answers", paths[0], NULL, out), 1);
    listed[1] = refused_row;
    assert_int_equal(call("-answers", paths[3], NULL, out), 1);
    answer = 3;
    assert_int_equal(call("-answers", paths[3], NULL, out), 0);
    assert_int_equal(call("-answers", paths[0], "/nowhere/at/all", out), 1);
    said = 14 * 5 + 6;
    assert_int_equal(call("-answers", paths[0], NULL, out), 0);
    assert_int_equal(sscanf(out, "0x%16llx,", &row), 1);
    assert_int_equal(row & 0x1ffff, 0x156f3);
    listed[1] = row;
    said++;
    assert_int_equal(call("-answers", paths[0], NULL, out), 1);
    said = 0;
    struct input refused;
    assert_true(load(paths[3], &refused));
    const uint64_t hits_before = fuzz_hits();
    listed[1] = refused_row | FUZZ_ROW_ACCEPTED;
    for (uint32_t i = 0; i < WAYS; i++, fuzz_next_round())
        assert_int_equal(LLVMFuzzerTestOneInput(refused.data, refused.size), 0);
    assert_int_equal(fuzz_hits(), hits_before + 1);
    free(refused.data);
    listed[1] = 0;
}

static void what_breaks_a_promise_ends_with_1(void **state) {
    (void)state;
    char out[PRINTED_BYTES];
    assert_int_equal(call(NULL, paths[0], paths[1], out), 0);
    assert_int_equal(call(NULL, paths[0], "/nowhere/at/all", out), 1);
    assert_int_equal(call(NULL, paths[0], folder, out), 1);
    assert_int_equal(call(NULL, paths[0], paths[2], out), 1);
}

static int make_files(void **state) {
    static const char *const contents[] = {"quick", "slow", "broken", "refused"};
    (void)state;
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
    (void)state;
    for (size_t i = 0; i < NDP_ARRAY_LEN(paths); i++) unlink(paths[i]);
    unlink(counters);
    return rmdir(folder);
}

NDP_SUITE_FIXTURE(replay_test, make_files, remove_files, cmocka_unit_test(a_file_takes_all_ways_and_its_copy_one),
                  cmocka_unit_test(feedback_that_is_alive_is_told),
                  cmocka_unit_test(costs_are_told_of_each_file_by_all_of_its_ways),
                  cmocka_unit_test(speed_is_told_by_the_clock_and_by_own_time),
                  cmocka_unit_test(what_breaks_a_promise_ends_with_1), cmocka_unit_test(answers_are_told_and_held));
