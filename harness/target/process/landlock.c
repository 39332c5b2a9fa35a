/* Landlock by raw system calls, because C libraries have no functions for it.
 *
 * Problem: where namespaces are forbidden, the files and processes of the user are in reach of a testee.
 *
 * Method: a ruleset that handles every right that this kernel knows, and a rule per visible path. A restricted process
 * cannot trace processes outside, so it cannot read their environment in /proc either.
 *
 * Cost: two calls per path. Limits: the names of other processes stay visible in /proc; signals leave before version 6.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "target/process/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/status.h"

/* The ruleset of version 6; older headers have a shorter one. Source: linux/landlock.h. */
struct ruleset {
    uint64_t handled_files;
    uint64_t handled_network;
    uint64_t scoped;
};

/* Rights beyond those of version 1, and what version 6 keeps in: abstract sockets and signals. */
#define REFER          (UINT64_C(1) << 13)
#define TRUNCATE       (UINT64_C(1) << 14)
#define USE_DEVICE     (UINT64_C(1) << 15)
#define ALL_OF_FIRST   ((UINT64_C(1) << 13) - 1)
#define READ_FILE      ((uint64_t)LANDLOCK_ACCESS_FS_READ_FILE)
#define READ           (READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE)
#define WRITE_FILE     ((uint64_t)LANDLOCK_ACCESS_FS_WRITE_FILE)
#define SCOPES         UINT64_C(3)
#define RIGHTS_OF_FILE (READ_FILE | WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE | TRUNCATE | USE_DEVICE)

int ndp_landlock_version(void) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static bool allow(int ruleset, const char *path, uint64_t rights, uint64_t handled) {
    struct stat info;
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return true; /* nothing to allow */
    struct landlock_path_beneath_attr rule = {.allowed_access = rights & handled, .parent_fd = fd};
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode)) rule.allowed_access &= RIGHTS_OF_FILE;
    const long failed = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    (void)close(fd);
    return failed == 0;
}

static bool allow_all(int ruleset, const struct ndp_visible_files *files, const char *folder, uint64_t handled) {
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    bool is_done = allow(ruleset, folder, handled, handled) && allow(ruleset, "/dev/shm", handled, handled) &&
                   allow(ruleset, "/proc", READ, handled);
    for (uint32_t i = 0; i < files->count; i++) is_done = is_done && allow(ruleset, files->list[i].path, READ, handled);
    for (size_t i = 0; i < NDP_ARRAY_LEN(devices); i++)
        is_done = is_done && allow(ruleset, devices[i], READ_FILE | WRITE_FILE | TRUNCATE | USE_DEVICE, handled);
    return is_done;
}

bool ndp_landlock_restrict(const struct ndp_visible_files *files, const char *folder) {
    const int version = ndp_landlock_version();
    if (version == 0) return false;
    const struct ruleset wanted = {
        .handled_files =
            ALL_OF_FIRST | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) | (version >= 5 ? USE_DEVICE : 0),
        .scoped = SCOPES,
    };
    const size_t size_bytes = version >= NDP_LANDLOCK_SIGNALS ? sizeof wanted : sizeof wanted.handled_files;
    const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &wanted, size_bytes, 0);
    if (ruleset < 0) return false;
    const bool is_done =
        allow_all(ruleset, files, folder, wanted.handled_files) && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    (void)close(ruleset);
    return is_done;
}
