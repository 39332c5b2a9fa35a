/* rare_inputs.h: stores inputs for which a testee reached rare places.
 *
 * An engine weighs all edges equally, so a rare place in a testee disappears among thousands of edges of the harness.
 * The mutators therefore start from these inputs most of the time. */
#ifndef NDP_FUZZ_RARE_INPUTS_H
#define NDP_FUZZ_RARE_INPUTS_H

#include "generate/generate.h"

/* The reasons to store an input: places that no earlier input reached, or an existing entry whose places it reaches as
 * well. */
struct fuzz_reach {
    uint32_t first_new, new_count;
    int32_t entry; /* -1: none */
};

/* Counts one input for each nonzero byte of `counted` (borrowed). Returns whether the input should be stored. */
bool fuzz_rare_reach(struct ndp_bytes counted, struct fuzz_reach *out);

/* Stores a copy of the input. A full table replaces the entry that was tried most often. */
void fuzz_rare_keep(const struct fuzz_reach *reach, struct ndp_bytes input);

/* Selects inputs by their first bytes: those that match, or those that do not. */
struct fuzz_beginning {
    const char *text;
    bool is_wanted;
};

/* Gives a copy of a stored input most of the time, if there is one: the entry that was tried least and whose places
 * the fewest inputs have reached. A new entry is therefore tried at once, and no entry is tried forever. `beginning`
 * may be NULL: any input. */
bool fuzz_rare_pick(struct ndp_arena *arena, struct ndp_choices *choices, const struct fuzz_beginning *beginning,
                    struct ndp_bytes *out);

#endif
