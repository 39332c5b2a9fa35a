/* dedup.h: decides which divergences of a run are minimised, and which count towards another one.
 *
 * Every minimised divergence is a find with a number. The decision depends only on the divergences offered before, not
 * on the results of their finds, so that finds can be made in any order. Private to this folder.
 */
#ifndef NDP_DEDUP_H
#define NDP_DEDUP_H

#include "engine/result.h"

/* Limits on finds: per core, library and route (a way), and per core. Process deaths have lower limits, because each
 * step starts a process, and so have divergences of graphs, whose field is more specific (class, error) and whose
 * routes are many. */
enum { NDP_DEDUP_PER_WAY = 2, NDP_DEDUP_PER_CORE = 24, NDP_DEDUP_GRAPHS_PER_CORE = 6, NDP_DEDUP_DEATHS_PER_CORE = 3 };

struct ndp_dedup_entry;
struct ndp_dedup_core;

/* Empty when zeroed. */
struct ndp_dedup {
    struct ndp_dedup_entry *entries; /* owned; one for each find */
    uint32_t count;
    uint32_t capacity;
    struct ndp_dedup_core *cores; /* owned */
    uint32_t core_count;
    uint32_t core_capacity;
};

void ndp_dedup_clear(struct ndp_dedup *dedup);

/* Fills *find with the number of the find that the divergence (copied) belongs to. *is_new: it is the next number, and
 * the divergence must be minimised. Errors: NOMEM. */
enum ndp_status ndp_dedup_offer(struct ndp_dedup *dedup, const struct ndp_divergence *divergence, uint32_t *find,
                                bool *is_new) NDP_MUST_USE;

/* The signature of the first divergence of a find. Borrowed until the next offer. */
const struct ndp_signature *ndp_dedup_signature(const struct ndp_dedup *dedup, uint32_t find);

#endif
