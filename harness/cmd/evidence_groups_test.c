#include "base/suite.h"
#include "cmd/evidence_groups.h"
#include "cmd/printed_fixture.h"

static const struct ndp_property values = {.name = "values", .statement = "Values stay."};

static struct ndp_divergence wrong(const char *decode, const char *got) {
    struct ndp_divergence divergence = {
        .verdict = NDP_VERDICT_DIVERGES,
        .property = &values,
        .route = {.format = "npy", .encode = "memory", .encoder = "a", .decoder = "a"},
        .signature = {.outlier = "numpy"},
    };
    snprintf(divergence.route.decode, NDP_WORD_BYTES, "%s", decode);
    ndp_equality_add(&divergence.judgement.comparison, "[1]", "1", got);
    return divergence;
}

static void add(struct ndp_evidence_groups *groups, const char *decode, const char *got) {
    const struct ndp_divergence divergence = wrong(decode, got);
    assert_int_equal(ndp_evidence_groups_add(groups, &divergence), NDP_OK);
}

static void equal_evidence_is_printed_once(void **state) {
    struct printed printed;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    struct ndp_evidence_groups groups = {.arena = &arena};
    add(&groups, "file", "2");
    add(&groups, "memory", "3");
    add(&groups, "mmap:r", "2");
    ndp_evidence_groups_print(printed_open(&printed), &groups, 2);
    printed_expect(&printed, "  values broken by numpy on npy:memory>file, a\n"
                             "    also on npy:memory>mmap:r, a\n"
                             "    property: Values stay.\n"
                             "    [1]: expected 1, got 2\n"
                             "  values broken by numpy on npy:memory>memory, a\n"
                             "    property: Values stay.\n"
                             "    [1]: expected 1, got 3\n");
}

static void many_routes_are_counted(void **state) {
    struct printed printed;
    NDP_ARENA_SCOPED(arena, 1 << 20);
    struct ndp_evidence_groups groups = {.arena = &arena};
    for (int i = 0; i < 11; i++) add(&groups, "file", "2");
    ndp_evidence_groups_print(printed_open(&printed), &groups, 0);
    printed_expect(&printed, "values broken by numpy on npy:memory>file, a\n"
                             "  also on npy:memory>file, a\n"
                             "  also on npy:memory>file, a\n"
                             "  also on npy:memory>file, a\n"
                             "  also on npy:memory>file, a\n"
                             "  also on npy:memory>file, a\n"
                             "  also on npy:memory>file, a\n"
                             "  also on npy:memory>file, a\n"
                             "  and on 3 more routes\n"
                             "  property: Values stay.\n"
                             "  [1]: expected 1, got 2\n");
}

static void out_of_memory_is_an_error(void **state) {
    const struct ndp_divergence divergence = wrong("file", "2");
    bool is_over = false;
    for (uint64_t call = 1; !is_over; call++) {
        NDP_ARENA_SCOPED(arena, 1 << 20);
        struct ndp_evidence_groups groups = {.arena = &arena};
        ndp_arena_fail_at(&arena, call);
        const enum ndp_status status = ndp_evidence_groups_add(&groups, &divergence);
        is_over = arena.fail_at != 0;
        assert_int_equal(status, is_over ? NDP_OK : NDP_NOMEM);
    }
}

NDP_SUITE(evidence_groups_test, NDP_TEST(equal_evidence_is_printed_once), NDP_TEST(many_routes_are_counted),
          NDP_TEST(out_of_memory_is_an_error));
