#include "runtime/routes_by_cost.h"

#include "codec/compress/compress.h"
#include "engine/routes.h"
#include "runtime/counters.h"

enum { MAX_FORMATS = 16 };

/* The kinds of cargo. A target may take arrays but no object arrays; bytes use the routes of arrays. */
enum cargo { CARGO_ARRAY, CARGO_OBJECTS, CARGO_GRAPH, CARGO_DICT, CARGO_COUNT };

static const struct ndp_bench *bench;
static struct ndp_route_list routes[CARGO_COUNT][FUZZ_COST_COUNT]; /* each with all routes of at most this cost */

enum fuzz_cost fuzz_routes_cost(const char *entry) {
    static const char *const in_memory[] = {"", "memory", "c", "object", "dumps", "here"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(in_memory); i++)
        if (ndp_bytes_word_is(entry, in_memory[i])) return FUZZ_COST_MEMORY;
    const bool is_process = ndp_bytes_word_is(entry, "fresh") || ndp_compress_find(entry) != NDP_COMPRESS_NONE;
    return is_process ? FUZZ_COST_PROCESS : FUZZ_COST_FILE;
}

static enum cargo cargo_of(const struct ndp_descriptor *descriptor) {
    const struct ndp_value *value = &descriptor->value;
    if (descriptor->kind == NDP_CASE_DECODE) return CARGO_ARRAY;
    if (value->kind == NDP_VALUE_GRAPH) return CARGO_GRAPH;
    if (value->kind == NDP_VALUE_DICT) return CARGO_DICT;
    return ndp_dtype_has_object(value->array.base.dtype) ? CARGO_OBJECTS : CARGO_ARRAY;
}

static bool claims_objects(const struct ndp_target_info *info) {
    return strchr(info->kinds, ndp_kind_codes[NDP_KIND_OBJECT]) != NULL;
}

/* Whether the targets of the route claim to take such a value. */
static bool takes_cargo(const struct ndp_route_group *group, const struct ndp_route *route, enum cargo cargo) {
    static const enum ndp_value_kind kinds[] = {NDP_VALUE_ARRAY, NDP_VALUE_ARRAY, NDP_VALUE_GRAPH, NDP_VALUE_DICT};
    const struct ndp_target_info *from = &group->encoder->info, *to = &group->decoder->info;
    if (group->kind == NDP_CASE_DECODE) return cargo == CARGO_ARRAY;
    if (cargo == CARGO_OBJECTS && !(claims_objects(from) && claims_objects(to))) return false;
    return ndp_route_takes(from, to, route, kinds[cargo]);
}

/* A testee that decodes its own encoding has no peer and takes twice as long, so it costs as much as a file. */
static enum fuzz_cost cost_of(const struct ndp_route_group *group, const struct ndp_route *route) {
    const bool is_testee_alone = fuzz_is_testee(group->encoder) && group->encoder == group->decoder &&
                                 group->kind == NDP_CASE_ROUND_TRIP && !group->is_transport;
    const enum fuzz_cost encode = fuzz_routes_cost(route->encode), decode = fuzz_routes_cost(route->decode);
    const enum fuzz_cost both = encode > decode ? encode : decode;
    return is_testee_alone && both == FUZZ_COST_MEMORY ? FUZZ_COST_FILE : both;
}

/* Fills `list` with the routes that take such a value at most at this cost. For a program format, the reference
 * decodes first. */
static void keep_routes(struct ndp_route_list *list, const struct fuzz_cases *cases, enum cargo cargo,
                        enum fuzz_cost most) {
    for (uint32_t i = 0; i < list->count; i++) {
        struct ndp_route_group *group = &list->groups[i];
        const bool is_wanted = !cases->with_testee || fuzz_is_testee(group->encoder) ||
                               fuzz_is_testee(group->decoder) || (cases->is_program && group->kind == NDP_CASE_DECODE);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < group->count; k++) {
            const struct ndp_route *route = &group->routes[k];
            if (is_wanted && takes_cargo(group, route, cargo) && cost_of(group, route) <= most)
                group->routes[kept++] = *route;
        }
        group->count = kept;
    }
}

void fuzz_routes_open(const struct ndp_bench *on, const struct fuzz_cases *cases) {
    struct ndp_route_filter filter = {.formats = cases->formats};
    bench = on;
    while (cases->formats && filter.format_count < MAX_FORMATS && cases->formats[filter.format_count])
        filter.format_count++;
    for (uint32_t cargo = 0; cargo < CARGO_COUNT; cargo++) {
        for (uint32_t cost = 0; cost < FUZZ_COST_COUNT; cost++) {
            struct ndp_route_list *list = &routes[cargo][cost];
            FUZZ_CHECK(ndp_routes_list(bench, &filter, list) == NDP_OK && list->count > 0);
            keep_routes(list, cases, (enum cargo)cargo, (enum fuzz_cost)cost);
        }
    }
}

void fuzz_routes_close(void) {
    for (size_t i = 0; i < CARGO_COUNT * FUZZ_COST_COUNT; i++) ndp_routes_clear(&routes[0][0] + i);
}

const struct ndp_route *fuzz_routes_pick(const struct ndp_descriptor *descriptor, enum fuzz_cost most, uint64_t pick) {
    struct ndp_route_list *const lists = routes[cargo_of(descriptor)];
    const struct ndp_route *route = NULL;
    for (uint32_t cost = most; cost < FUZZ_COST_COUNT && !route; cost++)
        route = ndp_routes_pick(&lists[cost], bench, descriptor->kind, &descriptor->route, pick);
    return route;
}
