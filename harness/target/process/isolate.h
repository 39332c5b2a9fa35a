/* isolate.h: what a testee may not do: reach the network, or take more than its share. Linux only. */
#ifndef NDP_ISOLATE_H
#define NDP_ISOLATE_H

#include "target/process/guard.h"

/* Takes the network away from this process and its children by the strongest means that works; loopback inside a
 * new namespace is up. The process must have one thread. */
enum ndp_network ndp_isolate_network(void);

/* Gives this process and its children a shared memory of their own (/dev/shm, where POSIX semaphores are too), which
 * ends with the last of them: what is killed cannot remove its names. Folders there that hold one of `paths`
 * (NULL-terminated) stay in sight. Whether it worked: a mount namespace must be allowed, so this comes after the
 * network, which may have needed a user namespace. The process must have one thread. */
bool ndp_isolate_shared_memory(const char *const *paths);

/* Removes the semaphores of loky's pools that process `pid`, which is dead, has made. For where the above did not work.
 */
void ndp_shared_memory_remove(int pid);

/* Limits address space (a generous multiple of `memory_bytes`), file sizes, processor time and core files of this
 * process and its children. */
void ndp_isolate_resources(uint64_t memory_bytes);

/* The bytes of private memory that the processes below `pid`, itself included, hold now. Source: proc(5), statm and
 * task/<tid>/children. */
uint64_t ndp_tree_memory_bytes(int pid);

/* The processor time of what is and was below `pid`, itself not counted: of those that have ended once they were waited
 * for. In ticks of the system, which are some milliseconds. Source: proc(5), stat. */
uint64_t ndp_tree_cpu_us(int pid);

/* How many processes are below `pid`, itself not counted; fills `out` with the first `most` of them. The oldest child
 * of `pid`, or 0. */
uint32_t ndp_tree_list(int pid, int *out, uint32_t most);
int ndp_tree_first_child(int pid);

/* Kills every process below this one and waits for all, for at most `seconds`. Fills *status with the wait status
 * of `pid` when it is among them. */
void ndp_tree_kill(int pid, unsigned seconds, int *status);

#endif
