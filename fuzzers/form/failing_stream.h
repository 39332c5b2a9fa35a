/* failing_stream.h: a stream that fails once after some of its bytes, and a sink that fails once after it has accepted
 * some: a full disk, a signal. Both continue afterwards, so that a caller that ignores the failure gets a result with
 * missing bytes. */
#ifndef NDP_FUZZ_FAILING_STREAM_H
#define NDP_FUZZ_FAILING_STREAM_H

#include "base/bytes.h"

struct fuzz_failing {
    struct ndp_cursor from; /* of a stream */
    uint64_t left_bytes;    /* until it fails */
    bool has_failed;
};

/* Returns a stream of `bytes` (borrowed) that fails once; `pick` selects after how many bytes: none, some or all. */
struct fuzz_failing fuzz_failing_stream(struct ndp_bytes bytes, uint64_t pick);

/* A ndp_read_bytes (codec/source.h) for a struct fuzz_failing: chunks as fuzz_read_chunks, and IO once, except at the
 * end of the bytes. */
enum ndp_status fuzz_read_failing(void *from, void *to, uint64_t room_bytes, uint64_t *got_bytes);

/* A ndp_write_bytes (codec/strided.h) for a struct fuzz_failing: IO once, when the limit is exceeded. */
enum ndp_status fuzz_write_failing(void *sink, const void *bytes, uint64_t size_bytes);

/* Whether `got` is IO if the stream or sink has failed, and `want` if it has not. */
bool fuzz_is_reported(const struct fuzz_failing *failing, enum ndp_status got, enum ndp_status want);

#endif
