#include "base/suite.h"
#include "codec/pickle/pickle_memo.h"

enum { ARENA_BYTES = 1 << 20 };

/* Both sides of every level of the tree, and the extremes. */
static const uint32_t indices[] = {0,          1,          31,         32,         33,         255,
                                   256,        257,        4095,       4096,       65535,      65536,
                                   0xfffff,    0x100000,   0xffffff,   0x1000000,  0xfffffff,  0x10000000,
                                   0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0xabcdef01, 0x00abcdef};

static struct ndp_object objects[2 * NDP_ARRAY_LEN(indices)];

static void check_entries(const struct ndp_pickle_memo *memo, size_t first, size_t count, size_t shift) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(indices); i++) {
        struct ndp_object *expected = i >= first && i < first + count ? &objects[i + shift] : NULL;
        if (ndp_pickle_memo_get(memo, indices[i]) != expected) fail_msg("index %u of %zu set", indices[i], count);
    }
    assert_int_equal(memo->entries, count);
}

static void every_index_finds_its_object(void **state) {
    struct ndp_pickle_memo up = {.entries = 0};
    struct ndp_pickle_memo down = {.entries = 0};
    const size_t count = NDP_ARRAY_LEN(indices);
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    check_entries(&up, 0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        assert_true(ndp_pickle_memo_put(&up, &arena, indices[i], &objects[i]));
        check_entries(&up, 0, i + 1, 0);
        assert_true(ndp_pickle_memo_put(&down, &arena, indices[count - 1 - i], &objects[count - 1 - i]));
        check_entries(&down, count - 1 - i, i + 1, 0);
    }
    /* A second put replaces the object and counts once. */
    for (size_t i = 0; i < count; i++) assert_true(ndp_pickle_memo_put(&up, &arena, indices[i], &objects[i + count]));
    check_entries(&up, 0, count, count);
    assert_null(ndp_pickle_memo_get(&up, 2));
    assert_null(ndp_pickle_memo_get(&up, 34));
    assert_null(ndp_pickle_memo_get(&up, 0xabcdef02));
}

/* An index costs at most its eight levels, regardless of earlier indices. */
static void a_high_index_costs_at_most_its_levels(void **state) {
    struct ndp_pickle_memo memo = {.entries = 0};
    NDP_ARENA_SCOPED(arena, ARENA_BYTES);
    assert_true(ndp_pickle_memo_put(&memo, &arena, 0xffffffff, &objects[0]));
    assert_true(arena.allocations <= 16);
    const uint64_t before = arena.allocations;
    assert_true(ndp_pickle_memo_put(&memo, &arena, 0xfffffffe, &objects[1]));
    assert_true(ndp_pickle_memo_put(&memo, &arena, 3, &objects[1]));
    assert_int_equal(arena.allocations, before);
    assert_true(ndp_pickle_memo_put(&memo, &arena, 0x0fffffff, &objects[2]));
    assert_true(arena.allocations - before <= 8);
}

static void every_failing_allocation_is_reported(void **state) {
    bool is_set = false;
    for (uint64_t call = 1; !is_set; call++) {
        struct ndp_pickle_memo memo = {.entries = 0};
        NDP_ARENA_SCOPED(arena, ARENA_BYTES);
        assert_true(ndp_pickle_memo_put(&memo, &arena, 40, &objects[0]));
        ndp_arena_fail_at(&arena, call);
        is_set = ndp_pickle_memo_put(&memo, &arena, 0xabcdef01, &objects[1]);
        assert_int_equal(arena.fail_at == 0, !is_set);
        assert_ptr_equal(ndp_pickle_memo_get(&memo, 40), &objects[0]);
        assert_ptr_equal(ndp_pickle_memo_get(&memo, 0xabcdef01), is_set ? &objects[1] : NULL);
        assert_int_equal(memo.entries, is_set ? 2 : 1);
        assert_true(ndp_pickle_memo_put(&memo, &arena, 0xabcdef01, &objects[1]));
        assert_ptr_equal(ndp_pickle_memo_get(&memo, 0xabcdef01), &objects[1]);
    }
}

NDP_SUITE(pickle_memo_test, NDP_TEST(every_index_finds_its_object), NDP_TEST(a_high_index_costs_at_most_its_levels),
          NDP_TEST(every_failing_allocation_is_reported));
