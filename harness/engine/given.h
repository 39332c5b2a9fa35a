/* given.h: runs cases that somebody brings, in place of those of a seed, as `ndproof import` does. */
#ifndef NDP_GIVEN_H
#define NDP_GIVEN_H

#include "engine/sweep.h"

/* A case, and what is known of it. */
struct ndp_given_case {
    struct ndp_descriptor descriptor;
    bool has_signature;
    struct ndp_signature signature; /* what it showed before: it runs on the routes that this names, if there are any */
    uint64_t count;                 /* how often that was seen */
};

/* Runs each case on every route of the bench that its signature names, else on every route that its descriptor names,
 * and reports as a sweep does; the number of a case is its place in the list. Of the options the properties, the
 * filter, the duration and the stop count. Errors: as ndp_sweep_run. */
enum ndp_status ndp_given_run(const struct ndp_bench *bench, const struct ndp_sweep_options *options,
                              const struct ndp_given_case *cases, uint32_t count, const struct ndp_sweep_events *events,
                              enum ndp_stop_reason *reason, struct ndp_error *error) NDP_MUST_USE;

#endif
