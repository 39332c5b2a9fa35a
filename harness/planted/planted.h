/* planted.h: deliberately wrong targets, so that every property is seen to catch something.
 *
 * A planted defect is the reference plugin with one mistake of the kind that real libraries make. The property
 * named with it must report it; `ndproof selftest` prints the matrix and fails otherwise. A file planted_<name>.c
 * defines `const struct ndp_planted ndp_planted_<name>`; the build writes the list from the file names.
 */
#ifndef NDP_PLANTED_H
#define NDP_PLANTED_H

#include "target/plugin.h"

struct ndp_planted {
    const char *name;     /* as in the file name */
    const char *property; /* the one that must report it; others may as well; "process": it dies or hangs */
    const char *defect;   /* what is wrong, one sentence */
    bool is_caught_alone; /* no other property may report it */
    struct ndp_plugin plugin;
};

/* Gives a constant list of `*count` pointers in the order of their names, with a NULL behind them. */
const struct ndp_planted *const *ndp_planted_list(uint32_t *count);

#endif
