#include "cmd/replay_baseline.h"

#include <string.h>

#include "engine/minimise.h"
#include "engine/routes.h"

#define ARENA_BYTES (UINT64_C(512) << 20)

static enum ndp_status replay_entry(struct ndp_batch *batch, const struct ndp_baseline_entry *entry,
                                    const struct ndp_route *route, const struct ndp_sweep_events *events,
                                    uint64_t case_number, struct ndp_error *error) {
    struct ndp_descriptor descriptor = *entry->descriptor;
    ndp_route_complete(&entry->descriptor->route, route, &descriptor.route);
    const struct ndp_result *result;
    NDP_TRY(ndp_trial_run(batch, &descriptor, 0, &result, error));
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        if (strcmp(divergence->signature, entry->signature) != 0) continue;
        const struct ndp_found found = {.divergence = divergence,
                                        .descriptor = entry->text,
                                        .first_case = case_number,
                                        .confirm_runs = 1,
                                        .confirm_hits = 1,
                                        .result = result};
        events->on_found(events->context, &found);
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
    struct ndp_batch *batch = NULL;
    enum ndp_status status = ndp_batch_new(bench, ARENA_BYTES, &batch);
    for (uint32_t i = 0; i < baseline->count && status == NDP_OK; i++) {
        const struct ndp_baseline_entry *entry = &baseline->entries[i];
        if (entry->is_seen) continue;
        for (uint32_t g = 0; g < routes.count && status == NDP_OK; g++) {
            if (routes.groups[g].kind != entry->descriptor->kind) continue;
            for (uint32_t k = 0; k < routes.groups[g].count && status == NDP_OK; k++) {
                const struct ndp_route *route = &routes.groups[g].routes[k];
                if (!ndp_route_fits(&entry->descriptor->route, route, bench)) continue;
                status = replay_entry(batch, entry, route, events, case_number, error);
            }
        }
    }
    ndp_batch_free(batch);
    ndp_routes_clear(&routes);
    return status;
}
