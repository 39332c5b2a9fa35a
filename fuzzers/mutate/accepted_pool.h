/* sound.h: inputs that a target accepts, kept for mutators.
 *
 * An engine keeps what reaches something new, and a decoder has ten reasons to refuse for one way to accept: of what it
 * changes, nine in ten are broken already, and what comes of them is refused for the same reason. So mutators mostly
 * begin with one that is sound; what is broken in one place only is made of those, too. */
#ifndef NDP_FUZZ_ACCEPTED_POOL_H
#define NDP_FUZZ_ACCEPTED_POOL_H

#include "generate/generate.h"

/* Keeps a copy of an input, the same one once; where there is no room it takes the place of another. One of more than
 * 4 KiB is not kept. */
void fuzz_pool_keep(struct ndp_bytes input);

/* Gives one of them, borrowed until the next call of the above; false where there is none. */
bool fuzz_pool_pick(struct ndp_choices *choices, struct ndp_bytes *out) NDP_MUST_USE;

#endif
