
#include "base/suite.h"
#include "base/temporary.h"
#include "engine/bench_fixture.h"
#include "engine/case.h"

#define ENDS         "\"encoder\":\"one\",\"decoder\":\"one\"}}"
#define NPY          "\"route\":{\"format\":\"npy\",\"encode\":\"memory\",\"decode\":\"memory\"," ENDS
#define RAW          "\"route\":{\"format\":\"raw\",\"encode\":\"memory\",\"decode\":\"memory\"," ENDS
#define ARRAY(base)  "{\"value\":{\"array\":{\"base\":{" base "}}},"
#define GRAPH(node)  "{\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[1]}," node "]}},"
#define PICKLE       "\"route\":{\"format\":\"pickle\",\"protocol\":4,\"encode\":\"c\",\"decode\":\"c\"," ENDS
#define SMALL        ARRAY("\"dtype\":\"|u1\",\"shape\":[2]")
#define DECODE(what) "{" what ",\"route\":{\"format\":\"npy\",\"decode\":\"memory\",\"decoder\":\"one\"}}"
#define FAULT(named) DECODE("\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]}}},\"fault\":{" named "}")

/* Adds and prepares one case. */
static enum ndp_status prepare(struct fixture *fixture, const char *text, struct ndp_case **out,
                               struct ndp_error *error) {
    const struct ndp_descriptor descriptor = fixture_read(fixture, text);
    ndp_batch_clear(fixture->batch);
    NDP_TRY(ndp_batch_add(fixture->batch, 7, &descriptor, (struct ndp_property_set){0}, error));
    *out = &fixture->batch->cases[0];
    return ndp_case_prepare(fixture->batch, *out, error);
}

static struct ndp_case *prepared(struct fixture *fixture, const char *text) {
    struct ndp_case *item = NULL;
    struct ndp_error error = {0};
    if (prepare(fixture, text, &item, &error) != NDP_OK) fail_msg("%s: %s", text, error.text);
    return item;
}

static void an_unclaimed_case_is_unsupported(void **state) {
    static const struct {
        const char *text;
        const char *detail; /* NULL: claimed */
    } rows[] = {
        {SMALL NPY, NULL},
        {GRAPH("{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]}}}") PICKLE, NULL},
        {ARRAY("\"dtype\":\"<c8\",\"shape\":[2]") NPY, "one does not claim kind c"},
        {ARRAY("\"dtype\":\"|u1\",\"shape\":[1,1,1,1]") NPY, "one does not claim 4 dimensions"},
        {ARRAY("\"dtype\":\"|u1\",\"shape\":[65]") NPY, "one does not claim values of this size"},
        {SMALL "\"route\":{\"format\":\"npy\",\"encode\":\"never\",\"decode\":\"memory\"," ENDS,
         "the route is not claimed"},
        {SMALL "\"route\":{\"format\":\"npy\",\"encode\":\"memory\",\"decode\":\"mapped\"," ENDS,
         "the route is not claimed"},
        {SMALL "\"route\":{\"format\":\"pickle\",\"protocol\":9,\"encode\":\"c\",\"decode\":\"c\"," ENDS,
         "the route is not claimed"},
        {GRAPH("{\"list\":[]}") RAW, "the route takes no graphs"},
        {GRAPH("{\"array\":{\"base\":{\"dtype\":\"<c8\",\"shape\":[2]}}}") PICKLE, "one does not claim kind c"},
        {"{\"value\":{\"dict\":{}}," NPY, "the route takes no dicts"},
        {SMALL "\"route\":{\"transport\":\"dict\",\"backend\":\"locked\"," ENDS, "the route takes dicts only"},
        {"{\"value\":{\"dict\":{}},\"route\":{\"transport\":\"dict\",\"backend\":\"locked\"," ENDS, NULL},
        {DECODE("\"bytes\":\"00\""), NULL},
        {"{\"bytes\":\"00\",\"route\":{\"format\":\"npy\",\"decode\":\"mapped\",\"decoder\":\"one\"}}",
         "the route is not claimed"},
    };
    FIXTURE(fixture, reference_plugin(), NULL);
    struct ndp_target_info *info = &fixture.bench.targets[0]->info;
    snprintf(info->kinds, sizeof info->kinds, "biuf");
    info->max_ndim = 3;
    info->max_value_bytes = 64;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_case *item = prepared(&fixture, rows[i].text);
        const bool is_claimed = item->result.verdict != NDP_VERDICT_UNSUPPORTED;
        if (is_claimed != (rows[i].detail == NULL)) fail_msg("%s: %s", rows[i].text, item->result.detail);
        if (!is_claimed) assert_string_equal(item->result.detail, rows[i].detail);
    }
}

static void lists_of_scalars_may_be_all_that_a_route_takes(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    struct ndp_target_info *info = &fixture.bench.targets[0]->info;
    for (uint32_t i = 0; i < info->entry_count; i++) info->entries[i].takes_scalars = info->entries[i].takes_graphs;
    assert_string_equal(prepared(&fixture, GRAPH("{\"list\":[]}") PICKLE)->result.detail,
                        "the route takes only lists of scalars");
    assert_int_not_equal(prepared(&fixture, GRAPH("{\"int\":\"7\"}") PICKLE)->result.verdict, NDP_VERDICT_UNSUPPORTED);
}

static void classes_need_their_library_at_both_ends(void **state) {
    static const char *const quantity =
        GRAPH("{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[2]},\"class\":{\"name\":\"Quantity\"}},"
              "\"attributes\":{\"unit\":2}},{\"text\":\"m\"}") PICKLE;
    FIXTURE(fixture, reference_plugin(), NULL);
    struct ndp_target_info *info = &fixture.bench.targets[0]->info;
    const struct ndp_case *item = prepared(&fixture, quantity);
    assert_int_equal(item->result.verdict, NDP_VERDICT_UNSUPPORTED);
    assert_string_equal(item->result.detail, "one has no astropy");
    info->libraries[info->library_count++] = (struct ndp_library){.name = "astropy", .version = "6.0"};
    assert_int_equal(prepared(&fixture, quantity)->result.verdict, NDP_VERDICT_PASS);
}

static void the_expectation_of_an_array_is_its_model(void **state) {
    static const uint8_t bytes[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}; /* numpy.arange(4, dtype=">i4") */
    FIXTURE(fixture, reference_plugin(), NULL);
    const struct ndp_case *item =
        prepared(&fixture, ARRAY("\"dtype\":\">i4\",\"shape\":[2,2],\"data\":{\"pattern\":\"index\"}") PICKLE);
    assert_true(item->has_model && !item->has_graph && !item->is_transport);
    assert_int_equal(item->base_bytes.size_bytes, sizeof bytes);
    assert_memory_equal(item->base_bytes.data, bytes, sizeof bytes);
    assert_memory_equal(item->expected.elements.data, bytes, sizeof bytes);
    assert_int_equal(item->promised.ndim, 2);
    assert_string_equal(item->peers.decode[0], "python");
    assert_string_equal(item->peers.encode, "python");
}

static void the_input_of_a_decode_case_is_read(void **state) {
    struct fixture fixture;
    char folder[256], path[320];
    snprintf(folder, sizeof folder, "%s/ndproof-prepare-XXXXXX", ndp_temporary_parent());
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/two.npy", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("\x93NUMPY\1\0\x76\0", 1, 10, file), 10);
    assert_int_equal(fprintf(file, "%-117s\n12", "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }"), 120);
    assert_int_equal(fclose(file), 0);
    fixture_open(&fixture, reference_plugin(), NULL);
    fixture.bench.corpus = folder;

    const struct ndp_case *item = prepared(&fixture, DECODE("\"bytes\":\"934e55\""));
    assert_int_equal(item->bytes.size_bytes, 3);
    assert_false(item->has_model);
    item = prepared(&fixture, DECODE("\"file\":\"two.npy\""));
    assert_int_equal(item->bytes.size_bytes, 130);
    assert_memory_equal(item->bytes.data + 126, " \n12", 4);
    assert_int_equal(item->oracle->slots[NDP_SLOT_RESULT].state, NDP_SLOT_FILLED);
    /* A fault also corrupts supplied bytes. */
    item = prepared(&fixture, DECODE("\"file\":\"two.npy\",\"fault\":{\"name\":\"keep\",\"argument\":129}"));
    assert_int_equal(item->bytes.size_bytes, 129);
    assert_int_equal(item->oracle->slots[NDP_SLOT_RESULT].state, NDP_SLOT_REFUSED);

    struct ndp_case *unused;
    struct ndp_error error = {0};
    static const char *const wrong[] = {DECODE("\"file\":\"none.npy\""), DECODE("\"file\":\".\"")};
    for (size_t i = 0; i < NDP_ARRAY_LEN(wrong); i++) {
        assert_int_equal(prepare(&fixture, wrong[i], &unused, &error), NDP_INVALID);
        assert_non_null(strstr(error.text, folder));
    }
    char long_name[1200];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    fixture.bench.corpus = long_name;
    assert_int_equal(prepare(&fixture, DECODE("\"file\":\"two.npy\""), &unused, &error), NDP_INVALID);
    fixture_close(&fixture);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* The reference also decodes the corrupted bytes. */
static void a_fault_corrupts_the_encoding_of_the_reference(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    const struct ndp_case *item = prepared(&fixture, FAULT("\"name\":\"magic\",\"argument\":1"));
    assert_true(item->has_model);
    /* Format version 1.0: a header of 128 bytes, then the data. */
    assert_int_equal(item->bytes.size_bytes, 128 + 2);
    assert_int_equal(item->bytes.data[0], 0x93);
    assert_int_equal(item->bytes.data[1], (uint8_t) ~'N');
    assert_int_equal(item->bytes.data[2], 'U');
    assert_non_null(item->oracle);
    assert_int_equal(item->oracle->slots[NDP_SLOT_RESULT].state, NDP_SLOT_REFUSED);
    assert_int_equal(item->promised.ndim, 1);
}

/* With reads_once, the reference under test does not decode the same bytes again, and its outcome is the expected one;
 * another target, or another entry point, is compared as before. */
static void the_reference_reads_once(void **state) {
    static const char *const by_file = "{\"bytes\":\"00\",\"route\":{\"format\":\"npy\",\"decode\":\"file\","
                                       "\"decoder\":\"one\"}}";
    static const struct {
        bool reads_once, is_own, is_by_file;
        uint64_t decodings;
    } rows[] = {{false, true, false, 2}, {true, true, false, 1}, {true, true, true, 2}, {true, false, false, 2}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        FIXTURE(fixture, reference_plugin(), NULL);
        struct ndp_target *const other = fixture.bench.oracle, *const one = fixture.bench.targets[0];
        fixture.bench.reads_once = rows[i].reads_once;
        if (rows[i].is_own) fixture.bench.oracle = one;
        const struct ndp_result *result =
            fixture_run(&fixture, rows[i].is_by_file ? by_file : DECODE("\"bytes\":\"00\""));
        assert_int_equal(one->counts.cases + other->counts.cases, rows[i].decodings);
        assert_int_equal(result->oracle->state, NDP_SLOT_REFUSED);
        fixture.bench.oracle = other;
    }
}

static void a_fault_needs_a_reference(void **state) {
    struct fixture fixture;
    struct ndp_case *item;
    struct ndp_error error = {0};
    fixture_open(&fixture, reference_plugin(), NULL);
    struct ndp_target *oracle = fixture.bench.oracle;
    fixture.bench.oracle = NULL;
    assert_null(prepared(&fixture, DECODE("\"bytes\":\"00\""))->oracle);
    assert_int_equal(prepare(&fixture, FAULT("\"name\":\"magic\",\"argument\":1"), &item, &error), NDP_FAULT);
    fixture.bench.oracle = oracle;
    /* Or one that claims the format. */
    oracle->info.entry_count = 0;
    assert_null(prepared(&fixture, DECODE("\"bytes\":\"00\""))->oracle);
    fixture_close(&fixture);
}

static bool has_op(const struct ndp_program *program, enum ndp_step_op op) {
    for (uint32_t i = 0; i < program->step_count; i++)
        if (program->steps[i].op == op) return true;
    return false;
}

/* A pair has one half per target; one target has everything; decode cases have their input. */
static void programs_have_the_steps_and_inputs_of_their_target(void **state) {
    static struct ndp_program halves[2];
    FIXTURE(fixture, reference_plugin(), reference_plugin());
    const struct ndp_case *item = prepared(&fixture, INTEGERS_TO("[2]", "two", ""));
    assert_int_equal(ndp_case_plan(fixture.batch, item, &halves[0], &halves[1]), NDP_OK);
    assert_true(has_op(&halves[0], NDP_STEP_BUILD) && !has_op(&halves[0], NDP_STEP_SUPPLY));
    assert_true(has_op(&halves[1], NDP_STEP_SUPPLY) && !has_op(&halves[1], NDP_STEP_BUILD));
    assert_ptr_equal(halves[0].value, &item->descriptor.value.array);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(halves[i].case_id, 7);
        assert_ptr_equal(halves[i].as, &item->model);
        assert_int_equal(halves[i].as_order, NDP_MEMORY_C);
    }
    memset(halves, 0, sizeof halves);
    item = prepared(&fixture, ARRAY("\"dtype\":\"|u1\",\"shape\":[2,2],\"order\":\"F\"") NPY);
    assert_int_equal(ndp_case_plan(fixture.batch, item, &halves[0], &halves[1]), NDP_OK);
    assert_true(has_op(&halves[0], NDP_STEP_BUILD) && has_op(&halves[0], NDP_STEP_DECODE));
    assert_int_equal(halves[1].step_count, 0);
    assert_int_equal(halves[0].as_order, NDP_MEMORY_F);
    memset(halves, 0, sizeof halves);
    item = prepared(&fixture, DECODE("\"bytes\":\"0102\""));
    assert_int_equal(ndp_case_plan(fixture.batch, item, &halves[0], &halves[1]), NDP_OK);
    assert_true(has_op(&halves[0], NDP_STEP_SUPPLY) && !has_op(&halves[0], NDP_STEP_BUILD));
    assert_int_equal(halves[0].supplied.size_bytes, 2);
    assert_null(halves[0].as);
    memset(halves, 0, sizeof halves);
    item = prepared(&fixture, GRAPH("{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]}}}") PICKLE);
    assert_int_equal(ndp_case_plan(fixture.batch, item, &halves[0], &halves[1]), NDP_OK);
    assert_ptr_equal(halves[0].graph, &item->sent);
    /* The arrays of a graph include their data. */
    assert_int_equal(item->sent.nodes[1].data.size_bytes, 2);
    assert_null(halves[0].value);
}

/* Measuring the peak slows decoding down by a factor of five. */
static void the_peak_is_measured_only_if_judged(void **state) {
    static const struct {
        const char *text;
        bool tells, without, is_asked;
    } rows[] = {
        {DECODE("\"bytes\":\"0102\""), true, false, true},
        {DECODE("\"bytes\":\"0102\""), true, true, false},
        {DECODE("\"bytes\":\"0102\""), false, false, false},
        {"{\"bytes\":\"0102\",\"route\":{\"format\":\"npz\",\"decode\":\"memory\",\"decoder\":\"one\"}}", true, false,
         false},
    };
    FIXTURE(fixture, reference_plugin(), NULL);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        struct ndp_program program = {0};
        fixture.bench.targets[0]->info.tells_peak = rows[i].tells;
        fixture.bench.without_peaks = rows[i].without;
        const struct ndp_case *item = prepared(&fixture, rows[i].text);
        assert_int_equal(ndp_case_plan(fixture.batch, item, &program, NULL), NDP_OK);
        assert_true(has_op(&program, NDP_STEP_DECODE));
        if (has_op(&program, NDP_STEP_SIZE) != rows[i].is_asked) fail_msg("row %zu", i);
    }
}

static uint32_t count_ops(const struct ndp_program *program, enum ndp_step_op op) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->step_count; i++) count += program->steps[i].op == op;
    return count;
}

/* bench.without_slots masks the needs of properties. */
static void masked_slots_add_no_steps(void **state) {
    static const uint32_t without[] = {0, 1u << NDP_SLOT_PEER0, 1u << NDP_SLOT_PEER0 | 1u << NDP_SLOT_PEER1};
    uint32_t all = 0;
    FIXTURE(fixture, reference_plugin(), NULL);
    for (size_t i = 0; i < NDP_ARRAY_LEN(without); i++) {
        struct ndp_program program = {0};
        fixture.bench.without_slots = without[i];
        const struct ndp_case *item = prepared(&fixture, DECODE("\"bytes\":\"0102\""));
        assert_int_equal(ndp_case_plan(fixture.batch, item, &program, NULL), NDP_OK);
        if (i == 0) all = count_ops(&program, NDP_STEP_DECODE);
        assert_int_equal(count_ops(&program, NDP_STEP_DECODE), all - i);
    }
    assert_true(all > 2);
}

static void a_failed_allocation_is_an_error(void **state) {
    static const char *const texts[] = {
        SMALL NPY,
        GRAPH("{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]}}}") PICKLE,
        FAULT("\"name\":\"magic\",\"argument\":1"),
    };
    FIXTURE(fixture, reference_plugin(), NULL);
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        const struct ndp_descriptor descriptor = fixture_read(&fixture, texts[i]);
        uint64_t call = 0;
        for (bool is_done = false; !is_done;) {
            struct ndp_error error = {0};
            ndp_batch_clear(fixture.batch);
            assert_int_equal(ndp_batch_add(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &error),
                             NDP_OK);
            ndp_arena_fail_at(&fixture.batch->arena, ++call);
            const enum ndp_status status = ndp_case_prepare(fixture.batch, &fixture.batch->cases[0], &error);
            is_done = fixture.batch->arena.fail_at != 0;
            if (is_done) assert_int_equal(status, NDP_OK);
            /* If the reference runs out of memory, the case is unsupported. */
            const bool is_reported = status == NDP_NOMEM ||
                                     fixture.batch->cases[0].result.verdict == NDP_VERDICT_UNSUPPORTED ||
                                     (status == NDP_OK && i == 2);
            if (!is_done && !is_reported) fail_msg("%s: call %u: %s", texts[i], (unsigned)call, error.text);
        }
        assert_true(call > 3);
        ndp_arena_fail_at(&fixture.batch->arena, 0);
    }
}

NDP_SUITE(prepare_test, NDP_TEST(an_unclaimed_case_is_unsupported),
          NDP_TEST(lists_of_scalars_may_be_all_that_a_route_takes), NDP_TEST(classes_need_their_library_at_both_ends),
          NDP_TEST(the_expectation_of_an_array_is_its_model), NDP_TEST(the_input_of_a_decode_case_is_read),
          NDP_TEST(a_fault_corrupts_the_encoding_of_the_reference), NDP_TEST(a_fault_needs_a_reference),
          NDP_TEST(the_reference_reads_once), NDP_TEST(programs_have_the_steps_and_inputs_of_their_target),
          NDP_TEST(the_peak_is_measured_only_if_judged), NDP_TEST(masked_slots_add_no_steps),
          NDP_TEST(a_failed_allocation_is_an_error));
