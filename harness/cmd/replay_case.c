#include "cmd/replay_case.h"

#include "cmd/evidence.h"
#include "cmd/progress.h"
#include "cmd/write_script.h"
#include "engine/sweep.h"

/* Runs of a case whose finding is a hazard, which shows by chance. */
enum { HAZARD_RUNS = 20 };

/* After timeouts on so many routes, the case is skipped on the others. */
enum { MAX_TIMEOUTS = 2 };

/* A large value takes minutes on all routes; the routes left after this time are skipped. */
#define PATIENCE_NS (UINT64_C(300) * 1000000000)

/* Writes the requested script for the divergence of the finding, else for the first defect. */
static void write_script(struct ndp_replay *replay, const struct ndp_loaded_case *item,
                         const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    const struct ndp_divergence *about = NULL;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        if (about == NULL && divergence->judgement.severity == NDP_SEVERITY_DEFECT) about = divergence;
        if (ndp_signature_is_text(&divergence->signature, item->signature)) about = divergence;
    }
    if (replay->script == NULL || about == NULL) return;
    struct ndp_error error = {0};
    enum ndp_status status = ndp_write_script(replay->script, replay->opened, descriptor, about, result, &error);
    replay->is_script_failed = status != NDP_OK;
    if (status != NDP_OK) {
        fprintf(stderr, "ndproof replay: no script: %s\n",
                error.text[0] != '\0' ? error.text : ndp_status_text(status));
        return;
    }
    printf("  script: %s\n", replay->script);
    replay->script = NULL;
}

/* Runs the case once on a complete route. */
static enum ndp_replay_result run_once(struct ndp_replay *replay, const struct ndp_loaded_case *item,
                                       const struct ndp_route *route) {
    struct ndp_descriptor descriptor = item->descriptor;
    descriptor.route = *route;
    const struct ndp_result *result;
    struct ndp_error error = {0};
    if (ndp_batch_run_one(replay->batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error) != NDP_OK) {
        printf("  cannot run: %s\n", error.text);
        return NDP_REPLAY_ERROR;
    }
    if (result->verdict == NDP_VERDICT_FAULT) {
        printf("  %s\n", result->detail);
        return NDP_REPLAY_ERROR;
    }
    /* UNSUPPORTED without a detail: the case ran, but the contract has no verdict. */
    if (result->verdict == NDP_VERDICT_UNSUPPORTED && result->detail[0] != '\0') {
        printf("  unsupported: %s\n", result->detail);
        return NDP_REPLAY_FIXED;
    }
    replay->has_run = true;
    if (result->verdict == NDP_VERDICT_TIMEOUT) replay->timeouts++;
    write_script(replay, item, &descriptor, result);
    bool is_same = item->signature[0] == '\0';
    bool has_defect = false;
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *divergence = &result->divergences[i];
        ndp_evidence_print(stdout, divergence, 2);
        const bool is_finding = ndp_signature_is_text(&divergence->signature, item->signature);
        is_same |= is_finding;
        /* A documented divergence counts only if it is the finding. */
        has_defect |= is_finding || divergence->judgement.severity == NDP_SEVERITY_DEFECT;
    }
    if (!has_defect) return NDP_REPLAY_FIXED;
    return is_same ? NDP_REPLAY_DIVERGES : NDP_REPLAY_CHANGED;
}

/* Runs the case on a complete route: a hazard up to HAZARD_RUNS times, anything else once. */
static enum ndp_replay_result run_route(struct ndp_replay *replay, const struct ndp_loaded_case *item,
                                        const struct ndp_route *route) {
    enum ndp_replay_result result = run_once(replay, item, route);
    struct ndp_signature signature;
    const bool is_hazard = ndp_signature_parse(item->signature, &signature) == NDP_OK && signature.is_hazard;
    for (int i = 1; i < HAZARD_RUNS && result == NDP_REPLAY_FIXED && is_hazard; i++)
        result = run_once(replay, item, route);
    return result;
}

/* The context of a visit to the routes of a case. */
struct visit {
    struct ndp_replay *replay;
    const struct ndp_loaded_case *item;
    enum ndp_replay_result worst;
    uint32_t skipped_timeout;     /* routes skipped because the case keeps timing out */
    uint32_t skipped_late;        /* routes skipped because PATIENCE_NS passed */
    struct ndp_progress progress; /* counts routes, and those with a divergence */
};

static enum ndp_status count_route(void *context, const struct ndp_route *route) {
    struct visit *visit = context;
    (void)route;
    visit->progress.case_bound++;
    return NDP_OK;
}

static enum ndp_status replay_route(void *context, const struct ndp_route *route) {
    struct visit *visit = context;
    const bool is_timeout = visit->replay->timeouts >= MAX_TIMEOUTS;
    const bool is_late = !is_timeout && ndp_clock_ns() - visit->progress.start_ns > PATIENCE_NS;
    visit->skipped_timeout += is_timeout;
    visit->skipped_late += is_late;
    if (is_timeout || is_late) return NDP_OK;
    ndp_progress_pause(&visit->progress);
    enum ndp_replay_result result = run_route(visit->replay, visit->item, route);
    if (result > visit->worst) visit->worst = result;
    if (result == NDP_REPLAY_DIVERGES || result == NDP_REPLAY_CHANGED) visit->progress.findings++;
    visit->progress.cases++;
    ndp_progress_tick(&visit->progress);
    return NDP_OK;
}

static enum ndp_status visit_routes(struct visit *visit, ndp_routes_visitor *on_route) {
    const struct ndp_descriptor *descriptor = &visit->item->descriptor;
    return ndp_routes_visit(&visit->replay->routes, &visit->replay->opened->bench, descriptor->kind, &descriptor->route,
                            on_route, visit);
}

static void print_skipped(const struct visit *visit) {
    if (visit->skipped_timeout > 0)
        printf("  skipped %lu routes: the case keeps timing out\n", (unsigned long)visit->skipped_timeout);
    if (visit->skipped_late > 0)
        printf("  skipped %lu routes: all routes together take too long; choose with --format and --target\n",
               (unsigned long)visit->skipped_late);
}

enum ndp_replay_result ndp_replay_case(struct ndp_replay *replay, const struct ndp_loaded_case *item) {
    struct visit visit = {.replay = replay, .item = item, .worst = NDP_REPLAY_FIXED};
    replay->has_run = replay->has_no_route = false;
    replay->timeouts = 0;
    ndp_progress_init(&visit.progress, &replay->opened->bench, 0, 0);
    if (visit_routes(&visit, count_route) != NDP_OK || visit_routes(&visit, replay_route) != NDP_OK)
        return NDP_REPLAY_ERROR;
    ndp_progress_pause(&visit.progress);
    print_skipped(&visit);
    if (visit.progress.cases == 0) {
        char route[NDP_ROUTE_TEXT_BYTES];
        ndp_descriptor_print_route(&item->descriptor.route, route);
        printf("  no target here offers the route %s\n", route);
        replay->has_no_route = true;
        return NDP_REPLAY_ERROR;
    }
    if (visit.worst == NDP_REPLAY_FIXED && visit.skipped_late > 0) return NDP_REPLAY_ERROR;
    return replay->has_run ? visit.worst : NDP_REPLAY_ERROR;
}
