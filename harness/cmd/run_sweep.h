/* run_sweep.h: a run with a report: of cases that are drawn from a seed, or of those that somebody brings. */
#ifndef NDP_RUN_SWEEP_H
#define NDP_RUN_SWEEP_H

#include "cmd/settings.h"
#include "engine/sweep.h"
#include "report/gate.h"

/* What only the oracle of a fuzz target saw, and no case of a run can show. */
struct ndp_foreign_finding {
    struct ndp_divergence divergence;
    struct ndp_bytes descriptor; /* text */
    struct ndp_bytes printed;
    uint64_t count;   /* how often it was seen */
    const char *path; /* of the input */
};

/* Cases in place of those that a seed gives. All borrowed. */
struct ndp_sweep_given {
    const struct ndp_descriptor *cases;
    const uint64_t *counts;        /* for each case, how often what it shows was seen */
    const char *const *signatures; /* for each case NULL, or what it showed: where it is looked for again */
    uint32_t count;
    const struct ndp_foreign_finding *foreign;
    uint32_t foreign_count;
};

/* From here on the signals that end a run let it come to its end in order. Gives what they set, 0 before. */
const volatile sig_atomic_t *ndp_sweep_heed_signals(void);

/* Opens the targets, runs, writes the report as the settings say, and judges it. `given` NULL is a sweep. */
enum ndp_exit ndp_sweep_command(const struct ndp_settings *settings, const struct ndp_sweep_given *given);

#endif
