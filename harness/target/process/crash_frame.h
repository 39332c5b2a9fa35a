/* crash_frame.h: finds where a testee crashed in its printed output. */
#ifndef NDP_CRASH_FRAME_H
#define NDP_CRASH_FRAME_H

#include "base/bytes.h"

/* Fills `out` with the name of the first function that belongs to a library. It reads sanitizer reports (skipping
 * frames of the sanitizer and of libc) and Python's faulthandler (skipping the testee's own files). Fills "" when there
 * is none. The result never contains a file, an address or a line number, because those differ between versions. */
void ndp_crash_frame(struct ndp_bytes printed, char *out, size_t out_bytes);

#endif
