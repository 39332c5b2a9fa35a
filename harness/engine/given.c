#include "engine/given.h"

#include "engine/batch.h"
#include "engine/confirm.h"
#include "engine/schedule.h"

#define BATCH_ARENA_BYTES (UINT64_C(512) << 20)

struct given {
    const struct ndp_bench *bench;
    const struct ndp_sweep_options *options;
    struct ndp_confirm confirm;
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

static enum ndp_status run_batch(struct given *given, struct ndp_error *error) {
    if (ndp_batch_count(given->batch) == 0) return NDP_OK;
    NDP_TRY(ndp_batch_start(given->batch, error));
    NDP_TRY(ndp_batch_finish(given->batch, error));
    for (uint32_t i = 0; i < ndp_batch_count(given->batch); i++) {
        const struct ndp_result *result = ndp_batch_result(given->batch, i);
        given->is_compared = given->is_compared || result->comparisons > 0 || result->divergence_count > 0;
    }
    NDP_TRY(ndp_confirm_take_batch(&given->confirm, given->batch, NULL, NULL, error));
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
    const struct ndp_sweep_events *events = given->confirm.events;
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
    struct given given = {.bench = bench, .options = options};
    struct ndp_route_filter filter = options->filter;
    filter.without_kinds |= ndp_schedule_unjudged_kinds(options->properties);
    NDP_TRY(ndp_confirm_init(&given.confirm, bench, events));
    given.confirm.stop = options->stop;
    if (options->duration_ns != 0) given.confirm.end_ns = ndp_clock_ns() + options->duration_ns;
    enum ndp_status status = ndp_routes_list(bench, &filter, &given.routes);
    if (status == NDP_OK && given.routes.count == 0) *reason = NDP_STOP_NO_ROUTES;
    if (status == NDP_OK && given.routes.count > 0) status = ndp_batch_new(bench, BATCH_ARENA_BYTES, &given.batch);
    if (status == NDP_OK && given.routes.count > 0) status = run_cases(&given, cases, count, reason, error);
    ndp_batch_free(given.batch);
    ndp_routes_clear(&given.routes);
    ndp_confirm_clear(&given.confirm);
    return status;
}
