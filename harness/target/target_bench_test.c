/* target_bench_test.c: checks the form of the output. No figure is judged. */
#include "base/suite.h"
#include "codec/bench_peer.h"

enum { TEXT_BYTES = 1 << 12, IS_ALIVE = 42 };

/* Under an emulator, a program that starts itself would start the emulator. */
static bool can_start_itself(void) {
    char program[] = "/proc/self/exe", word[] = "alive";
    char *words[] = {program, word, NULL};
    int status = 0;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        (void)execv(program, words);
        _exit(1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == IS_ALIVE;
}

/* Runs the bench with an argument, or none. Returns its exit code and output. */
static int run_bench(char *word, char *text) {
    char name[] = "target_bench";
    char *words[] = {name, word, NULL};
    int status = 0;
    FILE *file = tmpfile();
    assert_non_null(file);
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (dup2(fileno(file), 1) < 0 || dup2(fileno(file), 2) < 0) _exit(99);
        exit(bench_main(word != NULL ? 2 : 1, words));
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    rewind(file);
    text[fread(text, 1, TEXT_BYTES - 1, file)] = '\0';
    (void)fclose(file);
    return WEXITSTATUS(status);
}

/* Every counted case came back with its elements; otherwise the bench exits with 1. */
static void both_ways_are_measured_in_two_sizes(void **state) {
    static const char *const names[] = {"reference in process", "reference in process", "reference as testee",
                                        "reference as testee"};
    static const unsigned sizes[] = {128, 65536, 128, 65536};
    char text[TEXT_BYTES];
    if (!can_start_itself()) skip();
    assert_int_equal(run_bench(NULL, text), 0);
    const char *line = text;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned bytes;
        double rate, each_us, own_us;
        assert_memory_equal(line, names[i], strlen(names[i]));
        assert_int_equal(sscanf(line + strlen(names[i]), " %u bytes %lf cases/s %lf us/case, of which %lf us", &bytes,
                                &rate, &each_us, &own_us),
                         4);
        assert_int_equal(bytes, sizes[i]);
        assert_true(rate > 0 && each_us > 0 && own_us >= 0);
        assert_true(rate * each_us > 0.5e6 && rate * each_us < 2e6); /* both express the same time */
        line = strchr(line, '\n');
        assert_non_null(line);
        line++;
    }
    assert_int_equal(*line, '\0');
}

static void a_missing_testee_is_an_error(void **state) {
    char missing[] = "/nonexistent/testee";
    char text[TEXT_BYTES];
    if (!can_start_itself()) skip();
    assert_int_equal(run_bench(missing, text), 1);
    assert_non_null(strstr(text, "target_bench: "));
    assert_null(strstr(text, "the given testee"));
}

/* The bench starts its own program, which is this one, as the testee. */
static int play_role(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "alive") == 0) return IS_ALIVE;
    if (argc == 2 && strcmp(argv[1], "serve") == 0) return bench_main(argc, argv);
    return -1;
}

NDP_SUITE_WITH(target_bench_test, play_role, NULL, NULL, cmocka_unit_test(both_ways_are_measured_in_two_sizes),
               cmocka_unit_test(a_missing_testee_is_an_error));
