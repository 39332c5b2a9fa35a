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

#include "base/clock.h"
#include "target/case_file.h"
#include "target/process/bubblewrap.h"
#include "target/process/fork_server.h"
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
#include <sys/resource.h>
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
#define SAMPLE_NS (SAMPLE_MS * UINT64_C(1000000))

struct guard {
    const struct ndp_guard_job *job;
    struct ndp_started started;
    struct ndp_fork_server server;
    struct ndp_guard_message message; /* the next one to send; its padding is 0, because it is sent, too */
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

/* A fork server shares most of its memory with its processes, so it does not count as theirs. */
static enum ndp_excess find_excess(const struct guard *self, unsigned sample) {
    const uint64_t limit_bytes = self->job->memory_bytes;
    const struct ndp_isolate_use use = ndp_isolate_tree_measure((int)self->started.pid, &self->server.kept);
    if (use.bytes > limit_bytes || use.kept_bytes > limit_bytes) return NDP_EXCESS_MEMORY;
    if (use.processes > MOST_PROCESSES) return NDP_EXCESS_PROCESSES;
    return sample % SAMPLES_PER_DISK == 0 && is_over_disk(self->job) ? NDP_EXCESS_DISK : NDP_EXCESS_NONE;
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

/* The children that the testee's supervisor has adopted: all but the testee. */
static uint32_t count_orphans(enum ndp_protection protection) {
    const int self = (int)getpid(), testee = ndp_guard_find_testee(self, protection);
    int children[MOST_PROCESSES];
    const int supervisor = testee > 0 ? ndp_isolate_parent(testee) : 0;
    const uint32_t count = supervisor > 0 ? ndp_isolate_children(supervisor, children, MOST_PROCESSES) : 0;
    return count > 0 ? count - 1 : 0;
}

/* ---- the processes of a fork server ---- */

/* Ends the process that serves, with everything that it has left, and reports its end. Returns false when that fails;
 * then the testee must end. */
static bool end_process(struct guard *self, enum ndp_excess excess) {
    struct ndp_guard_message *message = &self->message;
    message->excess = excess;
    message->orphans = self->server.state == NDP_FORK_SERVING ? count_orphans(self->job->protection) : 0;
    if (!ndp_fork_server_clear(&self->server, self->job, self->started.has_own_shared_memory, KILL_SECONDS))
        return false;
    message->news = NDP_GUARD_ENDED;
    message->wait_status = self->server.wait_status;
    message->can_fork = true;
    send_message(self->job->control_fd, message);
    message->excess = NDP_EXCESS_NONE;
    message->orphans = 0;
    message->can_fork = false;
    return true;
}

/* Receives a request of ndproof. Returns 0 when ndproof is gone. */
static char receive_request(int control_fd, int *channels) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(NDP_FORK_CHANNELS * sizeof(int))];
    } control;
    char request = 0;
    struct iovec part = {.iov_base = &request, .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    if (recvmsg(control_fd, &message, MSG_CMSG_CLOEXEC) != 1) return 0;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_len != CMSG_LEN(NDP_FORK_CHANNELS * sizeof *channels)) return request;
    memcpy(channels, CMSG_DATA(header), NDP_FORK_CHANNELS * sizeof *channels);
    return request;
}

/* Returns false when the guard must end. */
static bool obey(struct guard *self) {
    int channels[NDP_FORK_CHANNELS] = {-1, -1, -1};
    const char request = receive_request(self->job->control_fd, channels);
    bool is_done = false;
    if (request == NDP_GUARD_FORK) {
        (void)fcntl(channels[1], F_SETPIPE_SZ, PIPE_BYTES);
        is_done = channels[0] >= 0 && ndp_fork_server_request(&self->server, channels);
    } else if (request == NDP_GUARD_END) {
        is_done = self->server.state == NDP_FORK_IDLE || end_process(self, NDP_EXCESS_NONE);
    }
    for (int i = 0; i < NDP_FORK_CHANNELS; i++)
        if (channels[i] >= 0) (void)close(channels[i]);
    return is_done;
}

/* Returns false when the guard must end. */
static bool hear(struct guard *self) {
    while (ndp_fork_server_hear(&self->server)) {
        if (self->server.state == NDP_FORK_ENDED && !end_process(self, NDP_EXCESS_NONE)) return false;
        if (self->server.state != NDP_FORK_SERVING || self->message.process == self->server.process) continue;
        self->message.news = NDP_GUARD_FORKED;
        self->message.process = self->server.process;
        self->message.number = self->server.number;
        send_message(self->job->control_fd, &self->message);
    }
    return true;
}

/* ---- watching ---- */

static void watch_testee(struct guard *self, int signal_fd) {
    enum ndp_excess before = NDP_EXCESS_NONE;
    struct pollfd fds[] = {{.fd = self->job->control_fd, .events = POLLIN}, {.fd = signal_fd, .events = POLLIN}, {0}};
    uint64_t next_ns = 0;
    for (unsigned sample = 1;;) {
        fds[2] = (struct pollfd){.fd = self->server.fd, .events = POLLIN};
        const int ready = poll(fds, sizeof fds / sizeof fds[0], SAMPLE_MS);
        if (ready < 0 && errno != EINTR) return;
        if (ready > 0 && fds[2].revents != 0 && !hear(self)) return;
        if (ready > 0 && fds[0].revents != 0 && !obey(self)) return;
        if (testee_ended(self->started.pid, &self->message.wait_status)) return;
        if (is_asked_to_end(signal_fd)) return;
        if (ndp_clock_ns() < next_ns) continue;
        next_ns = ndp_clock_ns() + SAMPLE_NS;
        /* One sample over the limit of memory is not enough: before exec the testee is still a copy of ndproof. */
        enum ndp_excess excess = find_excess(self, sample++);
        if (excess == NDP_EXCESS_MEMORY && before != excess) {
            before = excess;
            continue;
        }
        before = NDP_EXCESS_NONE;
        if (excess == NDP_EXCESS_NONE || (self->server.state == NDP_FORK_SERVING && end_process(self, excess)))
            continue;
        self->message.excess = excess;
        return;
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

void ndp_guard_start_session(void) {
    const int niceness = getpriority(PRIO_PROCESS, 0);
    (void)setsid();
    const int fd = niceness != 0 ? open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    (void)!dprintf(fd, "%d", niceness);
    (void)close(fd);
}

_Noreturn void ndp_guard_run(const struct ndp_guard_job *job) {
    struct guard self;
    memset(&self, 0, sizeof self);
    self.job = job;
    self.server.fd = -1;
    ndp_guard_start_session();
    (void)prctl(PR_SET_NAME, "ndproof-guard");
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    close_others(job);
    const int signal_fd = watch_signals();
    (void)fcntl(job->from_testee_fd, F_SETPIPE_SZ, PIPE_BYTES);
    const int parent_fd = open_parent(job->folder);
    /* Counters belong to one process, so with feedback every process is a new testee. */
    const int fork_fd = job->feedback_fd < 0 ? ndp_fork_server_open(&self.server) : -1;
    ndp_start_testee(job, fork_fd, &self.started);
    self.message.news = NDP_GUARD_STARTED;
    self.message.network = self.started.network;
    send_message(job->control_fd, &self.message);
    (void)close(job->to_testee_fd);
    (void)close(job->from_testee_fd);
    (void)close(job->print_fd);
    if (fork_fd >= 0) (void)close(fork_fd);
    self.message.wait_status = NDP_CANNOT_START << 8;
    if (self.started.pid > 0) {
        watch_testee(&self, signal_fd);
        self.message.orphans = count_orphans(job->protection);
        ndp_isolate_tree_kill((int)self.started.pid, KILL_SECONDS, &self.message.wait_status);
        self.message.wait_status = ndp_started_status(job, &self.started, self.message.wait_status);
        ndp_isolate_remove_shared_memory((int)self.started.pid);
        if (self.server.process > 0) ndp_isolate_remove_shared_memory(self.server.process);
    }
    remove_folder(job->folder, parent_fd);
    self.message.news = NDP_GUARD_ENDED;
    send_message(job->control_fd, &self.message);
    _exit(0);
}
