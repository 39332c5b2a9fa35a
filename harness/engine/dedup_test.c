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

static struct ndp_divergence death_seen_as(const char *core, unsigned way, unsigned raw) {
    struct ndp_divergence death = seen_as(core, way, raw);
    death.verdict = death.signature.verdict = NDP_VERDICT_CRASH;
    return death;
}

/* Offers a divergence, and returns whether it is new. */
static bool offer(struct ndp_dedup *dedup, const struct ndp_divergence *divergence, uint32_t *find) {
    const uint32_t count = dedup->count;
    bool is_new = false;
    *find = UINT32_MAX;
    assert_int_equal(ndp_dedup_offer(dedup, divergence, find, &is_new), NDP_OK);
    assert_int_equal(dedup->count, count + is_new);
    if (is_new) assert_int_equal(*find, count);
    assert_true(*find < dedup->count);
    return is_new;
}

static void expect_new(struct ndp_dedup *dedup, struct ndp_divergence divergence) {
    uint32_t find;
    if (!offer(dedup, &divergence, &find)) fail_msg("%s joins find %u", divergence.signature.route, (unsigned)find);
}

static void expect_joined(struct ndp_dedup *dedup, struct ndp_divergence divergence, uint32_t to) {
    uint32_t find;
    if (offer(dedup, &divergence, &find)) fail_msg("%s is new", divergence.signature.route);
    assert_int_equal(find, to);
}

static void an_equal_signature_belongs_to_its_find(void **state) {
    struct ndp_dedup dedup = {0};
    expect_new(&dedup, seen_as("a", 1, 1));
    expect_new(&dedup, seen_as("a", 1, 2));
    expect_new(&dedup, seen_as("b", 1, 1));
    for (int i = 0; i < 100; i++) {
        expect_joined(&dedup, seen_as("b", 1, 1), 2);
        expect_joined(&dedup, seen_as("a", 1, 2), 1);
        expect_joined(&dedup, seen_as("a", 1, 1), 0);
    }
    ndp_dedup_clear(&dedup);
    assert_int_equal(dedup.count, 0);
}

static void finds_are_bounded_per_way(void **state) {
    struct ndp_dedup dedup = {0};
    expect_new(&dedup, seen_as("a", 2, 0));
    for (unsigned raw = 0; raw < NDP_DEDUP_PER_WAY; raw++) expect_new(&dedup, seen_as("a", 1, raw));
    for (unsigned raw = 50; raw < 150; raw++) expect_joined(&dedup, seen_as("a", 1, raw), 1);
    ndp_dedup_clear(&dedup);
}

/* Offers divergences of one core, each of another way and with an equal value; returns the number of finds. */
static uint32_t offer_ways(struct ndp_dedup *dedup, const struct ndp_divergence *like, unsigned count) {
    const uint32_t before = dedup->count;
    for (unsigned way = 0; way < count; way++) {
        struct ndp_divergence divergence = *like;
        uint32_t find;
        snprintf(divergence.signature.route, sizeof divergence.signature.route, "way %u", way);
        if (!offer(dedup, &divergence, &find)) assert_int_equal(find, before);
    }
    return dedup->count - before;
}

/* After the first few, each find of a core needs twice as many offers as the one before. */
static void later_finds_of_a_core_become_rare(void **state) {
    const struct ndp_divergence like = seen_as("a", 0, 0);
    static const unsigned finds[][2] = {{4, 4}, {7, 4}, {8, 5}, {15, 5}, {16, 6}, {1000, 11}};
    for (size_t i = 0; i < NDP_ARRAY_LEN(finds); i++) {
        struct ndp_dedup dedup = {0};
        assert_int_equal(offer_ways(&dedup, &like, finds[i][0]), finds[i][1]);
        expect_new(&dedup, seen_as("b", 0, 0));
        ndp_dedup_clear(&dedup);
    }
}

/* The kinds of values that a core shows first are found, too. */
static void each_kind_of_value_is_found_up_to_a_bound(void **state) {
    struct ndp_dedup dedup = {0};
    uint32_t find, found = 0;
    for (unsigned i = 0; i < 30; i++) {
        const struct ndp_divergence divergence = seen_as("a", i, i);
        found += offer(&dedup, &divergence, &find);
    }
    /* Twelve at once, then offer number 16. */
    assert_int_equal(found, 13);
    ndp_dedup_clear(&dedup);
}

static void finds_are_bounded_per_core(void **state) {
    static const struct ndp_property of_graphs = {.name = "class", .values = NDP_VALUE_BIT(GRAPH)};
    struct ndp_divergence like = seen_as("a", 0, 0);
    struct ndp_dedup arrays = {0}, graphs = {0}, deaths = {0};
    assert_in_range(offer_ways(&arrays, &like, 1 << 14), NDP_DEDUP_GRAPHS_PER_CORE + 1, NDP_DEDUP_PER_CORE);
    like.property = &of_graphs;
    assert_int_equal(offer_ways(&graphs, &like, 1 << 14), NDP_DEDUP_GRAPHS_PER_CORE);
    like = death_seen_as("a", 0, 0);
    assert_int_equal(offer_ways(&deaths, &like, 1 << 14), NDP_DEDUP_DEATHS_PER_CORE);
    ndp_dedup_clear(&arrays);
    ndp_dedup_clear(&graphs);
    ndp_dedup_clear(&deaths);
}

static void a_process_death_is_found_once_per_way(void **state) {
    struct ndp_dedup dedup = {0};
    for (unsigned way = 0; way < NDP_DEDUP_DEATHS_PER_CORE; way++) {
        expect_new(&dedup, death_seen_as("a", way, 0));
        expect_joined(&dedup, death_seen_as("a", way, 1), way);
    }
    expect_joined(&dedup, death_seen_as("a", 99, 0), 0);
    expect_new(&dedup, seen_as("a", 99, 0));
    ndp_dedup_clear(&dedup);
}

NDP_SUITE(dedup_test, NDP_TEST(an_equal_signature_belongs_to_its_find), NDP_TEST(finds_are_bounded_per_way),
          NDP_TEST(later_finds_of_a_core_become_rare), NDP_TEST(each_kind_of_value_is_found_up_to_a_bound),
          NDP_TEST(finds_are_bounded_per_core), NDP_TEST(a_process_death_is_found_once_per_way));
