/* schedule.h: fills the batches of a sweep. For the files of this folder only.
 *
 * The case with number n is generated from the seed and n, so that it is the same in every run with the same seed,
 * targets and filters.
 */
#ifndef NDP_SCHEDULE_H
#define NDP_SCHEDULE_H

#include "engine/batch.h"
#include "engine/routes.h"
#include "engine/sweep.h"

/* So many cases in a row take the same route. */
enum { NDP_CASES_PER_ROUTE_TURN = 4, NDP_MAX_ROUTE_GROUPS = NDP_MAX_TARGETS * (NDP_MAX_TARGETS + 2) };

/* Made by ndp_schedule_init. */
struct ndp_schedule {
    const struct ndp_sweep_options *options; /* borrowed */
    struct ndp_route_list routes;            /* owned; without those that no property would judge */
    uint64_t next_case;
    uint64_t group_cases[NDP_MAX_ROUTE_GROUPS]; /* started so far, by group */
    uint64_t group_spent[NDP_MAX_ROUTE_GROUPS]; /* what they cost, times the share of the group */
};

/* Errors: NOMEM. */
enum ndp_status ndp_schedule_init(struct ndp_schedule *schedule, const struct ndp_bench *bench,
                                  const struct ndp_sweep_options *options) NDP_MUST_USE;
void ndp_schedule_clear(struct ndp_schedule *schedule);

/* The kinds of cases that none of the properties (empty: all) judges: 1 << enum ndp_case_kind. */
uint32_t ndp_schedule_unjudged_kinds(struct ndp_property_set properties);

/* Clears the batch and fills it with the next cases, all of one group; none when their number is bounded and reached.
 * There is a route at least. Errors: as ndp_batch_add, and NOMEM. */
enum ndp_status ndp_schedule_fill(struct ndp_schedule *schedule, struct ndp_batch *batch,
                                  struct ndp_error *error) NDP_MUST_USE;

#endif
