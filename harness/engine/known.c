#include "engine/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ndp_known_clear(struct ndp_known *known) {
    free(known->entries);
    *known = (struct ndp_known){0};
}

const char *ndp_known_find(const struct ndp_known *known, const struct ndp_divergence *divergence) {
    const char *of_core = NULL, *of_way = NULL;
    uint32_t same_core = 0, same_way = 0;
    for (uint32_t i = 0; i < known->count; i++) {
        const struct ndp_known_entry *entry = &known->entries[i];
        if (strcmp(entry->core, divergence->core) != 0) continue;
        if (strcmp(entry->raw, divergence->signature) == 0) return entry->finding;
        if (same_core++ == 0) of_core = entry->finding;
        if (strcmp(entry->way, divergence->way) == 0 && same_way++ == 0) of_way = entry->finding;
    }
    bool is_death = divergence->verdict != NDP_VERDICT_DIVERGES;
    bool is_of_graphs = divergence->property != NULL && divergence->property->for_graph;
    uint32_t most_per_core = is_death       ? NDP_KNOWN_DEATHS_PER_CORE
                             : is_of_graphs ? NDP_KNOWN_GRAPHS_PER_CORE
                                            : NDP_KNOWN_PER_CORE;
    if (same_way >= (is_death ? 1 : NDP_KNOWN_PER_WAY)) return of_way;
    return same_core >= most_per_core ? of_core : NULL;
}

enum ndp_status ndp_known_add(struct ndp_known *known, const struct ndp_divergence *divergence, const char *finding) {
    if (known->count == known->capacity) {
        uint32_t capacity = known->capacity == 0 ? 64 : known->capacity * 2;
        struct ndp_known_entry *grown = realloc(known->entries, capacity * sizeof *grown);
        if (grown == NULL) return NDP_NOMEM;
        known->entries = grown;
        known->capacity = capacity;
    }
    struct ndp_known_entry *entry = &known->entries[known->count++];
    memcpy(entry->core, divergence->core, sizeof entry->core);
    memcpy(entry->way, divergence->way, sizeof entry->way);
    memcpy(entry->raw, divergence->signature, sizeof entry->raw);
    snprintf(entry->finding, sizeof entry->finding, "%s", finding);
    return NDP_OK;
}
