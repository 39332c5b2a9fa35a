/* masks_judged.h: what a comparison of values may pass over, and what it may not, said by a second calculation. */
#ifndef NDP_FUZZ_MASKS_JUDGED_H
#define NDP_FUZZ_MASKS_JUDGED_H

#include "model/observation.h"

/* Holds of an array with fields: one field more makes it another. Of one without: another unit of time makes it
 * another; its elements compare as the same in the other byte order; as the same with room for one character more where
 * trailing NULs are masked and what is there is one, and not otherwise; a NaN and what differs from it in one bit,
 * where payloads are masked, only if that is a NaN, too. `pick` says which element, and which bit. */
void fuzz_check_masks(const struct ndp_observation *value, uint64_t pick);

#endif
