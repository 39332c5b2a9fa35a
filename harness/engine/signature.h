/* signature.h: what a divergence is known by. Never bytes, addresses, lines, times or versions. */
#ifndef NDP_SIGNATURE_H
#define NDP_SIGNATURE_H

#include "engine/trial.h"

/* Fills divergence->core and ->signature. `model` is the case's array, NULL for bare bytes and graphs; `features` are
 * of a graph, else 0. */
void ndp_signature_fill(struct ndp_divergence *divergence, const struct ndp_array *model, uint64_t features);

/* Whether the signature of a divergence (not of a death) can be of this route: it names the route, or, where it names
 * none, the format. */
bool ndp_signature_names(const char *signature, const struct ndp_route *route);

/* Whether the divergence is of a route that the contract calls a hazard: whether and how it shows is chance, so that
 * one signature stands for every end it may take, and it is tried more than once. */
bool ndp_divergence_is_chance(const struct ndp_divergence *divergence);

/* The same, told from its core or its signature. */
bool ndp_signature_is_chance(const char *signature);

#endif
