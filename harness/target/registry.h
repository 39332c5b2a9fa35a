/* registry.h: what is linked in under harness/target/, found by the names of files.
 *
 * plugin_<name>.c defines `const struct ndp_plugin ndp_plugin_<name>`; a file given as PLUGIN=<name>.c is listed with
 * them. The build writes the list, in the order of the names. */
#ifndef NDP_REGISTRY_H
#define NDP_REGISTRY_H

#include <stdint.h>

struct ndp_plugin;

/* Gives a constant list of `*count` pointers, with a NULL behind them. */
const struct ndp_plugin *const *ndp_plugins(uint32_t *count);

/* The plugin of that name, or NULL. */
const struct ndp_plugin *ndp_plugin_find(const char *name);

#endif
