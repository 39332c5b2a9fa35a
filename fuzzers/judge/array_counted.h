/* array_counted.h: the features of an array, counted a second time: what a route does not take for them is told as
 * unsupported, and what is not compared for them is passed, so that a wrong count would be silent. */
#ifndef NDP_FUZZ_ARRAY_COUNTED_H
#define NDP_FUZZ_ARRAY_COUNTED_H

#include "model/array.h"

/* Holds that the array of the value (borrowed) has the features that its type, its layout and its flags make. The
 * arena is for what is built; what cannot be built is not judged. Gives whether it was. */
bool fuzz_check_array_features(struct ndp_arena *arena, const struct ndp_array_value *value);

#endif
