/* registry.h: what is linked in under harness/target/, found by the names of files.
 *
 * plugin_<name>.c defines `const struct ndp_plugin ndp_plugin_<name>`, planted_<name>.c defines
 * `const struct ndp_planted ndp_planted_<name>`; a file given as PLUGIN=<name>.c is listed with the former.
 * The build writes the lists, in the order of the names. */
#ifndef NDP_REGISTRY_H
#define NDP_REGISTRY_H

#include <stdint.h>

struct ndp_plugin;
struct ndp_planted;

/* Each gives a constant list of `*count` pointers, with a NULL behind them. */
const struct ndp_plugin *const *ndp_plugins(uint32_t *count);
const struct ndp_planted *const *ndp_planted_list(uint32_t *count);

/* The plugin of that name, or NULL. */
const struct ndp_plugin *ndp_plugin_find(const char *name);

#endif
