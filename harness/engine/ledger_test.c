/* The events of a ledger are words: "+1" is a finding, "=1" a duplicate of it. */
#include "base/clock.h"
#include "base/suite.h"
#include "engine/ledger.h"

struct heard {
    char events[1024];
    uint64_t seen_ns; /* of the last finding */
};

static void on_finding(void *context, struct ndp_bytes packed, uint64_t seen_ns) {
    struct heard *heard = context;
    const size_t at = strlen(heard->events);
    snprintf(heard->events + at, sizeof heard->events - at, "+%.*s ", (int)packed.size_bytes,
             (const char *)packed.data);
    heard->seen_ns = seen_ns;
}

static void on_duplicate(void *context, const struct ndp_signature *of_finding, const struct ndp_route *route) {
    struct heard *heard = context;
    const size_t at = strlen(heard->events);
    snprintf(heard->events + at, sizeof heard->events - at, "=%s%s ", of_finding->detail, route->format);
}

struct world {
    struct heard heard;
    struct ndp_sweep_events events;
    struct ndp_ledger ledger;
};

static void open_world(struct world *world, bool is_ordered) {
    memset(world, 0, sizeof *world);
    world->events =
        (struct ndp_sweep_events){.context = &world->heard, .on_finding = on_finding, .on_duplicate = on_duplicate};
    ndp_ledger_init(&world->ledger, &world->events, is_ordered, ndp_clock_ns());
}

static void close_world(struct world *world) {
    ndp_ledger_clear(&world->ledger);
}

#define WORLD(name, is_ordered)                                                                                        \
    struct world name __attribute__((cleanup(close_world)));                                                           \
    open_world(&name, is_ordered)

/* Offers a divergence on a route of the format; returns its find. */
static uint32_t offer(struct world *world, const char *field, const char *format, bool is_expected_new) {
    struct ndp_divergence divergence = {.verdict = NDP_VERDICT_DIVERGES,
                                        .signature = {.verdict = NDP_VERDICT_DIVERGES}};
    uint32_t find = UINT32_MAX;
    bool is_new = !is_expected_new;
    snprintf(divergence.signature.field, sizeof divergence.signature.field, "%s", field);
    snprintf(divergence.route.format, sizeof divergence.route.format, "%s", format);
    assert_int_equal(ndp_ledger_offer(&world->ledger, &divergence, 7 + world->ledger.count, &find, &is_new), NDP_OK);
    assert_int_equal(is_new, is_expected_new);
    return find;
}

/* Settles a find with a finding of this name; an empty name is nothing. */
static void settle(struct world *world, uint32_t find, const char *name, const char *packed) {
    struct ndp_signature signature;
    ndp_signature_set_fuzzer(&signature, NDP_VERDICT_DIVERGES, name);
    assert_false(ndp_ledger_is_settled(&world->ledger, find));
    assert_int_equal(
        ndp_ledger_settle(&world->ledger, find, name[0] != '\0' ? &signature : NULL, ndp_bytes_view(packed)), NDP_OK);
    assert_true(ndp_ledger_is_settled(&world->ledger, find));
}

static void expect(struct world *world, const char *events) {
    assert_string_equal(world->heard.events, events);
    world->heard.events[0] = '\0';
}

static void a_find_keeps_its_first_divergence(void **state) {
    WORLD(world, false);
    assert_int_equal(offer(&world, "a", "npy", true), 0);
    assert_int_equal(offer(&world, "b", "npz", true), 1);
    for (int i = 0; i < 40; i++) assert_int_equal(offer(&world, "b", "raw", false), 1);
    assert_string_equal(ndp_ledger_divergence(&world.ledger, 1)->signature.field, "b");
    assert_string_equal(ndp_ledger_divergence(&world.ledger, 1)->route.format, "npz");
    assert_int_equal(ndp_ledger_case(&world.ledger, 1), 8);
    assert_false(ndp_ledger_is_settled(&world.ledger, 1));
    expect(&world, "");
}

static void duplicates_follow_their_finding(void **state) {
    for (int is_ordered = 0; is_ordered < 2; is_ordered++) {
        WORLD(world, is_ordered != 0);
        (void)offer(&world, "a", "npy", true);
        (void)offer(&world, "a", "npz", false);
        (void)offer(&world, "a", "raw", false);
        expect(&world, "");
        settle(&world, 0, "A", "A");
        (void)offer(&world, "a", "joblib", false);
        expect(&world, "+A =Anpz =Araw =Ajoblib ");
    }
}

/* The time of a finding is that of its first divergence, also when its find takes long. */
static void a_finding_has_the_time_when_it_was_seen(void **state) {
    WORLD(world, false);
    world.ledger.start_ns = 0;
    (void)offer(&world, "a", "npy", true);
    const uint64_t now_ns = ndp_clock_ns();
    settle(&world, 0, "A", "A");
    assert_in_range(world.heard.seen_ns, 1, now_ns);
}

/* Without an order, findings are reported as they are settled. */
static void findings_are_reported_at_once_without_an_order(void **state) {
    WORLD(world, false);
    for (int i = 0; i < 3; i++) (void)offer(&world, (const char *[]){"a", "b", "c"}[i], "npy", true);
    settle(&world, 2, "C", "C");
    expect(&world, "+C ");
    settle(&world, 0, "A", "A");
    expect(&world, "+A ");
    (void)offer(&world, "b", "raw", false);
    settle(&world, 1, "B", "B");
    expect(&world, "+B =Braw ");
}

/* With an order, every divergence waits for those that were offered before it. */
static void findings_are_reported_in_order(void **state) {
    WORLD(world, true);
    for (int i = 0; i < 4; i++) (void)offer(&world, (const char *[]){"a", "b", "c", "d"}[i], "npy", true);
    settle(&world, 2, "C", "C");
    settle(&world, 1, "B", "B");
    (void)offer(&world, "c", "raw", false);
    expect(&world, "");
    settle(&world, 0, "A", "A");
    expect(&world, "+A +B +C ");
    settle(&world, 3, "D", "D");
    expect(&world, "+D =Craw ");
}

/* The events do not depend on the order in which finds are settled. */
static void the_order_of_settling_has_no_effect(void **state) {
    static const uint32_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const char *const names[] = {"same", "same", ""};
    static const char *const packed[] = {"first", "second", ""};
    for (size_t i = 0; i < NDP_ARRAY_LEN(orders); i++) {
        WORLD(world, true);
        for (int k = 0; k < 3; k++) (void)offer(&world, (const char *[]){"a", "b", "c"}[k], "npy", true);
        (void)offer(&world, "b", "raw", false);
        (void)offer(&world, "c", "raw", false);
        for (int k = 0; k < 3; k++) settle(&world, orders[i][k], names[orders[i][k]], packed[orders[i][k]]);
        (void)offer(&world, "a", "npz", false);
        expect(&world, "+first =samenpy =sameraw =samenpz ");
    }
}

/* Finds with one minimal signature are one finding; the later one counts as a duplicate. */
static void equal_minimal_signatures_are_one_finding(void **state) {
    WORLD(world, false);
    (void)offer(&world, "a", "npy", true);
    (void)offer(&world, "b", "npz", true);
    (void)offer(&world, "b", "raw", false);
    settle(&world, 1, "S", "second");
    settle(&world, 0, "S", "first");
    expect(&world, "+second =Sraw =Snpy ");
}

/* A find that stopped at a known signature has no packed finding of its own. */
static void a_known_signature_is_a_duplicate(void **state) {
    uint64_t hashes[4];
    WORLD(world, false);
    (void)offer(&world, "a", "npy", true);
    (void)offer(&world, "b", "npz", true);
    assert_int_equal(ndp_ledger_known(&world.ledger, hashes, 4), 0);
    settle(&world, 0, "S", "packed");
    assert_int_equal(ndp_ledger_known(&world.ledger, hashes, 4), 1);
    settle(&world, 1, "S", "");
    expect(&world, "+packed =Snpz ");
    assert_int_equal(ndp_ledger_known(&world.ledger, hashes, 4), 1);
}

static void newer_findings_are_known_first(void **state) {
    uint64_t all[4], last[1];
    WORLD(world, false);
    for (int i = 0; i < 3; i++) (void)offer(&world, (const char *[]){"a", "b", "c"}[i], "npy", true);
    for (uint32_t i = 0; i < 3; i++) settle(&world, i, (const char *[]){"A", "", "C"}[i], "packed");
    assert_int_equal(ndp_ledger_known(&world.ledger, all, 4), 2);
    assert_true(all[0] != all[1]);
    assert_int_equal(ndp_ledger_known(&world.ledger, last, 1), 1);
    assert_true(last[0] == all[0]);
}

/* Divergences of a find without a finding are dropped, before and after. */
static void nothing_is_reported_of_nothing(void **state) {
    for (int is_ordered = 0; is_ordered < 2; is_ordered++) {
        WORLD(world, is_ordered != 0);
        (void)offer(&world, "a", "npy", true);
        (void)offer(&world, "a", "npz", false);
        (void)offer(&world, "b", "npy", true);
        settle(&world, 0, "", "");
        (void)offer(&world, "a", "raw", false);
        settle(&world, 1, "B", "B");
        expect(&world, "+B ");
    }
}

/* Nobody wants findings, so nothing must be minimised. */
static void without_a_handler_there_are_no_finds(void **state) {
    WORLD(world, false);
    world.events.on_finding = NULL;
    (void)offer(&world, "a", "npy", false);
    assert_int_equal(world.ledger.count, 0);
}

NDP_SUITE(ledger_test, NDP_TEST(a_find_keeps_its_first_divergence), NDP_TEST(duplicates_follow_their_finding),
          NDP_TEST(a_finding_has_the_time_when_it_was_seen), NDP_TEST(findings_are_reported_at_once_without_an_order),
          NDP_TEST(findings_are_reported_in_order), NDP_TEST(the_order_of_settling_has_no_effect),
          NDP_TEST(equal_minimal_signatures_are_one_finding), NDP_TEST(a_known_signature_is_a_duplicate),
          NDP_TEST(newer_findings_are_known_first), NDP_TEST(nothing_is_reported_of_nothing),
          NDP_TEST(without_a_handler_there_are_no_finds));
