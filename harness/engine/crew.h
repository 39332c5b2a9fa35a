/* crew.h: worker processes. Each has its own targets and executes orders (station.h). Private to this folder.
 *
 * A worker is a fork of this process. It ends when its socket is closed, or with this process. Orders and answers are
 * sent as they are in memory. Without workers, the crew executes orders in this process.
 */
#ifndef NDP_CREW_H
#define NDP_CREW_H

#include <sys/types.h>

#include "engine/station.h"

enum { NDP_MAX_WORKERS = 256, NDP_WORKER_NAME_BYTES = 32 };

struct ndp_worker {
    char name[NDP_WORKER_NAME_BYTES]; /* "worker 3" */
    enum ndp_lane lane;
    pid_t pid; /* 0: not running */
    int fd;
    bool is_busy;
    struct ndp_order order;   /* while it is busy */
    uint32_t attempts;        /* at that order, this one included */
    struct ndp_buffer answer; /* its size in 8 bytes, then the answer, as far as it has come */
};

struct ndp_crew {
    const struct ndp_bench *bench; /* borrowed, as the next two */
    const struct ndp_schedule *schedule;
    const struct ndp_sweep_events *events;
    struct ndp_worker *workers; /* owned */
    uint32_t count;             /* 0: orders are executed in this process */
    struct ndp_station *here;   /* owned; without workers */
    struct ndp_worker self;     /* holds the order and the answer without workers */
};

/* Starts `per_lane` workers for each lane, after the targets were put to rest; all 0: none. Errors: NOMEM, IO (fork),
 * LIMIT (more than NDP_MAX_WORKERS). */
enum ndp_status ndp_crew_init(struct ndp_crew *crew, const struct ndp_bench *bench, const struct ndp_schedule *schedule,
                              const struct ndp_sweep_events *events, const uint32_t per_lane[NDP_LANE_COUNT],
                              struct ndp_error *error) NDP_MUST_USE;

/* Ends all workers with their targets: lets them close for a moment, then kills them. */
void ndp_crew_clear(struct ndp_crew *crew);

/* A worker of the lane that has nothing to do, or NULL. Without workers, it works for all lanes. */
struct ndp_worker *ndp_crew_idle(struct ndp_crew *crew, enum ndp_lane lane);

/* Gives worker->order to the worker. A worker that has died takes it, too; ndp_crew_wait returns it then. Errors: those
 * of ndp_station_serve without workers. */
enum ndp_status ndp_crew_order(struct ndp_crew *crew, struct ndp_worker *worker) NDP_MUST_USE;

/* `worker` answered, or it died; NULL if the time has passed. */
struct ndp_crew_news {
    struct ndp_worker *worker; /* borrowed; not busy any more; its order and answer stay until the next order */
    bool is_dead;
    bool was_busy;
    char ending[64]; /* "was killed by signal 11" */
};

/* Waits until a worker answers or dies, at most `timeout_ns`. Errors: IO. */
enum ndp_status ndp_crew_wait(struct ndp_crew *crew, uint64_t timeout_ns, struct ndp_crew_news *out) NDP_MUST_USE;

/* Starts a worker that died again. Errors: IO. */
enum ndp_status ndp_crew_restart(struct ndp_crew *crew, struct ndp_worker *worker,
                                 struct ndp_error *error) NDP_MUST_USE;

/* The answer of a worker that is not busy. */
static inline struct ndp_bytes ndp_worker_answer(const struct ndp_worker *worker) {
    return (struct ndp_bytes){worker->answer.data + sizeof(uint64_t), worker->answer.size_bytes - sizeof(uint64_t)};
}

#endif
