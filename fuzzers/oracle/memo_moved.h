/* memo_moved.h: a pickle whose memo is numbered otherwise, which is the same pickle. */
#ifndef NDP_FUZZ_MEMO_MOVED_H
#define NDP_FUZZ_MEMO_MOVED_H

#include "base/arena.h"
#include "base/bytes.h"

/* Makes a copy whose places in the memo of odd numbers, put and got, are others: shifted by so many bits, and higher by
 * so many, an odd number where they are shifted. So places near to each other are far apart, or differ in their high
 * bits alone. False where there are none, or one is not below `by`, so that it might be met, where 32 bits have no
 * room, where MEMOIZE counts them, where frames count bytes, or without memory. Source: CPython 3.11,
 * Lib/pickletools.py. */
bool fuzz_move_memo(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t by, uint32_t shift,
                    struct ndp_bytes *out);

#endif
