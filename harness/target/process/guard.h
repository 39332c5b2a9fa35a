/* guard.h: the process between ndproof and a testee.
 *
 * The guard is a fork of ndproof in a session of its own. It adopts every orphan below it (prctl(2),
 * PR_SET_CHILD_SUBREAPER), starts the testee and watches the memory of the whole tree. When the testee ends, when
 * ndproof asks for it or when ndproof is gone for any reason, the guard kills everything below it, removes the
 * temporary folder and ends. The testee dies with the guard (PR_SET_PDEATHSIG).
 *
 * A testee that forks its processes itself (target/process/fork_server.h) stays: the guard passes on the requests for
 * processes, and ends what one has left before the next.
 */
#ifndef NDP_GUARD_H
#define NDP_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "target/process/protection.h"

/* enum name, word: how the testee is cut off from the network */
#define NDP_NETWORK_LIST(X)                                                                                            \
    X(OPEN, "open")                     /* no method worked: the testee can reach the network */                       \
    X(NAMESPACE, "namespace")           /* a network namespace of its own */                                           \
    X(USER_NAMESPACE, "user-namespace") /* a network namespace below a user namespace */                               \
    X(SECCOMP, "seccomp")               /* a seccomp filter refuses internet sockets */

#define NDP_NETWORK_ENUM(name, word) NDP_NETWORK_##name,
enum ndp_network { NDP_NETWORK_LIST(NDP_NETWORK_ENUM) NDP_NETWORK_COUNT };

/* enum name, text: why the guard ends a testee */
#define NDP_EXCESS_LIST(X)                                                                                             \
    X(NONE, "")                                                                                                        \
    X(MEMORY, "memory")                                                                                                \
    X(PROCESSES, "number of processes")                                                                                \
    X(DISK, "disk space")

#define NDP_EXCESS_ENUM(name, text) NDP_EXCESS_##name,
enum ndp_excess { NDP_EXCESS_LIST(NDP_EXCESS_ENUM) NDP_EXCESS_COUNT };

/* The messages of the guard on its control socket, one packet each. */
enum ndp_guard_news { NDP_GUARD_STARTED, NDP_GUARD_FORKED, NDP_GUARD_ENDED };
struct ndp_guard_message {
    enum ndp_guard_news news;
    enum ndp_network network; /* STARTED */
    int process;              /* FORKED: its id */
    uint32_t number;          /* FORKED: its folder has this name in the folder of the testee */
    int wait_status;          /* ENDED: the testee's, or that of its process, as from wait(2) */
    enum ndp_excess excess;   /* ENDED: why the guard killed the testee */
    uint32_t orphans;         /* ENDED: processes that left the testee's family and were running at its end */
    bool can_fork;            /* ENDED: the testee can fork the next process; otherwise the guard ends */
};

/* Requests to the guard, one packet of one byte each: a new process, with its three channels as SCM_RIGHTS (to the
 * process, from it, its output); the end of the process. */
#define NDP_GUARD_FORK 'f'
#define NDP_GUARD_END  'e'

/* All members are borrowed. The descriptors are not 0, 1 or 2. */
struct ndp_guard_job {
    char *const *argv;     /* NULL-terminated; argv[0] is absolute or found through PATH */
    const char *folder;    /* exists; the testee's working folder, TMPDIR and HOME; removed at the end with its
                            * content */
    const char *compiled;  /* a folder that it can read, too; NULL or "": none */
    int control_fd;        /* a SOCK_SEQPACKET socket; closing it ends the guard */
    int to_testee_fd;      /* becomes descriptor 3 of the testee */
    int from_testee_fd;    /* becomes descriptor 4 */
    int print_fd;          /* becomes its standard output and error */
    int feedback_fd;       /* becomes descriptor 5; -1: none */
    const char *feedback;  /* the value of NDPROOF_COUNTERS; NULL when feedback_fd is -1 */
    uint64_t memory_bytes; /* limit for the whole tree, and for its files */
    enum ndp_protection protection;
};

/* The testee of a guard: its oldest child, or the oldest below the processes that supervise a namespace, which adopt
 * the testee's orphans. 0 if there is none. */
int ndp_guard_find_testee(int guard, enum ndp_protection protection);

/* Call it in a new child process. Never returns. */
_Noreturn void ndp_guard_run(const struct ndp_guard_job *job);

/* Makes the calling process the leader of a new session that is as nice as the process: Linux schedules sessions as
 * groups, each with a niceness of its own (sched(7), autogroup). */
void ndp_guard_start_session(void);

/* Removes a folder with its content, without following links. */
void ndp_guard_remove_folder(const char *path);

#endif
