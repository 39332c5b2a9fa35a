#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/testee_environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

enum { MOST_KEPT = 128, PATH_BYTES = 4096 };

/* Beginnings of the names of variables that change how interpreters and libraries work. */
static const char *const kept_names[] = {
    "PYTHON",
    "NPY_",
    "NUMPY_",
    "NUMBA_",
    "JOBLIB_START_METHOD=",
    "JOBLIB_MULTIPROCESSING=",
    "LOKY_",
    "OMP_",
    "OPENBLAS_",
    "MKL_",
    "BLIS_",
    "LD_",
    "QEMU_",
    "ASAN_",
    "UBSAN_",
    "LSAN_",
    "MSAN_",
    "TSAN_",
    "MALLOC_",
    "GLIBC_",
    "NDP_DEFECT=",
    "NDPROOF_PATIENCE=",
    "NDPROOF_COUNTERS=",
    "NDPROOF_TEST_",
    "LANG=",
    "LC_",
    "TZ=",
    "PYENV_",
    "ASDF_",
    "CUPY_",
    "CUDA_",
    "EMULATOR=",
};

/* Keeps the folders of installations that programs look for below HOME, because the testee gets another HOME but needs
 * the same interpreter and packages. */
static void keep_installations(const char *home) {
    static const struct {
        const char *variable;
        const char *folder;
    } roots[] = {{"PYENV_ROOT", ".pyenv"}, {"PYTHONUSERBASE", ".local"}, {"ASDF_DATA_DIR", ".asdf"}};
    char path[PATH_BYTES];
    for (size_t i = 0; i < NDP_ARRAY_LEN(roots); i++) {
        const int length = snprintf(path, sizeof path, "%s/%s", home, roots[i].folder);
        if (length > 0 && (size_t)length < sizeof path && access(path, X_OK) == 0)
            (void)setenv(roots[i].variable, path, 0);
    }
}

bool ndp_testee_environment_add(const char *folder, const char *feedback) {
    static const char *const names[] = {"TMPDIR", "TMP", "TEMP", "HOME", "PWD"};
    if ((feedback ? setenv("NDPROOF_COUNTERS", feedback, 1) : unsetenv("NDPROOF_COUNTERS")) != 0) return false;
    const char *home = getenv("HOME");
    if (home && home[0] == '/') keep_installations(home);
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++)
        if (setenv(names[i], folder, 1) != 0) return false;
    return true;
}

static bool is_kept(const char *variable) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(kept_names); i++)
        if (strncmp(variable, kept_names[i], strlen(kept_names[i])) == 0) return true;
    return false;
}

bool ndp_testee_environment_set(const char *folder, const char *search, const char *feedback) {
    char *kept[MOST_KEPT];
    size_t count = 0;
    if (!ndp_testee_environment_add(folder, feedback)) return false;
    for (char **at = environ; *at != NULL && count < MOST_KEPT; at++)
        if (is_kept(*at)) kept[count++] = strdup(*at);
    if (clearenv() != 0) return false;
    for (size_t i = 0; i < count; i++)
        if (kept[i] == NULL || putenv(kept[i]) != 0) return false;
    static const char *const names[] = {"TMPDIR", "TMP", "TEMP", "HOME", "PWD"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++)
        if (setenv(names[i], folder, 1) != 0) return false;
    return setenv("PATH", search, 1) == 0 && setenv("LANG", "C.UTF-8", 0) == 0 && setenv("USER", "testee", 1) == 0;
}
