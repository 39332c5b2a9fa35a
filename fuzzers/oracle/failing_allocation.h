/* failing_allocation.h: whether a decoder that gets no memory once, in the middle of its work, reports that. A decoder
 * that goes on as though it had got the memory returns less than there is, or something else. */
#ifndef NDP_FUZZ_FAILING_ALLOCATION_H
#define NDP_FUZZ_FAILING_ALLOCATION_H

#include "base/arena.h"
#include "base/bytes.h"

/* Decodes `bytes` (borrowed) with memory of `arena` and frees all other memory. */
typedef enum ndp_status fuzz_decode(struct ndp_arena *arena, struct ndp_bytes bytes);

/* Decodes twice. If the first run succeeds, one allocation of the second run, selected by `pick`, fails, and the
 * decoder must return NOMEM. Returns whether there was an allocation to fail. */
bool fuzz_check_failing_allocation(fuzz_decode *decode, struct ndp_bytes bytes, uint64_t pick);

#endif
