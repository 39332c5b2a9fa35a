/* A decoder that reports a failed allocation breaks no promise, and one that goes on does. */
#include "base/suite.h"
#include "oracle/failing_allocation.h"
#include "runtime/hits_fixture.h"

enum { PICKS = 64, ALLOCATIONS = 3 };

static enum ndp_status decode_npy(struct ndp_arena *arena, struct ndp_bytes bytes) {
    struct ndp_npy_array array = {0};
    const enum ndp_status status = ndp_npy_decode_memory(arena, bytes, NULL, &array, NULL);
    ndp_npy_array_clear(&array);
    return status;
}

/* Ignores an allocation that fails. */
static enum ndp_status decode_carelessly(struct ndp_arena *arena, struct ndp_bytes bytes) {
    (void)bytes;
    for (int i = 0; i < ALLOCATIONS; i++)
        if (ndp_arena_alloc(arena, 8) == NULL) continue;
    return NDP_OK;
}

static enum ndp_status decode_without_memory(struct ndp_arena *arena, struct ndp_bytes bytes) {
    (void)arena, (void)bytes;
    return NDP_OK;
}

static void test_a_failed_allocation_is_reported(void **state) {
    for (uint64_t pick = 0; pick < PICKS; pick++)
        assert_true(fuzz_check_failing_allocation(decode_npy, npy_bytes, pick));
    assert_int_equal(fuzz_hits(), 0);
}

static void test_an_ignored_failure_is_found(void **state) {
    const int loud = be_quiet();
    for (uint64_t pick = 0; pick < PICKS; pick++)
        assert_true(fuzz_check_failing_allocation(decode_carelessly, npy_bytes, pick));
    be_loud(loud);
    assert_int_equal(fuzz_hits(), PICKS);
}

static void test_no_allocation_is_no_check(void **state) {
    assert_false(fuzz_check_failing_allocation(decode_without_memory, npy_bytes, 0));
}

NDP_SUITE(failing_allocation_test, NDP_TEST(test_a_failed_allocation_is_reported),
          NDP_TEST(test_an_ignored_failure_is_found), NDP_TEST(test_no_allocation_is_no_check));
