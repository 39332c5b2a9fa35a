#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_strictness;

static struct ndp_slot_record oracle;

static void make_trial(struct fixture *f, enum ndp_expect expect) {
    fixture_trip(f);
    f->descriptor.kind = NDP_CASE_DECODE;
    f->descriptor.expect = expect;
    f->descriptor.bytes = f->outcome.slots[NDP_SLOT_ENCODED].bytes;
    f->trial.input = f->descriptor.bytes;
    f->trial.model = NULL;
    f->trial.features = 0;
    memset(&oracle, 0, sizeof oracle);
}

static void a_refusal_of_valid_input_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, NDP_EXPECT_ACCEPT);
    expect_pass(&f, &ndp_property_strictness);
    fixture_refuse(&f, NDP_SLOT_RESULT);
    expect_broken(&f, &ndp_property_strictness, "accepted");
}

static void an_acceptance_of_invalid_input_is_reported(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, NDP_EXPECT_REFUSE);
    expect_broken(&f, &ndp_property_strictness, "accepted");
    fixture_refuse(&f, NDP_SLOT_RESULT);
    ndp_property_strictness.judge(&f.trial, &f.judgement);
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_REJECTS);
    assert_true(f.judgement.comparison.comparisons > 0);
}

static void the_reference_decides_open_cases(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, NDP_EXPECT_OPEN);
    expect_nothing(&f, &ndp_property_strictness);
    oracle.state = NDP_SLOT_REFUSED;
    f.trial.oracle = &oracle;
    expect_broken(&f, &ndp_property_strictness, "accepted");
    oracle.state = NDP_SLOT_FILLED;
    oracle.has_observation = true;
    oracle.observation = f.trial.promised;
    expect_pass(&f, &ndp_property_strictness);
    fixture_elements(&f, NDP_SLOT_RESULT)[0] ^= 1;
    expect_broken(&f, &ndp_property_strictness, "values");
}

/* Source: documentation of ast.literal_eval, "changed in version 3.10". */
static void indented_headers_depend_on_the_python_version(void **state) {
    static const struct {
        const char *python;
        bool is_judged;
    } rows[] = {{"3.8.18", false}, {"3.9.18", false}, {"3.10.0", true}, {"3.13.0", true}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        static const uint8_t file[] = "\x93NUMPY\1\0\x40\0 {'descr': '|u1', 'fortran_order': False, 'shape': ()}\n";
        FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
        make_trial(&f, NDP_EXPECT_OPEN);
        f.trial.input = (struct ndp_bytes){file, sizeof file - 1};
        struct ndp_library *python = &f.target.libraries[f.target.library_count++];
        *python = (struct ndp_library){.name = "python"};
        snprintf(python->version, sizeof python->version, "%s", rows[i].python);
        oracle.state = NDP_SLOT_FILLED;
        oracle.has_observation = true;
        oracle.observation = f.trial.promised;
        f.trial.oracle = &oracle;
        fixture_refuse(&f, NDP_SLOT_RESULT);
        ndp_property_strictness.judge(&f.trial, &f.judgement);
        assert_int_equal(f.judgement.verdict, rows[i].is_judged ? NDP_VERDICT_DIVERGES : NDP_VERDICT_REJECTS);
    }
}

static void r_plus_extends_a_short_file_as_documented(void **state) {
    FIXTURE(f, "<f8", "npy", "file", "mmap:r+", 0);
    make_trial(&f, NDP_EXPECT_REFUSE);
    expect_broken(&f, &ndp_property_strictness, "accepted");
    f.outcome.slots[NDP_SLOT_RESULT].observation.backing.has_offset = true;
    f.outcome.slots[NDP_SLOT_RESULT].observation.backing.offset_bytes = 128;
    ndp_property_strictness.judge(&f.trial, &f.judgement);
    assert_int_equal(f.judgement.verdict, NDP_VERDICT_DIVERGES);
    assert_int_equal(f.judgement.severity, NDP_SEVERITY_DOCUMENTED_LOSS);
}

static void no_partial_array_is_left(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, NDP_EXPECT_REFUSE);
    f.outcome.slots[NDP_SLOT_RESULT].state = NDP_SLOT_REFUSED;
    expect_broken(&f, &ndp_property_strictness, "partial");
}

static void memory_is_bounded_by_the_input(void **state) {
    FIXTURE(f, "<f8", "npy", "memory", "memory", 0);
    make_trial(&f, NDP_EXPECT_ACCEPT);
    f.outcome.slots[NDP_SLOT_PEAK].has_peak = true;
    f.outcome.slots[NDP_SLOT_PEAK].peak_bytes = 1 << 20;
    expect_pass(&f, &ndp_property_strictness);
    f.outcome.slots[NDP_SLOT_PEAK].peak_bytes = UINT64_C(4) << 30;
    struct ndp_judgement judgement = {0};
    ndp_property_strictness.judge(&f.trial, &judgement);
    assert_int_equal(judgement.verdict, NDP_VERDICT_DIVERGES);
    assert_int_equal(judgement.severity, NDP_SEVERITY_HAZARD);
    assert_string_equal(judgement.field, "peak");
}

NDP_SUITE(property_strictness_test, NDP_TEST(a_refusal_of_valid_input_is_reported),
          NDP_TEST(an_acceptance_of_invalid_input_is_reported), NDP_TEST(the_reference_decides_open_cases),
          NDP_TEST(indented_headers_depend_on_the_python_version), NDP_TEST(r_plus_extends_a_short_file_as_documented),
          NDP_TEST(no_partial_array_is_left), NDP_TEST(memory_is_bounded_by_the_input));
