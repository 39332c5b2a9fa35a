#include "base/clock.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/case.h"
#include "engine/minimise.h"
#include "engine/spy_fixture.h"

static const struct ndp_minimise_limits all_time = {.stop = NULL};

/* The signature of the divergence of `property`, or of the process death. */
static struct ndp_signature core_of(const struct ndp_result *result, const char *property) {
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence *one = &result->divergences[i];
        if (property == NULL ? one->property != NULL : strcmp(one->property->name, property) != 0) continue;
        return one->signature;
    }
    fail_msg("no %s diverges: %s", property != NULL ? property : "end", result->detail);
    return (struct ndp_signature){0};
}

static void set_text(struct ndp_buffer *buffer, const char *text) {
    buffer->size_bytes = 0;
    assert_int_equal(ndp_buffer_add(buffer, text, strlen(text)), NDP_OK);
}

static uint32_t minimise(struct fixture *fixture, struct ndp_buffer *text, const struct ndp_signature *core,
                         uint32_t most) {
    struct ndp_error error = {0};
    uint32_t runs = 0;
    if (ndp_minimise(fixture->batch, text, core, most, &all_time, &runs, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_int_equal(ndp_buffer_add(text, "", 1), NDP_OK);
    text->size_bytes--;
    return runs;
}

static void errors_are_passed_on(void **state) {
    struct fixture fixture;
    struct spy spy;
    const struct ndp_signature core = signature_with("DIVERGES|values|npy|values");
    struct ndp_error error = {0};
    uint32_t count = 99;
    NDP_BUFFER_SCOPED(text, 1 << 20);
    fixture_open(&fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    set_text(&text, "{");
    assert_int_equal(ndp_minimise(fixture.batch, &text, &core, 1, &all_time, &count, &error), NDP_INVALID);
    spy.says = NDP_GONE;
    set_text(&text, INTEGERS("[2]", ""));
    assert_int_equal(ndp_minimise(fixture.batch, &text, &core, 1, &all_time, &count, &error), NDP_GONE);
    assert_int_equal(count, 99);
    fixture_close(&fixture);
}

#define ARRAY "{\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[4,3],\"data\":{\"pattern\":\"index\"}},"
#define ENDS  "\"encoder\":\"one\",\"decoder\":\"one\""

/* Minimising removes unneeded parts of the value, the route and the properties. */
static void unneeded_parts_are_removed(void **state) {
    static const struct {
        const char *planted;
        const char *property;
        const char *text;
        const char *with; /* in the minimal case */
        const char *route;
        uint32_t ndim;
    } rows[] = {
        {"native_order", "byte_order",
         ARRAY "\"views\":[{\"transpose\":[1,0]}]}},\"route\":{\"format\":\"raw\",\"encode\":\"mapped\",\"decode\":"
               "\"mmap:c\",\"offset\":4096," ENDS "},\"properties\":[\"values\",\"byte_order\",\"shape\"]}",
         "\"properties\":[\"byte_order\"]", "raw:memory>memory", 0},
        {"native_order", "byte_order",
         ARRAY "\"writeable\":false}},\"route\":{\"format\":\"pickle\",\"protocol\":4,\"encode\":\"python\","
               "\"decode\":\"python\"," ENDS "}}",
         "\">i4\"", "pickle0:c>c", 0},
        /* Needed parts stay: a permutation of three dimensions, a file. */
        {"fortran_3d", "memory_order",
         "{\"value\":{\"array\":{\"base\":{\"dtype\":\"<f8\",\"shape\":[4,3,2,2],\"order\":\"F\"}}},\"route\":{"
         "\"format\":\"npy\",\"encode\":\"file\",\"decode\":\"memory\"," ENDS "}}",
         "\"F\"", "npy:memory>memory", 3},
    };
    NDP_BUFFER_SCOPED(text, 1 << 20);
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        char route[NDP_ROUTE_TEXT_BYTES];
        struct ndp_signature core;
        FIXTURE(fixture, planted_named(rows[i].planted), NULL);
        core = core_of(fixture_run(&fixture, rows[i].text), rows[i].property);
        set_text(&text, rows[i].text);
        const uint32_t runs = minimise(&fixture, &text, &core, 1000);
        assert_in_range(runs, 1, 999);
        const char *left = (const char *)text.data;
        if (strstr(left, rows[i].with) == NULL) fail_msg("no %s in %s", rows[i].with, left);
        const struct ndp_descriptor small = fixture_read(&fixture, left);
        ndp_descriptor_print_route(&small.route, route);
        assert_string_equal(route, rows[i].route);
        assert_int_equal(small.route.offset_bytes, 0);
        assert_int_equal(small.value.array.base.ndim, rows[i].ndim);
        assert_int_equal(small.value.array.view_count, 0);
        assert_false(small.value.array.is_readonly);
        assert_non_null(ndp_result_find(fixture_run(&fixture, left), &core));
        /* A second call changes nothing. */
        NDP_BUFFER_SCOPED(again, 1 << 20);
        set_text(&again, left);
        (void)minimise(&fixture, &again, &core, 1000);
        assert_string_equal((const char *)again.data, left);
    }
}

/* The decoder dies of more than two elements. */
static void crash_at_three(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    (void)spy;
    if (program->value == NULL || program->base_bytes.size_bytes < 9) return;
    outcome->ended = NDP_VERDICT_CRASH;
    outcome->death.signal = 6;
}

static void process_deaths_are_minimised(void **state) {
    struct spy spy;
    struct ndp_signature core;
    NDP_BUFFER_SCOPED(text, 1 << 20);
    FIXTURE(fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    spy.spoil = crash_at_three;
    core = core_of(fixture_run(&fixture, INTEGERS("[5,4]", "")), NULL);
    assert_string_equal(core_text(&core), "CRASH|-|npy|process|signal 6 ");
    set_text(&text, INTEGERS("[5,4]", ""));
    (void)minimise(&fixture, &text, &core, 500);
    const struct ndp_descriptor small = fixture_read(&fixture, (const char *)text.data);
    assert_int_equal(ndp_result_find(fixture_run(&fixture, (const char *)text.data), &core)->verdict,
                     NDP_VERDICT_CRASH);
    /* The minimal case has exactly three elements. */
    const uint64_t size_bytes = fixture.batch->cases[0].base_bytes.size_bytes;
    assert_in_range(size_bytes, 9, 16);
    assert_true(small.value.array.base.ndim <= 1);
}

/* Never more cases than allowed; the smallest so far is returned. */
static void the_budget_of_cases_is_kept(void **state) {
    struct ndp_signature core;
    NDP_BUFFER_SCOPED(text, 1 << 20);
    FIXTURE(fixture, planted_named("native_order"), NULL);
    core = core_of(fixture_run(&fixture, INTEGERS("[5,4]", "")), "byte_order");
    for (uint32_t most = 0; most < 40; most++) {
        set_text(&text, INTEGERS("[5,4]", ""));
        assert_true(minimise(&fixture, &text, &core, most) <= most);
        assert_non_null(ndp_result_find(fixture_run(&fixture, (const char *)text.data), &core));
    }
    set_text(&text, INTEGERS("[2]", ""));
    /* A case stays unchanged if no neighbour shows its divergence. */
    const struct ndp_signature nothing = signature_with("DIVERGES|nothing|npy|nothing");
    (void)minimise(&fixture, &text, &nothing, 500);
    assert_string_equal((const char *)text.data, INTEGERS("[2]", ""));
}

static void the_time_limit_ends_the_search(void **state) {
    static const volatile sig_atomic_t stopped = 1, running = 0;
    const struct {
        struct ndp_minimise_limits patience;
        bool is_over;
    } rows[] = {
        {{.stop = &stopped}, true},
        {{.until_ns = 1}, true},
        {{.stop = &running, .until_ns = ndp_clock_ns() + (UINT64_C(3600) << 30)}, false},
    };
    struct fixture fixture;
    struct ndp_error error = {0};
    struct ndp_signature core;
    NDP_BUFFER_SCOPED(text, 1 << 20);
    fixture_open(&fixture, planted_named("native_order"), NULL);
    core = core_of(fixture_run(&fixture, INTEGERS("[5,4]", "")), "byte_order");
    for (size_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        uint32_t runs = 99;
        set_text(&text, INTEGERS("[5,4]", ""));
        assert_int_equal(ndp_minimise(fixture.batch, &text, &core, 20, &rows[i].patience, &runs, &error), NDP_OK);
        assert_int_equal(runs == 0, rows[i].is_over);
        assert_int_equal(text.size_bytes == strlen(INTEGERS("[5,4]", "")), rows[i].is_over);
    }
    fixture_close(&fixture);
}

NDP_SUITE(minimise_test, NDP_TEST(errors_are_passed_on), NDP_TEST(unneeded_parts_are_removed),
          NDP_TEST(process_deaths_are_minimised), NDP_TEST(the_budget_of_cases_is_kept),
          NDP_TEST(the_time_limit_ends_the_search));
