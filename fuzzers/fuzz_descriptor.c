/* fuzz_descriptor.c: a descriptor through the C reference, and through every codec that PLUGIN= built in.
 * Oracle: text that is read prints to text that reads and prints the same; an error names a place in the text. A
 * value that can be built breaks no promise of any property on its way, one route for each input. */
#include "describe/generate.h"
#include "engine/routes.h"
#include "fuzz.h"
#include "target/plugin.h"
#include "target/registry.h"

static struct ndp_bench bench;
static struct ndp_route_list routes;
static struct ndp_batch *batch;

static void open_once(void) {
    uint32_t count;
    const struct ndp_plugin *const *plugins = ndp_plugins(&count);
    for (; bench.count < count && bench.count < NDP_MAX_TARGETS; bench.count++) {
        struct ndp_target **target = &bench.targets[bench.count];
        FUZZ_CHECK(ndp_target_open_plugin(plugins[bench.count], target, NULL) == NDP_OK);
        if (strcmp(plugins[bench.count]->name, "reference") == 0) bench.oracle = *target;
    }
    FUZZ_CHECK(ndp_routes_list(&bench, &(struct ndp_route_filter){0}, &routes) == NDP_OK);
    FUZZ_CHECK(ndp_batch_new(&bench, UINT64_C(1) << 28, &batch) == NDP_OK);
}

/* Runs the case on the `pick`-th, round and round, of the routes that it names. */
static void run(struct ndp_descriptor *descriptor, uint64_t pick) {
    const struct ndp_route *fitting[4096];
    uint32_t count = 0;
    for (uint32_t g = 0; g < routes.count; g++) {
        const struct ndp_route_group *group = &routes.groups[g];
        for (uint32_t i = 0; i < group->count && count < NDP_ARRAY_LEN(fitting); i++) {
            if (group->kind != descriptor->kind) continue;
            if (ndp_route_fits(&descriptor->route, &group->routes[i], &bench)) fitting[count++] = &group->routes[i];
        }
    }
    if (count == 0) return;
    const uint64_t offset_bytes = descriptor->route.offset_bytes;
    descriptor->route = *fitting[pick % count];
    descriptor->route.offset_bytes = offset_bytes;
    descriptor->expect = NDP_EXPECT_OPEN; /* what the text expects may be wrong */
    const struct ndp_result *result;
    const enum ndp_status status = ndp_trial_run(batch, descriptor, 0, &result, NULL);
    FUZZ_CHECK(status != NDP_FAULT && status != NDP_GONE);
    if (status != NDP_OK) return;
    for (uint32_t i = 0; i < result->divergence_count; i++) fprintf(stderr, "%s\n", result->divergences[i].signature);
    if (result->verdict == NDP_VERDICT_FAULT) fprintf(stderr, "%s\n", result->detail);
    FUZZ_CHECK(result->divergence_count == 0 && result->verdict != NDP_VERDICT_FAULT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!batch) open_once();
    struct ndp_arena arena;
    struct ndp_buffer text[2] = {{.max_bytes = UINT64_MAX}, {.max_bytes = UINT64_MAX}};
    struct ndp_descriptor descriptor;
    struct ndp_error error = {.offset_bytes = NDP_NO_OFFSET};
    ndp_arena_init(&arena, UINT64_C(1) << 28);
    struct ndp_bytes input = {ndp_arena_copy(&arena, data, size), size};
    enum ndp_status status = ndp_descriptor_read(&arena, input, &ndp_describe_default_limits, &descriptor, &error);
    for (int i = 0; i < 2 && status == NDP_OK; i++) {
        FUZZ_CHECK(ndp_descriptor_print(&text[i], &descriptor) == NDP_OK);
        FUZZ_CHECK(ndp_descriptor_read(&arena, ndp_buffer_view(&text[i]), &ndp_describe_default_limits, &descriptor,
                                       &error) == NDP_OK);
        FUZZ_CHECK(i == 0 || ndp_bytes_is_equal(ndp_buffer_view(&text[0]), ndp_buffer_view(&text[1])));
    }
    FUZZ_CHECK(error.offset_bytes == NDP_NO_OFFSET || error.offset_bytes <= size);
    if (status == NDP_OK && ndp_descriptor_check(&arena, &descriptor, NULL) == NDP_OK) {
        run(&descriptor, ndp_hash_bytes(text[0].data, text[0].size_bytes, NDP_HASH_START));
    }
    ndp_buffer_clear(&text[0]);
    ndp_buffer_clear(&text[1]);
    ndp_arena_clear(&arena);
    return 0;
}
