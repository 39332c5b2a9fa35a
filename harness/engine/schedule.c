#include "engine/schedule.h"

#include <string.h>

#include "engine/plan.h"
#include "engine/relay_draw.h"
#include "generate/generate.h"
#include "model/dict.h"

/* One batch in so many is one of relays, whose cases take the time of three. */
enum { BATCHES_PER_RELAY = 8 };
enum { BATCHES_PER_SETTING = 1 };

/* Up to a page past the 256 KiB in which numpy.load and zipfile read; such sizes are rare. */
enum { VALUE_BYTES = (256 + 4) * 1024 };

/* Cheap properties judge every case; of those that need more steps one is drawn, so that no case carries them all. It
 * is drawn, not counted off: routes take turns too, and two counts in step would keep some pairs from ever meeting. */
static uint32_t choose_properties(const struct ndp_schedule *schedule, const struct ndp_descriptor *descriptor,
                                  uint64_t case_id) {
    uint32_t always = 1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_RESULT;
    /* Writing to a graph and looking again costs little beside sending it. */
    if (descriptor->value.kind == NDP_VALUE_GRAPH)
        always |= 1u << NDP_SLOT_POKED | 1u << NDP_SLOT_RESULT_AFTER | 1u << NDP_SLOT_SOURCE_AFTER;
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    uint32_t wanted = schedule->options->properties != 0 ? schedule->options->properties : UINT32_MAX;
    uint32_t mask = 0;
    uint32_t costly[NDP_MAX_PROPERTIES];
    uint32_t costly_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((wanted & (1u << i)) == 0) continue;
        if (!ndp_property_applies(all[i], descriptor->kind, descriptor->value.kind)) continue;
        if (all[i]->by_repetition && schedule->options->properties == 0) continue;
        if ((all[i]->needs & ~always) == 0) {
            mask |= 1u << i;
        } else {
            costly[costly_count++] = i;
        }
    }
    uint64_t drawn = ndp_rng_mix(~schedule->options->seed, case_id / NDP_CASES_PER_ROUTE_TURN);
    if (costly_count > 0) mask |= 1u << costly[drawn % costly_count];
    /* To a batch, 0 would mean all of them. */
    return mask != 0 ? mask : wanted;
}

/* A relay is judged by whatever asks for no step that its targets do not take. */
static uint32_t choose_relay_properties(const struct ndp_schedule *schedule, const struct ndp_descriptor *descriptor) {
    const uint32_t wanted = schedule->options->properties != 0 ? schedule->options->properties : UINT32_MAX;
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    uint32_t mask = 0;
    for (uint32_t i = 0; i < count; i++) {
        /* A refusal of a graph is told by the property of what can be sent, whatever else that needs. */
        const bool is_judged = all[i]->for_graph || (all[i]->needs & ~NDP_RELAY_SLOTS) == 0;
        if ((wanted & (1u << i)) != 0 && is_judged && !all[i]->by_repetition &&
            ndp_property_applies(all[i], descriptor->kind, descriptor->value.kind))
            mask |= 1u << i;
    }
    return mask;
}

/* The kinds of cases that none of the properties would judge: drawing them would only take time. */
static uint32_t unjudged_kinds(uint32_t properties) {
    uint32_t count;
    uint32_t unjudged = 1u << NDP_CASE_ROUND_TRIP | 1u << NDP_CASE_DECODE;
    const struct ndp_property *const *all = ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (properties != 0 && (properties & (1u << i)) == 0) continue;
        if (all[i]->for_round_trip) unjudged &= ~(1u << NDP_CASE_ROUND_TRIP);
        if (all[i]->for_decode) unjudged &= ~(1u << NDP_CASE_DECODE);
    }
    return unjudged;
}

static void choose_offset(struct ndp_choices *choices, struct ndp_route *route) {
    static const uint64_t offsets[] = {0, 1, 8, 63, 64, 4095, 4096, 4097};
    if (strcmp(route->format, "raw") == 0) route->offset_bytes = offsets[ndp_choose(choices, NDP_ARRAY_LEN(offsets))];
}

/* The level of a compressor that takes one: mostly its own. */
static void choose_level(struct ndp_choices *choices, const struct ndp_target_info *encoder, struct ndp_route *route) {
    enum { LEVELS = 10 };
    for (uint32_t i = 0; i < encoder->entry_count; i++) {
        const struct ndp_entry *entry = &encoder->entries[i];
        if (!entry->encodes || !entry->takes_settings || strcmp(entry->format, route->format) != 0 ||
            strcmp(entry->entry, route->encode) != 0)
            continue;
        route->level = (int32_t)ndp_choose(choices, LEVELS);
        return;
    }
}

static const struct ndp_entry *entry_of(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_target_info *info = &group->decoder->info;
    const char *word = route->decode[0] != '\0' ? route->decode : route->encode;
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (strcmp(entry->format, route->format) == 0 && strcmp(entry->entry, word) == 0) return entry;
    }
    return NULL;
}

/* The route of a batch of a transport, and how it is set. One for all cases of a few batches, because a library that
 * keeps workers starts new ones for other settings. Half of the arrays that are drawn are on either side of 64 bytes;
 * what is no bound at all, or one that no drawn array reaches, has one turn in eight, for there nothing depends on the
 * bound.
 */
static struct ndp_route choose_transport(struct ndp_schedule *schedule, const struct ndp_route_group *group,
                                         uint32_t index) {
    static const int64_t sizes[] = {1, 8, 64, 1, 1000, 64, 1, 1 << 20};
    static const char *const modes[] = {"", "", "", "r+", "c", "none"};
    uint64_t turn = schedule->group_cases[index]++ / BATCHES_PER_SETTING;
    struct ndp_route route = group->routes[turn % group->count];
    const struct ndp_entry *entry = entry_of(group, &route);
    if (entry == NULL || !entry->takes_settings) return route;
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, ndp_rng_mix(~schedule->options->seed, turn));
    route.max_nbytes = sizes[ndp_choose(&choices, NDP_ARRAY_LEN(sizes))];
    if (route.max_nbytes == 1 << 20 && ndp_choose_rarely(&choices, 2)) route.max_nbytes = -1;
    const char *mode = modes[ndp_choose(&choices, NDP_ARRAY_LEN(modes))];
    memcpy(route.map_mode, mode, strlen(mode) + 1);
    return route;
}

/* Both ends take graphs; a transport has one word for both. */
static bool takes_graph(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_target_info *encoder = &group->encoder->info;
    const struct ndp_target_info *decoder = &group->decoder->info;
    if (!ndp_target_takes_graphs(encoder, route->format, route->encode, route->buffers, route->protocol)) return false;
    return route->decode[0] == '\0' ||
           ndp_target_takes_graphs(decoder, route->format, route->decode, route->buffers, route->protocol);
}

static bool takes_no_arrays(const struct ndp_route_group *group, const struct ndp_route *route) {
    return !ndp_target_takes_arrays(&group->encoder->info, route->format, route->encode);
}

/* The only graphs that an NPY file holds, alone or as a member. */
static bool wants_objects(const struct ndp_route *route) {
    return strcmp(route->format, "npy") == 0 || strcmp(route->format, "npz") == 0;
}

/* Where arrays travel, too, half of what is sent are graphs; fewer where those are the exception. */
static bool draws_graph(const struct ndp_route_group *group, const struct ndp_route *route,
                        struct ndp_choices *choices) {
    if (!takes_graph(group, route)) return false;
    return takes_no_arrays(group, route) || ndp_choose_rarely(choices, wants_objects(route) ? 8 : 2);
}

static bool takes_dicts(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *entry = entry_of(group, route);
    return entry != NULL && entry->takes_dicts;
}

/* How many ordinary cases one of this route takes the time of. */
static uint32_t cost_of(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *entry = entry_of(group, route);
    return entry != NULL && entry->cost > 1 ? entry->cost : 1;
}

/* Cases that take long come in smaller batches. Those of a transport have workers that are kept from one to the next,
 * whose start must be worth it. */
static uint32_t batch_cases(const struct ndp_route_group *group, const struct ndp_route *route, uint32_t cost) {
    enum { LEAST_OF_TRANSPORT = 8, MOST_OF_COSTLY = 32 };
    if (cost == 1) return NDP_BATCH_CASES;
    if (takes_dicts(group, route)) return cost < NDP_BATCH_CASES ? NDP_BATCH_CASES / cost : 1;
    return cost <= MOST_OF_COSTLY ? MOST_OF_COSTLY : LEAST_OF_TRANSPORT;
}

static enum ndp_status add_case(struct ndp_schedule *schedule, struct ndp_batch *batch, uint32_t group_index,
                                const struct ndp_route *transport, struct ndp_error *error) {
    const struct ndp_route_group *group = &schedule->routes.groups[group_index];
    uint64_t turn = transport != NULL ? 0 : schedule->group_cases[group_index]++ / NDP_CASES_PER_ROUTE_TURN;
    uint64_t case_id = schedule->next_case++;
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, ndp_rng_mix(schedule->options->seed, case_id));
    const struct ndp_generate_limits limits = {.value_bytes = VALUE_BYTES, .between_processes = transport != NULL};
    struct ndp_descriptor descriptor = {.kind = group->kind};
    struct ndp_arena *arena = ndp_batch_arena(batch);
    const struct ndp_route *route = transport != NULL ? transport : &group->routes[turn % group->count];
    if (group->kind == NDP_CASE_DECODE) {
        NDP_TRY(ndp_generate_fault(arena, &choices, route->format, &limits, &descriptor));
    } else if (draws_graph(group, route, &choices)) {
        NDP_TRY(wants_objects(route) ? ndp_generate_objects(arena, &choices, &descriptor.value)
                                     : ndp_generate_graph(arena, &choices, &descriptor.value));
    } else {
        NDP_TRY(takes_dicts(group, route) ? ndp_generate_dict(arena, &choices, &descriptor.value)
                                          : ndp_generate_value(arena, &choices, &limits, &descriptor.value));
    }
    descriptor.route = *route;
    choose_offset(&choices, &descriptor.route);
    choose_level(&choices, &group->encoder->info, &descriptor.route);
    return ndp_batch_add(batch, case_id, &descriptor, choose_properties(schedule, &descriptor, case_id), error);
}

/* Adds a relay, or nothing when no two legs of the groups fit each other, or no property judges them. */
static enum ndp_status add_relay(struct ndp_schedule *schedule, struct ndp_batch *batch,
                                 const struct ndp_relay_groups *groups, bool *is_added, struct ndp_error *error) {
    const struct ndp_route_group *const both[] = {groups->first, groups->second};
    const struct ndp_generate_limits limits = {.value_bytes = VALUE_BYTES};
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP};
    struct ndp_arena *arena = ndp_batch_arena(batch);
    struct ndp_choices choices;
    struct ndp_route legs[2];
    bool is_graph;
    *is_added = false;
    ndp_choices_init_seed(&choices, ndp_rng_mix(schedule->options->seed, schedule->next_case));
    if (!ndp_relay_draw_legs(groups, &choices, legs, &is_graph)) return NDP_OK;
    if (!is_graph) {
        NDP_TRY(ndp_generate_value(arena, &choices, &limits, &descriptor.value));
    } else {
        NDP_TRY(wants_objects(&legs[0]) || wants_objects(&legs[1])
                    ? ndp_generate_objects(arena, &choices, &descriptor.value)
                    : ndp_generate_graph(arena, &choices, &descriptor.value));
    }
    for (uint32_t i = 0; i < 2; i++) {
        choose_offset(&choices, &legs[i]);
        choose_level(&choices, &both[i]->encoder->info, &legs[i]);
    }
    ndp_route_join(&legs[0], &legs[1], &descriptor.route);
    const uint32_t properties = choose_relay_properties(schedule, &descriptor);
    if (properties == 0) return NDP_OK;
    *is_added = true;
    return ndp_batch_add(batch, schedule->next_case++, &descriptor, properties, error);
}

static bool is_cross(const struct ndp_route_group *group) {
    return group->encoder != group->decoder;
}

/* Gives the group that is next, *share is what its cost counts. The one that has cost least is. Groups of two targets
 * are as many as the square of the targets: all of them together cost no more than those of one target. */
static uint32_t next_group(const struct ndp_schedule *schedule, uint64_t *share) {
    const struct ndp_route_list *routes = &schedule->routes;
    uint32_t crosses = 0, next = 0;
    for (uint32_t i = 0; i < routes->count; i++) crosses += is_cross(&routes->groups[i]);
    const uint32_t own = routes->count - crosses;
    for (uint32_t i = 1; i < routes->count; i++) {
        if (schedule->group_spent[i] < schedule->group_spent[next]) next = i;
    }
    *share = crosses <= own || own == 0 ? 1 : is_cross(&routes->groups[next]) ? crosses : own;
    return next;
}

/* Fills a batch with relays over three targets; those are drawn, for there are as many as the cube of the targets.
 * Nothing is added where there are none. */
static enum ndp_status fill_relays(struct ndp_schedule *schedule, struct ndp_batch *batch, struct ndp_error *error) {
    struct ndp_relay_groups groups;
    ndp_batch_clear(batch);
    if (!ndp_relay_draw_groups(&schedule->routes, ndp_rng_mix(~schedule->options->seed, schedule->next_relay++),
                               &groups))
        return NDP_OK;
    for (bool is_added = true; is_added && ndp_batch_count(batch) < NDP_BATCH_CASES;) {
        if (schedule->options->cases != 0 && schedule->next_case >= schedule->options->cases) break;
        NDP_TRY(add_relay(schedule, batch, &groups, &is_added, error));
    }
    return NDP_OK;
}

enum ndp_status ndp_schedule_fill(struct ndp_schedule *schedule, struct ndp_batch *batch, struct ndp_error *error) {
    if (schedule->next_batch++ % BATCHES_PER_RELAY == BATCHES_PER_RELAY - 1) {
        NDP_TRY(fill_relays(schedule, batch, error));
        if (ndp_batch_count(batch) > 0) return NDP_OK;
    }
    uint64_t share;
    const uint32_t group = next_group(schedule, &share);
    const struct ndp_route_group *routes = &schedule->routes.groups[group];
    struct ndp_route transport = {0};
    if (routes->is_transport) transport = choose_transport(schedule, routes, group);
    ndp_batch_clear(batch);
    /* A batch of a transport has one route; the others take theirs in turn, and cost about the same. */
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
    filter.without_kinds |= unjudged_kinds(options->properties);
    filter.is_drawn = options->given == NULL; /* bytes that are given need no fault that could be drawn */
    *schedule = (struct ndp_schedule){.options = options};
    return ndp_routes_list(bench, &filter, &schedule->routes);
}

void ndp_schedule_clear(struct ndp_schedule *schedule) {
    ndp_routes_clear(&schedule->routes);
}
