/* pickle_spoilt.h: pickles that no unpickler runs to their end. A machine that takes more than CPython's builds no
 * other objects for it, so that no comparison shows it. */
#ifndef NDP_FUZZ_PICKLE_SPOILT_H
#define NDP_FUZZ_PICKLE_SPOILT_H

#include "base/arena.h"
#include "base/bytes.h"

/* Appends the pickle, up to its STOP, to `out` with an opcode spoilt, one more that fails whatever stands before it, or
 * its end cut off; `pick` says which and how. Frames are as long as before in opcodes. Nothing when it has no STOP, or
 * too many opcodes, or there is nothing to spoil so. Errors: NOMEM, LIMIT (of `out`). Source: CPython 3.11,
 * Lib/pickle.py, _Unpickler, and Modules/_pickle.c, of which one at least refuses each of
 * them. */
enum ndp_status fuzz_pickle_spoil(struct ndp_bytes pickle, uint64_t pick, struct ndp_buffer *out) NDP_MUST_USE;

/* Files what is taken of a pickle that was taken before, spoilt; in memory or from a stream. Empties the arena. */
void fuzz_check_pickle_spoilt(struct ndp_arena *arena, struct ndp_bytes pickle, uint64_t pick);

#endif
