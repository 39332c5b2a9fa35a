/* supervise.h: one testee process, seen from ndproof: its channel, what it prints, and how it ends.
 *
 * The process and all it starts live below a guard (target/process/guard.h); none of this raises SIGPIPE.
 */
#ifndef NDP_SUPERVISE_H
#define NDP_SUPERVISE_H

#include "target/case_file.h"
#include "target/process/guard.h"
#include "target/target.h"

#include <sys/types.h>

enum { NDP_PRINT_RING_BYTES = 1 << 14 };

/* enum name, how a testee ended */
#define NDP_ENDING_LIST(X)                                                                                             \
    X(RUNNING, "is running")                                                                                           \
    X(EXITED, "exited")                                                                                                \
    X(SIGNALLED, "was killed by a signal")                                                                             \
    X(MEMORY, "was killed for its use of memory")                                                                      \
    X(LOST, "is gone with its guard")

enum ndp_ending {
#define NDP_ENDING_ENUM(name, text) NDP_ENDING_##name,
    NDP_ENDING_LIST(NDP_ENDING_ENUM)
#undef NDP_ENDING_ENUM
        NDP_ENDING_COUNT
};

/* Zeroed: nothing runs. Descriptors are -1 when closed. */
struct ndp_child {
    pid_t guard;  /* 0: nothing runs */
    int write_fd; /* to the testee; non-blocking */
    int read_fd;  /* from the testee; non-blocking */
    int print_fd; /* what it prints; non-blocking */
    int control_fd;
    enum ndp_network network;
    enum ndp_ending ending;
    struct ndp_death death; /* EXITED, SIGNALLED */
    char folder[NDP_FOLDER_PATH_BYTES];
    uint8_t printed[NDP_PRINT_RING_BYTES]; /* a ring */
    uint64_t printed_bytes;                /* ever */
};

/* Starts `argv` in a folder of its own, with what `limits` says of memory and feedback. Errors: IO, NOMEM. Nothing is
 * left then. */
enum ndp_status ndp_child_start(struct ndp_child *child, char *const *argv, const struct ndp_target_limits *limits,
                                struct ndp_error *error) NDP_MUST_USE;

/* Writes what the channel takes now; *written may be 0. Errors: GONE (no reader), IO. */
enum ndp_status ndp_child_write(struct ndp_child *child, struct ndp_bytes bytes, uint64_t *written) NDP_MUST_USE;

/* Reads what is there now into `room`; *got may be 0. After the testee's end read_fd becomes -1. Errors: IO. */
enum ndp_status ndp_child_read(struct ndp_child *child, uint8_t *room, uint64_t room_bytes, uint64_t *got) NDP_MUST_USE;

/* Waits until something can be read, the testee has ended, or (when `wants_write`) something can be written, for at
 * most `timeout_ns`; keeps what it prints and notices its end. Errors: IO. */
enum ndp_status ndp_child_wait(struct ndp_child *child, bool wants_write, uint64_t timeout_ns) NDP_MUST_USE;

/* Ends the testee with all that it started, and waits for that; then `ending` and `death` say how it ended (SIGKILL
 * when it was still running). Nothing to do when nothing runs. */
void ndp_child_stop(struct ndp_child *child);

/* Gives the last bytes that it printed, at most `max_bytes`, in `arena`; empty when there is no memory. */
struct ndp_bytes ndp_child_printed(const struct ndp_child *child, struct ndp_arena *arena, uint64_t max_bytes);

/* "exited with 3", "was killed by signal 11": `out` holds 96 bytes. */
enum { NDP_ENDING_TEXT_BYTES = 96 };
void ndp_child_describe(const struct ndp_child *child, char *out);

/* The monotonic clock. */
uint64_t ndp_now_ns(void);

#endif
