/* apart.h: elements that lie apart in memory: what a decoder gives lies behind one another, so that what an encoder
 * does with other arrays would never be seen. */
#ifndef NDP_FUZZ_APART_H
#define NDP_FUZZ_APART_H

#include "codec/strided.h"

/* Gives the same elements in the same logical order, each with as much room behind it as it takes, and the last axis
 * backwards. Memory is the arena's; where there is none, or none is taken, gives `elements` themselves. */
const struct ndp_elements *fuzz_lay_apart(struct ndp_arena *arena, const struct ndp_elements *elements);

#endif
