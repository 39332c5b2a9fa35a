/* schedule.c: the order of the units of work of a sweep.
 *
 * Problem. Some groups of routes cost a hundred times as much as others. Every group must get its time within the run,
 * a bounded run must always have the same cases, and the shards of a sweep must be disjoint.
 *
 * Method. The next unit belongs to the group with the lowest cost so far; at the start, the cheapest group is first. A
 * case costs as much time as its target declares, and in a run without a bound, as much as the cases before it took.
 * The groups of two different targets grow with the square of the targets, so their cost is weighted. The first unit of
 * a group is short, so that all groups start early. Shard I of N takes every unit whose place in its group is I modulo
 * N; all shards count all units, so that a bounded sweep has the same cases with and without shards.
 */
#include "engine/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

/* In the first unit of a group. */
enum { FIRST_CASES = 16 };
/* The time of a case of a target that declares no cost. */
#define ORDINARY_CASE_NS UINT64_C(1000000)

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
        const struct ndp_schedule_group *one = &schedule->groups[i], *best = &schedule->groups[next];
        if (next == schedule->routes.count || one->spent < best->spent ||
            (one->spent == best->spent && one->share * one->case_cost < best->share * best->case_cost))
            next = i;
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
        if (group->next == 0 && per_unit > FIRST_CASES) unit.count = FIRST_CASES;
        if (group->next % per_unit != 0) unit.count = per_unit - (uint32_t)(group->next % per_unit);
        if (options->cases != 0 && left < unit.count) unit.count = (uint32_t)left;
        group->next += unit.count;
        unit.cost = group->share * group->case_cost * unit.count;
        group->spent += unit.cost;
        schedule->started += unit.count;
        if (options->shard_count > 1 && unit.first / per_unit % options->shard_count != options->shard) continue;
        *out = unit;
        return true;
    }
}

void ndp_schedule_spend(struct ndp_schedule *schedule, const struct ndp_work_unit *unit, uint64_t spent_ns) {
    struct ndp_schedule_group *group = &schedule->groups[unit->group];
    if (schedule->options->cases != 0) return;
    group->spent = group->spent - unit->cost + group->share * spent_ns;
    group->case_cost = spent_ns / unit->count;
}

static bool is_left_out(struct ndp_schedule_deaths deaths, uint64_t case_id, const struct ndp_covering_row *features) {
    enum { RUNS_ONE_IN = 16 };
    bool is_like_one = false;
    for (uint32_t i = 0; i < deaths.count; i++)
        is_like_one = is_like_one || ndp_group_cases_contain(features, &deaths.rows[i]);
    return is_like_one && ndp_rng_mix(case_id, 0) % RUNS_ONE_IN != 0;
}

enum ndp_status ndp_schedule_fill(const struct ndp_schedule *schedule, const struct ndp_work_unit *unit,
                                  struct ndp_schedule_deaths deaths, struct ndp_batch *batch,
                                  struct ndp_covering_row features[NDP_BATCH_CASES], struct ndp_error *error) {
    struct ndp_group_cases *cases = schedule->groups[unit->group].cases;
    struct ndp_group_case made;
    ndp_batch_clear(batch);
    for (uint32_t i = 0; i < unit->count; i++) {
        const uint64_t case_id = ndp_case_id(unit->group, unit->first + i);
        NDP_TRY(ndp_group_cases_make(cases, ndp_batch_arena(batch), unit->first + i, &made));
        if (is_left_out(deaths, case_id, &made.features)) continue;
        features[ndp_batch_count(batch)] = made.features;
        NDP_TRY(ndp_batch_add(batch, case_id, &made.descriptor, made.properties, error));
    }
    return NDP_OK;
}

/* ---- the groups ---- */

/* enum group_role: whom a group tests */
enum group_role { GROUP_OWN, GROUP_CROSS, GROUP_OF_ORACLE, GROUP_ROLE_COUNT };

static enum group_role role_of(const struct ndp_bench *bench, const struct ndp_route_group *group) {
    const char *oracle = bench->oracle != NULL ? bench->oracle->info.implementation : "";
    if (group->encoder != group->decoder) return GROUP_CROSS;
    return strcmp(group->decoder->info.implementation, oracle) == 0 ? GROUP_OF_ORACLE : GROUP_OWN;
}

/* The weights of the cost of a case: the groups between two targets together get at most the time of the groups of one
 * target, each group of the oracle a quarter of that of another, and each group of variants a half. */
static void fill_shares(const struct ndp_schedule *schedule, const struct ndp_bench *bench) {
    enum { LESS_OF_ORACLE = 4, LESS_OF_VARIANTS = 2 };
    uint64_t counts[GROUP_ROLE_COUNT] = {0}, shares[GROUP_ROLE_COUNT];
    for (uint32_t i = 0; i < schedule->routes.count; i++) counts[role_of(bench, &schedule->routes.groups[i])]++;
    const uint64_t own = counts[GROUP_OWN] > 0 ? counts[GROUP_OWN] : 1;
    shares[GROUP_OWN] = own;
    shares[GROUP_CROSS] = counts[GROUP_OWN] > 0 && counts[GROUP_CROSS] > own ? counts[GROUP_CROSS] : own;
    shares[GROUP_OF_ORACLE] = counts[GROUP_OWN] > 0 ? own * LESS_OF_ORACLE : own;
    for (uint32_t i = 0; i < schedule->routes.count; i++) {
        const struct ndp_route_group *group = &schedule->routes.groups[i];
        schedule->groups[i].share = shares[role_of(bench, group)] * (group->is_of_variants ? LESS_OF_VARIANTS : 1);
    }
}

static enum ndp_status add_groups(struct ndp_schedule *schedule, const struct ndp_bench *bench) {
    const struct ndp_route_list *routes = &schedule->routes;
    schedule->groups = calloc(routes->count + 1, sizeof *schedule->groups);
    if (schedule->groups == NULL) return NDP_NOMEM;
    fill_shares(schedule, bench);
    for (uint32_t i = 0; i < routes->count; i++) {
        schedule->groups[i].lane = routes->groups[i].is_waiting ? NDP_LANE_WAIT : NDP_LANE_COMPUTE;
        NDP_TRY(ndp_group_cases_new(&routes->groups[i], schedule->options->seed, schedule->options->properties,
                                    &schedule->groups[i].cases));
        if (schedule->options->value_bytes != 0)
            NDP_TRY(ndp_group_cases_set_largest(schedule->groups[i].cases, schedule->options->value_bytes));
        schedule->groups[i].case_cost = ndp_group_cases_cost(schedule->groups[i].cases) * ORDINARY_CASE_NS;
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
    const enum ndp_status status = add_groups(schedule, bench);
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
