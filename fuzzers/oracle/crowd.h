/* crowd.h: more than a frame holds, which an input of a few KiB never comes to: a pickle behind what fills one. */
#ifndef NDP_FUZZ_CROWD_H
#define NDP_FUZZ_CROWD_H

#include "base/arena.h"
#include "base/bytes.h"

/* The protocol makes of a list of two copies of what the pickle holds, of objects of their own, whole frames; between
 * them are as many bytes that a frame ends in the second, and in one turn of 16 as many lists that indexes go past a
 * power of two there; in half of the turns the first comes again. What comes last is written as what `want`, which the
 * protocol makes of the pickle alone, holds. Which names of globals are one object with what else is not asked. `pick`
 * says which turn it is. Empties the arena. */
void fuzz_check_crowd(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, struct ndp_bytes want,
                      uint64_t pick);

/* Writes a list, dict or set of as many numbers, or characters, as fill one batch or two, one less or one more, the
 * dict's values being what the pickle holds, and holds that another reader sees them all, and CPython's opcodes.
 * Source: CPython 3.11, Modules/_pickle.c, BATCHSIZE. */
void fuzz_check_batches(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol, uint64_t pick);

#endif
