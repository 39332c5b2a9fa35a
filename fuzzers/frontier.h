/* frontier.h: the inputs that made a testee run what no input before them had.
 *
 * An engine counts every edge of the harness alike, and a place in a testee that was reached after hours is one among
 * thousands of edges in C. So the mutators mostly start from these inputs, whatever the engine has chosen. */
#ifndef NDP_FUZZ_FRONTIER_H
#define NDP_FUZZ_FRONTIER_H

#include "describe/generate.h"

/* Keeps a copy of `input`, as a child of the one that was picked last; where there is no room the one that was tried
 * most goes. */
void fuzz_frontier_keep(struct ndp_bytes input);

/* Which of them: those that begin so, or those that do not. */
struct fuzz_beginning {
    const char *text;
    bool is_wanted;
};

/* Mostly, and where there are any, gives a copy of one of these inputs: that which was tried least, for what it is
 * worth. So a new one is tried at once, and none for ever. `beginning` may be NULL: any of them. */
bool fuzz_frontier_pick(struct ndp_arena *arena, struct ndp_choices *choices, const struct fuzz_beginning *beginning,
                        struct ndp_bytes *out);

#endif
