/* frame_content.h: the contents of a frame of the testee protocol. */
#ifndef NDP_FUZZ_FRAME_CONTENT_H
#define NDP_FUZZ_FRAME_CONTENT_H

#include "target/protocol/frame.h"

/* Reads a HELLO, BATCH or END. A HELLO that reads is written and read again: it must stay the same. The binary part is
 * replaced by a copy of exactly its size, so that a sanitizer sees a read past its end. */
void fuzz_check_frame_content(struct ndp_frame *frame);

#endif
