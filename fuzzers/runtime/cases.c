/* cases.c: runs one case of a fuzz target on the bench and files what it breaks.
 *
 * A descriptor goes by one route; bytes go to each target that claims their format. Which route, and which costly
 * properties judge the case, follows from the input alone (fuzz_is_due), so that an artifact replays. */
#include "runtime/cases.h"

#include "base/rng.h"
#include "base/text.h"
#include "engine/builtin.h"
#include "engine/dedup.h"
#include "engine/plan.h"
#include "generate/generate.h"
#include "model/array.h"
#include "runtime/counters.h"
#include "runtime/rare_inputs.h"
#include "runtime/routes_by_cost.h"
#include "runtime/runnable_case.h"
#include "runtime/stats.h"

enum { MAX_ROUTES = 12, MAX_CHEAP_ROUTES = 6, FILE_ONE_IN = 16, PROCESS_ONE_IN = 64, PROPERTY_ONE_IN = 16 };
enum { TESTEE_FILE_ONE_IN = 32, TESTEE_PROCESS_ONE_IN = 256, PEAK_ONE_IN = 16, AGAIN_ONE_IN = 4, TWICE_ONE_IN = 16 };
#define CASE_BYTES (UINT64_C(1) << 28)
/* A case stores the source value, the encoding and the decoded value. */
#define VALUE_BYTES (CASE_BYTES / 16)

/* One batch for each result that is still needed when the next case runs. */
enum { WITNESS, FIRST, SECOND, BATCHES };

static struct ndp_bench bench;
static struct ndp_batch *batches[BATCHES];
static struct ndp_dedup dedup;
static bool has_testee;

static void close_all(void) {
    for (size_t i = 0; i < BATCHES; i++) ndp_batch_free(batches[i]);
    fuzz_routes_close();
    ndp_dedup_clear(&dedup);
    fuzz_close_testee(&bench);
    ndp_builtin_close(&bench);
}

struct ndp_bench *fuzz_bench(const struct fuzz_cases *cases) {
    static bool is_open;
    if (is_open) return &bench;
    is_open = true;
    has_testee = cases->with_testee;
    if (has_testee) fuzz_run_once();
    FUZZ_CHECK(ndp_builtin_open(&bench, NULL) == NDP_OK && atexit(close_all) == 0);
    if (has_testee) fuzz_open_testee(&bench);
    for (size_t i = 0; i < BATCHES; i++) FUZZ_CHECK(ndp_batch_new(&bench, CASE_BYTES, &batches[i]) == NDP_OK);
    fuzz_routes_open(&bench, cases);
    fuzz_forget_coverage();
    return &bench;
}

/* ---- judging ---- */

/* A defect that many inputs show becomes a few artifacts. A documented loss becomes no artifact; a testee process that
 * ends always becomes one. */
static void file_divergence(const struct ndp_divergence *divergence) {
    if (divergence->verdict == NDP_VERDICT_DIVERGES && divergence->judgement.severity != NDP_SEVERITY_DEFECT) return;
    const struct ndp_signature *known = ndp_dedup_find(&dedup, divergence);
    char text[NDP_SIGNATURE_BYTES];
    ndp_signature_print(known ? known : &divergence->signature, text);
    FUZZ_CHECK(known || ndp_dedup_add(&dedup, divergence, &divergence->signature) == NDP_OK);
    fuzz_finding(text);
}

/* A case that no target accepted has a reason in its detail; a case that ran without a verdict has none. */
static bool is_executed(const struct ndp_result *result) {
    return result->verdict != NDP_VERDICT_UNSUPPORTED || result->detail[0] == '\0';
}

/* A target of this process reads what it wrote, and the reference takes every value of the kinds that it claims. */
static void check_own(const struct ndp_route *route, enum ndp_case_kind kind, const struct ndp_result *result) {
    const struct ndp_target *from = ndp_bench_find(&bench, route->encoder);
    if (kind != NDP_CASE_ROUND_TRIP || !from || fuzz_is_testee(from) ||
        !ndp_bytes_word_is(route->encoder, route->decoder))
        return;
    if (from == bench.oracle) FUZZ_HOLDS_OF(result->detail, is_executed(result));
    FUZZ_HOLDS_OF("a target does not read what it wrote", !result->is_unread);
}

/* Counts by reason an input that was not executed; the engine does not store it. */
static void count_unexecuted(const char *reason) {
    fuzz_skip_reason(reason);
    if (fuzz_forget_input) fuzz_forget_input();
}

/* Whether a testee's process ended, or went past its time or memory. */
static bool has_process_ended(const struct ndp_result *result) {
    for (uint32_t i = 0; i < result->divergence_count; i++)
        if (result->divergences[i].verdict != NDP_VERDICT_DIVERGES) return true;
    return false;
}

static void judge_result(enum ndp_case_kind kind, const struct ndp_result *result) {
    if (result->verdict == NDP_VERDICT_FAULT) {
        fuzz_fault("the harness or a testee failed at its own work", result->detail);
        return;
    }
    if (!is_executed(result)) {
        count_unexecuted(result->detail);
        return;
    }
    fuzz_observe(result);
    for (uint32_t i = 0; i < result->divergence_count; i++) file_divergence(&result->divergences[i]);
    /* Bytes that are refused are worth less to a mutator. */
    if (kind == NDP_CASE_DECODE && !result->has_result)
        fuzz_compared(result->comparisons);
    else
        fuzz_valid(result->comparisons);
    /* The input is an artifact already. In the corpus, each of its mutations would cost a deadline and a new process.
     */
    if (has_process_ended(result)) fuzz_leave_out();
}

/* ---- choosing ---- */

static enum fuzz_cost cost_of_input(void) {
    if (fuzz_is_due(FUZZ_COSTLY_PROCESS, has_testee ? TESTEE_PROCESS_ONE_IN : PROCESS_ONE_IN)) return FUZZ_COST_PROCESS;
    if (fuzz_is_due(FUZZ_COSTLY_FILE, has_testee ? TESTEE_FILE_ONE_IN : FILE_ONE_IN)) return FUZZ_COST_FILE;
    return FUZZ_COST_MEMORY;
}

/* The properties that judge the case: those that need the source and the result alone, and each other one when it is
 * due. An empty set is every property that the case names, or that there is. */
static struct ndp_property_set properties_of(const struct fuzz_cases *cases, const struct ndp_descriptor *descriptor,
                                             enum fuzz_cost cost) {
    static const uint32_t cheap = 1u << NDP_SLOT_SOURCE | 1u << NDP_SLOT_ENCODED | 1u << NDP_SLOT_RESULT;
    const struct ndp_property_set all = ndp_property_set_all(false);
    const struct ndp_property *property;
    struct ndp_property_set chosen = {0};
    if (descriptor->property_count > 0 || (has_testee && cost > FUZZ_COST_MEMORY)) return chosen;
    for (uint32_t at = 0; (property = ndp_property_set_next(all, &at)) != NULL; at++) {
        const bool is_cheap = (property->needs & ~cheap) == 0;
        const bool is_due = !has_testee && !cases->is_light &&
                            ndp_property_applies(property, descriptor->kind, descriptor->value.kind) &&
                            fuzz_is_due(FUZZ_COSTLY_PROPERTY + at, PROPERTY_ONE_IN);
        if (is_cheap || is_due) ndp_property_set_add(&chosen, property);
    }
    return chosen;
}

/* The slots of the other entry points that this input does not compare with: half of them in this process, and those
 * that need a process of their own unless the input may cost that. */
static uint32_t left_out_slots(const struct ndp_route *route, enum fuzz_cost most) {
    static const uint32_t halves[] = {1u << NDP_SLOT_PEER2 | 1u << NDP_SLOT_PEER3,
                                      1u << NDP_SLOT_PEER0 | 1u << NDP_SLOT_PEER1};
    const struct ndp_target *from = ndp_bench_find(&bench, route->encoder);
    const struct ndp_target *to = ndp_bench_find(&bench, route->decoder);
    struct ndp_peers peers = {0};
    uint32_t slots = has_testee ? 0 : halves[fuzz_is_due(FUZZ_COSTLY_PEERS, 2)];
    if (!from || !to || route->is_transport || most == FUZZ_COST_PROCESS) return slots;
    ndp_plan_peers(route, &from->info, &to->info, &peers);
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(peers.decode) && peers.decode[i]; i++)
        if (fuzz_routes_cost(peers.decode[i]) == FUZZ_COST_PROCESS) slots |= 1u << (NDP_SLOT_PEER0 + i);
    if (peers.encode && fuzz_routes_cost(peers.encode) == FUZZ_COST_PROCESS) slots |= 1u << NDP_SLOT_PEER_ENCODED;
    return slots;
}

/* ---- running ---- */

/* Stores an input for which a testee ran a rare path, together with its route: after a mutation, the route that the
 * text selects may be another one. */
static void keep_if_rare(const struct ndp_descriptor *tried) {
    struct ndp_buffer text = {.max_bytes = 1 << 20};
    struct fuzz_reach reach;
    if (!fuzz_rare_reach(fuzz_counted(), &reach)) return;
    if (tried->bytes.size_bytes > 0)
        fuzz_rare_keep(&reach, tried->bytes);
    else if (ndp_descriptor_print(&text, tried) == NDP_OK)
        fuzz_rare_keep(&reach, ndp_buffer_view(&text));
    ndp_buffer_clear(&text);
}

/* A generated value may be refused for lack of memory alone. */
static bool is_justified(enum ndp_status status) {
    return status == NDP_LIMIT || status == NDP_NOMEM;
}

/* Runs the case on the first route from the `pick`-th on that executes it. Returns the result (borrows the batch), or
 * NULL, and *why then is the reason. */
static const struct ndp_result *run(const struct fuzz_cases *cases, struct ndp_batch *batch,
                                    const struct ndp_descriptor *descriptor, uint64_t pick, struct ndp_error *why) {
    const enum fuzz_cost cost = cost_of_input();
    const struct ndp_property_set properties = properties_of(cases, descriptor, cost);
    const struct ndp_result *result = NULL;
    const struct ndp_route *last = NULL;
    bench.without_peaks = !ndp_property_set_is_empty(properties) && !fuzz_is_due(FUZZ_COSTLY_PEAK, PEAK_ONE_IN);
    bench.reads_once = !fuzz_is_due(FUZZ_COSTLY_TWICE, TWICE_ONE_IN);
    for (uint64_t i = 0; i < MAX_ROUTES && (!result || !is_executed(result)); i++) {
        struct ndp_descriptor tried = *descriptor;
        const struct ndp_route *route =
            fuzz_routes_pick(descriptor, i < MAX_CHEAP_ROUTES ? cost : FUZZ_COST_PROCESS, pick + i);
        if (!route) {
            (void)ndp_error_set(why, NDP_UNSUPPORTED, NDP_NO_OFFSET, "no route for such a case");
            return NULL;
        }
        if (route == last) break; /* it is the only one */
        last = route;
        tried.route = *route;
        tried.route.offset_bytes = descriptor->route.offset_bytes;
        tried.expect = fuzz_expected_of(&tried);
        bench.without_slots =
            !ndp_property_set_is_empty(properties) || cost != FUZZ_COST_PROCESS ? left_out_slots(route, cost) : 0;
        const enum ndp_status status = ndp_batch_run_one(batch, 0, &tried, properties, &result, why);
        if (status != NDP_OK) {
            FUZZ_HOLDS_OF(why->text, !fuzz_is_typed() || is_justified(status));
            return NULL;
        }
        check_own(route, descriptor->kind, result);
    }
    if (result && is_executed(result)) keep_if_rare(ndp_batch_descriptor(batch, 0));
    return result;
}

/* The same, judged. */
static const struct ndp_result *run_judged(const struct fuzz_cases *cases, const struct ndp_descriptor *descriptor,
                                           uint64_t pick) {
    struct ndp_error why = {0};
    const struct ndp_result *result = run(cases, batches[FIRST], descriptor, pick, &why);
    if (result)
        judge_result(descriptor->kind, result);
    else
        count_unexecuted(why.text);
    return result;
}

/* ---- descriptors ---- */

/* Reads the text and shrinks a large value before it is built for the check. */
static enum ndp_status parse_descriptor(struct ndp_arena *arena, struct ndp_bytes text, struct ndp_descriptor *out,
                                        bool *has_other_size) {
    struct ndp_describe_limits limits = ndp_describe_default_limits;
    limits.value_bytes = VALUE_BYTES;
    NDP_TRY(ndp_descriptor_read(arena, text, &limits, out, NULL));
    NDP_TRY(fuzz_make_smaller(arena, out, has_other_size));
    return ndp_descriptor_check(arena, out, NULL);
}

/* A generated text must be readable; only its size may be a reason to refuse it. */
static void check_refused(struct ndp_arena *arena, struct ndp_bytes text, enum ndp_status status) {
    struct ndp_descriptor drawn;
    ndp_arena_reset(arena);
    if (FUZZ_HOLDS(ndp_descriptor_read(arena, text, &ndp_describe_default_limits, &drawn, NULL) == NDP_OK))
        FUZZ_HOLDS(is_justified(status));
}

/* Rewrites a case that no route can take. If it was rewritten, here or before, its text becomes the input. */
static enum ndp_status make_runnable(struct ndp_arena *arena, const struct fuzz_cases *cases, bool has_other_size,
                                     struct ndp_descriptor *descriptor, struct ndp_bytes *input) {
    struct ndp_buffer text = {.max_bytes = 1 << 20};
    bool has_other_classes;
    const bool has_no_fault = fuzz_remove_impossible_fault(arena, cases, descriptor);
    NDP_TRY(fuzz_replace_missing_classes(arena, &bench, descriptor, &has_other_classes));
    if (!has_other_size && !has_no_fault && !has_other_classes) return NDP_OK;
    const enum ndp_status status = ndp_descriptor_print(&text, descriptor);
    const uint8_t *copy = status == NDP_OK ? ndp_arena_copy(arena, text.data, text.size_bytes) : NULL;
    if (copy) *input = (struct ndp_bytes){copy, text.size_bytes};
    ndp_buffer_clear(&text);
    if (copy) fuzz_runs_instead(input->data, (size_t)input->size_bytes);
    return copy || status != NDP_OK ? status : NDP_NOMEM;
}

static const struct ndp_result *run_text(struct ndp_arena *arena, const struct fuzz_cases *cases,
                                         struct ndp_bytes input, uint64_t *pick) {
    struct ndp_descriptor descriptor;
    bool has_other_size;
    const enum ndp_status status = parse_descriptor(arena, input, &descriptor, &has_other_size);
    if (fuzz_is_typed() && status != NDP_OK) check_refused(arena, input, status);
    if (status != NDP_OK || make_runnable(arena, cases, has_other_size, &descriptor, &input) != NDP_OK) {
        count_unexecuted("the input is not a descriptor");
        return NULL;
    }
    fuzz_forget_coverage();
    *pick = fuzz_pick(input.data, (size_t)input.size_bytes);
    /* Replaces a route that does not exist here by any other one. */
    if (!fuzz_routes_pick(&descriptor, FUZZ_COST_PROCESS, 0)) descriptor.route = (struct ndp_route){.format = ""};
    return run_judged(cases, &descriptor, *pick);
}

const struct ndp_result *fuzz_run_descriptor(const struct fuzz_cases *cases, const uint8_t *data, size_t size) {
    static struct ndp_arena arena = {.limit_bytes = CASE_BYTES};
    uint64_t pick;
    (void)fuzz_bench(cases);
    ndp_arena_reset(&arena);
    return run_text(&arena, cases, (struct ndp_bytes){data, size}, &pick);
}

/* ---- values on a second route ---- */

/* Sends a decoded array, whose result is `from`, by another route, which `next` names in part, and files broken
 * promises. Returns the result, or NULL if nothing ran. */
static const struct ndp_result *send_again(const struct fuzz_cases *cases, struct ndp_batch *from,
                                           struct ndp_descriptor *next, uint64_t pick) {
    struct ndp_error why = {0};
    next->kind = NDP_CASE_ROUND_TRIP;
    if (ndp_array_value_from_observation(ndp_batch_arena(from), &ndp_batch_result(from, 0)->result,
                                         &next->value.array) != NDP_OK)
        return NULL;
    const struct ndp_result *result = run(cases, batches[SECOND], next, pick, &why);
    if (!result || !is_executed(result)) return NULL;
    for (uint32_t i = 0; i < result->divergence_count; i++) file_divergence(&result->divergences[i]);
    fuzz_valid(result->comparisons);
    return result;
}

/* Files a difference between what arrived by one route and by another. */
static void compare(const char *what, const struct ndp_observation *first, const struct ndp_observation *second) {
    struct ndp_comparison same;
    ndp_equality_clear(&same);
    if (first->dtype == NULL || second->dtype == NULL) return;
    ndp_equality_compare_shape(first, second, &same);
    if (same.total == 0) ndp_equality_compare_values(first, second, NDP_MASK_TRAILING_NULS, &same);
    FUZZ_HOLDS_OF(what, same.total == 0);
    fuzz_valid(same.comparisons);
}

static bool is_plain_array(const struct ndp_result *result) {
    return result && result->has_result && result->result.dtype && !ndp_dtype_has_object(result->result.dtype);
}

void fuzz_run_transcoding(const struct fuzz_cases *cases, const uint8_t *data, size_t size) {
    static struct ndp_arena arena = {.limit_bytes = CASE_BYTES};
    struct ndp_descriptor next = {.route = {.format = ""}};
    uint64_t pick = 0;
    (void)fuzz_bench(cases);
    ndp_arena_reset(&arena);
    const struct ndp_result *first = run_text(&arena, cases, (struct ndp_bytes){data, size}, &pick);
    if (!is_plain_array(first)) return;
    next.value.array.base.dtype = first->result.dtype;
    const char *from = ndp_batch_descriptor(batches[FIRST], 0)->route.format;
    for (uint64_t i = 0; i < MAX_ROUTES && next.route.format[0] == '\0'; i++) {
        const struct ndp_route *route = fuzz_routes_pick(&next, FUZZ_COST_MEMORY, (pick >> 8) + i);
        if (route && strcmp(route->format, from) != 0) next.route = *route;
    }
    const struct ndp_result *second = send_again(cases, batches[FIRST], &next, pick);
    if (second && second->has_result) compare(from, &first->result, &second->result);
}

void fuzz_run_array(const struct fuzz_cases *cases, const struct ndp_array_value *value, uint64_t offset_bytes,
                    const uint8_t *data, size_t size) {
    (void)fuzz_bench(cases);
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP, .value.array = *value};
    descriptor.route.offset_bytes = offset_bytes;
    (void)run_judged(cases, &descriptor, fuzz_pick(data, size));
}

/* ---- bytes ---- */

/* Whether the target claims to read anything of this format. */
static bool reads_format(const struct ndp_target *target, const char *format) {
    for (uint32_t i = 0; i < target->info.entry_count; i++)
        if (target->info.entries[i].decodes && ndp_bytes_word_is(target->info.entries[i].format, format)) return true;
    return false;
}

/* Whether the target claims what the reference read out of the bytes: another one may refuse them. */
static bool claims_result(const struct ndp_target *target, const struct ndp_result *result) {
    const struct ndp_observation *seen = result->has_promised ? &result->promised : NULL;
    if (!seen || !seen->dtype) return true;
    for (int kind = 0; kind < NDP_KIND_COUNT; kind++)
        if (ndp_dtype_has_kind(seen->dtype, (enum ndp_kind)kind) && !strchr(target->info.kinds, ndp_kind_codes[kind]))
            return false;
    return seen->ndim <= target->info.max_ndim;
}

/* Decodes the bytes in one target by one of its entry points; an accepted value makes a round trip through the target.
 */
static const struct ndp_result *run_bytes_in(const struct fuzz_cases *cases, const struct ndp_target *target,
                                             struct ndp_descriptor *decode, uint64_t pick) {
    struct ndp_batch *batch = batches[target == bench.oracle ? WITNESS : FIRST];
    struct ndp_error why = {0};
    memcpy(decode->route.decoder, target->info.name, sizeof decode->route.decoder);
    const struct ndp_result *result = run(cases, batch, decode, pick, &why);
    if (!result || !claims_result(target, result)) return NULL;
    judge_result(decode->kind, result);
    if (!is_plain_array(result) || fuzz_is_testee(target) || !fuzz_is_due(FUZZ_COSTLY_AGAIN, AGAIN_ONE_IN))
        return result;
    struct ndp_descriptor again = {.route = decode->route};
    memcpy(again.route.encoder, target->info.name, sizeof again.route.encoder);
    (void)send_again(cases, batch, &again, pick >> 8);
    return result;
}

void fuzz_run_bytes(const struct fuzz_cases *cases, const char *format, const uint8_t *data, size_t size) {
    struct ndp_descriptor decode = {.kind = NDP_CASE_DECODE, .bytes = {data, size}};
    const struct ndp_bench *targets = fuzz_bench(cases);
    const struct ndp_result *witness = NULL;
    const uint64_t pick = fuzz_pick(data, size);
    ndp_text_cut(format, decode.route.format, sizeof decode.route.format);
    if (!has_testee || cases->is_program) witness = run_bytes_in(cases, targets->oracle, &decode, pick);
    for (uint32_t i = 0; i < targets->count; i++) {
        const struct ndp_target *target = targets->targets[i];
        if (target == targets->oracle || fuzz_is_testee(target) != has_testee || !reads_format(target, format))
            continue;
        if (has_testee && cases->is_program && !is_plain_array(witness)) continue;
        const struct ndp_result *result = run_bytes_in(cases, target, &decode, pick);
        /* Without a witness of the engine, the reference's reading is compared here. */
        if (is_plain_array(result) && is_plain_array(witness) && !result->has_promised)
            compare(target->info.implementation, &witness->result, &result->result);
    }
}
