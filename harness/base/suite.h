/* suite.h: a suite of unit tests, one for each file x_test.c. The build links the suites of a folder into one program,
 * whose main() is in suite_main.c, and generates the list of its suites from the names of the files. This header
 * includes the headers that most tests need. */
#ifndef NDP_BASE_SUITE_H
#define NDP_BASE_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* cmocka passes `state` to every test; most tests need none. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

struct ndp_suite {
    const char *name; /* of the file, without its folder and .c */
    uint32_t test_count;
    int (*run)(void); /* returns the number of tests that failed, or a negative number when a fixture failed */
    /* Plays another program, for a suite whose tests start their own program with arguments: returns the exit code, or
     * a negative number when the arguments ask for no role. NULL when the suite needs none. */
    int (*play_role)(int argc, char **argv);
};

/* One test of a suite. */
#define NDP_TEST(function) cmocka_unit_test(function)

/* Defines the suite of the file NAME.c: NDP_SUITE(bytes_test, NDP_TEST(...), ...); */
#define NDP_SUITE(name, ...) NDP_SUITE_WITH(name, NULL, NULL, NULL, __VA_ARGS__)

/* The same, with functions that run before the first and after the last test. */
#define NDP_SUITE_FIXTURE(name, set_up, tear_down, ...) NDP_SUITE_WITH(name, NULL, set_up, tear_down, __VA_ARGS__)

/* The same, with a role. An emulator cannot start the program of another machine by itself, and skips such a suite. */
#define NDP_SUITE_WITH(name, role, set_up, tear_down, ...)                                                             \
    static const struct CMUnitTest suite_tests[] = {__VA_ARGS__};                                                      \
    static int suite_run(void) {                                                                                       \
        return cmocka_run_group_tests_name(#name, suite_tests, set_up, tear_down);                                     \
    }                                                                                                                  \
    extern const struct ndp_suite ndp_suite_##name;                                                                    \
    const struct ndp_suite ndp_suite_##name = {#name, sizeof suite_tests / sizeof *suite_tests, suite_run, role}

/* Gives the suites of this program, NULL behind the last. The build generates this function. */
const struct ndp_suite *const *ndp_suites(uint32_t *count);

#endif
