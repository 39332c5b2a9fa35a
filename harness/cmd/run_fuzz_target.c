#include "cmd/run_fuzz_target.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/withhold.h"
#include "target/process/child.h"
#include "target/process/isolate.h"

/* Printed by a fuzz target that cannot run here (fuzzers/runtime/runtime.c). */
#define CANNOT_WORK "ndproof: cannot work: "

/* The limits of .ci/fuzz.py for an input under libFuzzer: CPU time and memory. The wall time allows for a busy machine.
 */
enum { WALL_SECONDS = 60, CPU_SECONDS = 20, SAMPLE_MS = 100, PRINTED_BYTES = 1 << 16, TAIL_BYTES = 2048 };
#define MEMORY_BYTES (UINT64_C(3) << 30)

/* ---- names ---- */

static bool is_name_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '_';
}

/* Fills `out` (NDP_FUZZER_NAME_BYTES) with the fuzz target named between `start` and `end`, and returns whether there
 * is one. */
static bool find_name(const char *start, const char *end, char *out) {
    const char *found = strstr(start, "fuzz_");
    if (found == NULL || found >= end) return false;
    size_t length = 0;
    while (found + length < end && is_name_byte(found[length])) length++;
    if (length >= NDP_FUZZER_NAME_BYTES) length = NDP_FUZZER_NAME_BYTES - 1;
    memcpy(out, found, length);
    out[length] = '\0';
    return length > strlen("fuzz_");
}

void ndp_run_fuzz_target_form(const char *name, char *out) {
    const char *form = strncmp(name, "fuzz_", 5) == 0 ? name + 5 : name;
    snprintf(out, NDP_WORD_BYTES, "%.*s", (int)strcspn(form, "_"), form);
}

static const char *file_name(const char *path) {
    const char *name = strrchr(path, '/');
    return name != NULL ? name + 1 : path;
}

static bool begins_with_any(const char *name, const char *const *beginnings, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) return true;
    return false;
}

/* The names of files that an engine, or .ci/fuzz.py, found to be broken. */
static const char *const report_beginnings[] = {"crash-",   "leak-",      "timeout-",
                                                "oom-",     "slow-unit-", "minimized-from-",
                                                "finding-", "mutation-",  "clusterfuzz-testcase"};
/* The names that AFL++ gives to everything that it keeps. */
static const char *const afl_beginnings[] = {"id:", "id_0"};

/* Returns whether an engine, or .ci/fuzz.py, gives artifacts such a name. */
static bool is_artifact_name(const char *path) {
    const char *name = file_name(path);
    return begins_with_any(name, report_beginnings, NDP_ARRAY_LEN(report_beginnings)) ||
           begins_with_any(name, afl_beginnings, NDP_ARRAY_LEN(afl_beginnings));
}

/* Returns whether the name of the file reports that it breaks something, also behind the name of a fuzz target
 * ("fuzz_npy-crash-..."). The queue of AFL++ has inputs that do not. */
static bool is_report_name(const char *path) {
    static const char queue[] = "queue/";
    const char *name = file_name(path);
    if (begins_with_any(name, afl_beginnings, NDP_ARRAY_LEN(afl_beginnings))) {
        const size_t folder = (size_t)(name - path), length = sizeof queue - 1;
        return folder < length || strncmp(name - length, queue, length) != 0;
    }
    if (strncmp(name, "fuzz_", 5) == 0) {
        while (is_name_byte(*name)) name++;
        name += *name == '-';
    }
    return begins_with_any(name, report_beginnings, NDP_ARRAY_LEN(report_beginnings));
}

/* ---- programs ---- */

/* Flavours whose fuzz targets replay artifacts, in this order; NULL is the flavour of this program. */
static const char *const flavours[] = {"clang-fuzz", "cc-asan", "gcc-asan", "clang-asan", NULL};

/* Fills `out` with build/<flavour>/fuzzers or, if this program was built with a plugin and therefore runs in
 * build/<flavour>/with-<plugin>/, with the folder of the targets that were built with the same plugin. */
static bool find_folder(const char *flavour, char *out, size_t out_bytes) {
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, PATH_MAX - 1);
    if (length <= 0) return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    const char *last = strrchr(self, '/');
    const char *plugin = last != NULL && strncmp(last, "/with-", strlen("/with-")) == 0 ? last : "";
    const char *up = plugin[0] != '\0' ? "../.." : "..";
    const int written = flavour == NULL ? snprintf(out, out_bytes, "%s/fuzzers", self)
                                        : snprintf(out, out_bytes, "%s/%s/%s%s/fuzzers", self, up, flavour, plugin);
    return written > 0 && (size_t)written < out_bytes;
}

static bool find_program(const char *name, char *out, size_t out_bytes) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(flavours); i++) {
        if (!find_folder(flavours[i], out, out_bytes)) continue;
        const size_t length = strlen(out);
        const int written = snprintf(out + length, out_bytes - length, "/%s", name);
        if (written > 0 && (size_t)written < out_bytes - length && access(out, X_OK) == 0) return true;
    }
    return false;
}

static void add_name(struct ndp_fuzz_target_list *list, const char *name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0) return;
    const size_t length = strlen(name);
    if (list->count == NDP_MAX_FUZZERS || length >= NDP_FUZZER_NAME_BYTES) return;
    memcpy(list->names[list->count++], name, length + 1);
}

/* Adds the fuzz targets in a folder; the names of objects and mutators have a dot. */
static void add_programs(struct ndp_fuzz_target_list *list, const char *folder) {
    DIR *entries = opendir(folder);
    if (entries == NULL) return;
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        size_t length = 0;
        while (is_name_byte(entry->d_name[length])) length++;
        if (entry->d_name[length] != '\0' || strncmp(entry->d_name, "fuzz_", 5) != 0) continue;
        if (faccessat(dirfd(entries), entry->d_name, X_OK, 0) == 0) add_name(list, entry->d_name);
    }
    closedir(entries);
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

static void add_all(struct ndp_fuzz_target_list *list) {
    char folder[PATH_MAX];
    const uint32_t named = list->count;
    for (size_t i = 0; i < NDP_ARRAY_LEN(flavours); i++)
        if (find_folder(flavours[i], folder, sizeof folder)) add_programs(list, folder);
    qsort(list->names[named], list->count - named, sizeof list->names[0], by_name);
}

/* Leaves out the fuzz targets that must not run. Without the named one, a PASS of the others proves nothing. */
static void leave_out_withheld(struct ndp_fuzz_target_list *list) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (ndp_withhold_fuzz_target(list->names[i])) {
            list->is_absent = list->is_absent || list->is_named;
            list->is_named = false;
            continue;
        }
        if (kept != i) memcpy(list->names[kept], list->names[i], sizeof list->names[i]);
        kept++;
    }
    list->count = kept;
}

void ndp_run_fuzz_target_candidates(const char *path, struct ndp_fuzz_target_list *out) {
    const char *const path_end = path + strlen(path);
    char program[PATH_MAX];
    *out = (struct ndp_fuzz_target_list){.count = 0};
    for (const char *end = path_end; end > path && !out->is_named;) {
        const char *start = end;
        while (start > path && start[-1] != '/') start--;
        out->is_named = find_name(start, end, out->names[0]);
        /* Any folder may have such a name, and AFL++ file names contain folder and mutator names. */
        if ((end != path_end || is_artifact_name(path)) && out->is_named)
            out->is_named = find_program(out->names[0], program, sizeof program);
        end = start > path ? start - 1 : path;
    }
    out->count = out->is_named ? 1 : 0;
    out->is_artifact = out->is_named || is_artifact_name(path);
    out->is_reported = out->is_artifact && is_report_name(path);
    out->is_absent = out->is_named && !find_program(out->names[0], program, sizeof program);
    if (out->is_absent) out->is_named = false;
    if (out->is_artifact && !out->is_named) add_all(out);
    leave_out_withheld(out);
}

/* ---- running ---- */

static _Noreturn void exec_fuzz_target(const char *program, const char *path, int print_fd) {
    (void)dup2(print_fd, STDOUT_FILENO);
    (void)dup2(print_fd, STDERR_FILENO);
    (void)setenv("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0:dedup_token_length=3", 0);
    (void)setenv("UBSAN_OPTIONS", "print_stacktrace=1", 0);
    (void)setenv("NDP_FUZZ_STOP", "1", 1);
    (void)unsetenv("NDP_FUZZ_ARTIFACTS");
    (void)execl(program, program, path, (char *)NULL);
    _exit(127);
}

static bool is_set(const volatile sig_atomic_t *stop) {
    return stop != NULL && *stop != 0;
}

/* A running fuzz target. */
struct running {
    pid_t child;
    int fd; /* its output */
    uint64_t until_ns;
    const volatile sig_atomic_t *stop;
};

static bool is_over_cpu_limit(pid_t child) {
    clockid_t clock;
    struct timespec own;
    return clock_getcpuclockid(child, &clock) == 0 && clock_gettime(clock, &own) == 0 && own.tv_sec >= CPU_SECONDS;
}

/* Returns the limit that the process exceeds; PASS for none. */
static enum ndp_verdict check_limits(const struct running *running) {
    if (ndp_isolate_tree_memory_bytes((int)running->child) > MEMORY_BYTES) return NDP_VERDICT_OOM;
    if (ndp_clock_ns() >= running->until_ns || is_set(running->stop)) return NDP_VERDICT_TIMEOUT;
    return is_over_cpu_limit(running->child) ? NDP_VERDICT_TIMEOUT : NDP_VERDICT_PASS;
}

/* Reads the output until the process ends or exceeds a limit; keeps the beginning, which has the first error. Returns
 * the exceeded limit, or PASS. */
static enum ndp_verdict read_output(const struct running *running, uint8_t *room, size_t *size) {
    *size = 0;
    for (;;) {
        uint8_t spare[4096];
        const bool has_room = *size < PRINTED_BYTES;
        struct pollfd wait = {.fd = running->fd, .events = POLLIN};
        const enum ndp_verdict exceeded = check_limits(running);
        if (exceeded != NDP_VERDICT_PASS) return exceeded;
        if (poll(&wait, 1, SAMPLE_MS) < 0 && errno != EINTR) return NDP_VERDICT_TIMEOUT;
        if (wait.revents == 0) continue;
        const ssize_t got =
            has_room ? read(running->fd, room + *size, PRINTED_BYTES - *size) : read(running->fd, spare, sizeof spare);
        if (got <= 0) return NDP_VERDICT_PASS;
        if (has_room) *size += (size_t)got;
    }
}

/* Fills `out` with the rest of the line after `mark`, and returns whether `mark` is in the text. */
static bool find_line_after(const char *text, const char *mark, char *out, size_t out_bytes) {
    const char *at = strstr(text, mark);
    if (at == NULL) return false;
    at += strlen(mark);
    snprintf(out, out_bytes, "%.*s", (int)strcspn(at, "\n"), at);
    return true;
}

/* Fills the signature of a crash from the summary of a sanitizer: the kind of error and the function, which are stable,
 * without the line. */
static void set_crash_signature(const char *name, const char *text, int status, struct ndp_fuzz_target_result *out) {
    char summary[512], kind[64] = "", function[96] = "";
    if (find_line_after(text, "SUMMARY: ", summary, sizeof summary)) {
        const char *rest = strchr(summary, ' ');
        const char *in = strstr(summary, " in ");
        if (rest != NULL) snprintf(kind, sizeof kind, "%.*s", (int)strcspn(rest + 1, " "), rest + 1);
        if (in != NULL) snprintf(function, sizeof function, "%.*s", (int)strcspn(in + 4, " (\n"), in + 4);
        /* The summary of UBSan has no function. */
        if (in != NULL && function[0] == '\0' && find_line_after(text, "DEDUP_TOKEN: ", function, sizeof function))
            function[strcspn(function, "-")] = '\0';
    } else if (WIFSIGNALED(status)) {
        snprintf(kind, sizeof kind, "signal %d", WTERMSIG(status));
    } else {
        snprintf(kind, sizeof kind, "exit %d", WEXITSTATUS(status));
    }
    snprintf(out->signature, sizeof out->signature, "CRASH|%s|%s|%s", name, kind, function);
    snprintf(out->death.frame, sizeof out->death.frame, "%s", function);
}

/* Fills `out` with the signature of a broken promise, and returns whether there is one. The line before it is for
 * engines that group crashes by stack. */
static bool read_broken_promise(const char *text, char *out, size_t out_bytes) {
    const char *at = strstr(text, "Assertion failure: ");
    return at != NULL && find_line_after(at, "DEDUP_TOKEN: ", out, out_bytes);
}

/* Returns the limit that libFuzzer, linked into the program, reports as exceeded; PASS for none. */
static enum ndp_verdict read_engine_limit(const char *text) {
    char summary[32] = "";
    if (!find_line_after(text, "SUMMARY: libFuzzer: ", summary, sizeof summary)) return NDP_VERDICT_PASS;
    if (strncmp(summary, "out-of-memory", 13) == 0) return NDP_VERDICT_OOM;
    return strncmp(summary, "timeout", 7) == 0 ? NDP_VERDICT_TIMEOUT : NDP_VERDICT_PASS;
}

static void judge_output(const char *name, const char *text, int status, enum ndp_verdict exceeded,
                         struct ndp_fuzz_target_result *out) {
    const enum ndp_verdict limit = exceeded != NDP_VERDICT_PASS ? exceeded : read_engine_limit(text);
    out->verdict = limit;
    if (limit != NDP_VERDICT_PASS) {
        snprintf(out->signature, sizeof out->signature, "%s|%s", ndp_program_verdict_word(limit), name);
    } else if (read_broken_promise(text, out->signature, sizeof out->signature)) {
        struct ndp_signature promise;
        ndp_signature_set_fuzzer(&promise, NDP_VERDICT_DIVERGES, out->signature);
        out->verdict = promise.verdict == NDP_VERDICT_FAULT ? NDP_VERDICT_FAULT : NDP_VERDICT_DIVERGES;
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        out->verdict = NDP_VERDICT_CRASH;
        if (WIFSIGNALED(status)) out->death.signal = WTERMSIG(status);
        if (WIFEXITED(status)) out->death.exit_code = WEXITSTATUS(status);
        set_crash_signature(name, text, status, out);
    }
}

enum ndp_status ndp_run_fuzz_target(struct ndp_arena *arena, const char *name, const char *path,
                                    const volatile sig_atomic_t *stop, struct ndp_fuzz_target_result *out,
                                    struct ndp_error *error) {
    char program[PATH_MAX];
    int channel[2], status = 0;
    size_t size;
    if (!find_program(name, program, sizeof program))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "the fuzz target %s is not built; run make all",
                             name);
    uint8_t *room = ndp_arena_alloc(arena, PRINTED_BYTES + 1);
    if (room == NULL) return NDP_NOMEM;
    if (pipe(channel) != 0)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot create a pipe: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) exec_fuzz_target(program, path, channel[1]);
    close(channel[1]);
    const struct running running = {child, channel[0], ndp_clock_ns() + WALL_SECONDS * UINT64_C(1000000000), stop};
    const enum ndp_verdict exceeded = child > 0 ? read_output(&running, room, &size) : NDP_VERDICT_PASS;
    close(channel[0]);
    if (child < 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot start a process: %s", strerror(errno));
    if (exceeded != NDP_VERDICT_PASS) (void)kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    room[size] = '\0';
    char reason[256];
    if (WIFEXITED(status) && find_line_after((const char *)room, CANNOT_WORK, reason, sizeof reason))
        return ndp_error_set(error, NDP_UNSUPPORTED, NDP_NO_OFFSET, "%s cannot run here: %s", name, reason);
    struct ndp_fuzz_target_result word = {.verdict = NDP_VERDICT_PASS};
    judge_output(name, (const char *)room, status, exceeded, &word);
    /* The signal that ends the run may also have ended the fuzz target. */
    if (is_set(stop) && word.verdict != NDP_VERDICT_PASS && word.verdict != NDP_VERDICT_DIVERGES)
        return ndp_error_set(error, NDP_GONE, NDP_NO_OFFSET, "%s was stopped", name);
    const size_t tail = size < TAIL_BYTES ? size : TAIL_BYTES;
    word.printed = (struct ndp_bytes){room + size - tail, tail};
    *out = word;
    return NDP_OK;
}
