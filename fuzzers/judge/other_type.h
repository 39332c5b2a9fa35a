/* other_type.h: a type by its text alone, and types that differ in one thing. */
#ifndef NDP_FUZZ_OTHER_TYPE_H
#define NDP_FUZZ_OTHER_TYPE_H

#include "model/dtype.h"

/* The text of the type alone is read by another reader than a descriptor's, as the same. For one input in several, by
 * `pick`: a type that is another in one thing, somewhere in its tree, compares as another in that, by the word for it,
 * and one that prints as the same text compares as the same; one that breaks a rule is refused (type_judged.h). NULL is
 * no type. */
void fuzz_check_type(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick);

#endif
