/* fuzz_descriptor.c: a descriptor through the C reference, and through every codec that PLUGIN= built in.
 * Oracle: text that is read prints to text that reads and prints the same; an error names a place in the text. A
 * value that can be built breaks no promise of any property on its way, one route for each input. */
#include "describe/generate.h"
#include "engine/builtin.h"
#include "engine/routes.h"
#include "fuzz.h"

static struct ndp_bench bench;
static struct ndp_route_list routes;
static struct ndp_batch *batch;

static void close_all(void) {
    ndp_batch_free(batch);
    ndp_routes_clear(&routes);
    ndp_builtin_close(&bench);
}

static void open_once(void) {
    FUZZ_CHECK(ndp_builtin_open(&bench, NULL) == NDP_OK && atexit(close_all) == 0);
    FUZZ_CHECK(ndp_routes_list(&bench, &(struct ndp_route_filter){0}, &routes) == NDP_OK);
    FUZZ_CHECK(ndp_batch_new(&bench, UINT64_C(1) << 28, &batch) == NDP_OK);
}

/* Runs the case on one of the routes that it names. What its text expects may be wrong and does not count. */
static void run(struct ndp_descriptor *descriptor, uint64_t pick) {
    const struct ndp_route *route = ndp_routes_pick(&routes, &bench, descriptor->kind, &descriptor->route, pick);
    if (!route) return;
    descriptor->route = *route;
    descriptor->expect = NDP_EXPECT_OPEN;
    const struct ndp_result *result;
    if (ndp_trial_run(batch, descriptor, 0, &result, NULL) != NDP_OK) return;
    FUZZ_CHECK(result->verdict != NDP_VERDICT_FAULT);
    for (uint32_t i = 0; i < result->divergence_count; i++)
        FUZZ_CHECK_OF(result->divergences[i].signature,
                      result->divergences[i].judgement.severity != NDP_SEVERITY_DEFECT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!batch) open_once();
    struct ndp_arena arena = {.limit_bytes = UINT64_C(1) << 28};
    struct ndp_buffer text[2] = {{.max_bytes = UINT64_MAX}, {.max_bytes = UINT64_MAX}};
    struct ndp_descriptor descriptor;
    struct ndp_error error = {0};
    const struct ndp_describe_limits *limits = &ndp_describe_default_limits;
    const struct ndp_bytes input = {ndp_arena_copy(&arena, data, size), size};
    const enum ndp_status status = ndp_descriptor_read(&arena, input, limits, &descriptor, &error);
    FUZZ_CHECK(error.offset_bytes <= size || error.offset_bytes == NDP_NO_OFFSET);
    for (int i = 0; i < 2 && status == NDP_OK; i++) {
        FUZZ_CHECK(ndp_descriptor_print(&text[i], &descriptor) == NDP_OK);
        FUZZ_CHECK(ndp_descriptor_read(&arena, ndp_buffer_view(&text[i]), limits, &descriptor, NULL) == NDP_OK);
        FUZZ_CHECK(i == 0 || ndp_bytes_is_equal(ndp_buffer_view(&text[0]), ndp_buffer_view(&text[1])));
    }
    if (status == NDP_OK && ndp_descriptor_check(&arena, &descriptor, NULL) == NDP_OK)
        run(&descriptor, ndp_hash_bytes(text[0].data, text[0].size_bytes, NDP_HASH_START));
    for (int i = 0; i < 2; i++) ndp_buffer_clear(&text[i]);
    ndp_arena_clear(&arena);
    return 0;
}
