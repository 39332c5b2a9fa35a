/* One testee process as ndproof sees it.
 *
 * Problem: ndproof must talk to a process that may block, print without end, die or leave children, and it must never
 * block or die with it.
 *
 * Method: four non-blocking channels: to the testee (a socket), from it (a pipe), its printed output (a pipe, kept in a
 * ring buffer) and the control socket of its guard, which reports the end. Each wait polls all of them. A fork server
 * gets the first three anew for each of its processes; its own output has a fourth.
 *
 * Cost: one poll() per wait. Limits: only the last NDP_PRINT_RING_BYTES of output are kept.
 */
#include "target/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/temporary.h"
#include "base/words.h"
#include "target/process/fork_server.h"

enum {
    FIRST_FD = 3,            /* 0, 1 and 2 may be closed in this process; output would go into a pipe with that
                              * number */
    STOP_TIMEOUT_MS = 15000, /* longer than the guard's own timeout */
    DRAIN_BYTES = 1 << 16,   /* read per call at most, so that endless output does not block ndproof */
};

#define MS_NS UINT64_C(1000000)

/* ---- starting ---- */

static void close_fd(int *fd) {
    if (*fd >= 0) (void)close(*fd);
    *fd = -1;
}

/* Moves a new descriptor above the standard ones, with close-on-exec. */
static bool move_above_standard(int *fd) {
    const int settled = fcntl(*fd, F_DUPFD_CLOEXEC, FIRST_FD);
    (void)close(*fd);
    *fd = settled;
    return settled >= 0;
}

static bool make_pair(int pair[2], int socket_type) {
    const int failed = socket_type != 0 ? socketpair(AF_UNIX, socket_type, 0, pair) : pipe(pair);
    if (failed) return false;
    const bool first = move_above_standard(&pair[0]);
    const bool second = move_above_standard(&pair[1]);
    return first && second;
}

static bool set_nonblocking(int fd) {
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* Both ends of the four channels: [0] for ndproof, [1] for the guard. */
struct channels {
    int to_testee[2];
    int from_testee[2];
    int print[2];
    int control[2];
};

static bool open_process_channels(struct channels *channels) {
    /* The channel to the testee is a socket, because only a socket can be written to without SIGPIPE. */
    if (!make_pair(channels->to_testee, SOCK_STREAM) || !make_pair(channels->from_testee, 0) ||
        !make_pair(channels->print, 0))
        return false;
    (void)shutdown(channels->to_testee[0], SHUT_RD);
    return set_nonblocking(channels->to_testee[0]) && set_nonblocking(channels->from_testee[0]) &&
           set_nonblocking(channels->print[0]);
}

static bool open_channels(struct channels *channels) {
    return open_process_channels(channels) && make_pair(channels->control, SOCK_SEQPACKET) &&
           set_nonblocking(channels->control[0]);
}

static void close_ends(struct channels *channels, int end) {
    close_fd(&channels->to_testee[end]);
    close_fd(&channels->from_testee[end]);
    close_fd(&channels->print[end]);
    close_fd(&channels->control[end]);
}

static void close_process_channels(struct ndp_child *child) {
    close_fd(&child->write_fd);
    close_fd(&child->read_fd);
    close_fd(&child->print_fd);
}

static enum ndp_status make_folder(struct ndp_child *child, struct ndp_error *error) {
    const char *parent = ndp_temporary_parent();
    const int length = snprintf(child->folder, sizeof child->folder, "%s/ndproof-XXXXXX", parent);
    if (length > 0 && (size_t)length < sizeof child->folder && mkdtemp(child->folder)) return NDP_OK;
    child->folder[0] = '\0';
    return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot create a temporary folder in %.160s", parent);
}

static enum ndp_status start_guard(struct ndp_child *child, const struct channels *channels, char *const *argv,
                                   const struct ndp_target_limits *limits, struct ndp_error *error) {
    const struct ndp_feedback *feedback = limits->feedback;
    char text[48];
    if (feedback)
        snprintf(text, sizeof text, "5 %u %s", (unsigned)feedback->count, feedback->is_exact ? "exact" : "cheap");
    const struct ndp_guard_job job = {
        .argv = argv,
        .folder = child->folder,
        .compiled = limits->compiled,
        .control_fd = channels->control[1],
        .to_testee_fd = channels->to_testee[1],
        .from_testee_fd = channels->from_testee[1],
        .print_fd = channels->print[1],
        .feedback_fd = feedback ? feedback->fd : -1,
        .feedback = feedback ? text : NULL,
        .memory_bytes = limits->memory_bytes,
        .protection = limits->protection,
    };
    child->protection = limits->protection;
    const pid_t guard = fork();
    if (guard == 0) ndp_guard_run(&job);
    if (guard < 0) return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot fork: %s", strerror(errno));
    child->guard = guard;
    return NDP_OK;
}

enum ndp_status ndp_child_start(struct ndp_child *child, char *const *argv, const struct ndp_target_limits *limits,
                                struct ndp_error *error) {
    struct channels channels = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    enum ndp_status status;
    memset(child, 0, sizeof *child);
    NDP_TRY(make_folder(child, error));
    if (open_channels(&channels)) {
        status = start_guard(child, &channels, argv, limits, error);
    } else {
        status = ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot create a channel: %s", strerror(errno));
    }
    close_ends(&channels, 1);
    if (status != NDP_OK) {
        close_ends(&channels, 0);
        ndp_guard_remove_folder(child->folder);
        child->folder[0] = '\0';
        return status;
    }
    child->write_fd = channels.to_testee[0];
    child->read_fd = channels.from_testee[0];
    child->print_fd = channels.print[0];
    child->control_fd = channels.control[0];
    child->server_print_fd = -1;
    return NDP_OK;
}

/* ---- processes of a fork server ---- */

static bool request(const struct ndp_child *child, char what, const int *channels) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(NDP_FORK_CHANNELS * sizeof(int))];
    } control;
    const size_t channel_bytes = NDP_FORK_CHANNELS * sizeof *channels;
    struct iovec part = {.iov_base = &what, .iov_len = 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    memset(&control, 0, sizeof control);
    if (channels != NULL) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header =
            (struct cmsghdr){.cmsg_len = CMSG_LEN(channel_bytes), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), channels, channel_bytes);
    }
    return sendmsg(child->control_fd, &message, MSG_NOSIGNAL) == 1;
}

enum ndp_status ndp_child_fork(struct ndp_child *child) {
    struct channels channels = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    if (child->control_fd < 0) return NDP_GONE;
    bool is_done = open_process_channels(&channels);
    const int ends[NDP_FORK_CHANNELS] = {channels.to_testee[1], channels.from_testee[1], channels.print[1]};
    is_done = is_done && request(child, NDP_GUARD_FORK, ends);
    close_ends(&channels, 1);
    if (!is_done) {
        close_ends(&channels, 0);
        return NDP_IO;
    }
    /* The first print channel is that of the server. */
    if (child->server_print_fd < 0) {
        child->server_print_fd = child->print_fd;
        child->print_fd = -1;
    }
    close_process_channels(child);
    child->write_fd = channels.to_testee[0];
    child->read_fd = channels.from_testee[0];
    child->print_fd = channels.print[0];
    child->ending = NDP_ENDING_RUNNING;
    child->death = (struct ndp_death){0};
    child->orphans = 0;
    child->printed_bytes = 0;
    child->process = 0;
    child->is_forking = true;
    child->can_fork = false;
    return NDP_OK;
}

/* ---- talking ---- */

enum ndp_status ndp_child_write(struct ndp_child *child, struct ndp_bytes bytes, uint64_t *written) {
    if (child->write_fd < 0) return NDP_GONE;
    const ssize_t taken = send(child->write_fd, bytes.data, (size_t)bytes.size_bytes, MSG_NOSIGNAL);
    if (taken < 0 && (errno == EPIPE || errno == ECONNRESET)) {
        close_fd(&child->write_fd); /* otherwise every poll would return at once */
        return NDP_GONE;
    }
    if (taken < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return NDP_IO;
    *written = taken > 0 ? (uint64_t)taken : 0;
    return NDP_OK;
}

enum ndp_status ndp_child_read(struct ndp_child *child, uint8_t *room, uint64_t room_bytes, uint64_t *got) {
    *got = 0;
    if (child->read_fd < 0) return NDP_OK;
    const ssize_t taken = read(child->read_fd, room, (size_t)room_bytes);
    if (taken < 0 && errno == EINTR) return NDP_OK;
    const bool is_empty = taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    if (taken < 0 && !is_empty) return NDP_IO;
    if (taken > 0) *got = (uint64_t)taken;
    /* After the guard's report all possible writers are dead. No data then means the end, even when another process has
     * kept the descriptor. */
    if (taken == 0 || (is_empty && child->ending != NDP_ENDING_RUNNING)) close_fd(&child->read_fd);
    return NDP_OK;
}

static void keep_printed(struct ndp_child *child, const uint8_t *bytes, size_t size_bytes) {
    for (size_t i = 0; i < size_bytes; i++)
        child->printed[(child->printed_bytes + i) % NDP_PRINT_RING_BYTES] = bytes[i];
    child->printed_bytes += size_bytes;
}

static void drain(struct ndp_child *child, int *fd) {
    uint8_t bytes[4096];
    for (size_t total = 0; *fd >= 0 && total < DRAIN_BYTES;) {
        const ssize_t got = read(*fd, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) close_fd(fd);
        if (got <= 0) return;
        keep_printed(child, bytes, (size_t)got);
        total += (size_t)got;
    }
}

static void drain_prints(struct ndp_child *child) {
    drain(child, &child->server_print_fd);
    drain(child, &child->print_fd);
}

/* ---- the end ---- */

static void take_status(struct ndp_child *child, const struct ndp_guard_message *message) {
    child->death = (struct ndp_death){0};
    child->orphans = message->orphans;
    child->can_fork = message->can_fork;
    static const enum ndp_ending endings[NDP_EXCESS_COUNT] = {[NDP_EXCESS_MEMORY] = NDP_ENDING_MEMORY,
                                                              [NDP_EXCESS_PROCESSES] = NDP_ENDING_PROCESSES,
                                                              [NDP_EXCESS_DISK] = NDP_ENDING_DISK};
    if (message->excess != NDP_EXCESS_NONE) {
        child->ending = endings[message->excess];
        child->death.signal = SIGKILL;
    } else if (WIFSIGNALED(message->wait_status)) {
        child->ending = NDP_ENDING_SIGNALLED;
        child->death.signal = WTERMSIG(message->wait_status);
    } else {
        child->ending = NDP_ENDING_EXITED;
        child->death.exit_code = WIFEXITED(message->wait_status) ? WEXITSTATUS(message->wait_status) : -1;
    }
}

/* Reads the messages of the guard. */
static void read_guard(struct ndp_child *child) {
    while (child->control_fd >= 0) {
        struct ndp_guard_message message;
        const ssize_t got = recv(child->control_fd, &message, sizeof message, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (got != (ssize_t)sizeof message) {
            /* The guard ended without a report, so it was killed. */
            if (child->ending == NDP_ENDING_RUNNING) child->ending = NDP_ENDING_LOST;
            close_fd(&child->control_fd);
        } else if (message.news == NDP_GUARD_STARTED) {
            child->network = message.network;
        } else if (message.news == NDP_GUARD_FORKED) {
            child->process = message.process;
            child->number = message.number;
            child->is_forking = false;
        } else {
            take_status(child, &message);
        }
    }
}

/* `ns` in milliseconds, rounded up, so that a wait does not end just before its deadline and spin. */
static int poll_timeout(uint64_t ns) {
    const uint64_t ms = ns / MS_NS + (ns % MS_NS ? 1 : 0);
    return ms > 60000 ? 60000 : (int)ms;
}

enum ndp_status ndp_child_wait(struct ndp_child *child, bool wants_write, uint64_t timeout_ns) {
    struct pollfd fds[] = {
        {.fd = child->read_fd, .events = POLLIN},         {.fd = child->print_fd, .events = POLLIN},
        {.fd = child->control_fd, .events = POLLIN},      {.fd = wants_write ? child->write_fd : -1, .events = POLLOUT},
        {.fd = child->server_print_fd, .events = POLLIN},
    };
    const int ready = poll(fds, NDP_ARRAY_LEN(fds), poll_timeout(timeout_ns));
    if (ready < 0) return errno == EINTR ? NDP_OK : NDP_IO;
    if (fds[2].revents) read_guard(child);
    if (fds[1].revents || fds[4].revents) drain_prints(child);
    return NDP_OK;
}

/* Waits until the guard has closed its control socket, its last action, or until it can fork again. */
static void await_report(struct ndp_child *child) {
    const uint64_t deadline_ns = ndp_clock_ns() + STOP_TIMEOUT_MS * MS_NS;
    while (child->control_fd >= 0 && !child->can_fork) {
        const uint64_t now_ns = ndp_clock_ns();
        struct pollfd fds[] = {{.fd = child->control_fd, .events = POLLIN},
                               {.fd = child->print_fd, .events = POLLIN},
                               {.fd = child->server_print_fd, .events = POLLIN}};
        if (now_ns >= deadline_ns) break;
        (void)poll(fds, NDP_ARRAY_LEN(fds), poll_timeout(deadline_ns - now_ns));
        if (fds[1].revents || fds[2].revents) drain_prints(child);
        if (fds[0].revents) read_guard(child);
    }
}

static void await_guard(struct ndp_child *child) {
    child->can_fork = false;
    await_report(child);
    if (child->control_fd >= 0) (void)kill(child->guard, SIGKILL);
    while (waitpid(child->guard, NULL, 0) < 0 && errno == EINTR) continue;
}

void ndp_child_stop(struct ndp_child *child) {
    if (child->guard == 0) return;
    if (child->control_fd >= 0) (void)shutdown(child->control_fd, SHUT_WR);
    await_guard(child);
    drain_prints(child);
    if (child->ending == NDP_ENDING_RUNNING) child->ending = NDP_ENDING_LOST;
    close_process_channels(child);
    close_fd(&child->server_print_fd);
    close_fd(&child->control_fd);
    /* The guard has done this already unless it was killed. */
    ndp_guard_remove_folder(child->folder);
    child->guard = 0;
}

void ndp_child_end(struct ndp_child *child) {
    const bool is_forked = child->process > 0 || child->is_forking;
    if (is_forked && child->control_fd >= 0 && (child->can_fork || request(child, NDP_GUARD_END, NULL)))
        await_report(child);
    if (!child->can_fork) {
        ndp_child_stop(child);
        return;
    }
    drain_prints(child);
    close_process_channels(child);
    child->process = 0;
    child->is_forking = false;
}

struct ndp_bytes ndp_child_printed(const struct ndp_child *child, struct ndp_arena *arena, uint64_t max_bytes) {
    uint64_t size_bytes = child->printed_bytes < NDP_PRINT_RING_BYTES ? child->printed_bytes : NDP_PRINT_RING_BYTES;
    if (size_bytes > max_bytes) size_bytes = max_bytes;
    uint8_t *copy = size_bytes > 0 ? ndp_arena_alloc(arena, size_bytes) : NULL;
    if (!copy) return (struct ndp_bytes){NULL, 0};
    const uint64_t start = child->printed_bytes - size_bytes;
    for (uint64_t i = 0; i < size_bytes; i++) copy[i] = child->printed[(start + i) % NDP_PRINT_RING_BYTES];
    return (struct ndp_bytes){copy, size_bytes};
}

void ndp_child_describe(const struct ndp_child *child, char *out) {
    static const char *const texts[] = {NDP_ENDING_LIST(NDP_WORD_ITEM)};
    if (child->ending == NDP_ENDING_EXITED)
        snprintf(out, NDP_ENDING_TEXT_BYTES, "exited with %d", child->death.exit_code);
    else if (child->ending == NDP_ENDING_SIGNALLED)
        snprintf(out, NDP_ENDING_TEXT_BYTES, "was killed by signal %d", child->death.signal);
    else
        snprintf(out, NDP_ENDING_TEXT_BYTES, "%s", texts[child->ending]);
}
