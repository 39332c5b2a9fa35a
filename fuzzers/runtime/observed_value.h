/* observed_value.h: builds an array value from an observed array. */
#ifndef NDP_FUZZ_OBSERVED_VALUE_H
#define NDP_FUZZ_OBSERVED_VALUE_H

#include "base/arena.h"
#include "model/observation.h"

/* Fills *out with an array without objects that has the dtype, the shape, the elements and the order of axes of `seen`
 * (borrowed). Errors: NOMEM. */
enum ndp_status fuzz_value_of(struct ndp_arena *arena, const struct ndp_observation *seen,
                              struct ndp_array_value *out) NDP_MUST_USE;

#endif
