#include "codec/map_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checked.h"
#include "codec/regular_file.h"

/* `data` of an empty map: aligned for any type, as the data of an array without elements is. */
static const _Alignas(64) uint8_t nothing[1];

static enum ndp_status io_error(struct ndp_error *error, const char *what) {
    return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "%s: %s", what, strerror(errno));
}

bool ndp_map_is_writeable(enum ndp_map_mode mode) {
    return mode != NDP_MAP_READ;
}

static enum ndp_status check_contains(uint64_t file_bytes, uint64_t end_bytes, struct ndp_error *error) {
    if (end_bytes <= file_bytes) return NDP_OK;
    return ndp_error_set(error, NDP_TRUNCATED, file_bytes, "the file has %llu bytes, but the map ends at %llu",
                         (unsigned long long)file_bytes, (unsigned long long)end_bytes);
}

/* Fills the size of a range that extends to the end of the file, and checks that its end is a valid file offset. */
static enum ndp_status find_end(struct ndp_map *map, uint64_t file_bytes, uint64_t *end_bytes,
                                struct ndp_error *error) {
    if (map->size_bytes == NDP_MAP_REST) {
        NDP_TRY(check_contains(file_bytes, map->offset_bytes, error));
        map->size_bytes = file_bytes - map->offset_bytes;
    }
    if (!ndp_checked_add_u64(map->offset_bytes, map->size_bytes, end_bytes) || *end_bytes > INT64_MAX)
        return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "the map ends after offset 2^63 - 1");
    return NDP_OK;
}

static enum ndp_status map_pages(struct ndp_map *map, struct ndp_error *error) {
    map->data = (uint8_t *)(uintptr_t)nothing;
    if (map->size_bytes == 0) return NDP_OK;
    const long page = sysconf(_SC_PAGESIZE);
    const uint64_t lead = map->offset_bytes % (uint64_t)page;
    const int protection = ndp_map_is_writeable(map->mode) ? PROT_READ | PROT_WRITE : PROT_READ;
    if (map->size_bytes > SIZE_MAX - lead)
        return ndp_error_set(error, NDP_LIMIT, NDP_NO_OFFSET, "the map exceeds the address space");
    map->length_bytes = map->size_bytes + lead;
    void *start =
        mmap(NULL, (size_t)map->length_bytes, protection, map->mode == NDP_MAP_COPY ? MAP_PRIVATE : MAP_SHARED, map->fd,
             (off_t)(map->offset_bytes - lead));
    if (start == MAP_FAILED) return io_error(error, "mapping the file");
    map->start = start;
    map->data = (uint8_t *)start + lead;
    return NDP_OK;
}

/* Maps the range of an open file of `file_bytes`. The map takes the descriptor, also on errors. */
static enum ndp_status open_range(struct ndp_map *map, uint64_t file_bytes, struct ndp_error *error) {
    uint64_t end_bytes = 0;
    NDP_TRY(find_end(map, map->mode == NDP_MAP_WRITE ? 0 : file_bytes, &end_bytes, error));
    if (map->mode == NDP_MAP_WRITE) {
        /* Truncates only after the checks of file type and range. */
        if (ftruncate(map->fd, 0) != 0 || ftruncate(map->fd, (off_t)end_bytes) != 0)
            return io_error(error, "setting the file size");
        file_bytes = end_bytes;
    }
    NDP_TRY(check_contains(file_bytes, end_bytes, error));
    return map_pages(map, error);
}

static enum ndp_status finish_open(struct ndp_map *map, uint64_t file_bytes, struct ndp_map *out,
                                   struct ndp_error *error) {
    const enum ndp_status status = open_range(map, file_bytes, error);
    map->is_open = true;
    if (status == NDP_OK) {
        *out = *map;
    } else {
        ndp_map_close(map);
    }
    return status;
}

static int open_flags(enum ndp_map_mode mode) {
    switch (mode) {
    case NDP_MAP_READ:
    case NDP_MAP_COPY:
        return O_RDONLY;
    case NDP_MAP_READ_WRITE:
        return O_RDWR;
    case NDP_MAP_WRITE:
        return O_RDWR | O_CREAT;
    case NDP_MAP_MODE_COUNT:
        break;
    }
    return O_RDONLY;
}

enum ndp_status ndp_map_open(const char *path, enum ndp_map_mode mode, uint64_t offset_bytes, uint64_t size_bytes,
                             struct ndp_map *out, struct ndp_error *error) {
    int fd = -1;
    uint64_t size = 0;
    NDP_TRY(ndp_regular_open(AT_FDCWD, path, open_flags(mode), &fd, &size, error));
    struct ndp_map map = {.mode = mode, .offset_bytes = offset_bytes, .size_bytes = size_bytes, .fd = fd};
    return finish_open(&map, size, out, error);
}

enum ndp_status ndp_map_open_fd(int fd, enum ndp_map_mode mode, uint64_t offset_bytes, uint64_t size_bytes,
                                struct ndp_map *out, struct ndp_error *error) {
    if (mode == NDP_MAP_WRITE) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "mode w+ needs a path");
    uint64_t size = 0;
    NDP_TRY(ndp_regular_size(fd, &size, error));
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) return io_error(error, "duplicating the file descriptor");
    struct ndp_map map = {.mode = mode, .offset_bytes = offset_bytes, .size_bytes = size_bytes, .fd = own};
    return finish_open(&map, size, out, error);
}

enum ndp_status ndp_map_check(const struct ndp_map *map, struct ndp_error *error) {
    uint64_t file_bytes = 0;
    if (map->size_bytes == 0) return NDP_OK;
    NDP_TRY(ndp_regular_size(map->fd, &file_bytes, error));
    return check_contains(file_bytes, map->offset_bytes + map->size_bytes, error);
}

enum ndp_status ndp_map_flush(const struct ndp_map *map, struct ndp_error *error) {
    const bool reaches_file = map->mode == NDP_MAP_READ_WRITE || map->mode == NDP_MAP_WRITE;
    if (!reaches_file || map->start == NULL) return NDP_OK;
    NDP_TRY(ndp_map_check(map, error));
    return msync(map->start, (size_t)map->length_bytes, MS_SYNC) == 0 ? NDP_OK : io_error(error, "flushing the map");
}

void ndp_map_close(struct ndp_map *map) {
    if (!map->is_open) return;
    if (map->start != NULL) (void)munmap(map->start, (size_t)map->length_bytes);
    (void)close(map->fd);
    *map = (struct ndp_map){0};
}
