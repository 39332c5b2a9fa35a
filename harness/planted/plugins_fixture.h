/* plugins_fixture.h: finds linked plugins by name, for tests. */
#ifndef NDP_PLUGINS_FIXTURE_H
#define NDP_PLUGINS_FIXTURE_H

#include <string.h>

#include "planted/planted.h"
#include "target/plugin.h"
#include "target/registry.h"

/* NULL when there is none. */
static inline const struct ndp_plugin *planted_named(const char *name) {
    uint32_t count;
    const struct ndp_planted *const *list = ndp_planted_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i]->name, name) == 0) return &list[i]->plugin;
    }
    return NULL;
}

static inline const struct ndp_plugin *reference_plugin(void) {
    return ndp_registry_find("reference");
}

#endif
