/* retell.h: what the middle of a relay got, as a value to begin with. */
#ifndef NDP_RETELL_H
#define NDP_RETELL_H

#include "engine/trial.h"

/* Fills *out with what `result` says that the middle of the relay `descriptor` got (both borrowed, and pointed to).
 * Whether it can be told: an array whose elements lie side by side; a graph that was sent, with the plain arrays and
 * maps that arrived. Memory from `arena`. */
bool ndp_retell(struct ndp_arena *arena, const struct ndp_descriptor *descriptor, const struct ndp_result *result,
                struct ndp_value *out);

#endif
