/* start_testee.h: starts a testee below its guard, with the protection of the job. */
#ifndef NDP_START_TESTEE_H
#define NDP_START_TESTEE_H

#include "target/process/guard.h"

#include <sys/types.h>

/* A started testee, or the process that supervises it. */
struct ndp_started {
    pid_t pid;     /* the child of this process; negative if none could be started */
    int status_fd; /* gives the testee's wait status when a supervisor ends; -1: that of `pid` counts */
    enum ndp_network network;
    bool has_own_shared_memory; /* not that of this machine */
};

/* Starts the testee of the job. `fork_fd` becomes its descriptor 6; -1: none. A testee that cannot start prints the
 * reason and exits with 127. Call it once in a process with one thread. */
void ndp_start_testee(const struct ndp_guard_job *job, int fork_fd, struct ndp_started *out);

/* The wait status of the testee when its process `pid` has ended with `wait_status`. */
int ndp_started_status(const struct ndp_guard_job *job, const struct ndp_started *started, int wait_status);

/* Returns whether testees can be started with this protection, by starting /bin/true. */
bool ndp_start_testee_works(enum ndp_protection protection);

enum { NDP_CANNOT_START = 127 }; /* as in shells */

#endif
