#include "cases.h"

#include "base/rng.h"
#include "counters.h"
#include "describe/generate.h"
#include "engine/builtin.h"
#include "engine/known.h"
#include "frontier.h"

enum { MAX_FORMATS = 16, MAX_ROUTES = 12, HEAVY_ONE_IN = 32 };
#define CASE_BYTES (UINT64_C(1) << 28)

static struct ndp_bench bench;
static struct ndp_route_list routes;
static struct ndp_batch *batches[2]; /* the second for what is sent on */
static struct ndp_known known;

static void close_all(void) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(batches); i++) ndp_batch_free(batches[i]);
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
    for (size_t i = 0; i < NDP_ARRAY_LEN(batches); i++)
        FUZZ_CHECK(ndp_batch_new(&bench, CASE_BYTES, &batches[i]) == NDP_OK);
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

/* A case that no target took says why. One that ran, and of which nobody can tell what is right, says nothing. */
static bool is_executed(const struct ndp_result *result) {
    return result->verdict != NDP_VERDICT_UNSUPPORTED || result->detail[0] == '\0';
}

static void judge(const struct ndp_result *result) {
    fuzz_observe(result);
    if (!FUZZ_HOLDS_OF("the harness or a testee failed at its own work", result->verdict != NDP_VERDICT_FAULT)) return;
    for (uint32_t i = 0; i < result->divergence_count; i++) file(&result->divergences[i]);
    if (is_executed(result)) fuzz_valid(result->comparisons);
}

/* The properties that need no more than the source and the result. */
static uint32_t light_properties(void) {
    static const uint32_t light = 1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_ENCODED | 1u << NDP_SLOT_RESULT;
    static uint32_t mask;
    uint32_t count;
    const struct ndp_property *const *all = ndp_properties(&count);
    for (uint32_t i = 0; i < count && i < 32; i++)
        if ((all[i]->needs & ~light) == 0) mask |= 1u << i;
    return mask;
}

/* The `pick`-th route that the case names; one of its kind when there is none of this name here. Files, maps and what
 * needs many steps take twenty times as long as memory does: most inputs go by memory where they name nothing. */
static const struct ndp_route *route_of(const struct ndp_descriptor *descriptor, uint64_t pick, bool is_light) {
    const enum ndp_case_kind kind = descriptor->kind;
    struct ndp_route named = descriptor->route;
    if (is_light && !named.encode[0]) memcpy(named.encode, "memory", sizeof "memory");
    if (is_light && !named.decode[0]) memcpy(named.decode, "memory", sizeof "memory");
    const struct ndp_route *route = ndp_routes_pick(&routes, &bench, kind, &named, pick);
    if (!route) route = ndp_routes_pick(&routes, &bench, kind, &descriptor->route, pick);
    return route ? route : ndp_routes_pick(&routes, &bench, kind, &(struct ndp_route){0}, pick);
}

/* What made a testee do something new is kept as it ran: a route that follows from the text would be another one after
 * the smallest change. */
static void keep_if_new(const struct ndp_descriptor *tried) {
    struct ndp_buffer text = {.max_bytes = 1 << 20};
    if (!fuzz_counts_news()) return;
    if (tried->bytes.size_bytes > 0)
        fuzz_frontier_keep(tried->bytes);
    else if (ndp_descriptor_print(&text, tried) == NDP_OK)
        fuzz_frontier_keep(ndp_buffer_view(&text));
    ndp_buffer_clear(&text);
}

/* Runs the case on one of the routes that it names: the first from the `pick`-th on that takes such a value. What its
 * text expects may be wrong and does not count. Gives the result (borrows `batch`), or NULL when nothing ran. */
static const struct ndp_result *run(struct ndp_batch *batch, const struct ndp_descriptor *descriptor, uint64_t pick) {
    const bool is_light = pick % HEAVY_ONE_IN != 0;
    const uint32_t properties = is_light && descriptor->property_count == 0 ? light_properties() : 0;
    const struct ndp_result *result = NULL;
    struct ndp_descriptor tried;
    for (uint64_t i = 0; i < MAX_ROUTES && (!result || !is_executed(result)); i++) {
        tried = *descriptor;
        const struct ndp_route *route = route_of(descriptor, pick / HEAVY_ONE_IN + i, is_light && i == 0);
        if (!route) return NULL;
        tried.route = *route;
        tried.expect = NDP_EXPECT_OPEN;
        if (ndp_trial_run(batch, &tried, properties, &result, NULL) != NDP_OK) return NULL;
    }
    judge(result);
    keep_if_new(&tried);
    return result;
}

static bool parse(struct ndp_arena *arena, const uint8_t *data, size_t size, struct ndp_descriptor *out) {
    const struct ndp_bytes text = {data, size};
    return ndp_descriptor_read(arena, text, &ndp_describe_default_limits, out, NULL) == NDP_OK &&
           ndp_descriptor_check(arena, out, NULL) == NDP_OK;
}

void fuzz_run_descriptor(const struct fuzz_cases *cases, const uint8_t *data, size_t size) {
    open_once(cases);
    static struct ndp_arena arena = {.limit_bytes = CASE_BYTES};
    struct ndp_descriptor descriptor;
    if (parse(&arena, data, size, &descriptor)) {
        fuzz_forget_coverage();
        run(batches[0], &descriptor, ndp_hash_bytes(data, size, NDP_HASH_START));
    }
    ndp_arena_reset(&arena);
}

/* Sends what arrived on by a route of another format, and compares. */
static void send_on(const struct ndp_result *first, uint64_t pick) {
    const struct ndp_observation *seen = &first->result;
    const char *from = ndp_batch_descriptor(batches[0], 0)->route.format;
    struct ndp_descriptor next = {.kind = NDP_CASE_ROUND_TRIP};
    next.value.array.base = (struct ndp_base){.dtype = seen->dtype, .ndim = seen->ndim, .shape = seen->shape};
    next.value.array.base.data = (struct ndp_data){.pattern = NDP_PATTERN_HEX, .bytes = seen->elements};
    for (uint64_t i = 0; i < MAX_ROUTES; i++) {
        const struct ndp_route *route = route_of(&next, pick + i, true);
        if (!route || strcmp(route->format, from) == 0) continue;
        next.route = *route;
        break;
    }
    const struct ndp_result *second = run(batches[1], &next, pick);
    struct ndp_comparison same = {0};
    if (!second || !second->has_result || second->result.dtype == NULL) return;
    ndp_compare_shape(seen, &second->result, &same);
    ndp_compare_values(seen, &second->result, NDP_MASK_TRAILING_NULS, &same);
    FUZZ_HOLDS_OF(from, same.total == 0);
    fuzz_valid(same.comparisons);
}

void fuzz_run_transcoding(const struct fuzz_cases *cases, const uint8_t *data, size_t size) {
    open_once(cases);
    static struct ndp_arena arena = {.limit_bytes = CASE_BYTES};
    struct ndp_descriptor descriptor;
    const uint64_t pick = ndp_hash_bytes(data, size, NDP_HASH_START);
    if (parse(&arena, data, size, &descriptor)) {
        fuzz_forget_coverage();
        const struct ndp_result *first = run(batches[0], &descriptor, pick);
        if (first && first->has_result && first->result.dtype && !ndp_dtype_has_object(first->result.dtype))
            send_on(first, pick >> 8);
    }
    ndp_arena_reset(&arena);
}

const struct ndp_result *fuzz_run_bytes(const struct fuzz_cases *cases, const char *format, const uint8_t *data,
                                        size_t size) {
    open_once(cases);
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_DECODE, .bytes = {data, size}};
    snprintf(descriptor.route.format, sizeof descriptor.route.format, "%s", format);
    return run(batches[0], &descriptor, ndp_hash_bytes(data, size, NDP_HASH_START));
}
