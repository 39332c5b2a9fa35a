/* evidence_groups.h: the divergences of one case on many routes, each evidence printed once. */
#ifndef NDP_EVIDENCE_GROUPS_H
#define NDP_EVIDENCE_GROUPS_H

#include "cmd/evidence.h"

/* A divergence and the routes that show it. */
struct ndp_evidence_group {
    const char *title;   /* arena */
    const char *details; /* arena */
    struct ndp_evidence_route *routes;
    struct ndp_evidence_route *last_route;
    uint32_t route_count;
    struct ndp_evidence_group *next;
};

/* Empty when zeroed, except for the arena. */
struct ndp_evidence_groups {
    struct ndp_arena *arena; /* borrowed */
    struct ndp_evidence_group *first;
    struct ndp_evidence_group *last;
};

/* Adds the divergence (not borrowed): its route to the group with the same text, else a new group. Errors: NOMEM. */
enum ndp_status ndp_evidence_groups_add(struct ndp_evidence_groups *groups,
                                        const struct ndp_divergence *divergence) NDP_MUST_USE;

/* Prints the groups in the order of their first divergence, as ndp_evidence_print does, with the other routes of each.
 */
void ndp_evidence_groups_print(FILE *out, const struct ndp_evidence_groups *groups, int indent);

#endif
