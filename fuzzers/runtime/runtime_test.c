/* Tests findings whose files cannot be written. Each test runs in its own process, as a fuzz target does. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/suite.h"
#include "runtime/hits_fixture.h"

/* Limits the size of files: 0 acts like a full disk. */
static void allow_bytes(rlim_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(9);
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(9);
}

static void find_once(const char *signature) {
    static const uint8_t input[] = "input";
    fuzz_runs_instead(input, sizeof input - 1);
    fuzz_finding(signature);
}

static void stays_full(void) {
    allow_bytes(0);
    find_once("DIVERGES|a");
    find_once("DIVERGES|a");
}

static void is_full_for_a_second(void) {
    allow_bytes(0);
    find_once("DIVERGES|a");
    allow_bytes(RLIM_INFINITY);
    for (const time_t start = time(NULL); time(NULL) == start;) continue;
    find_once("DIVERGES|a");
}

static void is_never_full(void) {
    find_once("DIVERGES|a");
    find_once("DIVERGES|b");
    find_once("DIVERGES|a");
}

static void finds_b_first(void) {
    find_once("DIVERGES|b");
    find_once("DIVERGES|a");
}

static void finds_b_alone(void) {
    find_once("DIVERGES|b");
}

/* Whether a finding ends its process by a signal if NDP_FUZZ_STOP is `stop`. */
static bool is_stopped(void (*run)(void), const char *stop) {
    int status = -1;
    const int loud = be_quiet();
    const pid_t child = fork();
    if (child == 0) {
        (void)setenv("NDP_FUZZ_STOP", stop, 1);
        run();
        _exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    be_loud(loud);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void test_one_signature_stops_and_no_other(void **state) {
    assert_true(is_stopped(finds_b_alone, "1"));
    assert_true(is_stopped(finds_b_alone, "DIVERGES|b"));
    assert_true(is_stopped(finds_b_first, "DIVERGES|a"));
    assert_false(is_stopped(finds_b_alone, "DIVERGES|a"));
}

/* Fills `out` with what ClusterFuzz keeps (its LINE_LENGTH_CAP is 80) of the line of a broken promise. */
enum { KEPT_BYTES = 80 };
static void read_kept(const char *signature, char *out) {
    static const char mark[] = "Assertion failure: ";
    int ends[2];
    char text[2048] = "";
    size_t size = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        find_once(signature);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0 && size<sizeof text - 1; size += got> 0 ? (size_t)got : 0)
        got = read(ends[0], text + size, sizeof text - 1 - size);
    close(ends[0]);
    assert_true(child > 0 && waitpid(child, NULL, 0) == child);
    const char *line = strstr(text, mark);
    assert_non_null(line);
    snprintf(out, KEPT_BYTES + 1, "%s", line + strlen(mark));
    out[strcspn(out, "\n")] = '\0';
}

/* Signatures that differ only after the first 80 bytes, or only in numbers, remain distinct. */
static void test_signatures_differ_in_their_first_80_bytes(void **state) {
    char long_one[KEPT_BYTES + 2], first[KEPT_BYTES + 1], second[KEPT_BYTES + 1], again[KEPT_BYTES + 1];
    memset(long_one, 'x', KEPT_BYTES);
    long_one[KEPT_BYTES + 1] = '\0';
    long_one[KEPT_BYTES] = '1';
    read_kept(long_one, first);
    read_kept(long_one, again);
    long_one[KEPT_BYTES] = '2';
    read_kept(long_one, second);
    assert_string_equal(first, again);
    assert_string_not_equal(first, second);
    assert_memory_equal(first, "FuzzerHash=", 11);
    assert_int_equal(strspn(first + 11, "abcdefghijklmnop"), 16);
    assert_int_equal(first[27], ' ');
}

static void check(void (*run)(void), int want_code, int want_files) {
    char folder[] = "/tmp/ndproof-runtime-XXXXXX";
    int artifacts, signatures;
    assert_non_null(mkdtemp(folder));
    const int code = exit_code(run, folder);
    take_files(folder, &artifacts, &signatures);
    rmdir(folder);
    assert_int_equal(code, want_code);
    assert_int_equal(artifacts, want_files);
    assert_int_equal(signatures, want_files);
}

static void test_each_signature_is_filed_once(void **state) {
    check(is_never_full, 0, 2);
}

static void fails_twice(void) {
    static const uint8_t input[] = "input";
    fuzz_runs_instead(input, sizeof input - 1);
    fuzz_fault("it failed at its own work", "at the first time");
    fuzz_fault("it failed at its own work", "at the second time");
}

static void test_a_fault_is_filed_without_its_details(void **state) {
    check(fails_twice, 0, 1);
}

static void test_a_finding_that_cannot_be_written_is_a_fault(void **state) {
    check(stays_full, 3, 0);
}

static void test_a_failed_write_is_repeated(void **state) {
    check(is_full_for_a_second, 0, 1);
}

static void finds_a(void) {
    find_once("DIVERGES|a");
}

/* Checks that each artifact of the folder contains that text and has that time. */
static void age_artifacts(const char *folder, const char *text, time_t time_s) {
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (entry->d_name[0] == '.' || strstr(entry->d_name, ".signature")) continue;
        const struct timespec times[] = {{.tv_sec = time_s}, {.tv_sec = time_s}};
        const int fd = openat(dirfd(entries), entry->d_name, O_WRONLY | O_TRUNC);
        assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
        close(fd);
        assert_int_equal(utimensat(dirfd(entries), entry->d_name, times, 0), 0);
    }
    closedir(entries);
}

/* Reads the artifact (`before`: the renamed one) of a folder; empty if there is none. */
static void read_artifact(const char *folder, bool before, char *out, size_t room) {
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    memset(out, 0, room);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (entry->d_name[0] == '.' || strstr(entry->d_name, ".signature")) continue;
        if ((strstr(entry->d_name, ".before") != NULL) != before) continue;
        const int fd = openat(dirfd(entries), entry->d_name, O_RDONLY);
        assert_true(fd >= 0 && read(fd, out, room - 1) >= 0);
        close(fd);
    }
    closedir(entries);
}

static void test_an_artifact_of_an_older_program_is_renamed(void **state) {
    char folder[] = "/tmp/ndproof-runtime-XXXXXX", text[16];
    int artifacts, signatures;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(exit_code(finds_a, folder), 0);
    age_artifacts(folder, "later", time(NULL) + 60);
    assert_int_equal(exit_code(finds_a, folder), 0);
    read_artifact(folder, false, text, sizeof text);
    assert_string_equal(text, "later");
    age_artifacts(folder, "earlier", 1);
    assert_int_equal(exit_code(finds_a, folder), 0);
    read_artifact(folder, false, text, sizeof text);
    assert_string_equal(text, "input");
    read_artifact(folder, true, text, sizeof text);
    assert_string_equal(text, "earlier");
    take_files(folder, &artifacts, &signatures);
    rmdir(folder);
    assert_int_equal(artifacts, 2);
    assert_int_equal(signatures, 1);
}

/* 1 if the mutator is left out in a process with this value of NDP_FUZZ_EMPTY, otherwise 0. */
static int run_empty(const char *empty) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        if (empty) (void)setenv("NDP_FUZZ_EMPTY", empty, 1);
        (void)LLVMFuzzerInitialize(&(int){0}, &(char **){NULL});
        _exit(fuzz_is_engine_alone() ? 1 : 0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_the_mutator_is_left_out_only_to_measure_the_engine(void **state) {
    assert_int_equal(run_empty(NULL), 0);
    assert_int_equal(run_empty("body"), 0);
    assert_int_equal(run_empty("engine"), 1);
}

static void test_the_result_of_the_mutator_is_recognised(void **state) {
    static const uint8_t made[] = "made", other[] = "other";
    fuzz_mutated(made, sizeof made);
    assert_int_equal(LLVMFuzzerTestOneInput(other, sizeof other), 0);
    assert_false(fuzz_is_typed());
    assert_int_equal(LLVMFuzzerTestOneInput(made, sizeof made), 0);
    assert_true(fuzz_is_typed());
    assert_int_equal(LLVMFuzzerTestOneInput(made, sizeof made), 0);
    assert_false(fuzz_is_typed()); /* replaying again: a replayed file may be anything */
}

NDP_SUITE(runtime_test, NDP_TEST(test_each_signature_is_filed_once),
          NDP_TEST(test_a_fault_is_filed_without_its_details),
          NDP_TEST(test_a_finding_that_cannot_be_written_is_a_fault), NDP_TEST(test_a_failed_write_is_repeated),
          NDP_TEST(test_signatures_differ_in_their_first_80_bytes), NDP_TEST(test_one_signature_stops_and_no_other),
          NDP_TEST(test_an_artifact_of_an_older_program_is_renamed),
          NDP_TEST(test_the_mutator_is_left_out_only_to_measure_the_engine),
          NDP_TEST(test_the_result_of_the_mutator_is_recognised));
