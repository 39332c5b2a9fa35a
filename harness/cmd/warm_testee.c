/* Fills the caches of compiled code.
 *
 * Problem: compiling the sources of a testee takes as long as importing NumPy, and compiling numba's dicts takes 20
 * seconds. A protected testee cannot write to a cache that outlives it, as it could plant code there.
 *
 * Method: the testee runs once with an input that is at its end. An empty file whose name is a hash of interpreter and
 * script states when; it must be newer than every source and than the folders of installed packages.
 *
 * Cost: some dozen stat() calls; a start of the testee when something changed. Limits: interpreters that are scripts
 * use the cache of the interpreter that they start, if that is warm.
 */
#include "cmd/warm_testee.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"

#define PATIENCE_NS (UINT64_C(120) * 1000000000)

static void take_newest(const char *pattern, time_t *newest) {
    glob_t found;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct stat info;
        if (stat(found.gl_pathv[i], &info) == 0 && info.st_mtime > *newest) *newest = info.st_mtime;
    }
    globfree(&found);
}

/* The last change of the testee's sources or of the installed packages. */
static time_t last_change(const char *interpreter, const char *script) {
    static const char *const patterns[] = {"*.py", "*/*.py"};
    char pattern[PATH_MAX + 64];
    time_t newest = 0;
    const int folder = (int)(strrchr(script, '/') - script);
    for (size_t i = 0; i < NDP_ARRAY_LEN(patterns); i++) {
        snprintf(pattern, sizeof pattern, "%.*s/%s", folder, script, patterns[i]);
        take_newest(pattern, &newest);
    }
    const char *name = strrchr(interpreter, '/');
    if (name == NULL) return newest;
    snprintf(pattern, sizeof pattern, "%.*s/../lib/python3*/site-packages", (int)(name - interpreter), interpreter);
    take_newest(pattern, &newest);
    return newest;
}

/* FNV-1a. */
static uint64_t hash_words(const char *interpreter, const char *script) {
    const char *const words[] = {interpreter, script};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        for (const char *at = words[i]; *at != '\0'; at++) hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
    return hash;
}

static bool is_script(const char *path) {
    char start[2] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool is_one = fd >= 0 && read(fd, start, sizeof start) == 2 && start[0] == '#' && start[1] == '!';
    if (fd >= 0) (void)close(fd);
    return is_one;
}

/* The testee reads the end of its input and exits. */
static _Noreturn void run_without_input(const char *interpreter, const char *script) {
    const int nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 4; fd++)
        if (dup2(nothing, fd) < 0) _exit(127);
    (void)execlp(interpreter, interpreter, script, (char *)NULL);
    _exit(127);
}

static bool is_run(const char *interpreter, const char *script) {
    const struct timespec pause = {.tv_nsec = 2000000};
    const uint64_t end_ns = ndp_clock_ns() + PATIENCE_NS;
    int status = 1;
    const pid_t child = fork();
    if (child == 0) run_without_input(interpreter, script);
    if (child < 0) return false;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (ndp_clock_ns() > end_ns) (void)kill(child, SIGKILL);
        (void)nanosleep(&pause, NULL);
    }
    return status == 0;
}

void ndp_warm_testee(const char *interpreter, const char *script, const char *root) {
    char folder[PATH_MAX + 32], stamp[PATH_MAX + 64];
    struct stat info;
    snprintf(folder, sizeof folder, "%s/build/pycache", root);
    snprintf(stamp, sizeof stamp, "%s/%016llx.warm", folder, (unsigned long long)hash_words(interpreter, script));
    if (is_script(interpreter)) return;
    if (stat(stamp, &info) == 0 && info.st_mtime > last_change(interpreter, script)) return;
    if (mkdir(folder, 0755) != 0 && errno != EEXIST) return;
    if (!is_run(interpreter, script)) return;
    const int fd = open(stamp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return;
    (void)futimens(fd, NULL);
    (void)close(fd);
}
