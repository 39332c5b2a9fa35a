#include "cmd/python_program.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/open_targets.h"

enum { MAX_ARGUMENTS = 64 };

extern char **environ;

static void find_interpreter(char *out, size_t out_bytes) {
    const char *named = getenv("PYTHON");
    if (ndp_open_targets_tree_file("build/venv/bin/python3", out, out_bytes) && access(out, X_OK) == 0) return;
    snprintf(out, out_bytes, "%s", named != NULL && named[0] != '\0' ? named : "python3");
}

enum ndp_status ndp_python_program_run(const char *name, const char *const *arguments, int *code,
                                       struct ndp_error *error) {
    char interpreter[PATH_MAX], program[PATH_MAX];
    char *argv[MAX_ARGUMENTS + 3] = {interpreter, program};
    size_t count = 2;
    for (; *arguments != NULL; arguments++) {
        if (count == MAX_ARGUMENTS + 2) return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "too many arguments");
        memcpy(&argv[count++], arguments, sizeof *arguments); /* posix_spawn does not write to them */
    }
    find_interpreter(interpreter, sizeof interpreter);
    if (!ndp_open_targets_tree_file(name, program, sizeof program))
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s is not in the source tree of this program", name);
    pid_t child;
    int status = 0;
    fflush(stdout);
    const int failure = posix_spawnp(&child, interpreter, NULL, NULL, argv, environ);
    if (failure != 0)
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "cannot run %s (%s); 'make setup' installs Python",
                             interpreter, strerror(failure));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return NDP_IO;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return NDP_OK;
}
