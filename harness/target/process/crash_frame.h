/* crash_frame.h: where a testee crashed, from what it printed. */
#ifndef NDP_CRASH_FRAME_H
#define NDP_CRASH_FRAME_H

#include "base/bytes.h"

/* Fills `out` with the function of the first frame in a library's own code: of a report of a sanitizer (the frames of
 * the sanitizer and of libc skipped), or of Python's faulthandler (the testee's own left out). "" when there is none.
 * Never a file, which moves between versions, an address or a line number. */
void ndp_crash_frame(struct ndp_bytes printed, char *out, size_t out_bytes);

#endif
