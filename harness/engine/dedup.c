/* dedup.c: which divergences are minimised.
 *
 * Problem. One defect shows in thousands of cases, each with a signature of its own. Minimising all of them takes
 * longer than the sweep; minimising one of each core hides other defects that share the core.
 *
 * Method. A signature that was minimised before belongs to its finding. Of each way (core, library and route) and of
 * each core a bounded number is minimised; all others join the first finding of their way, else of their core. Whenever
 * minimising ends at a finding that is known already, twice as many divergences of that core as the last time join
 * without being minimised before the next one is: 1, 3, 7, ... A new finding starts over.
 *
 * Cost. One walk over the entries for each divergence; the bounds keep them few.
 *
 * Limits. Two defects with one core of which the second shows rarely may be counted as one finding.
 */
#include "engine/dedup.h"

#include <stdlib.h>
#include <string.h>

struct ndp_dedup_entry {
    struct ndp_signature seen;
    struct ndp_signature finding;
};

/* Counts for one core, since minimising last ended at a new finding. */
struct ndp_dedup_core {
    struct ndp_signature core;
    uint32_t in_vain; /* ended at a known finding */
    uint32_t to_join; /* before the next one is minimised */
};

void ndp_dedup_clear(struct ndp_dedup *dedup) {
    free(dedup->entries);
    free(dedup->cores);
    *dedup = (struct ndp_dedup){0};
}

static struct ndp_dedup_core *find_core(struct ndp_dedup *dedup, const struct ndp_signature *signature) {
    for (uint32_t i = 0; i < dedup->core_count; i++) {
        if (ndp_signature_has_same_core(&dedup->cores[i].core, signature)) return &dedup->cores[i];
    }
    return NULL;
}

static uint32_t most_per_core(const struct ndp_divergence *divergence) {
    if (divergence->verdict != NDP_VERDICT_DIVERGES) return NDP_DEDUP_DEATHS_PER_CORE;
    const bool is_of_graphs = divergence->property != NULL && divergence->property->values == NDP_VALUE_BIT(GRAPH);
    return is_of_graphs ? NDP_DEDUP_GRAPHS_PER_CORE : NDP_DEDUP_PER_CORE;
}

const struct ndp_signature *ndp_dedup_find(struct ndp_dedup *dedup, const struct ndp_divergence *divergence) {
    const struct ndp_signature *signature = &divergence->signature, *of_core = NULL, *of_way = NULL;
    uint32_t same_core = 0, same_way = 0;
    for (uint32_t i = 0; i < dedup->count; i++) {
        const struct ndp_dedup_entry *entry = &dedup->entries[i];
        if (!ndp_signature_has_same_core(&entry->seen, signature)) continue;
        if (ndp_signature_is_same(&entry->seen, signature)) return &entry->finding;
        if (same_core++ == 0) of_core = &entry->finding;
        if (ndp_signature_has_same_way(&entry->seen, signature) && same_way++ == 0) of_way = &entry->finding;
    }
    if (same_way >= (divergence->verdict != NDP_VERDICT_DIVERGES ? 1 : NDP_DEDUP_PER_WAY)) return of_way;
    if (same_core >= most_per_core(divergence)) return of_core;
    struct ndp_dedup_core *core = find_core(dedup, signature);
    if (core == NULL || core->to_join == 0) return NULL;
    core->to_join--;
    return of_way != NULL ? of_way : of_core;
}

bool ndp_dedup_has(const struct ndp_dedup *dedup, const struct ndp_signature *finding) {
    for (uint32_t i = 0; i < dedup->count; i++) {
        if (ndp_signature_is_same(&dedup->entries[i].finding, finding)) return true;
    }
    return false;
}

/* Grows a list so that one more fits. */
static enum ndp_status make_room(void **list, uint32_t count, uint32_t *capacity, size_t one_bytes) {
    if (count < *capacity) return NDP_OK;
    uint32_t wanted = *capacity == 0 ? 64 : *capacity * 2;
    void *grown = realloc(*list, wanted * one_bytes);
    if (grown == NULL) return NDP_NOMEM;
    *list = grown;
    *capacity = wanted;
    return NDP_OK;
}

static enum ndp_status count_core(struct ndp_dedup *dedup, const struct ndp_signature *signature, bool is_in_vain) {
    enum { MOST_DOUBLINGS = 16 };
    struct ndp_dedup_core *core = find_core(dedup, signature);
    if (core == NULL) {
        void *list = dedup->cores;
        NDP_TRY(make_room(&list, dedup->core_count, &dedup->core_capacity, sizeof *core));
        dedup->cores = list;
        core = &dedup->cores[dedup->core_count++];
        *core = (struct ndp_dedup_core){.core = *signature};
    }
    core->in_vain = is_in_vain ? core->in_vain + 1 : 0;
    core->to_join = (UINT32_C(1) << (core->in_vain < MOST_DOUBLINGS ? core->in_vain : MOST_DOUBLINGS)) - 1;
    return NDP_OK;
}

enum ndp_status ndp_dedup_add(struct ndp_dedup *dedup, const struct ndp_divergence *divergence,
                              const struct ndp_signature *finding) {
    const struct ndp_signature *signature = &divergence->signature;
    bool is_in_vain = false;
    for (uint32_t i = 0; i < dedup->count && !is_in_vain; i++) {
        const struct ndp_dedup_entry *entry = &dedup->entries[i];
        is_in_vain =
            ndp_signature_has_same_core(&entry->seen, signature) && ndp_signature_is_same(&entry->finding, finding);
    }
    void *list = dedup->entries;
    NDP_TRY(make_room(&list, dedup->count, &dedup->capacity, sizeof *dedup->entries));
    dedup->entries = list;
    NDP_TRY(count_core(dedup, signature, is_in_vain));
    dedup->entries[dedup->count++] = (struct ndp_dedup_entry){.seen = *signature, .finding = *finding};
    return NDP_OK;
}

void ndp_dedup_rename(struct ndp_dedup *dedup, const struct ndp_signature *from, const struct ndp_signature *to) {
    const struct ndp_signature old = *from;
    for (uint32_t i = 0; i < dedup->count; i++) {
        struct ndp_dedup_entry *entry = &dedup->entries[i];
        if (ndp_signature_is_same(&entry->finding, &old)) entry->finding = *to;
    }
}
