/* dedup.h: assigns divergences of a sweep to findings, so that a defect that shows in ten thousand cases is minimised a
 * few times. */
#ifndef NDP_DEDUP_H
#define NDP_DEDUP_H

#include "engine/result.h"

/* Limits on minimising: per core, library and route (a way), and per core. Later divergences count towards the first
 * finding of their way or core. Process deaths have a lower limit, because each step starts a process, and so have
 * divergences of graphs, whose field is more specific (class, error) and whose routes are many. */
enum { NDP_DEDUP_PER_WAY = 2, NDP_DEDUP_PER_CORE = 24, NDP_DEDUP_GRAPHS_PER_CORE = 6, NDP_DEDUP_DEATHS_PER_CORE = 3 };

struct ndp_dedup_entry;
struct ndp_dedup_core;

/* Empty when zeroed. */
struct ndp_dedup {
    struct ndp_dedup_entry *entries; /* owned */
    uint32_t count;
    uint32_t capacity;
    struct ndp_dedup_core *cores; /* owned */
    uint32_t core_count;
    uint32_t core_capacity;
};

void ndp_dedup_clear(struct ndp_dedup *dedup);

/* The signature of the finding that `divergence` belongs to, or NULL if it must be minimised. Counts the divergences
 * that join a finding because of the back-off. The result is borrowed until the next change of `dedup`. */
const struct ndp_signature *ndp_dedup_find(struct ndp_dedup *dedup, const struct ndp_divergence *divergence);

/* Whether there is a finding with this signature. */
bool ndp_dedup_has(const struct ndp_dedup *dedup, const struct ndp_signature *finding);

/* Records that `divergence` belongs to `finding` (both are copied). Errors: NOMEM. */
enum ndp_status ndp_dedup_add(struct ndp_dedup *dedup, const struct ndp_divergence *divergence,
                              const struct ndp_signature *finding) NDP_MUST_USE;

/* Moves all divergences of the finding `from` to the finding `to`. */
void ndp_dedup_rename(struct ndp_dedup *dedup, const struct ndp_signature *from, const struct ndp_signature *to);

#endif
