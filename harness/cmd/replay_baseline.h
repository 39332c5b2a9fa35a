/* replay_baseline.h: the cases of a baseline, run again at the end of a sweep, so that no entry stays unseen by chance.
 */
#ifndef NDP_REPLAY_BASELINE_H
#define NDP_REPLAY_BASELINE_H

#include "engine/sweep.h"
#include "report/baseline.h"

/* Runs each entry that the sweep has not seen; one that still diverges is reported as a finding, with `case_number` as
 * its first case. An entry whose targets are not there is passed over. Errors: as ndp_batch_run_one. */
enum ndp_status ndp_replay_baseline(const struct ndp_bench *bench, const struct ndp_baseline *baseline,
                                    const struct ndp_sweep_events *events, uint64_t case_number,
                                    struct ndp_error *error) NDP_MUST_USE;

#endif
