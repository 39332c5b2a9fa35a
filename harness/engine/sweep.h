/* sweep.h: runs generated cases on all routes until a number of cases or a time is reached.
 *
 * Case number n of a group of routes is equal in all runs with the same seed, targets and filters. A new divergence is
 * minimised, confirmed in fresh processes and reported under the signature of the minimal case; a known one is counted.
 * With a bound on the cases, and without one on the time, the cases, and the findings with their duplicates, come in
 * the same order for every number of jobs.
 */
#ifndef NDP_SWEEP_H
#define NDP_SWEEP_H

#include <signal.h>

#include "base/clock.h"
#include "engine/finding.h"
#include "engine/routes.h"
#include "generate/pair_coverage.h"

struct ndp_sweep_options {
    uint64_t seed;
    uint64_t cases;       /* 0: no bound */
    uint64_t duration_ns; /* after the start; 0: no bound */
    uint32_t jobs;        /* worker processes for routes that compute; 0: the work is done in this process */
    uint32_t shard;       /* which part of the sweep, from 0 */
    uint32_t shard_count; /* 0 and 1: the whole sweep */
    uint64_t value_bytes; /* about the most bytes of an array; 0: 1 MiB, or 64 KiB between different targets */
    struct ndp_property_set properties; /* empty: all */
    struct ndp_route_filter filter;
    const volatile sig_atomic_t *stop; /* set by a signal handler to end the run after the batch; NULL: none */
};

/* The pairs and triples of features that a group of routes has covered so far. */
struct ndp_group_coverage {
    const char *group;
    struct ndp_coverage_counts counts;
    struct ndp_bytes bits; /* generate/pair_coverage.h */
    uint64_t pair_bits;    /* the first bits are pairs, the others triples */
};

/* A worker process that died. Its unit of work was given to another, unless `is_lost`. */
struct ndp_dead_worker {
    const char *name; /* "worker 2" */
    const char *unit; /* "numpy>numpy npy 128" */
    const char *ending;
    bool is_lost;
};

/* Handlers. Any may be NULL. Their arguments are borrowed. */
struct ndp_sweep_events {
    void *context;
    /* A case: its kind and its route are filled, and of the result the verdict, the comparisons, the detail and the
     * divergences. The whole descriptor is filled if the verdict is FAULT. */
    void (*on_case)(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result);
    /* Turns a finding into bytes. Called in the process that made it, which may be a worker. NULL: the bytes are empty.
     */
    enum ndp_status (*pack_finding)(void *context, const struct ndp_finding *finding, struct ndp_buffer *out);
    /* A finding as it was packed, and when it was first seen, since the start of the run. NULL: nothing is confirmed.
     */
    void (*on_finding)(void *context, struct ndp_bytes packed, uint64_t seen_ns);
    /* One more case of a finding; `route` is its route as generated, or NULL if that is no longer known. */
    void (*on_duplicate)(void *context, const struct ndp_signature *of_finding, const struct ndp_route *route);
    void (*on_given)(void *context, uint32_t number, bool is_compared); /* after all routes of a given case */
    void (*on_tick)(void *context);                                     /* every now and then */
    void (*on_coverage)(void *context, const struct ndp_group_coverage *coverage); /* before ticks, for each group */
    void (*on_dead_worker)(void *context, const struct ndp_dead_worker *worker);
};

enum ndp_stop_reason { NDP_STOP_CASES, NDP_STOP_DURATION, NDP_STOP_SIGNAL, NDP_STOP_NO_ROUTES };

/* Runs the sweep. With jobs, worker processes are forked, and each starts the targets for itself. Errors: NOMEM, GONE
 * (a target cannot be started again), FAULT. */
enum ndp_status ndp_sweep_run(const struct ndp_bench *bench, const struct ndp_sweep_options *options,
                              const struct ndp_sweep_events *events, enum ndp_stop_reason *reason,
                              struct ndp_error *error) NDP_MUST_USE;

#endif
