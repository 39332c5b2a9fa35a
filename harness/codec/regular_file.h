/* regular_file.h: opens, checks and reads the files of decoders without blocking.
 *
 * A file that is not regular is refused before it is read: a FIFO would wait for its other end, and a device may never
 * end. Interrupted calls are repeated. Source: POSIX.1-2008, open, read, pread.
 */
#ifndef NDP_REGULAR_FILE_H
#define NDP_REGULAR_FILE_H

#include "base/status.h"

/* Opens `path` relative to `folder_fd` (AT_FDCWD: the current folder) with the `flags` of open(2). Fills the
 * descriptor, which the caller closes, and the size. Errors: INVALID (a FIFO, a device, a directory, a link that the
 * flags exclude), IO (missing, not permitted). */
enum ndp_status ndp_regular_open(int folder_fd, const char *path, int flags, int *fd, uint64_t *size_bytes,
                                 struct ndp_error *error) NDP_MUST_USE;

/* Fills the size of an open regular file. Errors: INVALID (not a regular file), IO. */
enum ndp_status ndp_regular_size(int fd, uint64_t *size_bytes, struct ndp_error *error) NDP_MUST_USE;

/* Fills the number of bytes after the position of an open regular file. Returns false for any other descriptor. */
bool ndp_regular_knows_rest(int fd, uint64_t *rest_bytes);

/* An ndp_read_bytes (codec/source.h) whose `from` is a pointer to an `int` file descriptor of any kind. Errors: IO. */
enum ndp_status ndp_fd_read(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) NDP_MUST_USE;

/* Reads `size_bytes` bytes at `at_bytes`, or fewer at the end of the file. Errors: IO. */
enum ndp_status ndp_fd_read_at(int fd, void *to, uint64_t size_bytes, uint64_t at_bytes,
                               uint64_t *got_bytes) NDP_MUST_USE;

#endif
