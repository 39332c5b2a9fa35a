/* floors.h: how much a run has to compare before it means anything. */
#ifndef NDP_FLOORS_H
#define NDP_FLOORS_H

#include "cmd/settings.h"
#include "engine/bench.h"
#include "report/report.h"

/* Sets the floors of a sweep: for its cases; for every property that was asked for by name or, where nothing restricts
 * the run, for all that the targets have values for; for every format that was asked for. */
void ndp_floors_set(struct ndp_report *report, const struct ndp_settings *settings, const struct ndp_bench *bench,
                    struct ndp_property_set properties);

#endif
