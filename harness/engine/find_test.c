#include "base/suite.h"
#include "engine/bench_fixture.h"
#include "engine/case.h"
#include "engine/confirm.h"
#include "engine/spy_fixture.h"

enum { MOST = 64 };

/* The events of a run. */
struct heard {
    uint32_t found;
    uint32_t again;
    char signatures[MOST][NDP_SIGNATURE_BYTES];
    char texts[MOST][1024];
    uint64_t first_cases[MOST];
    uint32_t runs[MOST];
    uint32_t hits[MOST];
    bool shows[MOST]; /* whether the result has the divergence */
    char last_again[NDP_SIGNATURE_BYTES];
};

static void on_finding(void *context, const struct ndp_finding *found) {
    struct heard *heard = context;
    const uint32_t at = heard->found++;
    assert_true(at < MOST);
    ndp_signature_print(&found->divergence->signature, heard->signatures[at]);
    assert_true(found->descriptor.size_bytes < sizeof heard->texts[at]);
    memcpy(heard->texts[at], found->descriptor.data, found->descriptor.size_bytes);
    heard->texts[at][found->descriptor.size_bytes] = '\0';
    heard->first_cases[at] = found->first_case;
    heard->runs[at] = found->confirm_runs;
    heard->hits[at] = found->confirm_hits;
    heard->shows[at] = ndp_result_find(found->result, &found->divergence->signature) != NULL;
}

static void on_duplicate(void *context, const struct ndp_signature *signature, const struct ndp_route *route) {
    struct heard *heard = context;
    heard->again++;
    ndp_signature_print(signature, heard->last_again);
}

static struct ndp_signature signature_of(const char *text) {
    struct ndp_signature signature;
    assert_int_equal(ndp_signature_parse(text, &signature), NDP_OK);
    return signature;
}

struct world {
    struct fixture fixture;
    struct spy spy;
    struct ndp_sweep_events events;
    struct ndp_confirm confirm;
    struct heard heard;
};

static void open_world(struct world *world, const char *planted) {
    memset(world, 0, sizeof *world);
    fixture_open(&world->fixture, planted_named(planted) != NULL ? planted_named(planted) : reference_plugin(), NULL);
    spy_on(&world->spy, world->fixture.bench.targets[0]);
    world->events =
        (struct ndp_sweep_events){.context = &world->heard, .on_finding = on_finding, .on_duplicate = on_duplicate};
    assert_int_equal(ndp_confirm_init(&world->confirm, &world->fixture.bench, &world->events), NDP_OK);
}

static void close_world(struct world *world) {
    ndp_confirm_clear(&world->confirm);
    fixture_close(&world->fixture);
}

/* Runs a case and takes all of its divergences; returns their number. */
static uint32_t take_up(struct world *world, const char *text, uint64_t case_id) {
    struct ndp_error error = {0};
    const struct ndp_descriptor descriptor = fixture_read(&world->fixture, text);
    const struct ndp_result *result = fixture_run(&world->fixture, text);
    const struct ndp_property_set properties = ndp_batch_properties(world->fixture.batch, 0);
    for (uint32_t i = 0; i < result->divergence_count; i++) {
        const struct ndp_divergence raw = result->divergences[i];
        if (ndp_confirm_has(&world->confirm, &raw)) continue;
        if (ndp_confirm_take(&world->confirm, &descriptor, properties, case_id, &raw, &error) != NDP_OK)
            fail_msg("%s", error.text);
    }
    return result->divergence_count;
}

static void settle(struct world *world) {
    struct ndp_error error = {0};
    if (ndp_confirm_finish(&world->confirm, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_int_equal(world->confirm.pending_count, 0);
}

#define ORDER ",\"properties\":[\"byte_order\"]"
#define CORE  "DIVERGES|byte_order|npy|dtype.order"
#define SMALL CORE "|native_order|npy:memory>memory|i|>|any|0"

/* Only the confirmed minimal case is reported, under its own signature. */
static void a_new_divergence_is_minimised_and_confirmed(void **state) {
    struct world world;
    open_world(&world, "native_order");
    assert_int_equal(take_up(&world, INTEGERS("[2,3]", ORDER), 42), 1);
    assert_int_equal(world.heard.found, 0);
    assert_int_equal(world.confirm.pending_count, 1);
    const uint32_t refreshes = world.spy.refreshes;
    settle(&world);
    assert_int_equal(world.heard.found, 1);
    assert_string_equal(world.heard.signatures[0], SMALL);
    assert_non_null(strstr(world.heard.texts[0], "\"shape\":[]"));
    assert_non_null(strstr(world.heard.texts[0], "\"properties\":[\"byte_order\"]"));
    assert_int_equal(world.heard.first_cases[0], 42);
    assert_int_equal(world.heard.runs[0], NDP_CONFIRM_RUNS);
    assert_int_equal(world.heard.hits[0], NDP_CONFIRM_RUNS);
    assert_true(world.heard.shows[0]);
    assert_int_equal(world.spy.refreshes - refreshes, NDP_CONFIRM_RUNS);
    settle(&world);
    assert_int_equal(world.heard.found, 1);
    assert_int_equal(world.heard.again, 0);
    close_world(&world);
}

/* Equal minimal cases are one finding: counted at its report if it is pending, else at once. */
static void a_known_divergence_is_counted(void **state) {
    struct world world;
    open_world(&world, "native_order");
    (void)take_up(&world, INTEGERS("[2,3]", ORDER), 1);
    (void)take_up(&world, INTEGERS("[7]", ORDER), 2);
    const struct ndp_signature small = signature_of(SMALL);
    ndp_confirm_count(&world.confirm, &small, NULL);
    assert_int_equal(world.confirm.pending_count, 1);
    assert_int_equal(world.heard.again, 0);
    settle(&world);
    assert_int_equal(world.heard.found, 1);
    assert_int_equal(world.heard.again, 2);
    assert_string_equal(world.heard.last_again, SMALL);
    (void)take_up(&world, INTEGERS("[1,1,4]", ORDER), 3);
    assert_int_equal(world.heard.again, 3);
    const struct ndp_signature another = signature_of(CORE "|another");
    ndp_confirm_count(&world.confirm, &another, NULL);
    assert_int_equal(world.heard.again, 4);
    assert_string_equal(world.heard.last_again, CORE "|another");
    settle(&world);
    assert_int_equal(world.heard.found, 1);
    /* Every divergence belongs to the finding now. */
    const struct ndp_result *result = fixture_run(&world.fixture, INTEGERS("[2,3]", ORDER));
    assert_true(ndp_signature_is_text(ndp_dedup_find(&world.confirm.dedup, &result->divergences[0]), SMALL));
    close_world(&world);
}

#define PICKLED                                                                                                        \
    "{\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[3]}}},\"route\":{\"format\":\"pickle\",\"protocol"  \
    "\":2,\"encode\":\"c\",\"decode\":\"c\",\"encoder\":\"one\",\"decoder\":\"one\"}" ORDER "}"
#define RAW                                                                                                            \
    "{\"value\":{\"array\":{\"base\":{\"dtype\":\">i4\",\"shape\":[3]}}},\"route\":{\"format\":\"raw\",\"encode\":"    \
    "\"memory\",\"decode\":\"memory\",\"encoder\":\"one\",\"decoder\":\"one\"}" ORDER "}"

/* Three pending divergences need three process starts, and are reported in order. */
static void pending_divergences_share_processes(void **state) {
    static const char *const texts[] = {RAW, INTEGERS("[2]", ORDER), PICKLED};
    static const char *const formats[] = {"|raw|", "|npy|", "|pickle|"};
    struct world world;
    open_world(&world, "native_order");
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(take_up(&world, texts[i], i), 1);
    assert_int_equal(world.confirm.pending_count, 3);
    world.spy.refreshes = 0;
    settle(&world);
    assert_int_equal(world.spy.refreshes, NDP_CONFIRM_RUNS);
    assert_int_equal(world.heard.found, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(world.heard.first_cases[i], i);
        assert_non_null(strstr(world.heard.signatures[i], formats[i]));
        assert_int_equal(world.heard.hits[i], NDP_CONFIRM_RUNS);
    }
    close_world(&world);
}

/* The original divergence is reported with the generated case. */
static void a_divergence_that_does_not_reproduce_is_reported_with_its_hits(void **state) {
    struct world world;
    struct ndp_error error = {0};
    open_world(&world, "native_order");
    const struct ndp_descriptor descriptor = fixture_read(&world.fixture, INTEGERS("[2,3]", ORDER));
    const struct ndp_result *result = fixture_run(&world.fixture, INTEGERS("[2,3]", ORDER));
    struct ndp_divergence raw = result->divergences[0];
    raw.signature = signature_of("DIVERGES|byte_order|npy|never|native_order");
    const struct ndp_property_set judged = property_named("byte_order");
    assert_int_equal(ndp_confirm_take(&world.confirm, &descriptor, judged, 5, &raw, &error), NDP_OK);
    settle(&world);
    assert_int_equal(world.heard.found, 1);
    assert_true(ndp_signature_is_text(&raw.signature, world.heard.signatures[0]));
    assert_int_equal(world.heard.runs[0], NDP_CONFIRM_RUNS);
    assert_int_equal(world.heard.hits[0], 0);
    assert_false(world.heard.shows[0]);
    assert_non_null(strstr(world.heard.texts[0], "\"shape\":[2,3]"));
    close_world(&world);
}

static void crash(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    (void)spy;
    (void)program;
    outcome->ended = NDP_VERDICT_CRASH;
    outcome->death.signal = 11;
}

/* A process death loses the answers of other cases, so it is confirmed separately. */
static void a_process_death_is_confirmed_separately(void **state) {
    struct world world;
    open_world(&world, "");
    world.spy.spoil = crash;
    assert_int_equal(take_up(&world, INTEGERS("[2]", ""), 1), 1);
    assert_int_equal(take_up(&world, RAW, 2), 1);
    assert_int_equal(world.confirm.pending_count, 2);
    world.spy.refreshes = 0;
    settle(&world);
    assert_int_equal(world.spy.refreshes, 2 * NDP_CONFIRM_RUNS);
    assert_int_equal(world.heard.found, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_memory_equal(world.heard.signatures[i], "CRASH|", strlen("CRASH|"));
        assert_int_equal(world.heard.hits[i], NDP_CONFIRM_RUNS);
    }
    close_world(&world);
}

static void be_right_in_larger_batches(struct spy *spy, const struct ndp_program *program,
                                       struct ndp_outcome *outcome) {
    (void)program;
    if (spy->together > 1) outcome->slots[NDP_SLOT_RESULT] = outcome->slots[NDP_SLOT_SOURCE];
}

/* A divergence that larger batches hide is confirmed in a batch of one. */
static void a_divergence_without_company_is_confirmed_separately(void **state) {
    struct world world;
    open_world(&world, "native_order");
    world.spy.spoil = be_right_in_larger_batches;
    assert_int_equal(take_up(&world, INTEGERS("[2]", ORDER), 1), 1);
    assert_int_equal(take_up(&world, RAW, 2), 1);
    assert_int_equal(world.confirm.pending_count, 2);
    world.spy.refreshes = 0;
    settle(&world);
    assert_int_equal(world.spy.refreshes, NDP_CONFIRM_RUNS + 2 * NDP_CONFIRM_RUNS);
    assert_int_equal(world.heard.found, 2);
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(world.heard.hits[i], NDP_CONFIRM_RUNS);
    close_world(&world);
}

/* Also when a signal stops the run. */
static void a_documented_loss_is_confirmed_by_one_run(void **state) {
    static const volatile sig_atomic_t stopped = 1;
    struct world world;
    struct ndp_error error = {0};
    open_world(&world, "native_order");
    const struct ndp_descriptor descriptor = fixture_read(&world.fixture, INTEGERS("[2,3]", ORDER));
    struct ndp_divergence raw = fixture_run(&world.fixture, INTEGERS("[2,3]", ORDER))->divergences[0];
    raw.judgement.severity = NDP_SEVERITY_DOCUMENTED_LOSS;
    const struct ndp_property_set judged = property_named("byte_order");
    assert_int_equal(ndp_confirm_take(&world.confirm, &descriptor, judged, 5, &raw, &error), NDP_OK);
    settle(&world);
    assert_int_equal(world.heard.runs[0], 1);
    world.confirm.stop = &stopped;
    (void)take_up(&world, RAW, 6);
    settle(&world);
    assert_int_equal(world.heard.runs[1], 1);
    assert_int_equal(world.heard.hits[1], 1);
    /* A stopped run minimises nothing. */
    assert_non_null(strstr(world.heard.texts[1], "\"shape\":[3]"));
    close_world(&world);
}

/* Some seconds after the end of the run nothing is minimised, but everything is reported. */
static void after_the_grace_period_nothing_is_minimised(void **state) {
    struct world world;
    open_world(&world, "native_order");
    world.confirm.end_ns = 1;
    (void)take_up(&world, INTEGERS("[2,3]", ORDER), 1);
    settle(&world);
    assert_int_equal(world.heard.found, 1);
    assert_int_equal(world.heard.hits[0], NDP_CONFIRM_RUNS);
    assert_non_null(strstr(world.heard.texts[0], "\"shape\":[2,3]"));
    close_world(&world);
}

/* More divergences than NDP_MAX_PENDING. */
static void a_full_pending_list_is_confirmed_first(void **state) {
    struct world world;
    struct ndp_error error = {0};
    char text[512];
    open_world(&world, "native_order");
    /* Cases without the divergence run once and are not minimised. */
    for (uint32_t i = 0; i <= NDP_MAX_PENDING; i++) {
        snprintf(text, sizeof text, "%s", INTEGERS("[2]", ORDER));
        const struct ndp_descriptor descriptor = fixture_read(&world.fixture, text);
        struct ndp_divergence raw = fixture_run(&world.fixture, text)->divergences[0];
        snprintf(raw.signature.field, sizeof raw.signature.field, "never%u", (unsigned)i);
        const struct ndp_property_set judged = property_named("byte_order");
        assert_int_equal(ndp_confirm_take(&world.confirm, &descriptor, judged, i, &raw, &error), NDP_OK);
        assert_int_equal(world.heard.found, i < NDP_MAX_PENDING ? 0 : NDP_MAX_PENDING);
    }
    settle(&world);
    assert_int_equal(world.heard.found, NDP_MAX_PENDING + 1);
    for (uint32_t i = 0; i <= NDP_MAX_PENDING; i++) assert_int_equal(world.heard.first_cases[i], i);
    close_world(&world);
}

static void an_error_of_a_target_is_returned(void **state) {
    struct world world;
    struct ndp_error error = {0};
    open_world(&world, "native_order");
    (void)take_up(&world, INTEGERS("[2]", ORDER), 1);
    const struct ndp_descriptor descriptor = fixture_read(&world.fixture, RAW);
    const struct ndp_divergence raw = fixture_run(&world.fixture, RAW)->divergences[0];
    world.spy.says = NDP_GONE;
    assert_int_equal(ndp_confirm_finish(&world.confirm, &error), NDP_GONE);
    const struct ndp_property_set judged = property_named("byte_order");
    assert_int_equal(ndp_confirm_take(&world.confirm, &descriptor, judged, 2, &raw, &error), NDP_GONE);
    assert_int_equal(world.heard.found, 0);
    close_world(&world);
}

static void crash_in_two_of_three(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    (void)program;
    if (spy->programs % 3 == 0) return;
    outcome->ended = NDP_VERDICT_CRASH;
    outcome->death.signal = 11;
}

static void every_confirmation_uses_fresh_processes(void **state) {
    struct fixture fixture;
    struct spy spy;
    struct ndp_error error = {0};
    uint32_t hits = 99;
    const struct ndp_signature core = signature_of("CRASH|-|npy|process|signal 11 |reference");
    const struct ndp_bytes text = ndp_bytes_view(INTEGERS("[2]", ""));
    fixture_open(&fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    assert_int_equal(ndp_confirm_text(fixture.batch, text, &core, 4, &hits, &error), NDP_OK);
    assert_int_equal(hits, 0);
    spy.spoil = crash_in_two_of_three;
    spy.programs = 0;
    spy.refreshes = 0;
    assert_int_equal(ndp_confirm_text(fixture.batch, text, &core, 6, &hits, &error), NDP_OK);
    assert_int_equal(hits, 4);
    assert_int_equal(spy.refreshes, 6);
    assert_int_equal(spy.programs, 6);
    assert_int_equal(ndp_confirm_text(fixture.batch, text, &core, 0, &hits, &error), NDP_OK);
    assert_int_equal(hits, 0);
    fixture_close(&fixture);
}

NDP_SUITE(confirm_test, NDP_TEST(a_new_divergence_is_minimised_and_confirmed), NDP_TEST(a_known_divergence_is_counted),
          NDP_TEST(every_confirmation_uses_fresh_processes), NDP_TEST(pending_divergences_share_processes),
          NDP_TEST(a_divergence_that_does_not_reproduce_is_reported_with_its_hits),
          NDP_TEST(a_process_death_is_confirmed_separately),
          NDP_TEST(a_divergence_without_company_is_confirmed_separately),
          NDP_TEST(a_documented_loss_is_confirmed_by_one_run), NDP_TEST(after_the_grace_period_nothing_is_minimised),
          NDP_TEST(a_full_pending_list_is_confirmed_first), NDP_TEST(an_error_of_a_target_is_returned));
