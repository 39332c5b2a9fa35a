/* planted.h: deliberately wrong targets, which show that every property catches something.
 *
 * A planted defect is the reference plugin with one mistake that real libraries make. The property named with it must
 * report it; `ndproof selftest` prints the matrix and fails otherwise. A file planted_<name>.c defines `const struct
 * ndp_planted ndp_planted_<name>`; the build generates the list from the file names.
 */
#ifndef NDP_PLANTED_H
#define NDP_PLANTED_H

#include "target/plugin.h"

struct ndp_planted {
    const char *name;
    const char *property; /* the property that must report it (others may); "process": the target dies or hangs */
    const char *defect;   /* one sentence that states the mistake */
    bool is_caught_alone; /* no other property may report it */
    bool needs_history;   /* only cases with a history may report it */
    struct ndp_plugin plugin;
};

/* Borrows the constant list of all planted defects: `*count` pointers, sorted by name, then NULL. */
const struct ndp_planted *const *ndp_planted_list(uint32_t *count);

#endif
