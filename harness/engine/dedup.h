/* dedup.h: the finding that a divergence of a sweep belongs to, so that a defect that shows ten thousand times is
 * minimised once. */
#ifndef NDP_DEDUP_H
#define NDP_DEDUP_H

#include "engine/result.h"

/* How many divergences of one core and route, and of one core, are minimised; later ones join the first finding of
 * theirs. Deaths are minimised less often, because every step costs the start of a process, and so are divergences of
 * graphs, whose field says more (the class, the error) and whose routes are many. */
enum { NDP_DEDUP_PER_WAY = 2, NDP_DEDUP_PER_CORE = 24, NDP_DEDUP_GRAPHS_PER_CORE = 6, NDP_DEDUP_DEATHS_PER_CORE = 3 };

struct ndp_dedup_entry;
struct ndp_dedup_core;

/* Zeroed it is empty. */
struct ndp_dedup {
    struct ndp_dedup_entry *entries; /* owned */
    uint32_t count;
    uint32_t capacity;
    struct ndp_dedup_core *cores; /* owned */
    uint32_t core_count;
    uint32_t core_capacity;
};

void ndp_dedup_clear(struct ndp_dedup *dedup);

/* The signature of the finding that `divergence` belongs to, or NULL when it is to be minimised; counts those that are
 * not. Borrows `dedup` until its next change. */
const struct ndp_signature *ndp_dedup_find(struct ndp_dedup *dedup, const struct ndp_divergence *divergence);

/* Whether there is a finding with this signature. */
bool ndp_dedup_has(const struct ndp_dedup *dedup, const struct ndp_signature *finding);

/* Remembers that `divergence` belongs to `finding`. Both are copied. Errors: NOMEM. */
enum ndp_status ndp_dedup_add(struct ndp_dedup *dedup, const struct ndp_divergence *divergence,
                              const struct ndp_signature *finding) NDP_MUST_USE;

/* Lets all that belongs to the finding `from` belong to `to`. */
void ndp_dedup_rename(struct ndp_dedup *dedup, const struct ndp_signature *from, const struct ndp_signature *to);

#endif
