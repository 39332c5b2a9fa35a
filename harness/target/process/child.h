/* child.h: one testee process as ndproof sees it: its channel, its output and its end.
 *
 * The process and its descendants run below a guard (target/process/guard.h). No function here raises SIGPIPE.
 */
#ifndef NDP_CHILD_H
#define NDP_CHILD_H

#include "target/case_file.h"
#include "target/process/guard.h"
#include "target/target.h"

#include <sys/types.h>

enum { NDP_PRINT_RING_BYTES = 1 << 14 };

/* enum name, text */
#define NDP_ENDING_LIST(X)                                                                                             \
    X(RUNNING, "is running")                                                                                           \
    X(EXITED, "exited")                                                                                                \
    X(SIGNALLED, "was killed by a signal")                                                                             \
    X(MEMORY, "was killed for its use of memory")                                                                      \
    X(PROCESSES, "was killed for its number of processes")                                                             \
    X(DISK, "was killed for its use of disk space")                                                                    \
    X(LOST, "is gone with its guard")

#define NDP_ENDING_ENUM(name, text) NDP_ENDING_##name,
enum ndp_ending { NDP_ENDING_LIST(NDP_ENDING_ENUM) NDP_ENDING_COUNT };

/* All zero: not running. Closed descriptors are -1. */
struct ndp_child {
    pid_t guard;  /* 0: not running */
    int write_fd; /* to the testee; non-blocking */
    int read_fd;  /* from the testee; non-blocking */
    int print_fd; /* its standard output and error; non-blocking */
    int control_fd;
    enum ndp_network network;
    enum ndp_protection protection;
    enum ndp_ending ending;
    int server_print_fd;    /* a fork server's own output, which goes where that of its processes goes */
    bool is_forking;        /* a process was requested and has not started */
    bool can_fork;          /* the process has ended, and the next one can be requested */
    int process;            /* the process that a fork server has forked; 0: none, the testee itself serves */
    uint32_t number;        /* the name of its folder, in `folder` */
    uint32_t orphans;       /* processes that were running at its end, outside its family */
    struct ndp_death death; /* for EXITED and SIGNALLED */
    char folder[NDP_FOLDER_PATH_BYTES];
    uint8_t printed[NDP_PRINT_RING_BYTES]; /* a ring buffer of the last output */
    uint64_t printed_bytes;                /* in total */
};

/* Starts `argv` in a folder of its own, with the memory limit and the feedback of `limits` (borrowed). Errors: IO,
 * NOMEM; nothing is left running. */
enum ndp_status ndp_child_start(struct ndp_child *child, char *const *argv, const struct ndp_target_limits *limits,
                                struct ndp_error *error) NDP_MUST_USE;

/* Asks a fork server that has just started, or whose process ndp_child_end has ended, for its next process, with new
 * channels. The process may be written to immediately; it serves when `is_forking` becomes false. Errors: IO, GONE; the
 * child must then be stopped. */
enum ndp_status ndp_child_fork(struct ndp_child *child) NDP_MUST_USE;

/* Ends the process of a fork server and everything that it has started; `can_fork` states whether the server still
 * serves. Stops any other testee. */
void ndp_child_end(struct ndp_child *child);

/* Writes as much as the channel accepts; *written may be 0. Errors: GONE (no reader), IO. */
enum ndp_status ndp_child_write(struct ndp_child *child, struct ndp_bytes bytes, uint64_t *written) NDP_MUST_USE;

/* Reads available bytes into `room`; *got may be 0. After the testee's end read_fd becomes -1. Errors: IO. */
enum ndp_status ndp_child_read(struct ndp_child *child, uint8_t *room, uint64_t room_bytes, uint64_t *got) NDP_MUST_USE;

/* Waits for at most `timeout_ns` until the channel is readable, the testee has ended, or (with `wants_write`) the
 * channel is writeable. Also collects printed output and the guard's messages. Errors: IO. */
enum ndp_status ndp_child_wait(struct ndp_child *child, bool wants_write, uint64_t timeout_ns) NDP_MUST_USE;

/* Kills the testee and its descendants and waits for them. Afterwards `ending` and `death` describe the end (SIGKILL
 * when it was still running). Does nothing when nothing runs. */
void ndp_child_stop(struct ndp_child *child);

/* The last printed bytes, at most `max_bytes`, in `arena`; empty when memory runs out. */
struct ndp_bytes ndp_child_printed(const struct ndp_child *child, struct ndp_arena *arena, uint64_t max_bytes);

/* Fills `out` (96 bytes) with "exited with 3", "was killed by signal 11" and the like. */
enum { NDP_ENDING_TEXT_BYTES = 96 };
void ndp_child_describe(const struct ndp_child *child, char *out);

#endif
