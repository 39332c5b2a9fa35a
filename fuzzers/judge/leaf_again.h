/* leaf_again.h: what a base is filled with, worked out a second time. */
#ifndef NDP_FUZZ_LEAF_AGAIN_H
#define NDP_FUZZ_LEAF_AGAIN_H

#include "model/dtype.h"

/* Holds of a leaf of the type (borrowed) that follows from `pick`, and of a number at which some type stops to hold all
 * of it, that its bytes say the number, that a boundary value of floating point is one, and that those of boundary
 * values and of numbers in one byte order are those in the other, unit by unit turned round. Gives whether it was
 * judged: there may be no leaf, or a large one. */
bool fuzz_check_leaf(const struct ndp_dtype *dtype, uint64_t pick);

/* Whether so many bytes, low one first, are the boundary value of this number. Those of a floating point of 2, 4 or 8
 * bytes are, in a circle: the zeros, one, the infinities, NaNs, the ends of what is subnormal, of what is normal; of
 * one of 16 bytes, which has 80 bits, also what no processor makes. */
bool fuzz_is_boundary(const uint8_t *at, uint64_t size_bytes, uint64_t number);

#endif
