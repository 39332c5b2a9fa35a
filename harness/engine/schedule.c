/* schedule.c: the order of the units of work of a sweep.
 *
 * Problem. Some groups of routes cost a hundred times as much as others. Every group must get its time within the run,
 * a bounded run must always have the same cases, and the shards of a sweep must be disjoint.
 *
 * Method. The next unit belongs to the group with the lowest cost so far. A case costs as much as its target declares.
 * The groups of two different targets grow with the square of the targets, so their cost is weighted: together they
 * take no more time than the groups of one target. Shard I of N takes every unit whose place in its group is I modulo
 * N; all shards count all units, so that a bounded sweep has the same cases with and without shards.
 */
#include "engine/schedule.h"

#include <stdlib.h>

uint32_t ndp_schedule_unjudged_kinds(struct ndp_property_set properties) {
    const struct ndp_property_set wanted =
        ndp_property_set_is_empty(properties) ? (struct ndp_property_set){UINT32_MAX} : properties;
    const struct ndp_property *property;
    uint32_t unjudged = 1u << NDP_CASE_ROUND_TRIP | 1u << NDP_CASE_DECODE;
    for (uint32_t at = 0; (property = ndp_property_set_next(wanted, &at)) != NULL; at++) {
        if (property->for_round_trip) unjudged &= ~(1u << NDP_CASE_ROUND_TRIP);
        if (property->for_decode) unjudged &= ~(1u << NDP_CASE_DECODE);
    }
    return unjudged;
}

static bool is_in_lane(const struct ndp_schedule *schedule, uint32_t group, enum ndp_lane lane) {
    return lane == NDP_LANE_COUNT || schedule->groups[group].lane == lane;
}

/* The group of the lane with the lowest cost; the number of groups if the lane has none. */
static uint32_t next_group(const struct ndp_schedule *schedule, enum ndp_lane lane) {
    uint32_t next = schedule->routes.count;
    for (uint32_t i = 0; i < schedule->routes.count; i++) {
        if (!is_in_lane(schedule, i, lane)) continue;
        if (next == schedule->routes.count || schedule->groups[i].spent < schedule->groups[next].spent) next = i;
    }
    return next;
}

bool ndp_schedule_next(struct ndp_schedule *schedule, enum ndp_lane lane, struct ndp_work_unit *out) {
    const struct ndp_sweep_options *options = schedule->options;
    for (;;) {
        const uint32_t at = next_group(schedule, lane);
        if (at == schedule->routes.count) return false;
        struct ndp_schedule_group *group = &schedule->groups[at];
        const uint32_t per_unit = ndp_group_cases_per_unit(group->cases);
        const uint64_t left = options->cases - schedule->started;
        struct ndp_work_unit unit = {.group = at, .first = group->next, .count = per_unit};
        if (options->cases != 0 && left == 0) return false;
        if (options->cases != 0 && left < per_unit) unit.count = (uint32_t)left;
        group->next += unit.count;
        group->spent += group->share * ndp_group_cases_cost(group->cases) * unit.count;
        schedule->started += unit.count;
        if (options->shard_count > 1 && unit.first / per_unit % options->shard_count != options->shard) continue;
        *out = unit;
        return true;
    }
}

enum ndp_status ndp_schedule_fill(const struct ndp_schedule *schedule, const struct ndp_work_unit *unit,
                                  struct ndp_batch *batch, struct ndp_error *error) {
    struct ndp_group_cases *cases = schedule->groups[unit->group].cases;
    struct ndp_group_case made;
    ndp_batch_clear(batch);
    for (uint32_t i = 0; i < unit->count; i++) {
        NDP_TRY(ndp_group_cases_make(cases, ndp_batch_arena(batch), unit->first + i, &made));
        NDP_TRY(ndp_batch_add(batch, ndp_schedule_case_id(unit, i), &made.descriptor, made.properties, error));
    }
    return NDP_OK;
}

/* ---- the groups ---- */

static bool is_cross(const struct ndp_route_group *group) {
    return group->encoder != group->decoder;
}

static enum ndp_status add_groups(struct ndp_schedule *schedule) {
    const struct ndp_route_list *routes = &schedule->routes;
    uint32_t crosses = 0;
    for (uint32_t i = 0; i < routes->count; i++) crosses += is_cross(&routes->groups[i]);
    const uint32_t own = routes->count - crosses;
    const bool is_weighted = crosses > own && own > 0;
    schedule->groups = calloc(routes->count + 1, sizeof *schedule->groups);
    if (schedule->groups == NULL) return NDP_NOMEM;
    for (uint32_t i = 0; i < routes->count; i++) {
        const struct ndp_route_group *group = &routes->groups[i];
        schedule->groups[i].lane = group->is_waiting ? NDP_LANE_WAIT : NDP_LANE_COMPUTE;
        schedule->groups[i].share = !is_weighted ? 1 : is_cross(group) ? crosses : own;
        NDP_TRY(ndp_group_cases_new(group, schedule->options->seed, schedule->options->properties,
                                    &schedule->groups[i].cases));
    }
    return NDP_OK;
}

enum ndp_status ndp_schedule_init(struct ndp_schedule *schedule, const struct ndp_bench *bench,
                                  const struct ndp_sweep_options *options) {
    struct ndp_route_filter filter = options->filter;
    filter.without_kinds |= ndp_schedule_unjudged_kinds(options->properties);
    filter.is_generated = true;
    *schedule = (struct ndp_schedule){.options = options};
    NDP_TRY(ndp_routes_list(bench, &filter, &schedule->routes));
    const enum ndp_status status = add_groups(schedule);
    if (status != NDP_OK) ndp_schedule_clear(schedule);
    return status;
}

void ndp_schedule_clear(struct ndp_schedule *schedule) {
    for (uint32_t i = 0; i < schedule->routes.count && schedule->groups != NULL; i++)
        ndp_group_cases_free(schedule->groups[i].cases);
    free(schedule->groups);
    ndp_routes_clear(&schedule->routes);
    *schedule = (struct ndp_schedule){0};
}
