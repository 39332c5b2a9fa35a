/* guard.h: the process between ndproof and a testee.
 *
 * The guard is a fork of ndproof in a session of its own that adopts every orphan below it (prctl(2),
 * PR_SET_CHILD_SUBREAPER). It starts the testee, watches the memory of the whole tree, and when the testee ends, when
 * it is told to, or when ndproof is gone in whatever way, it kills everything below it, removes the temporary folder
 * and ends. The testee dies with the guard (PR_SET_PDEATHSIG).
 */
#ifndef NDP_GUARD_H
#define NDP_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* enum name, word: how the network is taken away */
#define NDP_NETWORK_LIST(X)                                                                                            \
    X(OPEN, "open")                     /* nothing worked: the testee can reach the network */                         \
    X(NAMESPACE, "namespace")           /* a network namespace of its own */                                           \
    X(USER_NAMESPACE, "user-namespace") /* the same, below a user namespace */                                         \
    X(SECCOMP, "seccomp")               /* internet sockets are refused */

enum ndp_network {
#define NDP_NETWORK_ENUM(name, word) NDP_NETWORK_##name,
    NDP_NETWORK_LIST(NDP_NETWORK_ENUM)
#undef NDP_NETWORK_ENUM
        NDP_NETWORK_COUNT
};

/* What the guard says over its control descriptor: one packet each. */
enum ndp_guard_news { NDP_GUARD_STARTED, NDP_GUARD_ENDED };
struct ndp_guard_message {
    enum ndp_guard_news news;
    enum ndp_network network; /* STARTED */
    int wait_status;          /* ENDED: of the testee, as wait(2) gives it */
    bool is_over_memory;      /* ENDED: the guard killed it for that */
};

/* Everything is borrowed; the descriptors are not 0, 1 or 2. */
struct ndp_guard_job {
    char *const *argv;     /* NULL-terminated; argv[0] absolute or to be found in PATH */
    const char *folder;    /* exists; working folder, TMPDIR and HOME of the testee; removed with all in it */
    int control_fd;        /* a SOCK_SEQPACKET socket; its end means stop */
    int to_testee_fd;      /* becomes descriptor 3 of the testee */
    int from_testee_fd;    /* becomes descriptor 4 */
    int print_fd;          /* becomes standard output and error */
    int feedback_fd;       /* becomes descriptor 5; -1 is none */
    const char *feedback;  /* the value of NDPROOF_COUNTERS; NULL without the descriptor */
    uint64_t memory_bytes; /* of the whole tree */
};

/* To be called in a new child process. Never returns. */
_Noreturn void ndp_guard_run(const struct ndp_guard_job *job);

/* Removes a folder and all below it, without following links out of it. */
void ndp_folder_remove(const char *path);

#endif
