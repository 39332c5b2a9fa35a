/* fork_server.h: the guard's side of a testee that forks its processes itself (harness/testees/README.md, Forks). */
#ifndef NDP_FORK_SERVER_H
#define NDP_FORK_SERVER_H

#include "target/process/guard.h"
#include "target/process/isolate.h"

enum { NDP_FORK_CHANNELS = 3 /* to the process, from it, its output */ };

enum ndp_fork_state {
    NDP_FORK_IDLE,      /* no process serves */
    NDP_FORK_REQUESTED, /* the testee has not reported the new process */
    NDP_FORK_SERVING,
    NDP_FORK_ENDED /* the testee has reported `wait_status` */
};

/* Processes that send "ready" are kept: the testee, those that supervise it, and its successors. */
struct ndp_fork_server {
    int fd; /* to the testee; -1: none */
    enum ndp_fork_state state;
    uint32_t number; /* of the process that was requested last */
    int process;     /* that process; 0 before SERVING */
    int wait_status;
    struct ndp_isolate_kept kept;
    int testee; /* the first one that was ready; 0: none */
};

/* Opens the channel. Returns the testee's end, which the caller owns; -1 when that fails. */
int ndp_fork_server_open(struct ndp_fork_server *server);

/* Asks for the next process, with these channels (borrowed). Returns whether that is possible. */
bool ndp_fork_server_request(struct ndp_fork_server *server, const int *channels);

/* Reads a message if there is one, and returns whether there was. Closes a channel that the testee has closed. */
bool ndp_fork_server_hear(struct ndp_fork_server *server);

/* Ends everything below this process that is not kept, removes what the process has left in its folder and in shared
 * memory, and becomes IDLE. Returns false when that fails within `seconds`. */
bool ndp_fork_server_clear(struct ndp_fork_server *server, const struct ndp_guard_job *job, bool has_own_shared_memory,
                           unsigned seconds);

#endif
