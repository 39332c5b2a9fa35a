#include "base/suite.h"
#include "codec/data_memory.h"

/* Sizes next to the one from which huge pages are requested. */
static const uint64_t sizes[] = {0, 1, 63, 64, 4095, 4097, (1 << 22) - 1, 1 << 22, (1 << 22) + 1};

static void memory_is_aligned_and_all_of_it_can_be_written(void **state) {
    for (size_t i = 0; i < NDP_ARRAY_LEN(sizes); i++) {
        uint8_t *data = ndp_data_new(sizes[i]);
        assert_non_null(data);
        assert_int_equal((uintptr_t)data % 64, 0);
        memset(data, 0x5a, (size_t)sizes[i]);
        ndp_data_free(data);
    }
}

static void growing_keeps_the_bytes(void **state) {
    uint8_t *data = ndp_data_new(0);
    assert_non_null(data);
    for (size_t i = 1; i < NDP_ARRAY_LEN(sizes); i++) {
        data = ndp_data_grow(data, sizes[i]);
        assert_non_null(data);
        assert_int_equal((uintptr_t)data % 16, 0);
        for (uint64_t k = 0; k < sizes[i - 1]; k++) assert_int_equal(data[k], k % 251);
        for (uint64_t k = sizes[i - 1]; k < sizes[i]; k++) data[k] = (uint8_t)(k % 251);
    }
    ndp_data_free(data);
}

/* Impossible sizes are refused without a system call, which sanitizers would report. */
static void impossible_sizes_are_refused_and_take_nothing(void **state) {
    static const uint64_t huge[] = {(uint64_t)SIZE_MAX / 2 + 1, UINT64_MAX - 4096, UINT64_MAX};
    uint8_t *data = ndp_data_new(3);
    assert_non_null(data);
    memcpy(data, "abc", 3);
    for (size_t i = 0; i < NDP_ARRAY_LEN(huge); i++) {
        assert_null(ndp_data_new(huge[i]));
        assert_null(ndp_data_grow(data, huge[i]));
        assert_memory_equal(data, "abc", 3);
    }
    ndp_data_free(data);
    ndp_data_free(NULL);
}

NDP_SUITE(data_memory_test, NDP_TEST(memory_is_aligned_and_all_of_it_can_be_written), NDP_TEST(growing_keeps_the_bytes),
          NDP_TEST(impossible_sizes_are_refused_and_take_nothing));
