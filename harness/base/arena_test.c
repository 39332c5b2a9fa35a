#include "base/arena.h"
#include "base/suite.h"

#include <stdalign.h>

static bool is_zero(const uint8_t *bytes, size_t size_bytes) {
    for (size_t i = 0; i < size_bytes; i++)
        if (bytes[i] != 0) return false;
    return true;
}

/* Sizes next to the alignment and to every block size. */
static const uint64_t sizes[] = {1, 15, 16, 17, 100, 2000, 2048, 2049, 4096, 4097, 70000, 3, 262144, 300000, 8};

static void objects_are_zeroed_aligned_and_disjoint(void **state) {
    struct ndp_arena arena;
    ndp_arena_init(&arena, 1 << 24);
    for (int round = 0; round < 3; round++) {
        uint8_t *objects[20 * NDP_ARRAY_LEN(sizes)];
        size_t count = 0;
        for (int repeat = 0; repeat < 20; repeat++) {
            for (size_t i = 0; i < NDP_ARRAY_LEN(sizes); i++) {
                uint8_t *object = ndp_arena_alloc(&arena, sizes[i]);
                assert_non_null(object);
                assert_int_equal((uintptr_t)object % alignof(max_align_t), 0);
                assert_true(is_zero(object, sizes[i]));
                memset(object, (int)(count % 251 + 1), sizes[i]);
                objects[count++] = object;
            }
        }
        assert_int_equal(arena.allocations, count);
        for (size_t k = 0; k < count; k++) {
            const uint8_t mark = (uint8_t)(k % 251 + 1);
            const uint64_t size = sizes[k % NDP_ARRAY_LEN(sizes)];
            assert_true(objects[k][0] == mark && objects[k][size / 2] == mark && objects[k][size - 1] == mark);
        }
        ndp_arena_clear(&arena);
        assert_int_equal(arena.used_bytes, 0);
    }
}

static void the_limit_is_never_passed(void **state) {
    /* Sizes are rounded up to the strictest alignment, which is 8 or 16 bytes. */
    enum { STEP = alignof(max_align_t) };
    NDP_ARENA_SCOPED(arena, 4 * STEP);
    assert_non_null(ndp_arena_alloc(&arena, STEP + 1));
    assert_int_equal(arena.used_bytes, 2 * STEP);
    assert_null(ndp_arena_alloc(&arena, 2 * STEP + 1));
    assert_int_equal(arena.used_bytes, 2 * STEP);
    assert_int_equal(arena.allocations, 1);
    assert_non_null(ndp_arena_alloc(&arena, 2 * STEP));
    assert_null(ndp_arena_alloc(&arena, 1));
    ndp_arena_clear(&arena);
    assert_non_null(ndp_arena_alloc(&arena, 4 * STEP));
}

static void sizes_that_wrap_are_refused(void **state) {
    NDP_ARENA_SCOPED(arena, UINT64_MAX);
    assert_null(ndp_arena_alloc(&arena, UINT64_MAX));
    assert_null(ndp_arena_alloc(&arena, UINT64_MAX - 15));
    assert_null(ndp_arena_alloc_items(&arena, UINT64_C(1) << 61, 8));
    assert_null(ndp_arena_alloc_items(&arena, UINT64_C(1) << 32, UINT64_C(1) << 32));
    assert_int_equal(arena.used_bytes, 0);
    assert_non_null(ndp_arena_alloc(&arena, 8));
}

static void no_bytes_and_no_items_give_a_pointer(void **state) {
    NDP_ARENA_SCOPED(arena, 16);
    assert_non_null(ndp_arena_alloc(&arena, 0));
    assert_non_null(ndp_arena_alloc_items(&arena, 0, 8));
    assert_non_null(ndp_arena_copy(&arena, NULL, 0));
    assert_int_equal(arena.used_bytes, 0);
}

static void a_copy_is_its_own(void **state) {
    NDP_ARENA_SCOPED(arena, 1024);
    char from[] = "abc";
    char *copy = ndp_arena_copy(&arena, from, sizeof from);
    assert_non_null(copy);
    from[0] = 'x';
    assert_string_equal(copy, "abc");
    uint32_t *numbers = NDP_ARENA_ITEMS(&arena, uint32_t, 5);
    assert_non_null(numbers);
    assert_true(is_zero((const uint8_t *)numbers, 20));
}

static void the_chosen_call_fails_and_only_that(void **state) {
    NDP_ARENA_SCOPED(arena, 4096);
    ndp_arena_fail_at(&arena, 3);
    assert_non_null(ndp_arena_alloc(&arena, 8));
    assert_non_null(ndp_arena_alloc_items(&arena, 2, 8));
    assert_null(ndp_arena_copy(&arena, "x", 1));
    assert_int_equal(arena.fail_at, 0);
    assert_non_null(ndp_arena_copy(&arena, "x", 1));
    ndp_arena_fail_at(&arena, 2);
    ndp_arena_fail_at(&arena, 0);
    assert_non_null(ndp_arena_alloc(&arena, 8));
    assert_non_null(ndp_arena_alloc(&arena, 8));
}

/* Rounds cover each block size as the kept block, no kept block, and an object larger than the kept block. */
static void memory_is_zeroed_after_a_reset(void **state) {
    NDP_ARENA_SCOPED(arena, 1 << 22);
    ndp_arena_reset(&arena);
    for (size_t round = 0; round < 4 * NDP_ARRAY_LEN(sizes); round++) {
        for (size_t i = 0; i <= round % (2 * NDP_ARRAY_LEN(sizes)); i++) {
            const uint64_t size = sizes[(i * 7 + round) % NDP_ARRAY_LEN(sizes)];
            uint8_t *object = ndp_arena_alloc(&arena, size);
            assert_non_null(object);
            assert_true(is_zero(object, size));
            memset(object, 0xa5, size);
        }
        ndp_arena_reset(&arena);
        assert_int_equal(arena.used_bytes, 0);
        assert_int_equal(arena.allocations, 0);
    }
    assert_null(ndp_arena_alloc(&arena, (1 << 22) + 1));
    assert_non_null(ndp_arena_alloc(&arena, 1 << 22));
}

/* More blocks than a reset keeps, then fewer. */
static void large_blocks_are_kept_and_zeroed(void **state) {
    enum { OBJECT_BYTES = 1 << 14, OBJECTS = 100 };
    struct ndp_arena arena;
    ndp_arena_init(&arena, 1 << 22);
    for (uint32_t round = 0; round < 6; round++) {
        for (uint32_t i = 0; i < (round % 2 == 0 ? OBJECTS : OBJECTS / 4); i++) {
            uint8_t *object = ndp_arena_alloc(&arena, OBJECT_BYTES);
            assert_non_null(object);
            assert_true(is_zero(object, OBJECT_BYTES));
            memset(object, 0xa5, OBJECT_BYTES);
        }
        ndp_arena_reset(&arena);
    }
    ndp_arena_clear(&arena);
    assert_null(arena.blocks);
    assert_null(arena.spare);
}

/* Objects as large as a block for small objects, and larger, up to more than a reset keeps. */
static void large_objects_reuse_kept_blocks(void **state) {
    enum { LARGE_BYTES = 1 << 20, LARGE_OBJECTS = 12 };
    NDP_ARENA_SCOPED(arena, UINT64_C(1) << 32);
    uint8_t *const first = ndp_arena_alloc(&arena, LARGE_BYTES);
    assert_non_null(first);
    first[LARGE_BYTES - 1] = 1;
    ndp_arena_reset(&arena);
    uint8_t *const again = ndp_arena_alloc(&arena, LARGE_BYTES);
    assert_non_null(again);
    assert_true(is_zero(again, LARGE_BYTES));
#ifndef NDP_ARENA_PER_OBJECT
    assert_ptr_equal(first, again);
#endif
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 1; i <= LARGE_OBJECTS; i++) {
            uint8_t *object = ndp_arena_alloc(&arena, (uint64_t)LARGE_BYTES * (1 + i % 3) / 2);
            assert_non_null(object);
            assert_true(is_zero(object, LARGE_BYTES / 2));
            memset(object, 0xa5, LARGE_BYTES / 2);
        }
        ndp_arena_reset(&arena);
    }
}

/* A small object first uses space that a large one needs, or a larger object comes first. */
static void kept_blocks_suffice_for_the_same_objects(void **state) {
    enum { LARGE_BYTES = 1900000, ROUNDS = 6, OBJECTS = 4 };
    static const uint64_t rows[][OBJECTS] = {{100, LARGE_BYTES, 200, 300},
                                             {100, LARGE_BYTES / 2, LARGE_BYTES, 300},
                                             {100, LARGE_BYTES, LARGE_BYTES / 2, 5000},
                                             {5000, 20000, 90000, LARGE_BYTES}};
    NDP_ARENA_SCOPED(arena, 1 << 24);
    for (size_t row = 0; row < NDP_ARRAY_LEN(rows); row++) {
        uint8_t *objects[ROUNDS][OBJECTS];
        for (uint32_t round = 0; round < ROUNDS; round++) {
            for (uint32_t i = 0; i < OBJECTS; i++) {
                objects[round][i] = ndp_arena_alloc(&arena, rows[row][i]);
                assert_non_null(objects[round][i]);
                assert_true(is_zero(objects[round][i], rows[row][i]));
                memset(objects[round][i], 0xa5, rows[row][i]);
            }
            ndp_arena_reset(&arena);
        }
#ifndef NDP_ARENA_PER_OBJECT
        for (uint32_t round = 2; round < ROUNDS; round++)
            for (uint32_t i = 0; i < OBJECTS; i++)
                if (objects[round][i] != objects[0][i] && objects[round][i] != objects[1][i])
                    fail_msg("row %zu: object %u of round %u is not in its block of round 0", row, i, round);
#endif
    }
}

NDP_SUITE(arena_test, NDP_TEST(objects_are_zeroed_aligned_and_disjoint), NDP_TEST(the_limit_is_never_passed),
          NDP_TEST(sizes_that_wrap_are_refused), NDP_TEST(no_bytes_and_no_items_give_a_pointer),
          NDP_TEST(a_copy_is_its_own), NDP_TEST(the_chosen_call_fails_and_only_that),
          NDP_TEST(memory_is_zeroed_after_a_reset), NDP_TEST(large_blocks_are_kept_and_zeroed),
          NDP_TEST(large_objects_reuse_kept_blocks), NDP_TEST(kept_blocks_suffice_for_the_same_objects));
