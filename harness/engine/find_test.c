#include "base/rng.h"
#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/case.h"
#include "engine/find.h"
#include "engine/spy_fixture.h"

struct world {
    struct fixture fixture;
    struct spy spy;
    struct ndp_find find;
    /* The last find. */
    struct ndp_finding finding;
    enum ndp_find_outcome outcome;
    char signature[NDP_SIGNATURE_BYTES];
    char text[2048];
};

static void open_world(struct world *world, const char *planted) {
    memset(world, 0, sizeof *world);
    fixture_open(&world->fixture, planted_named(planted) != NULL ? planted_named(planted) : reference_plugin(), NULL);
    spy_on(&world->spy, world->fixture.bench.targets[0]);
    assert_int_equal(ndp_find_init(&world->find, &world->fixture.bench), NDP_OK);
}

static void close_world(struct world *world) {
    ndp_find_clear(&world->find);
    fixture_close(&world->fixture);
}

#define WORLD(name, planted)                                                                                           \
    struct world name __attribute__((cleanup(close_world)));                                                           \
    open_world(&name, planted)

static void keep_find(struct world *world) {
    const struct ndp_bytes text = world->finding.descriptor;
    ndp_signature_print(&world->finding.divergence->signature, world->signature);
    assert_true(text.size_bytes < sizeof world->text);
    memcpy(world->text, text.data, text.size_bytes);
    world->text[text.size_bytes] = '\0';
}

/* The first divergence of a case. */
static struct ndp_divergence show(struct world *world, const char *text) {
    const struct ndp_result *result = fixture_run(&world->fixture, text);
    assert_true(result->divergence_count > 0);
    return result->divergences[0];
}

/* Finds a divergence of the case `text`. */
static void find_with(struct world *world, const char *text, const struct ndp_divergence *divergence,
                      struct ndp_find_request request) {
    const struct ndp_descriptor descriptor = fixture_read(&world->fixture, text);
    struct ndp_error error = {0};
    request.descriptor = &descriptor;
    request.properties = ndp_batch_properties(world->fixture.batch, 0);
    request.divergence = divergence;
    request.case_id = 42;
    world->spy.refreshes = 0;
    if (ndp_find_run(&world->find, &request, &world->finding, &world->outcome, &error) != NDP_OK)
        fail_msg("%s", error.text);
    if (world->outcome == NDP_FIND_FINDING) keep_find(world);
}

static void find(struct world *world, const char *text) {
    const struct ndp_divergence divergence = show(world, text);
    find_with(world, text, &divergence, (struct ndp_find_request){0});
}

#define ORDER ",\"properties\":[\"byte_order\"]"
#define SMALL "DIVERGES|byte_order|npy|dtype.order|native_order|npy:memory>memory|i|>|any|0"

/* The minimal case is reported, under its own signature. */
static void a_new_divergence_is_minimised_and_confirmed(void **state) {
    WORLD(world, "native_order");
    find(&world, INTEGERS("[2,3]", ORDER));
    assert_int_equal(world.outcome, NDP_FIND_FINDING);
    assert_string_equal(world.signature, SMALL);
    assert_non_null(strstr(world.text, "\"shape\":[]"));
    assert_non_null(strstr(world.text, "\"properties\":[\"byte_order\"]"));
    assert_int_equal(world.finding.first_case, 42);
    assert_int_equal(world.finding.confirm_runs, NDP_CONFIRM_RUNS);
    assert_int_equal(world.finding.confirm_hits, NDP_CONFIRM_RUNS);
    assert_non_null(ndp_result_find(world.finding.result, &world.finding.divergence->signature));
    assert_string_equal(world.finding.blame.library, "native_order");
    assert_true(world.spy.refreshes >= NDP_CONFIRM_RUNS);
}

/* A minimal case with a known signature is not confirmed. */
static void a_known_signature_needs_no_confirmation(void **state) {
    const uint64_t known[] = {1, ndp_hash_bytes(SMALL, strlen(SMALL), NDP_HASH_START)};
    WORLD(world, "native_order");
    const struct ndp_divergence divergence = show(&world, INTEGERS("[2,3]", ORDER));
    find_with(&world, INTEGERS("[2,3]", ORDER), &divergence,
              (struct ndp_find_request){.known = known, .known_count = 2});
    assert_int_equal(world.outcome, NDP_FIND_KNOWN);
    assert_true(ndp_signature_is_text(&world.finding.divergence->signature, SMALL));
    assert_int_equal(world.spy.refreshes, 0);
    find_with(&world, INTEGERS("[2,3]", ORDER), &divergence,
              (struct ndp_find_request){.known = known, .known_count = 1});
    assert_int_equal(world.outcome, NDP_FIND_FINDING);
}

/* The original divergence is reported with the generated case. */
static void a_divergence_that_does_not_reproduce_is_reported_with_its_hits(void **state) {
    WORLD(world, "native_order");
    struct ndp_divergence raw = show(&world, INTEGERS("[2,3]", ORDER));
    raw.signature = signature_with("DIVERGES|byte_order|npy|never");
    find_with(&world, INTEGERS("[2,3]", ORDER), &raw, (struct ndp_find_request){0});
    assert_int_equal(world.outcome, NDP_FIND_FINDING);
    assert_true(ndp_signature_is_text(&raw.signature, world.signature));
    assert_int_equal(world.finding.confirm_runs, NDP_CONFIRM_RUNS);
    assert_int_equal(world.finding.confirm_hits, 0);
    assert_null(ndp_result_find(world.finding.result, &raw.signature));
    assert_non_null(strstr(world.text, "\"shape\":[2,3]"));
}

static void be_right_when_small(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    (void)program;
    if (spy->refreshes > 0 && outcome->slots[NDP_SLOT_SOURCE].observation.ndim < 2)
        outcome->slots[NDP_SLOT_RESULT] = outcome->slots[NDP_SLOT_SOURCE];
}

/* A minimal case that fresh processes do not reproduce gives way to the generated case. */
static void the_generated_case_is_confirmed_if_the_minimal_one_fails(void **state) {
    WORLD(world, "native_order");
    world.spy.spoil = be_right_when_small;
    find(&world, INTEGERS("[2,3]", ORDER));
    assert_int_equal(world.outcome, NDP_FIND_FINDING);
    assert_non_null(strstr(world.text, "\"shape\":[2,3]"));
    assert_int_equal(world.finding.confirm_hits, NDP_CONFIRM_RUNS);
}

static void crash(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    (void)spy;
    (void)program;
    outcome->ended = NDP_VERDICT_CRASH;
    outcome->death.signal = 11;
}

static void a_process_death_is_minimised_and_confirmed(void **state) {
    WORLD(world, "");
    world.spy.spoil = crash;
    find(&world, INTEGERS("[2,3]", ""));
    assert_int_equal(world.outcome, NDP_FIND_FINDING);
    assert_memory_equal(world.signature, "CRASH|", strlen("CRASH|"));
    assert_int_equal(world.finding.confirm_hits, NDP_CONFIRM_RUNS);
    assert_non_null(strstr(world.text, "\"shape\":[]"));
}

static struct ndp_divergence hazard_of(struct ndp_divergence divergence) {
    divergence.signature.is_hazard = true;
    divergence.judgement.severity = NDP_SEVERITY_HAZARD;
    return divergence;
}

static void crash_in_two_of_three(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    if (spy->programs % 3 != 0) crash(spy, program, outcome);
}

/* A hazard that does not show every time is dropped before it is minimised. */
static void a_hazard_that_does_not_reproduce_is_no_finding(void **state) {
    WORLD(world, "");
    world.spy.spoil = crash;
    const struct ndp_divergence hazard = hazard_of(show(&world, INTEGERS("[2]", "")));
    world.spy.spoil = NULL;
    world.spy.programs = 0;
    find_with(&world, INTEGERS("[2]", ""), &hazard, (struct ndp_find_request){0});
    assert_int_equal(world.outcome, NDP_FIND_NOTHING);
    assert_int_equal(world.spy.programs, NDP_CONFIRM_RUNS);
    assert_int_equal(world.spy.refreshes, NDP_CONFIRM_RUNS);
}

/* Also when a signal stops the run. */
static void a_documented_loss_is_confirmed_by_one_run(void **state) {
    static const volatile sig_atomic_t stopped = 1;
    WORLD(world, "native_order");
    struct ndp_divergence raw = show(&world, INTEGERS("[2,3]", ORDER));
    raw.judgement.severity = NDP_SEVERITY_DOCUMENTED_LOSS;
    find_with(&world, INTEGERS("[2,3]", ORDER), &raw, (struct ndp_find_request){0});
    assert_int_equal(world.finding.confirm_runs, 1);
    world.find.stop = &stopped;
    find(&world, INTEGERS("[2,3]", ORDER));
    assert_int_equal(world.finding.confirm_runs, 1);
    assert_int_equal(world.finding.confirm_hits, 1);
    /* A stopped run minimises nothing, and makes no experiments. */
    assert_non_null(strstr(world.text, "\"shape\":[2,3]"));
    assert_int_equal(world.spy.refreshes, 1);
}

/* Without time nothing is minimised, there are no experiments, and one run confirms. */
static void a_find_without_time_is_not_minimised(void **state) {
    WORLD(world, "native_order");
    const struct ndp_divergence raw = show(&world, INTEGERS("[2,3]", ORDER));
    find_with(&world, INTEGERS("[2,3]", ORDER), &raw, (struct ndp_find_request){.until_ns = 1});
    assert_int_equal(world.outcome, NDP_FIND_FINDING);
    assert_int_equal(world.finding.confirm_hits, 1);
    assert_int_equal(world.spy.refreshes, 1);
    assert_non_null(strstr(world.text, "\"shape\":[2,3]"));
}

static void an_error_of_a_target_is_returned(void **state) {
    WORLD(world, "native_order");
    struct ndp_error error = {0};
    const struct ndp_divergence raw = show(&world, INTEGERS("[2,3]", ORDER));
    const struct ndp_descriptor descriptor = fixture_read(&world.fixture, INTEGERS("[2,3]", ORDER));
    const struct ndp_find_request request = {.descriptor = &descriptor, .divergence = &raw};
    world.spy.says = NDP_GONE;
    assert_int_equal(ndp_find_run(&world.find, &request, &world.finding, &world.outcome, &error), NDP_GONE);
    assert_non_null(strstr(error.text, "spy"));
}

static void every_confirmation_uses_fresh_processes(void **state) {
    struct ndp_error error = {0};
    uint32_t hits = 99;
    const struct ndp_signature core = signature_with("CRASH|-|npy|process|signal 11 ");
    const struct ndp_bytes text = ndp_bytes_view(INTEGERS("[2]", ""));
    WORLD(world, "");
    struct ndp_batch *batch = world.fixture.batch;
    assert_int_equal(ndp_find_confirm(batch, text, &core, 4, &hits, &error), NDP_OK);
    assert_int_equal(hits, 0);
    world.spy.spoil = crash_in_two_of_three;
    world.spy.programs = 0;
    world.spy.refreshes = 0;
    assert_int_equal(ndp_find_confirm(batch, text, &core, 6, &hits, &error), NDP_OK);
    assert_int_equal(hits, 4);
    assert_int_equal(world.spy.refreshes, 6);
    assert_int_equal(world.spy.programs, 6);
    assert_int_equal(ndp_find_confirm(batch, text, &core, 0, &hits, &error), NDP_OK);
    assert_int_equal(hits, 0);
}

NDP_SUITE(find_test, NDP_TEST(a_new_divergence_is_minimised_and_confirmed),
          NDP_TEST(a_known_signature_needs_no_confirmation),
          NDP_TEST(a_divergence_that_does_not_reproduce_is_reported_with_its_hits),
          NDP_TEST(the_generated_case_is_confirmed_if_the_minimal_one_fails),
          NDP_TEST(a_process_death_is_minimised_and_confirmed),
          NDP_TEST(a_hazard_that_does_not_reproduce_is_no_finding), NDP_TEST(a_documented_loss_is_confirmed_by_one_run),
          NDP_TEST(a_find_without_time_is_not_minimised), NDP_TEST(an_error_of_a_target_is_returned),
          NDP_TEST(every_confirmation_uses_fresh_processes));
