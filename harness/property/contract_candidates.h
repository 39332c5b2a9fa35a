/* contract_candidates.h: the rows of the contract that apply to a route, for any value. */
#ifndef NDP_CONTRACT_CANDIDATES_H
#define NDP_CONTRACT_CANDIDATES_H

#include "property/contract.h"

/* Fills out->rows and out->count with the rows for `route` between two targets, special before general. `is_graph`:
 * the value is a graph, which no pickle of NumPy carries. Does not change the other members of *out. */
void ndp_contract_candidates_find(const struct ndp_route *route, const struct ndp_target_info *encoder,
                                  const struct ndp_target_info *decoder, bool is_graph,
                                  struct ndp_contract_candidates *out);

#endif
