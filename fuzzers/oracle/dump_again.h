/* dump_again.h: what came out of a dump of joblib, dumped again. */
#ifndef NDP_FUZZ_DUMP_AGAIN_H
#define NDP_FUZZ_DUMP_AGAIN_H

#include "codec/joblib/joblib_read.h"

/* Files what differs when an array is dumped in a form that `pick` decides (protocol, alignment, mappable or not and,
 * where `is_packed`, compression) and read: the array, and of a plain dump how its elements are padded and whether they
 * may be mapped; of a packed one, whether limits hold that it does not meet. The pool is borrowed. */
void fuzz_dump_again(struct ndp_arena *arena, const struct ndp_npy_array *array, uint32_t pick, bool is_packed,
                     struct ndp_block_pool *pool);

#endif
