/* dump_inside.h: what stands behind the wrappers of joblib's dump, however many there are in it. */
#ifndef NDP_FUZZ_DUMP_INSIDE_H
#define NDP_FUZZ_DUMP_INSIDE_H

#include "base/arena.h"
#include "base/bytes.h"

/* Holds of a plain dump (borrowed) that the elements of each of its arrays stand behind padding, if `alignment_bytes`
 * is not 0, on a multiple of it, and that the pickle behind a wrapper of objects is of an array of the shape and the
 * order that the wrapper says. The arena is for what is read. Gives how many arrays were judged. Source: joblib 1.6.0,
 * numpy_pickle.py, NumpyPickler.save and NumpyArrayWrapper.write_array. */
uint32_t fuzz_dump_inside(struct ndp_arena *arena, struct ndp_bytes dump, uint32_t alignment_bytes);

#endif
