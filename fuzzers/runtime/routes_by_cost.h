/* routes_by_cost.h: the routes of a bench, grouped by the value that they take and by what they cost. */
#ifndef NDP_FUZZ_ROUTES_BY_COST_H
#define NDP_FUZZ_ROUTES_BY_COST_H

#include "runtime/cases.h"

/* The cost of a route relative to one from memory to memory: a file or a map costs 20 times as much, a compressor or a
 * new process 400 times as much. */
enum fuzz_cost { FUZZ_COST_MEMORY, FUZZ_COST_FILE, FUZZ_COST_PROCESS, FUZZ_COST_COUNT };

/* Lists the routes of the formats of `cases`; ends the process if there is none. The bench is borrowed. */
void fuzz_routes_open(const struct ndp_bench *bench, const struct fuzz_cases *cases);
void fuzz_routes_close(void);

/* The cost of one entry point. */
enum fuzz_cost fuzz_routes_cost(const char *entry);

/* Returns the `pick`-th of the routes that the case names, that take its value, and that cost at most `most`; more
 * costly ones only if there is no other. NULL if the case names none. */
const struct ndp_route *fuzz_routes_pick(const struct ndp_descriptor *descriptor, enum fuzz_cost most, uint64_t pick);

#endif
