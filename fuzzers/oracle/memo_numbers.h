/* memo_numbers.h: a pickle whose memo is numbered in another way, which means the same. */
#ifndef NDP_FUZZ_MEMO_NUMBERS_H
#define NDP_FUZZ_MEMO_NUMBERS_H

#include "base/bytes.h"

/* Appends the pickle (borrowed) with every odd index of its memo moved to (index << shift) + by. False if it has no odd
 * index, or an index of at least `by`, or one that would not fit, or is cut or in frames, or numbers its memo itself
 * (MEMOIZE). Source: CPython 3.11, Lib/pickletools.py. */
bool fuzz_renumber_memo(struct ndp_bytes pickle, uint32_t by, uint32_t shift, struct ndp_buffer *out);

#endif
