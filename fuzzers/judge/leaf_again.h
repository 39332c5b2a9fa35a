/* leaf_again.h: what a base is filled with, worked out a second time. */
#ifndef NDP_FUZZ_LEAF_AGAIN_H
#define NDP_FUZZ_LEAF_AGAIN_H

#include "model/dtype.h"

/* Holds of a leaf of the type (borrowed) that follows from `pick`, and of a number at which some type stops to hold all
 * of it, that its bytes say the number, and that those of boundary values and of numbers in one byte order are those in
 * the other, unit by unit turned round. Gives whether it was judged: there may be no leaf, or a large one. */
bool fuzz_check_leaf(const struct ndp_dtype *dtype, uint64_t pick);

#endif
