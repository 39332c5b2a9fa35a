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

static enum ndp_status add(struct ndp_dedup *dedup, const struct ndp_divergence *divergence, const char *finding) {
    const struct ndp_signature signature = named(finding);
    return ndp_dedup_add(dedup, divergence, &signature);
}

static void expect(struct ndp_dedup *dedup, const struct ndp_divergence *divergence, const char *finding) {
    const struct ndp_signature *found = ndp_dedup_find(dedup, divergence);
    assert_non_null(found);
    assert_string_equal(found->detail, finding);
}

static void the_same_raw_signature_belongs_to_its_finding(void **state) {
    struct ndp_dedup dedup = {0};
    struct ndp_divergence first = seen_as("a", 1, 1);
    assert_null(ndp_dedup_find(&dedup, &first));
    assert_int_equal(add(&dedup, &first, "a|small"), NDP_OK);
    expect(&dedup, &first, "a|small");
    struct ndp_divergence other = seen_as("b", 1, 1);
    assert_null(ndp_dedup_find(&dedup, &other));
    ndp_dedup_clear(&dedup);
}

static void a_finding_can_get_another_name(void **state) {
    struct ndp_dedup dedup = {0};
    const struct ndp_divergence first = seen_as("a", 1, 1), second = seen_as("a", 1, 2), other = seen_as("b", 1, 1);
    assert_int_equal(add(&dedup, &first, "a|small"), NDP_OK);
    assert_int_equal(add(&dedup, &second, "a|small"), NDP_OK);
    assert_int_equal(add(&dedup, &other, "b|small"), NDP_OK);
    const struct ndp_signature from = named("a|small"), to = named("a|drawn");
    assert_true(ndp_dedup_has(&dedup, &from));
    ndp_dedup_rename(&dedup, &from, &to);
    assert_false(ndp_dedup_has(&dedup, &from));
    expect(&dedup, &first, "a|drawn");
    expect(&dedup, &second, "a|drawn");
    expect(&dedup, &other, "b|small");
    ndp_dedup_clear(&dedup);
}

/* Gives every finding a name of its own: pursued with success. */
static const char *new_finding(char *name, size_t name_bytes, unsigned number) {
    snprintf(name, name_bytes, "finding %u", number);
    return name;
}

static void a_way_is_pursued_a_bounded_number_of_times(void **state) {
    struct ndp_dedup dedup = {0};
    for (unsigned raw = 0; raw < NDP_DEDUP_PER_WAY; raw++) {
        struct ndp_divergence divergence = seen_as("a", 1, raw);
        assert_null(ndp_dedup_find(&dedup, &divergence));
        assert_int_equal(add(&dedup, &divergence, raw == 0 ? "first" : "later"), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 1, 99);
    expect(&dedup, &late, "first");
    struct ndp_divergence elsewhere = seen_as("a", 2, 99);
    assert_null(ndp_dedup_find(&dedup, &elsewhere));
    ndp_dedup_clear(&dedup);
}

static void a_core_is_pursued_a_bounded_number_of_times(void **state) {
    struct ndp_dedup dedup = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_DEDUP_PER_CORE; way++) {
        struct ndp_divergence divergence = seen_as("a", way, 0);
        assert_null(ndp_dedup_find(&dedup, &divergence));
        assert_int_equal(add(&dedup, &divergence, new_finding(name, sizeof name, way)), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    expect(&dedup, &late, "finding 0");
    ndp_dedup_clear(&dedup);
}

/* How many of a core pass before one is pursued, each by another way. */
static unsigned count_passing(struct ndp_dedup *dedup, unsigned first_way) {
    unsigned count = 0;
    for (;; count++) {
        struct ndp_divergence divergence = seen_as("a", first_way + count, 0);
        if (ndp_dedup_find(dedup, &divergence) == NULL) return count;
    }
}

static void what_is_pursued_in_vain_is_pursued_ever_less_often(void **state) {
    struct ndp_dedup dedup = {0};
    static const unsigned passing[] = {0, 1, 3, 7};
    for (unsigned i = 0; i < sizeof passing / sizeof passing[0]; i++) {
        struct ndp_divergence divergence = seen_as("a", i, 0);
        assert_int_equal(add(&dedup, &divergence, "the same"), NDP_OK);
        assert_int_equal(count_passing(&dedup, 100 * (i + 1)), passing[i]);
    }
    struct ndp_divergence other = seen_as("b", 0, 0);
    assert_null(ndp_dedup_find(&dedup, &other));
    struct ndp_divergence fruitful = seen_as("a", 50, 0);
    assert_int_equal(add(&dedup, &fruitful, "another"), NDP_OK);
    assert_int_equal(count_passing(&dedup, 9000), 0);
    ndp_dedup_clear(&dedup);
}

static void graphs_are_pursued_less_often(void **state) {
    static const struct ndp_property of_graphs = {.name = "class", .values = NDP_VALUE_BIT(GRAPH)};
    struct ndp_dedup dedup = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_DEDUP_GRAPHS_PER_CORE; way++) {
        struct ndp_divergence divergence = seen_as("a", way, 0);
        divergence.property = &of_graphs;
        assert_null(ndp_dedup_find(&dedup, &divergence));
        assert_int_equal(add(&dedup, &divergence, new_finding(name, sizeof name, way)), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    assert_null(ndp_dedup_find(&dedup, &late));
    late.property = &of_graphs;
    expect(&dedup, &late, "finding 0");
    ndp_dedup_clear(&dedup);
}

static void a_death_is_pursued_once_for_each_way(void **state) {
    struct ndp_dedup dedup = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_DEDUP_DEATHS_PER_CORE; way++) {
        struct ndp_divergence death = seen_as("a", way, 0);
        death.verdict = NDP_VERDICT_CRASH;
        assert_null(ndp_dedup_find(&dedup, &death));
        assert_int_equal(add(&dedup, &death, new_finding(name, sizeof name, way)), NDP_OK);
        death = seen_as("a", way, 1);
        death.verdict = NDP_VERDICT_CRASH;
        expect(&dedup, &death, name);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    late.verdict = NDP_VERDICT_CRASH;
    expect(&dedup, &late, "finding 0");
    ndp_dedup_clear(&dedup);
}

NDP_SUITE(dedup_test, cmocka_unit_test(the_same_raw_signature_belongs_to_its_finding),
          cmocka_unit_test(a_finding_can_get_another_name),
          cmocka_unit_test(a_way_is_pursued_a_bounded_number_of_times), cmocka_unit_test(graphs_are_pursued_less_often),
          cmocka_unit_test(what_is_pursued_in_vain_is_pursued_ever_less_often),
          cmocka_unit_test(a_death_is_pursued_once_for_each_way),
          cmocka_unit_test(a_core_is_pursued_a_bounded_number_of_times));
