/* namespaces.h: makes a sandbox without another program. Source: namespaces(7), mount_setattr(2), pivot_root(2). */
#ifndef NDP_NAMESPACES_H
#define NDP_NAMESPACES_H

#include "target/process/sandbox.h"

/* From the process that ndp_namespaces_fork starts to the testee. */
enum { NDP_NAMESPACES_GENERATIONS = 1 };

/* Forks a child in namespaces of its own, in which it is process 1. Returns as fork(2). */
pid_t ndp_namespaces_fork(const struct ndp_sandbox *sandbox);

/* Gives this process, which ndp_namespaces_fork has made, the files of the sandbox and a network without connections.
 * Fills `what` with the failed action (borrowed) and returns false when that fails; errno is set. */
bool ndp_namespaces_enter(const struct ndp_sandbox *sandbox, const char **what);

/* Forks the testee and waits for it. Returns 0 in the testee. Otherwise never returns: when the testee ends, writes its
 * wait status to `status_fd` and ends, with everything below it. */
pid_t ndp_namespaces_supervise(int status_fd);

#endif
