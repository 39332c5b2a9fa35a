/* map_file.h: the memory map backend: a range of a regular file as memory. Source: POSIX.1-2008 mmap.
 *
 * What is checked before memory is touched: the file is a regular one, and it holds the range now. A file that
 * shrinks later turns access into SIGBUS; ndp_map_check tells that before the access, so that a loss that has
 * already happened is an error and no signal. A range of size 0 needs no mapping, at any offset up to the end.
 */
#ifndef NDP_MAP_FILE_H
#define NDP_MAP_FILE_H

#include "model/value.h"

/* Owned: to be closed with ndp_map_close. Zeroed storage is a closed map. */
struct ndp_map {
    enum ndp_map_mode mode;
    uint64_t offset_bytes; /* in the file */
    uint64_t size_bytes;   /* of the range */
    uint8_t *data;         /* the range; with size 0 on a 64-byte boundary and not to be read; never NULL */
    void *start;           /* of the mapping, on a page boundary, or NULL */
    uint64_t length_bytes; /* of the mapping */
    int fd;                /* kept, so that the size of this very file can be asked again */
    bool is_open;
};

/* Size of the range that ends where the file does. */
#define NDP_MAP_REST UINT64_MAX

/* Maps `size_bytes` bytes at `offset_bytes` of the file at `path`. READ: read-only memory. READ_WRITE: writes
 * reach the file, which must exist and hold the range. WRITE: creates or empties the file and gives it the size
 * offset + size. COPY: private pages, the file stays as it is and needs to be readable only.
 * Errors: IO (missing, not permitted, read-only; text says which), INVALID (not a regular file: directory, FIFO,
 * device; offset or sum over 2^63 - 1), TRUNCATED (the file is shorter than the range; the offset is its size). */
enum ndp_status ndp_map_open(const char *path, enum ndp_map_mode mode, uint64_t offset_bytes, uint64_t size_bytes,
                             struct ndp_map *out, struct ndp_error *error) NDP_MUST_USE;

/* As above for an open descriptor (borrowed, duplicated); not WRITE. */
enum ndp_status ndp_map_open_fd(int fd, enum ndp_map_mode mode, uint64_t offset_bytes, uint64_t size_bytes,
                                struct ndp_map *out, struct ndp_error *error) NDP_MUST_USE;

/* Whether the file still holds the range. Errors: TRUNCATED, IO. */
enum ndp_status ndp_map_check(const struct ndp_map *map, struct ndp_error *error) NDP_MUST_USE;

/* Whether memory may be written. */
bool ndp_map_is_writeable(enum ndp_map_mode mode);

/* Waits until what was written is in the file. Nothing to do for READ and COPY. Errors: IO, as ndp_map_check. */
enum ndp_status ndp_map_flush(const struct ndp_map *map, struct ndp_error *error) NDP_MUST_USE;

/* Unmaps and closes; a closed map is nothing to do. */
void ndp_map_close(struct ndp_map *map);

#endif
