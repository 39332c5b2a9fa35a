/* pickled_again.h: an array that came out of a pickle, pickled again. */
#ifndef NDP_FUZZ_PICKLED_AGAIN_H
#define NDP_FUZZ_PICKLED_AGAIN_H

#include "codec/pickle/pickle_codec.h"
#include "codec/strided.h"

/* Files what differs when the array, whose elements may lie elsewhere, is pickled in this protocol and read: type,
 * shape, elements, CPython's opcodes, what NumPy says of a type; and in protocol 5, where it is pickled open and closed
 * for writing, whether it is open. The form is that of NumPy 1 in even protocols, and in protocol 5 in passing. */
void fuzz_pickled_again(struct ndp_arena *arena, const struct ndp_pickle_array *array,
                        const struct ndp_elements *elements, uint32_t protocol);

/* Whether a pickled array begins with a name that NumPy 1 has (`is_old`), or 2, which has numpy._core for numpy.core.
 * Source: the release notes of NumPy 2.0. */
bool fuzz_is_of_release(struct ndp_bytes pickle, bool is_old);

#endif
