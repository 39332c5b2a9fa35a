/* graph_cases.c: sends bytes that contain a graph of objects through every target that accepts graphs.
 *
 * The engine's decode cases handle arrays only, so this file has its own steps: a target decodes the bytes, encodes
 * the graph, and decodes the encoding. */
#include "runtime/cases.h"

#include "base/text.h"
#include "property/graph_judgement.h"
#include "runtime/counters.h"
#include "runtime/routes_by_cost.h"

enum { FILE_ONE_IN = 16, PROCESS_ONE_IN = 64, CHOICES = 16 };
#define CASE_BYTES (UINT64_C(1) << 28)

/* The entry points of one run; `encode` is NULL for a target that only decodes. */
struct trip {
    const struct ndp_entry *decode, *encode, *again;
};

/* The entry points of a target for graphs of one format in one direction, and their costs. Searching all that a target
 * claims for each input takes as long as reading a small pickle. */
struct choice {
    const struct ndp_target_info *info; /* NULL: not filled */
    char format[NDP_WORD_BYTES];
    bool encodes;
    uint32_t count;
    const struct ndp_entry *entries[NDP_MAX_ENTRIES];
    enum fuzz_cost costs[NDP_MAX_ENTRIES];
};

static void fill_choice(struct choice *choice, const struct ndp_target_info *info, const char *format, bool encodes) {
    *choice = (struct choice){.info = info, .encodes = encodes};
    ndp_text_cut(format, choice->format, sizeof choice->format);
    for (uint32_t i = 0; i < info->entry_count; i++) {
        const struct ndp_entry *entry = &info->entries[i];
        if (!entry->takes_graphs || !(encodes ? entry->encodes : entry->decodes) ||
            !ndp_bytes_word_is(entry->format, format))
            continue;
        choice->costs[choice->count] = fuzz_routes_cost(entry->entry);
        choice->entries[choice->count++] = entry;
    }
}

static const struct choice *find_choice(const struct ndp_target_info *info, const char *format, bool encodes) {
    static struct choice choices[CHOICES];
    static uint32_t next;
    for (uint32_t i = 0; i < CHOICES && choices[i].info; i++)
        if (choices[i].info == info && choices[i].encodes == encodes && ndp_bytes_word_is(choices[i].format, format))
            return &choices[i];
    struct choice *choice = &choices[next++ % CHOICES];
    fill_choice(choice, info, format, encodes);
    return choice;
}

static bool is_fitting(const struct ndp_entry *entry, const struct ndp_entry *like) {
    return like ? entry->protocol == like->protocol && ndp_bytes_word_is(entry->buffers, like->buffers)
                : !ndp_bytes_word_is(entry->buffers, "out-of-band");
}

/* The `pick`-th fitting entry point that costs at most `most`; one that costs more if there is no other. */
static const struct ndp_entry *pick_entry(const struct ndp_target_info *info, const char *format, bool encodes,
                                          const struct ndp_entry *like, enum fuzz_cost most, uint64_t pick) {
    const struct choice *choice = find_choice(info, format, encodes);
    for (uint32_t cost = most; cost < FUZZ_COST_COUNT; cost++) {
        const struct ndp_entry *fitting[NDP_MAX_ENTRIES];
        uint32_t count = 0;
        for (uint32_t i = 0; i < choice->count; i++)
            if (choice->costs[i] <= (enum fuzz_cost)cost && is_fitting(choice->entries[i], like))
                fitting[count++] = choice->entries[i];
        if (count > 0) return fitting[pick % count];
    }
    return NULL;
}

static bool pick_trip(const struct ndp_target_info *info, const char *format, uint64_t pick, struct trip *out) {
    const enum fuzz_cost most = fuzz_is_due(FUZZ_COSTLY_PROCESS, PROCESS_ONE_IN) ? FUZZ_COST_PROCESS
                                : fuzz_is_due(FUZZ_COSTLY_FILE, FILE_ONE_IN)     ? FUZZ_COST_FILE
                                                                                 : FUZZ_COST_MEMORY;
    out->decode = pick_entry(info, format, false, NULL, most, pick);
    out->encode = pick_entry(info, format, true, NULL, most, pick >> 8);
    out->again = out->encode ? pick_entry(info, format, false, out->encode, most, pick >> 16) : NULL;
    return out->decode != NULL;
}

static void add_step(struct ndp_program *program, enum ndp_step_op op, enum ndp_slot from, enum ndp_slot to,
                     const struct ndp_entry *entry) {
    struct ndp_step *step = &program->steps[program->step_count++];
    *step = (struct ndp_step){.op = op, .from = from, .to = to};
    if (!entry) return;
    memcpy(step->format, entry->format, sizeof step->format);
    memcpy(step->entry, entry->entry, sizeof step->entry);
    memcpy(step->buffers, entry->buffers, sizeof step->buffers);
    step->protocol = entry->protocol;
}

static void plan_trip(const struct trip *trip, struct ndp_bytes bytes, struct ndp_program *out) {
    static const struct ndp_node none = {.kind = NDP_NODE_NONE};
    static const struct ndp_graph any = {.count = 1, .nodes = &none};
    ndp_program_clear(out);
    out->graph = &any; /* every observation is of a graph */
    out->supplied = bytes;
    add_step(out, NDP_STEP_SUPPLY, NDP_SLOT_NONE, NDP_SLOT_ENCODED, NULL);
    add_step(out, NDP_STEP_DECODE, NDP_SLOT_ENCODED, NDP_SLOT_RESULT, trip->decode);
    add_step(out, NDP_STEP_OBSERVE, NDP_SLOT_RESULT, NDP_SLOT_RESULT, NULL);
    if (!trip->again) return;
    add_step(out, NDP_STEP_ENCODE, NDP_SLOT_RESULT, NDP_SLOT_REENCODED, trip->encode);
    add_step(out, NDP_STEP_DECODE, NDP_SLOT_REENCODED, NDP_SLOT_AGAIN, trip->again);
    add_step(out, NDP_STEP_OBSERVE, NDP_SLOT_AGAIN, NDP_SLOT_AGAIN, NULL);
}

static bool run(struct ndp_target *target, struct ndp_arena *arena, const struct ndp_program *program,
                struct ndp_outcome *out) {
    struct ndp_error error = {0};
    if (target->ops->submit(target, program, 1, &error) != NDP_OK ||
        target->ops->collect(target, arena, out, 1, &error) != NDP_OK) {
        fuzz_fault("a target could not be opened or restarted", error.text);
        return false;
    }
    if (out->ended == NDP_VERDICT_FAULT)
        fuzz_fault("the harness or a testee failed at its own work", out->fault);
    else
        FUZZ_HOLDS_OF(ndp_program_verdict_word(out->ended), out->ended == NDP_VERDICT_PASS);
    return out->ended == NDP_VERDICT_PASS;
}

/* ---- comparing ---- */

static bool is_same_array(const struct ndp_observation *a, const struct ndp_observation *b) {
    struct ndp_comparison same;
    ndp_equality_clear(&same);
    if (!a->dtype || !b->dtype) return a->dtype == b->dtype;
    ndp_equality_compare_shape(a, b, &same);
    if (same.total == 0) ndp_equality_compare_values(a, b, NDP_MASK_TRAILING_NULS, &same);
    return same.total == 0;
}

/* Files the differences between two observed graphs. joblib writes an array at each reference and so splits a shared
 * one (numpy_pickle.py, NumpyPickler.save); the contract allows that. */
static void compare(struct ndp_arena *arena, const char *what, const struct ndp_graph *first,
                    const struct ndp_graph *second) {
    struct ndp_graph_compare match;
    if (ndp_graph_compare(arena, first, second, &match) != NDP_OK) return;
    bool is_same = true;
    for (uint32_t i = 0; i < match.finding_count; i++)
        is_same = is_same && (match.findings[i].what == NDP_GRAPH_SPLIT || match.findings[i].what == NDP_GRAPH_MERGED);
    for (uint32_t i = 0; i < match.pair_count && is_same; i++) {
        const struct ndp_node *a = &first->nodes[match.pairs[i].expected], *b = &second->nodes[match.pairs[i].got];
        if (a->has_observation && b->has_observation) is_same = is_same_array(&a->observation, &b->observation);
    }
    FUZZ_HOLDS_OF(what, is_same);
    fuzz_valid(match.pair_count);
}

/* Whether a target accepted the bytes, and its observation is complete. */
static bool is_whole(const struct ndp_slot_record *record) {
    return record->state == NDP_SLOT_FILLED && record->graph;
}

/* Whether a testee may read the bytes: the reference read the complete graph, and it contains no code. */
static bool is_safe(const struct ndp_slot_record *witness) {
    for (uint32_t i = 0; is_whole(witness) && i < witness->graph->count; i++) {
        const enum ndp_node_kind kind = witness->graph->nodes[i].kind;
        if (kind == NDP_NODE_OTHER || ndp_graph_judgement_is_of_functions(kind)) return false;
    }
    return is_whole(witness);
}

/* Whether some NaN differs from the one that "nan" denotes: protocol 0 writes floats as text (Lib/pickletools.py,
 * FLOAT). */
static bool has_other_nan(const struct ndp_graph *graph) {
    static const uint8_t nan[8] = {0x7f, 0xf8};
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct ndp_bytes text = graph->nodes[i].text;
        if (graph->nodes[i].kind != NDP_NODE_FLOAT || memcmp(text.data, nan, sizeof nan) == 0) continue;
        const bool is_infinite = memcmp(text.data + 2, nan + 2, 6) == 0 && text.data[1] == 0xf0;
        if ((text.data[0] & 0x7f) == 0x7f && text.data[1] >= 0xf0 && !is_infinite) return true;
    }
    return false;
}

static void judge(struct ndp_arena *arena, const struct ndp_target *target, const struct trip *trip,
                  const struct ndp_slot_record *witness, const struct ndp_outcome *outcome) {
    const struct ndp_slot_record *result = &outcome->slots[NDP_SLOT_RESULT], *again = &outcome->slots[NDP_SLOT_AGAIN];
    const char *name = target->info.implementation;
    if (is_whole(witness) && !fuzz_is_testee(target)) FUZZ_HOLDS_OF(name, result->state != NDP_SLOT_REFUSED);
    if (is_whole(witness) && is_whole(result) && witness != result) compare(arena, name, witness->graph, result->graph);
    if (is_whole(result) && is_whole(again) && (trip->encode->protocol > 0 || !has_other_nan(result->graph)))
        compare(arena, "encoded and decoded again", result->graph, again->graph);
    if (is_whole(result)) FUZZ_HOLDS_OF(name, again->state != NDP_SLOT_REFUSED);
    if (is_whole(result)) fuzz_valid(1);
}

void fuzz_run_graph(const struct fuzz_cases *cases, const char *format, const uint8_t *data, size_t size) {
    static struct ndp_arena arena = {.limit_bytes = CASE_BYTES};
    static struct ndp_program program;
    static struct ndp_outcome outcomes[2]; /* of the reference, and of the target */
    const struct ndp_bench *bench = fuzz_bench(cases);
    const struct ndp_slot_record *witness = &outcomes[0].slots[NDP_SLOT_RESULT];
    struct trip trip;
    const uint64_t pick = fuzz_pick(data, size);
    ndp_arena_reset(&arena);
    if (!pick_trip(&bench->oracle->info, format, pick, &trip)) return;
    plan_trip(&trip, (struct ndp_bytes){data, size}, &program);
    if (!run(bench->oracle, &arena, &program, &outcomes[0])) return;
    judge(&arena, bench->oracle, &trip, witness, &outcomes[0]);
    for (uint32_t i = 0; i < bench->count; i++) {
        struct ndp_target *target = bench->targets[i];
        if (target == bench->oracle || (fuzz_is_testee(target) && !is_safe(witness))) continue;
        const char *named = fuzz_is_testee(target) && cases->testee_format ? cases->testee_format : format;
        if (fuzz_is_testee(target) != cases->with_testee || !pick_trip(&target->info, named, pick, &trip)) continue;
        plan_trip(&trip, (struct ndp_bytes){data, size}, &program);
        if (run(target, &arena, &program, &outcomes[1])) judge(&arena, target, &trip, witness, &outcomes[1]);
    }
}
