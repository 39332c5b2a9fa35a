/* pieces.h: a stream that gives its bytes in small pieces of changing sizes, for decoders of streams; and one for
 * encoders that compares what comes. */
#ifndef NDP_FUZZ_PIECES_H
#define NDP_FUZZ_PIECES_H

#include "base/bytes.h"
#include "codec/compress/compress.h"

/* `source` is a struct ndp_cursor. Gives 1 to 37 bytes, fewer before the end and 0 at it; never fails. */
enum ndp_status fuzz_read_pieces(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes);

/* What is left of some bytes that are expected. */
struct fuzz_expected {
    struct ndp_bytes left;
    bool is_other; /* there was something else, or more */
};

/* A ndp_write_bytes (codec/strided.h) for a struct fuzz_expected; never fails. */
enum ndp_status fuzz_write_expected(void *sink, const void *bytes, uint64_t size_bytes);

/* Whether exactly what was expected came. */
bool fuzz_is_expected(const struct fuzz_expected *expected);

/* Unpacks the compressed stream that `bytes` begin with to its end: whether it is whole, and how many bytes it gives,
 * as far as it goes. Where there is none, true and 0. */
bool fuzz_unpack(struct ndp_bytes bytes, uint64_t *size_bytes);
/* The same within limits, without their pool. Errors: as ndp_decompress_read. */
enum ndp_status fuzz_unpack_within(struct ndp_bytes bytes, const struct ndp_compress_limits *given,
                                   uint64_t *size_bytes) NDP_MUST_USE;

#endif
