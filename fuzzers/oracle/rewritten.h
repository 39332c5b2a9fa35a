/* rewritten.h: a pickle read and written again. */
#ifndef NDP_FUZZ_REWRITTEN_H
#define NDP_FUZZ_REWRITTEN_H

#include "codec/source.h"
#include "codec/strided.h"

/* Reads a pickle, which must be one if `is_ours` (its opcodes are then looked at by the caller), and hands what the
 * protocol makes of it to `write`. Clears the source, and empties the arena. */
enum ndp_status fuzz_rewrite(struct ndp_arena *arena, struct ndp_source source, uint32_t protocol, bool is_ours,
                             ndp_write_bytes *write, void *sink);

/* What the protocol makes of a pickle that was written in it is the same bytes. Empties the arena. */
void fuzz_check_rewritten(struct ndp_arena *arena, struct ndp_bytes written, uint32_t protocol);

/* With another numbering of its memo the protocol makes the same of the pickle. Empties the arena. */
void fuzz_check_moved(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes want);

#endif
