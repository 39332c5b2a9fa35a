/* drawn_right.h: that what is drawn, changed and made smaller is what was asked for. What feeds a target cannot tell
 * it: a draw that fails is an input less, and one that is always the same is one that nobody misses. */
#ifndef NDP_FUZZ_DRAWN_RIGHT_H
#define NDP_FUZZ_DRAWN_RIGHT_H

#include "describe/descriptor.h"

/* Holds for whatever `bytes` are drawn into, and for `from` (NULL is none), which can be built, in one pick of several:
 * what comes out can be built, reads as it prints, lies within the limits that were given, and is the same each time;
 * every smaller neighbour is smaller. */
void fuzz_check_draws(const struct ndp_descriptor *from, struct ndp_bytes bytes, uint64_t pick);

#endif
