/* sweep.h: cases from a seed through every route, until a count or a time is reached.
 *
 * The case with number n is the same in every run with the same seed, targets and filters. What is new is
 * confirmed in fresh processes, made minimal and handed over under the signature of the minimal case; what
 * was seen before is only counted.
 */
#ifndef NDP_SWEEP_H
#define NDP_SWEEP_H

#include <signal.h>

#include "engine/clock.h"
#include "engine/routes.h"

struct ndp_sweep_options {
    uint64_t seed;
    uint64_t cases;       /* 0 is no bound */
    uint64_t duration_ns; /* 0 is no bound; what is found then is confirmed, and shrunk a few seconds more */
    uint32_t properties;  /* mask in the order of ndp_properties(); 0 is all */
    struct ndp_route_filter filter;
    const struct ndp_descriptor *given;  /* instead of drawn cases, each on every route that it names; borrowed */
    const char *const *given_signatures; /* NULL, or of each of them NULL or what it showed (borrowed): it is run on
                                          * the routes that this names instead, if there are any */
    uint32_t given_count;
    const volatile sig_atomic_t *stop; /* set by a signal handler: ends the run after the batch */
};

/* A divergence, confirmed and minimal. All borrowed for the call. */
struct ndp_found {
    const struct ndp_divergence *divergence;
    struct ndp_bytes descriptor; /* canonical text */
    uint64_t first_case;
    uint32_t confirm_runs;
    uint32_t confirm_hits;
    const struct ndp_result *result; /* of the minimal case */
};

/* What the caller hears, in the order of case numbers. Any may be NULL. */
struct ndp_sweep_events {
    void *context;
    void (*on_case)(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result);
    /* Without it nothing is confirmed or made minimal. */
    void (*on_found)(void *context, const struct ndp_found *found);
    /* The finding that this signature names was seen once more. */
    void (*on_again)(void *context, const char *signature);
    void (*on_tick)(void *context); /* after every batch */
};

enum ndp_stop_reason { NDP_STOP_CASES, NDP_STOP_DURATION, NDP_STOP_SIGNAL, NDP_STOP_NO_ROUTES };

/* Runs the sweep. Errors: NOMEM, GONE (a target cannot be started again), FAULT. */
enum ndp_status ndp_sweep_run(const struct ndp_bench *bench, const struct ndp_sweep_options *options,
                              const struct ndp_sweep_events *events, enum ndp_stop_reason *reason,
                              struct ndp_error *error) NDP_MUST_USE;

#endif
