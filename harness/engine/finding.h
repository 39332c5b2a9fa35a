/* finding.h: a divergence that was minimised and confirmed in fresh processes. */
#ifndef NDP_FINDING_H
#define NDP_FINDING_H

#include "engine/blame.h"

/* The number of a case in a run, from the number of its group of routes and its number in the group; and back. */
enum { NDP_CASE_GROUP_SHIFT = 40 };
static inline uint64_t ndp_case_id(uint64_t group, uint64_t number) {
    return group << NDP_CASE_GROUP_SHIFT | number;
}
static inline uint32_t ndp_case_group(uint64_t case_id) {
    return (uint32_t)(case_id >> NDP_CASE_GROUP_SHIFT);
}
static inline uint64_t ndp_case_number(uint64_t case_id) {
    return case_id & ((UINT64_C(1) << NDP_CASE_GROUP_SHIFT) - 1);
}

/* All borrowed. */
struct ndp_finding {
    const struct ndp_divergence *divergence; /* of the minimal case; its signature is that of the finding */
    struct ndp_bytes descriptor;             /* canonical text of the minimal case */
    uint64_t first_case;                     /* its number in the run */
    uint32_t confirm_runs;
    uint32_t confirm_hits;
    const struct ndp_result *result;   /* of the minimal case */
    const struct ndp_route *generated; /* of the first case, before it was minimised; NULL if unknown */
    struct ndp_blame blame;
};

#endif
