/* pickle_limits.h: what a pickle needs is what it is let have. */
#ifndef NDP_FUZZ_PICKLE_LIMITS_H
#define NDP_FUZZ_PICKLE_LIMITS_H

#include "base/arena.h"
#include "base/bytes.h"

/* How much a pickle has that can be read, up to its STOP, counted by other code than the machine's. */
struct fuzz_pickle_counts {
    uint64_t opcodes;
    uint64_t memo_entries; /* places of the memo that are put into */
    uint64_t elements;     /* of tuples, and put into containers, two of a pair; 0 where calls may make more */
};

/* False when it has no STOP, or too many opcodes, or puts into far places of the memo. */
bool fuzz_count_pickle(struct ndp_bytes pickle, struct fuzz_pickle_counts *out);

/* Of a pickle that was read: with limits that are just met it is read, and with one less of that which `pick` says, it
 * is not. Empties the arena. */
void fuzz_check_pickle_limits(struct ndp_arena *arena, struct ndp_bytes pickle, uint64_t pick);

#endif
