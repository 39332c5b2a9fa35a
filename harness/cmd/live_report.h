/* live_report.h: the report during a run. It handles the events of the run, prints defects, and writes the file every
 * few seconds, so that the file is valid at any moment. */
#ifndef NDP_LIVE_REPORT_H
#define NDP_LIVE_REPORT_H

#include "cmd/open_targets.h"
#include "cmd/progress.h"
#include "cmd/settings.h"
#include "engine/given.h"
#include "report/gate.h"

struct ndp_live_report {
    const struct ndp_settings *settings; /* borrowed, like the next three */
    const struct ndp_opened *opened;
    struct ndp_baseline *baseline;      /* NULL without a baseline */
    const struct ndp_given_case *given; /* NULL in a sweep */
    const uint64_t *counts;             /* for each case number, the count of its findings; NULL is 1 for all */
    struct ndp_progress progress;
    struct ndp_report report;
    uint64_t written_ns;
    struct ndp_error write_error; /* the last one; its text is "" after a success */
    bool is_short_of_memory;
};

/* Gives the event handlers of `live` (borrowed). */
struct ndp_sweep_events ndp_live_report_events(struct ndp_live_report *live);

/* Adds a finding of `count` cases to the report. */
void ndp_live_report_add(struct ndp_live_report *live, const struct ndp_finding *finding, uint64_t count,
                         const char *replay);

/* Judges the report so far, fills *gate, and writes the file that the settings name, if any. Prints a failure and keeps
 * it in `write_error`. */
void ndp_live_report_write(struct ndp_live_report *live, struct ndp_gate *gate);

#endif
