/* sweep.c: the main loop of a run.
 *
 * Problem. This process builds and judges cases while testees run them; neither side should wait for the other.
 *
 * Method. Two batches alternate: while a testee runs one, this process prepares the other. A batch over two different
 * targets uses both in turn, so it is finished before another starts. Confirming and minimising need idle targets, so
 * batches in flight are finished first; their results are reported later, in the order of case numbers.
 *
 * Limits. Two batches in flight.
 */
#include "engine/sweep.h"

#include "engine/confirm.h"
#include "engine/leak_search.h"
#include "engine/schedule.h"

#define BATCH_ARENA_BYTES (UINT64_C(512) << 20)

enum flight_state { FLIGHT_EMPTY, FLIGHT_STARTED, FLIGHT_FINISHED };

struct flight {
    struct ndp_batch *batch;
    enum flight_state state;
};

struct sweep {
    const struct ndp_bench *bench;
    const struct ndp_sweep_options *options;
    struct ndp_schedule schedule;
    struct ndp_confirm confirm;
    struct ndp_leak_watch watch;
    struct flight flights[2]; /* [0] is the older */
    uint64_t end_ns;
};

static enum ndp_status finish_flight(struct flight *flight, struct ndp_error *error) {
    if (flight->state != FLIGHT_STARTED) return NDP_OK;
    NDP_TRY(ndp_batch_finish(flight->batch, error));
    flight->state = FLIGHT_FINISHED;
    return NDP_OK;
}

static enum ndp_status make_idle(void *context, struct ndp_error *error) {
    struct sweep *sweep = context;
    for (int i = 0; i < 2; i++) NDP_TRY(finish_flight(&sweep->flights[i], error));
    return NDP_OK;
}

/* Turns the divergences of a finished batch into findings. */
static enum ndp_status take_flight(struct sweep *sweep, struct flight *flight, struct ndp_error *error) {
    if (flight->state != FLIGHT_FINISHED) return NDP_OK;
    NDP_TRY(ndp_confirm_take_batch(&sweep->confirm, flight->batch, make_idle, sweep, error));
    flight->state = FLIGHT_EMPTY;
    return NDP_OK;
}

static bool is_run_over(const struct sweep *sweep, enum ndp_stop_reason *reason) {
    const struct ndp_sweep_options *options = sweep->options;
    if (options->stop != NULL && *options->stop != 0) {
        *reason = NDP_STOP_SIGNAL;
        return true;
    }
    if (options->cases != 0 && sweep->schedule.started >= options->cases) {
        *reason = NDP_STOP_CASES;
        return true;
    }
    if (options->duration_ns != 0 && ndp_clock_ns() >= sweep->end_ns) {
        *reason = NDP_STOP_DURATION;
        return true;
    }
    return false;
}

/* Samples the targets of the older batch once they are idle. */
static enum ndp_status watch_leaks(struct sweep *sweep, struct ndp_error *error) {
    struct flight *older = &sweep->flights[0];
    if (older->state == FLIGHT_EMPTY || !ndp_leak_watch_is_due(&sweep->watch, sweep->bench, older->batch))
        return NDP_OK;
    NDP_TRY(finish_flight(older, error));
    return ndp_leak_search_run(&sweep->watch, sweep->bench, older->batch, &sweep->confirm, make_idle, sweep, error);
}

static enum ndp_status run_batches(struct sweep *sweep, enum ndp_stop_reason *reason, struct ndp_error *error) {
    /* Leak watching needs the default property set and an on_finding handler. */
    const bool is_watched =
        ndp_property_set_is_empty(sweep->options->properties) && sweep->confirm.events->on_finding != NULL;
    while (!is_run_over(sweep, reason)) {
        struct flight *older = &sweep->flights[0];
        struct flight *newer = &sweep->flights[1];
        if (older->state == FLIGHT_STARTED && !ndp_batch_can_overlap(older->batch))
            NDP_TRY(finish_flight(older, error));
        if (is_watched) NDP_TRY(watch_leaks(sweep, error));
        struct ndp_work_unit unit;
        if (!ndp_schedule_next(&sweep->schedule, NDP_LANE_COUNT, &unit)) unit.count = 0;
        NDP_TRY(ndp_schedule_fill(&sweep->schedule, &unit, newer->batch, error));
        NDP_TRY(ndp_batch_start(newer->batch, error));
        newer->state = FLIGHT_STARTED;
        NDP_TRY(finish_flight(older, error));
        NDP_TRY(take_flight(sweep, older, error));
        struct flight turned = *older;
        *older = *newer;
        *newer = turned;
    }
    NDP_TRY(finish_flight(&sweep->flights[0], error));
    return take_flight(sweep, &sweep->flights[0], error);
}

enum ndp_status ndp_sweep_run(const struct ndp_bench *bench, const struct ndp_sweep_options *options,
                              const struct ndp_sweep_events *events, enum ndp_stop_reason *reason,
                              struct ndp_error *error) {
    struct sweep sweep = {.bench = bench, .options = options};
    sweep.end_ns = ndp_clock_ns() + options->duration_ns;
    NDP_TRY(ndp_confirm_init(&sweep.confirm, bench, events));
    sweep.confirm.stop = options->stop;
    if (options->duration_ns != 0) sweep.confirm.end_ns = sweep.end_ns;
    enum ndp_status status = ndp_schedule_init(&sweep.schedule, bench, options);
    const bool has_routes = status == NDP_OK && sweep.schedule.routes.count > 0;
    if (status == NDP_OK && !has_routes) *reason = NDP_STOP_NO_ROUTES;
    for (int i = 0; i < 2 && status == NDP_OK && has_routes; i++)
        status = ndp_batch_new(bench, BATCH_ARENA_BYTES, &sweep.flights[i].batch);
    if (status == NDP_OK && has_routes) status = run_batches(&sweep, reason, error);
    for (int i = 0; i < 2; i++) ndp_batch_free(sweep.flights[i].batch);
    ndp_confirm_clear(&sweep.confirm);
    ndp_schedule_clear(&sweep.schedule);
    return status;
}
