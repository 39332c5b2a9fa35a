/* map_file.h: memory map backend: a range of a regular file as memory. Source: POSIX.1-2008 mmap.
 *
 * Before memory is accessed, the backend checks that the file is regular and contains the range. Access after a file
 * has shrunk raises SIGBUS; ndp_map_check detects this in advance, so that it is an error rather than a signal. An
 * empty range needs no mapping and may start anywhere up to the end of the file.
 */
#ifndef NDP_MAP_FILE_H
#define NDP_MAP_FILE_H

#include "model/value.h"

/* An open map. Close it with ndp_map_close. Zeroed storage is a closed map. */
struct ndp_map {
    enum ndp_map_mode mode;
    uint64_t offset_bytes; /* of the range in the file */
    uint64_t size_bytes;   /* of the range */
    uint8_t *data;         /* the range; if empty, an unreadable 64-byte boundary; never NULL */
    void *start;           /* page-aligned start of the mapping, or NULL */
    uint64_t length_bytes; /* of the mapping */
    int fd;                /* open file, for later size checks */
    bool is_open;
};

/* Size of a range that extends to the end of the file. */
#define NDP_MAP_REST UINT64_MAX

/* Maps `size_bytes` bytes at `offset_bytes` of the file at `path`. READ: read-only memory. READ_WRITE: writes reach the
 * file, which must contain the range. WRITE: creates or truncates the file and sets its size to offset + size. COPY:
 * private pages; the file is unchanged and only needs read permission. Errors: IO (missing, not permitted, read-only;
 * the text states which), INVALID (not a regular file, such as a directory, FIFO or device; offset or end above 2^63 -
 * 1), TRUNCATED (the file is shorter than the range; the offset is its size). */
enum ndp_status ndp_map_open(const char *path, enum ndp_map_mode mode, uint64_t offset_bytes, uint64_t size_bytes,
                             struct ndp_map *out, struct ndp_error *error) NDP_MUST_USE;

/* As above, for an open descriptor (borrowed, duplicated). Not for WRITE. */
enum ndp_status ndp_map_open_fd(int fd, enum ndp_map_mode mode, uint64_t offset_bytes, uint64_t size_bytes,
                                struct ndp_map *out, struct ndp_error *error) NDP_MUST_USE;

/* Checks that the file still contains the range. Errors: TRUNCATED, IO. */
enum ndp_status ndp_map_check(const struct ndp_map *map, struct ndp_error *error) NDP_MUST_USE;

/* Reports whether the memory of a map in this mode is writeable. */
bool ndp_map_is_writeable(enum ndp_map_mode mode);

/* Flushes written memory to the file. Does nothing for READ and COPY. Errors: IO, as ndp_map_check. */
enum ndp_status ndp_map_flush(const struct ndp_map *map, struct ndp_error *error) NDP_MUST_USE;

/* Unmaps and closes. Does nothing for a closed map. */
void ndp_map_close(struct ndp_map *map);

#endif
