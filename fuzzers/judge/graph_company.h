/* graph_company.h: whether what arrays of a graph share, whether they are whole, and what functions give, is told where
 * it is another. */
#ifndef NDP_FUZZ_GRAPH_COMPANY_H
#define NDP_FUZZ_GRAPH_COMPANY_H

#include "model/graph.h"

/* Holds that as many pairs of arrays are told to share no memory any longer, or one that they did not, as there are
 * when one array that follows from `pick` lies elsewhere; that an array which is not whole and a result that is another
 * are told, there and alone. `graph` is an expectation. The arena is for all of it. */
void fuzz_check_company(struct ndp_arena *arena, const struct ndp_graph *graph, uint64_t pick);

#endif
