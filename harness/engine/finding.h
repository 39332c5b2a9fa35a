/* finding.h: a divergence that was minimised and confirmed in fresh processes. */
#ifndef NDP_FINDING_H
#define NDP_FINDING_H

#include "engine/blame.h"

/* The number of a case in a run is the number of its group, shifted by this, plus its number in the group. */
enum { NDP_CASE_GROUP_SHIFT = 40 };

/* All borrowed. */
struct ndp_finding {
    const struct ndp_divergence *divergence; /* of the minimal case; its signature is that of the finding */
    struct ndp_bytes descriptor;             /* canonical text of the minimal case */
    uint64_t first_case;                     /* its number in the run */
    uint64_t found_after_ns;                 /* since the start of the run; 0 if unknown */
    uint32_t confirm_runs;
    uint32_t confirm_hits;
    const struct ndp_result *result;   /* of the minimal case */
    const struct ndp_route *generated; /* of the first case, before it was minimised; NULL if unknown */
    struct ndp_blame blame;
};

#endif
