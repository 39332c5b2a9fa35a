#include "cmd/replay_baseline.h"

#include <string.h>

#include "engine/batch.h"
#include "engine/routes.h"

#define ARENA_BYTES (UINT64_C(512) << 20)

/* The context of a visit to the routes of an entry. */
struct visit {
    struct ndp_batch *batch;
    struct ndp_batch *blame; /* for the experiments of blame */
    const struct ndp_baseline_entry *entry;
    const struct ndp_sweep_events *events;
    uint64_t case_number;
    struct ndp_error *error;
};

static enum ndp_status replay_entry(void *context, const struct ndp_route *route) {
    const struct visit *visit = context;
    const struct ndp_baseline_entry *entry = visit->entry;
    const struct ndp_sweep_events *events = visit->events;
    struct ndp_descriptor descriptor = *entry->descriptor;
    descriptor.route = *route;
    const struct ndp_result *result;
    NDP_TRY(ndp_batch_run_one(visit->batch, visit->case_number, &descriptor, (struct ndp_property_set){0}, &result,
                              visit->error));
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        if (!ndp_signature_is_text(&divergence->signature, entry->signature)) continue;
        struct ndp_finding finding = {.divergence = divergence,
                                      .descriptor = entry->text,
                                      .first_case = visit->case_number,
                                      .confirm_runs = 1,
                                      .confirm_hits = 1,
                                      .result = result};
        NDP_TRY(ndp_blame_find(visit->blame, &descriptor, divergence, &finding.blame, visit->error));
        events->on_finding(events->context, &finding);
        return NDP_OK;
    }
    return NDP_OK;
}

enum ndp_status ndp_replay_baseline(const struct ndp_bench *bench, const struct ndp_baseline *baseline,
                                    const struct ndp_sweep_events *events, uint64_t case_number,
                                    struct ndp_error *error) {
    const struct ndp_route_filter everything = {0};
    struct ndp_route_list routes;
    NDP_TRY(ndp_routes_list(bench, &everything, &routes));
    struct ndp_batch *batch = NULL, *blame = NULL;
    enum ndp_status status = ndp_batch_new(bench, ARENA_BYTES, &batch);
    if (status == NDP_OK) status = ndp_batch_new(bench, ARENA_BYTES, &blame);
    for (uint32_t i = 0; i < baseline->count && status == NDP_OK; i++) {
        const struct ndp_baseline_entry *entry = &baseline->entries[i];
        if (entry->is_seen) continue;
        struct visit visit = {batch, blame, entry, events, case_number, error};
        status =
            ndp_routes_visit(&routes, bench, entry->descriptor->kind, &entry->descriptor->route, replay_entry, &visit);
    }
    ndp_batch_free(batch);
    ndp_batch_free(blame);
    ndp_routes_clear(&routes);
    return status;
}
