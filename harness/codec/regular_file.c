#include "codec/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Below Linux's maximum for one read. */
enum { READ_BYTES_MAX = 1 << 30 };

static size_t limit_piece(uint64_t size_bytes) {
    return size_bytes < READ_BYTES_MAX ? (size_t)size_bytes : READ_BYTES_MAX;
}

enum ndp_status ndp_regular_size(int fd, uint64_t *size_bytes, struct ndp_error *error) {
    struct stat about;
    if (fstat(fd, &about) != 0)
        return ndp_error_set(error, NDP_IO, NDP_NO_OFFSET, "reading the file size: %s", strerror(errno));
    if (!S_ISREG(about.st_mode)) return ndp_error_set(error, NDP_INVALID, NDP_NO_OFFSET, "not a regular file");
    *size_bytes = (uint64_t)about.st_size;
    return NDP_OK;
}

enum ndp_status ndp_regular_open(int folder_fd, const char *path, int flags, int *fd, uint64_t *size_bytes,
                                 struct ndp_error *error) {
    /* O_NONBLOCK: opening a FIFO must not wait for its other end. It has no effect on regular files. */
    const int opened = openat(folder_fd, path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
    if (opened < 0) {
        const bool is_other = errno == EISDIR || errno == ENXIO || errno == ELOOP;
        return ndp_error_set(error, is_other ? NDP_INVALID : NDP_IO, NDP_NO_OFFSET, "opening the file: %s",
                             strerror(errno));
    }
    const enum ndp_status status = ndp_regular_size(opened, size_bytes, error);
    if (status == NDP_OK) *fd = opened;
    if (status != NDP_OK) (void)close(opened);
    return status;
}

bool ndp_regular_knows_rest(int fd, uint64_t *rest_bytes) {
    uint64_t size = 0;
    const off_t at = lseek(fd, 0, SEEK_CUR);
    if (at < 0 || ndp_regular_size(fd, &size, NULL) != NDP_OK) return false;
    *rest_bytes = size > (uint64_t)at ? size - (uint64_t)at : 0;
    return true;
}

enum ndp_status ndp_fd_read(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes) {
    const int fd = *(const int *)from;
    ssize_t got;
    do {
        got = read(fd, to, limit_piece(room_bytes));
    } while (got < 0 && errno == EINTR);
    if (got < 0) return NDP_IO;
    *got_bytes = (uint64_t)got;
    return NDP_OK;
}

enum ndp_status ndp_fd_read_at(int fd, void *to, uint64_t size_bytes, uint64_t at_bytes, uint64_t *got_bytes) {
    uint64_t done = 0;
    while (done < size_bytes) {
        const ssize_t got = pread(fd, (uint8_t *)to + done, limit_piece(size_bytes - done), (off_t)(at_bytes + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return NDP_IO;
        if (got == 0) break;
        done += (uint64_t)got;
    }
    *got_bytes = done;
    return NDP_OK;
}
