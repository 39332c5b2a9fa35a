/* streams.h: streams and sinks for decoders and encoders under test: in small chunks, compared with expected bytes, or
 * failing once. */
#ifndef NDP_FUZZ_STREAMS_H
#define NDP_FUZZ_STREAMS_H

#include "base/bytes.h"

/* A ndp_read_bytes (codec/source.h). `source` is a struct ndp_cursor. Delivers 1 to 37 bytes, fewer before the end and
 * 0 at the end; never fails. */
enum ndp_status fuzz_read_chunks(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes);

/* Expected bytes that have not been written yet. */
struct fuzz_expected {
    struct ndp_bytes left;
    bool is_other; /* other bytes or too many were written */
};

/* A ndp_write_bytes (codec/strided.h) for a struct fuzz_expected; never fails. */
enum ndp_status fuzz_write_expected(void *sink, const void *bytes, uint64_t size_bytes);

/* Whether exactly the expected bytes were written. */
bool fuzz_is_expected(const struct fuzz_expected *expected);

/* A stream that fails once after some of its bytes, or a sink that fails once after it has accepted some: a full disk,
 * a signal. Both continue afterwards, so that a caller that ignores the failure gets a result with missing bytes. */
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
