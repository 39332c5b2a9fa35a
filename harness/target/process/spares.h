/* spares.h: testees that were started in advance, so that a restart does not wait.
 *
 * A spare is a child like any other (child.h) with its own guard, folder and channels. It ends with ndproof and has
 * received nothing. Its output and its end are first looked at by the caller of ndp_spares_take.
 */
#ifndef NDP_SPARES_H
#define NDP_SPARES_H

#include "target/process/child.h"

enum { NDP_MAX_SPARES = 2 };

/* All zero: empty. */
struct ndp_spares {
    struct ndp_child waiting[NDP_MAX_SPARES]; /* oldest first */
    uint32_t count;
};

/* Moves the oldest spare into *child (the caller owns it) and returns true; false when there is none. */
bool ndp_spares_take(struct ndp_spares *spares, struct ndp_child *child);

/* Starts spares until there are `count` (at most NDP_MAX_SPARES). A spare that cannot be started is not an error. */
void ndp_spares_fill(struct ndp_spares *spares, uint32_t count, char *const *argv,
                     const struct ndp_target_limits *limits);

/* Ends all spares. */
void ndp_spares_stop(struct ndp_spares *spares);

#endif
