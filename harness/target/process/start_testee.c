/* Starts a testee.
 *
 * Problem: between fork() and the testee's program, the process must give up everything but its channels and its files,
 * and must state why it fails.
 *
 * Method: the view of the testee (visible_files.h) is found before the fork. The child moves its descriptors, replaces
 * its environment, limits its resources, and then takes the way of its protection: bwrap, namespaces, or Landlock.
 *
 * Cost: some hundred system calls, 10 ms with bwrap. Limits: Linux only.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/start_testee.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "target/process/bubblewrap.h"
#include "target/process/isolate.h"
#include "target/process/landlock.h"
#include "target/process/namespaces.h"
#include "target/process/testee_environment.h"

#define FORKS "NDPROOF_FORKS" /* harness/testees/README.md */

enum { FIRST_FREE_FD = 16 /* above the descriptors of the testee */, MAX_ARGUMENTS = 64 };

/* Everything about the testee that is known before the fork. */
struct plan {
    const struct ndp_guard_job *job;
    struct ndp_visible_files files;
    struct ndp_sandbox sandbox;
    struct ndp_system_calls calls;
    char program[PATH_MAX];
    char *argv[MAX_ARGUMENTS + 1]; /* with the path of the program */
    int status_fd;                 /* for the supervisor */
    int fork_fd;
};

static void default_signals(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) (void)sigaction(number, &action, NULL);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool move_fds(const struct ndp_guard_job *job, int fork_fd) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int from[] = {nothing,          job->print_fd, job->print_fd, job->to_testee_fd, job->from_testee_fd,
                        job->feedback_fd, fork_fd};
    int high[NDP_ARRAY_LEN(from)];
    /* Move all descriptors out of the way first, because the final number of one may be in use by another. */
    for (size_t i = 0; i < NDP_ARRAY_LEN(from); i++) {
        high[i] = from[i] >= 0 ? fcntl(from[i], F_DUPFD_CLOEXEC, FIRST_FREE_FD) : -1;
        if (from[i] >= 0 && high[i] < 0) return false;
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(from); i++)
        if (high[i] >= 0 && dup2(high[i], (int)i) < 0) return false;
    return true;
}

static _Noreturn void cannot_start(int print_fd, const char *what, int cause) {
    dprintf(print_fd, "cannot start %s: %s\n", what, strerror(cause));
    _exit(NDP_CANNOT_START);
}

/* ---- the plan ---- */

/* Finds the program, because the testee has another PATH, and because "/proc/self/exe" would be another program. */
static void find_program(struct plan *plan) {
    char *const *argv = plan->job->argv;
    size_t count = 0;
    ssize_t length = -1;
    if (strncmp(argv[0], "/proc/", strlen("/proc/")) == 0)
        length = readlink(argv[0], plan->program, sizeof plan->program - 1);
    if (length > 0) plan->program[length] = '\0';
    if (length <= 0 && !ndp_visible_files_program(argv[0], plan->program, sizeof plan->program))
        snprintf(plan->program, sizeof plan->program, "%s", argv[0]);
    for (; argv[count] != NULL && count < MAX_ARGUMENTS; count++) plan->argv[count] = argv[count];
    plan->argv[0] = plan->program;
    plan->argv[count] = NULL;
}

/* Whether nobody reaches the testee's files and its folder under their names, without a view of its own. */
static bool can_nobody_reach(const struct ndp_visible_files *files, const char *folder) {
    char above[NDP_VISIBLE_PATH_BYTES];
    snprintf(above, sizeof above, "%.*s/.", (int)(strrchr(folder, '/') - folder), folder);
    bool can = setegid(NDP_NOBODY) == 0 && seteuid(NDP_NOBODY) == 0;
    can = can && faccessat(AT_FDCWD, above, X_OK, AT_EACCESS) == 0;
    for (uint32_t i = 0; i < files->count && can; i++)
        can = faccessat(AT_FDCWD, files->list[i].path, R_OK, AT_EACCESS) == 0;
    return seteuid(0) == 0 && setegid(0) == 0 && can;
}

static void make_plan(const struct ndp_guard_job *job, struct plan *plan) {
    const bool has_view = job->protection >= NDP_PROTECTION_NAMESPACES;
    memset(plan, 0, sizeof *plan);
    plan->job = job;
    plan->status_fd = -1;
    find_program(plan);
    if (job->protection == NDP_PROTECTION_NONE) return;
    ndp_visible_files_find(plan->argv, job->compiled, &plan->files);
    plan->sandbox = (struct ndp_sandbox){
        .files = &plan->files, .folder = job->folder, .shared_bytes = job->memory_bytes, .is_root = geteuid() == 0};
    if (plan->sandbox.is_root)
        plan->sandbox.is_nobody =
            ndp_visible_files_are_public(&plan->files) && (has_view || can_nobody_reach(&plan->files, job->folder));
    plan->calls = (struct ndp_system_calls){
        .has_internet = has_view, .has_own_pids = has_view, .denies_trace = !has_view && !plan->sandbox.is_nobody};
    if (plan->sandbox.is_nobody && chown(job->folder, NDP_NOBODY, NDP_NOBODY) != 0) plan->sandbox.is_nobody = false;
}

/* ---- the ways to start ---- */

static _Noreturn void exec_program(const struct plan *plan) {
    (void)execv(plan->program, plan->argv);
    cannot_start(STDERR_FILENO, plan->program, errno);
}

static _Noreturn void start_by_bubblewrap(const struct plan *plan) {
    if (access(plan->program, X_OK) != 0) cannot_start(STDERR_FILENO, plan->program, errno);
    /* Without root, the kernel would count all processes of the user until bwrap has made its namespace. */
    if (plan->sandbox.is_root) ndp_isolate_processes(false);
    ndp_bubblewrap_exec(&plan->sandbox, &plan->calls, plan->argv);
    cannot_start(STDERR_FILENO, "bwrap", errno);
}

static _Noreturn void start_by_namespaces(const struct plan *plan) {
    const char *what = "";
    if (!ndp_namespaces_enter(&plan->sandbox, &what)) cannot_start(STDERR_FILENO, what, errno);
    if (ndp_namespaces_supervise(plan->status_fd) != 0) _exit(NDP_CANNOT_START);
    if (!ndp_sandbox_drop_privileges(&plan->sandbox)) cannot_start(STDERR_FILENO, "without privileges", errno);
    ndp_isolate_processes(false);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir(plan->job->folder) != 0) cannot_start(STDERR_FILENO, "in its folder", errno);
    if (!ndp_system_calls_restrict(&plan->calls)) cannot_start(STDERR_FILENO, "with a filter of system calls", errno);
    exec_program(plan);
}

static _Noreturn void start_by_limits(const struct plan *plan) {
    if (!ndp_sandbox_drop_privileges(&plan->sandbox)) cannot_start(STDERR_FILENO, "without privileges", errno);
    ndp_isolate_processes(true);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* These two are parts of the protection that an old kernel lacks; the line about the protection states it. */
    (void)ndp_landlock_restrict(&plan->files, plan->job->folder);
    (void)ndp_system_calls_restrict(&plan->calls);
    exec_program(plan);
}

static _Noreturn void become_testee(const struct plan *plan, pid_t guard) {
    const struct ndp_guard_job *job = plan->job;
    const bool is_protected = job->protection != NDP_PROTECTION_NONE;
    ndp_guard_start_session();
    default_signals();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* The guard may have died before PR_SET_PDEATHSIG took effect. Process 1 of a namespace cannot see its parent. */
    if (getppid() != guard && getpid() != 1) _exit(NDP_CANNOT_START);
    if (!move_fds(job, plan->fork_fd)) cannot_start(job->print_fd, "the testee: moving its descriptors", errno);
    bool is_set = is_protected ? ndp_testee_environment_set(job->folder, plan->files.search, job->feedback)
                               : ndp_testee_environment_add(job->folder, job->feedback);
    is_set = is_set && (plan->fork_fd >= 0 ? setenv(FORKS, "6", 1) : unsetenv(FORKS)) == 0;
    if (!is_set || chdir(job->folder) != 0) cannot_start(STDERR_FILENO, "the testee: entering its folder", errno);
    ndp_isolate_resources(job->memory_bytes);
    switch (job->protection) {
    case NDP_PROTECTION_BUBBLEWRAP:
        start_by_bubblewrap(plan);
    case NDP_PROTECTION_NAMESPACES:
        start_by_namespaces(plan);
    case NDP_PROTECTION_LIMITS:
        start_by_limits(plan);
    case NDP_PROTECTION_NONE:
    case NDP_PROTECTION_COUNT:
        break;
    }
    exec_program(plan);
}

/* Keeps the testee's folder and program visible, which may be in shared memory. */
static bool isolate_shared_memory(const struct ndp_guard_job *job) {
    enum { MOST_PATHS = 6 };
    const char *paths[MOST_PATHS + 2] = {job->folder};
    size_t count = 1;
    for (char *const *argument = job->argv; *argument != NULL && count <= MOST_PATHS; argument++)
        if ((*argument)[0] == '/') paths[count++] = *argument;
    return ndp_isolate_shared_memory(paths, job->memory_bytes);
}

/* Opens the channel of the supervisor. Returns the end for it; -1 if that fails. */
static int open_status(struct ndp_started *out) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    out->status_fd = fcntl(ends[0], F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    const int written = fcntl(ends[1], F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return written;
}

void ndp_start_testee(const struct ndp_guard_job *job, int fork_fd, struct ndp_started *out) {
    struct plan plan;
    *out = (struct ndp_started){.pid = -1,
                                .status_fd = -1,
                                .network = NDP_NETWORK_OPEN,
                                .has_own_shared_memory = job->protection >= NDP_PROTECTION_NAMESPACES};
    if (job->protection == NDP_PROTECTION_LIMITS) {
        out->network = ndp_isolate_network();
        out->has_own_shared_memory = isolate_shared_memory(job);
    }
    make_plan(job, &plan);
    plan.fork_fd = fork_fd;
    if (out->network == NDP_NETWORK_NAMESPACE || out->network == NDP_NETWORK_USER_NAMESPACE)
        plan.calls.has_internet = true;
    if (job->protection >= NDP_PROTECTION_NAMESPACES)
        out->network =
            ndp_sandbox_needs_user_namespace(&plan.sandbox) ? NDP_NETWORK_USER_NAMESPACE : NDP_NETWORK_NAMESPACE;
    const pid_t guard = getpid();
    const bool is_supervised = job->protection == NDP_PROTECTION_NAMESPACES;
    if (is_supervised) plan.status_fd = open_status(out);
    out->pid = is_supervised ? ndp_namespaces_fork(&plan.sandbox) : fork();
    if (out->pid == 0) become_testee(&plan, guard);
    if (plan.status_fd >= 0) (void)close(plan.status_fd);
}

int ndp_started_status(const struct ndp_guard_job *job, const struct ndp_started *started, int wait_status) {
    int own = 0;
    if (job->protection == NDP_PROTECTION_BUBBLEWRAP) return ndp_bubblewrap_status(wait_status);
    if (started->status_fd < 0) return wait_status;
    return read(started->status_fd, &own, sizeof own) == (ssize_t)sizeof own ? own : wait_status;
}

/* ---- trying ---- */

/* Starts a program that does nothing, in a process that acts as its guard. */
static _Noreturn void try_to_start(enum ndp_protection protection) {
    char program[] = "/bin/true", folder[] = "/tmp/ndproof-XXXXXX";
    char *const argv[] = {program, NULL};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const struct ndp_guard_job job = {.argv = argv,
                                      .folder = mkdtemp(folder),
                                      .control_fd = nothing,
                                      .to_testee_fd = nothing,
                                      .from_testee_fd = nothing,
                                      .print_fd = nothing,
                                      .feedback_fd = -1,
                                      .memory_bytes = UINT64_C(1) << 30,
                                      .protection = protection};
    struct ndp_started started = {.pid = -1};
    int status = 1;
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (job.folder != NULL) ndp_start_testee(&job, -1, &started);
    while (started.pid > 0 && waitpid(started.pid, &status, 0) < 0 && errno == EINTR) continue;
    /* bwrap ends before the process that it leaves behind. */
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) continue;
    if (job.folder != NULL) (void)rmdir(job.folder);
    _exit(started.pid > 0 && ndp_started_status(&job, &started, status) == 0 ? 0 : 1);
}

bool ndp_start_testee_works(enum ndp_protection protection) {
    int status = 1;
    const pid_t child = fork();
    if (child == 0) try_to_start(protection);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return child > 0 && status == 0;
}
