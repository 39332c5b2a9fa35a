/* group_cases.c: generates the cases of a group of routes.
 *
 * Problem. A group has many routes, and every route must get values of every kind. Most defects need two or three
 * features together, and a run is short.
 *
 * Method. A case follows a row of a covering array (generate/covering.h) over the features of its value, its route, its
 * settings and its property. Arrays and graphs have a covering array each. Every eighth case follows no row: it may
 * have features without a name. Every eighth case has a history, where a route
 * claims one; such cases have covering arrays of their own. Transports have a further
 * covering array, of route and settings, with a row for each unit. All other choices come from a random number
 * generator that the seed, the group and the number of the case start.
 */
#include "engine/group_cases.h"

#include <stdlib.h>
#include <string.h>

#include "engine/batch.h"
#include "engine/group_graphs.h"
#include "engine/group_model.h"
#include "generate/array_plan.h"
#include "model/dict.h"

enum {
    OWN_BYTES = 1 << 20,   /* of arrays of named sizes, within one target */
    CROSS_BYTES = 1 << 16, /* between two targets, of which there are many pairs */
    CASES_PER_FREE_CASE = 8,
    CASES_PER_HISTORY = 8,
    CASES_PER_LARGE_CASE = 512, /* of 16 MiB, a chunk of numpy.save and of numpy's iterators */
    FIRST_LARGE_CASE = 382,     /* an array, whatever the share of graphs */
};

struct ndp_group_cases {
    const struct ndp_route_group *group; /* borrowed */
    uint64_t seed;                       /* of the group */
    struct ndp_property_set properties;
    uint64_t value_bytes;
    uint32_t cost;
    uint32_t per_unit;
    uint32_t cases_per_graph; /* every such case is a graph; 0: no route takes both arrays and graphs */
    struct ndp_group_model *model;
    struct ndp_covering *rows[NDP_VALUE_KIND_COUNT]; /* made when they are needed */
    struct ndp_covering *history_rows[NDP_VALUE_KIND_COUNT];
    struct ndp_covering *units;
};

/* The entry point that decides settings and cost: the decoder's, or the transport's. */
static const struct ndp_entry *find_cost_entry(const struct ndp_route_group *group, const struct ndp_route *route) {
    return ndp_entry_find(&group->decoder->info, route, NDP_END_DECODER);
}

/* The most expensive route decides. */
static uint32_t cost_of(const struct ndp_route_group *group) {
    uint32_t cost = 1;
    for (uint32_t i = 0; i < group->count; i++) {
        const struct ndp_entry *entry = find_cost_entry(group, &group->routes[i]);
        if (entry != NULL && entry->cost > cost) cost = entry->cost;
    }
    return cost;
}

/* A unit of a transport has enough cases to be worth the start of its pool. */
static uint32_t cases_per_unit(const struct ndp_route_group *group, uint32_t cost) {
    enum { POOL_CASES = 24, SLOW_CASES = 4 };
    const struct ndp_entry *entry = find_cost_entry(group, &group->routes[0]);
    if (!group->is_transport || cost == 1) return NDP_BATCH_CASES;
    if (entry != NULL && entry->takes_dicts) return cost < NDP_BATCH_CASES ? NDP_BATCH_CASES / cost : 1;
    return group->is_slow ? SLOW_CASES : POOL_CASES;
}

/* ---- rows ---- */

/* Fills *out with row `number` of the covering array over the choices of a model, which is made when it is needed. */
static enum ndp_status find_row(struct ndp_covering **rows, const struct ndp_covering_model *model, uint64_t seed,
                                uint64_t number, struct ndp_covering_row *out) {
    memset(out->values, NDP_COVERING_FREE, sizeof out->values);
    if (number % CASES_PER_FREE_CASE == CASES_PER_FREE_CASE - 1) return NDP_OK;
    if (*rows == NULL) NDP_TRY(ndp_covering_new(model, seed, rows));
    return ndp_covering_row(*rows, number - number / CASES_PER_FREE_CASE, out);
}

/* The kind of case `number`, and its number among those of its kind. */
static enum ndp_value_kind kind_of(const struct ndp_group_cases *cases, uint64_t number, uint64_t *index) {
    const uint64_t per_graph = cases->cases_per_graph;
    *index = number;
    if (per_graph == 0) {
        for (uint32_t kind = 0; kind < NDP_VALUE_KIND_COUNT; kind++)
            if (ndp_group_model_takes(cases->model, (enum ndp_value_kind)kind)) return (enum ndp_value_kind)kind;
        return NDP_VALUE_ARRAY;
    }
    const bool is_graph = number % per_graph == per_graph - 1;
    *index = is_graph ? number / per_graph : number - number / per_graph;
    return is_graph ? NDP_VALUE_GRAPH : NDP_VALUE_ARRAY;
}

/* Whether case *index of its kind has a history. Replaces *index by its number among those with or without one. */
static bool split_history(const struct ndp_group_cases *cases, enum ndp_value_kind kind, uint64_t *index) {
    if (!ndp_group_model_has_history(cases->model, kind)) return false;
    const bool has_history = *index % CASES_PER_HISTORY == CASES_PER_HISTORY - 1;
    *index = has_history ? *index / CASES_PER_HISTORY : *index - *index / CASES_PER_HISTORY;
    return has_history;
}

/* ---- settings ---- */

/* The route and settings of a unit of a transport. */
static enum ndp_status find_unit_route(struct ndp_group_cases *cases, uint64_t unit, struct ndp_route *out) {
    struct ndp_choices choices;
    struct ndp_covering_row row;
    ndp_choices_init_seed(&choices, ndp_rng_mix(~cases->seed, unit));
    NDP_TRY(find_row(&cases->units, ndp_group_model_units(cases->model), ~cases->seed, unit, &row));
    *out = ndp_group_model_unit_route(cases->model, &choices, &row);
    return NDP_OK;
}

/* Whether a unit's max_nbytes has an effect depends on the size of its values, so half of them are near it. */
static void move_near_bound(const struct ndp_group_cases *cases, struct ndp_choices *choices,
                            const struct ndp_route *route, struct ndp_covering_row *row) {
    struct ndp_covering_row moved = *row;
    if (route->max_nbytes <= 0 || !ndp_choose_rarely(choices, 2)) return;
    for (uint32_t size = 0; size < NDP_SIZE_COUNT; size++)
        if (ndp_array_plan_threshold((enum ndp_plan_size)size) == (uint64_t)route->max_nbytes)
            moved.values[NDP_PLAN_SIZE] = (uint8_t)size;
    moved.values[NDP_PLAN_SIDE] = (uint8_t)(NDP_SIDE_BELOW + ndp_choose(choices, NDP_SIDE_COUNT - NDP_SIDE_BELOW));
    if (ndp_array_plan_permits(ndp_group_model_arrays(cases->model), &moved)) *row = moved;
}

/* ---- values ---- */

static enum ndp_status generate_value(const struct ndp_group_cases *cases, struct ndp_arena *arena,
                                      struct ndp_choices *choices, const struct ndp_route *route,
                                      enum ndp_value_kind kind, const struct ndp_array_plan *arrays,
                                      const struct ndp_covering_row *row, struct ndp_value *out) {
    const struct ndp_covering_row graph = ndp_group_model_graph_row(cases->model, row);
    switch (kind) {
    case NDP_VALUE_GRAPH:
        return ndp_group_graphs_generate(arena, choices, cases->group, route, &graph, out);
    case NDP_VALUE_DICT:
        return ndp_generate_dict(arena, choices, out);
    case NDP_VALUE_ARRAY:
    case NDP_VALUE_KIND_COUNT:
        break;
    }
    return ndp_generate_array_by_plan(arena, choices, arrays, row, out);
}

/* ---- large values ---- */

/* Whether case `number` has an array of 16 MiB, or of 1 MiB for a slow encoder. Only libraries on their own get such
 * cases: they take as long as a hundred others. */
static bool is_large(const struct ndp_group_cases *cases, uint64_t number) {
    const struct ndp_route_group *group = cases->group;
    return group->kind == NDP_CASE_ROUND_TRIP && group->encoder == group->decoder && !group->is_waiting &&
           cases->value_bytes >= OWN_BYTES && number % CASES_PER_LARGE_CASE == FIRST_LARGE_CASE;
}

/* Fills *row with the wishes of the large case `number`, and *plan with what is possible at that size. */
static void wish_large(uint64_t number, struct ndp_array_plan *plan, struct ndp_covering_row *row) {
    static const uint8_t layouts[] = {NDP_LAYOUT_C, NDP_LAYOUT_STRIDED, NDP_LAYOUT_F};
    ndp_array_plan_init(2 * ndp_array_plan_threshold(NDP_SIZE_16M), plan);
    plan->allowed[NDP_PLAN_SIZE] = UINT32_C(1) << NDP_SIZE_16M | UINT32_C(1) << NDP_SIZE_1M;
    for (uint32_t p = 0; p < NDP_PLAN_PARAMETERS; p++) row->values[p] = NDP_COVERING_FREE;
    row->values[NDP_PLAN_SIZE] = NDP_SIZE_16M;
    row->values[NDP_PLAN_CONTENT] = NDP_CONTENT_RANDOM; /* zeros look alike in every place */
    const uint64_t turn = number / CASES_PER_LARGE_CASE, round = turn / NDP_ARRAY_LEN(layouts);
    row->values[NDP_PLAN_SIDE] = (uint8_t)(NDP_SIDE_ABOVE - round % NDP_SIDE_ABOVE);
    row->values[NDP_PLAN_LAYOUT] = layouts[turn % NDP_ARRAY_LEN(layouts)];
    /* Steps of several axes would multiply the size of the base. */
    if (row->values[NDP_PLAN_LAYOUT] == NDP_LAYOUT_STRIDED) row->values[NDP_PLAN_AXES] = NDP_AXES_ONE;
}

/* ---- the group ---- */

static bool is_cross(const struct ndp_route_group *group) {
    return group->kind == NDP_CASE_ROUND_TRIP && group->encoder != group->decoder;
}

/* Half of the values are graphs where routes take arrays and graphs; one in four on routes for object arrays, and on
 * transports, whose pools start anew after each refusal. */
static uint32_t cases_per_graph(const struct ndp_group_cases *cases) {
    if (!ndp_group_model_takes(cases->model, NDP_VALUE_ARRAY) || !ndp_group_model_takes(cases->model, NDP_VALUE_GRAPH))
        return 0;
    return ndp_group_graphs_are_objects(cases->group) || cases->group->is_waiting ? 4 : 2;
}

static void forget_rows(struct ndp_group_cases *cases) {
    for (uint32_t kind = 0; kind < NDP_VALUE_KIND_COUNT; kind++) {
        ndp_covering_free(cases->rows[kind]);
        cases->rows[kind] = NULL;
        ndp_covering_free(cases->history_rows[kind]);
        cases->history_rows[kind] = NULL;
    }
    ndp_covering_free(cases->units);
    cases->units = NULL;
    ndp_group_model_free(cases->model);
    cases->model = NULL;
}

enum ndp_status ndp_group_cases_set_largest(struct ndp_group_cases *cases, uint64_t value_bytes) {
    forget_rows(cases);
    cases->value_bytes = value_bytes;
    NDP_TRY(ndp_group_model_new(cases->group, cases->properties, value_bytes, &cases->model));
    cases->cases_per_graph = cases_per_graph(cases);
    return NDP_OK;
}

enum ndp_status ndp_group_cases_new(const struct ndp_route_group *group, uint64_t seed,
                                    struct ndp_property_set properties, struct ndp_group_cases **out) {
    struct ndp_group_cases *cases = calloc(1, sizeof *cases);
    if (cases == NULL) return NDP_NOMEM;
    cases->group = group;
    cases->seed = ndp_rng_mix(seed, ndp_hash_bytes(group->name, strlen(group->name), NDP_HASH_START));
    cases->properties = ndp_property_set_is_empty(properties) ? ndp_property_set_all(false) : properties;
    cases->cost = cost_of(group);
    cases->per_unit = cases_per_unit(group, cases->cost);
    const enum ndp_status status = ndp_group_cases_set_largest(cases, is_cross(group) ? CROSS_BYTES : OWN_BYTES);
    if (status == NDP_OK) {
        *out = cases;
    } else {
        ndp_group_cases_free(cases);
    }
    return status;
}

void ndp_group_cases_free(struct ndp_group_cases *cases) {
    if (cases == NULL) return;
    forget_rows(cases);
    free(cases);
}

uint32_t ndp_group_cases_per_unit(const struct ndp_group_cases *cases) {
    return cases->per_unit;
}

uint32_t ndp_group_cases_cost(const struct ndp_group_cases *cases) {
    return cases->cost;
}

/* The descriptor of a round trip that follows the row. */
static enum ndp_status make_round_trip(struct ndp_group_cases *cases, struct ndp_arena *arena,
                                       struct ndp_choices *choices, uint64_t number, enum ndp_value_kind kind,
                                       bool has_history, const struct ndp_array_plan *arrays,
                                       struct ndp_covering_row *row, struct ndp_descriptor *out) {
    struct ndp_route route;
    if (cases->group->is_transport) {
        NDP_TRY(find_unit_route(cases, number / cases->per_unit, &route));
        const struct ndp_target_info *target = &cases->group->encoder->info;
        /* The route of the unit decides if it does not take values of the kind. */
        for (uint32_t i = 0; i < NDP_VALUE_KIND_COUNT && !ndp_route_takes(target, target, &route, kind); i++)
            if (ndp_route_takes(target, target, &route, (enum ndp_value_kind)i)) kind = (enum ndp_value_kind)i;
        if (kind == NDP_VALUE_ARRAY) move_near_bound(cases, choices, &route, row);
    } else {
        route = ndp_group_model_route(cases->model, choices, row, kind);
    }
    if (has_history) route.history = ndp_group_model_history(cases->model, choices, row, &route);
    NDP_TRY(generate_value(cases, arena, choices, &route, kind, arrays, row, &out->value));
    out->route = route;
    return NDP_OK;
}

static enum ndp_status make_decode(struct ndp_group_cases *cases, struct ndp_arena *arena, struct ndp_choices *choices,
                                   const struct ndp_covering_row *row, struct ndp_descriptor *out) {
    const struct ndp_fault_row *fault = ndp_group_model_fault(cases->model, choices, row);
    if (fault == NULL) return NDP_FAULT;
    const struct ndp_route route = ndp_group_model_route(cases->model, choices, row, NDP_VALUE_ARRAY);
    NDP_TRY(ndp_generate_fault_by_plan(arena, choices, fault, ndp_group_model_arrays(cases->model), row, out));
    out->route = route;
    return NDP_OK;
}

enum ndp_status ndp_group_cases_make(struct ndp_group_cases *cases, struct ndp_arena *arena, uint64_t number,
                                     struct ndp_group_case *out) {
    struct ndp_descriptor *descriptor = &out->descriptor;
    struct ndp_choices choices;
    struct ndp_covering_row row;
    uint64_t index;
    const enum ndp_value_kind kind = kind_of(cases, number, &index);
    struct ndp_array_plan arrays = *ndp_group_model_arrays(cases->model);
    *descriptor = (struct ndp_descriptor){.kind = cases->group->kind};
    ndp_choices_init_seed(&choices, ndp_rng_mix(cases->seed, number));
    const bool is_of_largest = kind == NDP_VALUE_ARRAY && is_large(cases, number);
    const bool has_history = split_history(cases, kind, &index) && !is_of_largest; /* every call takes long */
    struct ndp_covering **rows = has_history ? &cases->history_rows[kind] : &cases->rows[kind];
    const struct ndp_covering_model *model =
        has_history ? ndp_group_model_history_choices(cases->model, kind) : ndp_group_model_choices(cases->model, kind);
    NDP_TRY(find_row(rows, model, cases->seed + kind + (has_history ? NDP_VALUE_KIND_COUNT : 0), index, &row));
    if (is_of_largest) {
        wish_large(number, &arrays, &row);
        ndp_group_model_choose_for_size(cases->model, &choices, &row);
    }
    NDP_TRY(descriptor->kind == NDP_CASE_DECODE
                ? make_decode(cases, arena, &choices, &row, descriptor)
                : make_round_trip(cases, arena, &choices, number, kind, has_history, &arrays, &row, descriptor));
    out->properties = ndp_group_model_judges(cases->model, &choices, descriptor, &row);
    return ndp_group_model_measure(cases->model, descriptor, &row, &out->features);
}

/* ---- features ---- */

const struct ndp_covering_model *ndp_group_cases_model(const struct ndp_group_cases *cases) {
    return ndp_group_model_features(cases->model);
}

bool ndp_group_cases_contain(const struct ndp_covering_row *more, const struct ndp_covering_row *few) {
    bool has_any = false;
    for (uint32_t i = 0; i < NDP_COVERING_MAX_PARAMETERS; i++) {
        if (few->values[i] == NDP_COVERING_FREE || few->values[i] == 0) continue;
        if (few->values[i] != more->values[i]) return false;
        has_any = true;
    }
    return has_any;
}

void ndp_group_cases_features(const struct ndp_group_cases *cases, const struct ndp_descriptor *descriptor,
                              struct ndp_covering_row *out) {
    if (ndp_group_model_measure(cases->model, descriptor, NULL, out) != NDP_OK)
        memset(out->values, NDP_COVERING_FREE, sizeof out->values);
}
