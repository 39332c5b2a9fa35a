/* frontier.h: the inputs that made a testee run what few others do.
 *
 * An engine counts every edge of the harness alike, and a place in a testee that was reached after hours is one among
 * thousands of edges in C. So the mutators mostly start from these inputs, whatever the engine has chosen. */
#ifndef NDP_FUZZ_RARE_INPUTS_H
#define NDP_FUZZ_RARE_INPUTS_H

#include "generate/generate.h"

/* What is worth keeping of an input: the places that no input before it had reached, or an entry that it stands for as
 * well as the one that is there. */
struct fuzz_reach {
    uint32_t first_new, new_count;
    int32_t entry; /* -1 is none */
};

/* Counts one input for each place, a byte of `counted` (borrowed) that is not 0. Whether it is worth keeping. */
bool fuzz_rare_reach(struct ndp_bytes counted, struct fuzz_reach *out);

/* Keeps a copy of the input; where there is no room, the entry goes that was tried most. */
void fuzz_rare_keep(const struct fuzz_reach *reach, struct ndp_bytes input);

/* Which of them: those that begin so, or those that do not. */
struct fuzz_beginning {
    const char *text;
    bool is_wanted;
};

/* Mostly, and where there are any, gives a copy of one of these inputs: one that was tried least, and whose places the
 * fewest inputs have reached. So a new one is tried at once, and none for ever; what leads to others that are as rare
 * makes way for them. `beginning` may be NULL: any of them. */
bool fuzz_rare_pick(struct ndp_arena *arena, struct ndp_choices *choices, const struct fuzz_beginning *beginning,
                    struct ndp_bytes *out);

#endif
