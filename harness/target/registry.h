/* registry.h: finds linked plugins by name.
 *
 * plugin_<name>.c defines `const struct ndp_plugin ndp_plugin_<name>`; a file given as PLUGIN=<name>.c is listed, too.
 * The build generates the list, sorted by name.
 */
#ifndef NDP_REGISTRY_H
#define NDP_REGISTRY_H

#include <stdint.h>

struct ndp_plugin;

/* Borrows the constant list of `*count` pointers, followed by NULL. */
const struct ndp_plugin *const *ndp_registry_plugins(uint32_t *count);

/* The plugin with that name, or NULL. */
const struct ndp_plugin *ndp_registry_find(const char *name);

#endif
