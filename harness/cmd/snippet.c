#include "cmd/snippet.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM    "harness/testees/python/snippet"
#define TEXT_BYTES (UINT64_C(64) << 20)

/* The exit codes of PROGRAM. */
enum { DESCRIBED = 0, FAILED = 2, INEXPRESSIBLE = 5 };

extern char **environ;

bool ndp_snippet_is(const char *path) {
    const char *ending = strrchr(path, '.');
    return ending != NULL && strcmp(ending, ".py") == 0;
}

static const char *find_interpreter(const struct ndp_opened *opened) {
    for (uint32_t i = 0; i < opened->bench.count; i++)
        if (opened->interpreters[i][0] != '\0') return opened->interpreters[i];
    return NULL;
}

/* Runs PROGRAM with standard output on a file. Gives its exit code, or -1 after a signal. */
static enum ndp_status run_program(const char *interpreter, const char *path, FILE *output, int *code,
                                   struct ndp_error *error) {
    char python[NDP_INTERPRETER_BYTES], program[PATH_MAX], snippet[PATH_MAX];
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    if (!ndp_open_targets_tree_file(PROGRAM "/__main__.py", program, sizeof program))
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s is not in the source tree of this program", PROGRAM);
    snprintf(python, sizeof python, "%s", interpreter);
    snprintf(snippet, sizeof snippet, "%s", path);
    char *const argv[] = {python, program, snippet, NULL};
    if (posix_spawn_file_actions_init(&actions) != 0) return NDP_NOMEM;
    int failure = posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    if (failure == 0) failure = posix_spawnp(&child, python, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "cannot run %.150s (%s)", python, strerror(failure));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return NDP_IO;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return NDP_OK;
}

/* Reads what PROGRAM wrote. */
static enum ndp_status read_output(struct ndp_arena *arena, FILE *output, struct ndp_bytes *out) {
    NDP_BUFFER_SCOPED(buffer, TEXT_BYTES);
    char block[4096];
    size_t size;
    rewind(output);
    while ((size = fread(block, 1, sizeof block, output)) > 0) NDP_TRY(ndp_buffer_add(&buffer, block, size));
    if (ferror(output)) return NDP_IO;
    const uint8_t *copy = ndp_arena_copy(arena, buffer.data, buffer.size_bytes);
    if (copy == NULL) return NDP_NOMEM;
    *out = (struct ndp_bytes){copy, buffer.size_bytes};
    return NDP_OK;
}

static enum ndp_status judge_end(int code, const char *interpreter, struct ndp_bytes text, struct ndp_error *error) {
    const int length = text.size_bytes > 0 ? (int)text.size_bytes - 1 : 0; /* without the line end */
    const char *reason = (const char *)text.data;
    switch (code) {
    case DESCRIBED:
        return NDP_OK;
    case FAILED:
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "%.*s", length, reason);
    case INEXPRESSIBLE:
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "%.*s", length, reason);
    default:
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET,
                             "%.100s did not describe the value (exit code %d); the output above has the reason",
                             interpreter, code);
    }
}

enum ndp_status ndp_snippet_describe(struct ndp_arena *arena, const struct ndp_opened *opened, const char *path,
                                     struct ndp_bytes *out, struct ndp_error *error) {
    const char *interpreter = find_interpreter(opened);
    struct ndp_bytes text = {NULL, 0};
    int code = -1;
    if (interpreter == NULL)
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET,
                             "no interpreter for the snippet; name one with --python, or build one with 'make env'");
    FILE *output = tmpfile();
    if (output == NULL) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "no temporary file: %s", strerror(errno));
    enum ndp_status status = run_program(interpreter, path, output, &code, error);
    if (status == NDP_OK) status = read_output(arena, output, &text);
    fclose(output);
    if (status == NDP_OK) status = judge_end(code, interpreter, text, error);
    if (status == NDP_OK) *out = text;
    return status;
}
