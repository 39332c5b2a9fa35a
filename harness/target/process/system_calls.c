/* Builds a seccomp filter.
 *
 * Problem: namespaces do not protect the kernel itself, and a testee without privileges may get some back inside a user
 * namespace of its own.
 *
 * Method: a list of refused calls, each with the error that the testee sees; socket() and clone() are refused by their
 * first argument. clone3() passes its flags in memory, which a filter cannot read, so it does not exist for the testee,
 * and C libraries use clone() instead. Other tables of system calls (i386, x32) end the process.
 *
 * Cost: a few dozen instructions per call; the kernel remembers calls that are always allowed. Limits: x86-64 and
 * AArch64. The call numbers are those of the headers at compile time.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/system_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/status.h"

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define THIS_ARCHITECTURE 0
#endif

enum { MAX_INSTRUCTIONS = 256, X32_BIT = 0x40000000 };

/* Namespaces that clone() could make. */
#define CLONE_NEW_ANY                                                                                                  \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

struct filter {
    struct sock_filter code[MAX_INSTRUCTIONS];
    uint16_t count;
};

static void put(struct filter *filter, struct sock_filter instruction) {
    if (filter->count < MAX_INSTRUCTIONS) filter->code[filter->count++] = instruction;
}

static void load(struct filter *filter, size_t offset_bytes) {
    put(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset_bytes));
}

static void load_argument(struct filter *filter, int index) {
    load(filter, offsetof(struct seccomp_data, args) + (size_t)index * sizeof(uint64_t));
}

static void answer(struct filter *filter, uint32_t result) {
    put(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result));
}

static void refuse(struct filter *filter, long number, int error) {
    put(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1));
    answer(filter, SECCOMP_RET_ERRNO | (uint32_t)error);
}

/* The instructions that `add` writes run only for this call; they end with an answer. */
static void on_call(struct filter *filter, long number, void (*add)(struct filter *, const struct ndp_system_calls *),
                    const struct ndp_system_calls *rules) {
    const uint16_t jump = filter->count;
    put(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 0));
    add(filter, rules);
    if (jump < MAX_INSTRUCTIONS) filter->code[jump].jf = (uint8_t)(filter->count - jump - 1);
}

/* Local sockets, and those of a network namespace. Others, such as those to the host of a virtual machine, belong to no
 * namespace. */
static void add_socket(struct filter *filter, const struct ndp_system_calls *rules) {
    static const uint32_t families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
    const size_t count = rules->has_internet ? NDP_ARRAY_LEN(families) : 1;
    load_argument(filter, 0);
    for (size_t i = 0; i < count; i++) {
        put(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, families[i], 0, 1));
        answer(filter, SECCOMP_RET_ALLOW);
    }
    answer(filter, SECCOMP_RET_ERRNO | EACCES);
}

static void add_clone(struct filter *filter, const struct ndp_system_calls *rules) {
    (void)rules;
    load_argument(filter, 0);
    put(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEW_ANY, 0, 1));
    answer(filter, SECCOMP_RET_ERRNO | EPERM);
    answer(filter, SECCOMP_RET_ALLOW);
}

/* Without this, the kernel would drop a signal to process 1 silently. */
static void add_kill(struct filter *filter, const struct ndp_system_calls *rules) {
    (void)rules;
    load_argument(filter, 0);
    put(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1));
    answer(filter, SECCOMP_RET_ERRNO | EPERM);
    answer(filter, SECCOMP_RET_ALLOW);
}

static void add_refused(struct filter *filter) {
    static const long numbers[] = {
        SYS_mount,         SYS_umount2,
        SYS_pivot_root,    SYS_chroot,
        SYS_setns,         SYS_unshare,
        SYS_open_tree,     SYS_move_mount,
        SYS_fsopen,        SYS_fsconfig,
        SYS_fsmount,       SYS_fspick,
        SYS_bpf,           SYS_perf_event_open,
        SYS_userfaultfd,   SYS_keyctl,
        SYS_add_key,       SYS_request_key,
        SYS_kexec_load,    SYS_init_module,
        SYS_finit_module,  SYS_delete_module,
        SYS_swapon,        SYS_swapoff,
        SYS_reboot,        SYS_acct,
        SYS_quotactl,      SYS_open_by_handle_at,
        SYS_syslog,        SYS_io_uring_setup,
#ifdef SYS_mount_setattr
        SYS_mount_setattr,
#endif
    };
    for (size_t i = 0; i < NDP_ARRAY_LEN(numbers); i++) refuse(filter, numbers[i], EPERM);
    refuse(filter, SYS_clone3, ENOSYS);
}

static void add_trace(struct filter *filter) {
    static const long numbers[] = {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev};
    for (size_t i = 0; i < NDP_ARRAY_LEN(numbers); i++) refuse(filter, numbers[i], EPERM);
#ifdef SYS_pidfd_getfd
    refuse(filter, SYS_pidfd_getfd, EPERM);
#endif
}

static bool build_filter(const struct ndp_system_calls *rules, struct filter *filter) {
    filter->count = 0;
    if (THIS_ARCHITECTURE == 0) return false;
    load(filter, offsetof(struct seccomp_data, arch));
    put(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0));
    answer(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    put(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1));
    answer(filter, SECCOMP_RET_KILL_PROCESS);
#endif
    on_call(filter, SYS_socket, add_socket, rules);
    on_call(filter, SYS_clone, add_clone, rules);
    if (rules->has_own_pids) on_call(filter, SYS_kill, add_kill, rules);
    add_refused(filter);
    if (rules->denies_trace) add_trace(filter);
    answer(filter, SECCOMP_RET_ALLOW);
    return filter->count < MAX_INSTRUCTIONS;
}

bool ndp_system_calls_restrict(const struct ndp_system_calls *rules) {
    struct filter filter;
    if (!build_filter(rules, &filter)) return false;
    const struct sock_fprog program = {.len = filter.count, .filter = filter.code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int ndp_system_calls_file(const struct ndp_system_calls *rules) {
    struct filter filter;
    if (!build_filter(rules, &filter)) return -1;
    const int fd = memfd_create("ndproof-system-calls", 0);
    const size_t size_bytes = filter.count * sizeof filter.code[0];
    if (fd < 0) return -1;
    if (write(fd, filter.code, size_bytes) == (ssize_t)size_bytes && lseek(fd, 0, SEEK_SET) == 0) return fd;
    (void)close(fd);
    return -1;
}
