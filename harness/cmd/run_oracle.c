#include "cmd/run_oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/supervise.h"

enum { SECONDS = 60, PRINTED_BYTES = 1 << 16, TAIL_BYTES = 2048 };

/* ---- names ---- */

static bool is_name_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '_';
}

/* The last of the path's parts that has the name of a target in it says which: the file's own before its folder's. */
bool ndp_fuzzer_of_path(const char *path, char *out) {
    const char *end = path + strlen(path);
    while (end > path) {
        const char *start = end;
        while (start > path && start[-1] != '/') start--;
        const char *found = strstr(start, "fuzz_");
        if (found != NULL && found < end) {
            size_t length = 0;
            while (found + length < end && is_name_byte(found[length])) length++;
            if (length >= NDP_FUZZER_NAME_BYTES) length = NDP_FUZZER_NAME_BYTES - 1;
            memcpy(out, found, length);
            out[length] = '\0';
            return length > strlen("fuzz_");
        }
        end = start > path ? start - 1 : path;
    }
    return false;
}

void ndp_fuzzer_form(const char *name, char *out) {
    const char *form = strncmp(name, "fuzz_", 5) == 0 ? name + 5 : name;
    snprintf(out, NDP_WORD_BYTES, "%.*s", (int)strcspn(form, "_"), form);
}

/* Finds build/<flavour>/fuzzers/<name> from build/<flavour>/ndproof. */
static bool find_program(const char *name, char *out, size_t out_bytes) {
    static const char *const places[] = {"../clang-fuzz/fuzzers", "../cc-asan/fuzzers", "../gcc-asan/fuzzers",
                                         "../clang-asan/fuzzers", "fuzzers"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < NDP_ARRAY_LEN(places); i++) {
        int written = snprintf(out, out_bytes, "%s/%s/%s", self, places[i], name);
        if (written > 0 && (size_t)written < out_bytes && access(out, X_OK) == 0) return true;
    }
    return false;
}

/* ---- running ---- */

static _Noreturn void become(const char *program, const char *path, int print_fd) {
    (void)dup2(print_fd, STDOUT_FILENO);
    (void)dup2(print_fd, STDERR_FILENO);
    (void)setenv("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0:dedup_token_length=3", 0);
    (void)setenv("UBSAN_OPTIONS", "print_stacktrace=1", 0);
    (void)setenv("NDP_FUZZ_STOP", "1", 1);
    (void)unsetenv("NDP_FUZZ_ARTIFACTS");
    (void)execl(program, program, path, (char *)NULL);
    _exit(127);
}

/* Reads what it prints until its end or the deadline; keeps the beginning, where the first error stands. */
static bool read_prints(int fd, uint8_t *room, size_t *size) {
    const uint64_t until_ns = ndp_now_ns() + SECONDS * UINT64_C(1000000000);
    *size = 0;
    for (;;) {
        uint8_t spare[4096];
        const bool has_room = *size < PRINTED_BYTES;
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        const uint64_t now_ns = ndp_now_ns();
        if (now_ns >= until_ns) return false;
        if (poll(&wait, 1, (int)((until_ns - now_ns) / 1000000) + 1) < 0 && errno != EINTR) return false;
        if (wait.revents == 0) continue;
        const ssize_t got = has_room ? read(fd, room + *size, PRINTED_BYTES - *size) : read(fd, spare, sizeof spare);
        if (got <= 0) return true;
        if (has_room) *size += (size_t)got;
    }
}

/* Fills `out` with the line behind `mark`. Whether it is there. */
static bool line_behind(const char *text, const char *mark, char *out, size_t out_bytes) {
    const char *at = strstr(text, mark);
    if (at == NULL) return false;
    at += strlen(mark);
    snprintf(out, out_bytes, "%.*s", (int)strcspn(at, "\n"), at);
    return true;
}

/* What a sanitizer says in its summary, without places that change: the kind of error and the function. */
static void sign_crash(const char *name, const char *text, int status, struct ndp_oracle_word *out) {
    char summary[512], kind[64] = "", function[96] = "";
    if (line_behind(text, "SUMMARY: ", summary, sizeof summary)) {
        const char *rest = strchr(summary, ' ');
        const char *in = strstr(summary, " in ");
        if (rest != NULL) snprintf(kind, sizeof kind, "%.*s", (int)strcspn(rest + 1, " "), rest + 1);
        if (in != NULL) snprintf(function, sizeof function, "%.*s", (int)strcspn(in + 4, " (\n"), in + 4);
    } else if (WIFSIGNALED(status)) {
        snprintf(kind, sizeof kind, "signal %d", WTERMSIG(status));
    } else {
        snprintf(kind, sizeof kind, "exit %d", WEXITSTATUS(status));
    }
    snprintf(out->signature, sizeof out->signature, "CRASH|%s|%s|%s", name, kind, function);
    snprintf(out->death.frame, sizeof out->death.frame, "%s", function);
}

static void judge(const char *name, const char *text, int status, bool is_in_time, struct ndp_oracle_word *out) {
    out->verdict = NDP_VERDICT_PASS;
    if (!is_in_time) {
        out->verdict = NDP_VERDICT_TIMEOUT;
        snprintf(out->signature, sizeof out->signature, "TIMEOUT|%s", name);
    } else if (line_behind(text, "Assertion failure: ", out->signature, sizeof out->signature)) {
        out->verdict = NDP_VERDICT_DIVERGES;
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        out->verdict = NDP_VERDICT_CRASH;
        if (WIFSIGNALED(status)) out->death.signal = WTERMSIG(status);
        if (WIFEXITED(status)) out->death.exit_code = WEXITSTATUS(status);
        sign_crash(name, text, status, out);
    }
}

enum ndp_status ndp_oracle_ask(struct ndp_arena *arena, const char *name, const char *path, struct ndp_oracle_word *out,
                               struct ndp_error *error) {
    char program[PATH_MAX];
    int channel[2], status = 0;
    size_t size;
    if (!find_program(name, program, sizeof program))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "there is no program %s here: make all", name);
    uint8_t *room = ndp_arena_alloc(arena, PRINTED_BYTES + 1);
    if (room == NULL) return NDP_NOMEM;
    if (pipe(channel) != 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "no pipe: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) become(program, path, channel[1]);
    close(channel[1]);
    bool is_in_time = child > 0 && read_prints(channel[0], room, &size);
    close(channel[0]);
    if (child < 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "no process: %s", strerror(errno));
    if (!is_in_time) (void)kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    room[size] = '\0';
    struct ndp_oracle_word word = {.verdict = NDP_VERDICT_PASS};
    judge(name, (const char *)room, status, is_in_time, &word);
    const size_t tail = size < TAIL_BYTES ? size : TAIL_BYTES;
    word.printed = (struct ndp_bytes){room + size - tail, tail};
    *out = word;
    return NDP_OK;
}
