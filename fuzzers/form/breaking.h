/* breaking.h: a stream that fails once behind some of its bytes, and a sink that fails once when it has taken so many:
 * a disk that is full for a moment, a signal. What comes of it then has a hole, so that whoever goes on must still
 * tell. */
#ifndef NDP_FUZZ_BREAKING_H
#define NDP_FUZZ_BREAKING_H

#include "base/bytes.h"

struct fuzz_breaking {
    struct ndp_cursor from; /* of a stream */
    uint64_t left_bytes;    /* that are given or taken before it fails */
    bool has_failed;        /* it was asked for more, and goes on as if nothing had been */
};

/* A stream of `bytes` (borrowed) that fails behind a number of them, which `pick` says: none, all, or some. */
struct fuzz_breaking fuzz_breaking_stream(struct ndp_bytes bytes, uint64_t pick);

/* A ndp_read_bytes (codec/source.h) for a struct fuzz_breaking: pieces as those of fuzz_read_pieces, and IO once. The
 * end of the bytes is one before it is a failure. */
enum ndp_status fuzz_read_breaking(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes);

/* A ndp_write_bytes (codec/strided.h) for a struct fuzz_breaking: IO when it is handed more than it takes, once. */
enum ndp_status fuzz_write_breaking(void *sink, const void *bytes, uint64_t size_bytes);

/* Whether who was told of the failure tells it as such, and who was not has `want`. */
bool fuzz_is_told(const struct fuzz_breaking *breaking, enum ndp_status got, enum ndp_status want);

#endif
