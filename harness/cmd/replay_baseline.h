/* replay_baseline.h: reruns unseen baseline entries at the end of a sweep, so that no entry is stale by chance. */
#ifndef NDP_REPLAY_BASELINE_H
#define NDP_REPLAY_BASELINE_H

#include "engine/sweep.h"
#include "report/baseline.h"

/* Runs each entry that the sweep has not seen, and reports an entry that still diverges as a finding whose first case
 * is `case_number`. Skips entries whose targets are missing. Errors: as ndp_batch_run_one. */
enum ndp_status ndp_replay_baseline(const struct ndp_bench *bench, const struct ndp_baseline *baseline,
                                    const struct ndp_sweep_events *events, uint64_t case_number,
                                    struct ndp_error *error) NDP_MUST_USE;

#endif
