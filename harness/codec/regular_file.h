/* regular_file.h: the files that decoders read: opened without waiting, asked what they are, and read whole.
 *
 * What is no regular file is refused before a byte is read: a FIFO would wait for its other end, a device may never
 * end. Calls that a signal interrupts are made again. Source: POSIX.1-2008, open, read, pread.
 */
#ifndef NDP_REGULAR_FILE_H
#define NDP_REGULAR_FILE_H

#include "base/status.h"

/* Opens `path`, in the folder of the descriptor `folder_fd` (AT_FDCWD: where we are), with the `flags` of open(2), and
 * gives the descriptor, which the caller closes, and its size. Errors: INVALID (a FIFO, a device, a directory, a link
 * that the flags do not let pass), IO (missing, not permitted). */
enum ndp_status ndp_regular_open(int folder_fd, const char *path, int flags, int *fd, uint64_t *size_bytes,
                                 struct ndp_error *error) NDP_MUST_USE;

/* The size of an open regular file. Errors: INVALID (it is none), IO. */
enum ndp_status ndp_regular_size(int fd, uint64_t *size_bytes, struct ndp_error *error) NDP_MUST_USE;

/* What an open regular file holds behind its position. False for every other descriptor. */
bool ndp_regular_knows_rest(int fd, uint64_t *rest_bytes);

/* A ndp_read_bytes (codec/source.h) for `from` an `int` file descriptor of any kind. Errors: IO. */
enum ndp_status ndp_fd_read(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) NDP_MUST_USE;

/* Reads `size_bytes` bytes at `at_bytes`, less only where the file ends. Errors: IO. */
enum ndp_status ndp_fd_read_at(int fd, void *to, uint64_t size_bytes, uint64_t at_bytes,
                               uint64_t *got_bytes) NDP_MUST_USE;

#endif
