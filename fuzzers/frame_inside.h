/* frame_inside.h: what a frame of the parser holds, and what it must be, said by other code than the parser's. */
#ifndef NDP_FUZZ_FRAME_INSIDE_H
#define NDP_FUZZ_FRAME_INSIDE_H

#include "target/frame.h"

enum { FUZZ_FRAME_LIMIT = 1 << 20 };

/* Reads HELLO, BATCH and END out of a frame, whose binary part is moved. */
void fuzz_frame_inside(struct ndp_frame *frame);

/* Whether the bytes begin with this frame. Source: testees/README.md. */
bool fuzz_frame_says(struct ndp_bytes bytes, const struct ndp_frame *frame);

/* Whether the header that the bytes begin with says a frame within the limit; true where it has not all arrived. */
bool fuzz_frame_fits(struct ndp_bytes bytes, uint64_t limit_bytes);

#endif
