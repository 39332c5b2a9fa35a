/* trial.h: the one function that runs a case. Sweep, replay, shrinking and both fuzz engines end here. */
#ifndef NDP_TRIAL_H
#define NDP_TRIAL_H

#include "property/property.h"

enum { NDP_MAX_TARGETS = 16 };

/* The targets of a run, the reference among them (it is the oracle of decode cases). Borrowed. */
struct ndp_bench {
    struct ndp_target *targets[NDP_MAX_TARGETS];
    uint32_t count;
};
struct ndp_target *ndp_bench_find(const struct ndp_bench *bench, const char *name);

/* One broken promise of one case. */
struct ndp_divergence {
    const struct ndp_property *property; /* NULL for CRASH, TIMEOUT, OOM */
    struct ndp_judgement judgement;
    struct ndp_route route;
    uint32_t features;
    char outlier[NDP_WORD_BYTES];
    struct ndp_death death;
    char signature[192];
};

enum { NDP_MAX_DIVERGENCES = 16 };

/* What one case led to, all properties together. */
struct ndp_result {
    enum ndp_verdict verdict; /* the worst of all */
    struct ndp_divergence divergences[NDP_MAX_DIVERGENCES];
    uint32_t divergence_count;
    uint64_t comparisons;
    struct {
        bool judged; /* compared something, or refused or unsupported */
        enum ndp_verdict verdict;
        uint64_t comparisons;
    } by_property[NDP_MAX_PROPERTIES]; /* in the order of ndp_properties() */
    char fault[200];
    struct ndp_observation source; /* for the report; borrowed from the arena */
    struct ndp_observation result;
    bool has_source;
    bool has_result;
    struct ndp_bytes stderr_tail;
};

/* Runs a batch of cases with one route's targets: builds the model, plans the programs, drives the targets,
 * judges. Descriptors borrow; results are filled, memory from `arena`. A divergence is a result, never an
 * error. Errors: FAULT, GONE, NOMEM. */
enum ndp_status ndp_trial_run(const struct ndp_bench *bench, struct ndp_arena *arena,
                              const struct ndp_descriptor *descriptors, uint32_t count, struct ndp_result *results,
                              struct ndp_error *error) NDP_MUST_USE;

/* Fills a signature from a divergence of (ideally) the minimised case: kind, property, route, field,
 * outlier, dtype kind, byte order, memory order, ndim 0 1 2 3+, flags; for a crash the signal and frame.
 * Never bytes, addresses, lines, times, versions. */
void ndp_signature_fill(struct ndp_divergence *divergence, const struct ndp_array *model);

#endif
