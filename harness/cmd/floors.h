/* floors.h: the minimum work of a sweep. */
#ifndef NDP_FLOORS_H
#define NDP_FLOORS_H

#include "cmd/settings.h"
#include "engine/bench.h"
#include "report/gate.h"

/* Adds the floors of a sweep: for its cases, for every requested property and for every requested format. A sweep
 * without any filter has a floor for every property that the targets have values for. */
void ndp_floors_set(struct ndp_report *report, const struct ndp_settings *settings, const struct ndp_bench *bench,
                    struct ndp_property_set properties);

/* Prints an error and returns USAGE if --min-pairs or --min-triples is above 100. */
enum ndp_exit ndp_floors_check(const struct ndp_settings *settings);

/* Replaces the floors of --min-pairs and --min-triples, where given. */
void ndp_floors_set_shares(struct ndp_report *report, const struct ndp_settings *settings);

#endif
