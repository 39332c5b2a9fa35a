/* npz_source.h: what libzip reads an archive from: bytes, or a regular file. Private to npz_read.c.
 *
 * libzip does not say where in the archive a member's data lie; this source remembers where it was last read. It reads
 * in small steps, most of them at the end of a file: what is there is read once.
 */
#ifndef NDP_NPZ_SOURCE_H
#define NDP_NPZ_SOURCE_H

#include <zip.h>

#include "base/bytes.h"

/* Owned by whoever opened the archive, and must live as long as it. */
struct ndp_npz_source {
    struct ndp_bytes bytes; /* when fd is below 0; borrowed */
    int fd;                 /* borrowed */
    uint64_t size_bytes;
    struct ndp_bytes tail;  /* the last bytes of either, already in memory; borrowed */
    uint64_t tail_at_bytes; /* where they start */
    uint64_t at_bytes;
    uint64_t last_read_bytes; /* where the last read that gave bytes began */
    bool is_broken;           /* a read of the file failed, of which libzip may tell something else */
    zip_error_t error;
};

/* Reads `room_bytes` from `at_bytes` on, fewer only where the archive ends. Errors: IO, with errno. */
enum ndp_status ndp_npz_source_read(const struct ndp_npz_source *source, void *to, uint64_t room_bytes,
                                    uint64_t at_bytes, uint64_t *got_bytes) NDP_MUST_USE;

/* Gives a new source of libzip's that borrows `source`, or NULL (NOMEM). */
zip_source_t *ndp_npz_source_new(struct ndp_npz_source *source);

/* What one of libzip's errors means here. */
enum ndp_status ndp_npz_status(const zip_error_t *error);

#endif
