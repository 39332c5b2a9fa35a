/* failing.h: whether a decoder that gets no memory once, in the middle of its work, says so: what goes on as though it
 * had got it gives less than there is, or another thing. */
#ifndef NDP_FUZZ_FAILING_H
#define NDP_FUZZ_FAILING_H

#include "base/arena.h"
#include "base/bytes.h"

/* Decoders, which give back what is not the arena's. */
enum ndp_status fuzz_decodes_npy(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) NDP_MUST_USE;
enum ndp_status fuzz_decodes_pickled(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) NDP_MUST_USE;
enum ndp_status fuzz_decodes_dump(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) NDP_MUST_USE;
/* `form` is the container (oracle/graph_again.h). */
enum ndp_status fuzz_decodes_graph(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) NDP_MUST_USE;
/* Reads the text, and builds what it says, without its elements where these are many. */
enum ndp_status fuzz_decodes_text(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form) NDP_MUST_USE;

/* Of one input in several, by `pick`, of those that are decoded: when one of the arena's allocations fails, that is
 * what the decoder tells. Gives whether it was judged. */
bool fuzz_check_failing(enum ndp_status (*decode)(struct ndp_arena *arena, struct ndp_bytes bytes, uint64_t form),
                        struct ndp_bytes bytes, uint64_t form, uint64_t pick);

#endif
