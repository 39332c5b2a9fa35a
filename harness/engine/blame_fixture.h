/* blame_fixture.h: a bench of targets in this process that refuse, or write wrong bytes, on demand. */
#ifndef NDP_BLAME_FIXTURE_H
#define NDP_BLAME_FIXTURE_H

#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/blame.h"
#include "engine/spy_fixture.h"
#include "model/graph/graph.h"

enum { MOST_TARGETS = 4, MOST_RULES = 4 };

/* A target refuses what all words of a rule name; "" names everything. */
struct rule {
    const char *format;
    const char *encode; /* an entry of the encoder, which then refuses; NULL: the decoder refuses */
    const char *message;
    enum ndp_node_kind with; /* only graphs with a node of this kind; COUNT: any value */
};

struct faulty {
    struct spy spy; /* first: spoil_outcome depends on it */
    struct rule rules[MOST_RULES];
    uint32_t count;
    const char *wrong_format; /* the last byte of its encodings is wrong; NULL: none */
};

static inline bool has_kind(const struct ndp_graph *graph, enum ndp_node_kind kind) {
    for (uint32_t i = 0; graph != NULL && i < graph->count; i++)
        if (graph->nodes[i].kind == kind) return true;
    return kind == NDP_NODE_COUNT;
}

static inline bool is_ruled(const struct rule *rule, const struct ndp_program *program, const struct ndp_step *step) {
    if (!ndp_bytes_word_is(step->format, rule->format) || !has_kind(program->graph, rule->with)) return false;
    if (rule->encode == NULL) return step->op == NDP_STEP_DECODE && step->to == NDP_SLOT_RESULT;
    return step->op == NDP_STEP_ENCODE && step->to == NDP_SLOT_ENCODED &&
           (rule->encode[0] == '\0' || ndp_bytes_word_is(step->entry, rule->encode));
}

static inline void refuse(struct ndp_slot_record *record, const char *message) {
    memset(record, 0, sizeof *record);
    record->state = NDP_SLOT_REFUSED;
    snprintf(record->refusal.type, sizeof record->refusal.type, "ValueError");
    snprintf(record->refusal.message, sizeof record->refusal.message, "%s", message);
}

static inline void spoil_encoding(const struct faulty *faulty, const struct ndp_program *program,
                                  struct ndp_slot_record *encoded) {
    bool is_wrong = false;
    for (uint32_t i = 0; i < program->step_count && faulty->wrong_format != NULL; i++)
        is_wrong = is_wrong || ndp_bytes_word_is(program->steps[i].format, faulty->wrong_format);
    if (!is_wrong || !encoded->has_bytes || encoded->bytes.size_bytes == 0) return;
    ((uint8_t *)(uintptr_t)encoded->bytes.data)[encoded->bytes.size_bytes - 1] ^= 0x55;
}

static inline void spoil_outcome(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    const struct faulty *faulty = (const struct faulty *)(const void *)spy;
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct ndp_step *step = &program->steps[i];
        for (uint32_t k = 0; k < faulty->count; k++) {
            if (!is_ruled(&faulty->rules[k], program, step)) continue;
            refuse(&outcome->slots[step->to], faulty->rules[k].message);
            if (step->to == NDP_SLOT_ENCODED)
                memset(&outcome->slots[NDP_SLOT_RESULT], 0, sizeof outcome->slots[NDP_SLOT_RESULT]);
        }
    }
    spoil_encoding(faulty, program, &outcome->slots[NDP_SLOT_ENCODED]);
}

struct world {
    struct ndp_bench bench;
    struct faulty faulty[MOST_TARGETS];
    struct ndp_batch *batch;
    struct ndp_batch *experiments;
    struct ndp_arena arena;
};

/* Opens a target of each library ("name" or "name version"); the targets are called "t0", "t1", ... */
static inline void open_world(struct world *world, const char *const *libraries, uint32_t count) {
    struct ndp_error error = {0};
    memset(world, 0, sizeof *world);
    world->bench.count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct ndp_target **target = &world->bench.targets[i];
        assert_int_equal(ndp_target_open_plugin(reference_plugin(), target, &error), NDP_OK);
        struct ndp_target_info *info = &(*target)->info;
        const size_t length = strcspn(libraries[i], " ");
        snprintf(info->name, NDP_WORD_BYTES, "t%u", (unsigned)i);
        snprintf(info->implementation, NDP_WORD_BYTES, "%.*s", (int)length, libraries[i]);
        snprintf(info->version, NDP_WORD_BYTES, "%s", libraries[i][length] != '\0' ? libraries[i] + length + 1 : "1");
        info->library_count = 0;
        for (uint32_t k = 0; k < info->entry_count; k++) info->entries[k].library[0] = '\0';
        spy_on(&world->faulty[i].spy, *target);
        world->faulty[i].spy.spoil = spoil_outcome;
    }
    assert_int_equal(ndp_target_open_plugin(reference_plugin(), &world->bench.oracle, &error), NDP_OK);
    assert_int_equal(ndp_batch_new(&world->bench, ARENA_BYTES, &world->batch), NDP_OK);
    assert_int_equal(ndp_batch_new(&world->bench, ARENA_BYTES, &world->experiments), NDP_OK);
    ndp_arena_init(&world->arena, ARENA_BYTES);
}

static inline void close_world(struct world *world) {
    ndp_batch_free(world->batch);
    ndp_batch_free(world->experiments);
    for (uint32_t i = 0; i < world->bench.count; i++) ndp_target_close(world->bench.targets[i]);
    ndp_target_close(world->bench.oracle);
    ndp_arena_clear(&world->arena);
}

#define WORLD(name, ...)                                                                                               \
    const char *const name##_libraries[] = {__VA_ARGS__};                                                              \
    struct world name __attribute__((cleanup(close_world)));                                                           \
    open_world(&name, name##_libraries, (uint32_t)NDP_ARRAY_LEN(name##_libraries))

static inline void add_rule(struct faulty *faulty, struct rule rule) {
    assert_true(faulty->count < MOST_RULES);
    faulty->rules[faulty->count++] = rule;
}

/* The decoder of a target refuses a format. */
static inline void refuse_format(struct world *world, uint32_t target, const char *format, const char *message) {
    add_rule(&world->faulty[target], (struct rule){format, NULL, message, NDP_NODE_COUNT});
}

/* Runs the case, which must diverge once, and blames it as if `outlier` were the library of its signature (NULL: that
 * which was judged). */
static inline struct ndp_blame blame(struct world *world, const char *text, const char *outlier) {
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor = {.kind = NDP_CASE_ROUND_TRIP};
    const struct ndp_result *result = NULL;
    struct ndp_blame out = {.library = "not filled"};
    if (ndp_descriptor_read(&world->arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) !=
            NDP_OK ||
        ndp_batch_run_one(world->batch, 0, &descriptor, (struct ndp_property_set){0}, &result, &error) != NDP_OK)
        fail_msg("%s: %s", error.path, error.text);
    assert_int_equal(result->divergence_count, 1);
    struct ndp_divergence divergence = result->divergences[0];
    if (outlier != NULL) snprintf(divergence.signature.outlier, NDP_WORD_BYTES, "%s", outlier);
    if (ndp_blame_find(world->experiments, &descriptor, &divergence, &out, &error) != NDP_OK)
        fail_msg("%s", error.text);
    return out;
}

static inline void expect_blame(const struct ndp_blame *seen, const char *library, const char *format,
                                const char *evidence) {
    assert_string_equal(seen->library, library);
    assert_string_equal(seen->format, format);
    assert_string_equal(seen->evidence, evidence);
}

#define ROUTE(format, encoder, decoder, rest)                                                                          \
    "\"route\":{\"format\":\"" format "\",\"encoder\":\"" encoder "\",\"decoder\":\"" decoder "\"" rest "}"
#define MEMORY ",\"encode\":\"memory\",\"decode\":\"memory\""
#define ARRAY                                                                                                          \
    "{\"ndproof\":1,\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2],\"data\":{\"pattern\":\"index\"}}" \
    "}"                                                                                                                \
    "},\"properties\":[\"values\"],"
#define OF_ARRAY(format, encoder, decoder) ARRAY ROUTE(format, encoder, decoder, MEMORY) "}"

#define PICKLE(encode, decode) ",\"encode\":\"" encode "\",\"decode\":\"" decode "\""
#define PICKLED_ARRAY          ARRAY ROUTE("pickle", "t0", "t0", PICKLE("python", "c")) "}"
#define GRAPH(nodes)                                                                                                   \
    "{\"ndproof\":1,\"value\":{\"graph\":{\"root\":0,\"nodes\":" nodes                                                 \
    "}},\"properties\":[\"picklability\"]," ROUTE("pickle", "t0", "t0", PICKLE("c", "c")) "}"
#define SMALL_ARRAY "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]}}}"

/* The target runs CPython. */
static inline void run_python(struct world *world, uint32_t target) {
    snprintf(world->bench.targets[target]->info.language, NDP_WORD_BYTES, "CPython 3.11.2");
}

#endif
