/* simpler_route.h: simpler neighbours of the route of a case, for minimising. For the files of this folder only. */
#ifndef NDP_SIMPLER_ROUTE_H
#define NDP_SIMPLER_ROUTE_H

#include "engine/bench.h"

/* Fills *out with simpler neighbour number `step` of `from`: one property in place of several, then a route with fewer
 * settings, a lower protocol, or an entry point that the target claims earlier (the first is the simplest). Whether
 * there is one. Borrows what `from` borrows. */
bool ndp_simpler_route_fill(const struct ndp_bench *bench, const struct ndp_descriptor *from, uint32_t step,
                            struct ndp_descriptor *out);

/* How many there are. */
uint32_t ndp_simpler_route_count(const struct ndp_bench *bench, const struct ndp_descriptor *from);

#endif
