#include "cmd/replay_cause.h"

#include <string.h>

#define ARENA_BYTES (UINT64_C(512) << 20)
enum { RUNS = 3 }; /* a cause that depends on chance must be absent this many times */

enum ndp_status ndp_replay_cause_init(struct ndp_replay_cause *replay, const struct ndp_bench *bench) {
    const struct ndp_route_filter everything = {0};
    *replay = (struct ndp_replay_cause){.bench = bench};
    enum ndp_status status = ndp_routes_list(bench, &everything, &replay->routes);
    if (status == NDP_OK) status = ndp_batch_new(bench, ARENA_BYTES, &replay->batch);
    if (status == NDP_OK) status = ndp_batch_new(bench, ARENA_BYTES, &replay->blame);
    if (status != NDP_OK) ndp_replay_cause_clear(replay);
    return status;
}

void ndp_replay_cause_clear(struct ndp_replay_cause *replay) {
    ndp_batch_free(replay->batch);
    ndp_batch_free(replay->blame);
    ndp_routes_clear(&replay->routes);
    *replay = (struct ndp_replay_cause){0};
}

/* The context of a visit to the routes of a descriptor. */
struct visit {
    struct ndp_replay_cause *replay;
    struct ndp_bytes text;
    const struct ndp_descriptor *descriptor;
    const struct ndp_wanted_cause *wanted;
    bool is_compared;
    bool is_shown;
    struct ndp_error *error;
};

static enum ndp_status look_for_cause(struct visit *visit, const struct ndp_descriptor *descriptor,
                                      const struct ndp_result *result) {
    const struct ndp_wanted_cause *wanted = visit->wanted;
    for (uint32_t i = 0; i < result->divergence_count && !visit->is_shown; i++) {
        struct ndp_finding finding = {.divergence = &result->divergences[i],
                                      .descriptor = visit->text,
                                      .first_case = wanted->case_number,
                                      .confirm_runs = 1,
                                      .confirm_hits = 1,
                                      .result = result};
        struct ndp_cause cause;
        NDP_TRY(ndp_blame_find(visit->replay->blame, descriptor, finding.divergence, &finding.blame, visit->error));
        ndp_cause_of_finding(&finding, &cause);
        visit->is_shown = wanted->is_wanted(wanted->context, &cause);
        if (visit->is_shown && wanted->on_finding != NULL) wanted->on_finding(wanted->context, &finding);
    }
    return NDP_OK;
}

static enum ndp_status replay_route(void *context, const struct ndp_route *route) {
    struct visit *visit = context;
    struct ndp_descriptor descriptor = *visit->descriptor;
    descriptor.route = *route;
    for (int run = 0; run < RUNS && !visit->is_shown; run++) {
        const struct ndp_result *result;
        NDP_TRY(ndp_batch_run_one(visit->replay->batch, visit->wanted->case_number, &descriptor,
                                  (struct ndp_property_set){0}, &result, visit->error));
        visit->is_compared = visit->is_compared || result->comparisons > 0;
        NDP_TRY(look_for_cause(visit, &descriptor, result));
    }
    return NDP_OK;
}

enum ndp_status ndp_replay_cause_run(struct ndp_replay_cause *replay, struct ndp_bytes text,
                                     const struct ndp_wanted_cause *wanted, enum ndp_replayed *out,
                                     struct ndp_error *error) {
    struct ndp_descriptor descriptor;
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    NDP_TRY(ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &descriptor, error));
    struct visit visit = {.replay = replay, .text = text, .descriptor = &descriptor, .wanted = wanted, .error = error};
    NDP_TRY(ndp_routes_visit(&replay->routes, replay->bench, descriptor.kind, &descriptor.route, replay_route, &visit));
    *out = visit.is_shown ? NDP_REPLAYED_SHOWS : visit.is_compared ? NDP_REPLAYED_GONE : NDP_REPLAYED_NOT_COMPARED;
    return NDP_OK;
}

/* ---- the baseline ---- */

struct entry_context {
    const struct ndp_baseline *baseline;
    const struct ndp_baseline_entry *entry;
    const struct ndp_sweep_events *events;
};

static bool is_of_entry(const void *context, const struct ndp_cause *cause) {
    const struct entry_context *of = context;
    return ndp_baseline_find(of->baseline, cause) == of->entry;
}

static void report_entry(void *context, const struct ndp_finding *finding) {
    const struct entry_context *of = context;
    NDP_BUFFER_SCOPED(packed, ARENA_BYTES);
    if (of->events != NULL && of->events->pack_finding(of->events->context, finding, &packed) == NDP_OK)
        of->events->on_finding(of->events->context, ndp_buffer_view(&packed), 0);
}

enum ndp_status ndp_replay_cause_baseline(const struct ndp_bench *bench, const struct ndp_baseline *baseline,
                                          const struct ndp_sweep_events *events, uint64_t case_number,
                                          struct ndp_error *error) {
    struct ndp_replay_cause replay;
    NDP_TRY(ndp_replay_cause_init(&replay, bench));
    enum ndp_status status = NDP_OK;
    for (uint32_t i = 0; i < baseline->count && status == NDP_OK; i++) {
        struct ndp_baseline_entry *entry = &baseline->entries[i];
        struct entry_context context = {baseline, entry, events};
        const struct ndp_wanted_cause wanted = {&context, is_of_entry, report_entry, case_number};
        enum ndp_replayed replayed = NDP_REPLAYED_NOT_COMPARED;
        if (entry->is_seen || entry->descriptor == NULL) continue;
        status = ndp_replay_cause_run(&replay, entry->text, &wanted, &replayed, error);
        entry->is_replayed = replayed != NDP_REPLAYED_NOT_COMPARED;
        entry->is_shown_by_replay = replayed == NDP_REPLAYED_SHOWS;
    }
    ndp_replay_cause_clear(&replay);
    return status;
}
