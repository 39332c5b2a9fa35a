/* dedup.c: decides which divergences are minimised.
 *
 * Problem. One defect shows in thousands of cases, with many signatures. Minimising all of them takes longer than the
 * sweep; minimising one per core hides other defects with the same core.
 *
 * Method. A signature that was offered before belongs to its find. The first few divergences of a core become finds,
 * then the first with each kind of value; after them those whose number among the offers of the core is a power of two.
 * A way and a core have limits. All others join the first find of their way or core.
 *
 * Cost. One scan of the entries per divergence; the limits keep them few.
 *
 * Limits. If two defects share a core and the second is rare, it may be counted as the first.
 */
#include "engine/dedup.h"

#include <stdlib.h>

enum { FREE_PER_CORE = 4, VALUES_PER_CORE = 12 };

struct ndp_dedup_entry {
    struct ndp_signature seen;
};

struct ndp_dedup_core {
    struct ndp_signature core;
    uint64_t offers;
};

void ndp_dedup_clear(struct ndp_dedup *dedup) {
    free(dedup->entries);
    free(dedup->cores);
    *dedup = (struct ndp_dedup){0};
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

static enum ndp_status count_offer(struct ndp_dedup *dedup, const struct ndp_signature *signature, uint64_t *offers) {
    struct ndp_dedup_core *core = NULL;
    for (uint32_t i = 0; i < dedup->core_count && core == NULL; i++)
        if (ndp_signature_has_same_core(&dedup->cores[i].core, signature)) core = &dedup->cores[i];
    if (core == NULL) {
        void *list = dedup->cores;
        NDP_TRY(make_room(&list, dedup->core_count, &dedup->core_capacity, sizeof *core));
        dedup->cores = list;
        core = &dedup->cores[dedup->core_count++];
        *core = (struct ndp_dedup_core){.core = *signature};
    }
    *offers = ++core->offers;
    return NDP_OK;
}

/* The finds that are like a divergence. */
struct alike {
    uint32_t core;     /* number of finds with its core */
    uint32_t way;      /* and with its way */
    uint32_t value;    /* with its core and its kind of value */
    uint32_t first;    /* the first find of its way, or else of its core */
    bool is_identical; /* `first` has the same signature */
};

static struct alike find_alike(const struct ndp_dedup *dedup, const struct ndp_signature *signature) {
    struct alike alike = {.first = UINT32_MAX};
    for (uint32_t i = 0; i < dedup->count && !alike.is_identical; i++) {
        const struct ndp_signature *seen = &dedup->entries[i].seen;
        if (!ndp_signature_has_same_core(seen, signature)) continue;
        const bool is_same_way = ndp_signature_has_same_way(seen, signature);
        alike.is_identical = ndp_signature_is_same(seen, signature);
        if (alike.is_identical || (is_same_way && alike.way == 0) || alike.core == 0) alike.first = i;
        alike.core++;
        alike.way += is_same_way;
        alike.value += ndp_signature_has_same_value(seen, signature);
    }
    return alike;
}

static uint32_t most_per_core(const struct ndp_divergence *divergence) {
    if (divergence->verdict != NDP_VERDICT_DIVERGES) return NDP_DEDUP_DEATHS_PER_CORE;
    const bool is_of_graphs = divergence->property != NULL && divergence->property->values == NDP_VALUE_BIT(GRAPH);
    return is_of_graphs ? NDP_DEDUP_GRAPHS_PER_CORE : NDP_DEDUP_PER_CORE;
}

static bool must_be_found(const struct alike *alike, const struct ndp_divergence *divergence, uint64_t offers) {
    const bool is_death = divergence->verdict != NDP_VERDICT_DIVERGES;
    if (alike->core >= most_per_core(divergence) || alike->way >= (is_death ? 1 : NDP_DEDUP_PER_WAY)) return false;
    if (alike->core < FREE_PER_CORE || (alike->value == 0 && alike->core < VALUES_PER_CORE)) return true;
    return (offers & (offers - 1)) == 0;
}

enum ndp_status ndp_dedup_offer(struct ndp_dedup *dedup, const struct ndp_divergence *divergence, uint32_t *find,
                                bool *is_new) {
    const struct ndp_signature *signature = &divergence->signature;
    const struct alike alike = find_alike(dedup, signature);
    uint64_t offers;
    *find = alike.first;
    *is_new = false;
    if (alike.is_identical) return NDP_OK;
    NDP_TRY(count_offer(dedup, signature, &offers));
    if (!must_be_found(&alike, divergence, offers)) return NDP_OK;
    void *list = dedup->entries;
    NDP_TRY(make_room(&list, dedup->count, &dedup->capacity, sizeof *dedup->entries));
    dedup->entries = list;
    *is_new = true;
    *find = dedup->count;
    dedup->entries[dedup->count++] = (struct ndp_dedup_entry){.seen = *signature};
    return NDP_OK;
}

const struct ndp_signature *ndp_dedup_signature(const struct ndp_dedup *dedup, uint32_t find) {
    return &dedup->entries[find].seen;
}
