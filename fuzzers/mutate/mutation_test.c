/* A step of a mutator that a sanitizer ends becomes an artifact, from which the step is repeated. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/wait.h>

#include "base/suite.h"
#include "fuzz.h"
#include "mutate/mutation.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define IS_WATCHED true
#else
#define IS_WATCHED false
#endif
/* gcc's UBSan is a separate library, which ends the process without ASan's callback. Fuzzing uses clang. */
#ifdef __clang__
#define KEEPS_UBSAN IS_WATCHED
#else
#define KEEPS_UBSAN false
#endif

const char fuzz_name[] = "test";
const unsigned fuzz_hashes_per_byte = 0;

static struct fuzz_mutation made;
static uint8_t bytes_made[8];
static int steps;

int fuzz_one_input(const uint8_t *data, size_t size) {
    (void)data, (void)size;
    return 0;
}

void fuzz_mutation_run(const struct fuzz_mutation *what) {
    made = *what;
    memcpy(bytes_made, what->first.data, what->first.size_bytes);
    memcpy(bytes_made + what->first.size_bytes, what->second.data, what->second.size_bytes);
    steps++;
}

static const struct fuzz_mutation step = {.way = FUZZ_MUTATION_CROSS,
                                          .seed = UINT64_C(0xfedcba9876543210),
                                          .max_bytes = 4096,
                                          .first = {(const uint8_t *)"abc", 3},
                                          .second = {(const uint8_t *)"de", 2}};

/* Calls through a pointer, so that a fortified C library does not end the process first. */
static void write_behind(void) {
    void *(*volatile fill)(void *, int, size_t) = memset;
    volatile size_t size = 4;
    uint8_t *block = malloc(3);
    fill(block, 1, size);
    bytes_made[0] = block[0];
    free(block);
}

static void shift_too_far(void) {
    volatile int bits = 40;
    const volatile int shifted = 1 << bits;
    (void)shifted;
}

/* Runs `fails` in a child, during the step or after it; returns whether a sanitizer ended the child. */
static bool has_died(void (*fails)(void), bool is_within, const char *prefix) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        if (setenv("NDP_FUZZ_ARTIFACTS", prefix, 1) != 0 || !freopen("/dev/null", "w", stderr)) _exit(9);
        (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
        fuzz_mutation_begin(&step);
        if (!is_within) fuzz_mutation_end();
        fails();
        _exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/* Repeats the step of every file in the folder and removes the file; returns their number. */
static int take_files(const char *folder) {
    int count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        char path[PATH_MAX];
        if (entry->d_name[0] == '.') continue;
        assert_int_equal(strncmp(entry->d_name, "fuzz_test-mutation-", 19), 0);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        fuzz_mutate_again(path);
        assert_int_equal(unlink(path), 0);
        count++;
    }
    closedir(entries);
    return count;
}

static void check(void (*fails)(void), bool is_within, int want_files) {
    char folder[] = "/tmp/ndproof-mutation-XXXXXX", prefix[sizeof folder + 1];
    assert_non_null(mkdtemp(folder));
    snprintf(prefix, sizeof prefix, "%s/", folder);
    steps = 0;
    assert_int_equal(has_died(fails, is_within, prefix), IS_WATCHED);
    assert_int_equal(take_files(folder), want_files);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(steps, want_files);
    if (steps == 0) return;
    assert_int_equal(made.way, step.way);
    assert_int_equal(made.seed, step.seed);
    assert_int_equal(made.max_bytes, step.max_bytes);
    assert_int_equal(made.first.size_bytes, 3);
    assert_int_equal(made.second.size_bytes, 2);
    assert_memory_equal(bytes_made, "abcde", 5);
}

static void test_a_step_that_asan_ends_is_stored(void **state) {
    check(write_behind, true, IS_WATCHED);
}

static void test_a_step_that_ubsan_ends_is_stored(void **state) {
    check(shift_too_far, true, KEEPS_UBSAN);
}

/* An input that ends the process is left to the engine. */
static void test_an_end_after_a_step_is_not_stored(void **state) {
    check(write_behind, false, 0);
    check(shift_too_far, false, 0);
}

/* Runs a file with this name and `text` in it; returns whether it repeated a step. */
static bool is_made_of(const char *name, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/%s-%d", name, (int)getpid());
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    steps = 0;
    fuzz_mutate_again(path);
    unlink(path);
    return steps > 0;
}

static void test_only_names_of_steps_are_repeated(void **state) {
    assert_true(is_made_of("fuzz_npy-mutation-1-2a-40-3", "abcd"));
    assert_int_equal(made.way, FUZZ_MUTATION_CORRUPT);
    assert_int_equal(made.seed, 0x2a);
    assert_int_equal(made.first.size_bytes, 3);
    assert_false(is_made_of("fuzz_npy-mutation-1-2a-40-5", "abcd")); /* it is cut */
    assert_false(is_made_of("fuzz_npy-mutation-3-2a-40-3", "abcd"));
    assert_false(is_made_of("fuzz_npy-mutation-0-2a-ffffffff-3", "abcd"));
    assert_false(is_made_of("fuzz_npy-mutation", "abcd"));
    assert_false(is_made_of("fuzz_npy-finding-2a", "abcd"));
}

NDP_SUITE(mutation_test, NDP_TEST(test_a_step_that_asan_ends_is_stored),
          NDP_TEST(test_a_step_that_ubsan_ends_is_stored), NDP_TEST(test_an_end_after_a_step_is_not_stored),
          NDP_TEST(test_only_names_of_steps_are_repeated));
