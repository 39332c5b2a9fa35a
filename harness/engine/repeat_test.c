#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/repeat.h"
#include "engine/spy_fixture.h"

#define LEAKS ",\"properties\":[\"leaks\"]"
#define NPY   "\"format\":\"npy\",\"encode\":\"memory\",\"decode\":\"memory\",\"encoder\":\"one\",\"decoder\":\"one\""
#define ARRAY "\"value\":{\"array\":{\"base\":{\"dtype\":\"|u1\",\"shape\":[2]}}}"
#define GRAPH "\"value\":{\"graph\":{\"root\":0,\"nodes\":[{\"list\":[]}]}}"

static void only_properties_judged_by_repetition_repeat_a_case(void **state) {
    static const struct {
        const char *text;
        bool is_repeated;
    } rows[] = {
        {"{" ARRAY ",\"route\":{" NPY "}" LEAKS "}", true},
        {"{" ARRAY ",\"route\":{" NPY "},\"properties\":[\"values\"]}", false},
        {"{" ARRAY ",\"route\":{" NPY "},\"properties\":[\"values\",\"leaks\"]}", true},
        {"{" GRAPH ",\"route\":{" NPY "}" LEAKS "}", true},
        {"{\"bytes\":\"00\",\"route\":{\"format\":\"npy\",\"decode\":\"memory\",\"decoder\":\"one\"}" LEAKS "}", true},
        {"{\"value\":{\"dict\":{}},\"route\":{" NPY "}" LEAKS "}", false},
        /* The default set contains only properties that one run can judge. */
        {"{" ARRAY ",\"route\":{" NPY "}}", false},
    };
    struct fixture fixture;
    struct ndp_error error = {0};
    fixture_open(&fixture, reference_plugin(), NULL);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        const struct ndp_descriptor descriptor = fixture_read(&fixture, rows[i].text);
        ndp_batch_clear(fixture.batch);
        if (ndp_batch_add(fixture.batch, 0, &descriptor, (struct ndp_property_set){0}, &error) != NDP_OK)
            fail_msg("%s", error.text);
        if (ndp_repeat_is_needed(&fixture.batch->cases[0]) != rows[i].is_repeated) fail_msg("%s", rows[i].text);
        assert_int_equal(ndp_batch_can_overlap(fixture.batch), !rows[i].is_repeated);
    }
    fixture_close(&fixture);
}

/* The case runs left->runs times before each sample. */
static void samples_have_runs_in_between(void **state) {
    struct spy spies[2];
    FIXTURE(fixture, reference_plugin(), reference_plugin());
    for (int i = 0; i < 2; i++) spy_on(&spies[i], fixture.bench.targets[i]);
    spies[0].has_grown = true;
    const struct ndp_result *result = fixture_run(&fixture, INTEGERS("[2]", LEAKS));
    const struct ndp_property_samples *left = fixture.batch->cases[0].left;
    assert_non_null(left);
    assert_true(left->runs >= 2);
    assert_true(left->is_known[0] && !left->is_known[1]);
    assert_int_equal(spies[0].programs, 1 + NDP_PROPERTY_SAMPLES * left->runs);
    assert_int_equal(spies[0].censuses, NDP_PROPERTY_SAMPLES);
    for (uint32_t i = 0; i < NDP_PROPERTY_SAMPLES; i++)
        assert_int_equal(left->looks[0][i].counts[NDP_RESOURCE_DESCRIPTORS], 7 + 1 + (i + 1) * left->runs);
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
    assert_string_equal(result->divergences[0].property->name, "leaks");
    assert_string_equal(result->divergences[0].judgement.field, "descriptors");

    /* Each half of a pair is repeated separately. */
    result = fixture_run(&fixture, INTEGERS_TO("[2]", "two", LEAKS));
    left = fixture.batch->cases[0].left;
    assert_true(left->is_known[0] && left->is_known[1]);
    assert_int_equal(spies[1].programs, 1 + NDP_PROPERTY_SAMPLES * left->runs);
    assert_int_equal(left->looks[1][3].counts[NDP_RESOURCE_DESCRIPTORS], 7);
    spies[0].has_grown = false;
    result = fixture_run(&fixture, INTEGERS_TO("[2]", "two", LEAKS));
    assert_int_equal(result->verdict, NDP_VERDICT_PASS);
    assert_true(result->comparisons > 0);
    spies[1].has_grown = true;
    result = fixture_run(&fixture, INTEGERS_TO("[2]", "two", LEAKS));
    assert_int_equal(result->verdict, NDP_VERDICT_DIVERGES);
}

static void die_after_the_first(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    (void)program;
    if (spy->programs == 20) outcome->ended = NDP_VERDICT_CRASH;
}

static void die_at_once(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    (void)spy;
    (void)program;
    outcome->ended = NDP_VERDICT_CRASH;
}

/* A target without samples, or with an incomplete run, is not judged. */
static void incomplete_samples_are_not_judged(void **state) {
    struct spy spy;
    FIXTURE(fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    spy.has_grown = true;
    spy.ops.census = NULL;
    const struct ndp_result *result = fixture_run(&fixture, INTEGERS("[2]", LEAKS));
    assert_non_null(fixture.batch->cases[0].left);
    assert_false(fixture.batch->cases[0].left->is_known[0]);
    assert_int_equal(result->comparisons, 0);
    assert_int_equal(spy.programs, 1);

    spy.ops.census = spy_census;
    spy.spoil = die_after_the_first;
    spy.programs = 0;
    result = fixture_run(&fixture, INTEGERS("[2]", LEAKS));
    assert_false(fixture.batch->cases[0].left->is_known[0]);
    assert_int_equal(result->comparisons, 0);

    spy.spoil = die_at_once;
    spy.programs = 0;
    result = fixture_run(&fixture, INTEGERS("[2]", LEAKS));
    assert_null(fixture.batch->cases[0].left);
    assert_int_equal(result->verdict, NDP_VERDICT_CRASH);
    assert_int_equal(spy.programs, 1);
}

static void errors_are_passed_on(void **state) {
    struct fixture fixture;
    struct spy spy;
    struct ndp_error error = {0};
    fixture_open(&fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    (void)fixture_run(&fixture, INTEGERS("[2]", LEAKS));
    struct ndp_case *item = &fixture.batch->cases[0];
    for (uint64_t call = 1; call <= 2; call++) {
        ndp_arena_fail_at(&fixture.batch->arena, call);
        assert_int_equal(ndp_repeat_case(fixture.batch, item, &error), NDP_NOMEM);
    }
    spy.says = NDP_GONE;
    assert_int_equal(ndp_repeat_case(fixture.batch, item, &error), NDP_GONE);
    fixture_close(&fixture);
}

NDP_SUITE(repeat_test, NDP_TEST(only_properties_judged_by_repetition_repeat_a_case),
          NDP_TEST(samples_have_runs_in_between), NDP_TEST(incomplete_samples_are_not_judged),
          NDP_TEST(errors_are_passed_on));
