#include "base/suite.h"
#include "engine/spy_fixture.h"
#include "engine/sweep.h"
#include "engine/sweep_fixture.h"
#include "engine/worker_fixture.h"

static const char *const npy[] = {"npy"}, *const raw[] = {"raw"}, *const both[] = {"npy", "raw"};
static const char *const none[] = {"nothing"};

#define FORMATS(list) .filter = {.formats = (list), .format_count = NDP_ARRAY_LEN(list)}

static enum ndp_stop_reason sweep(struct fixture *fixture, const struct ndp_sweep_options *options,
                                  struct heard *heard) {
    const struct ndp_sweep_events events = heard_events(heard);
    enum ndp_stop_reason reason = NDP_STOP_NO_ROUTES;
    struct ndp_error error = {0};
    let_workers_die();
    if (ndp_sweep_run(&fixture->bench, options, &events, &reason, &error) != NDP_OK) fail_msg("%s", error.text);
    assert_false(has_children());
    return reason;
}

static void equal_seeds_run_equal_cases(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    const struct ndp_sweep_options options = {.seed = 7, .cases = 200};
    struct ndp_sweep_options other = options;
    HEARD(first);
    HEARD(second);
    HEARD(third);
    other.seed = 8;
    assert_int_equal(sweep(&fixture, &options, &first), NDP_STOP_CASES);
    assert_int_equal(sweep(&fixture, &options, &second), NDP_STOP_CASES);
    assert_int_equal(sweep(&fixture, &other, &third), NDP_STOP_CASES);
    assert_int_equal(first.cases, 200);
    assert_true(heard_the_same(&first, &second));
    assert_true(first.sum != third.sum);
    assert_in_range(first.decodes, 1, 199);
    assert_true(first.ticks >= 1);
    assert_true(first.coverages >= first.ticks);
}

static void the_reason_for_the_end_is_returned(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    for (uint32_t jobs = 0; jobs < 2; jobs++) {
        struct ndp_sweep_options options = {.seed = 1, .jobs = jobs, FORMATS(npy)};
        HEARD(stopped);
        HEARD(late);
        HEARD(lost);
        options.stop = &stopped.stop;
        stopped.stop_after = 1;
        assert_int_equal(sweep(&fixture, &options, &stopped), NDP_STOP_SIGNAL);
        /* The unit that was answered. */
        assert_in_range(stopped.cases, 1, NDP_BATCH_CASES);
        options.stop = NULL;
        options.duration_ns = 1;
        assert_int_equal(sweep(&fixture, &options, &late), NDP_STOP_DURATION);
        options.filter.formats = none;
        assert_int_equal(sweep(&fixture, &options, &lost), NDP_STOP_NO_ROUTES);
        assert_int_equal(lost.cases, 0);
    }
}

/* Unjudged kinds of cases are not generated. */
static void only_selected_properties_judge(void **state) {
    static const char *const names[] = {"values", "strictness"};
    FIXTURE(fixture, reference_plugin(), NULL);
    for (int i = 0; i < 2; i++) {
        const struct ndp_sweep_options options = {
            .seed = 3, .cases = 200, .properties = property_named(names[i]), FORMATS(npy)};
        HEARD(heard);
        assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
        assert_int_equal(heard.judged, property_named(names[i]).bits);
        if (i == 1) assert_int_equal(heard.decodes, heard.cases);
    }
    /* The empty set is all: every property of arrays judges some case. */
    static const char *const judged[] = {"values", "byte_order", "memory_order", "shape",       "dtype",
                                         "flags",  "memmap",     "entry_points", "idempotence", "strictness"};
    const struct ndp_sweep_options options = {.seed = 3, .cases = 800, FORMATS(npy)};
    HEARD(heard);
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    for (size_t i = 0; i < NDP_ARRAY_LEN(judged); i++)
        if ((heard.judged & property_named(judged[i]).bits) == 0) fail_msg("%s judged nothing", judged[i]);
}

/* One property judges, so findings and duplicates together are all cases that diverge. */
static void findings_are_reported_once(void **state) {
    FIXTURE(fixture, planted_named("native_order"), NULL);
    for (uint32_t jobs = 0; jobs < 3; jobs++) {
        const struct ndp_sweep_options options = {
            .seed = 1, .cases = 400, .jobs = jobs, .properties = property_named("byte_order"), FORMATS(raw)};
        HEARD(heard);
        assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
        assert_true(heard.found >= 1);
        assert_true(heard.again > heard.found);
        assert_int_equal(heard.reported, property_named("byte_order").bits);
        assert_int_equal(heard.unconfirmed, 0);
        assert_int_equal(heard.found + heard.again, heard.divergent);
        assert_non_null(strstr(heard.first_text, "\"shape\":[]"));
    }
}

/* A bounded run has the same events in the same order for every number of workers. */
static void the_number_of_jobs_has_no_effect(void **state) {
    static const uint32_t jobs[] = {0, 1, 3};
    FIXTURE(fixture, planted_named("native_order"), reference_plugin());
    HEARD(first);
    for (size_t i = 0; i < NDP_ARRAY_LEN(jobs); i++) {
        const struct ndp_sweep_options options = {.seed = 2, .cases = 600, .jobs = jobs[i], FORMATS(both)};
        HEARD(heard);
        struct heard *one = i == 0 ? &first : &heard;
        assert_int_equal(sweep(&fixture, &options, one), NDP_STOP_CASES);
        assert_int_equal(one->cases, 600);
        assert_true(one->found > 1);
        assert_int_equal(one->dead, 0);
        if (!heard_the_same(one, &first)) fail_msg("%u jobs have other events", (unsigned)jobs[i]);
    }
}

static void shards_together_have_the_cases_of_the_whole(void **state) {
    FIXTURE(fixture, reference_plugin(), NULL);
    HEARD(whole);
    HEARD(shards);
    struct ndp_sweep_options options = {
        .seed = 4, .cases = 3000, .properties = property_named("values"), FORMATS(both)};
    assert_int_equal(sweep(&fixture, &options, &whole), NDP_STOP_CASES);
    options.shard_count = 2;
    options.jobs = 2;
    assert_int_equal(sweep(&fixture, &options, &shards), NDP_STOP_CASES);
    assert_in_range(shards.cases, 1, 2999);
    options.shard = 1;
    assert_int_equal(sweep(&fixture, &options, &shards), NDP_STOP_CASES);
    assert_int_equal(shards.cases, 3000);
    assert_true(shards.sum == whole.sum);
}

/* Without on_finding nothing is confirmed. */
static void handlers_are_optional(void **state) {
    struct spy spy;
    struct ndp_error error = {0};
    enum ndp_stop_reason reason;
    FIXTURE(fixture, planted_named("native_order"), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    const struct ndp_sweep_events events = {.context = NULL};
    const struct ndp_sweep_options options = {.seed = 1, .cases = 100, FORMATS(npy)};
    assert_int_equal(ndp_sweep_run(&fixture.bench, &options, &events, &reason, &error), NDP_OK);
    assert_int_equal(reason, NDP_STOP_CASES);
    assert_in_range(spy.programs, 1, 100);
    assert_int_equal(spy.refreshes, 0);
    assert_int_equal(spy.censuses, 0);
}

/* The error of a target ends the run; a worker gives it to the coordinator. */
static void an_error_of_a_target_ends_the_run(void **state) {
    struct spy spy;
    enum ndp_stop_reason reason;
    FIXTURE(fixture, reference_plugin(), NULL);
    spy_on(&spy, fixture.bench.targets[0]);
    spy.says = NDP_GONE;
    for (uint32_t jobs = 0; jobs < 3; jobs++) {
        const struct ndp_sweep_options options = {.seed = 1, .cases = 1000, .jobs = jobs, FORMATS(npy)};
        struct ndp_error error = {0};
        HEARD(heard);
        const struct ndp_sweep_events events = heard_events(&heard);
        assert_int_equal(ndp_sweep_run(&fixture.bench, &options, &events, &reason, &error), NDP_GONE);
        assert_string_equal(error.text, "error of the spy");
        assert_int_equal(heard.cases, 0);
        assert_false(has_children());
    }
}

/* With the default properties, targets are sampled, and a leak of every case is found and reported. */
static void a_leak_is_found(void **state) {
    for (uint32_t jobs = 0; jobs < 2; jobs++) {
        struct spy spy;
        const struct ndp_sweep_options options = {.seed = 1, .cases = 2500, .jobs = jobs, FORMATS(raw)};
        FIXTURE(fixture, reference_plugin(), NULL);
        HEARD(heard);
        spy_on(&spy, fixture.bench.targets[0]);
        spy.has_grown = true;
        assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
        if (jobs == 0) assert_true(spy.censuses > 0);
        assert_int_equal(heard.reported, property_named("leaks").bits);
        assert_true(heard.found >= 1);
        assert_true((heard.judged & property_named("leaks").bits) != 0);
    }
}

static void support_nothing(struct spy *spy, const struct ndp_program *program, struct ndp_outcome *outcome) {
    for (int i = 0; i < NDP_SLOT_COUNT; i++)
        if (outcome->slots[i].state != NDP_SLOT_ABSENT)
            outcome->slots[i] = (struct ndp_slot_record){.state = NDP_SLOT_UNSUPPORTED};
}

/* Samples of an idle target compare nothing. */
static void an_unsupported_sweep_compares_nothing(void **state) {
    struct spy spy;
    FIXTURE(fixture, reference_plugin(), NULL);
    HEARD(heard);
    spy_on(&spy, fixture.bench.targets[0]);
    spy.spoil = support_nothing;
    const struct ndp_sweep_options options = {.seed = 1, .cases = 2500, FORMATS(raw)};
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    assert_true(spy.censuses > 0);
    assert_int_equal(heard.comparisons, 0);
    assert_int_equal(heard.judged & property_named("leaks").bits, 0);
}

/* ---- workers that die or hang ---- */

static const struct ndp_sweep_options bounded = {
    .seed = 6, .cases = 1600, .jobs = 2, .filter = {.formats = both, .format_count = 2}};

/* Another worker does the work of a dead one, so the run has the same events. */
static void a_dead_worker_is_replaced(void **state) {
    struct ndp_plugin plugin = moody_plugin(reference_plugin(), (struct moods){.dies_at = 0});
    FIXTURE(fixture, &plugin, NULL);
    HEARD(calm);
    HEARD(heard);
    assert_int_equal(sweep(&fixture, &bounded, &calm), NDP_STOP_CASES);
    (void)moody_plugin(reference_plugin(), (struct moods){.dies_at = 100});
    assert_int_equal(sweep(&fixture, &bounded, &heard), NDP_STOP_CASES);
    assert_int_equal(calm.dead, 0);
    assert_int_equal(heard.dead, 1);
    assert_int_equal(heard.lost, 0);
    assert_non_null(strstr(heard.dead_words, "worker "));
    assert_non_null(strstr(heard.dead_words, "one>one "));
    assert_non_null(strstr(heard.dead_words, ", was killed by signal 6"));
    assert_true(heard_the_same(&calm, &heard));
}

/* A unit that ends two workers is lost, and the rest of the run goes on. */
static void a_unit_that_kills_every_worker_is_lost(void **state) {
    struct ndp_plugin plugin = moody_plugin(reference_plugin(), (struct moods){.dies_at = 100, .is_lasting = true});
    FIXTURE(fixture, &plugin, NULL);
    struct ndp_sweep_options options = bounded;
    options.properties = property_named("values"); /* without finds */
    HEARD(heard);
    assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    assert_true(heard.dead >= 2);
    assert_true(heard.lost >= 1);
    assert_true(heard.dead <= 2 * heard.lost);
    assert_in_range(heard.cases, bounded.cases - NDP_BATCH_CASES * heard.lost, bounded.cases - 1);
}

/* A run whose targets hang ends all the same, and reports the divergences that it could not find. */
static void unfound_divergences_are_reported(void **state) {
    struct ndp_plugin plugin = moody_plugin(planted_named("native_order"), (struct moods){.waits_from = 40});
    FIXTURE(fixture, &plugin, NULL);
    for (int is_late = 0; is_late < 2; is_late++) {
        HEARD(heard);
        struct ndp_sweep_options options = {
            .seed = 1, .jobs = 1, .properties = property_named("byte_order"), FORMATS(raw)};
        moods_shared()->encoded = 0;
        if (is_late) options.duration_ns = UINT64_C(1500000000);
        options.stop = &heard.stop;
        if (!is_late) heard.stop_after = 16;
        assert_int_equal(sweep(&fixture, &options, &heard), is_late ? NDP_STOP_DURATION : NDP_STOP_SIGNAL);
        assert_int_equal(heard.cases, 16);
        assert_true(heard.found > 0);
        assert_int_equal(heard.found + heard.again, heard.divergent);
        assert_int_equal(heard.reported, property_named("byte_order").bits);
        if (!is_late) assert_int_equal(heard.unconfirmed, heard.found);
        assert_int_equal(heard.dead, 0);
    }
}

/* Runs leave no open files. */
static void all_files_are_closed(void **state) {
    const uint32_t before = count_fds();
    const struct ndp_sweep_options options = {.seed = 1, .cases = 100, .jobs = 5, FORMATS(both)};
    FIXTURE(fixture, reference_plugin(), NULL);
    const uint32_t opened = count_fds();
    for (int i = 0; i < 3; i++) {
        HEARD(heard);
        assert_int_equal(sweep(&fixture, &options, &heard), NDP_STOP_CASES);
    }
    assert_int_equal(count_fds(), opened);
    assert_in_range(opened, before, before + 8);
}

NDP_SUITE_FIXTURE(sweep_test, workers_open, workers_close, NDP_TEST(equal_seeds_run_equal_cases),
                  NDP_TEST(the_reason_for_the_end_is_returned), NDP_TEST(only_selected_properties_judge),
                  NDP_TEST(findings_are_reported_once), NDP_TEST(the_number_of_jobs_has_no_effect),
                  NDP_TEST(shards_together_have_the_cases_of_the_whole), NDP_TEST(handlers_are_optional),
                  NDP_TEST(an_error_of_a_target_ends_the_run), NDP_TEST(a_leak_is_found),
                  NDP_TEST(an_unsupported_sweep_compares_nothing), NDP_TEST(a_dead_worker_is_replaced),
                  NDP_TEST(a_unit_that_kills_every_worker_is_lost), NDP_TEST(unfound_divergences_are_reported),
                  NDP_TEST(all_files_are_closed));
