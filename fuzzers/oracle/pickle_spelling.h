/* pickle_spelling.h: pickles spelled as no pickler does. A machine that has no opcode but those of our own writer right
 * passes each comparison with it. */
#ifndef NDP_FUZZ_PICKLE_SPELLING_H
#define NDP_FUZZ_PICKLE_SPELLING_H

#include "base/arena.h"
#include "base/bytes.h"

/* Appends the pickle (one that can be read), up to its STOP, to `out` with one opcode said by others, or others beside
 * it that do nothing; `pick` says which and how. Where `keeps_names` is false, what is global may get names that are
 * objects of their own. Nothing when it has no STOP, or too many opcodes. Errors: NOMEM, LIMIT (of `out`). Source:
 * CPython 3.11, Lib/pickle.py, _Unpickler, and Modules/_pickle.c, which both read each of them. */
enum ndp_status fuzz_pickle_respell(struct ndp_bytes pickle, bool keeps_names, uint64_t pick,
                                    struct ndp_buffer *out) NDP_MUST_USE;

/* Spelled otherwise, the protocol makes the same of the pickle, which is `want`. Empties the arena. */
void fuzz_check_pickle_spelling(struct ndp_arena *arena, struct ndp_bytes pickle, uint32_t protocol,
                                struct ndp_bytes want, uint64_t pick);

#endif
