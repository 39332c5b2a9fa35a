/* run_sweep.h: a run with a report: of cases that are generated from a seed, or of those that somebody brings. */
#ifndef NDP_RUN_SWEEP_H
#define NDP_RUN_SWEEP_H

#include "cmd/settings.h"
#include "engine/given.h"
#include "report/gate.h"

/* A divergence that only the oracle of a fuzz target sees, and no case of a run can show. */
struct ndp_oracle_finding {
    struct ndp_divergence divergence;
    struct ndp_bytes descriptor; /* text */
    struct ndp_bytes printed;    /* the output of the fuzz target */
    uint64_t count;              /* how often it was seen */
    const char *path;            /* of the input */
};

/* Cases in place of those of a seed. All borrowed. */
struct ndp_sweep_given {
    const struct ndp_given_case *cases;
    uint32_t count;
    const struct ndp_oracle_finding *oracle_findings;
    uint32_t oracle_finding_count;
};

/* Opens the targets, runs, writes the report as the settings say, and judges it. `given` NULL is a sweep. */
enum ndp_exit ndp_sweep_command(const struct ndp_settings *settings, const struct ndp_sweep_given *given);

#endif
