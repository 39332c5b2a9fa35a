/* known.h: which finding a raw divergence belongs to, so that a defect seen ten thousand times is made minimal once. */
#ifndef NDP_KNOWN_H
#define NDP_KNOWN_H

#include "engine/trial.h"

/* How many raw signatures of one core and route, and of one core, are made minimal; later ones join the first
 * finding of theirs. A death is pursued less often: every step of it costs the start of a process. So is what is said
 * of graphs, whose field tells more (the class, the error) and whose ways are many. Whenever what became minimal was a
 * finding that is known, twice as many of that core pass before one is pursued again. */
enum { NDP_KNOWN_PER_WAY = 2, NDP_KNOWN_PER_CORE = 24, NDP_KNOWN_GRAPHS_PER_CORE = 6, NDP_KNOWN_DEATHS_PER_CORE = 3 };

struct ndp_known_entry {
    char core[NDP_SIGNATURE_BYTES];
    char way[NDP_SIGNATURE_BYTES];
    char raw[NDP_SIGNATURE_BYTES];
    char finding[NDP_SIGNATURE_BYTES];
};

/* How often a core was pursued in vain, since the last time that it was not. */
struct ndp_known_core {
    char core[NDP_SIGNATURE_BYTES];
    uint32_t in_vain;
    uint32_t to_pass; /* before the next is pursued */
};

struct ndp_known {
    struct ndp_known_entry *entries; /* owned */
    uint32_t count;
    uint32_t capacity;
    struct ndp_known_core *cores; /* owned */
    uint32_t core_count;
    uint32_t core_capacity;
};

void ndp_known_clear(struct ndp_known *known);

/* The signature of the finding that `divergence` belongs to, or NULL when it is to be pursued. Counts those that pass.
 * The answer is borrowed from `known`. */
const char *ndp_known_find(struct ndp_known *known, const struct ndp_divergence *divergence);

/* Remembers that `divergence` (borrowed) belongs to `finding`. Errors: NOMEM. */
enum ndp_status ndp_known_add(struct ndp_known *known, const struct ndp_divergence *divergence,
                              const char *finding) NDP_MUST_USE;

/* What belongs to the finding `from` belongs to `to` from now on. */
void ndp_known_rename(struct ndp_known *known, const char *from, const char *to);

#endif
