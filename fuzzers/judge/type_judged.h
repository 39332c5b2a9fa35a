/* type_judged.h: whether a type is one that NumPy can have, judged a second time. */
#ifndef NDP_FUZZ_TYPE_JUDGED_H
#define NDP_FUZZ_TYPE_JUDGED_H

#include "model/dtype.h"

/* Whether the tree obeys every rule of model/dtype.h. Fields are held against each other in pairs: of more than
 * NDP_FUZZ_FIELDS in one structure nothing is known, and the answer is `otherwise`. */
enum { NDP_FUZZ_FIELDS = 64 };
bool fuzz_is_type(const struct ndp_dtype *dtype, bool otherwise);

/* Holds that the type, with one node changed in a way that follows from `pick`, is refused where it breaks a rule, and
 * there alone. The arena is for the changed type. */
void fuzz_check_type_judged(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick);

#endif
