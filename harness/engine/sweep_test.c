#include "base/rng.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/spy_fixture.h"
#include "engine/sweep.h"

static const char *const npy[] = {"npy"}, *const raw[] = {"raw"}, *const none[] = {"nothing"};

/* The events of a run. */
struct heard {
    uint64_t cases;
    uint64_t decodes;
    uint64_t mark; /* hash of all descriptors, in order */
    uint64_t divergences;
    uint64_t comparisons;
    uint64_t defects;
    uint32_t found;
    uint32_t again;
    uint32_t ticks;
    uint32_t judged;   /* mask of properties */
    uint32_t reported; /* mask of the properties of findings */
    char routes[2048]; /* of the first cases */
    volatile sig_atomic_t stop;
    uint64_t stop_after; /* cases; 0: never */
};

static uint32_t bit_of(const struct ndp_property *property) {
    return property != NULL ? ndp_property_set_of(property).bits : 0;
}

static void on_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct heard *heard = context;
    NDP_BUFFER_SCOPED(text, 1 << 24);
    assert_int_equal(ndp_descriptor_print(&text, descriptor), NDP_OK);
    for (uint64_t i = 0; i < text.size_bytes; i++) heard->mark = ndp_rng_mix(heard->mark, text.data[i]);
    heard->cases++;
    heard->decodes += descriptor->kind == NDP_CASE_DECODE;
    heard->divergences += result->divergence_count;
    heard->comparisons += result->comparisons;
    for (uint32_t i = 0; i < result->divergence_count; i++)
        heard->defects += result->divergences[i].judgement.severity == NDP_SEVERITY_DEFECT;
    assert_int_not_equal(result->verdict, NDP_VERDICT_FAULT);
    for (uint32_t i = 0; i < NDP_MAX_PROPERTIES; i++)
        if (result->by_property[i].is_judged) heard->judged |= 1u << i;
    char route[NDP_ROUTE_TEXT_BYTES];
    ndp_descriptor_print_route(&descriptor->route, route);
    const size_t at = strlen(heard->routes);
    snprintf(heard->routes + at, sizeof heard->routes - at, "%s ", route);
    if (heard->stop_after != 0 && heard->cases >= heard->stop_after) heard->stop = 1;
}

static void on_finding(void *context, const struct ndp_finding *found) {
    struct heard *heard = context;
    heard->found++;
    heard->reported |= bit_of(found->divergence->property);
    assert_int_equal(found->confirm_hits, found->confirm_runs);
    assert_true(found->first_case < 4000);
}

static void on_duplicate(void *context, const struct ndp_signature *signature, const struct ndp_route *route) {
    struct heard *heard = context;
    assert_true(signature->field[0] != '\0');
    heard->again++;
}

static void on_tick(void *context) {
    struct heard *heard = context;
    heard->ticks++;
}

static struct ndp_sweep_events events_of(struct heard *heard) {
    return (struct ndp_sweep_events){.context = heard,
                                     .on_case = on_case,
                                     .on_finding = on_finding,
                                     .on_duplicate = on_duplicate,
                                     .on_tick = on_tick};
}

static enum ndp_stop_reason sweep(struct fixture *fixture, const struct ndp_sweep_options *options,
                                  struct heard *heard) {
    const struct ndp_sweep_events events = events_of(heard);
    enum ndp_stop_reason reason = NDP_STOP_NO_ROUTES;
    struct ndp_error error = {0};
    if (ndp_sweep_run(&fixture->bench, options, &events, &reason, &error) != NDP_OK) fail_msg("%s", error.text);
    return reason;
}

/* Case number n does not depend on the length of the run. */
static void equal_seeds_run_equal_cases(void **state) {
    static struct heard heard[4];
    memset(heard, 0, sizeof heard);
    FIXTURE(fixture, reference_plugin(), NULL);
    const struct ndp_sweep_options options = {.seed = 7, .cases = 200};
    struct ndp_sweep_options other = options;
    other.seed = 8;
    assert_int_equal(sweep(&fixture, &options, &heard[0]), NDP_STOP_CASES);
    assert_int_equal(sweep(&fixture, &options, &heard[1]), NDP_STOP_CASES);
    assert_int_equal(sweep(&fixture, &other, &heard[2]), NDP_STOP_CASES);
    assert_int_equal(heard[0].cases, 200);
    assert_true(heard[0].mark == heard[1].mark);
    assert_true(heard[0].mark != heard[2].mark);
    assert_true(heard[0].decodes > 0 && heard[0].decodes < 200);
    assert_true(heard[0].ticks >= 200 / NDP_BATCH_CASES);
    other = options;
    other.cases = 500;
    assert_int_equal(sweep(&fixture, &other, &heard[3]), NDP_STOP_CASES);
    assert_int_equal(heard[3].cases, 500);
    assert_memory_equal(heard[3].routes, heard[0].routes, 1024);
    /* The reference has documented losses and no defects. */
    for (int i = 0; i < 4; i++) assert_int_equal(heard[i].defects, 0);
}

static void the_reason_for_the_end_is_returned(void **state) {
    static struct heard heard;
    FIXTURE(fixture, reference_plugin(), NULL);
    memset(&heard, 0, sizeof heard);
    struct ndp_sweep_options options = {.seed = 1, .filter = {.formats = npy, .format_count = 1}};
    options.stop = &heard.stop;
    heard.stop_after = 1;
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_SIGNAL);
    /* Batches in flight are still reported. */
    assert_in_range(heard.cases, NDP_BATCH_CASES, 3 * NDP_BATCH_CASES);
    memset(&heard, 0, sizeof heard);
    options.duration_ns = 1;
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_DURATION);
    memset(&heard, 0, sizeof heard);
    options.filter.formats = none;
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_NO_ROUTES);
    assert_int_equal(heard.cases, 0);
}

/* Unjudged kinds of cases are not generated. */
static void only_selected_properties_judge(void **state) {
    struct fixture fixture;
    static struct heard heard;
    static const char *const names[] = {"values", "strictness"};
    fixture_open(&fixture, reference_plugin(), NULL);
    for (int i = 0; i < 2; i++) {
        memset(&heard, 0, sizeof heard);
        const struct ndp_sweep_options options = {.seed = 3,
                                                  .cases = 200,
                                                  .properties = property_named(names[i]),
                                                  .filter = {.formats = npy, .format_count = 1}};
        assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
        assert_int_equal(heard.judged, property_named(names[i]).bits);
        if (i == 1) assert_int_equal(heard.decodes, heard.cases);
    }
    /* The empty set is all: every property of arrays judges some case. */
    memset(&heard, 0, sizeof heard);
    const struct ndp_sweep_options options = {.seed = 3, .cases = 800, .filter = {.formats = npy, .format_count = 1}};
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    static const char *const judged[] = {"values", "byte_order", "memory_order", "shape",       "dtype",
                                         "flags",  "memmap",     "entry_points", "idempotence", "strictness"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(judged); i++)
        if ((heard.judged & property_named(judged[i]).bits) == 0) fail_msg("%s judged nothing", judged[i]);
    fixture_close(&fixture);
}

/* Findings and duplicates together are all divergences. */
static void findings_are_reported_once(void **state) {
    static struct heard heard;
    memset(&heard, 0, sizeof heard);
    FIXTURE(fixture, planted_named("native_order"), NULL);
    const struct ndp_sweep_options options = {.seed = 1,
                                              .cases = 400,
                                              .properties = property_named("byte_order"),
                                              .filter = {.formats = raw, .format_count = 1}};
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    assert_true(heard.found >= 1);
    assert_true(heard.again > heard.found);
    assert_int_equal(heard.reported, property_named("byte_order").bits);
    assert_int_equal(heard.found + heard.again, heard.divergences);
}

/* Without on_finding nothing is confirmed. */
static void handlers_are_optional(void **state) {
    struct fixture fixture;
    struct spy spy;
    struct ndp_error error = {0};
    enum ndp_stop_reason reason;
    fixture_open(&fixture, planted_named("native_order"), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    const struct ndp_sweep_events events = {.context = NULL};
    const struct ndp_sweep_options options = {.seed = 1, .cases = 100, .filter = {.formats = npy, .format_count = 1}};
    assert_int_equal(ndp_sweep_run(&fixture.bench, &options, &events, &reason, &error), NDP_OK);
    assert_int_equal(reason, NDP_STOP_CASES);
    assert_in_range(spy.programs, 1, 100);
    assert_int_equal(spy.refreshes, 0);
    assert_int_equal(spy.censuses, 0);
    spy.says = NDP_GONE;
    assert_int_equal(ndp_sweep_run(&fixture.bench, &options, &events, &reason, &error), NDP_GONE);
    fixture_close(&fixture);
}

/* With the default properties, targets are sampled, and a leak of every case is found and reported. */
static void a_leak_is_found(void **state) {
    struct spy spy;
    static struct heard heard;
    memset(&heard, 0, sizeof heard);
    FIXTURE(fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    spy.has_grown = true;
    const struct ndp_sweep_options options = {.seed = 1, .cases = 2500, .filter = {.formats = raw, .format_count = 1}};
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    assert_true(spy.censuses > 0);
    assert_int_equal(heard.reported, property_named("leaks").bits);
    assert_true(heard.found >= 1);
    assert_true((heard.judged & property_named("leaks").bits) != 0);
}

static void support_nothing(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    for (int i = 0; i < NDP_SLOT_COUNT; i++)
        if (outcome->slots[i].state != NDP_SLOT_ABSENT)
            outcome->slots[i] = (struct ndp_slot_record){.state = NDP_SLOT_UNSUPPORTED};
}

/* Samples of an idle target compare nothing. */
static void an_unsupported_sweep_compares_nothing(void **state) {
    struct spy spy;
    static struct heard heard;
    memset(&heard, 0, sizeof heard);
    FIXTURE(fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    spy.spoil = support_nothing;
    const struct ndp_sweep_options options = {.seed = 1, .cases = 2500, .filter = {.formats = raw, .format_count = 1}};
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    assert_true(spy.censuses > 0);
    assert_int_equal(heard.comparisons, 0);
    assert_int_equal(heard.judged & property_named("leaks").bits, 0);
}

NDP_SUITE(sweep_test, NDP_TEST(equal_seeds_run_equal_cases), NDP_TEST(the_reason_for_the_end_is_returned),
          NDP_TEST(only_selected_properties_judge), NDP_TEST(findings_are_reported_once),
          NDP_TEST(handlers_are_optional), NDP_TEST(a_leak_is_found), NDP_TEST(an_unsupported_sweep_compares_nothing));
