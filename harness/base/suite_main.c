/* suite_main.c: runs the unit tests of one program.
 *
 * usage: tests [--list] [--emulated] [SUITE...]
 *
 * Without a name all suites run. A single suite runs in this process, as a debugger wants it; several run in a process
 * of their own each, so that a crash in one hides no result of the others, and a tally of tests ends the output. --list
 * prints the names; --emulated skips suites that start their own program. Exit code: 0 when no test failed
 * and at least one ran or was skipped, otherwise 1. */
#include <stdbool.h>
#include <sys/wait.h>

#include "base/suite.h"

/* Names the suite whose tests run, so that a program that they start plays that suite's role. */
#define RUNNING_SUITE "NDPROOF_TEST_SUITE"

struct tally {
    uint64_t passed;
    uint64_t failed;
    uint64_t skipped_suites;
};

static const struct ndp_suite *find_suite(const char *name) {
    uint32_t count;
    const struct ndp_suite *const *suites = ndp_suites(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(suites[i]->name, name) == 0) return suites[i];
    return NULL;
}

static int list_suites(void) {
    uint32_t count;
    const struct ndp_suite *const *suites = ndp_suites(&count);
    for (uint32_t i = 0; i < count; i++) puts(suites[i]->name);
    return count > 0 ? 0 : 1;
}

static int run_here(const struct ndp_suite *suite) {
    if (setenv(RUNNING_SUITE, suite->name, 1) != 0) return -1;
    const int failed = suite->run();
    return fflush(stdout) == 0 ? failed : -1;
}

/* Adds the results of a suite that runs in a child process. A process that ended otherwise than by its tests counts as
 * one failed test. */
static void run_in_child(const struct ndp_suite *suite, struct tally *tally) {
    int status = 0;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int failed = run_here(suite);
        exit(failed < 0 || failed > 100 ? 101 : failed);
    }
    const bool has_ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    const uint32_t failed = has_ended ? (uint32_t)WEXITSTATUS(status) : UINT32_MAX;
    if (failed <= suite->test_count) {
        tally->passed += suite->test_count - failed;
        tally->failed += failed;
        return;
    }
    printf("not ok - %s ended before its tests did (wait status 0x%x)\n", suite->name, (unsigned)status);
    tally->failed++;
}

static int run_several(const char *const *names, uint32_t name_count, bool is_emulated) {
    uint32_t count;
    const struct ndp_suite *const *suites = ndp_suites(&count);
    struct tally tally = {0, 0, 0};
    for (uint32_t i = 0; i < (name_count > 0 ? name_count : count); i++) {
        const struct ndp_suite *suite = name_count > 0 ? find_suite(names[i]) : suites[i];
        if (suite->play_role == NULL || !is_emulated) {
            run_in_child(suite, &tally);
            continue;
        }
        puts("not ok # SKIP all of them: an emulator cannot start their program"); /* as cmocka prints it */
        tally.skipped_suites++;
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)tally.passed, (unsigned long long)tally.failed);
    return tally.failed == 0 && tally.passed + tally.skipped_suites > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    const char *running = getenv(RUNNING_SUITE);
    const struct ndp_suite *player = running != NULL ? find_suite(running) : NULL;
    const int role = player != NULL && player->play_role != NULL ? player->play_role(argc, argv) : -1;
    if (role >= 0) return role;
    int first = 1;
    bool is_emulated = false;
    if (argc > 1 && strcmp(argv[1], "--list") == 0) return list_suites();
    if (argc > 1 && strcmp(argv[1], "--emulated") == 0) is_emulated = true, first = 2;
    for (int i = first; i < argc; i++)
        if (find_suite(argv[i]) == NULL) {
            fprintf(stderr, "%s: no suite is called %s; --list prints all\n", argv[0], argv[i]);
            return 1;
        }
    const struct ndp_suite *only = argc == first + 1 ? find_suite(argv[first]) : NULL;
    if (only != NULL && !(is_emulated && only->play_role != NULL)) return run_here(only) == 0 ? 0 : 1;
    return run_several((const char *const *)argv + first, (uint32_t)(argc - first), is_emulated);
}
