#include "base/bytes.h"
#include "base/suite.h"
#include "runtime/json_memory.h"

enum { COUNT = 700 };

static const size_t sizes[] = {0, 1, 31, 32, 33, 64, 100, 511, 512, 513, 5000};

/* Fills blocks of every size and checks that none shares bytes with another, before and after blocks are reused. */
static void blocks_are_apart(void **state) {
    uint8_t *blocks[COUNT];
    const int64_t before = fuzz_json_held();
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            blocks[i] = fuzz_json_malloc(sizes[i % NDP_ARRAY_LEN(sizes)]);
            assert_non_null(blocks[i]);
            assert_int_equal((uintptr_t)blocks[i] % 16, 0);
            memset(blocks[i], (int)(i % 251), sizes[i % NDP_ARRAY_LEN(sizes)]);
        }
        assert_int_equal(fuzz_json_held(), before + COUNT);
        for (size_t i = COUNT; i-- > 0;) {
            for (size_t k = 0; k < sizes[i % NDP_ARRAY_LEN(sizes)]; k++) assert_int_equal(blocks[i][k], i % 251);
            fuzz_json_free(blocks[i]);
        }
        assert_int_equal(fuzz_json_held(), before);
    }
}

static void a_freed_block_is_given_again(void **state) {
    void *first = fuzz_json_malloc(40);
    fuzz_json_free(first);
    void *second = fuzz_json_malloc(64);
    assert_ptr_equal(first, second);
    fuzz_json_free(second);
    fuzz_json_free(NULL);
}

static void an_impossible_size_gives_null(void **state) {
    const int64_t before = fuzz_json_held();
    assert_null(fuzz_json_malloc(SIZE_MAX));
    assert_int_equal(fuzz_json_held(), before);
}

#if defined(__SANITIZE_ADDRESS__)
int __asan_address_is_poisoned(void const volatile *address);

static void an_access_outside_is_reported(void **state) {
    uint8_t *block = fuzz_json_malloc(40), *other = fuzz_json_malloc(33);
    assert_true(!__asan_address_is_poisoned(block) && !__asan_address_is_poisoned(block + 39));
    assert_true(__asan_address_is_poisoned(block - 1) && __asan_address_is_poisoned(block + 40));
    assert_true(__asan_address_is_poisoned(other + 33));
    fuzz_json_free(block);
    assert_true(__asan_address_is_poisoned(block));
    fuzz_json_free(other);
}
#else
static void an_access_outside_is_reported(void **state) {
    skip();
}
#endif

NDP_SUITE(json_memory_test, NDP_TEST(blocks_are_apart), NDP_TEST(a_freed_block_is_given_again),
          NDP_TEST(an_impossible_size_gives_null), NDP_TEST(an_access_outside_is_reported));
