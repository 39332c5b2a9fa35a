/* A spy changes the answers of correct targets, and the changed answers are judged. */

#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/case.h"
#include "engine/spy_fixture.h"

/* The change that the spy makes to every outcome. */
struct watched {
    struct spy spy; /* first */
    struct ndp_outcome end;
    struct ndp_slot_record source;
    struct ndp_slot_record result;
    bool has_end, has_source, has_result;
    struct ndp_observation observed; /* for a changed observation */
    uint8_t elements[64];
};

static void spoil(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    struct watched *watched = (struct watched *)spy;
    (void)program;
    if (watched->has_end) {
        outcome->ended = watched->end.ended;
        outcome->death = watched->end.death;
        outcome->stderr_tail = watched->end.stderr_tail;
        memcpy(outcome->fault, watched->end.fault, sizeof outcome->fault);
    }
    if (watched->has_source) outcome->slots[NDP_SLOT_SOURCE] = watched->source;
    if (watched->has_result) outcome->slots[NDP_SLOT_RESULT] = watched->result;
}

static void start_watching(struct watched *watched, struct ndp_target *target) {
    memset(watched, 0, sizeof *watched);
    spy_on(&watched->spy, target);
    watched->spy.spoil = spoil;
}

static struct ndp_slot_record refusal(enum ndp_slot_state state) {
    struct ndp_slot_record record = {.state = state};
    snprintf(record.refusal.type, sizeof record.refusal.type, "ValueError");
    snprintf(record.refusal.message, sizeof record.refusal.message, "not this one");
    return record;
}

static struct ndp_outcome end_with(enum ndp_verdict ended, int signal, int exit_code) {
    return (struct ndp_outcome){.ended = ended, .death = {.signal = signal, .exit_code = exit_code, .frame = "decode"}};
}

/* The divergence names the library behind the entry point; earlier answers do not matter. */
static void a_process_death_is_a_divergence(void **state) {
    const struct {
        struct ndp_outcome end;
        const char *core;
    } rows[] = {
        {end_with(NDP_VERDICT_CRASH, 11, 0), "CRASH|-|npy|process|signal 11 decode"},
        {end_with(NDP_VERDICT_CRASH, 0, 3), "CRASH|-|npy|process|exit 3 decode"},
        {end_with(NDP_VERDICT_TIMEOUT, 9, 0), "TIMEOUT|-|npy|process"},
        {end_with(NDP_VERDICT_OOM, 9, 0), "OOM|-|npy|process"},
    };
    struct watched one, two;
    FIXTURE(fixture, reference_plugin(), planted_named("native_order"));
    start_watching(&one, fixture.bench.targets[0]);
    start_watching(&two, fixture.bench.targets[1]);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows) * 2; i++) {
        struct watched *dead = i % 2 == 0 ? &one : &two;
        dead->has_end = true;
        dead->end = rows[i / 2].end;
        dead->end.stderr_tail = ndp_bytes_view("last words");
        const struct ndp_result *result =
            fixture_run(&fixture, i % 2 == 0 ? INTEGERS("[2]", "") : INTEGERS_TO("[2]", "two", ""));
        dead->has_end = false;
        assert_int_equal(result->verdict, rows[i / 2].end.ended);
        assert_int_equal(result->divergence_count, 1);
        assert_int_equal(result->comparisons, 0);
        const struct ndp_divergence *divergence = &result->divergences[0];
        assert_int_equal(divergence->verdict, rows[i / 2].end.ended);
        assert_null(divergence->property);
        assert_string_equal(divergence->judgement.field, "process");
        assert_string_equal(core_text(&divergence->signature), rows[i / 2].core);
        assert_string_equal(divergence->signature.outlier, i % 2 == 0 ? "reference" : "native_order");
        assert_int_equal(divergence->death.signal, rows[i / 2].end.death.signal);
        assert_true(ndp_bytes_is_equal(result->stderr_tail, ndp_bytes_view("last words")));
        /* Observations from before the death stay in the result. */
        assert_true(result->has_source);
    }
}

/* No library bounds the memory that a file requests, so only the reference and valid files make a defect. */
static void running_out_of_memory_on_unverified_input_is_a_hazard(void **state) {
#define FILE_TO(target, more)                                                                                          \
    "{\"bytes\":\"00\",\"route\":{\"format\":\"npy\",\"decode\":\"memory\",\"decoder\":\"" target "\"}" more "}"
    static const struct {
        const char *text;
        enum ndp_verdict ended;
        enum ndp_severity severity;
    } rows[] = {
        {FILE_TO("two", ""), NDP_VERDICT_OOM, NDP_SEVERITY_HAZARD},
        {FILE_TO("two", ",\"expect\":\"refuse\""), NDP_VERDICT_OOM, NDP_SEVERITY_HAZARD},
        {FILE_TO("two", ",\"expect\":\"accept\""), NDP_VERDICT_OOM, NDP_SEVERITY_DEFECT},
        {FILE_TO("two", ""), NDP_VERDICT_CRASH, NDP_SEVERITY_DEFECT},
        {FILE_TO("two", ""), NDP_VERDICT_TIMEOUT, NDP_SEVERITY_DEFECT},
        {FILE_TO("one", ""), NDP_VERDICT_OOM, NDP_SEVERITY_DEFECT},
        {INTEGERS_TO("[2]", "two", ""), NDP_VERDICT_OOM, NDP_SEVERITY_DEFECT},
    };
    struct watched one, two;
    FIXTURE(fixture, reference_plugin(), planted_named("native_order"));
    start_watching(&one, fixture.bench.targets[0]);
    start_watching(&two, fixture.bench.targets[1]);
    one.has_end = two.has_end = true;
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        one.end = two.end = end_with(rows[i].ended, 9, 0);
        if (i + 1 == NDP_ARRAY_LEN(rows)) one.has_end = false; /* the encoder survives */
        const struct ndp_result *result = fixture_run(&fixture, rows[i].text);
        assert_int_equal(result->verdict, rows[i].ended);
        assert_int_equal(result->divergence_count, 1);
        assert_int_equal(result->divergences[0].judgement.severity, rows[i].severity);
    }
}

/* A protocol error is a fault of the testee, not a divergence of the library. */
static void a_fault_is_not_a_divergence(void **state) {
    struct watched one;
    FIXTURE(fixture, reference_plugin(), NULL);
    start_watching(&one, fixture.bench.targets[0]);
    one.has_end = true;
    one.end = (struct ndp_outcome){.ended = NDP_VERDICT_FAULT, .fault = "a frame is broken"};
    const struct ndp_result *result = fixture_run(&fixture, INTEGERS("[2]", ""));
    assert_int_equal(result->verdict, NDP_VERDICT_FAULT);
    assert_int_equal(result->divergence_count, 0);
    assert_string_equal(result->detail, "one: a frame is broken");
}

/* A copy of the observation of the source, to be changed. */
static struct ndp_observation *change_source(struct fixture *fixture, struct watched *watched) {
    watched->has_source = false;
    (void)fixture_run(fixture, INTEGERS("[2]", ""));
    const struct ndp_case *item = &fixture->batch->cases[0];
    watched->source = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .has_observation = true};
    assert_in_range(item->expected.elements.size_bytes, 1, sizeof watched->elements);
    memcpy(watched->elements, item->expected.elements.data, item->expected.elements.size_bytes);
    struct ndp_observation *observed = &watched->source.observation;
    *observed = item->expected;
    observed->elements.data = watched->elements;
    /* Static, because they must outlive the batch. */
    observed->shape = ndp_arena_copy(&fixture->arena, observed->shape, observed->ndim * sizeof *observed->shape);
    observed->strides_bytes =
        ndp_arena_copy(&fixture->arena, observed->strides_bytes, observed->ndim * sizeof *observed->strides_bytes);
    observed->dtype = ndp_arena_copy(&fixture->arena, observed->dtype, sizeof *observed->dtype);
    assert_true(observed->shape != NULL && observed->strides_bytes != NULL && observed->dtype != NULL);
    watched->has_source = true;
    return observed;
}

/* A wrong source is a fault of the testee; no property is judged. */
static void a_wrong_source_is_a_fault_of_the_testee(void **state) {
    static const int64_t other_shape[] = {3}, other_strides[] = {8};
    struct ndp_dtype little = {.itemsize_bytes = 0};
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view("<i4"), &little, NULL), NDP_OK);
    enum { NOTHING, VALUES, SHAPE, DTYPE, STRIDES, FLAGS, CLASS, BACKING, NOT_SENT };
    static const char *const details[] = {[VALUES] = "one built a wrong source: [1]: expected ",
                                          [SHAPE] = "shape[0]: expected 2, got 3",
                                          [DTYPE] = "one built a wrong source: ",
                                          [STRIDES] = "strides",
                                          [FLAGS] = "writeable",
                                          [CLASS] = "class",
                                          [BACKING] = "one built a wrong source: ",
                                          [NOT_SENT] = "one: the answer has no observation of the source"};
    struct watched one;
    FIXTURE(fixture, reference_plugin(), NULL);
    start_watching(&one, fixture.bench.targets[0]);
    for (int change = NOTHING; change <= NOT_SENT; change++) {
        struct ndp_observation *observed = change_source(&fixture, &one);
        if (change == VALUES) one.elements[7] ^= 1;
        if (change == SHAPE) observed->shape = other_shape;
        if (change == DTYPE) observed->dtype = &little;
        if (change == STRIDES) observed->strides_bytes = other_strides;
        if (change == FLAGS) observed->flags ^= NDP_FLAG_WRITEABLE;
        if (change == CLASS) observed->class_name = ndp_bytes_view("recarray");
        if (change == BACKING) observed->backing.is_mapped = true;
        if (change == NOT_SENT) one.source.has_observation = false;
        const struct ndp_result *result = fixture_run(&fixture, INTEGERS("[2]", ""));
        if (change == NOTHING) {
            assert_int_equal(result->verdict, NDP_VERDICT_PASS);
            continue;
        }
        if (result->verdict != NDP_VERDICT_FAULT) fail_msg("change %d is not reported", change);
        assert_int_equal(result->divergence_count, 0);
        assert_int_equal(result->comparisons, 0);
        if (strstr(result->detail, details[change]) == NULL) fail_msg("change %d: %s", change, result->detail);
    }
}

static void a_value_that_is_not_built_is_unsupported(void **state) {
    static const enum ndp_slot_state states[] = {NDP_SLOT_REFUSED, NDP_SLOT_UNSUPPORTED};
    struct watched one;
    FIXTURE(fixture, reference_plugin(), NULL);
    start_watching(&one, fixture.bench.targets[0]);
    one.has_source = true;
    for (size_t i = 0; i < NDP_ARRAY_LEN(states); i++) {
        one.source = refusal(states[i]);
        const struct ndp_result *result = fixture_run(&fixture, INTEGERS("[2]", ""));
        assert_int_equal(result->verdict, NDP_VERDICT_UNSUPPORTED);
        assert_string_equal(result->detail, "one cannot build the value: ValueError: not this one");
        assert_int_equal(result->divergence_count, 0);
    }
}

#define MAPPED                                                                                                         \
    "{\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2],\"memmap\":{\"mode\":\"r\"}}}},\"route\":{"      \
    "\"format\":\"npy\",\"encode\":\"memory\",\"decode\":\"memory\",\"encoder\":\"one\",\"decoder\":\"one\"}}"

/* The library itself creates the map of the base. */
static void a_wrong_map_as_base_is_a_divergence(void **state) {
    static const int64_t shape[] = {2}, strides[] = {1};
    static const uint8_t elements[] = {0, 9};
    struct ndp_dtype dtype;
    struct watched one;
    assert_int_equal(ndp_dtype_read_typestr(ndp_bytes_view("|u1"), &dtype, NULL), NDP_OK);
    FIXTURE(fixture, reference_plugin(), NULL);
    start_watching(&one, fixture.bench.targets[0]);
    const struct ndp_result *result = fixture_run(&fixture, MAPPED);
    if (result->verdict != NDP_VERDICT_PASS) fail_msg("%s", result->detail);
    one.has_source = true;
    one.source = (struct ndp_slot_record){.state = NDP_SLOT_FILLED, .has_observation = true};
    one.source.observation = fixture.batch->cases[0].expected;
    one.source.observation.class_name = ndp_bytes_view("memmap");
    one.source.observation.dtype = &dtype;
    one.source.observation.shape = shape;
    one.source.observation.strides_bytes = strides;
    one.source.observation.elements = (struct ndp_bytes){elements, sizeof elements};
    result = fixture_run(&fixture, MAPPED);
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    assert_int_equal(result->divergence_count, 1);
    assert_string_equal(result->divergences[0].property->name, "memmap");
    assert_string_equal(core_text(&result->divergences[0].signature), "DIVERGES|memmap|npy|source");
    assert_string_equal(result->divergences[0].signature.outlier, "reference");
}

/* A missing result breaks the promise of acceptance, and one property reports it. */
static void a_refusal_is_judged_and_stored(void **state) {
    struct watched one;
    FIXTURE(fixture, reference_plugin(), NULL);
    start_watching(&one, fixture.bench.targets[0]);
    one.has_result = true;
    one.result = refusal(NDP_SLOT_REFUSED);
    const struct ndp_result *result = fixture_run(&fixture, INTEGERS("[2]", ",\"properties\":[\"values\",\"shape\"]"));
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    assert_int_equal(result->divergence_count, 1);
    assert_string_equal(result->divergences[0].property->name, "values");
    assert_string_equal(result->divergences[0].judgement.field, "accepted");
    assert_non_null(result->refusal);
    assert_string_equal(result->refusal->message, "not this one");
    assert_false(result->has_result);
    assert_true(result->has_promised);
}

/* A decoder that does not support the encoding is no divergence; the result records that it was encoded. */
static void an_encoding_that_is_not_read_is_recorded(void **state) {
    static const enum ndp_slot_state states[] = {NDP_SLOT_REFUSED, NDP_SLOT_UNSUPPORTED};
    for (size_t i = 0; i < NDP_ARRAY_LEN(states); i++) {
        struct watched one;
        FIXTURE(fixture, reference_plugin(), NULL);
        start_watching(&one, fixture.bench.targets[0]);
        assert_false(fixture_run(&fixture, INTEGERS("[2]", ",\"properties\":[\"values\"]"))->is_unread);
        one.has_result = true;
        one.result = refusal(states[i]);
        const struct ndp_result *result = fixture_run(&fixture, INTEGERS("[2]", ",\"properties\":[\"values\"]"));
        assert_int_equal(result->is_unread, states[i] == NDP_SLOT_UNSUPPORTED);
    }
}

/* Every property has its own verdict and count; the case has the worst verdict and the sum. */
static void counts_of_properties_add_up(void **state) {
    uint32_t count;
    const struct ndp_property *const *all = ndp_property_all(&count);
    FIXTURE(fixture, planted_named("native_order"), NULL);
    const struct ndp_result *result =
        fixture_run(&fixture, INTEGERS("[2]", ",\"properties\":[\"values\",\"byte_order\",\"strictness\"]"));
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    uint64_t comparisons = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_values = strcmp(all[i]->name, "values") == 0, is_order = strcmp(all[i]->name, "byte_order") == 0;
        /* Properties of corrupted bytes do not judge round trips. */
        assert_int_equal(result->by_property[i].is_judged, is_values || is_order);
        assert_int_equal(result->by_property[i].verdict, is_order ? NDP_VERDICT_DIVERGES : NDP_VERDICT_PASS);
        if (is_values) assert_int_equal(result->by_property[i].comparisons, 2);
        comparisons += result->by_property[i].comparisons;
    }
    assert_int_equal(result->comparisons, comparisons);
    assert_int_equal(result->divergence_count, 1);
    assert_string_equal(core_text(&result->divergences[0].signature), "DIVERGES|byte_order|npy|dtype.order");
    assert_string_equal(result->divergences[0].signature.outlier, "native_order");
    assert_true(result->has_source && result->has_result && result->has_promised);
    assert_int_equal(result->encoded.data[0], 0x93);
}

/* A failed allocation gives FAULT or the same verdict as without it. */
static void a_failed_allocation_is_never_a_divergence(void **state) {
    static const char *const texts[] = {
        INTEGERS("[2]", ""),
        "{\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[1,1]},{\"array\":{\"base\":{\"dtype\":\"|u1\","
        "\"shape\":[2]}}}]}},\"route\":{\"format\":\"pickle\",\"protocol\":4,\"encode\":\"c\",\"decode\":\"c\","
        "\"encoder\":\"one\",\"decoder\":\"one\"}}",
    };
    struct fixture fixture;
    struct ndp_error error = {0};
    fixture_open(&fixture, reference_plugin(), NULL);
    for (size_t i = 0; i < NDP_ARRAY_LEN(texts); i++) {
        const struct ndp_descriptor descriptor = fixture_read(&fixture, texts[i]);
        uint32_t failed = 0;
        for (uint64_t call = 1;; call++) {
            ndp_batch_clear(fixture.batch);
            assert_int_equal(ndp_batch_add(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &error),
                             NDP_OK);
            assert_int_equal(ndp_batch_start(fixture.batch, &error), NDP_OK);
            struct ndp_target *target = fixture.bench.targets[0];
            assert_int_equal(target->ops->collect(target, &fixture.batch->arena, fixture.batch->outcomes[0], 1, &error),
                             NDP_OK);
            struct ndp_case *item = &fixture.batch->cases[0];
            item->first = &fixture.batch->outcomes[0][0];
            ndp_arena_fail_at(&fixture.batch->arena, call);
            ndp_case_judge(fixture.batch, item);
            if (fixture.batch->arena.fail_at != 0) {
                if (item->result.verdict != NDP_VERDICT_PASS) fail_msg("%s: %s", texts[i], item->result.detail);
                break;
            }
            failed++;
            if (item->result.divergence_count > 0)
                fail_msg("%s: without allocation %u: %s", texts[i], (unsigned)call,
                         signature_text(&item->result.divergences[0].signature));
        }
        assert_true(failed > 0 || i == 0);
        ndp_arena_fail_at(&fixture.batch->arena, 0);
    }
    fixture_close(&fixture);
}

NDP_SUITE(judge_test, NDP_TEST(a_process_death_is_a_divergence),
          NDP_TEST(running_out_of_memory_on_unverified_input_is_a_hazard), NDP_TEST(a_fault_is_not_a_divergence),
          NDP_TEST(a_wrong_source_is_a_fault_of_the_testee), NDP_TEST(a_value_that_is_not_built_is_unsupported),
          NDP_TEST(a_wrong_map_as_base_is_a_divergence), NDP_TEST(a_refusal_is_judged_and_stored),
          NDP_TEST(an_encoding_that_is_not_read_is_recorded), NDP_TEST(counts_of_properties_add_up),
          NDP_TEST(a_failed_allocation_is_never_a_divergence));
