/* dedup.c: decides which divergences are minimised, and which count towards a known finding.
 *
 * Problem. One defect shows in thousands of cases, with many signatures. Minimising all of them takes longer than the
 * sweep; minimising one per core hides other defects with the same core.
 *
 * Method. A signature that was minimised before belongs to its finding. For each way (core, library and route) and each
 * core, a bounded number of divergences is minimised; all others join the first finding of their way or core. If
 * minimising yields a known finding, exponential back-off applies: the next 1, 3, 7, ... divergences of that core join
 * without being minimised. A new finding resets the back-off.
 *
 * Cost. One scan of the entries per divergence; the limits keep them few.
 *
 * Limits. If two defects share a core and the second is rare, it may be counted as the first.
 */
#include "engine/dedup.h"

#include <stdlib.h>
#include <string.h>

struct ndp_dedup_entry {
    struct ndp_signature seen;
    struct ndp_signature finding;
};

/* Counts for one core since its last new finding. */
struct ndp_dedup_core {
    struct ndp_signature core;
    uint32_t known_count; /* minimised divergences that yielded a known finding */
    uint32_t to_join;     /* divergences that join before the next one is minimised */
};

void ndp_dedup_clear(struct ndp_dedup *dedup) {
    free(dedup->entries);
    free(dedup->cores);
    *dedup = (struct ndp_dedup){0};
}

static struct ndp_dedup_core *find_core(struct ndp_dedup *dedup, const struct ndp_signature *signature) {
    for (uint32_t i = 0; i < dedup->core_count; i++)
        if (ndp_signature_has_same_core(&dedup->cores[i].core, signature)) return &dedup->cores[i];
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
    for (uint32_t i = 0; i < dedup->count; i++)
        if (ndp_signature_is_same(&dedup->entries[i].finding, finding)) return true;
    return false;
}

/* Grows a list for one more item. Errors: NOMEM. */
static enum ndp_status make_room(void **list, uint32_t count, uint32_t *capacity, size_t one_bytes) {
    if (count < *capacity) return NDP_OK;
    uint32_t wanted = *capacity == 0 ? 64 : *capacity * 2;
    void *grown = realloc(*list, wanted * one_bytes);
    if (grown == NULL) return NDP_NOMEM;
    *list = grown;
    *capacity = wanted;
    return NDP_OK;
}

static enum ndp_status count_core(struct ndp_dedup *dedup, const struct ndp_signature *signature, bool is_known) {
    enum { MOST_DOUBLINGS = 16 };
    struct ndp_dedup_core *core = find_core(dedup, signature);
    if (core == NULL) {
        void *list = dedup->cores;
        NDP_TRY(make_room(&list, dedup->core_count, &dedup->core_capacity, sizeof *core));
        dedup->cores = list;
        core = &dedup->cores[dedup->core_count++];
        *core = (struct ndp_dedup_core){.core = *signature};
    }
    core->known_count = is_known ? core->known_count + 1 : 0;
    core->to_join = (UINT32_C(1) << (core->known_count < MOST_DOUBLINGS ? core->known_count : MOST_DOUBLINGS)) - 1;
    return NDP_OK;
}

enum ndp_status ndp_dedup_add(struct ndp_dedup *dedup, const struct ndp_divergence *divergence,
                              const struct ndp_signature *finding) {
    const struct ndp_signature *signature = &divergence->signature;
    bool is_known = false;
    for (uint32_t i = 0; i < dedup->count && !is_known; i++) {
        const struct ndp_dedup_entry *entry = &dedup->entries[i];
        is_known =
            ndp_signature_has_same_core(&entry->seen, signature) && ndp_signature_is_same(&entry->finding, finding);
    }
    void *list = dedup->entries;
    NDP_TRY(make_room(&list, dedup->count, &dedup->capacity, sizeof *dedup->entries));
    dedup->entries = list;
    NDP_TRY(count_core(dedup, signature, is_known));
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
