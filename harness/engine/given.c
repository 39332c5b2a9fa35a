#include "engine/given.h"

#include "base/clock.h"
#include "engine/batch.h"
#include "engine/find.h"
#include "engine/ledger.h"
#include "engine/schedule.h"

#define BATCH_ARENA_BYTES (UINT64_C(512) << 20)
#define PACKED_BYTES      (UINT64_C(64) << 20)

struct given {
    const struct ndp_bench *bench;
    const struct ndp_sweep_options *options;
    const struct ndp_sweep_events *events;
    struct ndp_ledger ledger;
    struct ndp_find find;
    struct ndp_route_list routes;
    struct ndp_batch *batch;
    bool is_compared; /* a result of the current case compared something or diverged */
};

/* One case during the visit of its routes. */
struct visit {
    struct given *given;
    struct ndp_descriptor descriptor;
    uint32_t number;
    const struct ndp_signature *signature; /* only routes that it names are visited; NULL: all */
    uint32_t routes;                       /* visited so far */
    struct ndp_error *error;
};

/* Finds a divergence that is new. */
static enum ndp_status find_divergence(struct given *given, uint32_t index, const struct ndp_divergence *divergence,
                                       uint32_t find, struct ndp_error *error) {
    const struct ndp_sweep_events *events = given->events;
    const struct ndp_find_request request = {.descriptor = ndp_batch_descriptor(given->batch, index),
                                             .properties = ndp_batch_properties(given->batch, index),
                                             .divergence = divergence,
                                             .case_id = ndp_batch_case_id(given->batch, index)};
    struct ndp_finding finding;
    enum ndp_find_outcome outcome;
    NDP_BUFFER_SCOPED(packed, PACKED_BYTES);
    NDP_TRY(ndp_find_run(&given->find, &request, &finding, &outcome, error));
    if (outcome == NDP_FIND_FINDING && events->pack_finding != NULL)
        NDP_TRY(events->pack_finding(events->context, &finding, &packed));
    return ndp_ledger_settle(&given->ledger, find, outcome == NDP_FIND_NOTHING ? NULL : &finding.divergence->signature,
                             ndp_buffer_view(&packed));
}

/* Reports the results of a finished batch and finds their divergences. */
static enum ndp_status take_batch(struct given *given, struct ndp_error *error) {
    const struct ndp_sweep_events *events = given->events;
    for (uint32_t i = 0; i < ndp_batch_count(given->batch); i++) {
        const struct ndp_result *result = ndp_batch_result(given->batch, i);
        given->is_compared = given->is_compared || result->comparisons > 0 || result->divergence_count > 0;
        if (events->on_case != NULL) events->on_case(events->context, ndp_batch_descriptor(given->batch, i), result);
        for (uint32_t k = 0; k < result->divergence_count; k++) {
            uint32_t find;
            bool is_new;
            NDP_TRY(ndp_ledger_offer(&given->ledger, &result->divergences[k], ndp_batch_case_id(given->batch, i), &find,
                                     &is_new));
            if (is_new) NDP_TRY(find_divergence(given, i, &result->divergences[k], find, error));
        }
    }
    if (events->on_tick != NULL) events->on_tick(events->context);
    return NDP_OK;
}

static enum ndp_status run_batch(struct given *given, struct ndp_error *error) {
    if (ndp_batch_count(given->batch) == 0) return NDP_OK;
    NDP_TRY(ndp_batch_start(given->batch, error));
    NDP_TRY(ndp_batch_finish(given->batch, error));
    NDP_TRY(take_batch(given, error));
    ndp_batch_clear(given->batch);
    return NDP_OK;
}

/* Whether the batch cannot take a case on that route: it is full, or has other targets. */
static bool is_batch_full(const struct ndp_batch *batch, const struct ndp_route *next) {
    if (ndp_batch_count(batch) == 0) return false;
    const struct ndp_route *last = &ndp_batch_descriptor(batch, ndp_batch_count(batch) - 1)->route;
    return ndp_batch_count(batch) == NDP_BATCH_CASES || !ndp_bytes_word_is(last->encoder, next->encoder) ||
           !ndp_bytes_word_is(last->decoder, next->decoder);
}

static enum ndp_status on_route(void *context, const struct ndp_route *route) {
    struct visit *visit = context;
    struct given *given = visit->given;
    if (visit->signature != NULL && !ndp_signature_names(visit->signature, route)) return NDP_OK;
    visit->routes++;
    if (is_batch_full(given->batch, route)) NDP_TRY(run_batch(given, visit->error));
    visit->descriptor.route = *route;
    return ndp_batch_add(given->batch, visit->number, &visit->descriptor, given->options->properties, visit->error);
}

static enum ndp_status run_case(struct given *given, const struct ndp_given_case *item, uint32_t number,
                                struct ndp_error *error) {
    const struct ndp_route any = {.format = ""};
    const enum ndp_case_kind kind = item->descriptor.kind;
    struct visit visit = {.given = given, .descriptor = item->descriptor, .number = number, .error = error};
    const struct ndp_sweep_events *events = given->events;
    given->is_compared = false;
    ndp_batch_clear(given->batch);
    if (item->has_signature) {
        visit.signature = &item->signature;
        NDP_TRY(ndp_routes_visit(&given->routes, given->bench, kind, &any, on_route, &visit));
        visit.signature = NULL;
    }
    if (visit.routes == 0)
        NDP_TRY(ndp_routes_visit(&given->routes, given->bench, kind, &item->descriptor.route, on_route, &visit));
    NDP_TRY(run_batch(given, error));
    if (events->on_given != NULL) events->on_given(events->context, number, given->is_compared);
    return NDP_OK;
}

static enum ndp_status run_cases(struct given *given, const struct ndp_given_case *cases, uint32_t count,
                                 enum ndp_stop_reason *reason, struct ndp_error *error) {
    const volatile sig_atomic_t *stop = given->options->stop;
    for (uint32_t i = 0; i < count; i++) {
        *reason = NDP_STOP_SIGNAL;
        if (stop != NULL && *stop != 0) return NDP_OK;
        NDP_TRY(run_case(given, &cases[i], i, error));
    }
    *reason = NDP_STOP_CASES;
    return NDP_OK;
}

enum ndp_status ndp_given_run(const struct ndp_bench *bench, const struct ndp_sweep_options *options,
                              const struct ndp_given_case *cases, uint32_t count, const struct ndp_sweep_events *events,
                              enum ndp_stop_reason *reason, struct ndp_error *error) {
    struct given given = {.bench = bench, .options = options, .events = events};
    struct ndp_route_filter filter = options->filter;
    filter.without_kinds |= ndp_schedule_unjudged_kinds(options->properties);
    NDP_TRY(ndp_find_init(&given.find, bench));
    given.find.stop = options->stop;
    ndp_ledger_init(&given.ledger, events, true, ndp_clock_ns());
    enum ndp_status status = ndp_routes_list(bench, &filter, &given.routes);
    if (status == NDP_OK && given.routes.count == 0) *reason = NDP_STOP_NO_ROUTES;
    if (status == NDP_OK && given.routes.count > 0) status = ndp_batch_new(bench, BATCH_ARENA_BYTES, &given.batch);
    if (status == NDP_OK && given.routes.count > 0) status = run_cases(&given, cases, count, reason, error);
    ndp_batch_free(given.batch);
    ndp_routes_clear(&given.routes);
    ndp_ledger_clear(&given.ledger);
    ndp_find_clear(&given.find);
    return status;
}
