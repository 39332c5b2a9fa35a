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

#include "engine/batch.h"
#include "engine/leak_watch.h"
#include "engine/pursuit.h"
#include "engine/schedule.h"
#include "engine/signature.h"

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
    struct ndp_schedule schedule;
    struct ndp_pursuit pursuit;
    struct ndp_leak_watch watch;
    struct flight flights[2]; /* [0] is the older */
    uint64_t end_ns;
};

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
                const struct ndp_sighting seen = {descriptor, item->properties, item->id, divergence, result};
                NDP_TRY(ndp_pursue(pursuit, &seen, error));
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
    for (uint32_t i = 0; i < ndp_batch_count(flight->batch); i += NDP_CASES_PER_ROUTE_TURN) {
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
        const struct ndp_sighting seen = {descriptor, repeated_properties(), case_id, &found, NULL};
        NDP_TRY(ndp_pursue(&sweep->pursuit, &seen, error));
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
    if (options->cases != 0 && sweep->schedule.next_case >= options->cases) {
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
        NDP_TRY(ndp_schedule_fill(&sweep->schedule, newer->batch, error));
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
    const char *signature; /* what it showed, or NULL */
    uint32_t ways;         /* that were taken */
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
    if (given->signature != NULL && !ndp_signature_names(given->signature, route)) return NDP_OK;
    given->ways++;
    if (is_batch_over(flight->batch, route)) NDP_TRY(run_flight(given->sweep, flight, given->error));
    given->descriptor.route = *route;
    return ndp_batch_add(flight->batch, given->number, &given->descriptor, given->sweep->options->properties,
                         given->error);
}

/* One case that is given, on every route that its signature names, else that it names itself: a fuzz target takes its
 * own, whatever the case says. */
static enum ndp_status run_case(struct sweep *sweep, uint32_t number, struct ndp_error *error) {
    const struct ndp_sweep_options *options = sweep->options;
    const struct ndp_descriptor *descriptor = &options->given[number];
    struct flight *flight = &sweep->flights[0];
    struct given given = {sweep, *descriptor, number, NULL, 0, error};
    if (options->given_signatures != NULL) given.signature = options->given_signatures[number];
    ndp_batch_clear(flight->batch);
    const struct ndp_route_list *routes = &sweep->schedule.routes;
    if (given.signature != NULL) {
        const struct ndp_route any = {.format = ""};
        NDP_TRY(ndp_routes_visit(routes, sweep->bench, descriptor->kind, &any, run_way, &given));
    }
    given.signature = NULL;
    if (given.ways == 0)
        NDP_TRY(ndp_routes_visit(routes, sweep->bench, descriptor->kind, &descriptor->route, run_way, &given));
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
    enum ndp_status status = ndp_schedule_init(&sweep.schedule, bench, options);
    if (status == NDP_OK && sweep.schedule.routes.count == 0) {
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
    ndp_schedule_clear(&sweep.schedule);
    return status;
}
