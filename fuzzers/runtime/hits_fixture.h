/* hits_fixture.h: counts the findings of an oracle in a unit test, for one NPY file and for an array that differs from
 * it. Include it once per program, after cmocka.h. */
#ifndef NDP_FUZZ_HITS_FIXTURE_H
#define NDP_FUZZ_HITS_FIXTURE_H

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "codec/npy/npy_decode.h"
#include "fuzz.h"

/* As numpy.save of NumPy 2.4.6 writes numpy.array([[1, 2, 3], [4, 5, 6]], "u1"). */
static const char npy_file[] = "\x93NUMPY\1\0v\0{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }"
                               "                                                          \n\1\2\3\4\5\6";
static const struct ndp_bytes npy_bytes = {(const uint8_t *)npy_file, sizeof npy_file - 1};

/* Decodes the file. The caller clears the array. */
static inline void decode_file(struct ndp_arena *arena, struct ndp_npy_array *out) {
    ndp_arena_init(arena, 1 << 20);
    assert_int_equal(npy_bytes.size_bytes, 128 + 6);
    assert_int_equal(ndp_npy_decode_memory(arena, npy_bytes, NULL, out, NULL), NDP_OK);
}

/* Redirects standard error while a test breaks promises on purpose. Returns the argument for be_loud(). */
static inline int be_quiet(void) {
    const int loud = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    assert_true(loud >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0);
    close(nowhere);
    return loud;
}

static inline void be_loud(int loud) {
    assert_true(dup2(loud, STDERR_FILENO) >= 0);
    close(loud);
}

/* Runs the target in a process that files into `folder`; returns the exit code. */
static inline int exit_code(void (*run)(void), const char *folder) {
    int status = -1;
    const int loud = be_quiet();
    const pid_t child = fork();
    if (child == 0) {
        char prefix[256];
        snprintf(prefix, sizeof prefix, "%s/", folder);
        (void)setenv("NDP_FUZZ_ARTIFACTS", prefix, 1);
        (void)signal(SIGXFSZ, SIG_IGN);
        run();
        exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    be_loud(loud);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Counts the artifacts and signature files, and removes them. */
static inline void take_files(const char *folder, int *artifacts, int *signatures) {
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    *artifacts = *signatures = 0;
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (entry->d_name[0] == '.') continue;
        *(strstr(entry->d_name, ".signature") ? signatures : artifacts) += 1;
        assert_int_equal(unlinkat(dirfd(entries), entry->d_name, 0), 0);
    }
    closedir(entries);
}

#endif
