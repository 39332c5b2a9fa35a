
#include "base/arena.h"
#include "base/suite.h"
#include "codec/bench_peer.h"

static void the_best_of_both_is_kept(void **state) {
    static const double rows[][2] = {{3, 0}, {2, 9}, {5, 8}, {4, 0}};
    struct bench_best best = {0};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) bench_keep(&best, rows[i][0], rows[i][1]);
    assert_true(best.ours == 2 && best.theirs == 8);
}

/* Redirects the printed row to a file, because cmocka uses standard output. */
static bool show(const struct bench_row *row, struct bench_best best, char *text, size_t room) {
    FILE *file = tmpfile();
    const int kept_fd = dup(1);
    assert_true(file != NULL && kept_fd >= 0);
    (void)fflush(stdout);
    assert_true(dup2(fileno(file), 1) == 1);
    const bool is_kept =
        row != NULL ? bench_show(row, best) : bench_show_memory("m", (long)best.ours, (long)best.theirs);
    (void)fflush(stdout);
    assert_true(dup2(kept_fd, 1) == 1);
    (void)close(kept_fd);
    rewind(file);
    text[fread(text, 1, room - 1, file)] = '\0';
    (void)fclose(file);
    return is_kept;
}

/* Half a second for 8 MiB is 16 MiB/s; the library's seconds determine the ratio. */
static void rates_are_checked_against_bound_and_noise(void **state) {
    static const struct {
        double theirs, bound, noise;
        bool is_kept;
        const char *word;
    } rows[] = {
        {0.5, 1, 0, true, "ratio   1.00 (at least 1.00)\n"},
        {0.45, 1, 0, false, "ratio   0.90 (at least 1.00)  BELOW\n"},
        {0.4625, 1, 0.1, true, "ratio   0.93 (at least 1.00)\n"},
        {0.43, 1, 0.1, false, "BELOW"},
        {0, 20, 0, true, " 16 MiB/s\n"},
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct bench_row row = {"r", "MiB/s", "numpy", 8, rows[i].bound, rows[i].noise};
        char text[256];
        assert_int_equal(show(&row, (struct bench_best){0.5, rows[i].theirs}, text, sizeof text), rows[i].is_kept);
        if (strstr(text, rows[i].word) == NULL || strstr(text, "16 MiB/s") == NULL) fail_msg("row %zu: %s", i, text);
    }
}

static void memory_is_checked_against_its_bound(void **state) {
    static const struct {
        double grown_kib, bound_kib;
        bool is_kept;
    } rows[] = {{0, 0, true}, {7, 7, true}, {8, 7, false}, {-1, 7, false}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char text[256];
        const struct bench_best both = {rows[i].grown_kib, rows[i].bound_kib};
        assert_int_equal(show(NULL, both, text, sizeof text), rows[i].is_kept);
        assert_int_equal(strstr(text, "OVER") == NULL, rows[i].is_kept);
    }
}

enum { TOUCHED_KIB = 16384 };

static void touch(const void *what) {
    uint8_t *bytes = malloc((size_t)TOUCHED_KIB << 10);
    if (what == NULL || bytes == NULL) _exit(1);
    for (size_t i = 0; i < (size_t)TOUCHED_KIB << 10; i += 1024) ((volatile uint8_t *)bytes)[i] = 1;
    free(bytes);
}

static void the_peak_is_the_memory_of_the_work(void **state) {
    const long grown_kib = bench_peak_kib(touch, "");
    assert_in_range(grown_kib, TOUCHED_KIB / 2, TOUCHED_KIB * 4);
    assert_int_equal(bench_peak_kib(touch, NULL), -1);
}

/* Becomes the process that owns the folder. Its child acts according to `how`. */
static _Noreturn void keep_place(const char *folder, char how, int report_fd) {
    struct bench_place place;
    if (setenv("TMPDIR", folder, 1) != 0) _exit(99);
    bench_place_make(&place, 4096);
    FILE *file = fopen(place.path, "w");
    if (file == NULL || fclose(file) != 0 || write(report_fd, "x", 1) != 1) _exit(98);
    if (how == 'e') bench_must(NDP_INVALID, "work");
    if (how == 'k') (void)kill(getpid(), SIGKILL);
    if (how == 'w') (void)pause();
    bench_place_clear(&place);
    _exit(0);
}

static void the_folder_is_always_removed(void **state) {
    static const struct {
        char how;
        int signal, code;
    } rows[] = {{'r', 0, 0}, {'e', 0, 3}, {'k', 0, 3}, {'w', SIGTERM, 3}, {'w', SIGINT, 3}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char folder[512], byte;
        int report[2], status = 0;
        (void)snprintf(folder, sizeof folder, "%s/ndproof-lab-XXXXXX", ndp_temporary_parent());
        assert_non_null(mkdtemp(folder));
        assert_int_equal(pipe(report), 0);
        (void)fflush(stdout);
        const pid_t keeper = fork();
        if (keeper == 0) {
            if (freopen("/dev/null", "w", stderr) == NULL) _exit(97);
            keep_place(folder, rows[i].how, report[1]);
        }
        assert_int_equal(read(report[0], &byte, 1), 1);
        if (rows[i].signal != 0) assert_int_equal(kill(keeper, rows[i].signal), 0);
        assert_int_equal(waitpid(keeper, &status, 0), keeper);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), rows[i].code);
        assert_int_equal(rmdir(folder), 0); /* empty */
        (void)close(report[0]);
        (void)close(report[1]);
    }
}

NDP_SUITE(bench_peer_test, cmocka_unit_test(the_best_of_both_is_kept),
          cmocka_unit_test(rates_are_checked_against_bound_and_noise),
          cmocka_unit_test(memory_is_checked_against_its_bound), cmocka_unit_test(the_peak_is_the_memory_of_the_work),
          cmocka_unit_test(the_folder_is_always_removed));
