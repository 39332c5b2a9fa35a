#include "engine/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ndp_known_clear(struct ndp_known *known) {
    free(known->entries);
    free(known->cores);
    *known = (struct ndp_known){0};
}

static struct ndp_known_core *find_core(struct ndp_known *known, const char *core) {
    for (uint32_t i = 0; i < known->core_count; i++) {
        if (strcmp(known->cores[i].core, core) == 0) return &known->cores[i];
    }
    return NULL;
}

const char *ndp_known_find(struct ndp_known *known, const struct ndp_divergence *divergence) {
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
    if (same_core >= most_per_core) return of_core;
    struct ndp_known_core *core = find_core(known, divergence->core);
    if (core == NULL || core->to_pass == 0) return NULL;
    core->to_pass--;
    return of_way != NULL ? of_way : of_core;
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

static enum ndp_status count_pursuit(struct ndp_known *known, const char *name, bool is_in_vain) {
    struct ndp_known_core *core = find_core(known, name);
    if (core == NULL) {
        void *list = known->cores;
        NDP_TRY(make_room(&list, known->core_count, &known->core_capacity, sizeof *core));
        known->cores = list;
        core = &known->cores[known->core_count++];
        *core = (struct ndp_known_core){0};
        snprintf(core->core, sizeof core->core, "%s", name);
    }
    core->in_vain = is_in_vain ? core->in_vain + 1 : 0;
    core->to_pass = (UINT32_C(1) << (core->in_vain < 16 ? core->in_vain : 16)) - 1;
    return NDP_OK;
}

enum ndp_status ndp_known_add(struct ndp_known *known, const struct ndp_divergence *divergence, const char *finding) {
    bool is_in_vain = false;
    for (uint32_t i = 0; i < known->count && !is_in_vain; i++) {
        const struct ndp_known_entry *entry = &known->entries[i];
        is_in_vain = strcmp(entry->core, divergence->core) == 0 && strcmp(entry->finding, finding) == 0;
    }
    void *list = known->entries;
    NDP_TRY(make_room(&list, known->count, &known->capacity, sizeof *known->entries));
    known->entries = list;
    NDP_TRY(count_pursuit(known, divergence->core, is_in_vain));
    struct ndp_known_entry *entry = &known->entries[known->count++];
    memcpy(entry->core, divergence->core, sizeof entry->core);
    memcpy(entry->way, divergence->way, sizeof entry->way);
    memcpy(entry->raw, divergence->signature, sizeof entry->raw);
    snprintf(entry->finding, sizeof entry->finding, "%s", finding);
    return NDP_OK;
}

void ndp_known_rename(struct ndp_known *known, const char *from, const char *to) {
    for (uint32_t i = 0; i < known->count; i++) {
        struct ndp_known_entry *entry = &known->entries[i];
        if (strcmp(entry->finding, from) == 0) snprintf(entry->finding, sizeof entry->finding, "%s", to);
    }
}
