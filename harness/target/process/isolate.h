/* isolate.h: restricts a testee: no network, limited resources. Linux only. */
#ifndef NDP_ISOLATE_H
#define NDP_ISOLATE_H

#include "target/process/guard.h"

/* Cuts this process and its children off from the network by the strongest method that works. Loopback is up in a new
 * namespace. The process must have one thread. */
enum ndp_network ndp_isolate_network(void);

/* Brings up the loopback interface of a new network namespace. */
void ndp_isolate_bring_loopback_up(void);

/* Maps a user and a group (each a pair) into the user namespace that this process has just entered. On failure the
 * process runs as the overflow user, who may do even less. */
void ndp_isolate_map_user(const unsigned *inside, const unsigned *outside);

/* Gives this process and its children a /dev/shm of their own, of that size (which contains POSIX semaphores, too). It
 * vanishes with the last of them, because a killed process cannot remove its names. Top folders of `paths`
 * (NULL-terminated, borrowed) stay visible. Returns whether it worked. Call it after ndp_isolate_network: a mount
 * namespace may need the user namespace. The process must have one thread. */
bool ndp_isolate_shared_memory(const char *const *paths, uint64_t size_bytes);

/* Removes the semaphores that loky's pools of process `pid`, which is dead, have left. For use when
 * ndp_isolate_shared_memory failed. */
void ndp_isolate_remove_shared_memory(int pid);

/* Limits address space (to a generous multiple of `memory_bytes`), file sizes, CPU time and core files of this process
 * and its children. */
void ndp_isolate_resources(uint64_t memory_bytes);

/* Limits the number of processes and threads. The kernel counts all of this user in its user namespace; with
 * `counts_others`, those that exist already do not use up the limit. It does not limit root. */
void ndp_isolate_processes(bool counts_others);

/* Processes that stay when others end. */
enum { NDP_ISOLATE_KEPT = 16 };
struct ndp_isolate_kept {
    int pids[NDP_ISOLATE_KEPT];
    uint32_t count;
};

/* Adds a process, unless it is there or there is no room. */
void ndp_isolate_keep(struct ndp_isolate_kept *kept, int pid);

/* The private memory of a process tree, and the number of its processes. */
struct ndp_isolate_use {
    uint64_t bytes;      /* of those that are not kept */
    uint64_t kept_bytes; /* of the others */
    uint32_t processes;
};

/* Measures `pid` and its descendants. Source: proc(5), statm and task/<tid>/children. */
struct ndp_isolate_use ndp_isolate_tree_measure(int pid, const struct ndp_isolate_kept *kept);

/* The private memory of `pid` and its descendants. Source: proc(5), statm and task/<tid>/children. */
uint64_t ndp_isolate_tree_memory_bytes(int pid);

/* The CPU time of all descendants of `pid`, without `pid`. Ended processes count once they were waited for. The
 * resolution is a clock tick, some milliseconds. Source: proc(5), stat. */
uint64_t ndp_isolate_tree_cpu_us(int pid);

/* ndp_isolate_tree_list returns the number of descendants of `pid`, without the process `apart` (0: none) and those
 * below it, and fills `out` with the first `most` of them.
 * ndp_isolate_tree_first_child returns the oldest child of `pid`, or 0. */
uint32_t ndp_isolate_tree_list(int pid, int apart, int *out, uint32_t most);
int ndp_isolate_tree_first_child(int pid);

/* ndp_isolate_children fills `out` with the first `most` children of `pid` and returns their number.
 * ndp_isolate_parent returns the parent of `pid`; 0 when it is gone. */
uint32_t ndp_isolate_children(int pid, int *out, uint32_t most);
int ndp_isolate_parent(int pid);

/* Kills every descendant of this process and waits for all, for at most `seconds`. Fills *status with the wait status
 * of `pid` when it is among them. */
void ndp_isolate_tree_kill(int pid, unsigned seconds, int *status);

/* Kills every descendant of this process that is not kept, and waits until none lives; their parents reap them. Returns
 * false when one still lives after `seconds`. */
bool ndp_isolate_tree_end(const struct ndp_isolate_kept *kept, unsigned seconds);

#endif
