/* group_cases.c: generates the cases of a group of routes.
 *
 * Problem. A group has many routes, and every route must get values of every kind.
 *
 * Method. The routes take turns of four cases. Cheap properties judge every case; expensive properties need more steps,
 * so each case gets one of them. All other choices come from a random number generator that the seed, the group and the
 * number of the case start.
 */
#include "engine/group_cases.h"

#include <stdlib.h>
#include <string.h>

#include "engine/batch.h"
#include "generate/generate.h"
#include "model/dict.h"
#include "model/graph/graph_features.h"

/* One page more than the chunks of 256 KiB that numpy.load and zipfile read; such sizes are rare. */
enum { VALUE_BYTES = (256 + 4) * 1024, CASES_PER_ROUTE_TURN = 4 };

struct ndp_group_cases {
    const struct ndp_route_group *group; /* borrowed */
    uint64_t seed;                       /* of the group */
    struct ndp_property_set properties;
    uint32_t cost;
    uint32_t per_unit;
    struct ndp_covering_model model;
};

/* ---- properties ---- */

static struct ndp_property_set wanted_properties(struct ndp_property_set properties) {
    return ndp_property_set_is_empty(properties) ? ndp_property_set_all(false) : properties;
}

/* The expensive property is chosen at random: routes already take turns, and a second counter in step with them would
 * never combine some routes with some properties. */
static struct ndp_property_set choose_properties(const struct ndp_group_cases *cases,
                                                 const struct ndp_descriptor *descriptor, uint64_t number) {
    const struct ndp_property_set wanted = wanted_properties(cases->properties);
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
    const uint64_t random = ndp_rng_mix(~cases->seed, number / CASES_PER_ROUTE_TURN);
    if (expensive_count > 0) ndp_property_set_add(&chosen, expensive[random % expensive_count]);
    /* An empty set would select all properties in ndp_batch_add. */
    return ndp_property_set_is_empty(chosen) ? wanted : chosen;
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

/* The route and settings of a unit of a transport. Half of the generated arrays are larger than 64 bytes, so most
 * values of max_nbytes lie near that. No bound, or one above every generated array, is rare: max_nbytes has no effect
 * then. */
static struct ndp_route choose_transport(const struct ndp_group_cases *cases, uint64_t unit) {
    static const int64_t sizes[] = {1, 8, 64, 1, 1000, 64, 1, 1 << 20};
    static const char *const modes[] = {"", "", "", "r+", "c", "none"};
    const struct ndp_route_group *group = cases->group;
    struct ndp_route route = group->routes[unit % group->count];
    const struct ndp_entry *entry = find_cost_entry(group, &route);
    if (entry == NULL || !entry->takes_settings) return route;
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, ndp_rng_mix(~cases->seed, unit));
    route.max_nbytes = sizes[ndp_choose(&choices, NDP_ARRAY_LEN(sizes))];
    if (route.max_nbytes == 1 << 20 && ndp_choose_rarely(&choices, 2)) route.max_nbytes = -1;
    const char *mode = modes[ndp_choose(&choices, NDP_ARRAY_LEN(modes))];
    memcpy(route.map_mode, mode, strlen(mode) + 1);
    return route;
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

/* Expensive cases come in smaller units. */
static uint32_t cases_per_unit(const struct ndp_route_group *group, uint32_t cost) {
    enum { TRANSPORT_CASES = 8 };
    const struct ndp_entry *entry = find_cost_entry(group, &group->routes[0]);
    if (!group->is_transport || cost == 1) return NDP_BATCH_CASES;
    if (entry != NULL && entry->takes_dicts) return cost < NDP_BATCH_CASES ? NDP_BATCH_CASES / cost : 1;
    return TRANSPORT_CASES;
}

/* ---- values ---- */

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

/* Generates an array of objects or, half of the time for an archive, a dict of arrays. */
static enum ndp_status generate_for_objects(struct ndp_arena *arena, struct ndp_choices *choices,
                                            const struct ndp_route *route, struct ndp_value *out) {
    const bool has_members = ndp_bytes_word_is(route->format, "npz") && ndp_choose_rarely(choices, 2);
    return has_members ? ndp_generate_members(arena, choices, out) : ndp_generate_objects(arena, choices, out);
}

/* Generates a graph that the route takes: one with functions gives way to the next where an end claims none. */
static enum ndp_status generate_graph(struct ndp_arena *arena, struct ndp_choices *choices,
                                      const struct ndp_route_group *group, const struct ndp_route *route,
                                      struct ndp_value *out) {
    enum { MAX_TRIES = 16 };
    const bool is_any = takes_functions(group, route);
    for (uint32_t i = 0; i < MAX_TRIES; i++) {
        NDP_TRY(is_for_objects(route) ? generate_for_objects(arena, choices, route, out)
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

/* ---- the group ---- */

enum ndp_status ndp_group_cases_new(const struct ndp_route_group *group, uint64_t seed,
                                    struct ndp_property_set properties, struct ndp_group_cases **out) {
    struct ndp_group_cases *cases = calloc(1, sizeof *cases);
    if (cases == NULL) return NDP_NOMEM;
    cases->group = group;
    cases->seed = ndp_rng_mix(seed, ndp_hash_bytes(group->name, strlen(group->name), NDP_HASH_START));
    cases->properties = properties;
    cases->cost = cost_of(group);
    cases->per_unit = cases_per_unit(group, cases->cost);
    *out = cases;
    return NDP_OK;
}

void ndp_group_cases_free(struct ndp_group_cases *cases) {
    free(cases);
}

uint32_t ndp_group_cases_per_unit(const struct ndp_group_cases *cases) {
    return cases->per_unit;
}

uint32_t ndp_group_cases_cost(const struct ndp_group_cases *cases) {
    return cases->cost;
}

enum ndp_status ndp_group_cases_make(struct ndp_group_cases *cases, struct ndp_arena *arena, uint64_t number,
                                     struct ndp_group_case *out) {
    const struct ndp_route_group *group = cases->group;
    const struct ndp_generate_limits limits = {.value_bytes = VALUE_BYTES};
    struct ndp_descriptor *descriptor = &out->descriptor;
    struct ndp_choices choices;
    *descriptor = (struct ndp_descriptor){.kind = group->kind};
    const struct ndp_route route = group->is_transport ? choose_transport(cases, number / cases->per_unit)
                                                       : group->routes[number / CASES_PER_ROUTE_TURN % group->count];
    ndp_choices_init_seed(&choices, ndp_rng_mix(cases->seed, number));
    NDP_TRY(group->kind == NDP_CASE_DECODE ? ndp_generate_fault(arena, &choices, route.format, &limits, descriptor)
                                           : generate_value(arena, &choices, group, &route, &descriptor->value));
    descriptor->route = route;
    choose_offset(&choices, &descriptor->route);
    choose_level(&choices, &group->encoder->info, &descriptor->route);
    out->properties = choose_properties(cases, descriptor, number);
    ndp_group_cases_features(cases, descriptor, &out->features);
    return NDP_OK;
}

/* ---- features ---- */

const struct ndp_covering_model *ndp_group_cases_model(const struct ndp_group_cases *cases) {
    return &cases->model;
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
    (void)cases;
    (void)descriptor;
    memset(out->values, NDP_COVERING_FREE, sizeof out->values);
}
