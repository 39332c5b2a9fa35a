/* pieces.h: a stream that gives its bytes in small pieces of changing sizes, for decoders of streams. */
#ifndef NDP_FUZZ_PIECES_H
#define NDP_FUZZ_PIECES_H

#include "base/bytes.h"

/* `source` is a struct ndp_cursor. Gives 1 to 37 bytes, fewer before the end and 0 at it; never fails. */
enum ndp_status fuzz_read_pieces(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes);

/* Unpacks the compressed stream that `bytes` begin with to its end: whether it is whole, and how many bytes it gives,
 * as far as it goes. Where there is none, true and 0. */
bool fuzz_unpack(struct ndp_bytes bytes, uint64_t *size_bytes);

#endif
