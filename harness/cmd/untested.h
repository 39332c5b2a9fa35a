/* untested.h: what a run was asked for and never compared. */
#ifndef NDP_UNTESTED_H
#define NDP_UNTESTED_H

#include <stdio.h>

#include "cmd/open_targets.h"
#include "report/gate.h"

/* Adds to the report: missing targets and libraries; opened targets without a comparison; formats and properties of the
 * settings without one; entries of the baseline whose replay compared nothing. Marks what --allow-missing names. Call
 * it at the end of a run, after ndp_report_fill_floors. `baseline` may be NULL. */
void ndp_untested_fill(struct ndp_report *report, const struct ndp_settings *settings, const struct ndp_opened *opened,
                       const struct ndp_baseline *baseline);

/* Marks what --allow-missing names in a stored report, and prints a warning for a name that is not there. */
void ndp_untested_allow(struct ndp_report *report, const struct ndp_settings *settings);

/* Prints "NOT TESTED: numba@current (reason); ..." as one line, the last one of a command; nothing if all was tested.
 */
void ndp_untested_print(FILE *out, const struct ndp_report *report);

#endif
