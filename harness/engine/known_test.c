#include "engine/known.h"

#include <stdio.h>
#include <string.h>

#include "base/suite.h"

static struct ndp_divergence seen_as(const char *core, unsigned way, unsigned raw) {
    struct ndp_divergence divergence = {.verdict = NDP_VERDICT_DIVERGES};
    snprintf(divergence.core, sizeof divergence.core, "%s", core);
    snprintf(divergence.way, sizeof divergence.way, "%s|way %u", core, way);
    snprintf(divergence.signature, sizeof divergence.signature, "%s|way %u|%u", core, way, raw);
    return divergence;
}

static void the_same_raw_signature_belongs_to_its_finding(void **state) {
    (void)state;
    struct ndp_known known = {0};
    struct ndp_divergence first = seen_as("a", 1, 1);
    assert_null(ndp_known_find(&known, &first));
    assert_int_equal(ndp_known_add(&known, &first, "a|small"), NDP_OK);
    assert_string_equal(ndp_known_find(&known, &first), "a|small");
    struct ndp_divergence other = seen_as("b", 1, 1);
    assert_null(ndp_known_find(&known, &other));
    ndp_known_clear(&known);
}

static void a_finding_can_get_another_name(void **state) {
    (void)state;
    struct ndp_known known = {0};
    const struct ndp_divergence first = seen_as("a", 1, 1), second = seen_as("a", 1, 2), other = seen_as("b", 1, 1);
    assert_int_equal(ndp_known_add(&known, &first, "a|small"), NDP_OK);
    assert_int_equal(ndp_known_add(&known, &second, "a|small"), NDP_OK);
    assert_int_equal(ndp_known_add(&known, &other, "b|small"), NDP_OK);
    ndp_known_rename(&known, "a|small", "a|drawn");
    assert_string_equal(ndp_known_find(&known, &first), "a|drawn");
    assert_string_equal(ndp_known_find(&known, &second), "a|drawn");
    assert_string_equal(ndp_known_find(&known, &other), "b|small");
    ndp_known_clear(&known);
}

/* Gives every finding a name of its own: pursued with success. */
static const char *new_finding(char *name, size_t name_bytes, unsigned number) {
    snprintf(name, name_bytes, "finding %u", number);
    return name;
}

static void a_way_is_pursued_a_bounded_number_of_times(void **state) {
    (void)state;
    struct ndp_known known = {0};
    for (unsigned raw = 0; raw < NDP_KNOWN_PER_WAY; raw++) {
        struct ndp_divergence divergence = seen_as("a", 1, raw);
        assert_null(ndp_known_find(&known, &divergence));
        assert_int_equal(ndp_known_add(&known, &divergence, raw == 0 ? "first" : "later"), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 1, 99);
    assert_string_equal(ndp_known_find(&known, &late), "first");
    struct ndp_divergence elsewhere = seen_as("a", 2, 99);
    assert_null(ndp_known_find(&known, &elsewhere));
    ndp_known_clear(&known);
}

static void a_core_is_pursued_a_bounded_number_of_times(void **state) {
    (void)state;
    struct ndp_known known = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_KNOWN_PER_CORE; way++) {
        struct ndp_divergence divergence = seen_as("a", way, 0);
        assert_null(ndp_known_find(&known, &divergence));
        assert_int_equal(ndp_known_add(&known, &divergence, new_finding(name, sizeof name, way)), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    assert_string_equal(ndp_known_find(&known, &late), "finding 0");
    ndp_known_clear(&known);
}

/* How many of a core pass before one is pursued, each by another way. */
static unsigned count_passing(struct ndp_known *known, unsigned first_way) {
    unsigned count = 0;
    for (;; count++) {
        struct ndp_divergence divergence = seen_as("a", first_way + count, 0);
        if (ndp_known_find(known, &divergence) == NULL) return count;
    }
}

static void what_is_pursued_in_vain_is_pursued_ever_less_often(void **state) {
    (void)state;
    struct ndp_known known = {0};
    static const unsigned passing[] = {0, 1, 3, 7};
    for (unsigned i = 0; i < sizeof passing / sizeof passing[0]; i++) {
        struct ndp_divergence divergence = seen_as("a", i, 0);
        assert_int_equal(ndp_known_add(&known, &divergence, "the same"), NDP_OK);
        assert_int_equal(count_passing(&known, 100 * (i + 1)), passing[i]);
    }
    struct ndp_divergence other = seen_as("b", 0, 0);
    assert_null(ndp_known_find(&known, &other));
    struct ndp_divergence fruitful = seen_as("a", 50, 0);
    assert_int_equal(ndp_known_add(&known, &fruitful, "another"), NDP_OK);
    assert_int_equal(count_passing(&known, 9000), 0);
    ndp_known_clear(&known);
}

static void graphs_are_pursued_less_often(void **state) {
    (void)state;
    static const struct ndp_property of_graphs = {.name = "class", .for_graph = true};
    struct ndp_known known = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_KNOWN_GRAPHS_PER_CORE; way++) {
        struct ndp_divergence divergence = seen_as("a", way, 0);
        divergence.property = &of_graphs;
        assert_null(ndp_known_find(&known, &divergence));
        assert_int_equal(ndp_known_add(&known, &divergence, new_finding(name, sizeof name, way)), NDP_OK);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    assert_null(ndp_known_find(&known, &late));
    late.property = &of_graphs;
    assert_string_equal(ndp_known_find(&known, &late), "finding 0");
    ndp_known_clear(&known);
}

static void a_death_is_pursued_once_for_each_way(void **state) {
    (void)state;
    struct ndp_known known = {0};
    char name[32];
    for (unsigned way = 0; way < NDP_KNOWN_DEATHS_PER_CORE; way++) {
        struct ndp_divergence death = seen_as("a", way, 0);
        death.verdict = NDP_VERDICT_CRASH;
        assert_null(ndp_known_find(&known, &death));
        assert_int_equal(ndp_known_add(&known, &death, new_finding(name, sizeof name, way)), NDP_OK);
        death = seen_as("a", way, 1);
        death.verdict = NDP_VERDICT_CRASH;
        assert_string_equal(ndp_known_find(&known, &death), name);
    }
    struct ndp_divergence late = seen_as("a", 99, 0);
    late.verdict = NDP_VERDICT_CRASH;
    assert_string_equal(ndp_known_find(&known, &late), "finding 0");
    ndp_known_clear(&known);
}

NDP_SUITE(known_test, cmocka_unit_test(the_same_raw_signature_belongs_to_its_finding),
          cmocka_unit_test(a_finding_can_get_another_name),
          cmocka_unit_test(a_way_is_pursued_a_bounded_number_of_times), cmocka_unit_test(graphs_are_pursued_less_often),
          cmocka_unit_test(what_is_pursued_in_vain_is_pursued_ever_less_often),
          cmocka_unit_test(a_death_is_pursued_once_for_each_way),
          cmocka_unit_test(a_core_is_pursued_a_bounded_number_of_times));
