/* npz_source.h: the input of libzip: bytes or a regular file. Private to npz_read.c.
 *
 * libzip does not expose the offset of a member's data, so this source records the last read. libzip reads in small
 * steps, mostly near the end of a file, so the tail is cached in memory.
 */
#ifndef NDP_NPZ_SOURCE_H
#define NDP_NPZ_SOURCE_H

#include <zip.h>

#include "base/bytes.h"

/* Owned by the opener of the archive, and must outlive it. */
struct ndp_npz_source {
    struct ndp_bytes bytes; /* if fd is negative; borrowed */
    int fd;                 /* borrowed */
    uint64_t size_bytes;
    struct ndp_bytes tail;  /* cached last bytes of the input; borrowed */
    uint64_t tail_at_bytes; /* offset of the tail */
    uint64_t at_bytes;
    uint64_t last_read_bytes; /* offset of the last read that returned bytes */
    bool is_broken;           /* a read of the file failed; libzip may report another error */
    zip_error_t error;
};

/* Reads `room_bytes` from `at_bytes`, or fewer at the end of the archive. Errors: IO, with errno. */
enum ndp_status ndp_npz_source_read(const struct ndp_npz_source *source, void *to, uint64_t room_bytes,
                                    uint64_t at_bytes, uint64_t *got_bytes) NDP_MUST_USE;

/* Gives a new libzip source that borrows `source`, or NULL (NOMEM). */
zip_source_t *ndp_npz_source_new(struct ndp_npz_source *source);

/* Returns the status that corresponds to an error of libzip. */
enum ndp_status ndp_npz_status(const zip_error_t *error);

#endif
