/* accepted_pool.h: stores inputs that a target accepts, for mutators.
 *
 * An engine stores inputs that reach new code, and a decoder has ten paths that refuse for one that accepts. Most of
 * the engine's inputs are therefore invalid, and their mutations are refused for the same reason. Mutators mostly
 * start from an accepted input, also to make one with a single error. */
#ifndef NDP_FUZZ_ACCEPTED_POOL_H
#define NDP_FUZZ_ACCEPTED_POOL_H

#include "generate/generate.h"

/* Stores a copy of an input once; a full pool replaces another input. Inputs of more than 4 KiB are not stored. */
void fuzz_pool_keep(struct ndp_bytes input);

/* Gives one of them, borrowed until the next call of fuzz_keep_accepted(); false if there is none. */
bool fuzz_pool_pick(struct ndp_choices *choices, struct ndp_bytes *out) NDP_MUST_USE;

#endif
