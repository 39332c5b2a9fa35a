/* flags_again.h: what an array that was built says of itself, judged a second time: by where its elements lie, by what
 * each view does to its flags, and by the recipe that is told of it. */
#ifndef NDP_FUZZ_FLAGS_AGAIN_H
#define NDP_FUZZ_FLAGS_AGAIN_H

#include "model/array.h"
#include "model/observation.h"

/* Holds of the value (borrowed) after each of its views: its flags are those of elements that lie there, and of the
 * rules by which NumPy hands them on; and what is below of the array as it was seen. Values that cannot be built are
 * not judged. The arena is for what is built. Gives whether it was judged. Source: NumPy 2.4, flagsobject.c, IsAligned
 * in common.c, stride_tricks.py, getset.c. */
bool fuzz_check_flags(struct ndp_arena *arena, const struct ndp_array_value *value);

/* The order of memory that an array was made in: not at all, where its strides are those of another. */
enum fuzz_made { FUZZ_MADE_NOT, FUZZ_MADE_C, FUZZ_MADE_F, FUZZ_MADE_UNKNOWN };

/* The same of one view `to` of `from`. */
void fuzz_check_view_flags(const struct ndp_array *from, const struct ndp_array *to, enum ndp_view_op op,
                           enum fuzz_made made);

/* The first element of what was seen of an array lies in its file where it is said to. */
void fuzz_check_position(const struct ndp_array *array, const struct ndp_observation *seen);

/* What was told of what was seen builds an array of the same shape, values, order and permission to write. */
void fuzz_check_retold(struct ndp_arena *arena, const struct ndp_observation *seen, const struct ndp_array_value *told);

/* Holds that another seed, in one bit that follows from `pick`, is other data, where every seed tells. Gives whether it
 * was judged. */
bool fuzz_check_seed(struct ndp_arena *arena, const struct ndp_array_value *value, uint64_t pick);

#endif
