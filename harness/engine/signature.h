/* signature.h: what a divergence is known by. Never bytes, addresses, lines, times or versions. */
#ifndef NDP_SIGNATURE_H
#define NDP_SIGNATURE_H

#include "engine/trial.h"

/* Fills divergence->core and ->signature. `model` is the case's array, NULL for bare bytes and graphs; `features` are
 * of a graph, else 0. */
void ndp_signature_fill(struct ndp_divergence *divergence, const struct ndp_array *model, uint64_t features);

#endif
