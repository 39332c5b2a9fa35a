/* bubblewrap.h: starts a testee in a sandbox that bwrap(1) makes. */
#ifndef NDP_BUBBLEWRAP_H
#define NDP_BUBBLEWRAP_H

#include "target/process/sandbox.h"
#include "target/process/system_calls.h"

/* bwrap runs the testee below a process of its own in the new process namespace. From the program that was started to
 * the testee there are so many generations. */
enum { NDP_BUBBLEWRAP_GENERATIONS = 2 };

/* Replaces this process by bwrap, which starts `argv` in the sandbox with the environment of this process. Returns only
 * when that fails. bwrap exits with the testee's code, or with 128 and the number of the signal that ended it. */
void ndp_bubblewrap_exec(const struct ndp_sandbox *sandbox, const struct ndp_system_calls *rules, char *const *argv);

/* The wait status of the testee, from that of bwrap. */
int ndp_bubblewrap_status(int wait_status);

#endif
