#include "base/suite.h"
#include "engine/dedup.h"

static struct ndp_divergence seen_as(const char *core, unsigned way, unsigned raw) {
    struct ndp_divergence divergence = {.verdict = NDP_VERDICT_DIVERGES,
                                        .signature = {.verdict = NDP_VERDICT_DIVERGES}};
    snprintf(divergence.signature.field, sizeof divergence.signature.field, "%s", core);
    snprintf(divergence.signature.route, sizeof divergence.signature.route, "way %u", way);
    ndp_signature_set_value(&divergence.signature, NULL, raw + 1);
    return divergence;
}

static struct ndp_signature named(const char *text) {
    struct ndp_signature signature;
    ndp_signature_set_fuzzer(&signature, NDP_VERDICT_DIVERGES, text);
    return signature;
}

static enum ndp_status add_divergence(struct ndp_dedup *dedup, const struct ndp_divergence *divergence,
                                      const char *finding) {
    const struct ndp_signature signature = named(finding);
    return ndp_dedup_add(dedup, divergence, &signature);
}

static void expect_finding(struct ndp_dedup *dedup, const struct ndp_divergence *divergence, const char *finding) {
    const struct ndp_signature *found = ndp_dedup_find(dedup, divergence);
    assert_non_null(found);
    assert_string_equal(found->detail, finding);
}

static void an_equal_signature_belongs_to_its_finding(void **state) {
    struct ndp_dedup dedup = {0};
    struct ndp_divergence first = seen_as("a", 1, 1);
    assert_null(ndp_dedup_find(&dedup, &first));
    assert_int_equal(add_divergence(&dedup, &first, "a|small"), NDP_OK);
    expect_finding(&dedup, &first, "a|small");
    struct ndp_divergence other = seen_as("b", 1, 1);
    assert_null(ndp_dedup_find(&dedup, &other));
    ndp_dedup_clear(&dedup);
}

static void a_finding_can_be_renamed(void **state) {
    struct ndp_dedup dedup = {0};
    const struct ndp_divergence first = seen_as("a", 1, 1), second = seen_as("a", 1, 2), other = seen_as("b", 1, 1);
    assert_int_equal(add_divergence(&dedup, &first, "a|small"), NDP_OK);
    assert_int_equal(add_divergence(&dedup, &second, "a|small"), NDP_OK);
    assert_int_equal(add_divergence(&dedup, &other, "b|small"), NDP_OK);
    const struct ndp_signature from = named("a|small"), to = named("a|drawn");
    assert_true(ndp_dedup_has(&dedup, &from));
    ndp_dedup_rename(&dedup, &from, &to);
    assert_false(ndp_dedup_has(&dedup, &from));
    expect_finding(&dedup, &first, "a|drawn");
    expect_finding(&dedup, &second, "a|drawn");
    expect_finding(&dedup, &other, "b|small");
    ndp_dedup_clear(&dedup);
}

/* Adds a new finding for each divergence. */
static const char *new_finding(char *name, size_t name_bytes, unsigned number) {
    snprintf(name, name_bytes, "finding %u", number);
    return name;
}

static void minimising_is_bounded_per_way(void **state) {
    struct ndp_dedup dedup = {0};
    for (unsigned raw = 0; raw < NDP_DEDUP_PER_WAY; raw++) {
        struct ndp_divergence divergence = seen_as("a", 1, raw);
        assert_null(ndp_dedup_find(&dedup, &divergence));
        assert_int_equal(add_divergence(&dedup, &divergence, raw == 0 ? "first" : "later"), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 1, 99);
    expect_finding(&dedup, &late, "first");
    struct ndp_divergence elsewhere = seen_as("a", 2, 99);
    assert_null(ndp_dedup_find(&dedup, &elsewhere));
    ndp_dedup_clear(&dedup);
}

static void minimising_is_bounded_per_core(void **state) {
    struct ndp_dedup dedup = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_DEDUP_PER_CORE; way++) {
        struct ndp_divergence divergence = seen_as("a", way, 0);
        assert_null(ndp_dedup_find(&dedup, &divergence));
        assert_int_equal(add_divergence(&dedup, &divergence, new_finding(name, sizeof name, way)), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    expect_finding(&dedup, &late, "finding 0");
    ndp_dedup_clear(&dedup);
}

/* The number of divergences of a core, each of another way, that join before one is minimised. */
static unsigned count_passing(struct ndp_dedup *dedup, unsigned first_way) {
    unsigned count = 0;
    for (;; count++) {
        struct ndp_divergence divergence = seen_as("a", first_way + count, 0);
        if (ndp_dedup_find(dedup, &divergence) == NULL) return count;
    }
}

static void known_findings_cause_exponential_back_off(void **state) {
    struct ndp_dedup dedup = {0};
    static const unsigned passing[] = {0, 1, 3, 7};
    for (unsigned i = 0; i < sizeof passing / sizeof passing[0]; i++) {
        struct ndp_divergence divergence = seen_as("a", i, 0);
        assert_int_equal(add_divergence(&dedup, &divergence, "the same"), NDP_OK);
        assert_int_equal(count_passing(&dedup, 100 * (i + 1)), passing[i]);
    }
    struct ndp_divergence other = seen_as("b", 0, 0);
    assert_null(ndp_dedup_find(&dedup, &other));
    struct ndp_divergence fruitful = seen_as("a", 50, 0);
    assert_int_equal(add_divergence(&dedup, &fruitful, "another"), NDP_OK);
    assert_int_equal(count_passing(&dedup, 9000), 0);
    ndp_dedup_clear(&dedup);
}

static void graphs_have_a_lower_bound(void **state) {
    static const struct ndp_property of_graphs = {.name = "class", .values = NDP_VALUE_BIT(GRAPH)};
    struct ndp_dedup dedup = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_DEDUP_GRAPHS_PER_CORE; way++) {
        struct ndp_divergence divergence = seen_as("a", way, 0);
        divergence.property = &of_graphs;
        assert_null(ndp_dedup_find(&dedup, &divergence));
        assert_int_equal(add_divergence(&dedup, &divergence, new_finding(name, sizeof name, way)), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    assert_null(ndp_dedup_find(&dedup, &late));
    late.property = &of_graphs;
    expect_finding(&dedup, &late, "finding 0");
    ndp_dedup_clear(&dedup);
}

static void a_process_death_is_minimised_once_per_way(void **state) {
    struct ndp_dedup dedup = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_DEDUP_DEATHS_PER_CORE; way++) {
        struct ndp_divergence death = seen_as("a", way, 0);
        death.verdict = NDP_VERDICT_CRASH;
        assert_null(ndp_dedup_find(&dedup, &death));
        assert_int_equal(add_divergence(&dedup, &death, new_finding(name, sizeof name, way)), NDP_OK);
        death = seen_as("a", way, 1);
        death.verdict = NDP_VERDICT_CRASH;
        expect_finding(&dedup, &death, name);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    late.verdict = NDP_VERDICT_CRASH;
    expect_finding(&dedup, &late, "finding 0");
    ndp_dedup_clear(&dedup);
}

NDP_SUITE(dedup_test, NDP_TEST(an_equal_signature_belongs_to_its_finding), NDP_TEST(a_finding_can_be_renamed),
          NDP_TEST(minimising_is_bounded_per_way), NDP_TEST(graphs_have_a_lower_bound),
          NDP_TEST(known_findings_cause_exponential_back_off), NDP_TEST(a_process_death_is_minimised_once_per_way),
          NDP_TEST(minimising_is_bounded_per_core));
