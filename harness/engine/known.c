#include "engine/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ndp_known_clear(struct ndp_known *known) {
    free(known->entries);
    *known = (struct ndp_known){0};
}

const char *ndp_known_find(const struct ndp_known *known, const struct ndp_divergence *divergence) {
    const char *first = NULL;
    uint32_t same_core = 0;
    for (uint32_t i = 0; i < known->count; i++) {
        const struct ndp_known_entry *entry = &known->entries[i];
        if (strcmp(entry->core, divergence->core) != 0) continue;
        if (strcmp(entry->raw, divergence->signature) == 0) return entry->finding;
        if (first == NULL) first = entry->finding;
        same_core++;
    }
    return same_core >= NDP_KNOWN_PER_CORE ? first : NULL;
}

enum ndp_status ndp_known_add(struct ndp_known *known, const char *core, const char *raw, const char *finding) {
    if (known->count == known->capacity) {
        uint32_t capacity = known->capacity == 0 ? 64 : known->capacity * 2;
        struct ndp_known_entry *grown = realloc(known->entries, capacity * sizeof *grown);
        if (grown == NULL) return NDP_NOMEM;
        known->entries = grown;
        known->capacity = capacity;
    }
    struct ndp_known_entry *entry = &known->entries[known->count++];
    snprintf(entry->core, sizeof entry->core, "%s", core);
    snprintf(entry->raw, sizeof entry->raw, "%s", raw);
    snprintf(entry->finding, sizeof entry->finding, "%s", finding);
    return NDP_OK;
}
