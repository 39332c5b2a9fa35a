/* planted.h: deliberately wrong targets, so that every property is seen to catch something.
 *
 * A planted defect is the reference plugin with one mistake of the kind that real libraries make. The property
 * named with it must report it; `ndproof selftest` prints the matrix and fails otherwise. The registry is made
 * from the file names planted_<name>.c (target/registry.h).
 */
#ifndef NDP_PLANTED_H
#define NDP_PLANTED_H

#include "target/plugin.h"

struct ndp_planted {
    const char *name;     /* as in the file name */
    const char *property; /* the one that must report it; others may as well; "process": it dies or hangs */
    const char *defect;   /* what is wrong, one sentence */
    bool is_relays_own;   /* it shows where the target is the middle of a relay, and nowhere else */
    struct ndp_plugin plugin;
};

#endif
