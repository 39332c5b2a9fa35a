/* given.h: runs a list of cases instead of generated ones, for `ndproof import`. */
#ifndef NDP_GIVEN_H
#define NDP_GIVEN_H

#include "engine/sweep.h"

/* A case and its history. */
struct ndp_given_case {
    struct ndp_descriptor descriptor;
    bool has_signature;
    struct ndp_signature signature; /* of its divergence in an earlier run; selects the routes */
    uint64_t count;                 /* how often the divergence was counted */
};

/* Runs each case on every route of the bench that its signature names or, if there is none, that its descriptor names,
 * and reports like a sweep. The number of a case is its index. Uses the options properties, filter and stop.
 * Borrows all for the call. Errors: those of ndp_sweep_run. */
enum ndp_status ndp_given_run(const struct ndp_bench *bench, const struct ndp_sweep_options *options,
                              const struct ndp_given_case *cases, uint32_t count, const struct ndp_sweep_events *events,
                              enum ndp_stop_reason *reason, struct ndp_error *error) NDP_MUST_USE;

#endif
