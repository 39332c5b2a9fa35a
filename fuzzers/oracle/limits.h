/* limits.h: whether limits hold where they begin: what an input just needs is enough, and one less is not. */
#ifndef NDP_FUZZ_LIMITS_H
#define NDP_FUZZ_LIMITS_H

#include "codec/npy/npy_decode.h"

/* For NPY bytes (borrowed) that the strict mode took for `first`: the lenient one takes them alike with just enough for
 * characters, axes, nesting and bytes of data; `which` says of what there is one less then. A
 * few are taken without memory once. */
void fuzz_npy_limits(struct ndp_arena *arena, struct ndp_bytes bytes, const struct ndp_npy_array *first,
                     uint64_t which);

#endif
