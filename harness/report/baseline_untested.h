/* baseline_untested.h: the entries of a baseline that a run did not test, as items of its report. */
#ifndef NDP_BASELINE_UNTESTED_H
#define NDP_BASELINE_UNTESTED_H

#include "report/baseline.h"

/* Replaces the entries among report->untested by the untested entries of `baseline` (NULL for none), after
 * ndp_baseline_apply. An entry is expected if the report has not compared a target that it names, or if it was replayed
 * (`is_replayed`: all entries were, where possible) and nothing was compared. Any other untested entry, which the run
 * merely did not generate, is not an item. Errors: NOMEM. */
enum ndp_status ndp_baseline_untested_list(const struct ndp_baseline *baseline, bool is_replayed,
                                           struct ndp_report *report) NDP_MUST_USE;

#endif
