/* Isolation of testees, and measurements of process trees.
 *
 * Problem: a testee runs untrusted input, so it must not reach the network, fill the machine or leave names in shared
 * memory. ndproof may run without privileges, for example inside a container.
 *
 * Method: try the strongest mechanism first. Network: a network namespace, then one below a user namespace, then a
 * seccomp filter that refuses internet sockets. Shared memory: a mount namespace with a tmpfs of its own on /dev/shm.
 * Resources: setrlimit(2). Trees are read from /proc.
 *
 * Cost: some system calls at the start of a process; one read of /proc per process for a measurement. Limits: Linux
 * only; at most MAX_TREE processes per tree.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/isolate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TREE = 4096, FILE_TEXT_BYTES = 4096, MOST_THREADS = 2048 };

/* ---- network ---- */

void ndp_isolate_bring_loopback_up(void) {
    struct ifreq request = {.ifr_name = "lo"};
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    if (ioctl(fd, SIOCGIFFLAGS, &request) == 0) {
        request.ifr_flags = (short)(request.ifr_flags | IFF_UP);
        (void)ioctl(fd, SIOCSIFFLAGS, &request);
    }
    (void)close(fd);
}

static void write_file(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return;
    if (write(fd, text, strlen(text)) < 0)
        (void)0; /* on failure the process runs as the overflow user, which is
                  * acceptable */
    (void)close(fd);
}

void ndp_isolate_map_user(const unsigned *inside, const unsigned *outside) {
    char user[64], group[64];
    snprintf(user, sizeof user, "%u %u 1", inside[0], outside[0]);
    snprintf(group, sizeof group, "%u %u 1", inside[1], outside[1]);
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/uid_map", user);
    write_file("/proc/self/gid_map", group);
}

/* Maps the user and the group to themselves, so that only the network differs. */
static bool enter_user_namespace(void) {
    const unsigned own[] = {(unsigned)geteuid(), (unsigned)getegid()};
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
    ndp_isolate_map_user(own, own);
    return true;
}

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Refuses socket(AF_INET | AF_INET6), and io_uring, which could create one. Kills calls through the system call table
 * of another architecture. */
static bool refuse_sockets(void) {
#ifdef THIS_ARCHITECTURE
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 0, 6),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
    return false;
#endif
}

enum ndp_network ndp_isolate_network(void) {
    enum ndp_network network = NDP_NETWORK_NAMESPACE;
    if (unshare(CLONE_NEWNET) != 0) {
        network = NDP_NETWORK_USER_NAMESPACE;
        if (!enter_user_namespace()) return refuse_sockets() ? NDP_NETWORK_SECCOMP : NDP_NETWORK_OPEN;
    }
    ndp_isolate_bring_loopback_up();
    return network;
}

/* ---- shared memory ---- */

#define SHARED_MEMORY "/dev/shm/"
enum { MAX_KEPT = 8, KEPT_PATH_BYTES = 300 };

/* A folder in shared memory that stays visible. */
struct kept {
    int fd;
    char path[KEPT_PATH_BYTES];
};

/* Opens the top folder of `path` in shared memory. False when there is none. */
static bool keep_top_folder(const char *path, struct kept *out) {
    const size_t root_bytes = strlen(SHARED_MEMORY);
    if (path == NULL || strncmp(path, SHARED_MEMORY, root_bytes) != 0) return false;
    const size_t name_bytes = strcspn(path + root_bytes, "/");
    if (name_bytes == 0 || root_bytes + name_bytes >= sizeof out->path) return false;
    snprintf(out->path, sizeof out->path, "%.*s", (int)(root_bytes + name_bytes), path);
    out->fd = open(out->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return out->fd >= 0;
}

static bool mount_kept_folder(const struct kept *kept) {
    char source[64];
    snprintf(source, sizeof source, "/proc/self/fd/%d", kept->fd);
    if (mkdir(kept->path, 0700) != 0) return errno == EEXIST; /* another path already kept this folder */
    return mount(source, kept->path, NULL, MS_BIND | MS_REC, NULL) == 0;
}

bool ndp_isolate_shared_memory(const char *const *paths, uint64_t size_bytes) {
    char options[64];
    struct kept kept[MAX_KEPT];
    size_t count = 0;
    if (unshare(CLONE_NEWNS) != 0) return false;
    /* Without this, the mounts below would be visible to all processes. */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return false;
    for (; *paths != NULL && count < MAX_KEPT; paths++) count += keep_top_folder(*paths, &kept[count]);
    snprintf(options, sizeof options, "mode=1777,size=%" PRIu64, size_bytes);
    bool is_alone = mount("ndproof", SHARED_MEMORY, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
    for (size_t i = 0; i < count; i++) {
        if (is_alone && !mount_kept_folder(&kept[i])) {
            (void)umount2(SHARED_MEMORY, MNT_DETACH);
            is_alone = false;
        }
        (void)close(kept[i].fd);
    }
    return is_alone;
}

void ndp_isolate_remove_shared_memory(int pid) {
    char start[64];
    snprintf(start, sizeof start, "sem.loky-%d-", pid);
    DIR *folder = opendir(SHARED_MEMORY);
    if (!folder) return;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        if (strncmp(entry->d_name, start, strlen(start)) == 0) (void)unlinkat(dirfd(folder), entry->d_name, 0);
    (void)closedir(folder);
}

/* ---- resources ---- */

static void limit_resource(int resource, uint64_t value) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max) value = now.rlim_max;
    const struct rlimit wanted = {value, value};
    (void)setrlimit((__rlimit_resource_t)resource, &wanted);
}

void ndp_isolate_resources(uint64_t memory_bytes) {
    const uint64_t day_seconds = UINT64_C(24) * 60 * 60;
    limit_resource(RLIMIT_CORE, 0);
    limit_resource(RLIMIT_CPU, day_seconds);
    limit_resource(RLIMIT_FSIZE, memory_bytes < UINT64_MAX / 4 ? memory_bytes * 4 : memory_bytes);
    /* Sanitizers reserve terabytes of address space, and the testees of a sanitizer build mostly use them, too. */
#if !defined(__SANITIZE_ADDRESS__)
    const uint64_t slack_bytes = UINT64_C(8) << 30;
    if (memory_bytes < UINT64_MAX / 8) limit_resource(RLIMIT_AS, memory_bytes * 4 + slack_bytes);
#endif
}

/* The threads of all processes of this user. */
static uint64_t count_threads_of_user(void) {
    uint64_t count = 0;
    DIR *processes = opendir("/proc");
    if (!processes) return 0;
    for (const struct dirent *entry = readdir(processes); entry; entry = readdir(processes)) {
        char path[300];
        struct stat info;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        /* A folder has a link for itself, one in its parent, and one for each folder in it. */
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && stat(path, &info) == 0 && info.st_uid == geteuid())
            count += info.st_nlink > 2 ? info.st_nlink - 2 : 1;
    }
    (void)closedir(processes);
    return count;
}

void ndp_isolate_processes(bool counts_others) {
    limit_resource(RLIMIT_NPROC, MOST_THREADS + (counts_others ? count_threads_of_user() : 0));
}

/* ---- process trees ---- */

/* Reads a small file of /proc as text; "" when it does not exist. */
static void read_text(const char *path, char *out, size_t out_bytes) {
    size_t at = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && at + 1 < out_bytes) {
        const ssize_t got = read(fd, out + at, out_bytes - 1 - at);
        if (got <= 0) break;
        at += (size_t)got;
    }
    out[at] = '\0';
    if (fd >= 0) (void)close(fd);
}

/* Resident pages that are not backed by files, because a map of a large file takes no memory. */
static uint64_t private_bytes(int pid) {
    char path[64], text[256];
    uint64_t size_pages, resident_pages, shared_pages;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    read_text(path, text, sizeof text);
    if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &size_pages, &resident_pages, &shared_pages) != 3) return 0;
    const uint64_t pages = resident_pages > shared_pages ? resident_pages - shared_pages : 0;
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void add_children_of_thread(int pid, const char *thread, int *tree, size_t *count) {
    char path[320];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", pid, thread);
    FILE *children = fopen(path, "re");
    if (children == NULL) return;
    while (*count < MAX_TREE && fscanf(children, "%d", &child) == 1) tree[(*count)++] = child;
    (void)fclose(children);
}

/* /proc lists children per thread. */
static void add_children(int pid, int *tree, size_t *count) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    if (!threads) return;
    for (const struct dirent *entry = readdir(threads); entry; entry = readdir(threads))
        if (entry->d_name[0] != '.') add_children_of_thread(pid, entry->d_name, tree, count);
    (void)closedir(threads);
}

static bool is_kept(const struct ndp_isolate_kept *kept, int pid) {
    for (uint32_t i = 0; i < kept->count; i++)
        if (kept->pids[i] == pid) return true;
    return false;
}

void ndp_isolate_keep(struct ndp_isolate_kept *kept, int pid) {
    if (kept->count < NDP_ISOLATE_KEPT && !is_kept(kept, pid)) kept->pids[kept->count++] = pid;
}

struct ndp_isolate_use ndp_isolate_tree_measure(int pid, const struct ndp_isolate_kept *kept) {
    int tree[MAX_TREE];
    size_t count = 1;
    struct ndp_isolate_use use = {0};
    tree[0] = pid;
    for (size_t i = 0; i < count; i++) {
        *(is_kept(kept, tree[i]) ? &use.kept_bytes : &use.bytes) += private_bytes(tree[i]);
        add_children(tree[i], tree, &count);
    }
    use.processes = (uint32_t)count;
    return use;
}

uint64_t ndp_isolate_tree_memory_bytes(int pid) {
    const struct ndp_isolate_kept none = {.count = 0};
    return ndp_isolate_tree_measure(pid, &none).bytes;
}

/* Reads the CPU ticks of a process, and of the children that it has waited for. The second field is a name that may
 * contain anything, so fields are counted from the last parenthesis. */
static void read_ticks(int pid, uint64_t *own, uint64_t *waited) {
    char path[64], text[FILE_TEXT_BYTES];
    uint64_t user, system, waited_user, waited_system;
    *own = *waited = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    read_text(path, text, sizeof text);
    const char *behind_name = strrchr(text, ')');
    if (!behind_name ||
        sscanf(behind_name + 1,
               " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &user,
               &system, &waited_user, &waited_system) != 4)
        return;
    *own = user + system;
    *waited = waited_user + waited_system;
}

uint64_t ndp_isolate_tree_cpu_us(int pid) {
    int tree[MAX_TREE];
    size_t count = 1;
    uint64_t own, waited, sum;
    tree[0] = pid;
    read_ticks(pid, &own, &sum);
    for (size_t i = 0; i < count; i++) {
        add_children(tree[i], tree, &count);
        if (i == 0) continue;
        read_ticks(tree[i], &own, &waited);
        sum += own + waited;
    }
    return sum * 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);
}

uint32_t ndp_isolate_tree_list(int pid, int apart, int *out, uint32_t most) {
    int tree[MAX_TREE];
    size_t count = 1;
    tree[0] = pid;
    for (size_t i = 0; i < count; i++) {
        const size_t first = count;
        add_children(tree[i], tree, &count);
        for (size_t k = first; k < count; k++)
            if (tree[k] == apart) tree[k--] = tree[--count];
    }
    const uint32_t found = (uint32_t)count - 1;
    memcpy(out, tree + 1, (found < most ? found : most) * sizeof *out);
    return found;
}

int ndp_isolate_tree_first_child(int pid) {
    int children[MAX_TREE];
    size_t count = 0;
    add_children(pid, children, &count);
    return count > 0 ? children[0] : 0;
}

/* The parent of a process; 0 when it is gone. Fields are counted as in read_ticks. */
static int parent_of(const char *pid) {
    char path[300], text[FILE_TEXT_BYTES];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    read_text(path, text, sizeof text);
    const char *behind_name = strrchr(text, ')');
    if (!behind_name || sscanf(behind_name + 1, " %*c %d", &parent) != 1) return 0;
    return parent;
}

int ndp_isolate_parent(int pid) {
    char text[16];
    snprintf(text, sizeof text, "%d", pid);
    return parent_of(text);
}

uint32_t ndp_isolate_children(int pid, int *out, uint32_t most) {
    int children[MAX_TREE];
    size_t count = 0;
    add_children(pid, children, &count);
    if (count > most) count = most;
    memcpy(out, children, count * sizeof *out);
    return (uint32_t)count;
}

static void kill_children(void) {
    const int self = (int)getpid();
    DIR *processes = opendir("/proc");
    if (!processes) return;
    for (const struct dirent *entry = readdir(processes); entry; entry = readdir(processes)) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        if (parent_of(entry->d_name) == self) (void)kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    }
    (void)closedir(processes);
}

/* Reaps every child that has ended. False when no child is left. */
static bool reap_children(int pid, int *status) {
    for (;;) {
        int one;
        const pid_t ended = waitpid(-1, &one, WNOHANG);
        if (ended < 0) return errno == EINTR;
        if (ended == 0) return true;
        if (ended == pid) *status = one;
    }
}

void ndp_isolate_tree_kill(int pid, unsigned seconds, int *status) {
    const struct timespec pause = {.tv_nsec = 1000000};
    const time_t end = time(NULL) + (time_t)seconds + 1;
    /* The children of a killed process become children of this one and are killed in the next round. */
    while (reap_children(pid, status) && time(NULL) < end) {
        kill_children();
        (void)nanosleep(&pause, NULL);
    }
}

/* Whether a process has ended. A zombie has, even if its other threads have not yet left the kernel. */
static bool has_ended(int pid) {
    char path[64], text[FILE_TEXT_BYTES];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    read_text(path, text, sizeof text);
    const char *behind_name = strrchr(text, ')');
    return behind_name == NULL || behind_name[1] == '\0' || behind_name[2] == 'Z' || behind_name[2] == 'X';
}

/* Kills what is not kept. Returns whether something lived. */
static bool kill_others(const struct ndp_isolate_kept *kept) {
    int tree[MAX_TREE];
    bool lived = false;
    const uint32_t count = ndp_isolate_tree_list((int)getpid(), 0, tree, MAX_TREE);
    for (uint32_t i = 0; i < count; i++) {
        if (is_kept(kept, tree[i]) || has_ended(tree[i])) continue;
        (void)kill(tree[i], SIGKILL);
        lived = true;
    }
    return lived;
}

bool ndp_isolate_tree_end(const struct ndp_isolate_kept *kept, unsigned seconds) {
    /* A list of children may lack one while another ends, so one look is not enough. */
    enum { QUIET_ROUNDS = 2 };
    const struct timespec pause = {.tv_nsec = 200000};
    const time_t end = time(NULL) + (time_t)seconds + 1;
    for (int quiet = 0; quiet < QUIET_ROUNDS && time(NULL) < end;) {
        quiet = kill_others(kept) ? 0 : quiet + 1;
        if (quiet == 0) (void)nanosleep(&pause, NULL);
        if (quiet == QUIET_ROUNDS) return true;
    }
    return false;
}
