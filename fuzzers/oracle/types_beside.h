/* types_beside.h: whether a type stays what it is in a pickle beside one that is another in one thing. Writers name a
 * type once and refer to it then: NumPy has one object for each of its own. */
#ifndef NDP_FUZZ_TYPES_BESIDE_H
#define NDP_FUZZ_TYPES_BESIDE_H

#include "model/dtype.h"

/* Of one input in several, by `pick`: a structure of the type, of the same with other metadata, unit or byte order, and
 * of the type again, behind or before each other or in one place, is pickled in some protocol in the form that NumPy
 * has for it, and is the same structure when it is read. Objects, and types that no field may have, are left out. Gives
 * whether it was judged. The arena is for what is made. */
bool fuzz_check_types_beside(struct ndp_arena *arena, const struct ndp_dtype *dtype, uint64_t pick);

#endif
