/* frame_inside.h: what a frame of the parser holds, and what it must be, said by other code than the parser's. */
#ifndef NDP_FUZZ_FRAME_INSIDE_H
#define NDP_FUZZ_FRAME_INSIDE_H

#include "target/protocol/frame.h"

enum { FUZZ_FRAME_LIMIT = 1 << 20 };

/* Reads HELLO, BATCH and END out of a frame, whose binary part is moved. A HELLO is written again, and reads the same.
 */
void fuzz_frame_inside(struct ndp_frame *frame);

/* Whether the bytes begin with this frame. Source: testees/README.md. */
bool fuzz_frame_says(struct ndp_bytes bytes, const struct ndp_frame *frame);

/* The place of the first byte that no frame begins with: of another mark, of a type that is none, or in the place of
 * the reserved byte; UINT64_MAX when there is none. Source: testees/README.md. */
uint64_t fuzz_frame_wrong_at(struct ndp_bytes bytes);

/* Whether the header that the bytes begin with says a frame within the limit; true where it has not all arrived. */
bool fuzz_frame_fits(struct ndp_bytes bytes, uint64_t limit_bytes);

/* Of one whole frame: it is given where the limit is just its size, and refused for the limit where that is a byte
 * less, whether or not more than its header has arrived. */
void fuzz_frame_limits(struct ndp_bytes frame);

#endif
