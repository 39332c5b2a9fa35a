#include "runtime/cases.h"

#include "base/rng.h"
#include "codec/compress/compress.h"
#include "engine/builtin.h"
#include "engine/dedup.h"
#include "engine/plan.h"
#include "generate/generate.h"
#include "runtime/counters.h"
#include "runtime/fit.h"
#include "runtime/frontier.h"
#include "runtime/large.h"
#include "runtime/unexecuted.h"

enum { MAX_FORMATS = 16, MAX_ROUTES = 12, MAX_LIGHT_ROUTES = 6, HEAVY_ONE_IN = 32, WIDE_ONE_IN = 16, TURNS = 8 };
enum { DEAR_ONE_IN = 4, DEAR_WITH_TESTEE_ONE_IN = 8, ALONE_ONE_IN = 8 };
/* Files, maps, compressors and new processes take twenty times as long as memory does: most inputs go by memory. joblib
 * has files alone: one that is open is as near to memory as they come. */
enum weight { WEIGHT_LIGHT, WEIGHT_ANY, WEIGHT_COUNT };
#define CASE_BYTES (UINT64_C(1) << 28)
/* A case holds a value several times: as it was, as it is, encoded, and what came back. */
#define VALUE_BYTES (CASE_BYTES / 16)

/* What travels: not every end that takes arrays takes those of objects. Bytes are with arrays. */
enum cargo { CARGO_ARRAY, CARGO_OBJECTS, CARGO_GRAPH, CARGO_DICT, CARGO_COUNT };

static struct ndp_bench bench;
static struct ndp_route_list routes[CARGO_COUNT][WEIGHT_COUNT];
static struct ndp_batch *batches[2]; /* the second for what is sent on */
static struct ndp_dedup dedup;
static uint64_t wide_one_in; /* goes by any route that takes it */
static uint64_t dear_one_in; /* of those goes by the dearest, too */
static uint32_t turn;        /* of TURNS, two for each heavy property: which judges an input that does; TURNS: none */
static bool takes_no_turns;  /* all of them do */

static void close_all(void) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(batches); i++) ndp_batch_free(batches[i]);
    for (size_t i = 0; i < CARGO_COUNT * WEIGHT_COUNT; i++) ndp_routes_clear(&routes[0][0] + i);
    ndp_dedup_clear(&dedup);
    fuzz_close_testee(&bench);
    ndp_builtin_close(&bench);
}

/* It ends with the process. */
static void open_bench(bool with_testee) {
    FUZZ_CHECK(ndp_builtin_open(&bench, NULL) == NDP_OK && atexit(close_all) == 0);
    if (with_testee) fuzz_open_testee(&bench);
    for (size_t i = 0; i < NDP_ARRAY_LEN(batches); i++)
        FUZZ_CHECK(ndp_batch_new(&bench, CASE_BYTES, &batches[i]) == NDP_OK);
}

static bool is_light_way(const char *entry) {
    static const char *const words[] = {"", "memory", "c", "object", "dumps", "here"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(words); i++)
        if (ndp_word_is(entry, words[i])) return true;
    return false;
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

/* Whether the route may take such a value at all: what its targets claim of it. */
static bool takes(const struct ndp_route_group *group, const struct ndp_route *route, enum cargo cargo) {
    static const enum ndp_value_kind kinds[] = {[CARGO_GRAPH] = NDP_VALUE_GRAPH, [CARGO_DICT] = NDP_VALUE_DICT};
    const struct ndp_target_info *from = &group->encoder->info, *to = &group->decoder->info;
    if (group->kind == NDP_CASE_DECODE) return cargo == CARGO_ARRAY;
    if (cargo == CARGO_OBJECTS && !(claims_objects(from) && claims_objects(to))) return false;
    return ndp_route_takes(from, to, route, cargo < NDP_ARRAY_LEN(kinds) ? kinds[cargo] : NDP_VALUE_ARRAY);
}

/* Leaves in `list` what takes such a value, and of that what goes by memory when `weight` says so. */
static void keep(struct ndp_route_list *list, bool with_testee, enum cargo cargo, enum weight weight) {
    for (uint32_t i = 0; i < list->count; i++) {
        struct ndp_route_group *group = &list->groups[i];
        const bool is_wanted = !with_testee || fuzz_is_testee(group->encoder) || fuzz_is_testee(group->decoder);
        uint32_t kept = 0;
        for (uint32_t k = 0; k < group->count; k++) {
            const struct ndp_route *route = &group->routes[k];
            const bool is_light = is_light_way(route->encode) && is_light_way(route->decode);
            if (is_wanted && takes(group, route, cargo) && (weight == WEIGHT_ANY || is_light))
                group->routes[kept++] = *route;
        }
        group->count = kept;
    }
}

static void open_once(const struct fuzz_cases *cases) {
    static bool is_open;
    if (is_open) return;
    is_open = true;
    open_bench(cases->with_testee);
    /* What is heavy in a testee is ten milliseconds. */
    wide_one_in = cases->with_testee ? HEAVY_ONE_IN : WIDE_ONE_IN;
    dear_one_in = cases->with_testee ? DEAR_WITH_TESTEE_ONE_IN : DEAR_ONE_IN;
    takes_no_turns = cases->with_testee;
    struct ndp_route_filter filter = {.formats = cases->formats};
    while (cases->formats && filter.format_count < MAX_FORMATS && cases->formats[filter.format_count])
        filter.format_count++;
    for (uint32_t cargo = 0; cargo < CARGO_COUNT; cargo++) {
        for (uint32_t weight = 0; weight < WEIGHT_COUNT; weight++) {
            struct ndp_route_list *list = &routes[cargo][weight];
            FUZZ_CHECK(ndp_routes_list(&bench, &filter, list) == NDP_OK && list->count > 0);
            keep(list, cases->with_testee, (enum cargo)cargo, (enum weight)weight);
        }
    }
}

/* A defect that shows in ten thousand ways is an artifact a few times. A loss that is documented is none; the end of a
 * testee is one, whoever is to blame. */
static void file(const struct ndp_divergence *divergence) {
    if (divergence->verdict == NDP_VERDICT_DIVERGES && divergence->judgement.severity != NDP_SEVERITY_DEFECT) return;
    const struct ndp_signature *known = ndp_dedup_find(&dedup, divergence);
    char text[NDP_SIGNATURE_BYTES];
    ndp_signature_print(known ? known : &divergence->signature, text);
    FUZZ_CHECK(known || ndp_dedup_add(&dedup, divergence, &divergence->signature) == NDP_OK);
    fuzz_finding(text);
}

/* A case that no target took says why. One that ran, and of which nobody can tell what is right, says nothing. */
static bool is_executed(const struct ndp_result *result) {
    return result->verdict != NDP_VERDICT_UNSUPPORTED || result->detail[0] == '\0';
}

/* What a target of this process claims to take, it writes, and reads what it has written. */
static void check_own(const struct ndp_route *route, enum ndp_case_kind kind, const struct ndp_result *result) {
    const struct ndp_target *from = ndp_bench_find(&bench, route->encoder);
    if (kind != NDP_CASE_ROUND_TRIP || !from || fuzz_is_testee(from) || !ndp_word_is(route->encoder, route->decoder))
        return;
    FUZZ_HOLDS_OF(result->detail, is_executed(result));
    FUZZ_HOLDS_OF("a target does not read what it wrote", !result->is_unread);
}

/* What was not executed is counted by its reason, and nothing is made of it. */
static void leave(const char *reason) {
    fuzz_unexecuted(reason);
    fuzz_forget_input();
}

/* Whether a testee died, did not end in time, or went past its memory. */
static bool has_ended(const struct ndp_result *result) {
    for (uint32_t i = 0; i < result->divergence_count; i++)
        if (result->divergences[i].verdict != NDP_VERDICT_DIVERGES) return true;
    return false;
}

static void judge(const struct ndp_result *result) {
    if (result->verdict == NDP_VERDICT_FAULT) {
        fuzz_fault("the harness or a testee failed at its own work", result->detail);
        return;
    }
    if (!is_executed(result)) {
        leave(result->detail);
        return;
    }
    fuzz_observe(result);
    for (uint32_t i = 0; i < result->divergence_count; i++) file(&result->divergences[i]);
    fuzz_valid(result->comparisons);
    /* It is an artifact, and nothing to go on from: whatever is made of it may take a deadline and a start of a testee,
     * and a corpus that keeps it takes them at each of its starts. */
    if (has_ended(result)) fuzz_leave_out();
}

/* The properties that need no more than the source and the result. Each of the others takes as long as all of these: an
 * input that goes any way is judged by one of them, what somebody has chosen by each in its turn. */
static struct ndp_property_set properties_of(const struct ndp_descriptor *descriptor, bool is_wide) {
    static const uint32_t light = 1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_ENCODED | 1u << NDP_SLOT_RESULT;
    const struct ndp_property_set all = ndp_property_set_all(false);
    const struct ndp_property *property;
    struct ndp_property_set chosen = {0};
    uint32_t heavy = 0;
    if (descriptor->property_count > 0 || (is_wide && takes_no_turns)) return chosen;
    for (uint32_t at = 0; (property = ndp_property_set_next(all, &at)) != NULL; at++) {
        const bool is_light = (property->needs & ~light) == 0;
        const bool is_due = !is_light && is_wide &&
                            ndp_property_applies(property, descriptor->kind, descriptor->value.kind) &&
                            heavy++ == turn / 2;
        if (is_light || is_due) ndp_property_set_add(&chosen, property);
    }
    return chosen;
}

/* Four other ways to decode take longer than all else: half of them in one turn, half in the other. */
static uint32_t unasked_peers(void) {
    static const uint32_t halves[] = {1u << NDP_SLOT_PEER2 | 1u << NDP_SLOT_PEER3,
                                      1u << NDP_SLOT_PEER0 | 1u << NDP_SLOT_PEER1};
    return halves[turn % NDP_ARRAY_LEN(halves)];
}

/* The `pick`-th route that the case names, of those that take its value; one of any name when there is none of this
 * name here. */
static const struct ndp_route *route_of(const struct ndp_descriptor *descriptor, uint64_t pick, bool is_light) {
    const enum ndp_case_kind kind = descriptor->kind;
    const enum cargo cargo = cargo_of(descriptor);
    static const struct ndp_route any;
    const struct ndp_route *const named[] = {&descriptor->route, &any};
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(named); i++) {
        const struct ndp_route *route = NULL;
        if (is_light) route = ndp_routes_pick(&routes[cargo][WEIGHT_LIGHT], &bench, kind, named[i], pick);
        if (!route) route = ndp_routes_pick(&routes[cargo][WEIGHT_ANY], &bench, kind, named[i], pick);
        if (route) return route;
    }
    return NULL;
}

/* A new process, or the tables of a compressor, take as long as twenty cases that go any other way: most inputs that
 * would meet one go another way. */
static bool is_dear_way(const char *entry) {
    return ndp_word_is(entry, "fresh") || ndp_compress_find(entry) != NDP_COMPRESS_NONE;
}

static bool goes_dear_ways(uint64_t pick) {
    return (pick >> 32) % dear_one_in == 0;
}

/* The places of those among the other ways that a property compares with. */
static uint32_t dear_peers(const struct ndp_route *route) {
    const struct ndp_target *from = ndp_bench_find(&bench, route->encoder);
    const struct ndp_target *to = ndp_bench_find(&bench, route->decoder);
    struct ndp_peers peers = {0};
    uint32_t slots = 0;
    if (!from || !to || route->is_transport) return 0;
    ndp_plan_peers(route, &from->info, &to->info, &peers);
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(peers.decode) && peers.decode[i]; i++)
        if (is_dear_way(peers.decode[i])) slots |= 1u << (NDP_SLOT_PEER0 + i);
    if (peers.encode && is_dear_way(peers.encode)) slots |= 1u << NDP_SLOT_PEER_ENCODED;
    return slots;
}

/* A testee that reads what it has written takes twice as long, and tells of itself alone: what stands beside it is what
 * a target compares it with, and goes with most inputs. */
static bool is_testee_alone(const struct ndp_route *route) {
    const struct ndp_target *from = ndp_bench_find(&bench, route->encoder);
    return from && fuzz_is_testee(from) && ndp_word_is(route->encoder, route->decoder);
}

static bool is_seldom(const struct ndp_route *route, uint64_t pick) {
    if (takes_no_turns && (pick >> 40) % ALONE_ONE_IN != 0 && is_testee_alone(route)) return true;
    return !goes_dear_ways(pick) && (is_dear_way(route->encode) || is_dear_way(route->decode));
}

/* The same for one attempt after another. Where the case names none, it goes the dearest ways seldom. */
static const struct ndp_route *way_of(const struct ndp_descriptor *descriptor, uint64_t pick, uint64_t attempt,
                                      bool is_light) {
    enum { STRIDE = 61, TRIES = 8 };
    uint64_t at = pick / HEAVY_ONE_IN + attempt;
    const struct ndp_route *route = route_of(descriptor, at, is_light);
    const bool is_free = descriptor->route.encode[0] == '\0';
    for (uint32_t i = 0; is_free && i < TRIES && route && is_seldom(route, pick); i++) {
        at += STRIDE;
        route = route_of(descriptor, at, is_light);
    }
    return route;
}

/* What made a testee do something rare is kept as it ran: a route that follows from the text would be another one after
 * the smallest change. */
static void keep_if_rare(const struct ndp_descriptor *tried) {
    struct ndp_buffer text = {.max_bytes = 1 << 20};
    struct fuzz_reach reach;
    if (!fuzz_frontier_reach(fuzz_counted(), &reach)) return;
    if (tried->bytes.size_bytes > 0)
        fuzz_frontier_keep(&reach, tried->bytes);
    else if (ndp_descriptor_print(&text, tried) == NDP_OK)
        fuzz_frontier_keep(&reach, ndp_buffer_view(&text));
    ndp_buffer_clear(&text);
}

/* What was drawn is refused for want of memory alone, and only where a second look at its shapes says that it may be.
 * What bytes say of themselves is for the decoders' own targets. */
static bool is_justified(enum ndp_status status, const struct ndp_descriptor *drawn) {
    const bool has_own_bytes = drawn->bytes.size_bytes > 0 || drawn->file[0] != '\0';
    return (status == NDP_LIMIT || status == NDP_NOMEM) && (has_own_bytes || fuzz_is_large(&drawn->value, VALUE_BYTES));
}

static enum ndp_status run_once(struct ndp_batch *batch, const struct ndp_descriptor *descriptor,
                                struct ndp_property_set properties, const struct ndp_result **result,
                                struct ndp_error *error) {
    ndp_batch_clear(batch);
    NDP_TRY(ndp_batch_add(batch, 0, descriptor, properties, error));
    NDP_TRY(ndp_batch_start(batch, error));
    NDP_TRY(ndp_batch_finish(batch, error));
    *result = ndp_batch_result(batch, 0);
    return NDP_OK;
}

/* Runs the case on one of the routes that it names: the first from the `pick`-th on that takes such a value. Gives the
 * result (borrows `batch`), or NULL when nothing ran. */
static const struct ndp_result *run(struct ndp_batch *batch, const struct ndp_descriptor *descriptor, uint64_t pick) {
    const bool is_wide = pick % wide_one_in == 0;
    const struct ndp_property_set properties = properties_of(descriptor, is_wide);
    const bool is_chosen = !ndp_property_set_is_empty(properties);
    const struct ndp_result *result = NULL;
    const struct ndp_route *last = NULL;
    struct ndp_descriptor tried;
    struct ndp_error error = {0};
    const uint32_t unasked = is_chosen ? unasked_peers() : 0;
    bench.without_peaks = is_chosen && !(is_wide && turn / 2 == TURNS / 2 - 1);
    for (uint64_t i = 0; i < MAX_ROUTES && (!result || !is_executed(result)); i++) {
        tried = *descriptor;
        const bool is_near = !is_wide && i < MAX_LIGHT_ROUTES;
        const struct ndp_route *route = way_of(descriptor, pick, i, is_near);
        if (route && route == last) break; /* there is one alone */
        last = route;
        if (!route) {
            leave(descriptor->kind == NDP_CASE_DECODE ? "no route for such bytes" : "no route for such a value");
            return NULL;
        }
        tried.route = *route;
        tried.expect = fuzz_fit_expect(&tried);
        const bool is_spared = is_wide && takes_no_turns && !goes_dear_ways(pick);
        bench.without_slots = unasked | (is_spared ? dear_peers(route) : 0);
        const enum ndp_status status = run_once(batch, &tried, properties, &result, &error);
        if (status != NDP_OK) {
            FUZZ_HOLDS_OF(error.text, !fuzz_is_typed() || is_justified(status, descriptor));
            leave(error.text);
            return NULL;
        }
        check_own(route, descriptor->kind, result);
    }
    judge(result);
    if (is_executed(result)) keep_if_rare(&tried);
    return result;
}

/* What an input leads to, and its turn. */
static uint64_t pick_of(const struct fuzz_cases *cases, const uint8_t *data, size_t size) {
    turn = cases->is_light || takes_no_turns ? TURNS : fuzz_way(data, size, TURNS);
    return fuzz_pick(data, size);
}

/* Reads the text; what is large is made small before it is built to be checked. */
static enum ndp_status parse(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_descriptor *out,
                             bool *has_other_size) {
    struct ndp_describe_limits limits = ndp_describe_default_limits;
    limits.value_bytes = VALUE_BYTES;
    NDP_TRY(ndp_descriptor_read(arena, text, &limits, out, NULL));
    NDP_TRY(fuzz_fit_size(arena, fuzz_pick(text.data, (size_t)text.size_bytes), out, has_other_size));
    return ndp_descriptor_check(arena, out, NULL);
}

/* What was drawn is read, but for its size, and was refused for that alone. */
static void check_refused(struct ndp_arena *arena, struct ndp_bytes text, enum ndp_status status) {
    struct ndp_descriptor drawn;
    ndp_arena_reset(arena);
    if (FUZZ_HOLDS(ndp_descriptor_read(arena, text, &ndp_describe_default_limits, &drawn, NULL) == NDP_OK))
        FUZZ_HOLDS(is_justified(status, &drawn));
}

/* Rewrites a case that no route can take; its text, then, or that of a case that was large, is the input. */
static enum ndp_status fit(struct ndp_arena *arena, const struct fuzz_cases *cases, bool has_other_size,
                           struct ndp_descriptor *descriptor, struct ndp_bytes *input) {
    struct ndp_buffer text = {.max_bytes = 1 << 20};
    bool has_other_classes;
    const bool has_no_fault = fuzz_fit_fault(arena, cases, descriptor);
    NDP_TRY(fuzz_fit_classes(arena, &bench, descriptor, &has_other_classes));
    if (!has_other_size && !has_no_fault && !has_other_classes) return NDP_OK;
    const enum ndp_status status = ndp_descriptor_print(&text, descriptor);
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(arena, text.data, text.size_bytes) : NULL;
    if (copy) *input = (struct ndp_bytes){copy, text.size_bytes};
    ndp_buffer_clear(&text);
    if (copy) fuzz_runs_instead(input->data, (size_t)input->size_bytes);
    return copy || status != NDP_OK ? status : NDP_NOMEM;
}

/* Reads the case and runs it. Gives its result, or NULL when nothing ran; *pick is what chose its route. */
static const struct ndp_result *run_text(struct ndp_arena *arena, const struct fuzz_cases *cases,
                                         struct ndp_bytes input, uint64_t *pick) {
    struct ndp_descriptor descriptor;
    bool has_other_size;
    const enum ndp_status status = parse(arena, input, &descriptor, &has_other_size);
    if (fuzz_is_typed() && status != NDP_OK) check_refused(arena, input, status);
    if (status != NDP_OK || fit(arena, cases, has_other_size, &descriptor, &input) != NDP_OK) {
        leave("it is no descriptor");
        return NULL;
    }
    fuzz_forget_coverage();
    *pick = pick_of(cases, input.data, (size_t)input.size_bytes);
    return run(batches[0], &descriptor, *pick);
}

const struct ndp_result *fuzz_run_descriptor(const struct fuzz_cases *cases, const uint8_t *data, size_t size) {
    open_once(cases);
    static struct ndp_arena arena = {.limit_bytes = CASE_BYTES};
    uint64_t pick;
    ndp_arena_reset(&arena);
    return run_text(&arena, cases, (struct ndp_bytes){data, size}, &pick);
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
    struct ndp_comparison same;
    ndp_comparison_clear(&same);
    if (!second || !second->has_result || second->result.dtype == NULL) return;
    ndp_compare_shape(seen, &second->result, &same);
    ndp_compare_values(seen, &second->result, NDP_MASK_TRAILING_NULS, &same);
    FUZZ_HOLDS_OF(from, same.total == 0);
    fuzz_valid(same.comparisons);
}

void fuzz_run_transcoding(const struct fuzz_cases *cases, const uint8_t *data, size_t size) {
    open_once(cases);
    static struct ndp_arena arena = {.limit_bytes = CASE_BYTES};
    uint64_t pick = 0;
    const struct ndp_result *first = run_text(&arena, cases, (struct ndp_bytes){data, size}, &pick);
    if (first && first->has_result && first->result.dtype && !ndp_dtype_has_object(first->result.dtype))
        send_on(first, pick >> 8);
    ndp_arena_reset(&arena);
}

const struct ndp_result *fuzz_run_bytes(const struct fuzz_cases *cases, const char *format, const uint8_t *data,
                                        size_t size) {
    open_once(cases);
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_DECODE, .bytes = {data, size}};
    snprintf(descriptor.route.format, sizeof descriptor.route.format, "%s", format);
    return run(batches[0], &descriptor, pick_of(cases, data, size));
}
