/* A sandbox of namespaces.
 *
 * Problem: the same protection as by bwrap(1) on machines without it.
 *
 * Method: one clone() makes all namespaces; without root's rights, a user namespace among them gives the right to mount
 * in them. The new root is a tmpfs, in which the visible files are bound under their own names; then pivot_root(2)
 * leaves the old root. The first process stays as a supervisor, because process 1 cannot be ended by signals and adopts
 * orphans; its end ends all others.
 *
 * Cost: some 60 system calls and one process. Limits: Linux 5.12 (mount_setattr). A container may forbid to mount
 * /proc.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "target/process/guard.h"
#include "target/process/isolate.h"

enum { PLACE_BYTES = PATH_MAX };

/* Source: linux/mount.h; older headers lack it. */
struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
};
#define READ_ONLY UINT64_C(1)
#define NO_SETUID UINT64_C(2)
#define NO_DEVICE UINT64_C(4)
enum { CLONE_TREE = 1, FROM_FD = 4 };
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* The new root. Its mount point is the testee's own folder, because every machine has that. */
struct root {
    const struct ndp_sandbox *sandbox;
    const char *at;
    int visible[NDP_MAX_VISIBLE]; /* opened before the root hides anything */
    int folder;                   /* a second mount of the folder, which the root hides */
};

pid_t ndp_namespaces_fork(const struct ndp_sandbox *sandbox) {
    const bool needs_user = ndp_sandbox_needs_user_namespace(sandbox);
    const unsigned long flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                                (needs_user ? CLONE_NEWUSER : 0) | SIGCHLD;
    const unsigned inside[] = {ndp_sandbox_user(sandbox), ndp_sandbox_group(sandbox)};
    const unsigned outside[] = {(unsigned)geteuid(), (unsigned)getegid()};
    const pid_t child = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    if (child == 0 && needs_user) ndp_isolate_map_user(inside, outside);
    return child;
}

/* ---- places in the new root ---- */

/* Fills `out` with the place of `path` in the new root. */
static bool place_of(const struct root *root, const char *path, char *out) {
    const int length = snprintf(out, PLACE_BYTES, "%s%s", root->at, path);
    return length > 0 && length < PLACE_BYTES;
}

/* Makes the folders above a place. Existing ones are kept. */
static void make_parents(const struct root *root, char *place) {
    for (char *slash = strchr(place + strlen(root->at) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(place, 0755);
        *slash = '/';
    }
}

static bool set_attributes(const char *place, uint64_t set, unsigned flags) {
    const struct mount_attributes attributes = {.set = set};
    return syscall(SYS_mount_setattr, AT_FDCWD, place, flags, &attributes, sizeof attributes) == 0;
}

/* Binds an open file or folder. `attributes` 0 keeps those of its file system. */
static bool bind_fd(const struct root *root, int fd, const char *path, uint64_t attributes) {
    char place[PLACE_BYTES], source[64];
    struct stat info;
    if (!place_of(root, path, place) || fstat(fd, &info) != 0) return false;
    make_parents(root, place);
    if (S_ISDIR(info.st_mode)) {
        if (mkdir(place, 0755) != 0 && errno != EEXIST) return false;
    } else {
        const int empty = open(place, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        if (empty >= 0) (void)close(empty);
    }
    snprintf(source, sizeof source, "/proc/self/fd/%d", fd);
    if (mount(source, place, NULL, MS_BIND | MS_REC, NULL) != 0) return false;
    return attributes == 0 || set_attributes(place, attributes, AT_RECURSIVE);
}

static bool add_visible(const struct root *root) {
    const struct ndp_visible_files *files = root->sandbox->files;
    for (uint32_t i = 0; i < files->count; i++) {
        const struct ndp_visible *item = &files->list[i];
        char place[PLACE_BYTES];
        if (item->link[0] == '\0') {
            if (root->visible[i] >= 0 &&
                !bind_fd(root, root->visible[i], item->path, READ_ONLY | NO_SETUID | NO_DEVICE))
                return false;
        } else if (!place_of(root, item->path, place) || symlink(item->link, place) != 0) {
            return false;
        }
    }
    return true;
}

static bool add_devices(const struct root *root) {
    static const char *const names[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    static const char *const links[][2] = {{"/proc/self/fd", "/dev/fd"},
                                           {"/proc/self/fd/0", "/dev/stdin"},
                                           {"/proc/self/fd/1", "/dev/stdout"},
                                           {"/proc/self/fd/2", "/dev/stderr"}};
    char place[PLACE_BYTES];
    for (size_t i = 0; i < NDP_ARRAY_LEN(names); i++) {
        const int fd = open(names[i], O_PATH | O_CLOEXEC);
        const bool is_bound = fd >= 0 && bind_fd(root, fd, names[i], 0);
        if (fd >= 0) (void)close(fd);
        if (!is_bound) return false;
    }
    for (size_t i = 0; i < NDP_ARRAY_LEN(links); i++)
        if (!place_of(root, links[i][1], place) || symlink(links[i][0], place) != 0) return false;
    return true;
}

static bool mount_new(const struct root *root, const char *type, const char *path, const char *options) {
    char place[PLACE_BYTES];
    if (!place_of(root, path, place)) return false;
    make_parents(root, place);
    if (mkdir(place, 0755) != 0 && errno != EEXIST) return false;
    return mount("ndproof", place, type, MS_NOSUID | MS_NODEV, options) == 0;
}

/* The settings of the kernel belong to root, so a testee that keeps root's number must not write them. */
static bool add_processes(const struct root *root) {
    static const char *const settings[] = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"};
    char place[PLACE_BYTES];
    if (!mount_new(root, "proc", "/proc", NULL)) return false;
    for (size_t i = 0; i < NDP_ARRAY_LEN(settings); i++) {
        if (!place_of(root, settings[i], place) || access(place, F_OK) != 0) continue;
        if (mount(place, place, NULL, MS_BIND | MS_REC, NULL) != 0 || !set_attributes(place, READ_ONLY, AT_RECURSIVE))
            return false;
    }
    return true;
}

static bool add_own_folder(const struct root *root) {
    char options[64], place[PLACE_BYTES];
    snprintf(options, sizeof options, "mode=1777,size=%llu", (unsigned long long)root->sandbox->shared_bytes);
    if (!mount_new(root, "tmpfs", NDP_SHARED_MEMORY, options)) return false;
    if (!place_of(root, root->sandbox->folder, place)) return false;
    make_parents(root, place);
    if (mkdir(place, 0777) != 0) return false;
    if (ndp_sandbox_has_shared_folder(root->sandbox)) return chmod(place, 0777) == 0;
    return syscall(SYS_move_mount, root->folder, "", AT_FDCWD, place, FROM_FD) == 0 &&
           set_attributes(place, NO_SETUID | NO_DEVICE, 0);
}

/* ---- the root ---- */

static void open_sources(struct root *root) {
    const struct ndp_visible_files *files = root->sandbox->files;
    for (uint32_t i = 0; i < files->count; i++)
        root->visible[i] = files->list[i].link[0] == '\0' ? open(files->list[i].path, O_PATH | O_CLOEXEC) : -1;
    root->folder = (int)syscall(SYS_open_tree, AT_FDCWD, root->sandbox->folder, CLONE_TREE | O_CLOEXEC);
}

static bool leave_old_root(const struct root *root) {
    return chdir(root->at) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0 &&
           chdir("/") == 0 && set_attributes("/", READ_ONLY, 0);
}

bool ndp_namespaces_enter(const struct ndp_sandbox *sandbox, const char **what) {
    struct root root = {.sandbox = sandbox, .at = sandbox->folder};
    ndp_isolate_bring_loopback_up();
    *what = "hiding its mounts";
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return false;
    open_sources(&root);
    *what = "mounting its root";
    if (mount("ndproof", root.at, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") != 0) return false;
    *what = "binding the files that it reads";
    if (!add_visible(&root)) return false;
    *what = "making its devices";
    if (!add_devices(&root)) return false;
    *what = "making its folder";
    if (!add_own_folder(&root)) return false;
    *what = "mounting its processes";
    if (!add_processes(&root)) return false;
    *what = "entering its root";
    return leave_old_root(&root);
}

/* ---- the supervisor ---- */

pid_t ndp_namespaces_supervise(int status_fd) {
    const pid_t testee = fork();
    if (testee == 0) {
        (void)close(status_fd);
        ndp_guard_start_session();
        return 0;
    }
    int status = 127 << 8;
    /* Otherwise the channels would stay open when the testee closes them. */
    if (dup2(status_fd, 0) == 0) (void)syscall(SYS_close_range, 1U, ~0U, 0U);
    while (testee > 0) {
        int one;
        const pid_t ended = waitpid(-1, &one, 0);
        if (ended < 0 && errno == EINTR) continue;
        if (ended == testee) status = one;
        if (ended < 0 || ended == testee) break;
    }
    _exit(write(0, &status, sizeof status) == (ssize_t)sizeof status ? 0 : 1);
}
