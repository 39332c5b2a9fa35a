/* report_merge.h: unites two reports of one run: of shards of a sweep, or of a sweep and one of its workers. */
#ifndef NDP_REPORT_MERGE_H
#define NDP_REPORT_MERGE_H

#include "report/report.h"

/* Adds everything that `from` reports to `into`, whose arena gets copies of all texts:
 *   - counts of work, cells, targets and floors are summed, coverage is united, lost workers and missing targets
 * listed;
 *   - of two findings with one signature, one is kept with the sum of their cases: a confirmed one, then the one with
 *     the lower number of its first case; causes are united by id, with the illustration of the smallest descriptor;
 *   - a target, format or property that either report compared is not untested;
 *   - the times and the stop are those of the longest run and of the worst end.
 * `from` may have no work. If it has no groups, the numbers of its cases are those of a run (ndp_report_name_case).
 * Errors: NOMEM; INVALID (ndp_report_coverage_unite); LIMIT. `into` is then incomplete. */
enum ndp_status ndp_report_merge(struct ndp_report *into, const struct ndp_report *from) NDP_MUST_USE;

/* Checks that both are shards of one sweep: seed, number of shards, version of ndproof, targets, libraries, groups and
 * floors. Errors: INVALID with a text that names the first difference. */
enum ndp_status ndp_report_merge_check(const struct ndp_report *a, const struct ndp_report *b,
                                       struct ndp_error *error) NDP_MUST_USE;

#endif
