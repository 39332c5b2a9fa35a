/* simpler_route.h: simpler routes and fewer properties for a case, for minimising. Private to this folder. */
#ifndef NDP_SIMPLER_ROUTE_H
#define NDP_SIMPLER_ROUTE_H

#include "engine/bench.h"

/* Fills *out with neighbour number `step` of `from`; false if there is none. The neighbours have one property instead
 * of several, then fewer settings, a lower protocol, or an entry point that the target claims earlier (the first is the
 * simplest). *out borrows what `from` borrows. */
bool ndp_simpler_route_fill(const struct ndp_bench *bench, const struct ndp_descriptor *from, uint32_t step,
                            struct ndp_descriptor *out);

/* The number of neighbours. */
uint32_t ndp_simpler_route_count(const struct ndp_bench *bench, const struct ndp_descriptor *from);

#endif
