/* contract_candidates.h: the rows of the contract that apply to a route, whatever value it takes. */
#ifndef NDP_CONTRACT_CANDIDATES_H
#define NDP_CONTRACT_CANDIDATES_H

#include "property/contract.h"

/* Fills out->rows and out->count with the rows for `route` between two targets, special before general. `is_graph`:
 * the route takes a graph, and no pickle of NumPy carries it. Leaves the other members of *out alone. */
void ndp_contract_candidates_find(const struct ndp_route *route, const struct ndp_target_info *encoder,
                                  const struct ndp_target_info *decoder, bool is_graph,
                                  struct ndp_contract_candidates *out);

#endif
