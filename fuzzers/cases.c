#include "cases.h"

#include "base/rng.h"
#include "counters.h"
#include "describe/generate.h"
#include "engine/builtin.h"
#include "engine/known.h"

enum { MAX_FORMATS = 16 };
#define CASE_BYTES (UINT64_C(1) << 28)

static struct ndp_bench bench;
static struct ndp_route_list routes;
static struct ndp_batch *batch;
static struct ndp_known known;

static void close_all(void) {
    ndp_batch_free(batch);
    ndp_routes_clear(&routes);
    ndp_known_clear(&known);
    fuzz_close_testee(&bench);
    ndp_builtin_close(&bench);
}

const struct ndp_bench *fuzz_bench(bool with_testee) {
    static bool is_open;
    if (is_open) return &bench;
    is_open = true;
    FUZZ_CHECK(ndp_builtin_open(&bench, NULL) == NDP_OK && atexit(close_all) == 0);
    if (with_testee) fuzz_open_testee(&bench);
    FUZZ_CHECK(ndp_batch_new(&bench, CASE_BYTES, &batch) == NDP_OK);
    return &bench;
}

static void open_once(const struct fuzz_cases *cases) {
    if (routes.count > 0) return;
    fuzz_bench(cases->with_testee);
    struct ndp_route_filter filter = {.formats = cases->formats};
    while (cases->formats && filter.format_count < MAX_FORMATS && cases->formats[filter.format_count])
        filter.format_count++;
    FUZZ_CHECK(ndp_routes_list(&bench, &filter, &routes) == NDP_OK && routes.count > 0);
    for (uint32_t i = 0; i < routes.count && cases->with_testee; i++) {
        struct ndp_route_group *group = &routes.groups[i];
        if (!fuzz_is_testee(group->encoder) && !fuzz_is_testee(group->decoder)) group->count = 0;
    }
}

/* A defect that shows in ten thousand ways is an artifact a few times. */
static void file(const struct ndp_divergence *divergence) {
    if (divergence->verdict == NDP_VERDICT_DIVERGES && divergence->judgement.severity != NDP_SEVERITY_DEFECT) return;
    const char *name = ndp_known_find(&known, divergence);
    char text[NDP_SIGNATURE_BYTES];
    snprintf(text, sizeof text, "%s", name ? name : divergence->signature);
    FUZZ_CHECK(name || ndp_known_add(&known, divergence, divergence->signature) == NDP_OK);
    fuzz_finding(text);
}

static void judge(const struct ndp_result *result) {
    fuzz_observe(result);
    if (!FUZZ_HOLDS_OF("the harness or a testee failed at its own work", result->verdict != NDP_VERDICT_FAULT)) return;
    for (uint32_t i = 0; i < result->divergence_count; i++) file(&result->divergences[i]);
    if (result->verdict != NDP_VERDICT_UNSUPPORTED) fuzz_valid(result->comparisons);
}

/* Runs the case on one of the routes that it names. What its text expects may be wrong and does not count. */
static void run(struct ndp_descriptor *descriptor, uint64_t pick) {
    const struct ndp_route *route = ndp_routes_pick(&routes, &bench, descriptor->kind, &descriptor->route, pick);
    if (!route) route = ndp_routes_pick(&routes, &bench, descriptor->kind, &(struct ndp_route){0}, pick);
    if (!route) return;
    descriptor->route = *route;
    descriptor->expect = NDP_EXPECT_OPEN;
    const struct ndp_result *result;
    if (ndp_trial_run(batch, descriptor, 0, &result, NULL) == NDP_OK) judge(result);
}

void fuzz_run_descriptor(const struct fuzz_cases *cases, const uint8_t *data, size_t size) {
    open_once(cases);
    struct ndp_arena arena = {.limit_bytes = CASE_BYTES};
    struct ndp_descriptor descriptor;
    const struct ndp_bytes text = {data, size};
    if (ndp_descriptor_read(&arena, text, &ndp_describe_default_limits, &descriptor, NULL) == NDP_OK &&
        ndp_descriptor_check(&arena, &descriptor, NULL) == NDP_OK)
        run(&descriptor, ndp_hash_bytes(data, size, NDP_HASH_START));
    ndp_arena_clear(&arena);
}

void fuzz_run_bytes(const struct fuzz_cases *cases, const char *format, const uint8_t *data, size_t size) {
    open_once(cases);
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_DECODE, .bytes = {data, size}};
    snprintf(descriptor.route.format, sizeof descriptor.route.format, "%s", format);
    run(&descriptor, ndp_hash_bytes(data, size, NDP_HASH_START));
}
