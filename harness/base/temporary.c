#include "base/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static uint64_t free_bytes(const struct statvfs *info) {
    return (uint64_t)info->f_bavail * info->f_frsize;
}

const char *ndp_temporary_parent(void) {
    static const char memory[] = "/dev/shm";
    const char *named = getenv("TMPDIR");
    if (named != NULL && named[0] == '/') return named;
    struct statvfs info;
    if (access(memory, W_OK | X_OK) != 0 || statvfs(memory, &info) != 0) return "/tmp";
    return free_bytes(&info) >= NDP_TEMPORARY_FREE_BYTES ? memory : "/tmp";
}

enum ndp_status ndp_temporary_check(struct ndp_error *error) {
    const char *parent = ndp_temporary_parent();
    struct statvfs info;
    if (statvfs(parent, &info) != 0)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "cannot create temporary files in %s: %s", parent,
                             strerror(errno));
    if (info.f_blocks == 0 || free_bytes(&info) >= NDP_TEMPORARY_LEAST_BYTES) return NDP_OK;
    return ndp_error_set(error, NDP_FAULT, NDP_NO_OFFSET, "%s has less than %u MiB free for temporary files", parent,
                         (unsigned)(NDP_TEMPORARY_LEAST_BYTES >> 20));
}
