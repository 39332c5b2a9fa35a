/* spares.h: testees that were started ahead and wait, so that whoever needs a fresh process does not wait for one.
 *
 * A spare is a child like any other (supervise.h): it has its own guard, folder and channels, ends with ndproof, and
 * has been given nothing. It is not looked at before it is taken: what it says and how it ends is seen by who takes it.
 */
#ifndef NDP_SPARES_H
#define NDP_SPARES_H

#include "target/process/supervise.h"

enum { NDP_MAX_SPARES = 2 };

/* Zeroed: none. */
struct ndp_spares {
    struct ndp_child waiting[NDP_MAX_SPARES]; /* oldest first */
    uint32_t count;
};

/* Moves the oldest spare into *child and gives true, or false when there is none. */
bool ndp_spares_take(struct ndp_spares *spares, struct ndp_child *child);

/* Starts spares up to `count` (at most NDP_MAX_SPARES). One that cannot be started is done without. */
void ndp_spares_fill(struct ndp_spares *spares, uint32_t count, char *const *argv,
                     const struct ndp_target_limits *limits);

/* Ends all of them. */
void ndp_spares_stop(struct ndp_spares *spares);

#endif
