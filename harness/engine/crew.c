/* crew.c: worker processes.
 *
 * Problem. Targets answer one caller at a time, some wait for seconds, and any may take ndproof down with it. The
 * processors must have work at any time.
 *
 * Method. Workers are forks of this process, connected by a socket each. A worker opens its own targets at its first
 * order. The kernel ends it if this process dies (PR_SET_PDEATHSIG), and the guards of its testees notice the end of
 * the worker. This process adopts the guards of dead workers, so that it can wait for them.
 *
 * Cost. A fork per worker; an order and an answer are copied through a socket. Limits. Orders and answers contain
 * addresses, so workers are never other programs.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "engine/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define ANSWER_BYTES (UINT64_C(1) << 30)
#define MS_NS        UINT64_C(1000000)
enum { NICE_WHEN_WAITING = 4, CLOSE_MS = 300, KILL_MS = 1000 };

/* ---- the worker's side ---- */

static bool send_all(int fd, const void *bytes, uint64_t size_bytes) {
    const uint8_t *at = bytes;
    while (size_bytes > 0) {
        const ssize_t sent = send(fd, at, size_bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        size_bytes -= (uint64_t)sent;
    }
    return true;
}

static bool receive_order(int fd, struct ndp_order *order) {
    uint8_t *at = (uint8_t *)order;
    uint64_t left = sizeof *order;
    while (left > 0) {
        const ssize_t got = recv(fd, at, left, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        left -= (uint64_t)got;
    }
    return true;
}

static enum ndp_status serve(struct ndp_station *station, int fd) {
    static struct ndp_order order;
    NDP_BUFFER_SCOPED(answer, ANSWER_BYTES);
    while (receive_order(fd, &order)) {
        NDP_TRY(ndp_station_serve(station, &order, &answer));
        if (!send_all(fd, &answer.size_bytes, sizeof answer.size_bytes) ||
            !send_all(fd, answer.data, answer.size_bytes))
            break;
    }
    return NDP_OK;
}

/* The end of a terminal's session reaches all processes; this process decides when the workers end. */
static void ignore_signals(void) {
    struct sigaction action = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
}

/* Keeps the worker and its testees, which take turns, on one processor: a turn is cheaper there, and workers do not end
 * up on the same one. Without enough processors, the kernel decides. */
static void choose_processor(const struct ndp_crew *crew, const struct ndp_worker *self) {
    cpu_set_t allowed, chosen;
    uint32_t workers = 0;
    for (uint32_t i = 0; i < crew->count; i++) workers += crew->workers[i].lane == NDP_LANE_COMPUTE;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || (int)workers > CPU_COUNT(&allowed)) return;
    size_t left = (size_t)(self - crew->workers);
    for (size_t processor = 0; processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &allowed) || left-- > 0) continue;
        CPU_ZERO(&chosen);
        CPU_SET(processor, &chosen);
        (void)sched_setaffinity(0, sizeof chosen, &chosen);
        return;
    }
}

static _Noreturn void run_worker(const struct ndp_crew *crew, const struct ndp_worker *self, int fd, pid_t parent) {
    struct ndp_station *station = calloc(1, sizeof *station);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || station == NULL) _exit(1);
    ignore_signals();
    for (uint32_t i = 0; i < crew->count; i++)
        if (&crew->workers[i] != self && crew->workers[i].pid != 0) (void)close(crew->workers[i].fd);
    if (self->lane == NDP_LANE_WAIT) (void)!nice(NICE_WHEN_WAITING);
    if (self->lane == NDP_LANE_COMPUTE) choose_processor(crew, self);
    enum ndp_status status = ndp_station_init(station, crew->bench, crew->schedule, crew->events);
    if (status == NDP_OK) status = serve(station, fd);
    for (uint32_t i = 0; i < crew->bench->count; i++) ndp_target_close(crew->bench->targets[i]);
    ndp_target_close(crew->bench->oracle);
    (void)fflush(NULL);
    _exit(status == NDP_OK ? 0 : 1);
}

/* ---- starting ---- */

static void rest_target(struct ndp_target *target) {
    if (target != NULL && target->ops->rest != NULL) target->ops->rest(target);
}

/* Workers inherit no processes and no temporary folders. */
static void rest_targets(const struct ndp_bench *bench) {
    for (uint32_t i = 0; i < bench->count; i++) rest_target(bench->targets[i]);
    rest_target(bench->oracle);
}

enum ndp_status ndp_crew_restart(struct ndp_crew *crew, struct ndp_worker *worker, struct ndp_error *error) {
    int ends[2];
    const pid_t parent = getpid();
    (void)fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot make a socket: %s", strerror(errno));
    const pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        run_worker(crew, worker, ends[1], parent);
    }
    (void)close(ends[1]);
    if (pid < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        (void)close(ends[0]);
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot start %s: %s", worker->name, strerror(errno));
    }
    worker->pid = pid;
    worker->fd = ends[0];
    worker->is_busy = false;
    worker->answer.size_bytes = 0;
    return NDP_OK;
}

static enum ndp_status start_workers(struct ndp_crew *crew, const uint32_t per_lane[NDP_LANE_COUNT],
                                     struct ndp_error *error) {
    uint32_t wanted = 0, lane = 0, of_lane = 0;
    for (uint32_t i = 0; i < NDP_LANE_COUNT; i++) wanted += per_lane[i];
    crew->workers = calloc(wanted, sizeof *crew->workers);
    if (crew->workers == NULL) return NDP_NOMEM;
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    rest_targets(crew->bench);
    while (crew->count < wanted) {
        while (of_lane == per_lane[lane]) {
            lane++;
            of_lane = 0;
        }
        struct ndp_worker *worker = &crew->workers[crew->count++];
        of_lane++;
        worker->lane = (enum ndp_lane)lane;
        snprintf(worker->name, sizeof worker->name, "worker %u", (unsigned)crew->count);
        ndp_buffer_init(&worker->answer, ANSWER_BYTES);
        NDP_TRY(ndp_crew_restart(crew, worker, error));
    }
    return NDP_OK;
}

enum ndp_status ndp_crew_init(struct ndp_crew *crew, const struct ndp_bench *bench, const struct ndp_schedule *schedule,
                              const struct ndp_sweep_events *events, const uint32_t per_lane[NDP_LANE_COUNT],
                              struct ndp_error *error) {
    uint32_t wanted = 0;
    *crew = (struct ndp_crew){.bench = bench, .schedule = schedule, .events = events};
    ndp_buffer_init(&crew->self.answer, ANSWER_BYTES);
    for (uint32_t i = 0; i < NDP_LANE_COUNT; i++) wanted += per_lane[i];
    if (wanted > NDP_MAX_WORKERS)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "at most %u worker processes", (unsigned)NDP_MAX_WORKERS);
    if (wanted > 0) return start_workers(crew, per_lane, error);
    struct ndp_station *here = calloc(1, sizeof *here);
    if (here == NULL) return NDP_NOMEM;
    const enum ndp_status status = ndp_station_init(here, bench, schedule, events);
    if (status != NDP_OK) {
        free(here);
        return status;
    }
    crew->here = here;
    return NDP_OK;
}

/* ---- orders and answers ---- */

struct ndp_worker *ndp_crew_idle(struct ndp_crew *crew, enum ndp_lane lane) {
    if (crew->here != NULL) return crew->self.is_busy ? NULL : &crew->self;
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->workers[i].lane == lane && crew->workers[i].pid != 0 && !crew->workers[i].is_busy)
            return &crew->workers[i];
    return NULL;
}

enum ndp_status ndp_crew_order(struct ndp_crew *crew, struct ndp_worker *worker) {
    worker->is_busy = true;
    worker->answer.size_bytes = 0;
    if (crew->here != NULL) {
        NDP_BUFFER_SCOPED(answer, ANSWER_BYTES);
        NDP_TRY(ndp_station_serve(crew->here, &worker->order, &answer));
        NDP_TRY(ndp_buffer_add(&worker->answer, &answer.size_bytes, sizeof answer.size_bytes));
        return ndp_buffer_add(&worker->answer, answer.data, answer.size_bytes);
    }
    /* The worker waits for orders, so this does not block; a worker that has died is noticed by ndp_crew_wait. */
    (void)send_all(worker->fd, &worker->order, sizeof worker->order);
    return NDP_OK;
}

static bool is_answered(const struct ndp_worker *worker) {
    uint64_t size_bytes;
    if (worker->answer.size_bytes < sizeof size_bytes) return false;
    memcpy(&size_bytes, worker->answer.data, sizeof size_bytes);
    return worker->answer.size_bytes == sizeof size_bytes + size_bytes;
}

/* Reads what has come. False if the worker has died. */
static bool read_answer(struct ndp_worker *worker) {
    for (;;) {
        enum { CHUNK_BYTES = 1 << 16 };
        uint8_t chunk[CHUNK_BYTES];
        const ssize_t got = recv(worker->fd, chunk, sizeof chunk, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
        if (got <= 0 || ndp_buffer_add(&worker->answer, chunk, (uint64_t)got) != NDP_OK) return false;
    }
}

/* Ends a worker that has closed its socket, and states how it ended. */
static void bury(struct ndp_worker *worker, char *ending, size_t ending_bytes) {
    int status = 0;
    (void)kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFSIGNALED(status))
        snprintf(ending, ending_bytes, "was killed by signal %d", WTERMSIG(status));
    else
        snprintf(ending, ending_bytes, "exited with %d", WEXITSTATUS(status));
    (void)close(worker->fd);
    worker->pid = 0;
}

enum ndp_status ndp_crew_wait(struct ndp_crew *crew, uint64_t timeout_ns, struct ndp_crew_news *out) {
    struct pollfd fds[NDP_MAX_WORKERS];
    *out = (struct ndp_crew_news){.worker = NULL};
    if (crew->here != NULL) {
        if (crew->self.is_busy) out->worker = &crew->self;
        out->was_busy = crew->self.is_busy;
        crew->self.is_busy = false;
        return NDP_OK;
    }
    for (uint32_t i = 0; i < crew->count; i++)
        fds[i] = (struct pollfd){.fd = crew->workers[i].pid != 0 ? crew->workers[i].fd : -1, .events = POLLIN};
    const int ready = poll(fds, crew->count, (int)((timeout_ns + MS_NS - 1) / MS_NS));
    if (ready < 0) return errno == EINTR ? NDP_OK : NDP_IO;
    for (uint32_t i = 0; i < crew->count && out->worker == NULL; i++) {
        struct ndp_worker *worker = &crew->workers[i];
        if (fds[i].fd < 0 || fds[i].revents == 0) continue;
        const bool is_alive = read_answer(worker);
        out->is_dead = !is_alive && !is_answered(worker);
        if (is_alive && !is_answered(worker)) continue;
        if (out->is_dead) bury(worker, out->ending, sizeof out->ending);
        out->was_busy = worker->is_busy;
        worker->is_busy = false;
        out->worker = worker;
    }
    return NDP_OK;
}

/* ---- the end ---- */

/* Waits for all children, among them adopted guards. False if some are left after the time. */
static bool await_children(struct ndp_crew *crew, uint64_t most_ms) {
    const struct timespec pause = {.tv_nsec = 2 * 1000 * 1000};
    const uint64_t end_ns = ndp_clock_ns() + most_ms * MS_NS;
    for (;;) {
        const pid_t pid = waitpid(-1, NULL, WNOHANG);
        for (uint32_t i = 0; pid > 0 && i < crew->count; i++)
            if (crew->workers[i].pid == pid) crew->workers[i].pid = 0;
        if (pid > 0) continue;
        if (pid < 0 && errno == ECHILD) return true;
        if (ndp_clock_ns() >= end_ns) return false;
        (void)nanosleep(&pause, NULL);
    }
}

void ndp_crew_clear(struct ndp_crew *crew) {
    for (uint32_t i = 0; i < crew->count; i++) {
        struct ndp_worker *worker = &crew->workers[i];
        if (worker->pid != 0) (void)close(worker->fd);
        /* A busy worker would finish its order first. */
        if (worker->pid != 0 && worker->is_busy) (void)kill(worker->pid, SIGKILL);
    }
    if (crew->count > 0 && !await_children(crew, CLOSE_MS)) {
        for (uint32_t i = 0; i < crew->count; i++)
            if (crew->workers[i].pid != 0) (void)kill(crew->workers[i].pid, SIGKILL);
        (void)await_children(crew, KILL_MS);
    }
    for (uint32_t i = 0; i < crew->count; i++) ndp_buffer_clear(&crew->workers[i].answer);
    free(crew->workers);
    if (crew->here != NULL) ndp_station_clear(crew->here);
    free(crew->here);
    ndp_buffer_clear(&crew->self.answer);
    *crew = (struct ndp_crew){.bench = NULL};
}
