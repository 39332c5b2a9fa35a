/* schedule.c: chooses the cases of a sweep and groups them into batches.
 *
 * Problem. A run has thousands of routes, and some cost a hundred times as much as others. Every route must get values
 * of every kind within the time of the run, and equal seeds must give equal cases.
 *
 * Method. Routes are grouped by pair of targets and kind of case. The next group is the one with the lowest cost so
 * far. A case costs as much as its target declares. The groups of two different targets grow with the square of the
 * targets, so their cost is weighted: together they take no more time than the groups of one target. Within a group,
 * the routes take turns of four cases. A batch of a transport has one route and one setting, because libraries with
 * worker pools start new workers for other settings. The seed and the case number decide value, property and settings.
 *
 * Cost. Cheap properties judge every case. Expensive properties need more steps, so each case gets one of them.
 *
 * Limits. A rare value meets a rare route only in a long run.
 */
#include "engine/schedule.h"

#include <string.h>

#include "engine/batch.h"
#include "generate/generate.h"
#include "model/dict.h"
#include "model/graph/graph_features.h"

/* One page more than the chunks of 256 KiB that numpy.load and zipfile read; such sizes are rare. */
enum { VALUE_BYTES = (256 + 4) * 1024 };

/* ---- properties ---- */

static struct ndp_property_set wanted_properties(struct ndp_property_set properties) {
    return ndp_property_set_is_empty(properties) ? ndp_property_set_all(false) : properties;
}

/* The expensive property is chosen at random: routes already take turns, and a second counter in step with them would
 * never combine some routes with some properties. */
static struct ndp_property_set choose_properties(const struct ndp_schedule *schedule,
                                                 const struct ndp_descriptor *descriptor, uint64_t case_id) {
    const struct ndp_property_set wanted = wanted_properties(schedule->options->properties);
    const struct ndp_property *property, *expensive[NDP_MAX_PROPERTIES];
    struct ndp_property_set chosen = {0};
    uint32_t cheap = 1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_ENCODED | 1u << NDP_SLOT_RESULT, expensive_count = 0;
    /* Graphs are small: writing to one, calling its functions and sending it again costs little. */
    if (descriptor->value.kind == NDP_VALUE_GRAPH)
        cheap |= 1u << NDP_SLOT_POKED | 1u << NDP_SLOT_RESULT_AFTER | 1u << NDP_SLOT_SOURCE_AFTER |
                 1u << NDP_SLOT_CALLED | 1u << NDP_SLOT_CALLED_ENCODED | 1u << NDP_SLOT_CALLED_RESULT;
    for (uint32_t at = 0; (property = ndp_property_set_next(wanted, &at)) != NULL; at++) {
        if (!ndp_property_applies(property, descriptor->kind, descriptor->value.kind)) continue;
        if ((property->needs & ~cheap) == 0) {
            ndp_property_set_add(&chosen, property);
        } else {
            expensive[expensive_count++] = property;
        }
    }
    const uint64_t random = ndp_rng_mix(~schedule->options->seed, case_id / NDP_CASES_PER_ROUTE_TURN);
    if (expensive_count > 0) ndp_property_set_add(&chosen, expensive[random % expensive_count]);
    /* An empty set would select all properties in ndp_batch_add. */
    return ndp_property_set_is_empty(chosen) ? wanted : chosen;
}

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

/* ---- settings ---- */

/* The entry point that decides settings and cost: the decoder's, or the transport's. */
static const struct ndp_entry *find_cost_entry(const struct ndp_route_group *group, const struct ndp_route *route) {
    return ndp_entry_find(&group->decoder->info, route, NDP_END_DECODER);
}

static void choose_offset(struct ndp_choices *choices, struct ndp_route *route) {
    static const uint64_t offsets[] = {0, 1, 8, 63, 64, 4095, 4096, 4097};
    if (strcmp(route->format, "raw") == 0) route->offset_bytes = offsets[ndp_choose(choices, NDP_ARRAY_LEN(offsets))];
}

/* The level of a compressor that takes one; 0 is its default. */
static void choose_level(struct ndp_choices *choices, const struct ndp_target_info *encoder, struct ndp_route *route) {
    enum { LEVELS = 10 };
    const struct ndp_entry *entry = ndp_entry_find(encoder, route, NDP_END_ENCODER);
    if (entry != NULL && entry->encodes && entry->takes_settings) route->level = (int32_t)ndp_choose(choices, LEVELS);
}

/* The route and settings of a batch of a transport. Half of the generated arrays are larger than 64 bytes, so most
 * values of max_nbytes lie near that. No bound, or one above every generated array, is rare: max_nbytes has no effect
 * then.
 */
static struct ndp_route choose_transport(struct ndp_schedule *schedule, const struct ndp_route_group *group,
                                         uint32_t index) {
    static const int64_t sizes[] = {1, 8, 64, 1, 1000, 64, 1, 1 << 20};
    static const char *const modes[] = {"", "", "", "r+", "c", "none"};
    uint64_t turn = schedule->group_cases[index]++;
    struct ndp_route route = group->routes[turn % group->count];
    const struct ndp_entry *entry = find_cost_entry(group, &route);
    if (entry == NULL || !entry->takes_settings) return route;
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, ndp_rng_mix(~schedule->options->seed, turn));
    route.max_nbytes = sizes[ndp_choose(&choices, NDP_ARRAY_LEN(sizes))];
    if (route.max_nbytes == 1 << 20 && ndp_choose_rarely(&choices, 2)) route.max_nbytes = -1;
    const char *mode = modes[ndp_choose(&choices, NDP_ARRAY_LEN(modes))];
    memcpy(route.map_mode, mode, strlen(mode) + 1);
    return route;
}

/* The time of one case on this route, in ordinary cases. */
static uint32_t cost_of(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *entry = find_cost_entry(group, route);
    return entry != NULL && entry->cost > 1 ? entry->cost : 1;
}

/* Expensive cases come in smaller batches. A batch of a transport has enough cases to be worth the start of its
 * workers. */
static uint32_t batch_cases(const struct ndp_route_group *group, const struct ndp_route *route, uint32_t cost) {
    enum { MIN_TRANSPORT_CASES = 8, MAX_COSTLY_CASES = 32 };
    const struct ndp_entry *entry = find_cost_entry(group, route);
    if (cost == 1) return NDP_BATCH_CASES;
    if (entry != NULL && entry->takes_dicts) return cost < NDP_BATCH_CASES ? NDP_BATCH_CASES / cost : 1;
    return cost <= MAX_COSTLY_CASES ? MAX_COSTLY_CASES : MIN_TRANSPORT_CASES;
}

/* ---- cases ---- */

/* Whether the only graphs of the route are object arrays: in an NPY file, or in an archive of them. */
static bool is_for_objects(const struct ndp_route *route) {
    return ndp_bytes_word_is(route->format, "npy") || ndp_bytes_word_is(route->format, "npz");
}

/* The kind of the next value. Half of the values are graphs on a route that takes arrays and graphs, one in eight on a
 * route for object arrays. */
static enum ndp_value_kind choose_kind(const struct ndp_route_group *group, const struct ndp_route *route,
                                       struct ndp_choices *choices) {
    const struct ndp_target_info *encoder = &group->encoder->info, *decoder = &group->decoder->info;
    if (ndp_route_takes(encoder, decoder, route, NDP_VALUE_DICT)) return NDP_VALUE_DICT;
    if (!ndp_route_takes(encoder, decoder, route, NDP_VALUE_GRAPH)) return NDP_VALUE_ARRAY;
    if (!ndp_route_takes(encoder, decoder, route, NDP_VALUE_ARRAY)) return NDP_VALUE_GRAPH;
    return ndp_choose_rarely(choices, is_for_objects(route) ? 4 : 2) ? NDP_VALUE_GRAPH : NDP_VALUE_ARRAY;
}

static bool takes_functions(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *const ends[] = {ndp_entry_find(&group->encoder->info, route, NDP_END_ENCODER),
                                            ndp_entry_find(&group->decoder->info, route, NDP_END_DECODER)};
    for (size_t i = 0; i < NDP_ARRAY_LEN(ends); i++)
        if (ends[i] != NULL && ends[i]->lacks_functions) return false;
    return true;
}

/* Generates a graph that the route takes: one with functions gives way to the next where an end claims none. */
static enum ndp_status generate_graph(struct ndp_arena *arena, struct ndp_choices *choices,
                                      const struct ndp_route_group *group, const struct ndp_route *route,
                                      struct ndp_value *out) {
    enum { MAX_TRIES = 16 };
    const bool is_any = takes_functions(group, route);
    for (uint32_t i = 0; i < MAX_TRIES; i++) {
        NDP_TRY(is_for_objects(route) ? ndp_generate_objects(arena, choices, out)
                                      : ndp_generate_graph(arena, choices, out));
        if (is_any || (ndp_graph_features(out->graph) & NDP_GRAPH_FUNCTIONS) == 0) break;
    }
    return NDP_OK;
}

static enum ndp_status generate_value(struct ndp_arena *arena, struct ndp_choices *choices,
                                      const struct ndp_route_group *group, const struct ndp_route *route,
                                      struct ndp_value *out) {
    const struct ndp_generate_limits limits = {.value_bytes = VALUE_BYTES, .between_processes = group->is_transport};
    switch (choose_kind(group, route, choices)) {
    case NDP_VALUE_GRAPH:
        return generate_graph(arena, choices, group, route, out);
    case NDP_VALUE_DICT:
        return ndp_generate_dict(arena, choices, out);
    case NDP_VALUE_ARRAY:
    case NDP_VALUE_KIND_COUNT:
        break;
    }
    return ndp_generate_value(arena, choices, &limits, out);
}

static enum ndp_status add_case(struct ndp_schedule *schedule, struct ndp_batch *batch, uint32_t group_index,
                                const struct ndp_route *transport, struct ndp_error *error) {
    const struct ndp_route_group *group = &schedule->routes.groups[group_index];
    uint64_t turn = transport != NULL ? 0 : schedule->group_cases[group_index]++ / NDP_CASES_PER_ROUTE_TURN;
    uint64_t case_id = schedule->next_case++;
    const struct ndp_generate_limits limits = {.value_bytes = VALUE_BYTES};
    const struct ndp_route *route = transport != NULL ? transport : &group->routes[turn % group->count];
    struct ndp_descriptor descriptor = {.kind = group->kind};
    struct ndp_arena *arena = ndp_batch_arena(batch);
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, ndp_rng_mix(schedule->options->seed, case_id));
    NDP_TRY(group->kind == NDP_CASE_DECODE ? ndp_generate_fault(arena, &choices, route->format, &limits, &descriptor)
                                           : generate_value(arena, &choices, group, route, &descriptor.value));
    descriptor.route = *route;
    choose_offset(&choices, &descriptor.route);
    choose_level(&choices, &group->encoder->info, &descriptor.route);
    return ndp_batch_add(batch, case_id, &descriptor, choose_properties(schedule, &descriptor, case_id), error);
}

/* ---- batches ---- */

static bool is_cross(const struct ndp_route_group *group) {
    return group->encoder != group->decoder;
}

/* The index of the next group: the one with the lowest cost. *share is the weight of its cost. All groups of two
 * different targets together get the time of all groups of one target. */
static uint32_t next_group(const struct ndp_schedule *schedule, uint64_t *share) {
    const struct ndp_route_list *routes = &schedule->routes;
    uint32_t crosses = 0, next = 0;
    for (uint32_t i = 0; i < routes->count; i++) crosses += is_cross(&routes->groups[i]);
    const uint32_t own = routes->count - crosses;
    for (uint32_t i = 1; i < routes->count; i++)
        if (schedule->group_spent[i] < schedule->group_spent[next]) next = i;
    *share = crosses <= own || own == 0 ? 1 : is_cross(&routes->groups[next]) ? crosses : own;
    return next;
}

enum ndp_status ndp_schedule_fill(struct ndp_schedule *schedule, struct ndp_batch *batch, struct ndp_error *error) {
    uint64_t share;
    const uint32_t group = next_group(schedule, &share);
    const struct ndp_route_group *routes = &schedule->routes.groups[group];
    struct ndp_route transport = {0};
    if (routes->is_transport) transport = choose_transport(schedule, routes, group);
    ndp_batch_clear(batch);
    /* In other groups, all routes take turns in one batch and cost about the same. */
    const struct ndp_route *first = routes->is_transport ? &transport : &routes->routes[0];
    const uint32_t cost = cost_of(routes, first);
    const uint32_t most = batch_cases(routes, first, cost);
    while (ndp_batch_count(batch) < most) {
        if (schedule->options->cases != 0 && schedule->next_case >= schedule->options->cases) break;
        NDP_TRY(add_case(schedule, batch, group, routes->is_transport ? &transport : NULL, error));
    }
    schedule->group_spent[group] += share * cost * ndp_batch_count(batch);
    return NDP_OK;
}

enum ndp_status ndp_schedule_init(struct ndp_schedule *schedule, const struct ndp_bench *bench,
                                  const struct ndp_sweep_options *options) {
    struct ndp_route_filter filter = options->filter;
    filter.without_kinds |= ndp_schedule_unjudged_kinds(options->properties);
    filter.is_generated = true;
    *schedule = (struct ndp_schedule){.options = options};
    return ndp_routes_list(bench, &filter, &schedule->routes);
}

void ndp_schedule_clear(struct ndp_schedule *schedule) {
    ndp_routes_clear(&schedule->routes);
}
