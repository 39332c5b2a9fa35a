#include "base/suite.h"
#include "property/property_fixture.h"

extern const struct ndp_property ndp_property_leaks;

enum { RUNS = 8 };

/* Counts of one resource at each sample. */
static const struct {
    uint64_t counts[NDP_PROPERTY_SAMPLES];
    bool is_leak;
} rows[] = {
    {{5, 5, 5, 5}, false},    {{5, 40, 40, 40}, false}, /* a pool that starts */
    {{5, 13, 21, 29}, true},  {{5, 13, 21, 28}, false}, /* not with every run */
    {{5, 21, 37, 53}, true},  {{29, 21, 13, 5}, false}, /* released late */
    {{5, 13, 21, 21}, false}, {{0, 100, 200, 300}, true},
};

static void make_trial(struct fixture *f, struct ndp_property_samples *left) {
    *left = (struct ndp_property_samples){.runs = RUNS};
    fixture_init(f, "<f8", "npy", "memory", "memory", 0);
    (void)fixture_trip(f);
    f->trial.left = left;
}

static void growth_with_every_run_is_a_leak(void **state) {
    for (uint32_t i = 0; i < NDP_ARRAY_LEN(rows); i++) {
        for (uint32_t resource = 0; resource < NDP_RESOURCE_COUNT; resource++) {
            struct fixture f;
            struct ndp_property_samples left;
            make_trial(&f, &left);
            left.is_known[0] = true;
            for (uint32_t k = 0; k < NDP_PROPERTY_SAMPLES; k++) left.looks[0][k].counts[resource] = rows[i].counts[k];
            if (rows[i].is_leak) {
                expect_broken(&f, &ndp_property_leaks, ndp_resource_snapshot_word((enum ndp_resource)resource));
            } else {
                expect_pass(&f, &ndp_property_leaks);
            }
            fixture_clear(&f);
        }
    }
}

static void the_growing_side_is_the_outlier(void **state) {
    struct fixture f;
    struct ndp_property_samples left;
    make_trial(&f, &left);
    snprintf(f.other.implementation, sizeof f.other.implementation, "reference");
    f.trial.encoder = &f.other;
    left.is_known[0] = left.is_known[1] = true;
    for (uint64_t k = 0; k < NDP_PROPERTY_SAMPLES; k++) left.looks[1][k].counts[NDP_RESOURCE_MAPS] = 7 + k * RUNS;
    expect_broken(&f, &ndp_property_leaks, "maps");
    assert_string_equal(f.judgement.comparison.list[0].expected, "7 memory maps of files, as at the first sample");
    assert_string_equal(f.judgement.comparison.list[0].got, "31 after 24 more runs");
    fixture_clear(&f);
}

static void a_case_without_samples_is_not_judged(void **state) {
    struct fixture f;
    struct ndp_property_samples left;
    make_trial(&f, &left);
    expect_nothing(&f, &ndp_property_leaks);
    f.trial.left = NULL;
    expect_nothing(&f, &ndp_property_leaks);
    fixture_clear(&f);
}

/* Its repetition repeated nothing. */
static void an_unsupported_case_is_not_judged(void **state) {
    static const enum ndp_slot way[] = {NDP_SLOT_ENCODED, NDP_SLOT_RESULT};
    for (size_t i = 0; i < NDP_ARRAY_LEN(way); i++) {
        struct fixture f;
        struct ndp_property_samples left;
        make_trial(&f, &left);
        left.is_known[0] = true;
        fixture_refuse(&f, way[i]);
        f.outcome.slots[way[i]].state = NDP_SLOT_UNSUPPORTED;
        expect_verdict(&f, &ndp_property_leaks, NDP_VERDICT_UNSUPPORTED);
        fixture_clear(&f);
    }
}

NDP_SUITE(property_leaks_test, NDP_TEST(growth_with_every_run_is_a_leak), NDP_TEST(the_growing_side_is_the_outlier),
          NDP_TEST(a_case_without_samples_is_not_judged), NDP_TEST(an_unsupported_case_is_not_judged));
