/* pickle_sizes.h: payloads of the sizes at which opcodes, headers and frames change, which an input of a few KiB never
 * has. */
#ifndef NDP_FUZZ_PICKLE_SIZES_H
#define NDP_FUZZ_PICKLE_SIZES_H

#include "base/arena.h"
#include "base/bytes.h"

/* Of so many payloads one is large. */
enum { FUZZ_SIZES_LARGE_ONE_IN = 16 };

/* Appends a pickle without frames, spelled here and by no writer: a tuple of a payload behind one of the opcodes that
 * carry a length, or a line, a number, and the payload again, out of the memo. By `pick` it is of 255 to 257 bytes, of
 * a few where the length has one byte or an integer is wanted, or as large as a frame, one less or more, or so much
 * less that what stands around it fills one. Errors: LIMIT, NOMEM. */
enum ndp_status fuzz_spell_size(uint64_t pick, struct ndp_buffer *out) NDP_MUST_USE;

/* Holds that such a pickle is read and is written in the protocol as CPython frames and spells it, and as the same
 * objects to another reader, and that what is written gives the same bytes again out of a stream. Empties the arena. */
void fuzz_check_sizes(struct ndp_arena *arena, uint32_t protocol, uint64_t pick);

#endif
