/* The guard is a small process that outlives ndproof and the testee.
 *
 * Problem: a testee may crash, hang, fork, daemonize, fill its folder or exhaust memory, and ndproof itself may be
 * killed. Nothing may be left behind in any of these cases.
 *
 * Method: the guard is the subreaper of the whole tree, so every orphan becomes its child. It polls its control socket,
 * a signalfd and the memory of the tree. On the first reason to end it kills children in rounds until none is left,
 * removes the folder and reports the wait status.
 *
 * Cost: one process and one sample of /proc per SAMPLE_MS. Limits: Linux only (prctl, signalfd). A testee that grows by
 * more than the limit within a sample is stopped by RLIMIT_AS or by the kernel. A process that kills the guard first
 * escapes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/guard.h"

#include "target/case_file.h"
#include "target/process/isolate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SAMPLE_MS = 20,       /* between two samples of the memory of the tree */
    KILL_SECONDS = 10,    /* the time that a process may take to die */
    CANNOT_START = 127,   /* the exit code of a testee that cannot be started, as in shells */
    FIRST_FREE_FD = 16,   /* above the descriptors of the testee */
    PIPE_BYTES = 1 << 20, /* a batch of small END frames fits, so the testee does not wait for ndproof */
};

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)place;
    /* A folder without permissions cannot be listed in this round, but in the next. */
    if (type == FTW_DNR) (void)chmod(path, 0700);
    (void)remove(path);
    return 0;
}

void ndp_guard_remove_folder(const char *path) {
    enum { ROUNDS = 8, OPEN_FOLDERS = 16 };
    struct stat status;
    for (int round = 0; round < ROUNDS && lstat(path, &status) == 0; round++)
        (void)nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* ---- the testee ---- */

static void default_signals(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) (void)sigaction(number, &action, NULL);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool move_fds(const struct ndp_guard_job *job) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int from[] = {nothing,           job->print_fd,       job->print_fd,
                        job->to_testee_fd, job->from_testee_fd, job->feedback_fd};
    const size_t count = sizeof from / sizeof from[0] - (job->feedback_fd < 0 ? 1 : 0);
    int high[sizeof from / sizeof from[0]];
    /* Move all descriptors out of the way first, because the final number of one may be in use by another. */
    for (size_t i = 0; i < count; i++) {
        high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, FIRST_FREE_FD);
        if (high[i] < 0) return false;
    }
    for (size_t i = 0; i < count; i++)
        if (dup2(high[i], (int)i) < 0) return false;
    return true;
}

/* Keeps the folders of installations that programs look for below HOME, because the testee gets another HOME but needs
 * the same interpreter and packages. */
static void keep_installations(const char *home) {
    static const struct {
        const char *variable;
        const char *folder;
    } roots[] = {{"PYENV_ROOT", ".pyenv"}, {"PYTHONUSERBASE", ".local"}, {"ASDF_DATA_DIR", ".asdf"}};
    char path[4096];
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        const int length = snprintf(path, sizeof path, "%s/%s", home, roots[i].folder);
        if (length > 0 && (size_t)length < sizeof path && access(path, X_OK) == 0)
            (void)setenv(roots[i].variable, path, 0);
    }
}

static bool set_environment(const char *folder, const char *feedback) {
    static const char *const names[] = {"TMPDIR", "TMP", "TEMP", "HOME", "PWD"};
    if ((feedback ? setenv("NDPROOF_COUNTERS", feedback, 1) : unsetenv("NDPROOF_COUNTERS")) != 0) return false;
    const char *home = getenv("HOME");
    if (home && home[0] == '/') keep_installations(home);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setenv(names[i], folder, 1) != 0) return false;
    return chdir(folder) == 0;
}

static _Noreturn void cannot_start(int print_fd, const char *what, int cause) {
    dprintf(print_fd, "cannot start %s: %s\n", what, strerror(cause));
    _exit(CANNOT_START);
}

static _Noreturn void become_testee(const struct ndp_guard_job *job, pid_t guard) {
    (void)setsid();
    default_signals();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guard) _exit(CANNOT_START); /* the guard died before PR_SET_PDEATHSIG took effect */
    if (!move_fds(job)) cannot_start(job->print_fd, "the testee: moving its descriptors", errno);
    if (!set_environment(job->folder, job->feedback))
        cannot_start(STDERR_FILENO, "the testee: entering its folder", errno);
    ndp_isolate_resources(job->memory_bytes);
    (void)execvp(job->argv[0], job->argv);
    cannot_start(STDERR_FILENO, job->argv[0], errno);
}

/* ---- the guard ---- */

/* Closes inherited descriptors. Otherwise ndproof would not see the end of another testee whose channel is still open
 * here. */
static void close_others(const struct ndp_guard_job *job) {
    const int keep[] = {job->control_fd, job->to_testee_fd, job->from_testee_fd, job->print_fd, job->feedback_fd};
    DIR *fds = opendir("/proc/self/fd");
    if (!fds) return;
    for (const struct dirent *entry = readdir(fds); entry; entry = readdir(fds)) {
        if (entry->d_name[0] == '.') continue;
        const int fd = (int)strtol(entry->d_name, NULL, 10);
        bool is_kept = fd == dirfd(fds);
        for (size_t i = 0; i < sizeof keep / sizeof keep[0]; i++) is_kept = is_kept || fd == keep[i];
        if (!is_kept) (void)close(fd);
    }
    (void)closedir(fds);
    /* Descriptors 0 to 2 stay open, so that no other file gets their numbers. */
    for (int fd = open("/dev/null", O_RDWR); fd >= 0 && fd < 2;) fd = dup(fd);
}

static int watch_signals(void) {
    sigset_t watched;
    (void)sigemptyset(&watched);
    (void)sigaddset(&watched, SIGCHLD);
    (void)sigaddset(&watched, SIGTERM);
    (void)sigaddset(&watched, SIGINT);
    (void)sigaddset(&watched, SIGHUP);
    (void)sigaddset(&watched, SIGPIPE);
    (void)sigprocmask(SIG_SETMASK, &watched, NULL);
    return signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void send_message(int control_fd, const struct ndp_guard_message *message) {
    (void)send(control_fd, message, sizeof *message, MSG_NOSIGNAL);
}

/* Reaps all children that have ended. True when the testee is one of them. */
static bool testee_ended(pid_t testee, int *status) {
    bool has_ended = false;
    for (;;) {
        int one;
        const pid_t ended = waitpid(-1, &one, WNOHANG);
        if (ended <= 0) return has_ended;
        if (ended != testee) continue;
        *status = one;
        has_ended = true;
    }
}

/* Whether a signal asks the guard to end. */
static bool is_asked_to_end(int signal_fd) {
    struct signalfd_siginfo info;
    bool is_told = false;
    while (read(signal_fd, &info, sizeof info) == (ssize_t)sizeof info)
        is_told = is_told || info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT || info.ssi_signo == SIGHUP;
    return is_told;
}

static void watch_testee(const struct ndp_guard_job *job, int signal_fd, pid_t testee,
                         struct ndp_guard_message *ended) {
    struct pollfd fds[] = {{.fd = job->control_fd, .events = POLLIN}, {.fd = signal_fd, .events = POLLIN}};
    int samples_over = 0;
    for (;;) {
        const int ready = poll(fds, sizeof fds / sizeof fds[0], SAMPLE_MS);
        if (ready < 0 && errno != EINTR) return;
        /* ndproof never writes to this descriptor, so any event means that ndproof is gone or closed it. */
        if (ready > 0 && fds[0].revents != 0) return;
        if (testee_ended(testee, &ended->wait_status)) return;
        if (is_asked_to_end(signal_fd)) return;
        /* One sample over the limit is not enough: before exec the testee is still a copy of ndproof. */
        samples_over = ndp_isolate_tree_memory_bytes((int)testee) > job->memory_bytes ? samples_over + 1 : 0;
        ended->is_over_memory = samples_over > 1;
        if (ended->is_over_memory) return;
    }
}

/* Keeps the testee's folder and program visible, which may be in shared memory. */
static bool isolate_shared_memory(const struct ndp_guard_job *job) {
    enum { MOST_PATHS = 6 };
    const char *paths[MOST_PATHS + 2] = {job->folder};
    size_t count = 1;
    for (char *const *argument = job->argv; *argument != NULL && count <= MOST_PATHS; argument++)
        if ((*argument)[0] == '/') paths[count++] = *argument;
    return ndp_isolate_shared_memory(paths);
}

/* Opens the parent of the folder before shared memory is isolated. Afterwards a folder directly in /dev/shm is a mount
 * of its own, which can be emptied but not removed. */
static int open_parent(const char *folder) {
    char path[NDP_FOLDER_PATH_BYTES];
    const char *name = strrchr(folder, '/');
    const int length = name != NULL ? snprintf(path, sizeof path, "%.*s/", (int)(name - folder), folder) : -1;
    return length > 0 && (size_t)length < sizeof path ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
}

static void remove_folder(const char *folder, int parent_fd) {
    ndp_guard_remove_folder(folder);
    if (parent_fd >= 0) (void)unlinkat(parent_fd, strrchr(folder, '/') + 1, AT_REMOVEDIR);
}

_Noreturn void ndp_guard_run(const struct ndp_guard_job *job) {
    (void)setsid();
    (void)prctl(PR_SET_NAME, "ndproof-guard");
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    close_others(job);
    const int signal_fd = watch_signals();
    (void)fcntl(job->from_testee_fd, F_SETPIPE_SZ, PIPE_BYTES);
    struct ndp_guard_message message;
    memset(&message, 0, sizeof message); /* the padding is sent, too */
    message.news = NDP_GUARD_STARTED;
    message.network = ndp_isolate_network();
    const int parent_fd = open_parent(job->folder);
    const bool has_own_memory = isolate_shared_memory(job);
    send_message(job->control_fd, &message);

    const pid_t guard = getpid();
    const pid_t testee = fork();
    if (testee == 0) become_testee(job, guard);
    (void)close(job->to_testee_fd);
    (void)close(job->from_testee_fd);
    (void)close(job->print_fd);
    message.news = NDP_GUARD_ENDED;
    message.wait_status = CANNOT_START << 8;
    if (testee > 0) {
        watch_testee(job, signal_fd, testee, &message);
        ndp_isolate_tree_kill((int)testee, KILL_SECONDS, &message.wait_status);
        if (!has_own_memory) ndp_isolate_remove_shared_memory((int)testee);
    }
    remove_folder(job->folder, parent_fd);
    send_message(job->control_fd, &message);
    _exit(0);
}
