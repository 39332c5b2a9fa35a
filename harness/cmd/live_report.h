/* live_report.h: the report of a run while it goes on: it hears the events of the run, prints defects, and writes the
 * file every few seconds, so that it is valid at any moment. */
#ifndef NDP_LIVE_REPORT_H
#define NDP_LIVE_REPORT_H

#include "cmd/open_targets.h"
#include "cmd/progress.h"
#include "cmd/settings.h"
#include "engine/sweep.h"
#include "report/gate.h"

struct ndp_live_report {
    const struct ndp_settings *settings; /* borrowed, as the next three are */
    const struct ndp_opened *opened;
    struct ndp_baseline *baseline; /* NULL is none */
    const uint64_t *counts;        /* by case number, how often its findings were seen; NULL is once */
    struct ndp_progress progress;
    struct ndp_report report;
    uint64_t written_ns;
    struct ndp_error write_error; /* the last one, or text "" */
    bool is_short_of_memory;
};

/* The handlers for `live` (borrowed). */
struct ndp_sweep_events ndp_live_report_events(struct ndp_live_report *live);

/* Adds a finding with `count` cases, prints it when it is a defect, and counts it. */
void ndp_live_report_add(struct ndp_live_report *live, const struct ndp_finding *finding, uint64_t count,
                         const char *replay);

/* Writes the report as it stands into the file of the settings, if they name one, and judges it: *gate is the verdict
 * of the moment. A failure is printed and kept in `write_error`. */
void ndp_live_report_write(struct ndp_live_report *live, struct ndp_gate *gate);

#endif
