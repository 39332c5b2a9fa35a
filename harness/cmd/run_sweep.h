/* run_sweep.h: runs generated or given cases and writes the report. */
#ifndef NDP_RUN_SWEEP_H
#define NDP_RUN_SWEEP_H

#include "cmd/settings.h"
#include "engine/given.h"
#include "report/gate.h"

/* A divergence that only a fuzz target reproduces, not a case of a run. */
struct ndp_fuzz_target_finding {
    struct ndp_divergence divergence;
    struct ndp_bytes descriptor; /* text */
    struct ndp_bytes printed;    /* the output of the fuzz target */
    uint64_t count;              /* the number of inputs that showed it */
    const char *path;            /* the input */
};

/* The cases of a run without a seed. Borrowed. */
struct ndp_sweep_given {
    const struct ndp_given_case *cases;
    uint32_t count;
    const struct ndp_fuzz_target_finding *oracle_findings;
    uint32_t oracle_finding_count;
};

/* Opens the targets, runs the cases, writes the report of the settings, and judges it. If `given` is NULL, generates
 * the cases of a sweep. */
enum ndp_exit ndp_run_sweep(const struct ndp_settings *settings, const struct ndp_sweep_given *given);

#endif
