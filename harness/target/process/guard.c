/* The guard is a small process that outlives ndproof and the testee.
 *
 * Problem: a testee may crash, hang, fork, daemonize, fill its folder or exhaust memory, and ndproof itself may be
 * killed. Nothing may be left behind in any of these cases.
 *
 * Method: the guard is the subreaper of the whole tree, so every orphan becomes its child. It polls its control socket,
 * a signalfd and the memory of the tree. On the first reason to end it kills children in rounds until none is left,
 * removes the folder and reports the wait status. Its program starts as in target/process/start_testee.c.
 *
 * Cost: one process and one sample of /proc per SAMPLE_MS. Limits: Linux only (prctl, signalfd). A testee that grows by
 * more than the limit within a sample is stopped by RLIMIT_AS or by the kernel. Without namespaces, a process that
 * kills the guard first escapes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/guard.h"

#include "target/case_file.h"
#include "target/process/bubblewrap.h"
#include "target/process/isolate.h"
#include "target/process/namespaces.h"
#include "target/process/start_testee.h"

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
    SAMPLES_PER_DISK = 8, /* samples of memory for one of the folder */
    MOST_PROCESSES = 512, /* pools have a process per processor */
    MOST_FILES = 1 << 16,
    FOLDERS_DEEP = 8,
    BLOCK_BYTES = 512,    /* st_blocks, stat(2) */
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

/* ---- measuring ---- */

struct use {
    uint64_t bytes;
    uint32_t files;
};

/* Adds the files below a folder. Links are not followed. `levels` is a constant of the caller. */
static void measure_folder(int parent, const char *name, int levels, struct use *use) {
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (folder == NULL) {
        if (fd >= 0) (void)close(fd);
        return;
    }
    for (const struct dirent *entry = readdir(folder); entry && use->files <= MOST_FILES; entry = readdir(folder)) {
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        use->files++;
        use->bytes += (uint64_t)info.st_blocks * BLOCK_BYTES;
        if (S_ISDIR(info.st_mode) && levels > 0) measure_folder(fd, entry->d_name, levels - 1, use);
    }
    (void)closedir(folder);
}

/* A folder in the testee's own shared memory is limited by the size of that. */
static bool is_over_disk(const struct ndp_guard_job *job) {
    struct use use = {0};
    measure_folder(AT_FDCWD, job->folder, FOLDERS_DEEP, &use);
    return use.bytes > job->memory_bytes || use.files > MOST_FILES;
}

static enum ndp_excess find_excess(const struct ndp_guard_job *job, pid_t testee, unsigned sample) {
    uint32_t processes;
    if (ndp_isolate_tree_measure((int)testee, &processes) > job->memory_bytes) return NDP_EXCESS_MEMORY;
    if (processes > MOST_PROCESSES) return NDP_EXCESS_PROCESSES;
    return sample % SAMPLES_PER_DISK == 0 && is_over_disk(job) ? NDP_EXCESS_DISK : NDP_EXCESS_NONE;
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
    enum ndp_excess before = NDP_EXCESS_NONE;
    struct pollfd fds[] = {{.fd = job->control_fd, .events = POLLIN}, {.fd = signal_fd, .events = POLLIN}};
    for (unsigned sample = 1;; sample++) {
        const int ready = poll(fds, sizeof fds / sizeof fds[0], SAMPLE_MS);
        if (ready < 0 && errno != EINTR) return;
        /* ndproof never writes to this descriptor, so any event means that ndproof is gone or closed it. */
        if (ready > 0 && fds[0].revents != 0) return;
        if (testee_ended(testee, &ended->wait_status)) return;
        if (is_asked_to_end(signal_fd)) return;
        /* One sample over the limit of memory is not enough: before exec the testee is still a copy of ndproof. */
        const enum ndp_excess excess = find_excess(job, testee, sample);
        ended->excess = excess == NDP_EXCESS_MEMORY && before != excess ? NDP_EXCESS_NONE : excess;
        if (ended->excess != NDP_EXCESS_NONE) return;
        before = excess;
    }
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

int ndp_guard_find_testee(int guard, enum ndp_protection protection) {
    static const uint32_t generations[NDP_PROTECTION_COUNT] = {
        [NDP_PROTECTION_NAMESPACES] = NDP_NAMESPACES_GENERATIONS,
        [NDP_PROTECTION_BUBBLEWRAP] = NDP_BUBBLEWRAP_GENERATIONS,
    };
    int process = ndp_isolate_tree_first_child(guard);
    for (uint32_t i = generations[protection]; i > 0 && process > 0; i--)
        process = ndp_isolate_tree_first_child(process);
    return process;
}

/* The children that the testee's supervisor has adopted: all but the testee. */
static uint32_t count_orphans(enum ndp_protection protection) {
    const int self = (int)getpid(), testee = ndp_guard_find_testee(self, protection);
    int children[MOST_PROCESSES];
    const int supervisor = testee > 0 ? ndp_isolate_parent(testee) : 0;
    const uint32_t count = supervisor > 0 ? ndp_isolate_children(supervisor, children, MOST_PROCESSES) : 0;
    return count > 0 ? count - 1 : 0;
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
    const int parent_fd = open_parent(job->folder);
    struct ndp_started started;
    ndp_start_testee(job, &started);
    message.network = started.network;
    send_message(job->control_fd, &message);
    (void)close(job->to_testee_fd);
    (void)close(job->from_testee_fd);
    (void)close(job->print_fd);
    message.news = NDP_GUARD_ENDED;
    message.wait_status = NDP_CANNOT_START << 8;
    if (started.pid > 0) {
        watch_testee(job, signal_fd, started.pid, &message);
        message.orphans = count_orphans(job->protection);
        ndp_isolate_tree_kill((int)started.pid, KILL_SECONDS, &message.wait_status);
        message.wait_status = ndp_started_status(job, &started, message.wait_status);
        ndp_isolate_remove_shared_memory((int)started.pid);
    }
    remove_folder(job->folder, parent_fd);
    send_message(job->control_fd, &message);
    _exit(0);
}
