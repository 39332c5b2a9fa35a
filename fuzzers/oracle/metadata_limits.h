/* metadata_limits.h: numbers in the metadata of a pickled type, around those that their text can hold. */
#ifndef NDP_FUZZ_METADATA_LIMITS_H
#define NDP_FUZZ_METADATA_LIMITS_H

#include "codec/pickle/pickle_codec.h"

/* Files what differs when the array, of a type with a whole number as its metadata, is not read with that number where
 * a double holds it and each neighbour on the way to zero, or is read with any beyond: JSON has one kind of number, and
 * whoever reads the text would get another. `pick` says which number. Gives whether there is such a pickle, of as many
 * operations as are taken apart. */
bool fuzz_check_metadata_limits(struct ndp_arena *arena, const struct ndp_pickle_array *array, uint64_t pick);

#endif
