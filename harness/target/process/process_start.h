/* process_start.h: the state of a target that is a process, and functions that start, restart and stop it. */
#ifndef NDP_PROCESS_START_H
#define NDP_PROCESS_START_H

#include "target/process/child.h"
#include "target/process/visible_files.h"
#include "target/protocol/frame.h"
#include "target/target.h"

/* A submitted batch. */
struct ndp_process_batch {
    const struct ndp_program *programs;
    uint32_t count;
    uint32_t done;  /* cases that have an outcome */
    uint32_t first; /* the case with index 0 in the frame sent last */
    uint32_t sequence;
    uint32_t timeouts;
};

struct ndp_process {
    struct ndp_target target;
    struct ndp_target_limits limits;
    char **argv;                           /* owned, NULL-terminated */
    char compiled[NDP_VISIBLE_PATH_BYTES]; /* for `limits` */
    struct ndp_child child;
    bool is_running;
    bool is_resting;       /* stopped on request, so that the next start is no restart */
    uint32_t failed_forks; /* since a fork server has last forked a process */
    uint64_t asked_ns;     /* the time of the last request to fork */
    struct ndp_frame_parser parser;
    struct ndp_buffer out; /* frames to send */
    uint64_t out_at_bytes;
    struct ndp_process_batch pending[NDP_BATCHES_IN_FLIGHT]; /* oldest first */
    uint32_t pending_count;
    uint32_t sequence; /* the last one used */
    bool has_begun;    /* case `done` of the oldest batch */
    bool has_retried;  /* a process failed before the first BEGIN of the oldest batch */
    uint64_t begun_ns;
    uint64_t progress_ns; /* the last time that bytes were sent or received */
};

/* Starts a process and sends it the pending batches: asks the fork server for it if one is running, otherwise starts
 * the testee and fills *info from its HELLO. A process of a fork server is not awaited here. Errors: GONE, TIMEOUT,
 * INVALID (bad HELLO), IO, LIMIT, NOMEM; the process is stopped then. */
enum ndp_status ndp_process_start(struct ndp_process *self, struct ndp_target_info *info,
                                  struct ndp_error *error) NDP_MUST_USE;

/* The same, in several attempts, with the HELLO of the process before. Errors: GONE, INVALID (another HELLO), LIMIT,
 * NOMEM. */
enum ndp_status ndp_process_restart(struct ndp_process *self, struct ndp_error *error) NDP_MUST_USE;

/* Waits until the fork server has forked the process, or starts the testee again. Errors: GONE or TIMEOUT after several
 * attempts, and those of ndp_process_start. */
enum ndp_status ndp_process_await_fork(struct ndp_process *self, struct ndp_error *error) NDP_MUST_USE;

/* Kills the process with its descendants; a fork server stays. Does nothing when none runs. */
void ndp_process_stop(struct ndp_process *self);

/* Stops a fork server, too. */
void ndp_process_close(struct ndp_process *self);

/* Appends the undecided cases of a batch to the frames to send. Errors: LIMIT, NOMEM. */
enum ndp_status ndp_process_enqueue(struct ndp_process *self, struct ndp_process_batch *batch) NDP_MUST_USE;

/* Reads available output into the parser. Errors: IO, NOMEM. */
enum ndp_status ndp_process_read(struct ndp_process *self) NDP_MUST_USE;

/* Whether the process has ended and all its output has been read. */
bool ndp_process_is_drained(const struct ndp_process *self);

#endif
