/* system_calls.h: a seccomp filter for testees. Source: seccomp(2). */
#ifndef NDP_SYSTEM_CALLS_H
#define NDP_SYSTEM_CALLS_H

#include <stdbool.h>

struct ndp_system_calls {
    bool has_internet; /* allow internet sockets, for a network namespace, where they reach nothing */
    bool has_own_pids; /* process 1 is the supervisor of a process namespace: refuse signals to it */
    bool denies_trace; /* refuse to read and change other processes */
};

/* Refuses calls with which a testee could get new privileges, reach the kernel's rarely used parts or leave its
 * namespaces, for this process and its children. Returns whether it worked; false on unknown architectures. */
bool ndp_system_calls_restrict(const struct ndp_system_calls *rules);

/* Gives a file descriptor with the same filter as a program of BPF instructions, without close-on-exec (the caller
 * owns it); -1 if that fails. */
int ndp_system_calls_file(const struct ndp_system_calls *rules);

#endif
