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
#include "engine/known.h"
#include "engine/leak_watch.h"
#include "engine/minimise.h"
#include "engine/relay_draw.h"
#include "engine/signature.h"

/* One batch in so many is one of relays, whose cases take the time of three. */
enum { BATCHES_PER_RELAY = 8 };
enum { CASES_PER_ROUTE_TURN = 4, BATCHES_PER_SETTING = 4, MINIMISE_RUNS = 600, MINIMISE_RUNS_WHEN_DEADLY = 80 };

/* Up to a page past the 256 KiB in which numpy.load and zipfile read; such sizes are rare. */
enum { VALUE_BYTES = (256 + 4) * 1024 };
#define LEAST_PURSUIT_NS      UINT64_C(1000000000)        /* also when the time of the run is over */
#define PURSUIT_NS            (UINT64_C(10) * 1000000000) /* of one finding; only slow targets come near it */
#define BATCH_ARENA_BYTES     (UINT64_C(512) << 20)
#define DESCRIPTOR_TEXT_BYTES (UINT64_C(16) << 20)

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
    struct ndp_known known;
    struct ndp_leak_watch watch;
    struct flight flights[2];  /* [0] is the older */
    struct ndp_batch *scratch; /* for minimising */
    struct ndp_batch *fresh;   /* for confirming */
    struct ndp_buffer text;    /* the descriptor that is pursued */
    struct ndp_buffer drawn;   /* the same as it was drawn */
    uint64_t next_case;
    uint64_t next_batch;
    uint64_t next_turn; /* of batches that are no relays */
    uint64_t next_relay;
    uint64_t group_cases[NDP_MAX_TARGETS * (NDP_MAX_TARGETS + 2)]; /* started so far, by group */
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

static bool takes_dicts(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *entry = entry_of(group, route);
    return entry != NULL && entry->takes_dicts;
}

static bool takes_no_arrays(const struct ndp_route_group *group, const struct ndp_route *route) {
    return !ndp_target_takes_arrays(&group->encoder->info, route->format, route->encode);
}

/* Cases that take long come in smaller batches, so that the other groups have their turn. */
static uint32_t batch_cases(const struct ndp_route_group *group, const struct ndp_route *route) {
    const struct ndp_entry *entry = entry_of(group, route);
    const uint32_t cost = entry != NULL && entry->cost > 0 ? entry->cost : 1;
    return cost < NDP_BATCH_CASES ? NDP_BATCH_CASES / cost : 1;
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
    } else if (takes_graph(group, route) && (takes_no_arrays(group, route) || ndp_choose_rarely(&choices, 2))) {
        NDP_TRY(ndp_generate_graph(arena, &choices, &descriptor.value));
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
    NDP_TRY(is_graph ? ndp_generate_graph(arena, &choices, &descriptor.value)
                     : ndp_generate_value(arena, &choices, &limits, &descriptor.value));
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

/* Gives the group whose turn it is. Groups of two targets are as many as the square of the targets: all of them
 * together get no more turns than those of one target. */
static uint32_t next_group(struct sweep *sweep) {
    const struct ndp_route_list *routes = &sweep->routes;
    const uint64_t turn = sweep->next_turn++;
    uint32_t crosses = 0;
    for (uint32_t i = 0; i < routes->count; i++) crosses += is_cross(&routes->groups[i]);
    const uint32_t own = routes->count - crosses;
    if (crosses <= own || own == 0) return (uint32_t)(turn % routes->count);
    const bool wants_cross = turn % 2 == 1;
    uint64_t left = turn / 2 % (wants_cross ? crosses : own);
    for (uint32_t i = 0; i < routes->count; i++) {
        if (is_cross(&routes->groups[i]) == wants_cross && left-- == 0) return i;
    }
    return 0;
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
    uint32_t group = next_group(sweep);
    const bool is_transport = sweep->routes.groups[group].is_transport;
    struct ndp_route transport = {0};
    if (is_transport) transport = choose_transport(sweep, &sweep->routes.groups[group], group);
    ndp_batch_clear(batch);
    /* A batch of a transport has one route; the others take theirs in turn, and cost about the same. */
    const struct ndp_route_group *routes = &sweep->routes.groups[group];
    const uint32_t most = batch_cases(routes, is_transport ? &transport : &routes->routes[0]);
    while (ndp_batch_count(batch) < most) {
        if (sweep->options->cases != 0 && sweep->next_case >= sweep->options->cases) break;
        NDP_TRY(add_case(sweep, batch, group, is_transport ? &transport : NULL, error));
    }
    return NDP_OK;
}

static enum ndp_status finish(struct flight *flight, struct ndp_error *error) {
    if (flight->state != FLIGHT_STARTED) return NDP_OK;
    NDP_TRY(ndp_batch_finish(flight->batch, error));
    flight->state = FLIGHT_FINISHED;
    return NDP_OK;
}

/* The descriptor that shows only this divergence: it names the property, or for a death all that were asked for. */
static enum ndp_status print_case(struct sweep *sweep, const struct ndp_descriptor *descriptor, uint64_t case_id,
                                  const struct ndp_divergence *divergence) {
    struct ndp_descriptor single = *descriptor;
    single.property_count = 0;
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    uint32_t mask = descriptor->route.is_relayed ? choose_relay_properties(sweep, descriptor)
                                                 : choose_properties(sweep, descriptor, case_id);
    for (uint32_t i = 0; i < count; i++) {
        bool is_named = divergence->property != NULL ? all[i] == divergence->property : (mask & (1u << i)) != 0;
        /* Whatever threads do to a dict is one thing: all that judges dicts is asked. */
        if (descriptor->value.kind == NDP_VALUE_DICT) is_named = all[i]->for_dicts;
        if (!is_named) continue;
        snprintf(single.properties[single.property_count++], NDP_WORD_BYTES, "%s", all[i]->name);
    }
    sweep->text.size_bytes = 0;
    return ndp_descriptor_print(&sweep->text, &single);
}

/* The smallest descriptor that keeps the core takes the place of `sweep->text`. */
static enum ndp_status make_minimal(struct sweep *sweep, const struct ndp_divergence *raw, struct ndp_error *error) {
    uint32_t budget = raw->verdict == NDP_VERDICT_DIVERGES ? MINIMISE_RUNS : MINIMISE_RUNS_WHEN_DEADLY;
    const uint64_t now_ns = ndp_clock_ns();
    uint64_t until_ns = now_ns + PURSUIT_NS;
    if (sweep->options->duration_ns != 0 && sweep->end_ns < until_ns) until_ns = sweep->end_ns;
    if (until_ns < now_ns + LEAST_PURSUIT_NS) until_ns = now_ns + LEAST_PURSUIT_NS;
    const struct ndp_patience patience = {.stop = sweep->options->stop, .until_ns = until_ns};
    uint32_t runs;
    return ndp_minimise(sweep->scratch, &sweep->text, raw->core, budget, &patience, &runs, error);
}

/* Runs `sweep->text`, whose result then is what is told. Without the divergence there the raw one stays. */
static enum ndp_status look_again(struct sweep *sweep, const struct ndp_divergence *raw, struct ndp_found *found,
                                  struct ndp_error *error) {
    struct ndp_descriptor descriptor;
    ndp_batch_clear(sweep->scratch);
    NDP_TRY(ndp_descriptor_read(ndp_batch_arena(sweep->scratch), ndp_buffer_view(&sweep->text),
                                &ndp_describe_default_limits, &descriptor, error));
    NDP_TRY(ndp_batch_add(sweep->scratch, found->first_case, &descriptor, 0, error));
    NDP_TRY(ndp_batch_start(sweep->scratch, error));
    NDP_TRY(ndp_batch_finish(sweep->scratch, error));
    found->result = ndp_batch_result(sweep->scratch, 0);
    found->descriptor = ndp_buffer_view(&sweep->text);
    const struct ndp_divergence *kept = ndp_result_find(found->result, raw->core);
    found->divergence = kept != NULL ? kept : raw;
    return NDP_OK;
}

static enum ndp_status confirm(struct sweep *sweep, const struct ndp_divergence *raw, struct ndp_found *found,
                               struct ndp_error *error) {
    return ndp_confirm(sweep->fresh, ndp_buffer_view(&sweep->text), raw->core, found->confirm_runs,
                       &found->confirm_hits, error);
}

static bool is_known(const struct sweep *sweep, const char *signature) {
    for (uint32_t i = 0; i < sweep->known.count; i++) {
        if (strcmp(sweep->known.entries[i].finding, signature) == 0) return true;
    }
    return false;
}

/* The smallest case is what is confirmed, because it is what is told; and only when it is a new one, because fresh
 * processes cost more than all else. Where it does not show again, the case as it was drawn has the word. */
static enum ndp_status pursue_steady(struct sweep *sweep, const struct ndp_divergence *raw, struct ndp_found *found,
                                     struct ndp_error *error) {
    /* Whoever stops a run does not want to wait for fresh processes. */
    const bool is_stopped = sweep->options->stop != NULL && *sweep->options->stop != 0;
    found->confirm_runs = is_stopped ? 1 : NDP_CONFIRM_RUNS;
    sweep->drawn.size_bytes = 0;
    NDP_TRY(ndp_buffer_add(&sweep->drawn, sweep->text.data, sweep->text.size_bytes));
    NDP_TRY(look_again(sweep, raw, found, error));
    const bool is_shown = ndp_result_find(found->result, raw->core) != NULL;
    if (is_shown) {
        NDP_TRY(make_minimal(sweep, raw, error));
        NDP_TRY(look_again(sweep, raw, found, error));
    }
    if (is_known(sweep, found->divergence->signature)) return NDP_OK;
    NDP_TRY(confirm(sweep, raw, found, error));
    if (found->confirm_hits == found->confirm_runs || !is_shown) return NDP_OK;
    sweep->text.size_bytes = 0;
    NDP_TRY(ndp_buffer_add(&sweep->text, sweep->drawn.data, sweep->drawn.size_bytes));
    NDP_TRY(confirm(sweep, raw, found, error));
    return look_again(sweep, raw, found, error);
}

/* What happens by chance is only worth shrinking when it is sure to come, and what is documented needs no proof that it
 * is no accident: both are confirmed first. */
static enum ndp_status pursue_told(struct sweep *sweep, const struct ndp_divergence *raw, struct ndp_found *found,
                                   struct ndp_error *error) {
    found->confirm_runs = ndp_divergence_is_chance(raw) ? NDP_CONFIRM_RUNS : 1;
    NDP_TRY(confirm(sweep, raw, found, error));
    if (found->confirm_hits < found->confirm_runs && ndp_divergence_is_chance(raw)) return NDP_OK;
    if (found->confirm_hits == found->confirm_runs) NDP_TRY(make_minimal(sweep, raw, error));
    return look_again(sweep, raw, found, error);
}

/* Tells of a new divergence: confirmed, minimal, under the signature of the minimal case. `descriptor` is the case, or
 * of a relay the leg that shows it alone; then `shown` is what shows there, else the same as `raw`. */
static enum ndp_status pursue_case(struct sweep *sweep, const struct ndp_descriptor *descriptor, uint64_t case_id,
                                   const struct ndp_divergence *raw, const struct ndp_divergence *shown,
                                   struct ndp_error *error) {
    NDP_TRY(print_case(sweep, descriptor, case_id, shown));
    struct ndp_found found = {.first_case = case_id};
    bool is_told = ndp_divergence_is_chance(shown) ||
                   (shown->verdict == NDP_VERDICT_DIVERGES && shown->judgement.severity != NDP_SEVERITY_DEFECT);
    NDP_TRY(is_told ? pursue_told(sweep, shown, &found, error) : pursue_steady(sweep, shown, &found, error));
    /* Chance shows itself more surely in some later case. */
    if (found.divergence == NULL) return NDP_OK;
    const char *signature = found.divergence->signature;
    const bool is_again = is_known(sweep, signature);
    NDP_TRY(ndp_known_add(&sweep->known, raw, signature));
    if (raw != shown) NDP_TRY(ndp_known_add(&sweep->known, shown, signature));
    if (!is_again) {
        sweep->events->on_found(sweep->events->context, &found);
    } else if (sweep->events->on_again != NULL) {
        sweep->events->on_again(sweep->events->context, signature);
    }
    return NDP_OK;
}

/* Runs a case on one leg of the relay that it is; *shown is what shows there under the core that the relay's divergence
 * would have. Whether it does is *is_shown. */
static enum ndp_status try_leg(struct sweep *sweep, const struct ndp_descriptor *alone, const char *core,
                               struct ndp_divergence *shown, bool *is_shown, struct ndp_error *error) {
    const struct ndp_divergence *kept = NULL;
    sweep->text.size_bytes = 0;
    NDP_TRY(ndp_descriptor_print(&sweep->text, alone));
    struct ndp_descriptor descriptor;
    ndp_batch_clear(sweep->scratch);
    NDP_TRY(ndp_descriptor_read(ndp_batch_arena(sweep->scratch), ndp_buffer_view(&sweep->text),
                                &ndp_describe_default_limits, &descriptor, error));
    enum ndp_status status = ndp_batch_add(sweep->scratch, 0, &descriptor, 0, error);
    if (status == NDP_OK) status = ndp_batch_start(sweep->scratch, error);
    *is_shown = false;
    /* What a target says that it got need not be a value that can be made. */
    if (status == NDP_INVALID) return NDP_OK;
    NDP_TRY(status);
    NDP_TRY(ndp_batch_finish(sweep->scratch, error));
    kept = ndp_result_find(ndp_batch_result(sweep->scratch, 0), core);
    *is_shown = kept != NULL;
    if (kept != NULL) *shown = *kept;
    return NDP_OK;
}

/* What the middle of a relay got, as a value to begin with. Whether it can be told. */
static bool retell(struct ndp_arena *arena, const struct ndp_descriptor *descriptor, const struct ndp_result *result,
                   struct ndp_value *out) {
    if (descriptor->value.kind != NDP_VALUE_ARRAY || result == NULL || !result->has_relayed) return false;
    *out = (struct ndp_value){.kind = NDP_VALUE_ARRAY};
    return ndp_array_retell(arena, &result->relayed, &out->array) == NDP_OK;
}

/* Fills *alone with the case on the leg that shows the divergence without the other, if any does: the second one with
 * what the middle got, or else with what was sent. */
static enum ndp_status find_leg(struct sweep *sweep, struct ndp_arena *arena, const struct ndp_descriptor *descriptor,
                                const struct ndp_result *result, const struct ndp_divergence *raw,
                                struct ndp_descriptor *alone, struct ndp_divergence *shown, bool *is_shown,
                                struct ndp_error *error) {
    *is_shown = false;
    for (uint32_t leg = 0; leg < 2 && !*is_shown; leg++) {
        if (raw->alone[leg][0] == '\0') continue;
        *alone = *descriptor;
        ndp_route_leg(&descriptor->route, leg, &alone->route);
        alone->property_count = 0;
        if (raw->property != NULL)
            snprintf(alone->properties[alone->property_count++], NDP_WORD_BYTES, "%s", raw->property->name);
        if (leg == 1 && retell(arena, descriptor, result, &alone->value))
            NDP_TRY(try_leg(sweep, alone, raw->alone[leg], shown, is_shown, error));
        if (*is_shown) return NDP_OK;
        alone->value = descriptor->value;
        NDP_TRY(try_leg(sweep, alone, raw->alone[leg], shown, is_shown, error));
    }
    return NDP_OK;
}

/* A divergence that is to be told; a relay's under one of its legs, when that shows it alone. `result` is the case's,
 * or NULL. */
static enum ndp_status pursue(struct sweep *sweep, const struct ndp_descriptor *descriptor, uint64_t case_id,
                              const struct ndp_divergence *raw, const struct ndp_result *result,
                              struct ndp_error *error) {
    struct ndp_descriptor alone = *descriptor;
    struct ndp_divergence shown = *raw;
    bool is_shown = true;
    for (int i = 0; i < 2; i++) NDP_TRY(finish(&sweep->flights[i], error));
    if (!descriptor->route.is_relayed) return pursue_case(sweep, descriptor, case_id, raw, raw, error);
    struct ndp_arena arena;
    ndp_arena_init(&arena, BATCH_ARENA_BYTES);
    enum ndp_status status = NDP_OK;
    if (raw->route.is_relayed) {
        status = find_leg(sweep, &arena, descriptor, result, raw, &alone, &shown, &is_shown, error);
    } else {
        /* The first leg is told of as of itself. */
        alone.route = raw->route;
    }
    if (status == NDP_OK && is_shown) status = pursue_case(sweep, &alone, case_id, raw, &shown, error);
    if (status == NDP_OK && !is_shown) status = pursue_case(sweep, descriptor, case_id, raw, raw, error);
    ndp_arena_clear(&arena);
    return status;
}

static enum ndp_status hear(struct sweep *sweep, struct flight *flight, struct ndp_error *error) {
    const struct ndp_batch *batch = flight->batch;
    for (uint32_t i = 0; i < ndp_batch_count(batch); i++) {
        const struct ndp_descriptor *descriptor = ndp_batch_descriptor(batch, i);
        const struct ndp_result *result = ndp_batch_result(batch, i);
        if (sweep->events->on_case != NULL) sweep->events->on_case(sweep->events->context, descriptor, result);
        for (uint32_t k = 0; k < result->divergence_count; k++) {
            const struct ndp_divergence *divergence = &result->divergences[k];
            const char *finding = ndp_known_find(&sweep->known, divergence);
            if (finding == NULL && sweep->events->on_found != NULL) {
                NDP_TRY(pursue(sweep, descriptor, ndp_batch_case_id(batch, i), divergence, result, error));
            } else if (finding != NULL && sweep->events->on_again != NULL) {
                sweep->events->on_again(sweep->events->context, finding);
            }
        }
    }
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
        ndp_batch_clear(sweep->scratch);
        NDP_TRY(ndp_batch_add(sweep->scratch, case_id, descriptor, repeated_properties(), error));
        NDP_TRY(ndp_batch_start(sweep->scratch, error));
        NDP_TRY(ndp_batch_finish(sweep->scratch, error));
        result = ndp_batch_result(sweep->scratch, 0);
        if (result->divergence_count == 0) continue;
        const struct ndp_divergence found = result->divergences[0];
        ndp_leak_watch_rest(&sweep->watch, sweep->bench, flight->batch);
        const char *finding = ndp_known_find(&sweep->known, &found);
        if (finding == NULL) return pursue(sweep, descriptor, case_id, &found, NULL, error);
        if (sweep->events->on_again != NULL) sweep->events->on_again(sweep->events->context, finding);
        return NDP_OK;
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
    ndp_buffer_init(&sweep.text, DESCRIPTOR_TEXT_BYTES);
    ndp_buffer_init(&sweep.drawn, DESCRIPTOR_TEXT_BYTES);
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
    if (status == NDP_OK) status = ndp_batch_new(bench, BATCH_ARENA_BYTES, &sweep.scratch);
    if (status == NDP_OK) status = ndp_batch_new(bench, BATCH_ARENA_BYTES, &sweep.fresh);
    if (status == NDP_OK && options->given != NULL) status = run_given(&sweep, reason, error);
    if (status == NDP_OK && options->given == NULL) status = run(&sweep, reason, error);
done:
    for (int i = 0; i < 2; i++) ndp_batch_free(sweep.flights[i].batch);
    ndp_batch_free(sweep.scratch);
    ndp_batch_free(sweep.fresh);
    ndp_buffer_clear(&sweep.text);
    ndp_buffer_clear(&sweep.drawn);
    ndp_known_clear(&sweep.known);
    ndp_routes_clear(&sweep.routes);
    return status;
}
