/* bench_lab.h: test helpers for benches: runs one in its own folder, with a shell script as build/venv/bin/python that
 * logs each task, keeps the last file to load, and always reports the same seconds. No result depends on the speed of
 * the machine: the library takes 1000 s, or next to none. */
#ifndef NDP_BENCH_LAB_H
#define NDP_BENCH_LAB_H

#include "base/suite.h"
#include <sys/stat.h>

#include "codec/bench_peer.h"

#define NO_LIBRARY   NULL
#define DEAD_LIBRARY ""
#define SLOW_LIBRARY "1000"
#define FAST_LIBRARY "0.000000001"

struct bench_lab {
    char folder[512];
    char kept[520]; /* the last file that was loaded */
    char text[1 << 13], asked[1 << 14];
    int code;
};

static inline void lab_write_program(const struct bench_lab *lab, const char *format, const char *value) {
    char path[600];
    (void)snprintf(path, sizeof path, "%s/build/venv/bin/python", lab->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, format, value) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static inline void lab_read(const struct bench_lab *lab, const char *name, char *out, size_t room) {
    char path[600];
    (void)snprintf(path, sizeof path, "%s/%s", lab->folder, name);
    FILE *file = fopen(path, "r");
    const size_t size = file != NULL ? fread(out, 1, room - 1, file) : 0;
    out[size] = '\0';
    if (file != NULL) (void)fclose(file);
}

/* Number of occurrences of `word` in `text`. */
static inline unsigned lab_count(const char *text, const char *word) {
    unsigned count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) count++;
    return count;
}

/* Creates the folder with a library that reports `answer`. */
static inline void lab_make(struct bench_lab *lab, const char *answer) {
    static const char script[] = "#!/bin/sh\n"
                                 "while read -r task; do\n"
                                 "    echo \"$task\" >>asked\n"
                                 "    case $task in *load*) cp \"${task##* }\" kept ;; esac\n"
                                 "    echo %s\n"
                                 "done\n";
    static const char *const folders[] = {"build", "build/venv", "build/venv/bin"};
    (void)snprintf(lab->folder, sizeof lab->folder, "%s/ndproof-lab-XXXXXX", ndp_temporary_parent());
    assert_non_null(mkdtemp(lab->folder));
    (void)snprintf(lab->kept, sizeof lab->kept, "%s/kept", lab->folder);
    if (answer == NO_LIBRARY) return;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[600];
        (void)snprintf(path, sizeof path, "%s/%s", lab->folder, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    lab_write_program(lab, answer[0] != '\0' ? script : "#!/bin/sh\nexit 0\n%s", answer);
}

static inline _Noreturn void lab_become_bench(const struct bench_lab *lab, char *size) {
    char name[] = "bench";
    char *words[] = {name, size, NULL};
    if (chdir(lab->folder) != 0 || setenv("TMPDIR", lab->folder, 1) != 0) _exit(99);
    if (freopen("text", "w", stdout) == NULL || dup2(fileno(stdout), 2) < 0) _exit(99);
    exit(bench_main(2, words));
}

static inline void lab_run(struct bench_lab *lab, const char *answer, const char *size) {
    char word[16];
    int status = 0;
    (void)snprintf(word, sizeof word, "%s", size);
    lab_make(lab, answer);
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) lab_become_bench(lab, word);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    lab->code = WEXITSTATUS(status);
    lab_read(lab, "text", lab->text, sizeof lab->text);
    lab_read(lab, "asked", lab->asked, sizeof lab->asked);
}

/* Fails if the bench left anything in the folder. */
static inline void lab_end(const struct bench_lab *lab) {
    static const char *const names[] = {
        "build/venv/bin/python", "build/venv/bin", "build/venv", "build", "kept", "asked", "text"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[600];
        (void)snprintf(path, sizeof path, "%s/%s", lab->folder, names[i]);
        (void)remove(path);
    }
    assert_int_equal(rmdir(lab->folder), 0);
}

/* Checks that `rates` rows have a bound on the library's rate. Memory is measured for real, and its row reports OVER if
 * it exceeds the bound. */
static inline void lab_check_bounds(unsigned rates) {
    static const char *const answers[] = {SLOW_LIBRARY, FAST_LIBRARY, NO_LIBRARY};
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        static struct bench_lab lab;
        lab_run(&lab, answers[i], "1");
        const bool is_over = strstr(lab.text, "OVER") != NULL;
        assert_int_equal(lab_count(lab.text, "ratio"), answers[i] != NO_LIBRARY ? rates : 0);
        assert_int_equal(lab_count(lab.text, "BELOW"), i == 1 ? rates : 0);
        assert_int_equal(lab_count(lab.text, "NOT RUN"), answers[i] == NO_LIBRARY);
        assert_int_equal(lab_count(lab.text, "/s\n") + lab_count(lab.text, "/s "), rates);
        assert_int_equal(lab.code, i == 1 || is_over ? 1 : 0);
        lab_end(&lab);
    }
}

static inline void lab_check_failures(void) {
    static const char *const sizes[] = {"0", "-1", "4097", "1x", "", " "};
    static struct bench_lab lab;
    lab_run(&lab, DEAD_LIBRARY, "1");
    assert_int_equal(lab.code, 3);
    assert_non_null(strstr(lab.text, "did not answer"));
    lab_end(&lab);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        lab_run(&lab, NO_LIBRARY, sizes[i]);
        assert_int_equal(lab.code, 2);
        assert_non_null(strstr(lab.text, "usage: bench [MIB]"));
        lab_end(&lab);
    }
}

#endif
