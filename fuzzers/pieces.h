/* pieces.h: a stream that gives its bytes in small pieces of changing sizes, for decoders of streams. */
#ifndef NDP_FUZZ_PIECES_H
#define NDP_FUZZ_PIECES_H

#include "base/bytes.h"

/* `source` is a struct ndp_cursor. Gives 1 to 37 bytes, fewer before the end and 0 at it; never fails. */
enum ndp_status fuzz_read_pieces(void *source, void *to, uint64_t room_bytes, uint64_t *got_bytes);

/* How many bytes the compressed stream that `bytes` begin with gives in all, as far as it goes; 0 where it is none. */
uint64_t fuzz_unpacked_bytes(struct ndp_bytes bytes);

#endif
