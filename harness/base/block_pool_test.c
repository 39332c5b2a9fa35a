#include "base/block_pool.h"
#include "base/suite.h"

#include <stdalign.h>

static void a_block_is_reused_only_for_its_own_size(void **state) {
    struct ndp_block_pool pool = {.limit_bytes = 1 << 20};
    uint8_t *first = ndp_block_pool_take(&pool, 1000), *second = ndp_block_pool_take(&pool, 1000);
    assert_true(first && second && first != second);
    memset(first, 1, 1000);
    memset(second, 2, 1000);
    ndp_block_pool_give(&pool, first);
    assert_int_equal(pool.kept_bytes, 1000);
    uint8_t *other = ndp_block_pool_take(&pool, 1001);
    assert_true(other && other != first);
    assert_ptr_equal(ndp_block_pool_take(&pool, 1000), first);
    memset(first, 3, 1000);
    assert_int_equal(second[999], 2);
    ndp_block_pool_give(&pool, first);
    ndp_block_pool_give(&pool, second);
    ndp_block_pool_give(&pool, other);
    assert_int_equal(pool.kept_bytes, 3001);
    ndp_block_pool_clear(&pool);
    assert_int_equal(pool.kept_bytes, 0);
    assert_null(pool.kept);
}

static void no_more_than_the_limit_is_kept(void **state) {
    struct ndp_block_pool pool = {.limit_bytes = 1500}, none = {0};
    void *blocks[3];
    for (size_t i = 0; i < 3; i++) assert_non_null(blocks[i] = ndp_block_pool_take(&pool, i == 0 ? 1501 : 1000));
    for (size_t i = 0; i < 3; i++) ndp_block_pool_give(&pool, blocks[i]);
    assert_int_equal(pool.kept_bytes, 1000);
    ndp_block_pool_clear(&pool);
    ndp_block_pool_give(&none, ndp_block_pool_take(&none, 8));
    assert_null(none.kept);
    ndp_block_pool_give(NULL, ndp_block_pool_take(NULL, 8));
    ndp_block_pool_give(&pool, NULL);
}

static void the_oldest_block_is_freed_first(void **state) {
    struct ndp_block_pool pool = {.limit_bytes = 3000};
    void *blocks[100];
    for (size_t i = 0; i < 3; i++) assert_non_null(blocks[i] = ndp_block_pool_take(&pool, 1000 - i));
    for (size_t i = 0; i < 3; i++) ndp_block_pool_give(&pool, blocks[i]);
    void *large = ndp_block_pool_take(&pool, 1500);
    assert_non_null(large);
    ndp_block_pool_give(&pool, large);
    assert_int_equal(pool.kept_bytes, 1500 + 998);
    assert_ptr_equal(ndp_block_pool_take(&pool, 998), blocks[2]);
    ndp_block_pool_give(&pool, blocks[2]);
    for (size_t i = 0; i < 100; i++) assert_non_null(blocks[i] = ndp_block_pool_take(&pool, 1 + i % 2));
    for (size_t i = 0; i < 100; i++) ndp_block_pool_give(&pool, blocks[i]);
    assert_int_equal(pool.kept_bytes, 32 * 1 + 32 * 2);
    ndp_block_pool_clear(&pool);
}

static void memory_is_aligned_and_zeroed_on_demand(void **state) {
    struct ndp_block_pool pool = {.limit_bytes = 1 << 20};
    for (int round = 0; round < 2; round++) {
        uint8_t *block = ndp_block_pool_take_zeroed(&pool, 10, 30);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % alignof(max_align_t), 0);
        for (size_t i = 0; i < 300; i++) assert_int_equal(block[i], 0);
        memset(block, 0xff, 300);
        ndp_block_pool_give(&pool, block);
    }
    ndp_block_pool_clear(&pool);
}

static void sizes_that_wrap_are_refused(void **state) {
    struct ndp_block_pool pool = {.limit_bytes = UINT64_MAX};
    assert_null(ndp_block_pool_take(&pool, UINT64_MAX));
    assert_null(ndp_block_pool_take_zeroed(&pool, UINT64_C(1) << 33, UINT64_C(1) << 33));
    assert_null(ndp_block_pool_take_zeroed(NULL, UINT64_C(1) << 62, 4));
}

static void *take_and_give(void *context) {
    struct ndp_block_pool *pool = context;
    for (uint32_t i = 0; i < 20000; i++) {
        const uint64_t size_bytes = 64 + i % 3;
        uint8_t *data = ndp_block_pool_take(pool, size_bytes);
        if (data == NULL) return pool;
        memset(data, (int)i, size_bytes);
        for (uint64_t k = 0; k < size_bytes; k++)
            if (data[k] != (uint8_t)i) return pool;
        ndp_block_pool_give(pool, data);
    }
    return NULL;
}

static void threads_share_a_pool(void **state) {
    enum { THREADS = 4 };
    struct ndp_block_pool pool = {.limit_bytes = 1 << 10};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, &pool), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    ndp_block_pool_clear(&pool);
}

NDP_SUITE(block_pool_test, NDP_TEST(a_block_is_reused_only_for_its_own_size), NDP_TEST(no_more_than_the_limit_is_kept),
          NDP_TEST(the_oldest_block_is_freed_first), NDP_TEST(memory_is_aligned_and_zeroed_on_demand),
          NDP_TEST(sizes_that_wrap_are_refused), NDP_TEST(threads_share_a_pool));
