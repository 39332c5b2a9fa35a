/* sweep.c: two batches take turns. While a testee works on one, this process builds the other.
 *
 * A batch over a pair of different targets needs both of them in turn, so nothing may be queued between its
 * halves: it is finished before another is started. Confirming and minimising want the targets for
 * themselves, so whatever is in flight is finished first; its results wait for their turn, so that
 * everything is heard in the order of case numbers.
 */
#include "engine/sweep.h"

#include <stdio.h>
#include <string.h>

#include "describe/dict_json.h"
#include "engine/batch.h"
#include "engine/leak_watch.h"
#include "engine/pursuit.h"
#include "engine/relay_draw.h"

/* One batch in so many is one of relays, whose cases take the time of three. */
enum { BATCHES_PER_RELAY = 8 };
enum { CASES_PER_ROUTE_TURN = 4, BATCHES_PER_SETTING = 1 };

/* Up to a page past the 256 KiB in which numpy.load and zipfile read; such sizes are rare. */
enum { VALUE_BYTES = (256 + 4) * 1024 };
#define BATCH_ARENA_BYTES (UINT64_C(512) << 20)

enum flight_state { FLIGHT_EMPTY, FLIGHT_STARTED, FLIGHT_FINISHED };

struct flight {
    struct ndp_batch *batch;
    enum flight_state state;
};

struct sweep {
    const struct ndp_bench *bench;
    const struct ndp_sweep_options *options;
    const struct ndp_sweep_events *events;
    struct ndp_route_list routes;
    struct ndp_pursuit pursuit;
    struct ndp_leak_watch watch;
    struct flight flights[2]; /* [0] is the older */
    uint64_t next_case;
    uint64_t next_batch;
    uint64_t next_relay;
    uint64_t group_cases[NDP_MAX_TARGETS * (NDP_MAX_TARGETS + 2)]; /* started so far, by group */
    uint64_t group_spent[NDP_MAX_TARGETS * (NDP_MAX_TARGETS + 2)]; /* what they cost, times the share of the group */
    uint64_t end_ns;
};

/* Cheap properties judge every case; of those that need more steps one is drawn, so that no case carries them all. It
 * is drawn, not counted off: routes take turns too, and two counts in step would keep some pairs from ever meeting. */
static uint32_t choose_properties(const struct sweep *sweep, const struct ndp_descriptor *descriptor,
                                  uint64_t case_id) {
    uint32_t always = 1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_RESULT;
    /* Writing to a graph and looking again costs little beside sending it. */
    if (descriptor->value.kind == NDP_VALUE_GRAPH)
        always |= 1u << NDP_SLOT_POKED | 1u << NDP_SLOT_RESULT_AFTER | 1u << NDP_SLOT_SOURCE_AFTER;
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    uint32_t wanted = sweep->options->properties != 0 ? sweep->options->properties : UINT32_MAX;
    uint32_t mask = 0;
    uint32_t costly[NDP_MAX_PROPERTIES];
    uint32_t costly_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((wanted & (1u << i)) == 0) continue;
        if (!ndp_property_applies(all[i], descriptor->kind, descriptor->value.kind)) continue;
        if (all[i]->by_repetition && sweep->options->properties == 0) continue;
        if ((all[i]->needs & ~always) == 0) {
            mask |= 1u << i;
        } else {
            costly[costly_count++] = i;
        }
    }
    uint64_t drawn = ndp_rng_mix(~sweep->options->seed, case_id / CASES_PER_ROUTE_TURN);
    if (costly_count > 0) mask |= 1u << costly[drawn % costly_count];
    /* To a batch, 0 would mean all of them. */
    return mask != 0 ? mask : wanted;
}

/* A relay is judged by whatever asks for no step that its targets do not take. */
static uint32_t choose_relay_properties(const struct sweep *sweep, const struct ndp_descriptor *descriptor) {
    const uint32_t wanted = sweep->options->properties != 0 ? sweep->options->properties : UINT32_MAX;
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
static struct ndp_route choose_transport(struct sweep *sweep, const struct ndp_route_group *group, uint32_t index) {
    static const int64_t sizes[] = {1, 8, 64, 1, 1000, 64, 1, 1 << 20};
    static const char *const modes[] = {"", "", "", "r+", "c", "none"};
    uint64_t turn = sweep->group_cases[index]++ / BATCHES_PER_SETTING;
    struct ndp_route route = group->routes[turn % group->count];
    const struct ndp_entry *entry = entry_of(group, &route);
    if (entry == NULL || !entry->takes_settings) return route;
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, ndp_rng_mix(~sweep->options->seed, turn));
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

static enum ndp_status add_case(struct sweep *sweep, struct ndp_batch *batch, uint32_t group_index,
                                const struct ndp_route *transport, struct ndp_error *error) {
    const struct ndp_route_group *group = &sweep->routes.groups[group_index];
    uint64_t turn = transport != NULL ? 0 : sweep->group_cases[group_index]++ / CASES_PER_ROUTE_TURN;
    uint64_t case_id = sweep->next_case++;
    struct ndp_choices choices;
    ndp_choices_init_seed(&choices, ndp_rng_mix(sweep->options->seed, case_id));
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
    return ndp_batch_add(batch, case_id, &descriptor, choose_properties(sweep, &descriptor, case_id), error);
}

/* Adds a relay, or nothing when no two legs of the groups fit each other, or no property judges them. */
static enum ndp_status add_relay(struct sweep *sweep, struct ndp_batch *batch, const struct ndp_relay_groups *groups,
                                 bool *is_added, struct ndp_error *error) {
    const struct ndp_route_group *const both[] = {groups->first, groups->second};
    const struct ndp_generate_limits limits = {.value_bytes = VALUE_BYTES};
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP};
    struct ndp_arena *arena = ndp_batch_arena(batch);
    struct ndp_choices choices;
    struct ndp_route legs[2];
    bool is_graph;
    *is_added = false;
    ndp_choices_init_seed(&choices, ndp_rng_mix(sweep->options->seed, sweep->next_case));
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
    const uint32_t properties = choose_relay_properties(sweep, &descriptor);
    if (properties == 0) return NDP_OK;
    *is_added = true;
    return ndp_batch_add(batch, sweep->next_case++, &descriptor, properties, error);
}

static bool is_cross(const struct ndp_route_group *group) {
    return group->encoder != group->decoder;
}

/* Gives the group that is next, *share is what its cost counts. The one that has cost least is. Groups of two targets
 * are as many as the square of the targets: all of them together cost no more than those of one target. */
static uint32_t next_group(const struct sweep *sweep, uint64_t *share) {
    const struct ndp_route_list *routes = &sweep->routes;
    uint32_t crosses = 0, next = 0;
    for (uint32_t i = 0; i < routes->count; i++) crosses += is_cross(&routes->groups[i]);
    const uint32_t own = routes->count - crosses;
    for (uint32_t i = 1; i < routes->count; i++) {
        if (sweep->group_spent[i] < sweep->group_spent[next]) next = i;
    }
    *share = crosses <= own || own == 0 ? 1 : is_cross(&routes->groups[next]) ? crosses : own;
    return next;
}

/* Fills a batch with relays over three targets; those are drawn, for there are as many as the cube of the targets.
 * Nothing is added where there are none. */
static enum ndp_status fill_relays(struct sweep *sweep, struct ndp_batch *batch, struct ndp_error *error) {
    struct ndp_relay_groups groups;
    ndp_batch_clear(batch);
    if (!ndp_relay_draw_groups(&sweep->routes, ndp_rng_mix(~sweep->options->seed, sweep->next_relay++), &groups))
        return NDP_OK;
    for (bool is_added = true; is_added && ndp_batch_count(batch) < NDP_BATCH_CASES;) {
        if (sweep->options->cases != 0 && sweep->next_case >= sweep->options->cases) break;
        NDP_TRY(add_relay(sweep, batch, &groups, &is_added, error));
    }
    return NDP_OK;
}

/* Fills a batch with cases of one group; the groups take turns. */
static enum ndp_status fill_batch(struct sweep *sweep, struct ndp_batch *batch, struct ndp_error *error) {
    if (sweep->next_batch++ % BATCHES_PER_RELAY == BATCHES_PER_RELAY - 1) {
        NDP_TRY(fill_relays(sweep, batch, error));
        if (ndp_batch_count(batch) > 0) return NDP_OK;
    }
    uint64_t share;
    const uint32_t group = next_group(sweep, &share);
    const struct ndp_route_group *routes = &sweep->routes.groups[group];
    struct ndp_route transport = {0};
    if (routes->is_transport) transport = choose_transport(sweep, routes, group);
    ndp_batch_clear(batch);
    /* A batch of a transport has one route; the others take theirs in turn, and cost about the same. */
    const struct ndp_route *first = routes->is_transport ? &transport : &routes->routes[0];
    const uint32_t cost = cost_of(routes, first);
    const uint32_t most = batch_cases(routes, first, cost);
    while (ndp_batch_count(batch) < most) {
        if (sweep->options->cases != 0 && sweep->next_case >= sweep->options->cases) break;
        NDP_TRY(add_case(sweep, batch, group, routes->is_transport ? &transport : NULL, error));
    }
    sweep->group_spent[group] += share * cost * ndp_batch_count(batch);
    return NDP_OK;
}

static enum ndp_status finish(struct flight *flight, struct ndp_error *error) {
    if (flight->state != FLIGHT_STARTED) return NDP_OK;
    NDP_TRY(ndp_batch_finish(flight->batch, error));
    flight->state = FLIGHT_FINISHED;
    return NDP_OK;
}

/* Confirming and minimising want the targets for themselves. */
static enum ndp_status be_idle(struct sweep *sweep, struct ndp_error *error) {
    for (int i = 0; i < 2; i++) NDP_TRY(finish(&sweep->flights[i], error));
    return NDP_OK;
}

static enum ndp_status hear(struct sweep *sweep, struct flight *flight, struct ndp_error *error) {
    const struct ndp_batch *batch = flight->batch;
    struct ndp_pursuit *pursuit = &sweep->pursuit;
    for (uint32_t i = 0; i < ndp_batch_count(batch); i++) {
        const struct ndp_case *item = &batch->cases[i];
        const struct ndp_descriptor *descriptor = &item->descriptor;
        const struct ndp_result *result = &item->result;
        if (sweep->events->on_case != NULL) sweep->events->on_case(sweep->events->context, descriptor, result);
        for (uint32_t k = 0; k < result->divergence_count; k++) {
            const struct ndp_divergence *divergence = &result->divergences[k];
            const char *finding = ndp_known_find(&pursuit->known, divergence);
            if (finding == NULL && sweep->events->on_found != NULL) {
                NDP_TRY(be_idle(sweep, error));
                NDP_TRY(ndp_pursue(pursuit, descriptor, item->properties, item->id, divergence, result, error));
            } else if (finding != NULL) {
                ndp_pursuit_again(pursuit, finding);
            }
        }
    }
    if (pursuit->waiting_count > 0) NDP_TRY(ndp_pursuit_settle(pursuit, error));
    if (sweep->events->on_tick != NULL) sweep->events->on_tick(sweep->events->context);
    flight->state = FLIGHT_EMPTY;
    return NDP_OK;
}

/* The properties that are judged by repetition. */
static uint32_t repeated_properties(void) {
    uint32_t count, mask = 0;
    const struct ndp_property *const *all = ndp_properties(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (all[i]->by_repetition) mask |= 1u << i;
    }
    return mask;
}

/* Runs cases of a batch that made a target grow again and again; one of each route is enough. The first that shows it
 * is told. */
static enum ndp_status search_leak(struct sweep *sweep, const struct flight *flight, struct ndp_error *error) {
    for (uint32_t i = 0; i < ndp_batch_count(flight->batch); i += CASES_PER_ROUTE_TURN) {
        const struct ndp_descriptor *descriptor = ndp_batch_descriptor(flight->batch, i);
        const uint64_t case_id = ndp_batch_case_id(flight->batch, i);
        const struct ndp_result *result = ndp_batch_result(flight->batch, i);
        if (result->verdict == NDP_VERDICT_UNSUPPORTED || result->verdict == NDP_VERDICT_FAULT) continue;
        ndp_batch_clear(sweep->pursuit.scratch);
        NDP_TRY(ndp_batch_add(sweep->pursuit.scratch, case_id, descriptor, repeated_properties(), error));
        NDP_TRY(ndp_batch_start(sweep->pursuit.scratch, error));
        NDP_TRY(ndp_batch_finish(sweep->pursuit.scratch, error));
        result = ndp_batch_result(sweep->pursuit.scratch, 0);
        if (result->divergence_count == 0) continue;
        const struct ndp_divergence found = result->divergences[0];
        ndp_leak_watch_rest(&sweep->watch, sweep->bench, flight->batch);
        const char *finding = ndp_known_find(&sweep->pursuit.known, &found);
        if (finding != NULL) {
            ndp_pursuit_again(&sweep->pursuit, finding);
            return NDP_OK;
        }
        NDP_TRY(be_idle(sweep, error));
        NDP_TRY(ndp_pursue(&sweep->pursuit, descriptor, repeated_properties(), case_id, &found, NULL, error));
        return ndp_pursuit_settle(&sweep->pursuit, error);
    }
    return NDP_OK;
}

/* Counts what the targets of a finished batch hold. Nothing else is in flight. The last case of the batch has it in its
 * result that they were compared. */
static enum ndp_status watch_leaks(struct sweep *sweep, const struct flight *flight, struct ndp_error *error) {
    struct ndp_batch *batch = flight->batch;
    uint64_t compared;
    bool is_suspect;
    ndp_leak_watch_look(&sweep->watch, sweep->bench, batch, &compared, &is_suspect);
    for (uint32_t i = 0; compared > 0 && i < NDP_MAX_PROPERTIES; i++) {
        if ((repeated_properties() & (1u << i)) == 0) continue;
        struct ndp_result *result = &batch->cases[batch->count - 1].result;
        result->comparisons += compared;
        result->by_property[i].is_judged = true;
        result->by_property[i].comparisons += compared;
    }
    return is_suspect ? search_leak(sweep, flight, error) : NDP_OK;
}

static bool is_over(const struct sweep *sweep, enum ndp_stop_reason *reason) {
    const struct ndp_sweep_options *options = sweep->options;
    if (options->stop != NULL && *options->stop != 0) {
        *reason = NDP_STOP_SIGNAL;
        return true;
    }
    if (options->cases != 0 && sweep->next_case >= options->cases) {
        *reason = NDP_STOP_CASES;
        return true;
    }
    if (options->duration_ns != 0 && ndp_clock_ns() >= sweep->end_ns) {
        *reason = NDP_STOP_DURATION;
        return true;
    }
    return false;
}

static enum ndp_status run(struct sweep *sweep, enum ndp_stop_reason *reason, struct ndp_error *error) {
    /* Who asks for properties by name has their cases repeated, or none; who hears of no finding has none searched. */
    const bool is_watched = sweep->options->properties == 0 && sweep->events->on_found != NULL;
    while (!is_over(sweep, reason)) {
        struct flight *older = &sweep->flights[0];
        struct flight *newer = &sweep->flights[1];
        if (older->state == FLIGHT_STARTED && !ndp_batch_can_overlap(older->batch)) NDP_TRY(finish(older, error));
        /* While a target is counted it has nothing to do. */
        if (is_watched && older->state != FLIGHT_EMPTY && older->batch->middle == NULL &&
            ndp_leak_watch_is_due(&sweep->watch, sweep->bench, older->batch)) {
            NDP_TRY(finish(older, error));
            NDP_TRY(watch_leaks(sweep, older, error));
        }
        NDP_TRY(fill_batch(sweep, newer->batch, error));
        NDP_TRY(ndp_batch_start(newer->batch, error));
        newer->state = FLIGHT_STARTED;
        NDP_TRY(finish(older, error));
        if (older->state == FLIGHT_FINISHED) NDP_TRY(hear(sweep, older, error));
        struct flight turned = *older;
        *older = *newer;
        *newer = turned;
    }
    NDP_TRY(finish(&sweep->flights[0], error));
    if (sweep->flights[0].state == FLIGHT_FINISHED) NDP_TRY(hear(sweep, &sweep->flights[0], error));
    return NDP_OK;
}

/* Runs what the batch holds, and hears of it. */
static enum ndp_status run_flight(struct sweep *sweep, struct flight *flight, struct ndp_error *error) {
    if (ndp_batch_count(flight->batch) == 0) return NDP_OK;
    NDP_TRY(ndp_batch_start(flight->batch, error));
    NDP_TRY(ndp_batch_finish(flight->batch, error));
    NDP_TRY(hear(sweep, flight, error));
    ndp_batch_clear(flight->batch);
    return NDP_OK;
}

/* A case that is given, on its ways. */
struct given {
    struct sweep *sweep;
    struct ndp_descriptor descriptor;
    uint32_t number;
    struct ndp_error *error;
};

/* A batch is over when it is full, or when other targets are next. */
static bool is_batch_over(const struct ndp_batch *batch, const struct ndp_route *next) {
    if (ndp_batch_count(batch) == 0) return false;
    const struct ndp_route *last = &ndp_batch_descriptor(batch, ndp_batch_count(batch) - 1)->route;
    return ndp_batch_count(batch) == NDP_BATCH_CASES || strcmp(last->encoder, next->encoder) != 0 ||
           strcmp(last->via.target, next->via.target) != 0 || strcmp(last->decoder, next->decoder) != 0;
}

static enum ndp_status run_way(void *context, const struct ndp_route *route) {
    struct given *given = context;
    struct flight *flight = &given->sweep->flights[0];
    if (is_batch_over(flight->batch, route)) NDP_TRY(run_flight(given->sweep, flight, given->error));
    given->descriptor.route = *route;
    return ndp_batch_add(flight->batch, given->number, &given->descriptor, given->sweep->options->properties,
                         given->error);
}

/* One case that is given, on every route that it names. */
static enum ndp_status run_case(struct sweep *sweep, uint32_t number, struct ndp_error *error) {
    struct flight *flight = &sweep->flights[0];
    struct given given = {sweep, sweep->options->given[number], number, error};
    const struct ndp_route named = given.descriptor.route;
    ndp_batch_clear(flight->batch);
    NDP_TRY(ndp_routes_visit(&sweep->routes, sweep->bench, given.descriptor.kind, &named, run_way, &given));
    return run_flight(sweep, flight, error);
}

static enum ndp_status run_given(struct sweep *sweep, enum ndp_stop_reason *reason, struct ndp_error *error) {
    const volatile sig_atomic_t *stop = sweep->options->stop;
    for (uint32_t i = 0; i < sweep->options->given_count; i++) {
        *reason = NDP_STOP_SIGNAL;
        if (stop != NULL && *stop != 0) return NDP_OK;
        NDP_TRY(run_case(sweep, i, error));
    }
    *reason = NDP_STOP_CASES;
    return NDP_OK;
}

enum ndp_status ndp_sweep_run(const struct ndp_bench *bench, const struct ndp_sweep_options *options,
                              const struct ndp_sweep_events *events, enum ndp_stop_reason *reason,
                              struct ndp_error *error) {
    struct sweep sweep = {.bench = bench, .options = options, .events = events};
    sweep.end_ns = ndp_clock_ns() + options->duration_ns;
    NDP_TRY(ndp_pursuit_init(&sweep.pursuit, bench, events));
    sweep.pursuit.stop = options->stop;
    if (options->duration_ns != 0) sweep.pursuit.end_ns = sweep.end_ns;
    struct ndp_route_filter filter = options->filter;
    filter.without_kinds |= unjudged_kinds(options->properties);
    filter.is_drawn = true;
    enum ndp_status status = ndp_routes_list(bench, &filter, &sweep.routes);
    if (status == NDP_OK && sweep.routes.count == 0) {
        *reason = NDP_STOP_NO_ROUTES;
        goto done;
    }
    for (int i = 0; i < 2 && status == NDP_OK; i++)
        status = ndp_batch_new(bench, BATCH_ARENA_BYTES, &sweep.flights[i].batch);
    if (status == NDP_OK && options->given != NULL) status = run_given(&sweep, reason, error);
    if (status == NDP_OK && options->given == NULL) status = run(&sweep, reason, error);
done:
    for (int i = 0; i < 2; i++) ndp_batch_free(sweep.flights[i].batch);
    ndp_pursuit_clear(&sweep.pursuit);
    ndp_routes_clear(&sweep.routes);
    return status;
}
