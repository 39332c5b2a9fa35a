#include "target/case_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporary.h"

static enum ndp_status folder_make(struct ndp_case_folder *folder) {
    if (folder->path[0]) return NDP_OK;
    char path[NDP_FOLDER_PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/ndproof-XXXXXX", ndp_temporary_parent());
    if (length < 0 || (size_t)length >= sizeof path || !mkdtemp(path)) return NDP_IO;
    snprintf(folder->path, sizeof folder->path, "%s", path);
    return NDP_OK;
}

void ndp_case_file_remove_folder(struct ndp_case_folder *folder) {
    if (folder->path[0]) (void)rmdir(folder->path);
    folder->path[0] = '\0';
}

static enum ndp_status write_all(int fd, struct ndp_bytes bytes) {
    while (bytes.size_bytes > 0) {
        const ssize_t written = write(fd, bytes.data, (size_t)bytes.size_bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return NDP_IO;
        bytes.data += written;
        bytes.size_bytes -= (uint64_t)written;
    }
    return NDP_OK;
}

/* Removes an old file first instead of truncating it, because a map of it may still exist. */
static int create_file(const char *path) {
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    const int fd = open(path, flags, 0600);
    if (fd >= 0 || errno != EEXIST) return fd;
    (void)unlink(path);
    return open(path, flags, 0600);
}

enum ndp_status ndp_case_file_make(struct ndp_case_folder *folder, uint32_t number, struct ndp_bytes bytes,
                                   struct ndp_case_file *out) {
    struct ndp_case_file file;
    NDP_TRY(folder_make(folder));
    snprintf(file.path, sizeof file.path, "%s/%" PRIu32, folder->path, number);
    const int fd = create_file(file.path);
    if (fd < 0) return NDP_IO;
    enum ndp_status status = write_all(fd, bytes);
    if (close(fd) != 0) status = NDP_IO;
    if (status == NDP_OK)
        *out = file;
    else
        (void)unlink(file.path);
    return status;
}

void ndp_case_file_remove(struct ndp_case_file *file) {
    if (file->path[0]) (void)unlink(file->path);
    file->path[0] = '\0';
}

static enum ndp_status read_all(int fd, struct ndp_arena *arena, struct ndp_bytes *out) {
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_size < 0) return NDP_IO;
    const uint64_t size_bytes = (uint64_t)status.st_size;
    uint8_t *bytes = ndp_arena_alloc(arena, size_bytes);
    if (!bytes) return NDP_NOMEM;
    for (uint64_t at = 0; at < size_bytes;) {
        const ssize_t got = read(fd, bytes + at, (size_t)(size_bytes - at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return NDP_IO;
        at += (uint64_t)got;
    }
    *out = (struct ndp_bytes){bytes, size_bytes};
    return NDP_OK;
}

enum ndp_status ndp_case_file_read(const struct ndp_case_file *file, struct ndp_arena *arena, struct ndp_bytes *out) {
    const int fd = open(file->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NDP_IO;
    const enum ndp_status status = read_all(fd, arena, out);
    (void)close(fd);
    return status;
}

/* The file mapping at an address. */
struct mapping {
    uint64_t start;
    uint64_t offset_bytes;
    uint64_t inode; /* 0: not a file */
};

/* The argument of the ioctl PROCMAP_QUERY on /proc/pid/maps, Linux 6.11 and later. Source: include/uapi/linux/fs.h.
 * Declared here because the headers of older distributions lack it. */
struct place_query {
    uint64_t size_bytes;
    uint64_t flags;
    uint64_t address;
    uint64_t start;
    uint64_t end;
    uint64_t access;
    uint64_t page_bytes;
    uint64_t offset_bytes;
    uint64_t inode;
    uint32_t device[2];
    uint32_t name_bytes;
    uint32_t id_bytes;
    uint64_t name;
    uint64_t id;
};

/* Fills *out with PROCMAP_QUERY. False when the kernel does not support it, or nothing is mapped there. */
static bool query_mapping(int maps, uint64_t address, struct mapping *out) {
    struct place_query query = {.size_bytes = sizeof query, .address = address};
    if (ioctl(maps, _IOWR('f', 17, struct place_query), &query) != 0) return false;
    *out = (struct mapping){query.start, query.offset_bytes, query.inode};
    return true;
}

/* The same by parsing all lines. A line may be longer than the buffer; its rest does not parse as a line. */
static bool find_mapping(int maps, uint64_t address, struct mapping *out) {
    char line[512];
    bool is_found = false;
    FILE *text = fdopen(maps, "r");
    if (!text) {
        (void)close(maps);
        return false;
    }
    while (!is_found && fgets(line, sizeof line, text)) {
        char *rest;
        const uint64_t start = strtoull(line, &rest, 16);
        if (*rest != '-' || address < start || address >= strtoull(rest + 1, &rest, 16)) continue;
        out->start = start;
        is_found = sscanf(rest, " %*4c %" SCNx64 " %*x:%*x %" SCNu64, &out->offset_bytes, &out->inode) == 2;
    }
    (void)fclose(text);
    return is_found;
}

bool ndp_case_file_maps(const struct ndp_case_file *file, const void *address, uint64_t *position_bytes) {
    struct stat status;
    struct mapping mapping;
    const uint64_t wanted = (uint64_t)(uintptr_t)address;
    if (!file->path[0] || stat(file->path, &status) != 0) return false;
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps < 0) return true;
    if (query_mapping(maps, wanted, &mapping))
        (void)close(maps);
    else if (!find_mapping(maps, wanted, &mapping))
        return false;
    /* Comparing the inode is enough, because the file is in a folder of this process. */
    if (mapping.inode != (uint64_t)status.st_ino) return false;
    *position_bytes = mapping.offset_bytes + (wanted - mapping.start);
    return true;
}
