/* printed.h: which characters repr() writes as they are, by another record than the table that answers. */
#ifndef NDP_FUZZ_PRINTED_H
#define NDP_FUZZ_PRINTED_H

#include <stdbool.h>
#include <stdint.h>

/* Blocks of 256 code points, of the first two planes. */
enum { FUZZ_PRINTED_BLOCKS = 512, FUZZ_PRINTED_ALL = 256 };

/* What our own table answers for a block, as one number; of the code point number `other` in it, the opposite of what
 * it answers, where that is under 256. */
uint16_t fuzz_printed_hash(uint32_t block, uint32_t other);

/* Whether that number is Python's for this block. */
bool fuzz_is_printed_so(uint32_t block, uint16_t hash);

#endif
