/* chunked_stream.h: a stream that delivers its bytes in small chunks of changing sizes, for decoders of streams, and a
 * sink that compares what an encoder writes with expected bytes. */
#ifndef NDP_FUZZ_CHUNKED_STREAM_H
#define NDP_FUZZ_CHUNKED_STREAM_H

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

#endif
