#include "target/registry.h"

#include <string.h>

#include "target/plugin.h"

const struct ndp_plugin *ndp_plugin_find(const char *name) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_plugins(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(plugins[i]->name, name) == 0) return plugins[i];
    return NULL;
}
