/* schedule.h: the order of the units of work of a sweep. Private to this folder.
 *
 * A unit is a number of consecutive cases of one group of routes (group_cases.h).
 */
#ifndef NDP_SCHEDULE_H
#define NDP_SCHEDULE_H

#include "engine/batch.h"
#include "engine/group_cases.h"
#include "engine/sweep.h"

/* Groups that compute and groups that mostly wait have their own workers. */
enum ndp_lane { NDP_LANE_COMPUTE, NDP_LANE_WAIT, NDP_LANE_COUNT };

struct ndp_work_unit {
    uint32_t group; /* place in the routes of the schedule */
    uint64_t first; /* number of its first case in the group */
    uint32_t count; /* of cases */
    uint64_t cost;  /* expected, as `spent` of its group */
};

struct ndp_schedule_group {
    struct ndp_group_cases *cases; /* owned */
    enum ndp_lane lane;
    uint64_t next;  /* number of the next case */
    uint64_t spent; /* the cost of its units times its share */
    uint64_t share;
    uint64_t case_cost; /* of the next case, in nanoseconds */
};

struct ndp_schedule {
    const struct ndp_sweep_options *options; /* borrowed */
    struct ndp_route_list routes;            /* owned; only routes that a property judges */
    struct ndp_schedule_group *groups;       /* owned; one for each group of the routes */
    uint64_t started;                        /* cases of all shards */
};

/* Borrows the bench and the options until clear. Errors: NOMEM. */
enum ndp_status ndp_schedule_init(struct ndp_schedule *schedule, const struct ndp_bench *bench,
                                  const struct ndp_sweep_options *options) NDP_MUST_USE;
void ndp_schedule_clear(struct ndp_schedule *schedule);

/* Mask of 1 << enum ndp_case_kind: the kinds of cases that no property of the set (empty: all) judges. */
uint32_t ndp_schedule_unjudged_kinds(struct ndp_property_set properties);

/* Fills *out with the next unit of this run's shard in the lane (NDP_LANE_COUNT: in any), and returns true; false after
 * the last case of a bounded run, or if the lane has no group. */
bool ndp_schedule_next(struct ndp_schedule *schedule, enum ndp_lane lane, struct ndp_work_unit *out);

/* Corrects the cost of a unit by the time that it took. In a bounded run nothing changes, because the order of units
 * must not depend on time. */
void ndp_schedule_spend(struct ndp_schedule *schedule, const struct ndp_work_unit *unit, uint64_t spent_ns);

/* Features of cases that would end a process in a known way. */
struct ndp_schedule_deaths {
    const struct ndp_covering_row *rows; /* borrowed */
    uint32_t count;
};

/* Clears the batch and fills it with the cases of the unit; `features` gets a row for each. Leaves out most cases that
 * are like `deaths`; some run all the same, because a defect may hide behind another. Errors: those of ndp_batch_add;
 * NOMEM. */
enum ndp_status ndp_schedule_fill(const struct ndp_schedule *schedule, const struct ndp_work_unit *unit,
                                  struct ndp_schedule_deaths deaths, struct ndp_batch *batch,
                                  struct ndp_covering_row features[NDP_BATCH_CASES],
                                  struct ndp_error *error) NDP_MUST_USE;

#endif
