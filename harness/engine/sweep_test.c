#include "base/rng.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/spy_fixture.h"
#include "engine/sweep.h"

static const char *const npy[] = {"npy"}, *const raw[] = {"raw"}, *const none[] = {"nothing"};

/* What a run tells. */
struct heard {
    uint64_t cases;
    uint64_t decodes;
    uint64_t mark; /* of all descriptors, in their order */
    uint64_t divergences;
    uint64_t defects;
    uint32_t found;
    uint32_t again;
    uint32_t ticks;
    uint32_t judged;   /* mask of properties */
    uint32_t reported; /* mask of properties that findings name */
    char routes[2048]; /* of the first cases */
    volatile sig_atomic_t stop;
    uint64_t stop_after; /* cases; 0 is never */
};

static uint32_t bit_of(const struct ndp_property *property) {
    return property != NULL ? ndp_property_set_of(property).bits : 0;
}

static void on_case(void *context, const struct ndp_descriptor *descriptor, const struct ndp_result *result) {
    struct heard *heard = context;
    struct ndp_buffer text;
    ndp_buffer_init(&text, 1 << 24);
    assert_int_equal(ndp_descriptor_print(&text, descriptor), NDP_OK);
    for (uint64_t i = 0; i < text.size_bytes; i++) heard->mark = ndp_rng_mix(heard->mark, text.data[i]);
    ndp_buffer_clear(&text);
    heard->cases++;
    heard->decodes += descriptor->kind == NDP_CASE_DECODE;
    heard->divergences += result->divergence_count;
    for (uint32_t i = 0; i < result->divergence_count; i++)
        heard->defects += result->divergences[i].judgement.severity == NDP_SEVERITY_DEFECT;
    assert_int_not_equal(result->verdict, NDP_VERDICT_FAULT);
    for (uint32_t i = 0; i < NDP_MAX_PROPERTIES; i++) {
        if (result->by_property[i].is_judged) heard->judged |= 1u << i;
    }
    char route[NDP_ROUTE_TEXT_BYTES];
    ndp_route_print(&descriptor->route, route);
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

static void on_duplicate(void *context, const struct ndp_signature *signature) {
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

/* Case number n is the same in every run with the same seed, however long it is. */
static void a_seed_says_what_is_tried(void **state) {
    struct fixture fixture;
    static struct heard heard[4];
    memset(heard, 0, sizeof heard);
    fixture_open(&fixture, reference_plugin(), NULL);
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
    /* The reference is right, but for losses that are documented. */
    for (int i = 0; i < 4; i++) assert_int_equal(heard[i].defects, 0);
    fixture_close(&fixture);
}

static void a_run_ends_for_a_reason(void **state) {
    struct fixture fixture;
    static struct heard heard;
    fixture_open(&fixture, reference_plugin(), NULL);
    memset(&heard, 0, sizeof heard);
    struct ndp_sweep_options options = {.seed = 1, .filter = {.formats = npy, .format_count = 1}};
    options.stop = &heard.stop;
    heard.stop_after = 1;
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_SIGNAL);
    /* What is in flight is heard. */
    assert_in_range(heard.cases, NDP_BATCH_CASES, 3 * NDP_BATCH_CASES);
    memset(&heard, 0, sizeof heard);
    options.duration_ns = 1;
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_DURATION);
    memset(&heard, 0, sizeof heard);
    options.filter.formats = none;
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_NO_ROUTES);
    assert_int_equal(heard.cases, 0);
    fixture_close(&fixture);
}

/* Nothing else is judged, and no kind of case is drawn that would not be. */
static void properties_are_those_that_are_asked_for(void **state) {
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
    /* All of them: each that judges arrays comes in turn. */
    memset(&heard, 0, sizeof heard);
    const struct ndp_sweep_options options = {.seed = 3, .cases = 800, .filter = {.formats = npy, .format_count = 1}};
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    static const char *const judged[] = {"values", "byte_order", "memory_order", "shape",       "dtype",
                                         "flags",  "memmap",     "entry_points", "idempotence", "strictness"};
    for (size_t i = 0; i < NDP_ARRAY_LEN(judged); i++) {
        if ((heard.judged & property_named(judged[i]).bits) == 0) fail_msg("%s judges nothing", judged[i]);
    }
    fixture_close(&fixture);
}

/* What is new is told once, what is known is counted: together they are all that was seen. */
static void findings_are_told_once(void **state) {
    struct fixture fixture;
    static struct heard heard;
    memset(&heard, 0, sizeof heard);
    fixture_open(&fixture, planted_named("native_order"), NULL);
    const struct ndp_sweep_options options = {.seed = 1,
                                              .cases = 400,
                                              .properties = property_named("byte_order"),
                                              .filter = {.formats = raw, .format_count = 1}};
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    assert_true(heard.found >= 1);
    assert_true(heard.again > heard.found);
    assert_int_equal(heard.reported, property_named("byte_order").bits);
    assert_int_equal(heard.found + heard.again, heard.divergences);
    fixture_close(&fixture);
}

/* Without anybody to tell, nothing is confirmed. */
static void nobody_need_listen(void **state) {
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

/* Whoever asks for nothing by name has targets counted, and what grows with every case is searched for and told. */
static void what_grows_is_found(void **state) {
    struct fixture fixture;
    struct spy spy;
    static struct heard heard;
    memset(&heard, 0, sizeof heard);
    fixture_open(&fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    spy.has_grown = true;
    const struct ndp_sweep_options options = {.seed = 1, .cases = 2500, .filter = {.formats = raw, .format_count = 1}};
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    assert_true(spy.censuses > 0);
    assert_int_equal(heard.reported, property_named("leaks").bits);
    assert_true(heard.found >= 1);
    assert_true((heard.judged & property_named("leaks").bits) != 0);
    fixture_close(&fixture);
}

NDP_SUITE(sweep_test, cmocka_unit_test(a_seed_says_what_is_tried), cmocka_unit_test(a_run_ends_for_a_reason),
          cmocka_unit_test(properties_are_those_that_are_asked_for), cmocka_unit_test(findings_are_told_once),
          cmocka_unit_test(nobody_need_listen), cmocka_unit_test(what_grows_is_found));
