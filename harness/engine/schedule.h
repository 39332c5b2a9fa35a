/* schedule.h: fills the batches of a sweep. Private to this folder.
 *
 * Case number n depends on the seed and n alone: runs with equal seeds, targets and filters have equal cases.
 */
#ifndef NDP_SCHEDULE_H
#define NDP_SCHEDULE_H

#include "engine/batch.h"
#include "engine/routes.h"
#include "engine/sweep.h"

/* The number of cases in a row on one route, and the most groups of routes. */
enum { NDP_CASES_PER_ROUTE_TURN = 4, NDP_MAX_ROUTE_GROUPS = NDP_MAX_TARGETS * (NDP_MAX_TARGETS + 2) };

struct ndp_schedule {
    const struct ndp_sweep_options *options; /* borrowed */
    struct ndp_route_list routes;            /* owned; only routes that a property judges */
    uint64_t next_case;
    uint64_t group_cases[NDP_MAX_ROUTE_GROUPS]; /* started cases, by group */
    uint64_t group_spent[NDP_MAX_ROUTE_GROUPS]; /* their cost times the share of the group */
};

/* Borrows the bench and the options until clear. Errors: NOMEM. */
enum ndp_status ndp_schedule_init(struct ndp_schedule *schedule, const struct ndp_bench *bench,
                                  const struct ndp_sweep_options *options) NDP_MUST_USE;
void ndp_schedule_clear(struct ndp_schedule *schedule);

/* Mask of 1 << enum ndp_case_kind: the kinds of cases that no property of the set (empty: all) judges. */
uint32_t ndp_schedule_unjudged_kinds(struct ndp_property_set properties);

/* Clears the batch and fills it with the next cases, all of one group. Leaves it empty after the last case of a bounded
 * run. Needs at least one route. Errors: those of ndp_batch_add; NOMEM. */
enum ndp_status ndp_schedule_fill(struct ndp_schedule *schedule, struct ndp_batch *batch,
                                  struct ndp_error *error) NDP_MUST_USE;

#endif
