/* pickle_limits.h: checks the limits of the pickle machine at their exact values. */
#ifndef NDP_FUZZ_PICKLE_LIMITS_H
#define NDP_FUZZ_PICKLE_LIMITS_H

#include "base/bytes.h"

/* The size of a readable pickle up to its STOP, counted independently of the machine. */
struct fuzz_pickle_counts {
    uint64_t opcodes;
    uint64_t memo_entries; /* used places of the memo */
    uint64_t elements;     /* of tuples and of containers, two for a pair; 0 if calls may make more */
};

/* False if the pickle has no STOP, too many opcodes, or indexes of the memo beyond a table. */
bool fuzz_count_pickle(struct ndp_bytes pickle, struct fuzz_pickle_counts *out);

/* Reads a pickle, which the machine accepts, with limits that it just meets, and with one of them, selected by `pick`,
 * lower by one; files it if the first is refused or the second accepted. */
void fuzz_check_pickle_limits(struct ndp_bytes pickle, uint64_t pick);

#endif
