#include "engine/blame.h"

#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/case.h"
#include "engine/format_layers.h"
#include "engine/spy_fixture.h"
#include "engine/without_numpy.h"
#include "model/graph/graph.h"

/* ---- targets that fail on demand ---- */

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

static bool has_kind(const struct ndp_graph *graph, enum ndp_node_kind kind) {
    for (uint32_t i = 0; graph != NULL && i < graph->count; i++)
        if (graph->nodes[i].kind == kind) return true;
    return kind == NDP_NODE_COUNT;
}

static bool is_ruled(const struct rule *rule, const struct ndp_program *program, const struct ndp_step *step) {
    if (!ndp_bytes_word_is(step->format, rule->format) || !has_kind(program->graph, rule->with)) return false;
    if (rule->encode == NULL) return step->op == NDP_STEP_DECODE && step->to == NDP_SLOT_RESULT;
    return step->op == NDP_STEP_ENCODE && step->to == NDP_SLOT_ENCODED &&
           (rule->encode[0] == '\0' || ndp_bytes_word_is(step->entry, rule->encode));
}

static void refuse(struct ndp_slot_record *record, const char *message) {
    memset(record, 0, sizeof *record);
    record->state = NDP_SLOT_REFUSED;
    snprintf(record->refusal.type, sizeof record->refusal.type, "ValueError");
    snprintf(record->refusal.message, sizeof record->refusal.message, "%s", message);
}

static void spoil_encoding(const struct faulty *faulty, const struct ndp_program *program,
                           struct ndp_slot_record *encoded) {
    bool is_wrong = false;
    for (uint32_t i = 0; i < program->step_count && faulty->wrong_format != NULL; i++)
        is_wrong = is_wrong || ndp_bytes_word_is(program->steps[i].format, faulty->wrong_format);
    if (!is_wrong || !encoded->has_bytes || encoded->bytes.size_bytes == 0) return;
    ((uint8_t *)(uintptr_t)encoded->bytes.data)[encoded->bytes.size_bytes - 1] ^= 0x55;
}

static void spoil_outcome(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
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
static void open_world(struct world *world, const char *const *libraries, uint32_t count) {
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

static void close_world(struct world *world) {
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

static void add_rule(struct faulty *faulty, struct rule rule) {
    assert_true(faulty->count < MOST_RULES);
    faulty->rules[faulty->count++] = rule;
}

/* The decoder of a target refuses a format. */
static void refuse_format(struct world *world, uint32_t target, const char *format, const char *message) {
    add_rule(&world->faulty[target], (struct rule){format, NULL, message, NDP_NODE_COUNT});
}

/* Runs the case, which must diverge once, and blames it as if `outlier` were the library of its signature (NULL: that
 * which was judged). */
static struct ndp_blame blame(struct world *world, const char *text, const char *outlier) {
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

static void expect_blame(const struct ndp_blame *seen, const char *library, const char *format, const char *evidence) {
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

/* ---- formats with fewer layers ---- */

static void the_order_of_formats_begins_with_copies(void **state) {
    uint32_t count;
    const struct ndp_format_layer *layers = ndp_format_layers(&count);
    assert_string_equal(layers[0].format, "copy");
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(ndp_format_layers_find(layers[i].format), &layers[i]);
        assert_true(layers[i].layers[0] != '\0');
        assert_true(layers[i].is_of_python || !layers[i].is_twice);
    }
    assert_null(ndp_format_layers_find("typed.Dict"));
}

/* The entries of npz belong to another library. */
static void name_archiver(struct world *world) {
    struct ndp_target_info *info = &world->bench.targets[0]->info;
    for (uint32_t i = 0; i < info->entry_count; i++)
        if (ndp_bytes_word_is(info->entries[i].format, "npz"))
            snprintf(info->entries[i].library, NDP_WORD_BYTES, "archiver");
}

static void the_first_format_that_fails_alike_is_blamed(void **state) {
    WORLD(world, "library");
    name_archiver(&world);
    refuse_format(&world, 0, "npy", "field 'a' at 12");
    refuse_format(&world, 0, "npz", "field 'other' at 7");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npz", "t0", "t0"), NULL);
    expect_blame(&seen, "library", "npy", "The same value fails in the same way through npy alone, without npz.");
}

static void a_failure_of_one_format_stays_there(void **state) {
    WORLD(world, "library");
    name_archiver(&world);
    refuse_format(&world, 0, "npz", "no archive");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npz", "t0", "t0"), NULL);
    expect_blame(&seen, "archiver", "npz", "The same value passes through raw, pickle, npy.");
}

static void another_error_is_another_failure(void **state) {
    WORLD(world, "library");
    name_archiver(&world);
    refuse_format(&world, 0, "npy", "no header");
    refuse_format(&world, 0, "npz", "no archive");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npz", "t0", "t0"), NULL);
    expect_blame(&seen, "archiver", "npz", "The same value passes through raw, pickle.");
}

/* A refusal by the encoder and one by the decoder are different failures. */
static void the_other_end_is_another_failure(void **state) {
    WORLD(world, "library");
    add_rule(&world.faulty[0], (struct rule){"npy", "", "no", NDP_NODE_COUNT});
    refuse_format(&world, 0, "npz", "no");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npz", "t0", "t0"), NULL);
    expect_blame(&seen, "library", "npz", "The same value passes through raw, pickle.");
}

static void crafted_bytes_need_no_experiment(void **state) {
    WORLD(world, "library");
    refuse_format(&world, 0, "npy", "no");
    const struct ndp_blame seen = blame(&world,
                                        "{\"ndproof\":1,\"bytes\":\"934e554d5059010076007b276465736372273a20277c753127"
                                        "2c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028292c"
                                        "207d20202020202020202020202020202020202020202020202020202020202020202020202020"
                                        "2020202020202020202020202020202020202020202020200a07\",\"expect\":\"accept\","
                                        "\"properties\":[\"strictness\"],"
                                        "\"route\":{\"format\":\"npy\",\"decode\":\"memory\",\"decoder\":\"t0\"}}",
                                        NULL);
    expect_blame(&seen, "library", "npy", "");
}

/* ---- writer or reader ---- */

static void readers_that_agree_show_that_the_writer_is_wrong(void **state) {
    WORLD(world, "writer", "reader", "witness", "other 2");
    world.faulty[0].wrong_format = "npy";
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "reader");
    expect_blame(&seen, "writer", "npy",
                 "All other readers of the bytes (witness 1, other 2) read the same as reader, so writer wrote them "
                 "wrong.");
}

static void a_reader_that_disagrees_with_all_others_is_wrong(void **state) {
    WORLD(world, "writer", "reader", "witness", "other 2");
    refuse_format(&world, 1, "npy", "no");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "writer");
    expect_blame(&seen, "reader", "npy",
                 "All other readers of the bytes (witness 1, other 2) read what was promised; only reader does not.");
}

/* The reference is one reader among others. */
static void the_reference_can_be_the_reader_that_is_wrong(void **state) {
    WORLD(world, "writer", "reference", "witness");
    refuse_format(&world, 1, "npy", "no");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), NULL);
    expect_blame(&seen, "reference", "npy",
                 "All other readers of the bytes (witness 1) read what was promised; only reference does not.");
}

static void readers_that_disagree_prove_nothing(void **state) {
    WORLD(world, "writer", "reader", "witness", "other 2");
    refuse_format(&world, 1, "npy", "no");
    refuse_format(&world, 2, "npy", "another text");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "reader");
    expect_blame(
        &seen, "reader", "npy",
        "The readers of the bytes disagree: other 2 read what was promised, witness 1 read the same as reader.");
}

/* The writer, and two targets with one library in one version, are no other readers. */
static void one_library_is_one_reader(void **state) {
    WORLD(world, "writer", "reader", "reader", "writer");
    world.faulty[0].wrong_format = "npy";
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "reader");
    expect_blame(&seen, "reader", "npy", "The same value passes through raw, pickle.");
}

static void two_versions_are_two_readers(void **state) {
    WORLD(world, "writer", "reader 1.0", "reader 2.0");
    refuse_format(&world, 1, "npy", "no");
    const struct ndp_blame seen = blame(&world, OF_ARRAY("npy", "t0", "t1"), "writer");
    expect_blame(&seen, "reader", "npy",
                 "All other readers of the bytes (reader 2.0) read what was promised; only reader does not.");
}

/* An encoder that refuses wrote no bytes. */
static void a_refusal_to_write_needs_no_reader(void **state) {
    WORLD(world, "writer", "reader", "witness");
    add_rule(&world.faulty[0], (struct rule){"raw", "", "no", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, OF_ARRAY("raw", "t0", "t1"), NULL);
    expect_blame(&seen, "writer", "raw", "");
}

/* ---- CPython ---- */

#define PICKLE(encode, decode) ",\"encode\":\"" encode "\",\"decode\":\"" decode "\""
#define PICKLED_ARRAY          ARRAY ROUTE("pickle", "t0", "t0", PICKLE("python", "c")) "}"
#define GRAPH(nodes)                                                                                                   \
    "{\"ndproof\":1,\"value\":{\"graph\":{\"root\":0,\"nodes\":" nodes                                                 \
    "}},\"properties\":[\"picklability\"]," ROUTE("pickle", "t0", "t0", PICKLE("c", "c")) "}"
#define SMALL_ARRAY "{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]}}}"

static void run_python(struct world *world, uint32_t target) {
    snprintf(world->bench.targets[target]->info.language, NDP_WORD_BYTES, "CPython 3.11.2");
}

static void one_of_two_picklers_is_of_cpython(void **state) {
    WORLD(world, "numpy");
    run_python(&world, 0);
    add_rule(&world.faulty[0], (struct rule){"pickle", "python", "", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, PICKLED_ARRAY, NULL);
    expect_blame(&seen, "CPython", "pickle",
                 "CPython's pickler \"python\" fails where its other one, \"c\", passes with the same value and calls "
                 "the same methods of NumPy.");
}

static void a_failure_of_both_picklers_is_of_numpy(void **state) {
    WORLD(world, "numpy");
    run_python(&world, 0);
    add_rule(&world.faulty[0], (struct rule){"pickle", "", "", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, PICKLED_ARRAY, NULL);
    assert_string_equal(seen.library, "numpy");
}

static void another_language_has_no_picklers_of_cpython(void **state) {
    WORLD(world, "numpy");
    add_rule(&world.faulty[0], (struct rule){"pickle", "python", "", NDP_NODE_COUNT});
    const struct ndp_blame seen = blame(&world, PICKLED_ARRAY, NULL);
    assert_string_equal(seen.library, "numpy");
}

static void a_failure_without_arrays_is_of_cpython(void **state) {
    WORLD(world, "numpy");
    run_python(&world, 0);
    add_rule(&world.faulty[0], (struct rule){"pickle", "", "", NDP_NODE_DICT});
    const struct ndp_blame seen =
        blame(&world, GRAPH("[{\"list\":[1,2]}," SMALL_ARRAY ",{\"dict\":[[3,1]]},{\"int\":\"0\"}]"), NULL);
    expect_blame(&seen, "CPython", "pickle",
                 "The same failure shows when numbers and lists replace all objects of NumPy.");
}

static void a_failure_of_arrays_only_is_of_numpy(void **state) {
    WORLD(world, "numpy");
    run_python(&world, 0);
    add_rule(&world.faulty[0], (struct rule){"pickle", "", "", NDP_NODE_ARRAY});
    const struct ndp_blame seen = blame(&world, GRAPH("[{\"list\":[1]}," SMALL_ARRAY "]"), NULL);
    assert_string_equal(seen.library, "numpy");
}

/* Without its arrays, the value is a list whose items keep their number, their sharing and their cycles. */
static void arrays_become_numbers_and_lists(void **state) {
    WORLD(world, "numpy");
    struct ndp_error error = {0};
    struct ndp_descriptor descriptor;
    const char *text = GRAPH("[{\"objects\":{\"shape\":[3],\"items\":[1,2,0]}}," SMALL_ARRAY
                             ",{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[1]},\"class\":{\"name\":\"plain\"}},"
                             "\"attributes\":{\"note\":1}}]");
    if (ndp_descriptor_read(&world.arena, ndp_bytes_view(text), &ndp_describe_default_limits, &descriptor, &error) !=
        NDP_OK)
        fail_msg("%s: %s", error.path, error.text);
    const struct ndp_graph *plain = NULL;
    assert_int_equal(ndp_without_numpy_graph(&world.arena, descriptor.value.graph, &plain), NDP_OK);
    assert_non_null(plain);
    assert_int_equal(plain->nodes[0].kind, NDP_NODE_LIST);
    assert_int_equal(plain->nodes[0].edge_count, 3);
    assert_int_equal(plain->nodes[0].edges[2].to, 0);
    assert_int_equal(plain->nodes[1].kind, NDP_NODE_INT);
    assert_int_equal(plain->nodes[2].kind, NDP_NODE_LIST);
    assert_int_equal(plain->nodes[2].edges[0].to, 1);
    const struct ndp_graph lonely = {.root = 1, .count = 2, .nodes = descriptor.value.graph->nodes};
    assert_int_equal(ndp_without_numpy_graph(&world.arena, &lonely, &plain), NDP_OK);
    assert_null(plain);
}

NDP_SUITE(blame_test, NDP_TEST(the_order_of_formats_begins_with_copies),
          NDP_TEST(the_first_format_that_fails_alike_is_blamed), NDP_TEST(a_failure_of_one_format_stays_there),
          NDP_TEST(another_error_is_another_failure), NDP_TEST(the_other_end_is_another_failure),
          NDP_TEST(crafted_bytes_need_no_experiment), NDP_TEST(readers_that_agree_show_that_the_writer_is_wrong),
          NDP_TEST(a_reader_that_disagrees_with_all_others_is_wrong),
          NDP_TEST(the_reference_can_be_the_reader_that_is_wrong), NDP_TEST(readers_that_disagree_prove_nothing),
          NDP_TEST(one_library_is_one_reader), NDP_TEST(two_versions_are_two_readers),
          NDP_TEST(a_refusal_to_write_needs_no_reader), NDP_TEST(one_of_two_picklers_is_of_cpython),
          NDP_TEST(a_failure_of_both_picklers_is_of_numpy), NDP_TEST(another_language_has_no_picklers_of_cpython),
          NDP_TEST(a_failure_without_arrays_is_of_cpython), NDP_TEST(a_failure_of_arrays_only_is_of_numpy),
          NDP_TEST(arrays_become_numbers_and_lists));
